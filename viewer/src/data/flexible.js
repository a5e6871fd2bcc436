// SPDX-License-Identifier: MIT
// Flexible bodies: their nodes are bodies of the run, their surfaces triangles of these, and fields colour them.

/** What surfaces can be coloured by: name of the layer and of the blob, what it is called, unit. */
export const FIELDS = [
  { name: "von_mises", text: "von Mises stress", unit: "Pa" },
  { name: "determinant", text: "volume ratio J", unit: "" },
  { name: "displacement", text: "displacement from rest", unit: "m" },
];

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
    const largest = this.arrays[`flex_${field}`].reduce((most, q) => Math.max(most, q), 0);
    return [low[0], low[0] + scale[0] * largest];
  }

  /** A node's number of a field at a frame. */
  value(field, frame, body) {
    const { low, scale } = this.blobs[`flex_${field}`];
    return low[0] + scale[0] * this.arrays[`flex_${field}`][frame * this.nodeCount + this.columns[body]];
  }

  /** The same as a share of the range, 0 to 1. */
  share(field, frame, body) {
    return this.arrays[`flex_${field}`][frame * this.nodeCount + this.columns[body]] / 0xffff;
  }
}
