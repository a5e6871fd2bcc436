// SPDX-License-Identifier: MIT
// What can be shown in the view besides bodies, and the menu that chooses.
import { button, el, icon } from "./dom.js";

/** Name, letter of the keyboard, text. */
export const LAYERS = [
  ["contacts", "c", "Contacts"],
  ["joints", "j", "Joints"],
  ["charges", "m", "Charges, magnets, springs"],
  ["trails", "p", "Paths of bodies"],
  ["overlap", "o", "Colour by overlap"],
  ["axes", "a", "Axes"],
  ["grid", "g", "Grid"],
  ["shadows", "s", "Shadows"],
];

/** Beyond this many bodies, marks hide more than they tell until asked for. */
const MANY = 300;

/** @param {import("../data/run.js").Run} run @param {boolean} software */
export function layerChoices(run, software) {
  const few = run.bodies.length <= MANY;
  const moving = run.bodies.filter((body) => body.kind !== "fixed").length;
  const forces = run.charges.length + run.magnets.length + run.springs.length > 0;
  return {
    possible: { contacts: run.hasContacts, overlap: run.hasContacts, joints: run.hasJointFrames, charges: forces, trails: run.frames.count > 1, axes: true, grid: true, shadows: true },
    chosen: { contacts: run.hasContacts && few, overlap: false, joints: run.hasJointFrames && few, charges: forces, trails: run.frames.count > 1 && moving <= 12, axes: false, grid: true, shadows: !software },
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
