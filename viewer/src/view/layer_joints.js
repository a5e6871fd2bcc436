// SPDX-License-Identifier: MIT
// Joints: where they are, which way their axes point, and the forces that they bear.
import * as THREE from "three";
import { rotate } from "../data/rotation.js";
import { Arrows, Dots, Lines } from "./markers.js";
import { largest } from "./layer_contacts.js";

const LARGEST = 0.2;

export class JointLayer {
  /** @param {import("../data/run.js").Run} run @param {number} radius of the run, m */
  constructor(run, radius) {
    this.run = run;
    this.radius = radius;
    const onTop = { depthTest: false, transparent: true, opacity: 0.9 };
    this.dots = new Dots(new THREE.MeshBasicMaterial(onTop));
    this.arrows = new Arrows(new THREE.MeshBasicMaterial({ ...onTop, opacity: 0.75 }));
    this.axes = new Lines();
    Object.assign(this.axes.material, onTop);
    this.group = new THREE.Group();
    this.group.add(this.arrows.object, this.axes.object, this.dots.object);
    this.group.renderOrder = 2;
    this.scale = (LARGEST * 2 * radius) / largest(run.arrays.joint_forces);
  }

  /** @param {{frame: number, share: number}} place @param {Float64Array} poses */
  place(place, poses) {
    if (!this.group.visible) return;
    const { run } = this;
    const size = this.radius * (run.joints.length > 100 ? 0.005 : 0.009);
    this.dots.begin(run.joints.length);
    this.arrows.begin(run.joints.length);
    this.axes.begin();
    const open = run.openJoints(run.frames.timeAt(place));
    run.joints.forEach((joint, j) => {
      if (open.has(j)) return;
      const { point, force } = this.#at(place, j);
      this.dots.dot(point, size);
      this.arrows.arrow(point, force, this.scale, 0.8 * size);
      if (!joint.axis) return;
      const body = joint.a >= 0 ? joint.a : joint.b;
      const axis = rotate([...poses.subarray(7 * body + 3, 7 * body + 7)], joint.axis);
      const end = (sign) => point.map((p, c) => p + sign * 0.05 * this.radius * axis[c]);
      this.axes.line(end(-1), end(1));
    });
    this.dots.end();
    this.arrows.end();
    this.axes.end();
  }

  #at({ frame, share }, j) {
    const stride = this.run.header.joint_stride ?? 1;
    const from = this.run.joint(frame, j);
    if (share === 0 || stride > 1) return from;
    const to = this.run.joint(frame + 1, j);
    const mix = (a, b) => a.map((x, c) => x + share * (b[c] - x));
    return { point: mix(from.point, to.point), force: mix(from.force, to.force) };
  }

  setColours(colours) {
    this.dots.material.color.set(colours.joint);
    this.arrows.material.color.set(colours.joint);
    this.axes.material.color.set(colours.joint);
  }
}
