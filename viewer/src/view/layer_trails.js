// SPDX-License-Identifier: MIT
// Where bodies have been: the ways of their origins from the start to the time shown.
import * as THREE from "three";

/** Beyond this many pieces of way, only that of the selected body is drawn. */
const MOST_PIECES = 150000;

export class TrailLayer {
  /** @param {import("../data/run.js").Run} run @param {THREE.Color[]} colours of bodies */
  constructor(run, colours) {
    this.run = run;
    this.colours = colours;
    this.material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.7 });
    this.group = new THREE.Group();
    this.moving = run.bodies.flatMap((body, b) => (body.kind === "fixed" || run.isNode(b) ? [] : [b]));
    this.all = this.moving.length * run.frames.count <= MOST_PIECES;
    this.shown = null;
    this.line = null;
  }

  /** @param {number} selected body, or -1 */
  #choose(selected) {
    const bodies = this.all ? this.moving : selected >= 0 ? [selected] : [];
    const key = bodies.length === 1 ? bodies[0] : bodies.length;
    if (key === this.shown) return;
    this.shown = key;
    this.line?.geometry.dispose();
    this.group.clear();
    this.bodies = bodies;
    this.line = new THREE.LineSegments(this.#geometry(bodies), this.material);
    this.line.frustumCulled = false;
    this.group.add(this.line);
  }

  /** Frame by frame, so that the first pieces of the buffer are the ways up to any frame. */
  #geometry(bodies) {
    const { frames } = this.run;
    const count = Math.max(0, frames.count - 1) * bodies.length;
    const points = new Float32Array(6 * count);
    const colours = new Float32Array(6 * count);
    let o = 0;
    for (let f = 1; f < frames.count; f++)
      for (const b of bodies) {
        points.set(frames.position(f - 1, b), o);
        points.set(frames.position(f, b), o + 3);
        this.colours[b].toArray(colours, o);
        this.colours[b].toArray(colours, o + 3);
        o += 6;
      }
    return new THREE.BufferGeometry()
      .setAttribute("position", new THREE.BufferAttribute(points, 3))
      .setAttribute("color", new THREE.BufferAttribute(colours, 3));
  }

  place(frame, selected) {
    if (!this.group.visible) return;
    this.#choose(selected);
    this.line.geometry.setDrawRange(0, 2 * frame * this.bodies.length);
  }
}
