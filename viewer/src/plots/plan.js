// SPDX-License-Identifier: MIT
// Plots of a plan: controls as steps, gaps at nodes and between them, momentum consistency, effort level by level.

/** A number of every interval as a curve of steps: each interval has both its ends. @param {ArrayLike<number>} times of nodes */
function steps(times, of) {
  const x = [];
  const y = [];
  for (let k = 0; k + 1 < times.length; k++) {
    x.push(times[k], times[k + 1]);
    y.push(of(k), of(k));
  }
  return { x, y };
}

const isZero = (list) => list.every((value) => value === 0);

/** What a control acts on. @param {import("../data/run.js").Run} run @param {import("../data/plan.js").Control} control */
export function controlTitle(run, control) {
  if (control.kind === "motor") return `Motor of ${run.jointName(control.joint)}`;
  const kind = { wrench: "Wrench", force: "Force", thruster: "Thruster" }[control.kind] ?? control.kind;
  return `${kind} on ${run.bodyName(control.body)}, ${control.axes === "body" ? "body axes" : "world axes"}`;
}

/**
 * One plot for the forces and one for the torques of each control.
 * @param {import("../data/run.js").Run} run @param {ArrayLike<number>} values of the plan or of its guess @param {string} key
 * @returns {import("./catalogue.js").Plot[]}
 */
export function controlPlots(run, values, key) {
  const { plan } = run;
  return plan.controls.flatMap((control, c) => {
    const part = (name, unit, from, to, limit) => {
      if (to <= from) return [];
      const curves = control.names.slice(from, to).map((text, i) => ({ name: text, ...steps(plan.times, (k) => plan.number(values, k, control.first + from + i)) }));
      const bounds = Number.isFinite(limit) ? [limit, ...(control.kind === "thruster" ? [] : [-limit])] : [];
      const { x } = curves[0];
      const near = bounds.length > 0 && curves.some(({ y }) => y.some((value) => Math.abs(value) > 0.5 * limit));
      const limits = near ? bounds.map((bound, i) => ({ name: "limit", y: x.map(() => bound), dash: true, quiet: i > 0, legend: `limit ${limit}`, colour: 5 })) : [];
      return [{ key: `${key}_${c}_${name}`, title: `${controlTitle(run, control)}: ${name}`, unit, x, series: [...curves.map(({ name: text, y }) => ({ name: text, y })), ...limits], note: curves.every(({ y }) => isZero(y)) ? "zero throughout" : undefined }];
    };
    return [
      ...part("force", "N", 0, control.forces, control.force_limit),
      ...part("torque", "N m", control.forces, control.names.length, control.torque_limit),
    ];
  });
}

/** Nodes and intervals over one axis: a node is where two intervals meet. @param {import("../data/plan.js").Plan} plan @returns {import("./catalogue.js").Plot | null} */
export function gapPlot(plan) {
  if (!plan.avoids) return null;
  const { x, y: between } = steps(plan.times, (k) => plan.between[k]);
  const nodes = x.map((_, i) => plan.gaps[(i + 1) >> 1]);
  const margin = plan.line("margin")?.value;
  return {
    key: "plan_gaps", title: "Least gap of bodies that are kept apart", unit: "m", x,
    series: [
      { name: "at nodes", y: nodes },
      { name: "until the next node, proved", y: between },
      ...(Number.isFinite(margin) ? [{ name: "margin", y: x.map(() => margin), dash: true, colour: 5 }] : []),
    ],
  };
}

/** @param {import("../data/plan.js").Plan} plan @returns {import("./catalogue.js").Plot} */
export function consistencyPlot(plan) {
  return {
    key: "plan_consistency", title: "Momentum consistency", unit: "", x: plan.times, log: true,
    bound: plan.line("consistency")?.bound ?? null, series: [{ name: "relative", y: plan.consistency }],
  };
}

/** Over the intervals of levels, a curve for each start. @param {import("../data/plan.js").Plan} plan @returns {import("./catalogue.js").Plot | null} */
export function effortPlot(plan) {
  const kept = plan.solves.filter(({ outcome, effort }) => (outcome === "solved" || outcome === "feasible") && effort > 0);
  const x = [...new Set(kept.map(({ intervals }) => intervals))].sort((a, b) => a - b);
  const starts = [...new Set(kept.map(({ start }) => start))].sort((a, b) => a - b);
  if (kept.length < 2) return null;
  const of = (start, intervals) => kept.find((solve) => solve.start === start && solve.intervals === intervals)?.effort ?? NaN;
  return {
    key: "plan_effort", title: "Effort, level by level", unit: "N² s", x, log: true, points: true,
    series: starts.map((start) => ({ name: `start ${start + 1}`, y: x.map((intervals) => of(start, intervals)) })),
  };
}
