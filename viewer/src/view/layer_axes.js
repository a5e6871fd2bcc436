// SPDX-License-Identifier: MIT
// The axes of bodies: red x, green y, blue z.
import * as THREE from "three";
import { shapeRadius } from "../data/extent.js";
import { InstancedLines, placeMatrix } from "./bodies.js";

const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export class AxesLayer {
  /** @param {import("../data/run.js").Run} run @param {number} radius of the run, m */
  constructor(run, radius) {
    this.locals = [];
    this.bodies = [];
    run.bodies.forEach((body, b) => {
      if (body.kind === "fixed" || run.isNode(b)) return;
      const size = 1.35 * (shapeRadius(run.shapes[body.shape]) || 0.02 * radius);
      this.bodies.push(b);
      this.locals.push(new THREE.Matrix4().makeScale(size, size, size).elements);
    });
    const points = [0, 3, 6].flatMap((a) => [0, 0, 0, ...UNIT.slice(a, a + 3)]);
    const colours = ["#e5484d", "#30a46c", "#3e7bfa"].flatMap((hex) => [...new THREE.Color(hex).toArray(), ...new THREE.Color(hex).toArray()]);
    const geometry = new THREE.BufferGeometry()
      .setAttribute("position", new THREE.Float32BufferAttribute(points, 3))
      .setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
    this.matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * Math.max(1, this.bodies.length)), 16);
    this.group = new THREE.Group();
    const lines = new InstancedLines(geometry, new THREE.LineBasicMaterial({ vertexColors: true }), this.matrices, this.bodies.length);
    this.group.add(lines);
  }

  place(poses) {
    if (!this.group.visible) return;
    this.bodies.forEach((body, i) => placeMatrix(poses, body, this.locals[i], this.matrices.array, i));
    this.matrices.needsUpdate = true;
  }
}
