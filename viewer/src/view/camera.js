// SPDX-License-Identifier: MIT
// A camera that goes round a target, z up, moved by pointer and wheel.
import * as THREE from "three";

const DEGREE = Math.PI / 180;
const FIELD = 35 * DEGREE;
const MARGIN = 1.06;
const HOME = { azimuth: -55, elevation: 22, zoom: 1 };

export class OrbitCamera {
  /** @param {ReturnType<import("../data/extent.js").runBounds>} bounds @param {() => void} changed */
  constructor(bounds, changed) {
    this.bounds = bounds;
    this.changed = changed;
    this.camera = new THREE.PerspectiveCamera(FIELD / DEGREE, 1, 1, 10);
    this.camera.up.set(0, 0, 1);
    this.centre = new THREE.Vector3(...bounds.low.map((l, c) => 0.5 * (l + bounds.high[c])));
    this.target = this.centre.clone();
    Object.assign(this, HOME);
    this.pointers = new Map();
  }

  reset() {
    Object.assign(this, HOME);
    this.target.copy(this.centre);
    this.changed();
  }

  /** @param {{azimuth?: number, elevation?: number, zoom?: number, target?: number[]}} view degrees, m */
  set(view) {
    for (const key of ["azimuth", "elevation", "zoom"]) if (Number.isFinite(view[key])) this[key] = view[key];
    if (view.target?.every(Number.isFinite)) this.target.set(...view.target);
    this.#limit();
    this.changed();
  }

  get() {
    return { azimuth: this.azimuth, elevation: this.elevation, zoom: this.zoom, target: this.target.toArray() };
  }

  #limit() {
    this.elevation = Math.min(89.9, Math.max(-89.9, this.elevation));
    this.zoom = Math.min(1000, Math.max(0.05, this.zoom));
  }

  #direction() {
    const [a, e] = [this.azimuth * DEGREE, this.elevation * DEGREE];
    return new THREE.Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
  }

  /** From how far away every ball of the run is in sight, seen towards its centre. */
  #fitDistance(out) {
    const right = new THREE.Vector3(0, 0, 1).cross(out).normalize();
    const up = out.clone().cross(right);
    const half = FIELD / 2;
    const side = Math.atan(Math.tan(half) * this.camera.aspect);
    const p = new THREE.Vector3();
    let distance = 0;
    for (const [point, radius] of this.bounds.samples) {
      p.set(...point).sub(this.centre);
      const depth = p.dot(out);
      const across = (Math.abs(p.dot(right)) + radius / Math.cos(side)) / Math.tan(side);
      const along = (Math.abs(p.dot(up)) + radius / Math.cos(half)) / Math.tan(half);
      distance = Math.max(distance, depth + across, depth + along);
    }
    return MARGIN * distance;
  }

  update(aspect) {
    this.camera.aspect = aspect;
    const out = this.#direction();
    this.distance = this.#fitDistance(out) / this.zoom;
    this.camera.position.copy(this.target).addScaledVector(out, this.distance);
    this.camera.lookAt(this.target);
    const reach = this.distance + this.target.distanceTo(this.centre) + 12 * this.bounds.radius;
    this.camera.near = Math.max(this.distance * 0.01, reach * 1e-5);
    this.camera.far = reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  rotate(right, up) {
    this.azimuth -= right;
    this.elevation += up;
    this.#limit();
    this.changed();
  }

  zoomBy(factor) {
    this.zoom *= factor;
    this.#limit();
    this.changed();
  }

  /** By pixels of a view that is `height` pixels high. */
  pan(dx, dy, height) {
    const size = (2 * this.distance * Math.tan(FIELD / 2)) / height;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.target.addScaledVector(right, -dx * size).addScaledVector(up, dy * size);
    this.changed();
  }

  /** One pointer rotates (with shift or the right button pans), two pinch and pan, the wheel zooms. @param {HTMLElement} element */
  listen(element) {
    const { pointers } = this;
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    const release = (event) => pointers.delete(event.pointerId);
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", release);
    element.addEventListener("pointermove", (event) => this.#move(event, element));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
    }, { passive: false });
  }

  #move(event, element) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const spread = () => {
      const [a, b] = [...this.pointers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    if (this.pointers.size === 2) {
      const old = spread();
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (old > 0) this.zoomBy(spread() / old);
      this.pan(dx / 2, dy / 2, element.clientHeight);
      return;
    }
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.shiftKey || event.buttons & 6) this.pan(dx, dy, element.clientHeight);
    else this.rotate(dx * 0.35, dy * 0.35);
  }
}
