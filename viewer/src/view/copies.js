// SPDX-License-Identifier: MIT
// Many bodies in one draw without instancing, which costs renderers on the processor some 0.03 ms an instance; here the geometry
// itself is repeated, and the vertex shader fetches each copy's matrix and colour from a texture. Of 10,000 bodies SwiftShader so
// draws a frame in 0.5 (boxes) to 0.7 (mixed shapes) of the processor time.
import * as THREE from "three";

/** Matrices in a row of the texture, four texels each. */
const A_ROW = 256;
/** More corners than this take too much memory. */
const MOST_CORNERS = 3e6;

/** How many matrices an array must have room for, so that it can be a texture. */
export const roomFor = (count) => A_ROW * Math.ceil(count / A_ROW);

/** @param {THREE.BufferGeometry} geometry @param {number} count */
export const canCopy = (geometry, count) => geometry.attributes.position.count * count <= MOST_CORNERS;

const texture = (array, width) => {
  const made = new THREE.DataTexture(array, width, array.length / (4 * width), THREE.RGBAFormat, THREE.FloatType);
  made.needsUpdate = true;
  return made;
};

/** Matrices and colours of copies, shared by their faces and edges. */
export class CopyData {
  /** @param {Float32Array} matrices with room for a multiple of A_ROW */
  constructor(matrices) {
    this.matrices = texture(matrices, 4 * A_ROW);
    this.rgba = new Float32Array(matrices.length / 4).fill(1);
    this.colours = texture(this.rgba, A_ROW);
  }

  setColour(i, colour) {
    colour.toArray(this.rgba, 4 * i);
  }

  update(colours) {
    if (colours) this.colours.needsUpdate = true;
    else this.matrices.needsUpdate = true;
  }
}

/** The same corners `count` times, each knowing the number of its copy. */
function repeated(geometry, count) {
  const out = new THREE.BufferGeometry();
  const corners = geometry.attributes.position.count;
  for (const [name, { array, itemSize }] of Object.entries(geometry.attributes)) {
    if (name === "uv") continue;
    const all = new Float32Array(array.length * count);
    for (let i = 0; i < count; i++) all.set(array, i * array.length);
    out.setAttribute(name, new THREE.BufferAttribute(all, itemSize));
  }
  const numbers = new Float32Array(corners * count);
  for (let i = 0; i < count; i++) numbers.fill(i, i * corners, (i + 1) * corners);
  out.setAttribute("copy", new THREE.BufferAttribute(numbers, 1));
  if (!geometry.index) return out;
  const { array } = geometry.index;
  const index = new Uint32Array(array.length * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < array.length; k++) index[i * array.length + k] = array[k] + i * corners;
  return out.setIndex(new THREE.BufferAttribute(index, 1));
}

const FETCH = `
  attribute float copy;
  uniform sampler2D copyMatrices;
  uniform sampler2D copyColours;
  ivec2 copyPlace() { int i = int(copy + 0.5); return ivec2(i % ${A_ROW}, i / ${A_ROW}); }
  mat4 copyMatrix() {
    ivec2 at = copyPlace() * ivec2(4, 1);
    return mat4(texelFetch(copyMatrices, at, 0), texelFetch(copyMatrices, at + ivec2(1, 0), 0),
                texelFetch(copyMatrices, at + ivec2(2, 0), 0), texelFetch(copyMatrices, at + ivec2(3, 0), 0));
  }
  void main() {
    mat4 copyTo = copyMatrix();`;

// As three.js does with instances: normals by the inverse transpose of a rotation times a scale.
const CHUNKS = {
  color_vertex: "vColor *= texelFetch(copyColours, copyPlace(), 0).rgb;",
  beginnormal_vertex: `mat3 turned = mat3(copyTo);
    objectNormal = turned * (objectNormal / vec3(dot(turned[0], turned[0]), dot(turned[1], turned[1]), dot(turned[2], turned[2])));`,
  begin_vertex: "transformed = (copyTo * vec4(transformed, 1.0)).xyz;",
};

/** @param {THREE.Material} material @param {CopyData} data @param {string[]} chunks after which something is added */
function copying(material, data, chunks) {
  const own = material.clone();
  own.onBeforeCompile = (shader) => {
    shader.uniforms.copyMatrices = { value: data.matrices };
    shader.uniforms.copyColours = { value: data.colours };
    shader.vertexShader = shader.vertexShader.replace("void main() {", FETCH);
    for (const chunk of chunks) shader.vertexShader = shader.vertexShader.replace(`#include <${chunk}>`, `#include <${chunk}>\n${CHUNKS[chunk]}`);
  };
  own.customProgramCacheKey = () => `copies ${chunks.join(" ")}`;
  return own;
}

/** @param {THREE.BufferGeometry} geometry @param {THREE.Material} material with vertex colours @param {CopyData} data */
export function copiedMesh(geometry, material, data, count) {
  const mesh = new THREE.Mesh(repeated(geometry, count), copying(material, data, ["color_vertex", "beginnormal_vertex", "begin_vertex"]));
  mesh.frustumCulled = false;
  return mesh;
}

export function copiedLines(geometry, material, data, count) {
  const lines = new THREE.LineSegments(repeated(geometry, count), copying(material, data, ["begin_vertex"]));
  lines.frustumCulled = false;
  return lines;
}
