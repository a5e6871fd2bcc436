// SPDX-License-Identifier: MIT
// A plot in the page: uPlot's curves, a legend with values, a line at the time shown; a press or drag seeks.
import uPlot from "uplot";
import { button, el, save } from "../ui/dom.js";
import { SERIES_COLOURS } from "../view/palette.js";
import { rowAt } from "./catalogue.js";
import { plotCsv } from "./csv.js";
import { stack } from "./stack.js";
import { svgPlot } from "./svg.js";
import { besideWidth, labels, short } from "./ticks.js";

const HEIGHT = 168;

export class Chart {
  /** @param {import("./catalogue.js").Plot} plot @param {{seek?: (time: number) => void, theme: () => string, xLabel?: string}} context */
  constructor(plot, context) {
    this.plot = plot;
    this.context = context;
    this.log = Boolean(plot.log) && plot.series.some((series) => series.y.some((value) => value > 0));
    this.bands = stack(plot.series.slice(0, plot.stacked ?? 0).map((series) => series.y));
    this.values = plot.series.map(() => el("span", { class: "value" }));
    this.box = el("div", { class: "chart-box" });
    this.element = el("section", { class: "chart", "aria-label": plot.title }, [this.#head(), this.#legend(), this.box]);
    this.line = el("div", { class: "now-line", "aria-hidden": "true" });
    this.time = 0;
    // Charts are drawn once they come into sight: a run has a dozen, of thousands of points each.
    new IntersectionObserver((entries) => {
      this.inSight = entries.at(-1).isIntersecting;
      if (!this.inSight) return;
      if (this.shown) return this.#moveLine();
      this.shown = true;
      this.redraw();
    }).observe(this.element);
    new ResizeObserver(() => this.u && this.u.setSize(this.#size())).observe(this.box);
    this.setTime(plot.x[0] ?? 0);
  }

  get colours() {
    return SERIES_COLOURS[this.context.theme()];
  }

  #head() {
    const { title, unit, note } = this.plot;
    const toggle = this.log && button("log", `Logarithmic scale of ${title}`, () => {
      this.log = !this.log;
      toggle.setAttribute("aria-pressed", String(this.log));
      this.redraw();
    });
    if (toggle) toggle.setAttribute("aria-pressed", "true");
    return el("div", { class: "chart-head" }, [
      el("h3", {}, [title, unit && el("span", { class: "unit" }, [` ${unit}`]), note && el("span", { class: "unit" }, [` (${note})`])]),
      el("div", { class: "chart-tools" }, [
        toggle,
        button("SVG", `Save ${title} as SVG`, () => save(`${this.plot.key}.svg`, "image/svg+xml", this.svg())),
        button("CSV", `Save ${title} as CSV`, () => save(`${this.plot.key}.csv`, "text/csv", this.csv())),
      ]),
    ]);
  }

  #legend() {
    this.swatches = this.plot.series.map(() => el("span", { class: "swatch" }));
    return el("div", { class: "legend" }, this.plot.series.flatMap((series, i) => (series.quiet ? [] : [el("span", { class: "key" }, [this.swatches[i], series.legend ?? series.name, !series.legend && this.values[i]])])));
  }

  #colour(i) {
    // What lies over bands is of the ink's colour.
    if (i >= (this.plot.stacked ?? Infinity)) return getComputedStyle(document.documentElement).getPropertyValue("--text").trim();
    return this.colours[(this.plot.series[i].colour ?? i) % this.colours.length];
  }

  #size() {
    return { width: Math.max(120, this.box.clientWidth), height: HEIGHT };
  }

  /** Anew, as after a change of theme or scale. */
  redraw() {
    this.swatches.forEach((swatch, i) => (swatch.style.background = this.#colour(i)));
    if (!this.shown) return;
    this.u?.destroy();
    this.u = new uPlot(this.#options(), this.#data(), this.box);
    this.u.over.append(this.line);
    this.#moveLine();
    if (this.context.seek) this.#listen(this.u.over);
  }

  #data() {
    const clean = (value) => (Number.isFinite(value) && (!this.log || value > 0) ? value : null);
    const drawn = [...this.bands.flatMap(({ high, low }) => [high, low]), ...this.#curvesAbove().map((series) => series.y)];
    const rows = drawn.map((y) => Array.from(this.plot.x, (_, k) => clean(y[k])));
    if (this.#bound()) rows.push(Array.from(this.plot.x, () => this.plot.bound));
    return [Array.from(this.plot.x), ...rows];
  }

  /** Series that are not stacked. */
  #curvesAbove() {
    return this.plot.series.slice(this.plot.stacked ?? 0);
  }

  /** As #data has them: the edges of the bands, then the curves. */
  #curves() {
    const stacked = this.plot.stacked ?? 0;
    const edge = { stroke: "transparent", width: 0.5, points: { show: false } };
    const dots = { show: this.plot.x.length < 2 || Boolean(this.plot.points) };
    const curve = ({ dash }, i) => ({ stroke: this.#colour(i + stacked), width: stacked ? 2 : 1.5, dash: dash ? [5, 4] : undefined, points: dots });
    return [...this.bands.flatMap(() => [edge, edge]), ...this.#curvesAbove().map(curve)];
  }

  #bound() {
    return this.log && this.plot.bound > 0;
  }

  #options() {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--text-soft").trim();
    const faint = style.getPropertyValue("--line").trim();
    const axis = { stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
    const thin = this.log ? { filter: onlyPowers } : {};
    const valueAxis = { ...axis, ...thin, grid: { ...axis.grid, ...thin }, ticks: { ...axis.ticks, ...thin } };
    const bound = { stroke: style.getPropertyValue("--red").trim(), dash: [5, 4], width: 1, points: { show: false } };
    return {
      ...this.#size(),
      pxAlign: 0,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
      scales: { x: { time: false, range: this.context.range?.() }, y: this.log ? { distr: 3 } : { range: padded } },
      series: [{}, ...this.#curves(), ...(this.#bound() ? [bound] : [])],
      bands: this.bands.map(({ of }, i) => ({ series: [2 * i + 1, 2 * i + 2], fill: `${this.#colour(of)}80` })),
      axes: [
        { ...axis, size: 26, gap: 3, values: (_, ticks) => ticks.map((tick) => short(tick)) },
        { ...valueAxis, size: (_, texts) => besideWidth(texts ?? []), gap: 4, values: (_, ticks) => labels(ticks) },
      ],
      hooks: { ready: [() => this.#moveLine()], setSize: [() => this.#moveLine()], setCursor: [(u) => this.#showValues(u.cursor.idx ?? rowAt(this.plot, this.time))] },
    };
  }

  #listen(over) {
    const seek = (event) => {
      const box = over.getBoundingClientRect();
      this.context.seek(this.u.posToVal(event.clientX - box.left, "x"));
    };
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener("pointermove", (event) => event.buttons & 1 && seek(event));
  }

  #showValues(row) {
    this.values.forEach((value, i) => (value.textContent = short(this.plot.series[i].y[row])));
  }

  #moveLine() {
    const left = this.u?.valToPos(this.time, "x");
    this.line.hidden = !this.context.seek || !(left >= -1 && left <= this.u.over.clientWidth + 1);
    if (!this.line.hidden) this.line.style.transform = `translateX(${left.toFixed(1)}px)`;
  }

  /** @param {boolean} texts whether the values of the legend change too */
  setTime(time, texts = true) {
    this.time = time;
    if (texts) this.#showValues(rowAt(this.plot, time));
    if (this.u && this.inSight) this.#moveLine();
  }

  svg() {
    const { title, unit, series, x, bound, stacked } = this.plot;
    const colours = SERIES_COLOURS.light;
    return svgPlot({
      title, x, bound: this.#bound() ? bound : null, logY: this.log,
      xLabel: this.context.xLabel ?? "time, s", yLabel: unit,
      series: series.map((s, i) => (i < (stacked ?? Infinity)
        ? { ...s, marks: this.plot.points, bands: stacked && this.bands.filter(({ of }) => of === i), colour: colours[(s.colour ?? i) % colours.length] }
        : { ...s, colour: "#1b2130" })),
    });
  }

  csv() {
    return plotCsv(this.plot);
  }
}

const isPower = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

/** Ticks at powers of ten, at most some six of them. */
function onlyPowers(_, ticks) {
  const powers = ticks.filter((tick) => tick > 0 && isPower(tick));
  const every = Math.ceil(powers.length / 6);
  if (powers.length < 2) return ticks;
  return ticks.map((tick) => (powers.indexOf(tick) >= 0 && powers.indexOf(tick) % every === 0 ? tick : null));
}

/** A flat curve in the middle, not stretched until its rounding shows. */
function padded(_, low, high) {
  if (low === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low < 1e-13 * size || high === low) return [low - (size * 0.1 || 1), high + (size * 0.1 || 1)];
  const air = 0.06 * (high - low);
  return [low - air, high + air];
}
