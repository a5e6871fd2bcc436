// SPDX-License-Identifier: MIT
// The 3D view: renderer, lights, bodies, static geometry and layers; draws when something has changed.
import * as THREE from "three";
import { runBounds } from "../data/extent.js";
import { Bodies } from "./bodies.js";
import { OrbitCamera } from "./camera.js";
import { FIELDS } from "../data/flexible.js";
import { FlexibleSurfaces } from "./flexible.js";
import { AxesLayer } from "./layer_axes.js";
import { ContactLayer } from "./layer_contacts.js";
import { ForceLayer } from "./layer_forces.js";
import { JointLayer } from "./layer_joints.js";
import { GuessLayer, PlaneLayer } from "./layer_plan.js";
import { TrailLayer } from "./layer_trails.js";
import { Pace } from "./pace.js";
import { overlapColour, VIEW_COLOURS } from "./palette.js";
import { StaticGeometry } from "./static_geometry.js";

/** Which renderer draws, and whether that is the processor: asked before the real context, as smoothing depends on it. */
function rendererName() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("no WebGL");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}
/** Thickness of the line around the selected body, as a share of the camera's distance. */
const OUTLINE = 0.0022;
/** Beyond this many bodies, edges are left out of coarse drawings. */
const MANY = 2000;
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export class View {
  /**
   * Throws when there is no WebGL.
   * @param {import("../data/run.js").Run} run @param {HTMLCanvasElement} canvas
   */
  constructor(run, canvas) {
    this.run = run;
    this.canvas = canvas;
    this.rendererName = rendererName();
    this.software = SOFTWARE.test(this.rendererName);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software });
    this.pace = new Pace(this.software, window.devicePixelRatio || 1);
    this.bounds = runBounds(run);
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color();
    this.orbit = new OrbitCamera(this.bounds, () => this.#touch());
    this.orbit.listen(canvas);
    this.bodies = new Bodies(run, this.bounds.radius, { software: this.software });
    this.surfaces = new FlexibleSurfaces(run, { software: this.software });
    this.staticGeometry = new StaticGeometry(run, this.bounds);
    this.parts = {
      contacts: new ContactLayer(run, this.bounds.radius),
      joints: new JointLayer(run, this.bounds.radius),
      charges: new ForceLayer(run, this.bounds.radius),
      trails: new TrailLayer(run, this.bodies.colours),
      planes: new PlaneLayer(run),
      guess: new GuessLayer(run),
      axes: new AxesLayer(run, this.bounds.radius),
    };
    this.scene.add(this.staticGeometry.group, this.bodies.group, this.surfaces.group, ...Object.values(this.parts).map((part) => part.group));
    this.#light();
    this.poses = new Float64Array(7 * run.bodies.length);
    this.follow = -1;
    this.drawn = 0;
    this.onTouch = () => {};
    new ResizeObserver(() => this.#touch()).observe(canvas.parentElement);
  }

  #touch() {
    this.dirty = true;
    this.onTouch();
  }

  #light() {
    const { radius } = this.bounds;
    this.sky = new THREE.HemisphereLight("#ffffff", "#7d8590", 1.6);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight("#ffffff", 2.2);
    this.sun.target.position.copy(this.orbit.centre);
    this.sun.position.copy(this.orbit.centre).add(new THREE.Vector3(0.45, -0.7, 1.25).multiplyScalar(2 * radius));
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.004 * radius;
    Object.assign(this.sun.shadow.camera, { left: -1.2 * radius, right: 1.2 * radius, top: 1.2 * radius, bottom: -1.2 * radius, near: 0.1 * radius, far: 6 * radius });
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  setTheme(theme) {
    const colours = VIEW_COLOURS[theme];
    this.scene.background.set(colours.background);
    this.bodies.setColours(colours);
    this.surfaces.setColours(colours);
    this.staticGeometry.setColours(colours);
    this.parts.contacts.setColours(colours);
    this.parts.joints.setColours(colours);
    this.parts.planes.setColours(colours);
    this.parts.guess.setColours(colours);
    this.#touch();
  }

  /** @param {Record<string, boolean>} layers */
  setLayers(layers) {
    this.layers = layers;
    for (const [name, part] of Object.entries(this.parts)) part.group.visible = layers[name];
    this.staticGeometry.setLayers(layers);
    if (this.renderer.shadowMap.enabled !== layers.shadows) {
      this.renderer.shadowMap.enabled = this.sun.castShadow = layers.shadows;
      this.scene.traverse((object) => object.material && (object.material.needsUpdate = true));
    }
    this.surfaces.field = FIELDS.find(({ name }) => layers[name])?.name ?? null;
    if (!layers.overlap) this.bodies.paint(null);
    this.#touch();
  }

  select(body) {
    this.bodies.select(body);
    this.#touch();
  }

  /** @param {{frame: number, share: number}} place */
  show(place) {
    this.place = place;
    this.#touch();
  }

  #arrange() {
    const { place, poses } = this;
    if (this.run.frames.count) this.run.frames.fill(place, poses);
    this.bodies.place(poses);
    this.surfaces.place(poses, place.frame);
    this.staticGeometry.place(poses);
    this.parts.contacts.place(place.frame);
    if (this.run.hasJointFrames) this.parts.joints.place(place, poses);
    this.parts.charges.place(poses);
    this.parts.trails.place(place.frame, this.bodies.selected);
    this.parts.planes.place(this.run.frames.timeAt(place), poses);
    this.parts.axes.place(poses);
    if (this.layers.overlap) {
      const shares = this.parts.contacts.overlaps(place.frame);
      this.bodies.paint((body) => overlapColour(shares[body]));
    }
    if (this.follow >= 0) this.orbit.target.set(...poses.subarray(7 * this.follow, 7 * this.follow + 3));
  }

  /**
   * Draws if anything has changed, or can be drawn finer.
   * @param {number} now ms @param {boolean} playing @returns {boolean} whether it did
   */
  draw(now, playing) {
    if (!this.place || !(this.dirty || this.pace.rested(now))) return false;
    this.#render(this.pace.ratio(now, playing));
    if (playing && this.pace.frame(now)) this.#ease();
    return true;
  }

  /** At once and finely, as for pictures. */
  drawStill() {
    if (this.place) this.#render(this.pace.still);
    this.pace.coarse = false;
  }

  #render(ratio) {
    this.dirty = false;
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width < 2 || height < 2) return;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height, false);
    this.#arrange();
    // A line is one pixel wide however small pixels are: where they are small it must be darker to be seen.
    this.bodies.setEdges(ratio >= this.pace.still || this.run.rigidCount < MANY, ratio > 1.4 ? 0.95 : 0.55);
    this.parts.trails.material.opacity = ratio > 1.4 ? 1 : 0.7;
    this.orbit.update(width / height);
    this.bodies.placeOutline(OUTLINE * this.orbit.distance);
    this.renderer.render(this.scene, this.orbit.camera);
    this.drawn++;
  }

  /** Where playing is too slow, shadows go first, then pixels. */
  #ease() {
    if (!this.layers.shadows) return this.pace.coarser();
    this.layers.shadows = false;
    this.setLayers(this.layers);
    this.onSlow?.();
  }

  /** @returns {[number, number]} where the origin of a body is on the page, px */
  screenOf(body) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector3(...this.poses.subarray(7 * body, 7 * body + 3)).project(this.orbit.camera);
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  }

  /** @returns {number} the body under a point of the canvas, or -1 */
  pick(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.orbit.camera);
    const [rigid, flexible] = [this.bodies.pick(ray), this.surfaces.pick(ray)];
    return flexible.distance < rigid.distance ? flexible.body : rigid.body;
  }
}
