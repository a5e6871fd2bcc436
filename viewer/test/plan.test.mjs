// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Run } from "../src/data/run.js";
import { consistencyPlot, controlPlots, controlTitle, effortPlot, gapPlot } from "../src/plots/plan.js";
import { layerChoices } from "../src/ui/layers.js";

const header = {
  bodies: [{ name: "post", kind: "fixed", shape: -1 }, { name: "craft", kind: "free", shape: -1 }],
  joints: [{ name: "elbow", kind: "hinge", a: 0, b: 1 }],
  plan: {
    outcome: "solved", reason: "", replayed: false, strict: true, kept: true, intervals: 2, numbers: 4, plane_count: 2,
    controls: [
      { kind: "force", body: 1, joint: -1, axes: "body", first: 0, forces: 3, names: ["fx", "fy", "fz"], force_limit: 2, torque_limit: null },
      { kind: "motor", body: -1, joint: 0, axes: "world", first: 3, forces: 0, names: ["torque"], force_limit: null, torque_limit: null },
    ],
    certificate: [
      { name: "margin", label: "margin", unit: "m", value: 0.01, bound: null, least: false, verdict: "reported" },
      { name: "consistency", label: "momentum consistency", unit: "", value: 1e-15, bound: 1e-9, least: false, verdict: "kept" },
    ],
    solves: [
      { start: 0, level: 0, intervals: 1, outcome: "solved", iterations: 5, effort: 4, seconds: 1 },
      { start: 0, level: 1, intervals: 2, outcome: "solved", iterations: 5, effort: 3, seconds: 1 },
      { start: 1, level: 0, intervals: 1, outcome: "stuck", iterations: 5, effort: 9, seconds: 1 },
      { start: 2, level: 0, intervals: 1, outcome: "feasible", iterations: 5, effort: 2, seconds: 1 },
    ],
    impulses: [
      { node: 1, time: 0.5, contact: 0, a: 0, b: 1, point: [0, 0, 0], impulse: [0, 0, 2] },
      { node: 1, time: 0.5, contact: 0, a: 0, b: 1, point: [1, 0, 0], impulse: [0, 3, 0] },
      { node: 1, time: 0.5, contact: 0, a: 0, b: 1, point: [1, 1, 0], impulse: [0, 0, 1e-9] },
      { node: 2, time: 2, contact: 1, a: 0, b: 1, point: [0, 0, 0], impulse: [1, 0, 0] },
    ],
  },
};
const arrays = {
  plan_times: Float64Array.of(0, 0.5, 2),
  plan_values: Float64Array.of(1.5, 0, -1, 0.25, -0.5, 0, 1, -0.25),
  plan_guess_values: new Float64Array(8),
  plan_consistency: Float64Array.of(1e-16, 2e-16, 0),
  plan_gaps: Float64Array.of(0.1, 0.2, 0.05),
  plan_between: Float64Array.of(0.09, 0.04),
  plan_guess: Float32Array.from({ length: 3 * 2 * 7 }, (_, i) => i),
  plan_plane_bodies: Int32Array.of(0, 0, 0, 1, 2, 1, 0, 0, 1, 0),
  plan_planes: Float64Array.of(1, 0, 0, 0.5, 0, 1, 0, 0.25),
};
const run = new Run(header, arrays);

test("controls are steps: an interval has one number from end to end", () => {
  const plots = controlPlots(run, run.plan.values, "plan_control");
  assert.deepEqual(plots.map(({ key, unit }) => [key, unit]), [["plan_control_0_force", "N"], ["plan_control_1_torque", "N m"]]);
  assert.deepEqual(plots[0].x, [0, 0.5, 0.5, 2]);
  assert.deepEqual(plots[0].series.slice(0, 3).map(({ name, y }) => [name, y]), [["fx", [1.5, 1.5, -0.5, -0.5]], ["fy", [0, 0, 0, 0]], ["fz", [-1, -1, 1, 1]]]);
  assert.deepEqual(plots[0].series.slice(3).map(({ y }) => y[0]), [2, -2], "limits are shown where numbers come near");
  assert.equal(plots[1].series.length, 1, "a motor without a limit");
  assert.equal(controlPlots(run, run.plan.guessValues, "plan_guess")[1].note, "zero throughout");
});

test("controls are called after what they act on", () => {
  assert.equal(controlTitle(run, run.plan.controls[0]), "Force on craft, body axes");
  assert.equal(controlTitle(run, run.plan.controls[1]), "Motor of elbow");
});

test("gaps are those of nodes and of what lies between", () => {
  const { x, series } = gapPlot(run.plan);
  assert.deepEqual(x, [0, 0.5, 0.5, 2]);
  assert.deepEqual(series.map(({ y }) => [...y]), [[0.1, 0.2, 0.2, 0.05], [0.09, 0.09, 0.04, 0.04], [0.01, 0.01, 0.01, 0.01]]);
  const none = new Run(header, { ...arrays, plan_gaps: Float64Array.of(Infinity, Infinity, Infinity) });
  assert.equal(gapPlot(none.plan), null, "of a plan that keeps nothing apart there are none");
});

test("efforts stand by their intervals, those of starts that came to a plan", () => {
  const { x, series } = effortPlot(run.plan);
  assert.deepEqual(x, [1, 2]);
  assert.deepEqual(series, [{ name: "start 1", y: [4, 3] }, { name: "start 3", y: [2, NaN] }]);
  assert.equal(consistencyPlot(run.plan).bound, 1e-9);
});

test("planes and guesses belong to their intervals and nodes", () => {
  const { plan } = run;
  assert.deepEqual(plan.planesOf(1), [{ a: 0, b: 1, normal: [0, 1, 0], offset: 0.25 }]);
  assert.deepEqual([plan.intervalAt(0), plan.intervalAt(0.5), plan.intervalAt(9)], [0, 1, 1]);
  assert.deepEqual([...plan.guessPose(1, 1)], [21, 22, 23, 24, 25, 26, 27]);
  const { possible, chosen } = layerChoices(run, false);
  assert.deepEqual([possible.planes, possible.guess, chosen.planes, chosen.guess], [true, true, false, false]);
});

test("impulses of a contact are added up", () => {
  const told = run.plan.contacts().map(({ node, impulse, points }) => [node, impulse.map((c) => Number(c.toFixed(6))), points]);
  assert.deepEqual(told, [[1, [0, 3, 2], 2], [2, [1, 0, 0], 1]]);
});

test("a run without a plan has none", () => {
  const bare = new Run({ bodies: [] }, {});
  assert.equal(bare.plan, null);
  assert.equal(layerChoices(bare, false).possible.planes, false);
});
