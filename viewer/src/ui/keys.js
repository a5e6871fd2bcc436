// SPDX-License-Identifier: MIT
// The keyboard of the page of a run.
import { LAYERS } from "./layers.js";

export const RUN_KEYS = [
  ["space", "play or pause"],
  ["← →", "one frame back or on; with shift ten"],
  ["home end", "first or last frame"],
  ["+ −", "faster, slower"],
  ["f", "follow the selected body"],
  ["esc", "select nothing"],
  ["r", "whole run in sight"],
  ["1 2 3", "look along y, along x, from above"],
  ["t", "dark or light"],
  ["?", "this help"],
  ...LAYERS.map(([, key, text]) => [key, text.toLowerCase()]),
];

const VIEWS = { 1: { azimuth: -90, elevation: 0 }, 2: { azimuth: 0, elevation: 0 }, 3: { azimuth: -90, elevation: 89.9 } };

/** @param {import("../pages/run.js").RunPage} page */
export function listenToKeys(page) {
  const { player } = page;
  const actions = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.seekFrame(0),
    End: () => player.seekFrame(Infinity),
    "+": () => player.faster(1),
    "=": () => player.faster(1),
    "-": () => player.faster(-1),
    f: () => page.selected >= 0 && page.toggleFollow(),
    Escape: () => page.select(-1),
    r: () => page.stage.reset(),
    t: () => page.theme.toggle(),
    "?": () => page.help.showModal(),
  };
  for (const [key, view] of Object.entries(VIEWS)) actions[key] = () => page.stage.setView(view);
  for (const [name, key] of LAYERS) actions[key] = () => page.toggleLayer(name);
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = target.matches?.("input:not([type=range]):not([type=checkbox]), textarea, select");
    const pressing = event.key === " " && target.matches?.("button, input, summary, a");
    if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
