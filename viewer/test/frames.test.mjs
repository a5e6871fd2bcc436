// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { rotate, rotationBetween, slerp } from "../src/data/rotation.js";
import { Run } from "../src/data/run.js";
import { parseHeader, unpack } from "../src/data/unpack.js";
import { escapeHeader, packRun } from "./support/encode.mjs";
import { randomAttitude, sampler } from "./support/random.mjs";

const BODIES = 7;
const FRAMES = 30;

/** Motion without any smoothness: the bounds of docs/report.md hold for whatever comes. */
function randomRun(seed) {
  const random = sampler(seed);
  const vector = (size) => [0, 0, 0].map(() => size * (random() - 0.5));
  const every = (make) => Array.from({ length: FRAMES }, () => Array.from({ length: BODIES }, make));
  const run = {
    times: Array.from({ length: FRAMES }, (_, f) => 0.5 + f / 60),
    steps: Array.from({ length: FRAMES }, (_, f) => 4 * f),
    positions: every(() => [100 + 10 * random(), -3 + random(), 5]),
    attitudes: every(() => randomAttitude(random)),
    velocities: every(() => [...vector(8), ...vector(30)]),
    contacts: Array.from({ length: FRAMES }, (_, f) => Array.from({ length: f % 4 }, () => ({ a: -1, b: f % BODIES, point: vector(2), normal: rotate(randomAttitude(random), [0, 0, 1]), impulse: vector(5), gap: -random(), status: 2 }))),
    certificate: { step: [1, 2, 3], time: [0.1, 0.2, 0.3], total: [1 / 3, Math.PI, -1e-300], residual: [1e-9, NaN, 0] },
    scene: '{"name": "grüße </script>"}',
  };
  const header = { carom_report: 1, kind: "run", title: "t", bodies: Array.from({ length: BODIES }, (_, i) => ({ name: `b${i}`, shape: -1, kind: "point", mass: 1 })) };
  return { run, packed: packRun(header, run) };
}

async function read({ header, packed }) {
  const parsed = parseHeader(escapeHeader(header));
  return new Run(parsed, await unpack(parsed, packed));
}

const worst = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));

test("positions come back to half a unit of their box", async () => {
  const { run, packed } = randomRun(1);
  const got = await read(packed);
  const { scale } = packed.header.blobs.positions;
  for (let f = 0; f < FRAMES; f++)
    for (let b = 0; b < BODIES; b++)
      got.frames.position(f, b).forEach((x, c) => assert.ok(Math.abs(x - run.positions[f][b][c]) <= 0.5001 * scale[c] + 1e-13));
  assert.ok(scale[0] / 2 <= 3e-8 * 10 && scale[2] === 1);
});

test("attitudes come back to 6.2e-5 rad, with either sign", async () => {
  const { run, packed } = randomRun(2);
  const got = await read(packed);
  for (let f = 0; f < FRAMES; f++)
    for (let b = 0; b < BODIES; b++)
      assert.ok(Math.hypot(...rotationBetween(run.attitudes[f][b], got.frames.attitude(f, b))) <= 6.2e-5);
});

test("velocities come back to 8e-6 of their range", async () => {
  const { run, packed } = randomRun(3);
  const got = await read(packed);
  for (let f = 0; f < FRAMES; f++)
    for (let b = 0; b < BODIES; b++) {
      const { velocity, spin, differenced } = got.frames.motion(f, b);
      assert.equal(differenced, false);
      assert.ok(worst(velocity, run.velocities[f][b].slice(0, 3)) <= 8e-6 * 8 && worst(spin, run.velocities[f][b].slice(3)) <= 8e-6 * 30);
    }
});

test("contacts, certificates and the scene come back", async () => {
  const { run, packed } = randomRun(4);
  const got = await read(packed);
  for (let f = 0; f < FRAMES; f++) {
    const list = got.contacts(f);
    assert.equal(list.length, run.contacts[f].length);
    list.forEach((contact, i) => {
      const given = run.contacts[f][i];
      assert.deepEqual([contact.a, contact.b, contact.status], [given.a, given.b, given.status]);
      assert.ok(worst(contact.point, given.point) <= 1e-7 && worst(contact.normal, given.normal) <= 1.6e-5 && worst(contact.impulse, given.impulse) <= 3e-7);
      assert.equal(contact.gap, Math.fround(given.gap));
    });
  }
  assert.deepEqual([...got.certificate.total], run.certificate.total);
  assert.deepEqual([...got.certificate.residual], run.certificate.residual.map(Math.fround));
  assert.equal(got.scene, run.scene);
});

test("between frames positions go straight and attitudes rotate evenly", async () => {
  const rotation = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  const header = { carom_report: 1, kind: "run", bodies: [{ name: "b", shape: -1 }] };
  const got = await read(packRun(header, { times: [0, 2], steps: [0, 1], positions: [[[0, 0, 0]], [[4, 0, 0]]], attitudes: [[rotation(0)], [rotation(2)]] }));
  const place = got.frames.locate(0.5);
  assert.deepEqual(place, { frame: 0, share: 0.25 });
  const { position, attitude } = got.frames.pose(place, 0);
  assert.ok(Math.abs(position[0] - 1) < 1e-6);
  assert.ok(Math.abs(rotationBetween(rotation(0), attitude)[2] - 0.5) < 1e-4);
  const out = new Float64Array(7);
  got.frames.fill(place, out);
  assert.ok(worst([...out], [...position, ...attitude]) < 1e-6);
  const motion = got.frames.motion(0, 0);
  assert.ok(motion.differenced && Math.abs(motion.velocity[0] - 2) < 1e-6 && Math.abs(motion.spin[2] - 1) < 1e-4);
});

test("drawing takes the poses of a frame as they are", async () => {
  const { packed } = randomRun(5);
  const got = await read(packed);
  const out = new Float64Array(7 * BODIES);
  got.frames.fill({ frame: 9, share: 0 }, out);
  for (let b = 0; b < BODIES; b++) assert.ok(worst([...out.slice(7 * b, 7 * b + 7)], [...got.frames.position(9, b), ...got.frames.attitude(9, b)]) < 1e-12);
});

test("slerp goes the short way and keeps the length", () => {
  const random = sampler(6);
  for (let i = 0; i < 100; i++) {
    const [a, b, s] = [randomAttitude(random), randomAttitude(random), random()];
    const half = slerp(a, b, s);
    assert.ok(Math.abs(Math.hypot(...half) - 1) < 1e-12);
    const whole = Math.hypot(...rotationBetween(a, b));
    assert.ok(Math.abs(Math.hypot(...rotationBetween(a, half)) - s * whole) < 1e-5);
  }
});

test("times are found at frames, between, before and after", async () => {
  const { packed, run } = randomRun(7);
  const { frames } = await read(packed);
  assert.deepEqual(frames.locate(-1), { frame: 0, share: 0 });
  assert.deepEqual(frames.locate(1e9), { frame: FRAMES - 1, share: 0 });
  assert.deepEqual(frames.locate(run.times[4] * (1 - 2e-16)), { frame: 4, share: 0 });
  run.times.forEach((time, f) => assert.deepEqual(frames.locate(time), { frame: f, share: 0 }));
});

test("damage is told, not shown", async () => {
  const { packed } = randomRun(8);
  const broken = (change) => ({ ...packed, header: { ...packed.header, ...change } });
  await assert.rejects(read(broken({ packed_bytes: 17 })), /not 17/);
  await assert.rejects(read(broken({ carom_report: 2 })), /format 1/);
  await assert.rejects(read(broken({ blobs: { positions: { offset: 1e9, count: 1, type: "u8" } } })), /positions/);
  await assert.rejects(read(broken({ blobs: { x: { offset: 0, count: 1, type: "c64" } } })), /c64/);
  await assert.rejects(read({ ...packed, packed: packed.packed.slice(0, 400) }));
});

test("text cannot end its script", () => {
  const name = "</script><script>alert(1)</script><!--";
  const text = escapeHeader({ carom_report: 1, title: name });
  assert.ok(!text.includes("<"));
  assert.equal(parseHeader(text).title, name);
});
