// SPDX-License-Identifier: MIT
// How large things are: what the camera frames and arrows are scaled to.

/** @typedef {import("./rotation.js").Vec3} Vec3 */

/** Distance of the farthest point of a shape from its origin, m; 0 for static geometry. */
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

/** Beyond this many poses, only some are looked at: the camera need not know all. */
const MOST_POSES = 400000;
const MOST_SAMPLES = 3000;

/**
 * Of the whole run: the box, half its diagonal, and balls that stand for the bodies on their ways.
 * @param {import("./run.js").Run} run @returns {{low: Vec3, high: Vec3, radius: number, samples: [Vec3, number][]}}
 */
export function runBounds(run) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const { frames, bodies } = run;
  const poses = frames.count * bodies.length;
  const stride = Math.max(1, Math.ceil(poses / MOST_POSES));
  const thin = Math.max(1, Math.floor(poses / stride / MOST_SAMPLES));
  const samples = [];
  let counted = 0;
  const add = (point, radius) => {
    let outer = false;
    for (let c = 0; c < 3; c++) {
      outer ||= point[c] - radius < low[c] || point[c] + radius > high[c];
      low[c] = Math.min(low[c], point[c] - radius);
      high[c] = Math.max(high[c], point[c] + radius);
    }
    if (outer || counted++ % thin === 0) samples.push([point, radius]);
  };
  const radii = run.shapes.map(shapeRadius);
  bodies.forEach((body, b) => {
    const shape = run.shapes[body.shape];
    if (shape?.kind === "half_space" || frames.count === 0) return;
    const radius = shape?.kind === "container" ? shape.radius : radii[body.shape] ?? 0;
    for (let f = 0; f < frames.count; f += body.kind === "fixed" ? frames.count : stride) add(frames.position(f, b), radius);
    add(frames.position(frames.count - 1, b), radius);
  });
  const radius = 0.5 * Math.hypot(...high.map((h, c) => h - low[c]));
  if (radius > 0 && Number.isFinite(radius)) return { low, high, radius, samples };
  const centre = samples[0]?.[0] ?? [0, 0, 0];
  return { low: centre.map((c) => c - 0.5), high: centre.map((c) => c + 0.5), radius: Math.sqrt(0.75), samples: [[centre, 0.5]] };
}
