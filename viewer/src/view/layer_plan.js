// SPDX-License-Identifier: MIT
// What belongs to a plan in the view: planes that keep bodies apart in the interval shown, and the ways of the guess.
import * as THREE from "three";
import { shapeRadius } from "../data/extent.js";
import { Lines } from "./markers.js";

const Z = new THREE.Vector3(0, 0, 1);

/** Squares on the planes of an interval, where the two bodies are nearest to them. */
export class PlaneLayer {
  /** @param {import("../data/run.js").Run} run */
  constructor(run) {
    this.run = run;
    this.group = new THREE.Group();
    this.material = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false });
    this.square = new THREE.PlaneGeometry(2, 2);
    this.edges = new Lines();
    this.group.add(this.edges.object);
    this.meshes = [];
    this.radii = run.bodies.map((body) => shapeRadius(run.shapes[body.shape]));
    this.interval = -1;
  }

  /** @param {number} time @param {Float64Array} poses */
  place(time, poses) {
    if (!this.group.visible || !this.run.plan) return;
    const interval = this.run.plan.intervalAt(time);
    const planes = this.run.plan.planesOf(interval);
    this.#make(planes.length);
    this.edges.begin();
    planes.forEach((plane, i) => this.#put(plane, this.meshes[i], poses));
    this.edges.end();
  }

  #make(count) {
    while (this.meshes.length < count) {
      const mesh = new THREE.Mesh(this.square, this.material);
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
    this.meshes.forEach((mesh, i) => (mesh.visible = i < count));
  }

  /** Between the bodies, as large as the smaller one of those that have an end. */
  #put({ a, b, normal, offset }, mesh, poses) {
    const n = new THREE.Vector3(...normal).normalize();
    const at = (body) => new THREE.Vector3(...poses.subarray(7 * body, 7 * body + 3));
    const bounded = [a, b].filter((body) => this.radii[body] > 0);
    const [small] = bounded.sort((p, q) => this.radii[p] - this.radii[q]);
    if (small === undefined) return;
    const centre = bounded.length === 2 ? at(a).add(at(b)).multiplyScalar(0.5) : at(small);
    centre.addScaledVector(n, offset - n.dot(centre));
    const size = 0.8 * this.radii[small];
    mesh.position.copy(centre);
    mesh.quaternion.setFromUnitVectors(Z, n);
    mesh.scale.setScalar(size);
    const corner = (x, y) => new THREE.Vector3(x * size, y * size, 0).applyQuaternion(mesh.quaternion).add(centre).toArray();
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    corners.forEach((point, i) => this.edges.line(point, corners[(i + 1) % 4]));
  }

  setColours(colours) {
    this.material.color.set(colours.accent);
    this.edges.material.color.set(colours.accent);
  }
}

/** Where bodies were in the guess: ways of their origins, over the whole time. */
export class GuessLayer {
  /** @param {import("../data/run.js").Run} run */
  constructor(run) {
    this.group = new THREE.Group();
    this.lines = new Lines();
    this.lines.material.opacity = 0.9;
    this.group.add(this.lines.object);
    const { plan } = run;
    if (!plan?.guess.length) return;
    this.lines.begin();
    run.bodies.forEach((body, b) => {
      if (body.kind === "fixed") return;
      for (let k = 0; k < plan.intervals; k++) this.lines.line(plan.guessPose(k, b).subarray(0, 3), plan.guessPose(k + 1, b).subarray(0, 3));
    });
    this.lines.end();
  }

  setColours(colours) {
    this.lines.material.color.set(colours.label);
  }
}
