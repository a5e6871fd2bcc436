// SPDX-License-Identifier: MIT
// The page of a run: view, timeline, plots, certificate, bodies.
import { Run } from "../data/run.js";
import { bodyPlots, certificatePlots, rowAt } from "../plots/catalogue.js";
import { Chart } from "../plots/chart.js";
import { short } from "../plots/ticks.js";
import { parseAddress } from "../ui/address.js";
import { bodyCard, bodyFacts, bodyList } from "../ui/bodies.js";
import { certificateTable, factsTable, switchesTable } from "../ui/certificate.js";
import { collisionList } from "../ui/collisions.js";
import { button, el, save } from "../ui/dom.js";
import { findingList, moreFindings } from "../ui/findings.js";
import { listenToKeys, RUN_KEYS } from "../ui/keys.js";
import { isField, layerChoices } from "../ui/layers.js";
import { planPanel } from "../ui/plan.js";
import { Player } from "../ui/player.js";
import { banner, helpDialog, topBar } from "../ui/shell.js";
import { Stage } from "../ui/stage.js";
import { tabPanel } from "../ui/tabs.js";
import { timeline } from "../ui/timeline.js";

/** Longer scene texts are shown up to here; they can be saved whole. */
const SCENE_SHOWN = 200000;
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

export class RunPage {
  constructor({ page, header, arrays, theme, wanted }) {
    this.run = new Run(header, arrays);
    this.theme = theme;
    this.player = new Player(this.run.frames);
    this.selected = -1;
    this.textsChanged = 0;
    this.stage = new Stage(this.run, { select: (body) => this.select(body), toggleLayer: (name) => this.toggleLayer(name) });
    const { possible, chosen } = layerChoices(this.run, this.stage.software);
    this.possible = possible;
    this.layers = chosen;
    this.card = bodyCard(this.run, { follow: () => this.toggleFollow(), clear: () => this.select(-1) });
    this.collisions = collisionList(this.run, (time) => this.#goTo(time));
    this.list = bodyList(this.run, (body) => this.select(body));
    this.help = helpDialog(RUN_KEYS);
    this.#charts();
    this.#lay(page);
    this.stage.addMenu(possible, () => this.layers);
    this.stage.addCard(this.card.element);
    this.player.listeners.push(() => this.#timeChanged());
    theme.listeners.push(() => this.#themeChanged());
    listenToKeys(this);
    window.addEventListener("hashchange", () => this.obey(parseAddress(location.hash)));
    this.#themeChanged();
    this.setLayers({});
    this.obey(wanted);
    this.#timeChanged();
    this.stage.run(this.player);
  }

  #charts() {
    const { plots, flat } = certificatePlots(this.run);
    const { start, end } = this.run.frames;
    this.context = { seek: (time) => this.#goTo(time), theme: () => this.theme.name, range: () => (end > start ? [start, end] : undefined) };
    this.plan = this.run.plan ? planPanel(this.run, this.context) : null;
    const own = plots.map((plot) => new Chart(plot, this.context));
    this.charts = [...(this.plan?.charts ?? []), ...own];
    this.bodyCharts = [];
    this.bodyBox = el("div", { class: "body-charts" });
    this.plotBox = el("div", { class: "charts" }, [
      this.bodyBox,
      ...own.map((chart) => chart.element),
      flat.length > 0 && el("p", { class: "soft" }, [`Zero throughout: ${flat.join(", ")}.`]),
      plots.length === 0 && el("p", { class: "soft" }, ["This run has no certificates to plot. Select a body to see its motion."]),
    ]);
  }

  #lay(page) {
    const { header } = this.run;
    const step = header.verdict?.step;
    const findings = header.findings ?? [];
    const go = Number.isFinite(step) ? button(`Go to step ${step}`, `Go to step ${step}`, () => this.goToStep(step), { class: "go" }) : null;
    this.tabs = tabPanel([
      ...(this.plan ? [{ key: "plan", title: "Plan", content: this.plan.element }] : []),
      { key: "plots", title: "Plots", content: this.plotBox },
      { key: "certificate", title: "Certificate", content: el("div", {}, [findings.length > 0 && findingList(findings, (s) => this.goToStep(s)), certificateTable(this.run, (s) => this.goToStep(s)), switchesTable(this.run, (s) => this.goToStep(s)), factsTable(this.run)]) },
      ...(header.collision_total === undefined ? [] : [{ key: "collisions", title: "Collisions", content: this.collisions.element }]),
      { key: "bodies", title: "Bodies", content: this.list.element },
      { key: "about", title: "About", content: this.#about() },
    ], "What is known of the run");
    const count = (n, one) => `${n.toLocaleString("en")} ${n === 1 ? one : one === "body" ? "bodies" : `${one}s`}`;
    page.replaceChildren(
      topBar({
        title: header.title || "A run",
        facts: [header.plan && (header.plan.replayed ? "with the controls of a plan" : `plan of ${count(header.plan.intervals, "interval")}`), header.method, header.step && (header.step_pieces ? "steps that vary" : `step ${short(header.step)} s`), (this.run.rigidCount > 0 || this.run.flexible.list.length === 0) && count(this.run.rigidCount, "body"), this.run.flexible.list.length > 0 && `${this.run.flexible.list.length} flexible, ${count(this.run.flexible.nodeCount, "node")}`, this.run.joints.length > 0 && count(this.run.joints.length, "joint")].filter(Boolean),
        theme: this.theme,
        help: () => this.help.showModal(),
      }),
      banner(header.verdict, go, moreFindings(findings, (s) => this.goToStep(s))),
      el("main", { class: "run" }, [el("div", { class: "left" }, [this.stage.element, timeline(this.run, this.player)]), this.tabs.element]),
    );
  }

  #about() {
    const { header, scene } = this.run;
    return el("div", { class: "about" }, [
      header.description && el("p", { class: "description" }, [header.description]),
      scene && el("div", { class: "chart-head" }, [el("h3", {}, ["Scene as it was understood"]), button("Save", "Save the scene as JSON", () => save("scene.json", "application/json", scene), { class: "plain" })]),
      scene && el("pre", { class: "scene", tabindex: "0" }, [scene.length > SCENE_SHOWN ? `${scene.slice(0, SCENE_SHOWN)}\n...` : scene]),
    ]);
  }

  #timeChanged() {
    const { place, time, playing } = this.player;
    this.stage.show(place);
    // Texts need not change faster than they can be read.
    const now = performance.now();
    const texts = !playing || now - this.textsChanged > 100;
    if (texts) this.textsChanged = now;
    for (const chart of [...this.charts, ...this.bodyCharts]) chart.setTime(time, texts);
    if (texts) this.collisions.update(time);
    if (texts) this.card.update(this.selected, place, this.stage.follow === this.selected);
  }

  #themeChanged() {
    this.stage.setTheme(this.theme.name);
    for (const chart of [...this.charts, ...this.bodyCharts]) chart.redraw();
  }

  #goTo(time) {
    this.player.playing = false;
    this.player.seek(time);
  }

  timeOfStep(step) {
    const { step: steps, time: times } = this.run.certificate;
    if (!steps?.length) return step * (this.run.header.step ?? 0);
    return step <= 0 ? this.run.frames.start : times[rowAt({ x: steps }, step)];
  }

  goToStep(step) {
    this.#goTo(this.timeOfStep(step));
  }

  /** @param {number | string | null} wanted */
  select(wanted) {
    const body = typeof wanted === "string" ? this.run.findBody(wanted) : wanted ?? -1;
    this.selected = body >= 0 && body < this.run.bodies.length ? body : -1;
    if (this.stage.follow >= 0) this.stage.follow = this.selected;
    this.stage.select(this.selected);
    this.list.update(this.selected);
    this.bodyCharts = this.selected >= 0 && this.run.frames.count > 1 ? bodyPlots(this.run, this.selected).map((plot) => new Chart(plot, this.context)) : [];
    this.bodyBox.replaceChildren(...this.bodyCharts.map((chart) => chart.element));
    for (const chart of this.bodyCharts) chart.redraw();
    this.#timeChanged();
    return this.selected >= 0 ? bodyFacts(this.run, this.selected, this.player.place) : null;
  }

  toggleFollow() {
    this.stage.follow = this.stage.follow < 0 ? this.selected : -1;
    this.#timeChanged();
  }

  toggleLayer(name) {
    this.setLayers({ [name]: !this.layers[name] });
  }

  setLayers(change) {
    for (const [name, on] of Object.entries(change)) {
      if (!this.possible[name]) continue;
      if (on && isField(name)) for (const other of Object.keys(this.layers)) if (isField(other)) this.layers[other] = false;
      this.layers[name] = Boolean(on);
    }
    this.stage.setLayers(this.layers);
    return { ...this.layers };
  }

  /** @param {ReturnType<typeof parseAddress>} wanted */
  obey(wanted) {
    document.documentElement.classList.toggle("render", wanted.render);
    if (wanted.theme) this.theme.set(wanted.theme);
    if (wanted.layers) this.setLayers(Object.fromEntries(Object.keys(this.layers).map((name) => [name, wanted.layers.includes(name)])));
    if (wanted.view) this.stage.setView(wanted.view);
    if (wanted.select !== null) this.select(wanted.select);
    if (wanted.frame !== null) this.player.seekFrame(wanted.frame);
    else if (wanted.time !== null) this.#goTo(wanted.time);
  }

  chart(name) {
    const found = [...this.charts, ...this.bodyCharts].find((chart) => chart.plot.key === name);
    if (!found) throw new Error(`there is no plot ${name}; see carom.plots()`);
    return found;
  }

  api() {
    const { player, stage, run } = this;
    const number = (body) => (typeof body === "string" ? run.findBody(body) : body);
    const shown = (act) => (value) => {
      player.pause();
      act(value);
      stage.drawStill();
      return drawn();
    };
    return {
      seek: shown((time) => player.seek(time)),
      seekFrame: shown((index) => player.seekFrame(index)),
      play: () => player.play(),
      pause: () => player.pause(),
      frame: () => ({ index: player.place.frame, time: player.time, step: run.frames.steps[player.place.frame] ?? null, playing: player.playing }),
      select: (body) => this.select(body),
      selected: () => (this.selected < 0 ? null : this.selected),
      pose: (body) => run.frames.pose(player.place, number(body)),
      screenOf: (body) => stage.view?.screenOf(number(body)) ?? null,
      setLayers: (change) => this.setLayers(change),
      layers: () => ({ ...this.layers }),
      setView: (view) => stage.setView(view),
      view: () => stage.view?.orbit.get() ?? null,
      picture: () => stage.picture(),
      plots: () => [...this.charts, ...this.bodyCharts].map((chart) => chart.plot.key),
      plotValues: (name, time) => {
        const { plot } = this.chart(name);
        return Object.fromEntries(plot.series.map((series) => [series.name, series.y[rowAt(plot, time)]]));
      },
      plotSvg: (name) => this.chart(name).svg(),
      plotCsv: (name) => this.chart(name).csv(),
      stats: () => ({ bodies: run.bodies.length, frames: run.frames.count, ...stage.stats() }),
    };
  }
}

export async function showRun(what) {
  const page = new RunPage(what);
  page.stage.drawStill();
  await drawn();
  return page.api();
}
