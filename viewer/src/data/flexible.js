// SPDX-License-Identifier: MIT
// Flexible bodies: their nodes are bodies of the run, their surfaces triangles of these, and fields colour them.

/** What surfaces can be coloured by: name of the layer and of the blob, what it is called, unit. */
export const FIELDS = [
  { name: "von_mises", text: "von Mises stress", unit: "Pa" },
  { name: "determinant", text: "volume ratio J", unit: "" },
  { name: "displacement", text: "displacement from rest", unit: "m" },
];

/** Of all numbers of a field so many, at either end, may be beyond its colours: one element that is wrung must not leave the rest in one colour. */
const BEYOND = 1e-3;
/** But only where that leaves out more than this share of the range. */
const WORTH = 1 / 3;
/** An end that is nearer to zero than this, of the range, is rounding. */
const ROUNDING = 1e-6;

/** @param {Uint16Array} numbers @returns {(count: number) => number} the one that comes after so many, by size */
function quantiles(numbers) {
  const seen = new Uint32Array(0x10000);
  for (const q of numbers) seen[q]++;
  return (count) => {
    let q = 0;
    for (let below = seen[0]; below <= count && q < 0xffff; below += seen[++q]);
    return q;
  };
}

export class Flexible {
  /** @param {import("./unpack.js").Header} header @param {Record<string, any>} arrays @param {number} bodyCount */
  constructor(header, arrays, bodyCount) {
    /** @type {{name: string, first_body: number, node_count: number, element_count: number, order: number, model: string, mass: number, first_triangle: number, triangle_count: number}[]} */
    this.list = header.flexible ?? [];
    this.triangles = arrays.flex_triangles ?? new Int32Array(0);
    this.arrays = arrays;
    this.blobs = header.blobs ?? {};
    /** By body: the flexible body that it is a node of, or -1; and the place of its numbers in fields. */
    this.ofBody = new Int32Array(bodyCount).fill(-1);
    this.columns = new Int32Array(bodyCount).fill(-1);
    this.nodeCount = 0;
    /** Ends of colours by field, as they are stored. @type {Record<string, [number, number]>} */
    this.ends = {};
    this.list.forEach(({ first_body: first, node_count: count }, i) => {
      this.ofBody.fill(i, first, first + count);
      for (let n = 0; n < count; n++) this.columns[first + n] = this.nodeCount++;
    });
  }

  has(field) {
    return this.arrays[`flex_${field}`] !== undefined;
  }

  /** Smallest and largest number of a field over the run. */
  range(field) {
    const { low, scale } = this.blobs[`flex_${field}`];
    const numbers = this.arrays[`flex_${field}`];
    const [least, most] = [numbers.reduce((a, b) => Math.min(a, b), 0xffff), numbers.reduce((a, b) => Math.max(a, b), 0)];
    return [least, most].map((q) => low[0] + scale[0] * q);
  }

  /** What the colours of a field reach from and to, and whether some numbers are beyond. */
  colours(field) {
    const [least, most] = this.range(field);
    const { low, scale } = this.blobs[`flex_${field}`];
    const [from, to] = this.#ends(field).map((q) => low[0] + scale[0] * q);
    const whole = (end) => (Math.abs(end) < ROUNDING * (most - least) ? 0 : end);
    return { from: whole(from), to: whole(to), below: from > least, above: to < most, least: whole(least), most: whole(most) };
  }

  #ends(field) {
    return (this.ends[field] ??= this.#findEnds(this.arrays[`flex_${field}`]));
  }

  #findEnds(numbers) {
    const quantile = quantiles(numbers);
    const [least, most] = [quantile(0), quantile(numbers.length - 1)];
    const [from, to] = [quantile(BEYOND * numbers.length), quantile((1 - BEYOND) * numbers.length)];
    const left = WORTH * (most - least);
    return [from - least > left ? from : least, most - to > left ? to : most];
  }

  /** A node's number of a field at a frame. */
  value(field, frame, body) {
    const { low, scale } = this.blobs[`flex_${field}`];
    return low[0] + scale[0] * this.arrays[`flex_${field}`][frame * this.nodeCount + this.columns[body]];
  }

  /** Where it is among the colours: 0 to 1, or beyond. */
  share(field, frame, body) {
    const [from, to] = this.#ends(field);
    return (this.arrays[`flex_${field}`][frame * this.nodeCount + this.columns[body]] - from) / Math.max(1, to - from);
  }
}
