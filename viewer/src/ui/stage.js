// SPDX-License-Identifier: MIT
// The 3D view in the page, with its buttons; without WebGL a sentence in its place.
import { labels, short } from "../plots/ticks.js";
import { FIELDS } from "../data/flexible.js";
import { fieldGradient, overlapGradient } from "../view/palette.js";
import { View } from "../view/view.js";
import { button, el, icon } from "./dom.js";
import { layerMenu } from "./layers.js";

/** A press that moves less than this, px, is a click. */
const CLICK = 4;

/** A ramp of colours between its ends. */
const bar = (low, gradient, high) => [el("span", {}, [low]), el("i", { style: `background:${gradient}` }), el("span", {}, [high])];

export class Stage {
  /** @param {import("../data/run.js").Run} run @param {{select: (body: number) => void, toggleLayer: (name: string) => void}} actions */
  constructor(run, actions) {
    this.data = run;
    this.actions = actions;
    this.times = [];
    this.tools = el("div", { class: "stage-tools" });
    this.legend = el("div", { class: "stage-legend", hidden: true });
    this.note = el("p", { class: "stage-note", hidden: true });
    const canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": "Bodies in three dimensions; drag to rotate, click to select" });
    this.element = el("section", { class: "stage", "aria-label": "View" }, [el("div", { class: "stage-view" }, [canvas, this.tools, this.legend, this.note])]);
    try {
      this.view = new View(run, canvas);
      this.#listen(canvas);
      this.tools.append(button(icon("home"), "Whole run in sight (r)", () => this.reset(), { class: "icon" }));
    } catch (reason) {
      canvas.remove();
      this.element.firstChild.append(el("p", { class: "no-view" }, ["This browser has no WebGL, so bodies cannot be drawn here. Plots, tables and the certificate are complete."]));
      this.view = null;
    }
  }

  get software() {
    return this.view?.software ?? true;
  }

  get follow() {
    return this.view?.follow ?? -1;
  }

  set follow(body) {
    if (!this.view) return;
    this.view.follow = body;
    this.view.dirty = true;
  }

  #listen(canvas) {
    let from = null;
    canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!from || event.button !== 0 || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > CLICK) return;
      this.actions.select(this.view.pick(event.clientX, event.clientY));
    });
  }

  addMenu(possible, chosen) {
    this.menu = layerMenu(possible, chosen, this.actions.toggleLayer);
    if (this.view) this.tools.append(this.menu.element);
    if (this.view) this.view.onSlow = () => this.menu.update();
  }

  addCard(card) {
    this.element.append(card);
  }

  reset() {
    this.follow = -1;
    this.view?.orbit.reset();
  }

  show(place) {
    this.view?.show(place);
    const total = this.data.contactTotal(place.frame);
    const listed = this.data.contactCount(place.frame);
    this.note.hidden = !(this.layers?.contacts && total > listed);
    if (!this.note.hidden) this.note.textContent = `${listed} of ${total} contacts shown: those with the largest impulses`;
  }

  setTheme(theme) {
    this.view?.setTheme(theme);
  }

  setLayers(layers) {
    this.layers = layers;
    this.view?.setLayers(layers);
    this.menu?.update();
    const field = FIELDS.find(({ name }) => layers[name]);
    this.legend.hidden = !layers.overlap && !field;
    this.legend.replaceChildren(...(layers.overlap ? this.#overlapLegend() : []), ...(field ? this.#fieldLegend(field) : []));
  }

  #overlapLegend() {
    return bar("overlap 0", overlapGradient, `${short(this.view?.parts.contacts.deepest ?? 0)} m`);
  }

  #fieldLegend({ name, text, unit }) {
    const { from, to, below, above, least, most } = this.data.flexible.colours(name);
    const [low, high] = labels([from, to], 4);
    const beyond = [below && `${short(least)} at least`, above && `${short(most)} at most`].filter(Boolean).join(", ");
    return bar(`${text} ${below ? "≤ " : ""}${low}`, fieldGradient, `${above ? "≥ " : ""}${high} ${unit}`.trim() + (beyond && ` (${beyond})`));
  }

  setView(view) {
    this.view?.orbit.set(view);
  }

  select(body) {
    this.view?.select(body);
  }

  drawStill() {
    this.view?.drawStill();
    this.firstFrame ??= performance.now();
  }

  /** The view as a PNG in a data URI. */
  picture() {
    this.drawStill();
    return this.view?.canvas.toDataURL("image/png") ?? null;
  }

  /** Draws for as long as the page is there, whenever something has changed. @param {import("./player.js").Player} player */
  run(player) {
    const loop = (now) => {
      player.tick(now);
      if (this.view?.draw(now, player.playing)) this.#count(now, player.playing);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  /** Frames a second are those of the last stretch of playing. */
  #count(now, playing) {
    if (playing && !this.wasPlaying) this.times.length = 0;
    this.wasPlaying = playing;
    if (!playing) return;
    this.times.push(now);
    if (this.times.length > 60) this.times.shift();
  }

  stats() {
    const span = this.times.at(-1) - this.times[0];
    return {
      webgl: this.view !== null,
      renderer: this.view?.rendererName ?? null,
      software: this.software,
      fps: this.times.length > 5 ? (1000 * (this.times.length - 1)) / span : null,
      firstFrameMs: this.firstFrame ?? null,
      drawn: this.view?.drawn ?? 0,
    };
  }
}
