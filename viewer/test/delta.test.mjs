// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeDelta } from "../src/data/delta.js";
import { encodeDelta } from "./support/encode.mjs";
import { sampler } from "./support/random.mjs";

const table = (rows, columns, value) => Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => value(r, c)));

for (const width of [2, 3]) {
  const modulus = 2 ** (8 * width);
  test(`whole numbers of ${width} bytes come back, however they jump`, () => {
    const random = sampler(width);
    const rows = table(40, 17, () => Math.floor(random() * modulus));
    rows[3].fill(0);
    rows[4].fill(modulus - 1);
    rows[5].fill(modulus / 2);
    assert.deepEqual([...decodeDelta(encodeDelta(rows, width), 40, 17, width)], rows.flat());
  });

  test(`tables of one row and of none, ${width} bytes`, () => {
    assert.deepEqual([...decodeDelta(encodeDelta([[1, modulus - 1]], width), 1, 2, width)], [1, modulus - 1]);
    assert.equal(decodeDelta(new Uint8Array(0), 0, 5, width).length, 0);
    assert.equal(decodeDelta(new Uint8Array(0), 5, 0, width).length, 0);
  });
}

test("a steady motion leaves zeros, so that it deflates to nothing", () => {
  const planes = encodeDelta(table(100, 3, (r, c) => 1000 * r + c), 3);
  assert.ok(planes.filter((byte) => byte !== 0).length <= 2 * 6);
});

test("the planes are those that docs/report.md describes", () => {
  // q = 5, 3 (change -2, folded 3), 258 (predicted 1, change 257, folded 514 = 2 + 2 * 256)
  assert.deepEqual([...encodeDelta([[5], [3], [258]], 2)], [10, 3, 2, 0, 0, 2]);
});
