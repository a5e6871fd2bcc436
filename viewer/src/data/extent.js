// SPDX-License-Identifier: MIT
// How large things are: what the camera frames and arrows are scaled to.

/** @typedef {import("./rotation.js").Vec3} Vec3 */

/** Distance of the farthest point of a shape from its origin, m; 0 for surroundings. */
export function shapeRadius(shape) {
  switch (shape?.kind) {
    case "sphere":
      return shape.radius;
    case "ellipsoid":
      return Math.max(...shape.half_axes);
    case "box":
      return 0.5 * Math.hypot(...shape.edges);
    case "capsule":
      return shape.radius + 0.5 * shape.length;
    case "polytope":
      return Math.max(...shape.vertices.map((v) => Math.hypot(...v)));
    case "compound":
      return Math.max(...shape.parts.map((part) => Math.hypot(...part.position) + shapeRadius(part.shape)));
    default:
      return 0;
  }
}

/** @param {import("./run.js").Run} run @returns {{low: Vec3, high: Vec3, radius: number}} of the whole run */
export function runBounds(run) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const add = (point, radius) => {
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c], point[c] - radius);
      high[c] = Math.max(high[c], point[c] + radius);
    }
  };
  const radii = run.shapes.map(shapeRadius);
  run.bodies.forEach((body, b) => {
    const shape = run.shapes[body.shape];
    if (shape?.kind === "half_space") return;
    if (shape?.kind === "container") return add(run.frames.position(0, b), shape.radius);
    // Every frame of few bodies, some frames of many: a pose in between is at most slightly outside.
    const stride = Math.max(1, Math.floor((run.frames.count * run.bodies.length) / 400000));
    for (let f = 0; f < run.frames.count; f += stride) add(run.frames.position(f, b), radii[body.shape] ?? 0);
    if (run.frames.count) add(run.frames.position(run.frames.count - 1, b), radii[body.shape] ?? 0);
  });
  if (!(low[0] <= high[0])) return { low: [-1, -1, -1], high: [1, 1, 1], radius: Math.sqrt(3) };
  let radius = 0.5 * Math.hypot(...high.map((h, c) => h - low[c]));
  if (!(radius > 0)) {
    radius = 1;
    for (let c = 0; c < 3; c++) [low[c], high[c]] = [low[c] - 0.5, high[c] + 0.5];
  }
  return { low, high, radius };
}
