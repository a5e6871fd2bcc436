// SPDX-License-Identifier: MIT
// What acts at a distance: charges by sign, magnets as bars with two poles, springs as lines.
import * as THREE from "three";
import { rotate } from "../data/rotation.js";
import { Dots, Lines } from "./markers.js";

const POSITIVE = new THREE.Color("#d6352b");
const NEGATIVE = new THREE.Color("#2f6fde");
const SPRING = new THREE.Color("#7d8796");

export class ForceLayer {
  /** @param {import("../data/run.js").Run} run @param {number} radius of the run, m */
  constructor(run, radius) {
    this.run = run;
    this.size = 0.011 * radius;
    const onTop = { depthTest: false, transparent: true };
    this.dots = new Dots(new THREE.MeshBasicMaterial(onTop));
    this.lines = new Lines(true);
    Object.assign(this.lines.material, onTop);
    this.group = new THREE.Group();
    this.group.add(this.lines.object, this.dots.object);
    this.group.renderOrder = 1;
  }

  get empty() {
    return this.run.charges.length + this.run.magnets.length + this.run.springs.length === 0;
  }

  place(poses) {
    if (!this.group.visible || this.empty) return;
    const { charges, magnets, springs } = this.run;
    const at = (body, point) => {
      if (body < 0) return point;
      const rotated = rotate([...poses.subarray(7 * body + 3, 7 * body + 7)], point);
      return rotated.map((c, i) => c + poses[7 * body + i]);
    };
    this.dots.begin(charges.length + 2 * magnets.length + 2 * springs.length);
    this.lines.begin();
    for (const { body, point, charge } of charges) this.dots.dot(at(body, point ?? [0, 0, 0]), this.size, charge >= 0 ? POSITIVE : NEGATIVE);
    for (const { body, centre, axis, length, strength } of magnets) {
      const half = (0.5 * length * Math.sign(strength || 1)) / Math.hypot(...axis);
      const pole = (sign) => at(body, axis.map((c, i) => (centre?.[i] ?? 0) + sign * half * c));
      const [north, south] = [pole(1), pole(-1)];
      this.dots.dot(north, this.size, POSITIVE);
      this.dots.dot(south, this.size, NEGATIVE);
      this.lines.line(north, south, POSITIVE, NEGATIVE);
    }
    for (const { a, b, point_a, point_b } of springs) {
      const ends = [at(a, point_a ?? [0, 0, 0]), at(b, point_b ?? [0, 0, 0])];
      for (const end of ends) this.dots.dot(end, 0.5 * this.size, SPRING);
      this.lines.line(...ends, SPRING);
    }
    this.dots.end();
    this.lines.end();
  }
}
