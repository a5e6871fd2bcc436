// SPDX-License-Identifier: MIT
// The page of a study of convergence: errors against steps, orders, costs.
import { svgPlot } from "../plots/svg.js";
import { short } from "../plots/ticks.js";
import { button, el, save, table } from "../ui/dom.js";
import { helpDialog, topBar } from "../ui/shell.js";
import { SERIES_COLOURS } from "../view/palette.js";

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** What is drawn of every quantity: differences against steps, and estimated errors against what they cost. */
const VIEWS = [
  { key: "order", x: (run) => run.step, y: (run, q) => run.differences?.[q], title: (name) => capital(name), xLabel: "step, s", yLabel: "difference", slopes: true },
  { key: "cost", x: (run) => run.seconds, y: (run, q) => run.errors?.[q], title: (name) => `${capital(name)}: error against cost`, xLabel: "processor time, s", yLabel: "error", slopes: false },
];

/** Curves of one quantity, one a method. */
function seriesOf(header, q, view, colours) {
  return header.methods.flatMap((method, m) => {
    const runs = method.runs ?? [];
    const y = runs.map((run) => view.y(run, q) ?? null);
    const order = method.orders?.[q];
    const name = view.slopes && Number.isFinite(order) ? `${method.name} (order ${order.toFixed(2)})` : method.name;
    return y.some((value) => value > 0) ? [{ name, x: runs.map((run) => view.x(run) ?? NaN), y, colour: colours[m % colours.length], marks: true, order }] : [];
  });
}

/** A small triangle close under each curve whose order is near a whole number, with that as slope. */
function slopes(series) {
  return series.flatMap(({ x, y, order }) => {
    const whole = Math.round(order);
    const at = y.findIndex((value, i) => value > 0 && y[i + 1] > 0);
    if (!(whole >= 1) || Math.abs(whole - order) > 0.35 || at < 0) return [];
    const [high, low] = x[at] > x[at + 1] ? [at, at + 1] : [at + 1, at];
    const ratio = x[high] / x[low];
    const [from, to] = [x[low] * ratio ** 0.4, x[low] * ratio ** 0.8];
    const base = 0.8 * y[low] * (from / x[low]) ** whole;
    return [{ points: [[from, base], [to, base], [to, base * (to / from) ** whole]], label: String(whole) }];
  });
}

function picture(header, q, view, theme, paper) {
  const { name, unit } = header.quantities[q];
  const series = seriesOf(header, q, view, SERIES_COLOURS[theme]);
  const dark = theme === "dark";
  return svgPlot({
    title: view.title(name), xLabel: view.xLabel, yLabel: `${view.yLabel}, ${unit}`,
    logX: true, logY: true, series, slopes: view.slopes ? slopes(series) : [], width: 560, height: 380,
    ink: dark ? "#e6e9ef" : "#1b2130", faint: dark ? "#2c3442" : "#dde2ea", paper,
  });
}

/** The picture as elements: its text is escaped where it is written. */
function drawSvg(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

function methodTable(header, method) {
  if (method.refused) return el("p", { class: "soft" }, [method.refused]);
  const heads = ["Step, s", ...header.quantities.flatMap(({ name, unit }) => [`${name}, ${unit}`, "order"]), "Energy drift", "Time a step, s", "Verdict"];
  const rows = method.runs.map((run) => [
    short(run.step), ...header.quantities.flatMap((_, q) => [short(run.differences?.[q], 3), run.orders?.[q]?.toFixed(2) ?? "–"]),
    short(run.energy_drift, 2), short(run.seconds_a_step, 3),
  ].map((text) => el("td", { class: "number" }, [text])).concat(el("td", {}, [run.verdict && el("span", { class: `mark ${run.verdict.colour}`, title: run.verdict.sentence }, [run.verdict.colour])])));
  return table(heads, rows, { "aria-label": `Runs of ${method.name}` });
}

export async function showConverge({ page, header, theme }) {
  const pictures = el("div", { class: "pictures" });
  const drawable = VIEWS.flatMap((view) => header.quantities.flatMap((quantity, q) =>
    seriesOf(header, q, view, SERIES_COLOURS.light).length ? [{ key: `${quantity.name}_${view.key}`.replaceAll(" ", "_"), q, view }] : []));
  const draw = () => pictures.replaceChildren(...drawable.map(({ key, q, view }) =>
    el("figure", {}, [
      drawSvg(picture(header, q, view, theme.name, "none")),
      el("div", { class: "chart-tools" }, [button("SVG", `Save ${key} as SVG`, () => save(`${key}.svg`, "image/svg+xml", picture(header, q, view, "light", "#ffffff")))]),
    ])));
  theme.listeners.push(draw);
  const help = helpDialog([]);
  page.replaceChildren(
    topBar({ title: header.title || "Convergence", facts: [header.until && `to ${short(header.until)} s`].filter(Boolean), theme, help: () => help.showModal() }),
    el("main", { class: "document" }, [
      header.description && el("p", { class: "description" }, [header.description]),
      header.reference && el("p", { class: "soft" }, [header.reference]),
      pictures,
      ...header.methods.map((method) => el("section", {}, [
        el("h2", {}, [method.name, Number.isFinite(method.order) && el("span", { class: "mark grey" }, [`order ${method.order.toFixed(2)}${method.settled === false ? ", not settled" : ""}`])]),
        methodTable(header, method),
      ])),
      ...(header.notes ?? []).map((note) => el("p", { class: "soft" }, [note])),
    ]),
  );
  draw();
  return {
    plots: () => drawable.map(({ key }) => key),
    plotSvg: (name) => {
      const { q, view } = drawable.find(({ key }) => key === name);
      return picture(header, q, view, "light", "#ffffff");
    },
  };
}
