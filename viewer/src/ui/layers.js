// SPDX-License-Identifier: MIT
// What can be shown in the view besides bodies, and the menu that chooses.
import { FIELDS } from "../data/flexible.js";
import { button, el, icon } from "./dom.js";

/** Name, letter of the keyboard, text. */
export const LAYERS = [
  ["contacts", "c", "Contacts"],
  ["joints", "j", "Joints"],
  ["charges", "m", "Charges, magnets, springs"],
  ["trails", "p", "Paths of bodies"],
  ["overlap", "o", "Colour by overlap"],
  ["von_mises", "v", "Colour by von Mises stress"],
  ["determinant", "d", "Colour by volume ratio J"],
  ["displacement", "u", "Colour by displacement"],
  ["planes", "n", "Planes that keep apart"],
  ["guess", "i", "Paths of the guess"],
  ["axes", "a", "Axes"],
  ["grid", "g", "Grid"],
  ["shadows", "s", "Shadows"],
];

/** Fields over flexible bodies, of which one at most is shown. */
export const isField = (layer) => FIELDS.some(({ name }) => name === layer);

/** Beyond this many bodies, marks hide more than they tell until asked for. */
const MANY = 300;

/** @param {import("../data/run.js").Run} run @param {boolean} software */
export function layerChoices(run, software) {
  const few = run.rigidCount <= MANY;
  const moving = run.bodies.filter((body, b) => body.kind !== "fixed" && !run.isNode(b)).length;
  const fields = (chosen) => Object.fromEntries(FIELDS.map(({ name }) => [name, run.flexible.has(name) && (chosen === null || chosen === name)]));
  const forces = run.charges.length + run.magnets.length + run.springs.length > 0;
  return {
    possible: { contacts: run.hasContacts, overlap: run.hasContacts, ...fields(null), joints: run.hasJointFrames, charges: forces, trails: run.frames.count > 1 && moving > 0, planes: (run.plan?.planes.length ?? 0) > 0, guess: (run.plan?.guess.length ?? 0) > 0, axes: true, grid: true, shadows: true },
    chosen: { contacts: run.hasContacts && few, overlap: false, ...fields(FIELDS[0].name), joints: run.hasJointFrames && few, charges: forces, trails: run.frames.count > 1 && moving <= 12, planes: false, guess: false, axes: false, grid: true, shadows: !software },
  };
}

/** @param {Record<string, boolean>} possible @param {() => Record<string, boolean>} chosen @param {(name: string) => void} toggle */
export function layerMenu(possible, chosen, toggle) {
  const boxes = {};
  const rows = LAYERS.map(([name, key, text]) => {
    boxes[name] = el("input", { type: "checkbox", onchange: () => toggle(name), disabled: !possible[name] });
    return el("label", { class: possible[name] ? null : "off" }, [boxes[name], el("span", {}, [text]), el("kbd", {}, [key])]);
  });
  const list = el("div", { class: "layer-list", hidden: true }, rows);
  const open = button(icon("layers"), "Layers", () => {
    list.hidden = !list.hidden;
    open.setAttribute("aria-expanded", String(!list.hidden));
  }, { class: "icon", "aria-expanded": "false" });
  const update = () => {
    for (const [name, box] of Object.entries(boxes)) box.checked = Boolean(chosen()[name]);
  };
  update();
  return { element: el("div", { class: "layers" }, [open, list]), update };
}
