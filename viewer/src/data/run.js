// SPDX-License-Identifier: MIT
// A run as the page knows it: header, frames, contacts, joints, certificates.
import { Flexible } from "./flexible.js";
import { Frames } from "./frames.js";
import { Plan } from "./plan.js";

/** @typedef {import("./rotation.js").Vec3} Vec3 */

const NORMAL_ONE = 32767;
const triple = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

export class Run {
  /** @param {import("./unpack.js").Header} header @param {Record<string, any>} arrays */
  constructor(header, arrays) {
    this.header = header;
    this.arrays = arrays;
    this.bodies = header.bodies ?? [];
    this.shapes = header.shapes ?? [];
    this.joints = header.joints ?? [];
    this.charges = header.charges ?? [];
    this.magnets = header.magnets ?? [];
    this.springs = header.springs ?? [];
    this.frames = new Frames({ ...header, bodies: this.bodies }, arrays);
    this.flexible = new Flexible(header, arrays, this.bodies.length);
    /** The plan that it is of, or whose controls it has. */
    this.plan = header.plan ? new Plan(header, arrays, this.bodies.length) : null;
    /** Columns of certificates by name. */
    this.certificate = {};
    for (const name of Object.keys(arrays))
      if (name.startsWith("certificate_")) this.certificate[name.slice("certificate_".length)] = arrays[name];
    this.scene = arrays.scene ?? "";
  }

  get hasContacts() {
    return (this.arrays.contact_gaps?.length ?? 0) > 0;
  }

  get hasJointFrames() {
    return this.joints.length > 0 && this.arrays.joint_points !== undefined;
  }

  /** @returns {{a: number, b: number, point: Vec3, normal: Vec3, impulse: Vec3, gap: number, status: number}[]} */
  contacts(frame) {
    if (!this.hasContacts) return [];
    const { contact_first: first, contact_bodies: bodies, contact_points: points } = this.arrays;
    const list = [];
    for (let i = first[frame]; i < first[frame + 1]; i++)
      list.push({
        a: bodies[2 * i],
        b: bodies[2 * i + 1],
        point: triple(points, i),
        normal: triple(this.arrays.contact_normals, i).map((c) => c / NORMAL_ONE),
        impulse: triple(this.arrays.contact_impulses, i),
        gap: this.arrays.contact_gaps[i],
        status: this.arrays.contact_status?.[i] ?? 0,
      });
    return list;
  }

  /** Contacts of a frame that are here. */
  contactCount(frame) {
    return this.hasContacts ? this.arrays.contact_first[frame + 1] - this.arrays.contact_first[frame] : 0;
  }

  /** Contacts of a frame before any were left out. */
  contactTotal(frame) {
    return this.arrays.contact_total?.[frame] ?? this.contactCount(frame);
  }

  /** Point and force of a joint at the kept frame nearest before. @returns {{point: Vec3, force: Vec3}} */
  joint(frame, joint) {
    const row = Math.floor(frame / (this.header.joint_stride ?? 1)) * this.joints.length + joint;
    const forces = this.arrays.joint_forces;
    return { point: triple(this.arrays.joint_points, row), force: forces ? triple(forces, row) : [0, 0, 0] };
  }

  /** Collisions that are here, in the order of their times. */
  get collisionCount() {
    return this.arrays.collision_times?.length ?? 0;
  }

  /** @returns {{time: number, a: number, b: number, point: Vec3, impulse: Vec3, approach: number, separation: number, before: number, jump: number}} */
  collision(i) {
    const { collision_times: times, collision_bodies: bodies, collision_speeds: speeds, collision_energies: energies } = this.arrays;
    return {
      time: times[i], a: bodies[2 * i], b: bodies[2 * i + 1],
      point: triple(this.arrays.collision_points, i), impulse: triple(this.arrays.collision_impulses, i),
      approach: speeds[2 * i], separation: speeds[2 * i + 1], before: energies[2 * i], jump: energies[2 * i + 1],
    };
  }

  /** Joints that have opened and closed, in the order of time. @returns {{time: number, step: number, joint: number, outcome: string, reason: string, force: number, moment: number, impulse: number, energy: number}[]} */
  get jointEvents() {
    return this.header.joint_events ?? [];
  }

  /** Which joints are open at this time: by number. @returns {Set<number>} */
  openJoints(time) {
    const open = new Set();
    for (const { time: at, joint, outcome, reason } of this.jointEvents) {
      if (at > time && reason !== "start") break;
      if (outcome === "closed") open.delete(joint);
      else open.add(joint);
    }
    return open;
  }

  jointName(joint) {
    return this.joints[joint]?.name || `joint ${joint}`;
  }

  /** Number of a body by name, or -1. */
  findBody(name) {
    return this.bodies.findIndex((body) => body.name === name);
  }

  bodyName(body) {
    if (body >= 0 && this.isNode(body)) {
      const { name, first_body: first } = this.flexible.list[this.flexible.ofBody[body]];
      return `node ${body - first} of ${name || `flexible body ${this.flexible.ofBody[body]}`}`;
    }
    return body < 0 ? "world" : this.bodies[body].name || `body ${body}`;
  }

  /** Whether a body is a node of a flexible one. */
  isNode(body) {
    return this.flexible.ofBody[body] >= 0;
  }

  /** Bodies that are no nodes. */
  get rigidCount() {
    return this.bodies.length - this.flexible.nodeCount;
  }
}
