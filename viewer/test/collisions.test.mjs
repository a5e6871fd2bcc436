// SPDX-License-Identifier: MIT
// Collisions as ticks, as rows about a time, and as the pieces that they cut steps into.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Run } from "../src/data/run.js";
import { parseHeader, unpack } from "../src/data/unpack.js";
import { certificatePlots, rowAt } from "../src/plots/catalogue.js";
import { piecesPlot } from "../src/plots/pieces.js";
import { countUpTo, tickGroups } from "../src/ui/collisions.js";
import { escapeHeader, Packer } from "./support/encode.mjs";
import { quantitiesOf } from "./support/quantities.mjs";

const runOf = (cuts, header = {}) => ({
  header: { method: "exact", ...header },
  certificate: { time: [0, 1, 2, 3], kinetic: [1, 1, 1, 1], total: [1, 1, 1, 1], substeps: [NaN, 1, 3, 2], discrete_energy: [NaN, 2, 2.5, 2] },
  arrays: { collision_times: Float64Array.from(cuts) },
});

test("pieces between cuts and ends of steps, and what is at the same time cuts once", () => {
  const { x, y, title } = { ...piecesPlot(runOf([1.25, 1.25, 1.75, 2.5, 3])).series[0], ...piecesPlot(runOf([1.25, 1.25, 1.75, 2.5, 3])) };
  assert.deepEqual(x, [0, 1, 1, 1.25, 1.25, 1.75, 1.75, 2, 2, 2.5, 2.5, 3]);
  assert.deepEqual(y, [1, 1, 0.25, 0.25, 0.5, 0.5, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5]);
  assert.equal(title, "Length of substeps");
  assert.equal(y[rowAt({ x }, 1.5)], 0.5);
});

test("no pieces are made up where cuts or steps are left out, or the method has others", () => {
  assert.equal(piecesPlot(runOf([1.5], { collision_stride: 2 })), null);
  assert.equal(piecesPlot(runOf([1.5], { certificate_bucket: 3 })), null);
  assert.equal(piecesPlot(runOf([1.5], { method: "impulse" })), null);
  assert.equal(piecesPlot(runOf([])), null);
});

test("E_d and H_d share a plot beside the energy; pieces follow the number of substeps", () => {
  const run = runOf([1.5]);
  const entry = (name, columns, series) => ({ name, unit: "J", text: "", columns, series, plot: "discrete_energy", title: "energy of the step E_d", usual: 0 });
  run.header.certificate_quantities = [...quantitiesOf(run.certificate), entry("discrete_energy", ["discrete_energy"], ["E_d"]), entry("hamiltonian", ["total"], ["H_d"])];
  const { plots } = certificatePlots(run);
  assert.deepEqual(plots.map(({ key }) => key), ["energy", "energy_change", "discrete_energy", "substeps", "pieces"]);
  assert.deepEqual(plots[2].series.map(({ name }) => name), ["E_d", "H_d"]);
});

test("how many collisions there are up to a time", () => {
  const times = [0.5, 1, 1, 2];
  assert.deepEqual([0, 0.5, 0.9, 1, 3].map((t) => countUpTo(times, t)), [0, 1, 1, 3, 4]);
  assert.equal(countUpTo([], 1), 0);
});

test("collisions that cannot be told apart on the bar have one tick, and none is lost", () => {
  const times = Array.from({ length: 5000 }, (_, i) => i / 500);
  const groups = tickGroups(times, 0, 10);
  assert.ok(groups.length <= 501);
  assert.equal(groups.reduce((sum, { first, last }) => sum + last - first + 1, 0), times.length);
  assert.deepEqual(tickGroups([0.1, 0.1, 0.9], 0, 1), [{ share: 0.1, first: 0, last: 1 }, { share: 0.9, first: 2, last: 2 }]);
  assert.deepEqual(tickGroups([0], 0, 0), [{ share: 0, first: 0, last: 0 }]);
});

test("collisions come back from their blobs", async () => {
  const packer = new Packer();
  packer.add("collision_times", "f64", Float64Array.of(0.1, 1 / 3));
  packer.add("collision_bodies", "i32", Int32Array.of(0, 1, 1, 2));
  packer.add("collision_points", "f32", Float32Array.of(1, 2, 3, 4, 5, 6));
  packer.add("collision_impulses", "f32", Float32Array.of(0, 0, 2, 0, -1, 0));
  packer.add("collision_speeds", "f32", Float32Array.of(-1, 1, -2, 0.5));
  packer.add("collision_energies", "f32", Float32Array.of(8, 0, 16, -0.25));
  const { header, packed } = packer.finish({ carom_report: 1, kind: "run", title: "t", collision_total: 2, collision_stride: 1 });
  const parsed = parseHeader(escapeHeader(header));
  const run = new Run(parsed, await unpack(parsed, packed));
  assert.equal(run.collisionCount, 2);
  assert.deepEqual(run.collision(1), { time: 1 / 3, a: 1, b: 2, point: [4, 5, 6], impulse: [0, -1, 0], approach: -2, separation: 0.5, before: 16, jump: -0.25 });
});
