// SPDX-License-Identifier: MIT
// Makes report files of made-up motion, to look at: node test/sample.mjs KIND OUT.html [bodies] [frames].
// Bodies bounce on the ground without regard for each other: this is no simulation.
import { writeFile } from "node:fs/promises";
import { bucketCertificates, fillPage, Packer, packRun } from "./support/encode.mjs";
import { quantitiesOf } from "./support/quantities.mjs";
import { randomAttitude, sampler } from "./support/random.mjs";

export const HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
const G = 9.81;
const MIXED = [
  { kind: "half_space", normal: [0, 0, 1], offset: 0 },
  { kind: "sphere", radius: 0.25 },
  { kind: "ellipsoid", half_axes: [0.36, 0.2, 0.16] },
  { kind: "box", edges: [0.5, 0.3, 0.4] },
  { kind: "capsule", radius: 0.14, length: 0.4 },
  octahedron(0.34),
  { kind: "compound", parts: [
    { shape: { kind: "box", edges: [0.6, 0.14, 0.14] }, position: [0, 0, 0], attitude: [1, 0, 0, 0] },
    { shape: { kind: "box", edges: [0.14, 0.6, 0.14] }, position: [0, 0, 0], attitude: [1, 0, 0, 0] },
    { shape: { kind: "sphere", radius: 0.13 }, position: [0.3, 0, 0], attitude: [1, 0, 0, 0] }] },
];

function octahedron(r) {
  return {
    kind: "polytope", vertices: [[r, 0, 0], [-r, 0, 0], [0, r, 0], [0, -r, 0], [0, 0, r], [0, 0, -r]],
    facets: [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
  };
}

/** Height and velocity of a ball that bounces with restitution 0.8 from rest at `top` above a floor. */
function bounce(top, t) {
  let speed = Math.sqrt(2 * G * top);
  let fall = speed / G;
  if (t < fall) return [top - 0.5 * G * t * t, -G * t];
  t -= fall;
  for (let k = 0; k < 12; k++) {
    speed *= 0.8;
    fall = (2 * speed) / G;
    if (t < fall) return [speed * t - 0.5 * G * t * t, speed - G * t];
    t -= fall;
  }
  return [0, 0];
}

function turned(q, axis, angle) {
  const [s, c] = [Math.sin(angle / 2), Math.cos(angle / 2)];
  const [a, b, d, e] = [c, s * axis[0], s * axis[1], s * axis[2]];
  return [a * q[0] - b * q[1] - d * q[2] - e * q[3], a * q[1] + b * q[0] + d * q[3] - e * q[2], a * q[2] - b * q[3] + d * q[0] + e * q[1], a * q[3] + b * q[2] - d * q[1] + e * q[0]];
}

/** @param {number} count of moving bodies @param {number} frames @param {{broken?: boolean, hostile?: boolean}} choice */
export function bouncing(count, frames, choice = {}) {
  const random = sampler(11);
  const width = Math.cbrt(count) * 0.9;
  const movers = Array.from({ length: count }, (_, i) => {
    const axis = randomAttitude(random).slice(1);
    const length = Math.hypot(...axis);
    return {
      at: [(random() - 0.5) * width, (random() - 0.5) * width, 0.4 + random() * 0.8 * Math.max(1.5, width)],
      drift: [(random() - 0.5) * 0.3, (random() - 0.5) * 0.3], rotation: randomAttitude(random), axis: axis.map((c) => c / length),
      rate: 3 * random(), shape: 1 + (i % (MIXED.length - 1)),
    };
  });
  const bodies = [{ name: "ground", shape: 0, kind: "fixed", mass: null },
    ...movers.map((mover, i) => ({ name: choice.hostile && i === 0 ? HOSTILE : `${MIXED[mover.shape].kind}-${i}`, shape: mover.shape, kind: "free", mass: 1 + i % 3 }))];
  const step = 1 / 240;
  const times = Array.from({ length: frames }, (_, f) => f / 60);
  const [positions, attitudes, velocities, contacts] = [[], [], [], []];
  const deepest = 0.02;
  for (const t of times) {
    const moved = movers.map((mover) => ({ mover, height: bounce(mover.at[2], t) }));
    positions.push([[0, 0, 0], ...moved.map(({ mover, height }) => [mover.at[0] + mover.drift[0] * t, mover.at[1] + mover.drift[1] * t, 0.25 + height[0]])]);
    attitudes.push([[1, 0, 0, 0], ...movers.map((mover) => turned(mover.rotation, mover.axis, mover.rate * t))]);
    velocities.push([[0, 0, 0, 0, 0, 0], ...moved.map(({ mover, height }) => [...mover.drift, height[1], ...mover.axis.map((c) => c * mover.rate)])]);
    contacts.push(moved.flatMap(({ mover, height }, i) => height[0] > 0.05 ? [] : [{
      a: 0, b: i + 1, point: [mover.at[0] + mover.drift[0] * t, mover.at[1] + mover.drift[1] * t, 0], normal: [0, 0, 1],
      impulse: [0.02 * Math.sin(i), 0.02 * Math.cos(i), 0.1 + 0.3 * Math.abs(height[1])], gap: height[0] - deepest * ((i % 5) / 5), status: 1 + i % 2,
    }]));
  }
  const certificate = certificates(movers, times.at(-1), step, choice.broken);
  const broken = choice.broken ? [120, 121, 122, 300] : [];
  const { columns, bucket } = bucketCertificates(certificate);
  const header = {
    carom_report: 1, kind: "run", title: choice.hostile ? `Hostile ${HOSTILE}` : "bouncing-shapes", method: "lcp", step, until: times.at(-1), time: times.at(-1),
    description: "Shapes of every kind bounce on the ground without regard for each other: made up, to look at the page.",
    version: "0.0-sample", step_count: certificate.time.length, recorded_frames: frames, frame_stride: 1, finished: true, end_text: "", hash: "c7b71c61596a7564",
    verdict: broken.length
      ? { colour: "red", sentence: "4 of the steps broke their contract; the first is step 120: body 'sphere-0' has a residual of 3.2e-05, allowed is 1e-06. A shorter step would help.", step: 120, time: 0.5 }
      : { colour: "green", sentence: `All ${certificate.time.length} steps kept their contract.`, step: null, time: null },
    certificate: [
      { name: "residual", quantity: "residual", worst: broken.length ? 3.2e-5 : 4e-9, bound: 1e-6, unit: "", verdict: broken.length ? "broken" : "kept", step: 120 },
      { name: "momentum_balance", quantity: "momentum balance", worst: 8.1e-15, bound: 1e-12, unit: "", verdict: "kept", step: 12 },
      { quantity: "infeasibility", worst: 0.0021, bound: null, unit: "", verdict: "reported", step: 40 },
      { quantity: "friction work", worst: -1e-4, bound: 0, unit: "J", verdict: "kept", step: null },
      { quantity: "energy change", worst: 4.2, bound: null, unit: "J", verdict: "reported", step: null },
    ],
    certificate_bucket: bucket, certificate_quantities: quantitiesOf(columns), broken_steps: { count: broken.length, steps: broken, times: broken.map((s) => s * step) },
    gravity: [0, 0, -G], bodies, shapes: MIXED,
    charges: count >= 5 && count <= 30 ? [{ body: 1, point: [0.25, 0, 0], charge: 1e-6 }, { body: 1, point: [-0.25, 0, 0], charge: -1e-6 }] : [],
    magnets: count >= 5 && count <= 30 ? [{ body: 3, centre: [0, 0, 0], axis: [1, 0, 0], length: 0.4, strength: 1 }] : [],
    springs: count >= 5 && count <= 30 ? [{ a: -1, b: 2, point_a: [0, 0, 2], point_b: [0, 0, 0] }] : [],
    joints: count >= 5 && count <= 30 ? [{ name: "pin", kind: "hinge", a: 4, b: 5, axis: [0, 1, 0] }] : [],
  };
  const joints = count >= 5 && count <= 30 ? positions.map((frame, f) => [{ point: frame[4], force: [0, 2 * Math.sin(0.1 * f), 3] }]) : undefined;
  return packRun(header, { times, steps: times.map((t) => Math.round(t * 240)), positions, attitudes, contacts, joints,
    velocities: count * frames <= 200000 ? velocities : undefined, certificate: columns, scene: JSON.stringify({ carom: 1, name: header.title }, null, 1) });
}

function certificates(movers, until, step, broken) {
  const n = Math.round(until / step);
  const random = sampler(5);
  const names = ["step", "time", "kinetic", "potential", "total", "px", "py", "pz", "lx", "ly", "lz", "momentum_balance", "residual", "infeasibility", "mean_infeasibility", "iterations", "contacts", "substeps", "friction_work", "joint_drift", "good"];
  const columns = Object.fromEntries(names.map((name) => [name, []]));
  const some = movers.slice(0, 50);
  for (let k = 1; k <= n; k++) {
    const t = k * step;
    const heights = some.map((mover) => bounce(mover.at[2], t));
    const kinetic = heights.reduce((sum, h) => sum + 0.5 * h[1] ** 2, 0);
    const potential = heights.reduce((sum, h) => sum + G * h[0], 0);
    const bad = broken && [120, 121, 122, 300].includes(k);
    const row = [k, t, kinetic, potential, kinetic + potential, 0.1, -0.2, heights.reduce((sum, h) => sum + h[1], 0), Math.sin(t), Math.cos(t), 0.5,
      1e-15 * (1 + 8 * random()), bad ? 3.2e-5 : 1e-9 * (0.01 + 4 * random()), 0.002 * random(), 0.0004 * random(), 3 + Math.floor(5 * random()), heights.filter((h) => h[0] < 0.05).length, 1, -1e-4 * random(), 0, bad ? 0 : 1];
    names.forEach((name, i) => columns[name].push(row[i]));
  }
  return columns;
}

/** Free ellipsoids in a container. */
export function inside(frames) {
  const random = sampler(3);
  const balls = Array.from({ length: 5 }, () => ({ radius: 0.3 + 0.4 * random(), phase: 6.28 * random(), tilt: 1.5 * random(), rotation: randomAttitude(random) }));
  const times = Array.from({ length: frames }, (_, f) => f / 60);
  const positions = times.map((t) => [[0, 0, 0], ...balls.map((b) => [b.radius * Math.cos(t + b.phase), b.radius * Math.sin(t + b.phase) * Math.cos(b.tilt), b.radius * Math.sin(t + b.phase) * Math.sin(b.tilt)])]);
  const attitudes = times.map((t) => [[1, 0, 0, 0], ...balls.map((b) => turned(b.rotation, [0, 0, 1], 2 * t))]);
  const header = {
    carom_report: 1, kind: "run", title: "two-in-a-sphere", method: "lcp", step: 0.01, bodies: [{ name: "bowl", shape: 0, kind: "fixed", mass: null }, ...balls.map((_, i) => ({ name: `egg-${i}`, shape: 1 + (i % 2), kind: "free", mass: 1 }))],
    shapes: [{ kind: "container", radius: 1 }, { kind: "ellipsoid", half_axes: [0.2, 0.12, 0.1] }, { kind: "sphere", radius: 0.12 }],
    verdict: { colour: "amber", sentence: "The contract was kept, but 3 steps were divided.", step: 40, time: 0.4 },
  };
  return packRun(header, { times, steps: times.map((t) => Math.round(t * 100)), positions, attitudes });
}

export function converge() {
  const steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4];
  const method = (name, order, sizes) => ({
    name, refused: null, order, settled: true, orders: sizes.map(() => order),
    runs: steps.map((step, i) => ({ step, differences: sizes.map((c) => (i < 3 ? c * (step / 1e-3) ** order : null)), orders: sizes.map(() => (i > 0 && i < 3 ? order : null)), energy_drift: 1e-6 * step ** order, seconds: 0.1 / step, seconds_a_step: 4e-7 })),
  });
  return { header: { carom_report: 1, kind: "converge", title: "tumbling-block", until: 2, version: "0.0-sample", reference: "Differences to the run with half the step.",
    quantities: [{ name: "attitude", unit: "rad" }, { name: "spin", unit: "rad/s" }],
    methods: [method("variational", 2, [3.1e-5, 3.3e-6]), method("euler", 1, [2e-4, 4e-4]), { name: "reduced", refused: "the method reduced has no half-spaces", orders: [], runs: [] }],
    notes: ["The finest runs of variational and euler differ by 5.1e-05 rad, as their estimated errors let expect."] }, packed: "" };
}

export function compare() {
  const packer = new Packer();
  const times = Float64Array.from({ length: 250 }, (_, i) => (i + 1) * 4e-4);
  packer.add("difference_times_0", "f64", times);
  packer.add("difference_0", "f64", Float64Array.from([...times].map((t) => 0.9 * t * t).concat([...times].map((t) => 4 * t))));
  return packer.finish({ carom_report: 1, kind: "compare", title: "two-charges: variational and euler",
    runs: ["variational", "euler"].map((name) => ({ name, facts: [{ name: "step", text: "0.0001 s" }, { name: "contract", text: "kept" }] })),
    quantities: [{ name: "position", unit: "m" }, { name: "velocity", unit: "m/s" }], differences: [{ name: "euler", verdict: "differs", notes: ["largest position difference: body 'positive' at t = 0.1 s"] }] });
}

export function gallery() {
  const card = (name, colour) => ({ name, title: name, description: "One ellipsoid, and a cube of ellipsoids, onto a plane; differences of two steps, as in the document.", method: "lcp", figure: "observed order 1.02 (about 1)", verdict: { colour, sentence: "All steps kept their contract." }, image: null, link: `${name}.html` });
  return { header: { carom_report: 1, kind: "gallery", title: "Gallery", description: "Every experiment, with the figure that it must show.",
    groups: [{ title: "Ellipsoids", cards: [card("three-ellipsoids", "green"), card("two-in-a-sphere", "amber"), card("ellipsoid-drop", "red")] }, { title: "Joints", cards: [card("joint-zoo", "green"), { ...card(HOSTILE, "green"), link: "javascript:alert(3)" }] }] }, packed: "" };
}

export const SAMPLES = {
  bouncing: (bodies = 18, frames = 240) => bouncing(bodies, frames),
  broken: (bodies = 18, frames = 240) => bouncing(bodies, frames, { broken: true }),
  hostile: (bodies = 6, frames = 60) => bouncing(bodies, frames, { hostile: true }),
  inside: (_, frames = 200) => inside(frames),
  empty: () => packRun({ carom_report: 1, kind: "run", title: "empty", bodies: [], shapes: [], verdict: { colour: "green", sentence: "Nothing moved." } }, { times: [0], steps: [0], positions: [[]], attitudes: [[]] }),
  one_frame: () => bouncing(3, 1),
  converge, compare, gallery,
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [kind, out, bodies, frames] = process.argv.slice(2);
  if (!SAMPLES[kind] || !out) throw new Error(`say one of ${Object.keys(SAMPLES).join(", ")} and a file`);
  const numbers = [bodies, frames].map((text) => (text === undefined ? undefined : Number(text)));
  await writeFile(out, await fillPage(SAMPLES[kind](...numbers)));
}
