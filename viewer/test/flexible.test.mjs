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

test("nodes are no bodies of lists and counts, and have names", () => {
  const run = new Run(header, arrays);
  assert.equal(run.rigidCount, 1);
  assert.deepEqual([run.bodyName(0), run.bodyName(2), run.bodyName(6)], ["floor", "node 1 of pad", "node 1 of flexible body 1"]);
  const { possible, chosen } = layerChoices(run, false);
  assert.deepEqual([possible.von_mises, possible.displacement], [true, false]);
  assert.deepEqual([chosen.von_mises, chosen.determinant], [true, false]);
});
