// SPDX-License-Identifier: MIT
// Contacts of the last step before the time shown: points, normals, and impulses to scale.
import * as THREE from "three";
import { Arrows, Dots, Lines } from "./markers.js";

/** The share of the run's size that the largest impulse is drawn with. */
const LARGEST = 0.25;

export class ContactLayer {
  /** @param {import("../data/run.js").Run} run @param {number} radius of the run, m */
  constructor(run, radius) {
    this.run = run;
    this.radius = radius;
    this.dots = new Dots();
    this.arrows = new Arrows();
    this.normals = new Lines();
    this.normals.material.opacity = 0.7;
    this.group = new THREE.Group();
    this.group.add(this.dots.object, this.arrows.object, this.normals.object);
    this.scale = (LARGEST * 2 * radius) / largest(run.arrays.contact_impulses);
    this.frame = -1;
    /** Deepest overlap of the run, m. */
    this.deepest = -(run.arrays.contact_gaps ?? []).reduce((low, gap) => Math.min(low, gap), 0);
  }

  place(frame) {
    if (frame === this.frame || !this.group.visible) return;
    this.frame = frame;
    const list = this.run.contacts(frame);
    const size = this.radius * (list.length > 300 ? 0.004 : 0.008);
    this.dots.begin(list.length);
    this.arrows.begin(list.length);
    this.normals.begin();
    for (const { point, normal, impulse } of list) {
      this.dots.dot(point, size);
      this.arrows.arrow(point, impulse, this.scale, 1.1 * size);
      this.normals.line(point, point.map((p, c) => p + 0.05 * this.radius * normal[c]));
    }
    this.dots.end();
    this.arrows.end();
    this.normals.end();
  }

  /** Deepest overlap of every body at a frame, as a share of the deepest of the run. */
  overlaps(frame) {
    const depth = new Float64Array(this.run.bodies.length);
    for (const { a, b, gap } of this.run.contacts(frame))
      for (const body of [a, b]) if (body >= 0) depth[body] = Math.max(depth[body], -gap);
    return this.deepest > 0 ? depth.map((d) => d / this.deepest) : depth;
  }

  setColours(colours) {
    this.dots.material.color.set(colours.contact);
    this.arrows.material.color.set(colours.contact);
    this.normals.material.color.set(colours.label);
  }
}

/** Length of the longest vector, 1 if there is none. @param {ArrayLike<number> | undefined} vectors three numbers each */
export function largest(vectors) {
  let most = 0;
  for (let i = 0; i + 2 < (vectors?.length ?? 0); i += 3) most = Math.max(most, Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]));
  return most > 0 ? most : 1;
}
