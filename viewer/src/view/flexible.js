// SPDX-License-Identifier: MIT
// Surfaces of flexible bodies: triangles between nodes, which are bodies, refilled from the poses of a moment.
import * as THREE from "three";
import { BODY_COLOURS, fieldColour } from "./palette.js";

/** Of all edges of triangles, each once. */
function edgesOf(index) {
  const seen = new Set();
  const edges = [];
  for (let t = 0; t < index.length; t += 3)
    for (let c = 0; c < 3; c++) {
      const [a, b] = [index[t + c], index[t + ((c + 1) % 3)]].sort((p, q) => p - q);
      const key = `${a} ${b}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(a, b);
    }
  return edges;
}

export class FlexibleSurfaces {
  /** @param {import("../data/run.js").Run} run @param {{software: boolean}} choice */
  constructor(run, choice) {
    this.flexible = run.flexible;
    this.group = new THREE.Group();
    this.edges = new THREE.Group();
    this.group.add(this.edges);
    this.field = null;
    const Material = choice.software ? THREE.MeshLambertMaterial : THREE.MeshStandardMaterial;
    this.material = new Material({ vertexColors: true, flatShading: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.edgeMaterial = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 });
    this.surfaces = this.flexible.list.map((flex, i) => this.#surface(flex, i));
  }

  #surface(flex, i) {
    const all = this.flexible.triangles.subarray(3 * flex.first_triangle, 3 * (flex.first_triangle + flex.triangle_count));
    const bodies = [...new Set(all)].sort((a, b) => a - b);
    const place = new Map(bodies.map((body, v) => [body, v]));
    const index = Array.from(all, (body) => place.get(body));
    const position = new THREE.BufferAttribute(new Float32Array(3 * bodies.length), 3).setUsage(THREE.DynamicDrawUsage);
    const color = new THREE.BufferAttribute(new Float32Array(3 * bodies.length), 3).setUsage(THREE.DynamicDrawUsage);
    const mesh = new THREE.Mesh(new THREE.BufferGeometry().setAttribute("position", position).setAttribute("color", color).setIndex(index), this.material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.group.add(mesh);
    const lines = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", position).setIndex(edgesOf(index)), this.edgeMaterial);
    lines.frustumCulled = false;
    this.edges.add(lines);
    return { mesh, bodies, position, color, own: new THREE.Color(BODY_COLOURS[i % BODY_COLOURS.length]) };
  }

  /** @param {Float64Array} poses seven numbers a body @param {number} frame whose colours are shown */
  place(poses, frame) {
    const mixed = new THREE.Color();
    for (const { mesh, bodies, position, color, own } of this.surfaces) {
      bodies.forEach((body, v) => {
        position.array.set(poses.subarray(7 * body, 7 * body + 3), 3 * v);
        const chosen = this.field ? mixed.setRGB(...fieldColour(this.flexible.share(this.field, frame, body)), THREE.SRGBColorSpace) : own;
        chosen.toArray(color.array, 3 * v);
      });
      position.needsUpdate = color.needsUpdate = true;
      mesh.geometry.boundingSphere = mesh.geometry.boundingBox = null;
    }
  }

  /** @param {THREE.Raycaster} ray @returns {{distance: number, body: number}} the node next to the nearest point that it meets; -1: none */
  pick(ray) {
    let best = { distance: Infinity, body: -1 };
    for (const { mesh, bodies, position } of this.surfaces)
      for (const hit of ray.intersectObject(mesh, false)) {
        if (hit.distance >= best.distance) continue;
        const away = (v) => new THREE.Vector3().fromBufferAttribute(position, v).distanceTo(hit.point);
        const corners = [hit.face.a, hit.face.b, hit.face.c].sort((a, b) => away(a) - away(b));
        best = { distance: hit.distance, body: bodies[corners[0]] };
      }
    return best;
  }

  setColours(colours) {
    this.edgeMaterial.color.set(colours.edge);
  }
}
