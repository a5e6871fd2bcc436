// SPDX-License-Identifier: MIT
// Quantities of certificates as a report's header tells them (docs/report.md).

const XYZ = ["x", "y", "z"];
const scalar = (name, unit, title, rest = {}) => ({ name, unit, text: "", columns: [name], series: [title], plot: name, title, log: false, usual: 0, ...rest });
const vector = (name, prefix, unit, title) => ({ name, unit, text: "", columns: XYZ.map((c) => prefix + c), series: XYZ, plot: name, title, log: false, usual: 0 });

const ALL = [
  scalar("kinetic", "J", "energy", { plot: "energy", series: ["kinetic"] }),
  scalar("potential", "J", undefined, { plot: "energy", series: ["potential"] }),
  scalar("total", "J", undefined, { plot: "energy", series: ["total"] }),
  vector("momentum", "p", "kg m/s", "momentum"),
  vector("angular_momentum", "l", "kg m^2/s", "angular momentum"),
  scalar("momentum_balance", "", "momentum balance", { log: true }),
  scalar("residual", "", "residual", { log: true }),
  scalar("joint_drift", "", "joint drift", { log: true }),
  scalar("iterations", "", "iterations"),
  scalar("substeps", "", "substeps", { usual: 1 }),
  scalar("contacts", "", "contacts"),
  scalar("infeasibility", "", "overlap over body size", { log: true, series: ["largest"] }),
  scalar("mean_infeasibility", "", undefined, { plot: "infeasibility", series: ["mean"] }),
  scalar("friction_work", "J", "work of friction in a step"),
  scalar("projection_energy", "J", "energy added by projection in a step", { series: ["projection"] }),
  vector("projection_momentum", "projection_l", "kg m^2/s", "angular momentum added by projection in a step"),
  scalar("impact_energy", "J", "energy added by impacts in a step", { series: ["impacts"] }),
  scalar("work_conservative", "J", "energy ledger, summed up", { plot: "ledger", series: ["conservative"], stacked: true }),
  scalar("work_passive", "J", undefined, { plot: "ledger", series: ["passive"], stacked: true }),
  scalar("work_friction", "J", undefined, { plot: "ledger", series: ["friction"], stacked: true }),
];

/** Those whose columns are there. @param {Record<string, ArrayLike<number>>} columns */
export const quantitiesOf = (columns) => ALL.filter((quantity) => quantity.columns.some((name) => columns[name]));
