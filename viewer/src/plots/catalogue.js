// SPDX-License-Identifier: MIT
// Which plots a run has: series over time from certificates, and from the frames of one body.

/**
 * @typedef {{name: string, y: ArrayLike<number>, colour?: number, quiet?: boolean, legend?: string}} Series `colour`: its number
 *            instead of the place in the list; `legend`: what stands in the legend, without a value; `quiet`: nothing stands there
 * @typedef {{key: string, title: string, unit: string, x: ArrayLike<number>, series: Series[], log?: boolean,
 *            bound?: number | null, note?: string}} Plot
 */

/** Plots of certificates: key, title, unit, columns with their names, and whether small numbers matter. */
const PLOTS = [
  ["energy", "Energy", "J", { kinetic: "kinetic", potential: "potential", total: "total" }],
  ["momentum", "Momentum", "kg m/s", { px: "x", py: "y", pz: "z" }],
  ["angular_momentum", "Angular momentum", "kg m²/s", { lx: "x", ly: "y", lz: "z" }],
  ["momentum_balance", "Momentum balance", "", { momentum_balance: "momentum balance" }, true],
  ["residual", "Residual", "", { residual: "residual" }, true],
  ["joint_drift", "Joint drift", "", { joint_drift: "joint drift" }, true],
  ["infeasibility", "Overlap over body size", "", { infeasibility: "largest", mean_infeasibility: "mean" }, true],
  ["energy_balance", "Energy balance of a step", "J", { energy_balance: "energy balance" }],
  ["friction_work", "Work of friction in a step", "J", { friction_work: "friction work" }],
  ["projection_energy", "Energy added by projection in a step", "J", { projection_energy: "projection" }],
  ["projection_momentum", "Angular momentum added by projection in a step", "kg m²/s", { projection_lx: "x", projection_ly: "y", projection_lz: "z" }],
  ["impact_energy", "Energy added by impacts in a step", "J", { impact_energy: "impacts" }],
  ["contacts", "Contacts", "", { contacts: "contacts" }],
  ["iterations", "Solver iterations", "", { iterations: "iterations" }],
  ["parts", "Parts of a step", "", { parts: "parts", fallbacks: "fallbacks" }],
  ["seconds", "Time a step took", "s", { seconds: "wall time" }, true],
];

/** Quantities of the certificate's table whose bound is drawn into a plot. */
const BOUND_OF = { "momentum balance": "momentum_balance", residual: "residual", "joint drift": "joint_drift", infeasibility: "infeasibility" };

const anyValue = (column, nothing = 0) => column.some((value) => Number.isFinite(value) && value !== nothing);

/** @param {import("../data/run.js").Run} run @returns {{plots: Plot[], flat: string[]}} `flat`: titles of what never differs from zero */
export function certificatePlots(run) {
  const columns = run.certificate;
  const x = columns.time;
  if (!x?.length) return { plots: [], flat: [] };
  const bounds = {};
  for (const row of run.header.certificate ?? []) bounds[BOUND_OF[row.quantity]] = row.bound;
  const plots = [];
  const flat = [];
  for (const [key, title, unit, names, log] of PLOTS) {
    const present = Object.entries(names).filter(([column]) => columns[column]);
    if (!present.length) continue;
    const quiet = key === "parts" ? 1 : 0;
    const series = present.filter(([column]) => anyValue(columns[column], column === "parts" ? quiet : 0)).map(([column, name]) => ({ name, y: columns[column] }));
    if (!series.length) {
      flat.push(title.toLowerCase());
      continue;
    }
    plots.push({ key, title, unit, x, series, log, bound: bounds[key] ?? null });
    if (key === "energy" && columns.total) plots.push(energyChange(x, columns.total));
  }
  return { plots, flat };
}

function energyChange(x, total) {
  const y = Float64Array.from(total, (value) => value - total[0]);
  return { key: "energy_change", title: "Change of energy", unit: "J", x, series: [{ name: "total less that of the first step", y }] };
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
