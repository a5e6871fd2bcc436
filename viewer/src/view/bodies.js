// SPDX-License-Identifier: MIT
// All bodies as instances: one mesh a geometry, its matrices refilled from the poses of a moment.
import * as THREE from "three";
import { canCopy, copiedLines, copiedMesh, CopyData, roomFor } from "./copies.js";
import { BODY_COLOURS, FIXED_COLOUR } from "./palette.js";
import { partsOf } from "./geometry.js";

/** So many instances are drawn as such even by the processor. */
const FEW = 60;
/** Mass points and bodies without a shape are drawn this large, relative to the run. */
const POINT_SHARE = 0.008;

/** Lines that are drawn once for every matrix of an InstancedMesh, by the same path of the renderer. */
export class InstancedLines extends THREE.LineSegments {
  constructor(geometry, material, instanceMatrix, count) {
    super(geometry, material);
    this.isInstancedMesh = true;
    this.instanceMatrix = instanceMatrix;
    this.instanceColor = null;
    this.morphTexture = null;
    this.count = count;
    this.frustumCulled = false;
  }

  raycast() {}
}

/** out[16 i ...] = pose of the body times a matrix in its frame; `poses` has seven numbers a body. */
export function placeMatrix(poses, body, local, out, i) {
  const o = 7 * body;
  const w = poses[o + 3], x = poses[o + 4], y = poses[o + 5], z = poses[o + 6];
  const r00 = 1 - 2 * (y * y + z * z), r01 = 2 * (x * y - w * z), r02 = 2 * (x * z + w * y);
  const r10 = 2 * (x * y + w * z), r11 = 1 - 2 * (x * x + z * z), r12 = 2 * (y * z - w * x);
  const r20 = 2 * (x * z - w * y), r21 = 2 * (y * z + w * x), r22 = 1 - 2 * (x * x + y * y);
  const m = 16 * i;
  for (let c = 0; c < 16; c += 4) {
    const a = local[c], b = local[c + 1], d = local[c + 2];
    out[m + c] = r00 * a + r01 * b + r02 * d;
    out[m + c + 1] = r10 * a + r11 * b + r12 * d;
    out[m + c + 2] = r20 * a + r21 * b + r22 * d;
    out[m + c + 3] = 0;
  }
  out[m + 12] += poses[o];
  out[m + 13] += poses[o + 1];
  out[m + 14] += poses[o + 2];
  out[m + 15] = 1;
}

export class Bodies {
  /** @param {import("../data/run.js").Run} run @param {number} radius of the run @param {{software: boolean}} choice */
  constructor(run, radius, choice) {
    this.group = new THREE.Group();
    this.colours = run.bodies.map((body, b) =>
      new THREE.Color(body.kind === "fixed" ? FIXED_COLOUR : BODY_COLOURS[b % BODY_COLOURS.length]));
    this.material = choice.software
      ? new THREE.MeshLambertMaterial({ vertexColors: true })
      : new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.05 });
    Object.assign(this.material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.edgeMaterial = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });
    this.edges = new THREE.Group();
    this.group.add(this.edges);
    this.outline = new THREE.Group();
    this.outlineMaterial = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
    this.group.add(this.outline);
    this.selected = -1;
    this.#build(run, radius, detailFor(run.rigidCount, choice.software), choice.software);
  }

  #build(run, radius, detail, software) {
    const byKey = new Map();
    const point = { kind: "sphere", radius: POINT_SHARE * radius };
    const parts = run.shapes.map((shape, i) => partsOf(shape, i, detail));
    const pointParts = partsOf(point, "point", detail);
    run.bodies.forEach((body, b) => {
      if (run.isNode(b)) return; // its surface is drawn: flexible.js
      for (const part of body.shape >= 0 ? parts[body.shape] : pointParts) {
        if (!byKey.has(part.key)) byKey.set(part.key, { make: part.make, items: [] });
        byKey.get(part.key).items.push({ body: b, local: part.local.elements });
      }
    });
    this.sets = [...byKey.values()].map(({ make, items }) => this.#makeSet(make(), items, software));
  }

  /**
   * Bodies of one geometry. Where the processor draws, many of them are copies; the instances are then only for picking.
   * @returns {{mesh: THREE.InstancedMesh, items: {body: number, local: number[]}[], copies: CopyData | null}}
   */
  #makeSet({ mesh: geometry, edges }, items, software) {
    const mesh = new THREE.InstancedMesh(geometry, this.material, roomFor(items.length));
    mesh.count = items.length;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    items.forEach((item, i) => mesh.setColorAt(i, this.colours[item.body]));
    if (software && items.length > FEW && canCopy(geometry, items.length)) {
      const copies = new CopyData(mesh.instanceMatrix.array);
      items.forEach((item, i) => copies.setColour(i, this.colours[item.body]));
      this.group.add(copiedMesh(geometry, this.material, copies, items.length));
      if (edges) this.edges.add(copiedLines(edges, this.edgeMaterial, copies, items.length));
      return { mesh, items, copies };
    }
    this.group.add(mesh);
    if (edges) this.edges.add(new InstancedLines(edges, this.edgeMaterial, mesh.instanceMatrix, items.length));
    return { mesh, items, copies: null };
  }

  /** @param {Float64Array} poses seven numbers a body */
  place(poses) {
    for (const { mesh, items, copies } of this.sets) {
      const out = mesh.instanceMatrix.array;
      for (let i = 0; i < items.length; i++) placeMatrix(poses, items[i].body, items[i].local, out, i);
      mesh.instanceMatrix.needsUpdate = true;
      copies?.update(false);
    }
  }

  /** @param {((body: number) => [number, number, number] | null) | null} colour sRGB; null: its own */
  paint(colour) {
    const mixed = new THREE.Color();
    for (const { mesh, items, copies } of this.sets) {
      items.forEach((item, i) => {
        const rgb = colour?.(item.body);
        const chosen = rgb ? mixed.setRGB(...rgb, THREE.SRGBColorSpace) : this.colours[item.body];
        mesh.setColorAt(i, chosen);
        copies?.setColour(i, chosen);
      });
      mesh.instanceColor.needsUpdate = true;
      copies?.update(true);
    }
  }

  select(body) {
    this.selected = body;
    this.outline.clear();
    if (body < 0) return;
    for (const set of this.sets)
      set.items.forEach((item, i) => {
        if (item.body !== body) return;
        const shell = new THREE.Mesh(set.mesh.geometry, this.outlineMaterial);
        shell.matrixAutoUpdate = false;
        shell.userData = { set, i };
        shell.raycast = () => {};
        this.outline.add(shell);
      });
  }

  /** Around the selected body, thicker by `width` (m) on every side, however thin it is. */
  placeOutline(width) {
    const [centre, size, stretch] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const [column, there, grow] = [new THREE.Vector3(), new THREE.Matrix4(), new THREE.Matrix4()];
    for (const shell of this.outline.children) {
      const { set, i } = shell.userData;
      const { geometry } = set.mesh;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      geometry.boundingBox.getCenter(centre);
      geometry.boundingBox.getSize(size);
      set.mesh.getMatrixAt(i, shell.matrix);
      for (let c = 0; c < 3; c++) {
        const extent = size.getComponent(c) * column.setFromMatrixColumn(shell.matrix, c).length();
        stretch.setComponent(c, extent > 0 ? 1 + (2 * width) / extent : 1);
      }
      shell.matrix.multiply(there.makeTranslation(centre)).multiply(grow.makeScale(...stretch)).multiply(there.makeTranslation(centre.negate()));
      shell.matrixWorldNeedsUpdate = true;
    }
  }

  /** @param {THREE.Raycaster} ray @returns {{distance: number, body: number}} the body that it meets first; -1: none */
  pick(ray) {
    let nearest = Infinity;
    let body = -1;
    for (const { mesh, items } of this.sets) {
      mesh.boundingSphere = null;
      for (const hit of ray.intersectObject(mesh, false))
        if (hit.distance < nearest) [nearest, body] = [hit.distance, items[hit.instanceId].body];
    }
    return { distance: nearest, body };
  }

  /** Edges, each set of which may have a material of its own. */
  setEdges(visible, opacity) {
    this.edges.visible = visible;
    for (const { material } of this.edges.children) material.opacity = opacity;
  }

  setColours(colours) {
    for (const { material } of this.edges.children) material.color.set(colours.edge);
    this.outlineMaterial.color.set(colours.accent);
  }
}

/** Segments around a ball: fewer for many bodies, and where the processor draws. */
function detailFor(count, software) {
  const many = software ? [200, 2000] : [1000, 6000];
  if (count <= many[0]) return count <= 50 ? 64 : 32;
  return count <= many[1] ? (software ? 16 : 24) : software ? 8 : 16;
}
