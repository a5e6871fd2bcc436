// SPDX-License-Identifier: MIT
// Quaternions w, x, y, z as arrays of four; they take body vectors to world vectors.

/** @typedef {[number, number, number]} Vec3 @typedef {[number, number, number, number]} Quat */

/** @param {Quat} q @returns {Quat} */
export function normalised(q) {
  const length = Math.hypot(...q);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [1, 0, 0, 0];
}

/** @param {Quat} a @param {Quat} b unit ones @returns {Quat} the shortest way from a to b, at share s */
export function slerp(a, b, s) {
  let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let u = 1 - s;
  let v = s;
  if (dot < 0.9995) {
    const angle = Math.acos(dot);
    u = Math.sin(u * angle) / Math.sin(angle);
    v = Math.sin(v * angle) / Math.sin(angle);
  }
  v *= sign;
  return normalised([u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]]);
}

/** @param {Quat} q @param {Vec3} v @returns {Vec3} */
export function rotate(q, v) {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx,
  ];
}

/** @param {Quat} a @param {Quat} b @returns {Vec3} world rotation vector that takes a to b, rad */
export function rotationBetween(a, b) {
  const [w, x, y, z] = b;
  const [p, r, s, t] = [a[0], -a[1], -a[2], -a[3]];
  let d = [w * p - x * r - y * s - z * t, w * r + x * p + y * t - z * s, w * s - x * t + y * p + z * r, w * t + x * s - y * r + z * p];
  if (d[0] < 0) d = d.map((c) => -c);
  const sine = Math.hypot(d[1], d[2], d[3]);
  const factor = sine > 1e-12 ? (2 * Math.atan2(sine, d[0])) / sine : 2;
  return [d[1] * factor, d[2] * factor, d[3] * factor];
}
