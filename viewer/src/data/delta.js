// SPDX-License-Identifier: MIT
// Tables of whole numbers that change smoothly from row to row: docs/report.md, "Delta planes".

/**
 * @param {Uint8Array} bytes planes
 * @param {number} width bytes a number, 2 or 3
 * @returns {Uint32Array | Uint16Array} row by row
 */
export function decodeDelta(bytes, rows, columns, width) {
  const count = rows * columns;
  const mask = width === 2 ? 0xffff : 0xffffff;
  const out = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let folded = bytes[i] | (bytes[count + i] << 8);
    if (width === 3) folded |= bytes[2 * count + i] << 16;
    const change = (folded >>> 1) ^ -(folded & 1);
    const before = i >= columns ? out[i - columns] : 0;
    const earlier = i >= 2 * columns ? 2 * before - out[i - 2 * columns] : before;
    out[i] = (earlier + change) & mask;
  }
  return out;
}
