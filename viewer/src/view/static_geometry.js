// SPDX-License-Identifier: MIT
// What bodies move in: half-spaces as a fading grid, containers as a shell seen from inside, the ground grid, world axes.
import * as THREE from "three";
import { placeMatrix } from "./bodies.js";

const GRID_VERTEX = `
  varying vec2 at;
  void main() {
    at = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

// Lines every `cell`, every fifth one stronger, fading out towards the rim.
const GRID_FRAGMENT = `
  uniform vec3 colour; uniform float cell; uniform float rim; uniform float fill; uniform vec2 offset;
  varying vec2 at;
  float lines(float size) {
    vec2 p = (at + offset) / size;
    vec2 width = fwidth(p);
    vec2 d = abs(fract(p - 0.5) - 0.5) / max(width, vec2(1e-6));
    float strength = 1.0 - min(min(d.x, d.y), 1.0);
    return strength * (1.0 - smoothstep(0.15, 0.6, max(width.x, width.y)));
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / rim);
    float alpha = (fill + max(0.18 * lines(cell), 0.34 * lines(5.0 * cell))) * fade;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(colour, alpha);
  }`;

/** A length of the form 1, 2 or 5 times a power of ten, of which some twenty reach across the run. */
export function cellFor(radius) {
  const raw = radius / 10;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find((step) => step * power >= raw * 0.999);
}

function gridPlane(radius, centre, fill) {
  const rim = 6 * radius;
  const material = new THREE.ShaderMaterial({
    vertexShader: GRID_VERTEX,
    fragmentShader: GRID_FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {
      colour: { value: new THREE.Color() },
      cell: { value: cellFor(radius) },
      rim: { value: rim },
      fill: { value: fill },
      offset: { value: new THREE.Vector2(...centre) },
    },
  });
  return new THREE.Mesh(new THREE.PlaneGeometry(2 * rim, 2 * rim), material);
}

function shadowPlane(radius) {
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(12 * radius, 12 * radius), new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false }));
  plane.receiveShadow = true;
  return plane;
}

function shell(radius) {
  const geometry = new THREE.SphereGeometry(radius, 64, 32).rotateX(Math.PI / 2);
  const inside = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.BackSide, transparent: true, opacity: 0.14, depthWrite: false }));
  return [inside, new THREE.LineSegments(circles(radius), new THREE.LineBasicMaterial({ transparent: true, opacity: 0.28, depthWrite: false }))];
}

/** Eight half circles through the poles and the circles of latitude every 30 degrees. */
function circles(radius) {
  const points = [];
  const at = (longitude, latitude) => [Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude)].map((c) => radius * c);
  const pieces = 96;
  for (let i = 0; i < pieces; i++) {
    const [from, to] = [(2 * Math.PI * i) / pieces, (2 * Math.PI * (i + 1)) / pieces];
    for (let k = 0; k < 4; k++) points.push(...at((k * Math.PI) / 4, from), ...at((k * Math.PI) / 4, to));
    for (let k = -2; k <= 2; k++) points.push(...at(from, (k * Math.PI) / 6), ...at(to, (k * Math.PI) / 6));
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
}

export class StaticGeometry {
  /** @param {import("../data/run.js").Run} run @param {{low: number[], high: number[], radius: number}} bounds */
  constructor(run, bounds) {
    this.group = new THREE.Group();
    this.grids = [];
    this.shells = [];
    this.shadowPlanes = [];
    /** @type {{body: number, object: THREE.Object3D, local: THREE.Matrix4}[]} */
    this.placed = [];
    const centre = bounds.low.map((l, c) => 0.5 * (l + bounds.high[c]));
    run.bodies.forEach((body, b) => {
      const shape = run.shapes[body.shape];
      if (shape?.kind === "half_space") this.#addPlane(run, b, shape, bounds, centre);
      if (shape?.kind === "container") for (const object of shell(shape.radius)) this.#add(b, object, new THREE.Matrix4(), this.shells);
    });
    this.hasPlanes = this.grids.length > 0;
    this.ground = gridPlane(bounds.radius, [centre[0], centre[1]], 0);
    this.ground.position.set(centre[0], centre[1], bounds.low[2] - 0.02 * bounds.radius);
    this.ground.visible = !this.hasPlanes;
    this.group.add(this.ground);
    this.axes = new THREE.AxesHelper(0.35 * bounds.radius);
    this.group.add(this.axes);
  }

  #add(body, object, local, list) {
    object.matrixAutoUpdate = false;
    list.push(object);
    this.placed.push({ body, object, local });
    this.group.add(object);
  }

  /** The grid lies about the point of the plane that is nearest to the middle of the run. */
  #addPlane(run, b, shape, bounds, centre) {
    const attitude = run.frames.count ? run.frames.attitude(0, b) : [1, 0, 0, 0];
    const origin = run.frames.count ? run.frames.position(0, b) : [0, 0, 0];
    const toBody = new THREE.Matrix4()
      .compose(new THREE.Vector3(...origin), new THREE.Quaternion(attitude[1], attitude[2], attitude[3], attitude[0]), new THREE.Vector3(1, 1, 1))
      .invert();
    const normal = new THREE.Vector3(...shape.normal).normalize();
    const middle = new THREE.Vector3(...centre).applyMatrix4(toBody);
    middle.addScaledVector(normal, shape.offset - middle.dot(normal));
    const local = new THREE.Matrix4().compose(
      middle, new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal), new THREE.Vector3(1, 1, 1));
    this.#add(b, gridPlane(bounds.radius, [middle.x, middle.y], 0.07), local, this.grids);
    this.#add(b, shadowPlane(bounds.radius), local, this.shadowPlanes);
  }

  place(poses) {
    const out = new Float64Array(16);
    for (const { body, object, local } of this.placed) {
      placeMatrix(poses, body, local.elements, out, 0);
      object.matrix.fromArray(out);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  setColours(colours) {
    for (const grid of [...this.grids, this.ground]) grid.material.uniforms.colour.value.set(colours.grid);
    for (const object of this.shells) object.material.color.set(colours.grid);
  }

  setLayers(layers) {
    this.ground.visible = layers.grid && !this.hasPlanes;
    for (const grid of this.grids) grid.visible = layers.grid;
    for (const plane of this.shadowPlanes) plane.visible = layers.shadows;
    this.axes.visible = layers.axes;
  }
}
