// SPDX-License-Identifier: MIT
// A plan as the page knows it: controls, gaps, what was solved, where the solution began.

/** @typedef {{kind: string, body: number, joint: number, axes: string, first: number, forces: number, names: string[], force_limit: number | null, torque_limit: number | null}} Control */
/** @typedef {{name: string, label: string, unit: string, text: string, value: number | null, bound: number | null, least: boolean, verdict: string}} Line */
/** @typedef {{start: number, level: number, intervals: number, outcome: string, iterations: number, effort: number | null, violation: number | null, optimality: number | null, seconds: number}} Solve */

/** Of the largest impulse of a contact: vertices that do not touch have impulses as small as the solver leaves them. */
const NEGLIGIBLE = 1e-6;
const PLANE_NUMBERS = 5;
const POSE = 7;

export class Plan {
  /** @param {import("./unpack.js").Header} header @param {Record<string, any>} arrays @param {number} bodyCount */
  constructor(header, arrays, bodyCount) {
    const about = header.plan;
    this.outcome = about.outcome;
    this.reason = about.reason ?? "";
    this.replayed = Boolean(about.replayed);
    this.strict = Boolean(about.strict);
    this.intervals = about.intervals ?? 0;
    this.numbers = about.numbers ?? 0;
    /** @type {Control[]} */
    this.controls = about.controls ?? [];
    /** @type {Line[]} */
    this.certificate = about.certificate ?? [];
    /** @type {Solve[]} */
    this.solves = about.solves ?? [];
    this.impulses = about.impulses ?? [];
    this.planeCount = about.plane_count ?? 0;
    this.times = arrays.plan_times ?? new Float64Array(0);
    this.values = arrays.plan_values ?? new Float64Array(0);
    this.guessValues = arrays.plan_guess_values ?? new Float64Array(0);
    this.consistency = arrays.plan_consistency ?? new Float64Array(0);
    this.gaps = arrays.plan_gaps ?? new Float64Array(0);
    this.between = arrays.plan_between ?? new Float64Array(0);
    this.guess = arrays.plan_guess ?? new Float32Array(0);
    this.planeBodies = arrays.plan_plane_bodies ?? new Int32Array(0);
    this.planes = arrays.plan_planes ?? new Float64Array(0);
    this.bodyCount = bodyCount;
  }

  line(name) {
    return this.certificate.find((line) => line.name === name);
  }

  /** Number `n` of all controls in an interval. @param {ArrayLike<number>} values of the plan or of the guess */
  number(values, interval, n) {
    return values[interval * this.numbers + n];
  }

  /** Whether some pair is kept apart. */
  get avoids() {
    return this.gaps.some(Number.isFinite);
  }

  /** The interval that a time lies in; the last one at the end. */
  intervalAt(time) {
    let k = 0;
    while (k + 1 < this.intervals && this.times[k + 1] <= time) k++;
    return k;
  }

  /** Where a body was at a node in the guess: position, then attitude w x y z. */
  guessPose(node, body) {
    const at = POSE * (node * this.bodyCount + body);
    return this.guess.subarray(at, at + POSE);
  }

  /** Planned contacts with the sums of their impulses, which come one after the other. */
  contacts() {
    const list = [];
    for (const { node, time, contact, a, b, impulse } of this.impulses) {
      let last = list.at(-1);
      if (last?.node !== node || last.contact !== contact) list.push((last = { node, time, contact, a, b, impulse: [0, 0, 0], sizes: [] }));
      last.impulse = last.impulse.map((sum, c) => sum + impulse[c]);
      last.sizes.push(Math.hypot(...impulse));
    }
    return list.map(({ sizes, ...contact }) => ({ ...contact, points: sizes.filter((size) => size > NEGLIGIBLE * Math.max(...sizes)).length }));
  }

  /** Planes of an interval. @returns {{a: number, b: number, normal: number[], offset: number}[]} */
  planesOf(interval) {
    const list = [];
    for (let i = 0; PLANE_NUMBERS * i < this.planeBodies.length; i++) {
      const [k, a, , b] = this.planeBodies.subarray(PLANE_NUMBERS * i, PLANE_NUMBERS * i + PLANE_NUMBERS);
      if (k !== interval) continue;
      const [x, y, z, offset] = this.planes.subarray(4 * i, 4 * i + 4);
      list.push({ a, b, normal: [x, y, z], offset });
    }
    return list;
  }
}
