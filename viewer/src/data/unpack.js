// SPDX-License-Identifier: MIT
// From the text of the page to named arrays: docs/report.md, "the packed numbers".
import { decodeDelta } from "./delta.js";

/**
 * @typedef {{offset: number, count: number, type: string, rows?: number, columns?: number,
 *            low?: number[], scale?: number[]}} BlobPlace
 * @typedef {Record<string, any>} Header
 */

const READERS = {
  u8: (bytes) => bytes,
  i16: (bytes) => new Int16Array(bytes.buffer),
  u16: (bytes) => new Uint16Array(bytes.buffer),
  i32: (bytes) => new Int32Array(bytes.buffer),
  u32: (bytes) => new Uint32Array(bytes.buffer),
  f32: (bytes) => new Float32Array(bytes.buffer),
  f64: (bytes) => new Float64Array(bytes.buffer),
  utf8: (bytes) => new TextDecoder().decode(bytes),
  delta16: (bytes, blob) => decodeDelta(bytes, blob.rows, blob.columns, 2),
  delta24: (bytes, blob) => decodeDelta(bytes, blob.rows, blob.columns, 3),
};
const SIZES = { u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, f32: 4, f64: 8, utf8: 1, delta16: 2, delta24: 3 };

/** @param {string} text @returns {Uint8Array} */
export function fromBase64(text) {
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes one zlib stream */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * One blob as a typed array (or text) of its own memory.
 * @param {Uint8Array} data @param {string} name @param {BlobPlace} blob
 */
function readBlob(data, name, blob) {
  const size = SIZES[blob.type];
  if (!size) throw new Error(`the blob ${name} has the unknown type ${blob.type}`);
  const end = blob.offset + blob.count * size;
  if (!(blob.offset >= 0 && end <= data.length)) throw new Error(`the blob ${name} lies beyond the packed numbers`);
  if (blob.type.startsWith("delta") && blob.rows * blob.columns !== blob.count)
    throw new Error(`the blob ${name} has ${blob.count} numbers, not ${blob.rows} x ${blob.columns}`);
  return READERS[blob.type](data.slice(blob.offset, end), blob);
}

/**
 * @param {Header} header @param {string} packed base64
 * @returns {Promise<Record<string, any>>} arrays by name
 */
export async function unpack(header, packed) {
  const blobs = Object.entries(header.blobs ?? {});
  if (blobs.length === 0) return {};
  const data = await inflate(fromBase64(packed));
  if (header.packed_bytes !== undefined && header.packed_bytes !== data.length)
    throw new Error(`the packed numbers have ${data.length} bytes, not ${header.packed_bytes}: the file is cut short or changed`);
  return Object.fromEntries(blobs.map(([name, blob]) => [name, readBlob(data, name, blob)]));
}

/** @param {string} text @returns {Header} */
export function parseHeader(text) {
  const header = JSON.parse(text);
  if (header.carom_report !== 1)
    throw new Error(`this page reads reports of format 1, not ${JSON.stringify(header.carom_report)}`);
  return header;
}
