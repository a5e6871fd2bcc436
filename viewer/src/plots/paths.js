// SPDX-License-Identifier: MIT
// Plots of a comparison: where bodies are, and the energy, under every method.

/** More curves than this in one plot cannot be told apart. */
const MOST_CURVES = 64;
/** Components that change by less than this share of what the largest one does are not shown. */
const FLAT = 1e-6;

const COMPONENTS = ["x", "y", "z"];

function extent(lists) {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists)
    for (const value of list) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return high > low ? high - low : 0;
}

/** The longest run's times: others have ended before. */
const timesOf = (header, arrays) => header.runs.map((_, i) => arrays[`path_times_${i}`] ?? []).reduce((a, b) => (b.length > a.length ? b : a), []);

/** @returns {import("./catalogue.js").Plot | null} */
export function energyPlot(header, arrays) {
  const x = timesOf(header, arrays);
  const series = header.runs.flatMap((run, i) => (arrays[`path_energy_${i}`]?.length ? [{ name: run.name, y: arrays[`path_energy_${i}`] }] : []));
  return series.length ? { key: "energy", title: "Energy", unit: "J", x, series } : null;
}

/**
 * One plot for each component that changes; a colour for each method.
 * @param {number} body number in the list of paths; -1: all, or as many as can be told apart
 * @returns {import("./catalogue.js").Plot[]}
 */
export function pathPlots(header, arrays, body) {
  const names = header.paths.bodies;
  const most = Math.max(1, Math.floor(MOST_CURVES / header.runs.length));
  const bodies = body >= 0 ? [body] : names.map((_, b) => b).slice(0, most);
  const path = (run, b, component) => {
    const count = arrays[`path_times_${run}`]?.length ?? 0;
    const row = 3 * b + component;
    return arrays[`path_position_${run}`]?.subarray(row * count, (row + 1) * count) ?? [];
  };
  const changes = COMPONENTS.map((_, k) => Math.max(...header.runs.map((_, i) => Math.max(...bodies.map((b) => extent([path(i, b, k)]))))));
  const least = FLAT * Math.max(...changes);
  const title = bodies.length === 1 ? names[bodies[0]] : bodies.length < names.length && body < 0 ? `the first ${bodies.length} bodies` : "all bodies";
  return COMPONENTS.flatMap((name, k) => {
    if (!(changes[k] > least)) return [];
    const series = header.runs.flatMap((run, i) => bodies.map((b, place) => ({
      name: bodies.length > 1 ? `${run.name}: ${names[b]}` : run.name,
      y: path(i, b, k), colour: i, ...(bodies.length > 1 ? (place === 0 ? { legend: run.name } : { quiet: true }) : {}),
    })));
    return [{ key: `path_${name}`, title: `${name} of ${title}`, unit: "m", x: timesOf(header, arrays), series }];
  });
}
