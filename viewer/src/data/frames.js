// SPDX-License-Identifier: MIT
// Poses of all bodies over the kept frames, still quantised in memory, as numbers when they are asked for.
import { normalised, rotationBetween, slerp } from "./rotation.js";

/** @typedef {import("./rotation.js").Vec3} Vec3 @typedef {import("./rotation.js").Quat} Quat */

/** Attitudes are signed 16-bit numbers of this size for 1. */
const ATTITUDE_ONE = 32767;
/** A time this share of an interval from a frame is that frame's. */
const NEAR = 1e-9;

export class Frames {
  /** @param {import("./unpack.js").Header} header @param {Record<string, any>} arrays */
  constructor(header, arrays) {
    this.bodyCount = header.bodies.length;
    /** @type {Float64Array} */
    this.times = arrays.frame_times ?? new Float64Array(0);
    this.steps = arrays.frame_steps ?? new Float64Array(this.times.length);
    this.count = this.times.length;
    this.positions = arrays.positions ?? new Uint32Array(0);
    this.attitudes = new Int16Array((arrays.attitudes ?? new Uint16Array(0)).buffer);
    this.velocities = arrays.velocities ?? null;
    const blobs = header.blobs ?? {};
    this.low = blobs.positions?.low ?? [0, 0, 0];
    this.scale = blobs.positions?.scale ?? [1, 1, 1];
    this.velocityLow = blobs.velocities?.low;
    this.velocityScale = blobs.velocities?.scale;
  }

  get start() {
    return this.count ? this.times[0] : 0;
  }

  get end() {
    return this.count ? this.times[this.count - 1] : 0;
  }

  /** @returns {Vec3} */
  position(frame, body) {
    const n = this.bodyCount;
    const at = frame * 3 * n + body;
    const q = this.positions;
    const { low, scale } = this;
    return [low[0] + scale[0] * q[at], low[1] + scale[1] * q[at + n], low[2] + scale[2] * q[at + 2 * n]];
  }

  /** @returns {Quat} */
  attitude(frame, body) {
    const n = this.bodyCount;
    const at = frame * 4 * n + body;
    const q = this.attitudes;
    return normalised([q[at] / ATTITUDE_ONE, q[at + n] / ATTITUDE_ONE, q[at + 2 * n] / ATTITUDE_ONE, q[at + 3 * n] / ATTITUDE_ONE]);
  }

  /** The last frame at or before this time, and the share of the way to the next. */
  locate(time) {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const length = low + 1 < this.count ? this.times[low + 1] - this.times[low] : 0;
    const share = length > 0 ? Math.min(1, Math.max(0, (time - this.times[low]) / length)) : 0;
    // Times of frames are sums of steps: 0.7 s may be meant where 0.7000000000000001 s is recorded.
    return share > 1 - NEAR ? { frame: low + 1, share: 0 } : { frame: low, share: share < NEAR ? 0 : share };
  }

  /** Of a place between two frames, s. */
  timeAt({ frame, share }) {
    const from = this.times[frame] ?? 0;
    return share > 0 ? from + share * (this.times[frame + 1] - from) : from;
  }

  /** @returns {{position: Vec3, attitude: Quat}} between two frames */
  pose(place, body) {
    const { frame, share } = place;
    const position = this.position(frame, body);
    const attitude = this.attitude(frame, body);
    if (share === 0) return { position, attitude };
    const next = this.position(frame + 1, body);
    return {
      position: [0, 1, 2].map((c) => position[c] + share * (next[c] - position[c])),
      attitude: slerp(attitude, this.attitude(frame + 1, body), share),
    };
  }

  /** @returns {{velocity: Vec3, spin: Vec3, differenced: boolean}} at a frame */
  motion(frame, body) {
    if (this.velocities) {
      const n = this.bodyCount;
      const value = (c) => this.velocityLow[c] + this.velocityScale[c] * this.velocities[(frame * 6 + c) * n + body];
      return { velocity: [value(0), value(1), value(2)], spin: [value(3), value(4), value(5)], differenced: false };
    }
    const from = Math.max(0, frame - 1);
    const to = Math.min(this.count - 1, frame + 1);
    const duration = this.times[to] - this.times[from];
    if (!(duration > 0)) return { velocity: [0, 0, 0], spin: [0, 0, 0], differenced: true };
    const a = this.position(from, body);
    const b = this.position(to, body);
    const rotation = rotationBetween(this.attitude(from, body), this.attitude(to, body));
    return {
      velocity: [0, 1, 2].map((c) => (b[c] - a[c]) / duration),
      spin: rotation.map((c) => c / duration),
      differenced: true,
    };
  }

  /** Poses of all bodies: seven numbers each, position then attitude w x y z, for drawing. */
  fill(place, out) {
    const n = this.bodyCount;
    const { frame, share } = place;
    const next = share > 0 ? frame + 1 : frame;
    const p = this.positions;
    const q = this.attitudes;
    const { low, scale } = this;
    for (let b = 0; b < n; b++) {
      const o = 7 * b;
      for (let c = 0; c < 3; c++) {
        const from = p[(3 * frame + c) * n + b];
        out[o + c] = low[c] + scale[c] * (from + share * (p[(3 * next + c) * n + b] - from));
      }
      mixAttitudes(q, 4 * frame * n + b, 4 * next * n + b, n, share, out, o + 3);
    }
  }
}

/** Straight mixing for small rotations, where it differs from slerp by less than can be seen; slerp for large ones. */
function mixAttitudes(q, from, to, stride, share, out, o) {
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += q[from + c * stride] * q[to + c * stride];
  const cosine = Math.abs(dot) / (ATTITUDE_ONE * ATTITUDE_ONE);
  if (cosine < 0.99 && share > 0) {
    const end = (at) => normalised([q[at], q[at + stride], q[at + 2 * stride], q[at + 3 * stride]]);
    const mixed = slerp(end(from), end(to), share);
    for (let c = 0; c < 4; c++) out[o + c] = mixed[c];
    return;
  }
  const v = dot < 0 ? -share : share;
  let length = 0;
  for (let c = 0; c < 4; c++) {
    const value = (1 - share) * q[from + c * stride] + v * q[to + c * stride];
    out[o + c] = value;
    length += value * value;
  }
  length = Math.sqrt(length);
  if (length > 0) for (let c = 0; c < 4; c++) out[o + c] /= length;
  else out[o] = 1;
}
