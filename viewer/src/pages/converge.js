// SPDX-License-Identifier: MIT
// The page of a study of convergence: errors against steps, orders, costs.
import { svgPlot } from "../plots/svg.js";
import { short } from "../plots/ticks.js";
import { button, el, save, table } from "../ui/dom.js";
import { helpDialog, topBar } from "../ui/shell.js";
import { SERIES_COLOURS } from "../view/palette.js";

/** Series of one quantity: a curve a method. */
function seriesOf(header, q, value, colours) {
  return header.methods.flatMap((method, m) => {
    const runs = method.runs ?? [];
    const y = runs.map((run) => value(run, q) ?? null);
    const order = method.orders?.[q];
    return y.some((v) => v > 0) ? [{ name: Number.isFinite(order) ? `${method.name} (order ${order.toFixed(2)})` : method.name, x: runs.map((run) => run.step), y, colour: colours[m % colours.length], marks: true, order }] : [];
  });
}

/** A triangle under the steepest clean curve, with its whole order as slope. */
function slopes(series) {
  return series.flatMap(({ x, y, order }) => {
    const whole = Math.round(order);
    const at = y.findIndex((v, i) => v > 0 && y[i + 1] > 0);
    if (!(whole >= 1) || Math.abs(whole - order) > 0.35 || at < 0) return [];
    const [high, low] = x[at] > x[at + 1] ? [at, at + 1] : [at + 1, at];
    const drop = 0.45;
    const base = y[low] * drop;
    return [{ points: [[x[low], base], [x[high], base], [x[high], base * (x[high] / x[low]) ** whole]], label: String(whole) }];
  });
}

function picture(header, q, theme, paper) {
  const { name, unit } = header.quantities[q];
  const series = seriesOf(header, q, (run) => run.differences?.[q], SERIES_COLOURS[theme]);
  const dark = theme === "dark";
  return svgPlot({
    title: `${name[0].toUpperCase()}${name.slice(1)}`, xLabel: "step, s", yLabel: `difference, ${unit}`,
    logX: true, logY: true, series, slopes: slopes(series), width: 560, height: 380,
    ink: dark ? "#e6e9ef" : "#1b2130", faint: dark ? "#2c3442" : "#dde2ea", paper,
  });
}

/** The picture as elements: its text is escaped where it is written. */
function drawSvg(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

function methodTable(header, method) {
  if (method.refused) return el("p", { class: "soft" }, [method.refused]);
  const heads = ["Step, s", ...header.quantities.flatMap(({ name, unit }) => [`${name}, ${unit}`, "order"]), "Energy drift", "Time a step, s"];
  const rows = method.runs.map((run) => [
    short(run.step), ...header.quantities.flatMap((_, q) => [short(run.differences?.[q], 3), run.orders?.[q]?.toFixed(2) ?? "–"]),
    short(run.energy_drift, 2), short(run.seconds_a_step, 3),
  ].map((text) => el("td", { class: "number" }, [text])));
  return table(heads, rows, { "aria-label": `Runs of ${method.name}` });
}

export async function showConverge({ page, header, theme }) {
  const pictures = el("div", { class: "pictures" });
  const draw = () => pictures.replaceChildren(...header.quantities.map((quantity, q) =>
    el("figure", {}, [
      drawSvg(picture(header, q, theme.name, "none")),
      el("div", { class: "chart-tools" }, [button("SVG", `Save ${quantity.name} as SVG`, () => save(`${quantity.name}.svg`, "image/svg+xml", picture(header, q, "light", "#ffffff")))]),
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
    plots: () => header.quantities.map((quantity) => quantity.name),
    plotSvg: (name) => picture(header, header.quantities.findIndex((quantity) => quantity.name === name), "light", "#ffffff"),
  };
}
