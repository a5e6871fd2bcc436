// SPDX-License-Identifier: MIT
// Small things that are drawn many times and change from frame to frame: dots, arrows, lines.
import * as THREE from "three";

const UP = new THREE.Vector3(0, 1, 0);

/** Room for more instances is made by doubling, so that playing seldom allocates. */
class Instances {
  constructor(geometry, material) {
    this.geometry = geometry;
    this.material = material;
    this.object = new THREE.Group();
    this.mesh = null;
    this.used = 0;
  }

  begin(count) {
    if (!this.mesh || this.mesh.instanceMatrix.count < count) {
      this.mesh?.dispose();
      this.mesh = new THREE.InstancedMesh(this.geometry, this.material, Math.max(16, 2 ** Math.ceil(Math.log2(count + 1))));
      this.mesh.frustumCulled = false;
      this.object.clear().add(this.mesh);
    }
    this.used = 0;
  }

  add(matrix, colour) {
    this.mesh.setMatrixAt(this.used, matrix);
    if (colour) this.mesh.setColorAt(this.used, colour);
    this.used++;
  }

  end() {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

export class Dots extends Instances {
  constructor(material = new THREE.MeshBasicMaterial()) {
    super(new THREE.SphereGeometry(1, 16, 12), material);
    this.matrix = new THREE.Matrix4();
  }

  dot(point, radius, colour) {
    this.matrix.makeScale(radius, radius, radius).setPosition(...point);
    this.add(this.matrix, colour);
  }
}

export class Arrows extends Instances {
  constructor(material = new THREE.MeshBasicMaterial()) {
    super(arrowGeometry(), material);
    this.matrix = new THREE.Matrix4();
    this.attitude = new THREE.Quaternion();
    this.direction = new THREE.Vector3();
    this.size = new THREE.Vector3();
    this.foot = new THREE.Vector3();
  }

  /** From `point` along `vector`, as long as that times `scale`, `width` thick. */
  arrow(point, vector, scale, width, colour) {
    this.direction.set(...vector);
    const length = this.direction.length() * scale;
    if (!(length > 0.2 * width)) return;
    this.attitude.setFromUnitVectors(UP, this.direction.normalize());
    this.matrix.compose(this.foot.set(...point), this.attitude, this.size.set(width, length, width));
    this.add(this.matrix, colour);
  }
}

/** Of unit length along y: a shaft of radius 0.35 and a head of radius 1. */
function arrowGeometry() {
  const profile = [[0, 0], [0.35, 0], [0.35, 0.72], [1, 0.72], [0, 1]].map(([r, y]) => new THREE.Vector2(r, y));
  return new THREE.LatheGeometry(profile, 10);
}

export class Lines {
  constructor(colours = false) {
    this.material = new THREE.LineBasicMaterial({ vertexColors: colours, transparent: true });
    this.geometry = new THREE.BufferGeometry();
    this.object = new THREE.LineSegments(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.points = [];
    this.colours = colours ? [] : null;
  }

  begin() {
    this.points.length = 0;
    if (this.colours) this.colours.length = 0;
  }

  line(from, to, colourFrom, colourTo = colourFrom) {
    this.points.push(...from, ...to);
    this.colours?.push(...colourFrom.toArray(), ...colourTo.toArray());
  }

  end() {
    fill(this.geometry, "position", this.points);
    if (this.colours) fill(this.geometry, "color", this.colours);
    this.geometry.setDrawRange(0, this.points.length / 3);
  }
}

function fill(geometry, name, numbers) {
  let attribute = geometry.getAttribute(name);
  if (!attribute || attribute.array.length < numbers.length) {
    geometry.dispose();
    attribute = new THREE.BufferAttribute(new Float32Array(Math.max(96, 2 * numbers.length)), 3);
    geometry.setAttribute(name, attribute);
  }
  attribute.array.set(numbers);
  attribute.needsUpdate = true;
}
