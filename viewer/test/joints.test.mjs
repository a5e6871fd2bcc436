// SPDX-License-Identifier: MIT
// Which joints are open at a time, from the events of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Run } from "../src/data/run.js";

const event = (time, joint, outcome, reason) => ({ time, step: 0, joint, outcome, reason, force: 0, moment: 0, impulse: 0, energy: 0 });

test("joints are open until they close, and after they have opened", () => {
  const run = new Run({
    bodies: [], joints: [{ name: "grip" }, { name: "" }, { name: "weak" }],
    joint_events: [event(0, 0, "opened", "start"), event(1, 0, "closed", "latch"), event(1.5, 1, "failed", "latch"), event(2, 2, "opened", "force"), event(3, 0, "opened", "moment")],
  }, {});
  const open = (time) => [...run.openJoints(time)].sort();
  assert.deepEqual(open(0), [0]);
  assert.deepEqual(open(0.99), [0]);
  assert.deepEqual(open(1), []);
  assert.deepEqual(open(2.5), [1, 2]);
  assert.deepEqual(open(3), [0, 1, 2]);
  assert.equal(run.jointName(1), "joint 1");
});

test("without events no joint is open", () => {
  const run = new Run({ bodies: [], joints: [{ name: "pin" }] }, {});
  assert.equal(run.openJoints(5).size, 0);
});
