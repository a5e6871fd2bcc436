// SPDX-License-Identifier: MIT
// Which plots a run has: series over time from certificates, as the report tells them, and from the frames of one body.
import { piecesPlot } from "./pieces.js";
import { withoutRounding } from "./stack.js";
import { shownUnit } from "./ticks.js";

/**
 * @typedef {{name: string, y: ArrayLike<number>, colour?: number, quiet?: boolean, legend?: string, dash?: boolean}} Series `colour`: its number
 *            instead of the place in the list; `legend`: what stands in the legend, without a value; `quiet`: nothing stands there; `dash`: a broken line
 * @typedef {{key: string, title: string, unit: string, x: ArrayLike<number>, series: Series[], log?: boolean,
 *            bound?: number | null, note?: string, stacked?: number, points?: boolean}} Plot `stacked`: so many of the first series are drawn
 *            on top of each other; `points`: a dot at each number
 * @typedef {{name: string, unit: string, text: string, columns: string[], series: string[], plot: string, title?: string,
 *            log?: boolean, usual?: number, stacked?: boolean}} Quantity an entry of the header's `certificate_quantities`
 */

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const differs = (column, usual) => column.some((value) => Number.isFinite(value) && value !== usual);

/** The quantities of each plot, plots in the order of their first ones. @param {Quantity[]} quantities @returns {Map<string, Quantity[]>} */
function byPlot(quantities) {
  const plots = new Map();
  for (const quantity of quantities) plots.set(quantity.plot, [...(plots.get(quantity.plot) ?? []), quantity]);
  return plots;
}

/** Series of what is there and not always as usual. */
function seriesOf(quantities, columns) {
  return quantities.flatMap(({ columns: names, series, usual = 0 }) =>
    names.flatMap((name, i) => (columns[name] && differs(columns[name], usual) ? [{ name: series[i], y: columns[name] }] : [])));
}

/** @param {import("../data/run.js").Run} run @returns {{plots: Plot[], flat: string[]}} `flat`: titles of what never differs from zero */
export function certificatePlots(run) {
  const columns = run.certificate;
  const x = columns.time;
  if (!x?.length) return { plots: [], flat: [] };
  const bounds = new Map((run.header.certificate ?? []).map(({ name, bound }) => [name, bound]));
  const plots = [];
  const flat = [];
  for (const [key, quantities] of byPlot(run.header.certificate_quantities ?? [])) {
    const [{ title = key, unit, log, stacked }] = quantities;
    if (!quantities.some((quantity) => quantity.columns.some((name) => columns[name]))) continue;
    const series = seriesOf(quantities, columns);
    if (!series.length) {
      flat.push(title);
      continue;
    }
    if (stacked) {
      const beside = plots.findIndex((plot) => plot.key === "energy_change") + 1;
      plots.splice(beside, 0, ledger({ key, title: capital(title), unit: shownUnit(unit), x }, withoutRounding(series), columns.kinetic));
      continue;
    }
    if (key === "discrete_energy") {
      const beside = plots.findIndex((plot) => plot.key === "energy_change") + 1;
      plots.splice(beside, 0, { key, title: capital(title), unit: shownUnit(unit), x, series });
      continue;
    }
    const bound = quantities.map(({ name }) => bounds.get(name)).find(Number.isFinite) ?? null;
    plots.push({ key, title: capital(title), unit: shownUnit(unit), x, series, log, bound });
    const pieces = key === "substeps" ? piecesPlot(run) : null;
    if (pieces) plots.push(pieces);
    if (key === "energy" && columns.total) plots.push(energyChange(x, columns.total));
  }
  return { plots, flat };
}

const lessFirst = (column) => Float64Array.from(column, (value) => value - column[0]);

function energyChange(x, total) {
  return { key: "energy_change", title: "Change of energy", unit: "J", x, series: [{ name: "total less that of the start", y: lessFirst(total) }] };
}

/** The lines of the ledger add up to what the kinetic energy has changed by, which is drawn over them. */
function ledger(plot, lines, kinetic) {
  const sum = kinetic ? [{ name: "kinetic energy less that of the start", y: lessFirst(kinetic) }] : [];
  return { ...plot, series: [...lines, ...sum], stacked: lines.length };
}

/** @param {import("../data/run.js").Run} run @param {number} body @returns {Plot[]} */
export function bodyPlots(run, body) {
  const { frames } = run;
  const x = frames.times;
  const over = (names, of) => {
    const rows = Array.from(x, (_, f) => of(f));
    return names.map((name, c) => ({ name, y: Float64Array.from(rows, (row) => row[c]) }));
  };
  const xyz = ["x", "y", "z"];
  const name = run.bodyName(body);
  const note = frames.velocities ? undefined : "from differences of frames";
  return [
    { key: "body_position", title: `Position of ${name}`, unit: "m", x, series: over(xyz, (f) => frames.position(f, body)) },
    { key: "body_attitude", title: `Attitude of ${name}`, unit: "", x, series: over(["w", ...xyz], (f) => frames.attitude(f, body)) },
    { key: "body_velocity", title: `Velocity of ${name}`, unit: "m/s", x, note, series: over(xyz, (f) => frames.motion(f, body).velocity) },
    { key: "body_spin", title: `Spin of ${name}`, unit: "rad/s", x, note, series: over(xyz, (f) => frames.motion(f, body).spin) },
  ];
}

/** @param {Plot} plot @returns {number} the last row at or before a time; 0 before the first */
export function rowAt(plot, time) {
  let low = 0;
  let high = plot.x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (plot.x[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
