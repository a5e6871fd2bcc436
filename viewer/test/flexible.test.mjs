// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Flexible } from "../src/data/flexible.js";
import { Run } from "../src/data/run.js";
import { layerChoices } from "../src/ui/layers.js";

const header = {
  bodies: [{ name: "floor", kind: "fixed", shape: -1 }, ...Array.from({ length: 9 }, () => ({ name: "", kind: "point", shape: -1 }))],
  flexible: [
    { name: "pad", first_body: 1, node_count: 4, first_triangle: 0, triangle_count: 4 },
    { name: "", first_body: 5, node_count: 5, first_triangle: 4, triangle_count: 6 },
  ],
  blobs: { flex_von_mises: { low: [10], scale: [2] }, flex_determinant: { low: [1], scale: [1] } },
};
const arrays = { flex_von_mises: Uint16Array.from({ length: 18 }, (_, i) => i), flex_determinant: new Uint16Array(18), flex_triangles: new Int32Array(30) };

test("nodes know their flexible body and their numbers", () => {
  const flexible = new Flexible(header, arrays, 10);
  assert.deepEqual([...flexible.ofBody], [-1, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  assert.equal(flexible.nodeCount, 9);
  assert.equal(flexible.value("von_mises", 1, 5), 10 + 2 * (9 + 4));
  assert.deepEqual(flexible.range("von_mises"), [10, 10 + 2 * 17]);
  assert.deepEqual(flexible.range("determinant"), [1, 1], "a field that is the same everywhere");
  assert.equal(flexible.has("displacement"), false);
});

test("colours end where all but a few numbers are", () => {
  const numbers = Uint16Array.from({ length: 9000 }, (_, i) => 100 + (i % 1000));
  const blobs = { flex_von_mises: { low: [1e-9], scale: [2] }, flex_determinant: { low: [0.5], scale: [1e-4] } };
  const flexible = () => new Flexible({ ...header, blobs }, { flex_von_mises: numbers, flex_determinant: numbers }, 10);
  assert.deepEqual(flexible().colours("von_mises"), { from: 1e-9 + 200, to: 1e-9 + 2198, below: false, above: false, least: 1e-9 + 200, most: 1e-9 + 2198 });
  assert.deepEqual([0, 999].map((body) => flexible().share("von_mises", Math.floor(body / 9), 1 + (body % 9))), [0, 1]);
  [numbers[0], numbers[9]] = [0, 60000]; // node 0 at frames 0 and 1
  const { from, to, below, above, least, most } = flexible().colours("von_mises");
  assert.deepEqual([from, below, least], [0, false, 0], "few numbers below that leave little out; 1e-9 of 120000 is rounding");
  assert.deepEqual([above, most], [true, 1e-9 + 120000]);
  assert.ok(Math.abs(to - 2200) < 20);
  assert.ok(flexible().share("von_mises", 1, 1) > 1, "beyond the colours");
  assert.equal(flexible().colours("determinant").least, 0.5);
});

test("nodes are no bodies of lists and counts, and have names", () => {
  const run = new Run(header, arrays);
  assert.equal(run.rigidCount, 1);
  assert.deepEqual([run.bodyName(0), run.bodyName(2), run.bodyName(6)], ["floor", "node 1 of pad", "node 1 of flexible body 1"]);
  const { possible, chosen } = layerChoices(run, false);
  assert.deepEqual([possible.von_mises, possible.displacement], [true, false]);
  assert.deepEqual([chosen.von_mises, chosen.determinant], [true, false]);
});
