// SPDX-License-Identifier: MIT
// Shapes as triangles and edges. Spheres, ellipsoids and boxes are one unit shape each, scaled where they are drawn.
import * as THREE from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";

/**
 * What is drawn for a shape: some pieces, each a geometry placed in the body's frame.
 * @typedef {{key: string, make: () => {mesh: THREE.BufferGeometry, edges: THREE.BufferGeometry | null},
 *            local: THREE.Matrix4}} Part
 */

/** Segments around a ball at which it has as few corners as it can, without octants: such ones are drawn by the thousand. */
const COARSE = 8;

/** @param {any} shape @param {number | string} place in the list of shapes @param {number} detail segments around a ball @returns {Part[]} */
export function partsOf(shape, place, detail) {
  switch (shape.kind) {
    case "sphere":
      return [ball(detail, [shape.radius, shape.radius, shape.radius])];
    case "ellipsoid":
      return [ball(detail, shape.half_axes)];
    case "box":
      return [{ key: "box", make: box, local: new THREE.Matrix4().makeScale(...shape.edges) }];
    case "capsule":
      return [{ key: `capsule ${shape.radius} ${shape.length}`, make: () => capsule(shape, detail), local: new THREE.Matrix4() }];
    case "polytope":
      return [{ key: `polytope ${place}`, make: () => polytope(shape), local: new THREE.Matrix4() }];
    case "compound":
      return shape.parts.flatMap((part, i) => {
        const [w, x, y, z] = part.attitude ?? [1, 0, 0, 0];
        const pose = new THREE.Matrix4().compose(
          new THREE.Vector3(...(part.position ?? [0, 0, 0])), new THREE.Quaternion(x, y, z, w).normalize(), new THREE.Vector3(1, 1, 1));
        return partsOf(part.shape, `${place} ${i}`, detail).map((p) => ({ ...p, local: pose.clone().multiply(p.local) }));
      });
    default:
      return [];
  }
}

function ball(detail, halfAxes) {
  const fine = () => octants(new THREE.SphereGeometry(1, detail, detail / 2).rotateX(Math.PI / 2));
  return {
    key: `ball ${detail}`,
    make: () => ({ mesh: detail <= COARSE ? coarseBall() : fine(), edges: null }),
    local: new THREE.Matrix4().makeScale(...halfAxes),
  };
}

/** Twelve corners that are shaded as a ball. */
function coarseBall() {
  const mesh = mergeVertices(new THREE.IcosahedronGeometry(1, 0).deleteAttribute("uv").deleteAttribute("normal"), 1e-4);
  return white(mesh.setAttribute("normal", mesh.getAttribute("position").clone()));
}

function box() {
  const mesh = new THREE.BoxGeometry(1, 1, 1);
  return { mesh: white(mesh), edges: new THREE.EdgesGeometry(mesh, 1) };
}

function capsule(shape, detail) {
  const coarse = detail <= COARSE;
  const mesh = new THREE.CapsuleGeometry(shape.radius, shape.length, coarse ? 2 : detail / 4, coarse ? 6 : detail).rotateX(Math.PI / 2);
  return { mesh: coarse ? white(mesh) : octants(mesh, 2), edges: null };
}

/** Flat facets as fans; edges where two facets meet. */
function polytope(shape) {
  const corners = [];
  const edges = [];
  for (const facet of shape.facets) {
    for (let i = 1; i + 1 < facet.length; i++) corners.push(facet[0], facet[i], facet[i + 1]);
    facet.forEach((vertex, i) => {
      const next = facet[(i + 1) % facet.length];
      if (vertex < next) edges.push(vertex, next);
    });
  }
  const geometry = (list) =>
    new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(list.flatMap((v) => shape.vertices[v]), 3));
  const mesh = geometry(corners);
  mesh.computeVertexNormals();
  return { mesh: white(mesh), edges: geometry(edges) };
}

function white(geometry) {
  const count = geometry.attributes.position.count;
  return geometry.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(3 * count).fill(1), 3));
}

/** Octants (or with two axes, quadrants about z) in turn lighter and darker, so that the rotation of round bodies is seen. */
function octants(geometry, axes = 3) {
  const split = geometry.toNonIndexed();
  const p = split.attributes.position;
  const colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const middle = [0, 1, 2].slice(0, axes).map((c) => p.getComponent(i, c) + p.getComponent(i + 1, c) + p.getComponent(i + 2, c));
    const odd = middle.filter((c) => c > 0).length % 2;
    colours.fill(odd ? 1 : 0.72, 3 * i, 3 * i + 9);
  }
  return split.setAttribute("color", new THREE.BufferAttribute(colours, 3));
}
