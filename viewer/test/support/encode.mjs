// SPDX-License-Identifier: MIT
// Writes reports as docs/report.md says, independently of the program: what the page's reading is tested against.
import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";

/** @param {number[][]} rows whole numbers 0 <= q < 2^(8 width) @returns {Uint8Array} planes */
export function encodeDelta(rows, width) {
  const modulus = 2 ** (8 * width);
  const columns = rows[0]?.length ?? 0;
  const count = rows.length * columns;
  const bytes = new Uint8Array(width * count);
  rows.forEach((row, r) => row.forEach((q, c) => {
    const before = r > 0 ? rows[r - 1][c] : 0;
    const predicted = r > 1 ? 2 * before - rows[r - 2][c] : before;
    let change = (((q - predicted) % modulus) + modulus) % modulus;
    if (change >= modulus / 2) change -= modulus;
    const folded = change >= 0 ? 2 * change : -2 * change - 1;
    for (let p = 0; p < width; p++) bytes[p * count + r * columns + c] = Math.floor(folded / 256 ** p) & 255;
  }));
  return bytes;
}

/** Box of vectors: low, scale and the whole numbers. @param {number[][][]} frames [frame][body][component] */
export function quantise(frames, components, width) {
  const most = 2 ** (8 * width) - 1;
  const low = Array(components).fill(Infinity);
  const high = Array(components).fill(-Infinity);
  for (const frame of frames) for (const v of frame) for (let c = 0; c < components; c++) {
    low[c] = Math.min(low[c], v[c]);
    high[c] = Math.max(high[c], v[c]);
  }
  const scale = low.map((l, c) => (high[c] > l ? (high[c] - l) / most : 1));
  const rows = frames.map((frame) => Array.from({ length: components }, (_, c) => frame.map((v) => Math.round((v[c] - low[c]) / scale[c]))).flat());
  return { low: low.map((l) => (Number.isFinite(l) ? l : 0)), scale, rows };
}

/** @param {number[][][]} frames attitudes [frame][body] w x y z @returns {number[][]} rows of 16-bit numbers, signs made continuous */
export function quantiseAttitudes(frames) {
  const kept = frames.map((frame) => frame.map((q) => [...q]));
  for (let f = 1; f < kept.length; f++)
    kept[f].forEach((q, b) => {
      if (q.reduce((sum, x, c) => sum + x * kept[f - 1][b][c], 0) < 0) kept[f][b] = q.map((x) => -x);
    });
  return kept.map((frame) => [0, 1, 2, 3].map((c) => frame.map((q) => Math.round(32767 * q[c]) & 0xffff)).flat());
}

export class Packer {
  constructor() {
    this.blobs = {};
    this.parts = [];
    this.length = 0;
  }

  /** @param {string} name @param {string} type @param {ArrayBufferView} array @param {object} more */
  add(name, type, array, more = {}) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const widths = { delta16: 2, delta24: 3, utf8: 1 };
    this.blobs[name] = { offset: this.length, type, count: bytes.length / (widths[type] ?? array.BYTES_PER_ELEMENT), ...more };
    const padded = new Uint8Array(8 * Math.ceil(bytes.length / 8));
    padded.set(bytes);
    this.parts.push(padded);
    this.length += padded.length;
  }

  finish(header) {
    const packed = this.length ? deflateSync(Buffer.concat(this.parts), { level: 6 }).toString("base64") : "";
    return { header: { ...header, packed_bytes: this.length, blobs: this.blobs }, packed };
  }
}

/**
 * A run from plain arrays.
 * @param {object} header @param {{times: number[], steps: number[], positions: number[][][], attitudes: number[][][],
 *   velocities?: number[][][], contacts?: object[][], joints?: object[][], certificate?: Record<string, number[]>, scene?: string}} run
 */
export function packRun(header, run) {
  const packer = new Packer();
  const frames = run.times.length;
  const bodies = header.bodies.length;
  packer.add("frame_times", "f64", Float64Array.from(run.times));
  packer.add("frame_steps", "f64", Float64Array.from(run.steps));
  const positions = quantise(run.positions, 3, 3);
  packer.add("positions", "delta24", encodeDelta(positions.rows, 3), { rows: frames, columns: 3 * bodies, low: positions.low, scale: positions.scale });
  packer.add("attitudes", "delta16", encodeDelta(quantiseAttitudes(run.attitudes), 2), { rows: frames, columns: 4 * bodies });
  if (run.velocities) {
    const velocities = quantise(run.velocities, 6, 2);
    packer.add("velocities", "delta16", encodeDelta(velocities.rows, 2), { rows: frames, columns: 6 * bodies, low: velocities.low, scale: velocities.scale });
  }
  if (run.contacts) addContacts(packer, run.contacts);
  if (run.joints) {
    packer.add("joint_points", "f32", Float32Array.from(run.joints.flat().flatMap((joint) => joint.point)));
    packer.add("joint_forces", "f32", Float32Array.from(run.joints.flat().flatMap((joint) => joint.force)));
  }
  const doubles = ["step", "time", "kinetic", "potential", "total", "px", "py", "pz", "lx", "ly", "lz"];
  for (const [name, column] of Object.entries(run.certificate ?? {}))
    if (doubles.includes(name)) packer.add(`certificate_${name}`, "f64", Float64Array.from(column));
    else packer.add(`certificate_${name}`, "f32", Float32Array.from(column));
  if (run.scene) packer.add("scene", "utf8", new TextEncoder().encode(run.scene));
  return packer.finish(header);
}

function addContacts(packer, contacts) {
  const all = contacts.flat();
  const first = contacts.reduce((list, frame) => [...list, list.at(-1) + frame.length], [0]);
  packer.add("contact_first", "u32", Uint32Array.from(first));
  packer.add("contact_total", "u32", Uint32Array.from(contacts, (frame) => frame.length));
  packer.add("contact_bodies", "i32", Int32Array.from(all.flatMap(({ a, b }) => [a, b])));
  packer.add("contact_points", "f32", Float32Array.from(all.flatMap(({ point }) => point)));
  packer.add("contact_normals", "i16", Int16Array.from(all.flatMap(({ normal }) => normal.map((c) => Math.round(32767 * c)))));
  packer.add("contact_impulses", "f32", Float32Array.from(all.flatMap(({ impulse }) => impulse)));
  packer.add("contact_gaps", "f32", Float32Array.from(all, ({ gap }) => gap));
  packer.add("contact_status", "u8", Uint8Array.from(all, ({ status }) => status));
}

/** Columns of certificates, in buckets as docs/report.md says for long runs. */
export function bucketCertificates(columns, mostRows = 4096, mostBuckets = 2048) {
  const n = columns.time.length;
  if (n <= mostRows) return { columns, bucket: 1 };
  const bucket = Math.ceil(n / mostBuckets);
  const out = {};
  for (const [name, column] of Object.entries(columns)) {
    out[name] = [];
    for (let from = 0; from < n; from += bucket) {
      const to = Math.min(n, from + bucket);
      if (name === "step" || name === "time") {
        out[name].push(column[from], column[to - 1]);
        continue;
      }
      let low = -1;
      let high = -1;
      for (let i = from; i < to; i++) {
        if (Number.isNaN(column[i])) continue;
        if (low < 0 || column[i] < column[low]) low = i;
        if (high < 0 || column[i] > column[high]) high = i;
      }
      const pair = low <= high ? [low, high] : [high, low];
      out[name].push(...pair.map((i) => (i < 0 ? NaN : column[i])));
    }
  }
  return { columns: out, bucket };
}

export const escapeHeader = (header) => JSON.stringify(header).replaceAll("<", "\\u003c");

/** @returns {Promise<string>} the whole page with its data */
export async function fillPage({ header, packed }) {
  const page = await readFile(new URL("../../dist/report.html", import.meta.url), "utf8");
  return page.replace("@CAROM_HEADER@", () => escapeHeader(header)).replace("@CAROM_PACKED@", () => packed);
}
