// SPDX-License-Identifier: MIT
// The page of a comparison: facts side by side, paths of bodies and energies under every method, differences over time.
import { rowAt } from "../plots/catalogue.js";
import { Chart } from "../plots/chart.js";
import { energyPlot, pathPlots } from "../plots/paths.js";
import { el, table } from "../ui/dom.js";
import { helpDialog, topBar } from "../ui/shell.js";

/** Numbers stay on one line, sentences do not: several runs fit side by side. */
function factCell(text = "–") {
  return el("td", { class: text.length > 40 ? "" : "number" }, [text]);
}

function factTable(runs) {
  const names = [...new Set(runs.flatMap((run) => (run.facts ?? []).map((fact) => fact.name)))];
  const rows = names.map((name) => [el("th", { scope: "row" }, [name]), ...runs.map((run) => factCell(run.facts?.find((fact) => fact.name === name)?.text))]);
  return table(["", ...runs.map((run) => run.name)], rows, { "aria-label": "Facts of the runs" });
}

/** One plot a quantity, with a curve for every run that is compared. @returns {import("../plots/catalogue.js").Plot[]} */
function differencePlots(header, arrays) {
  const x = arrays.difference_times_0 ?? new Float64Array(0);
  return header.quantities.flatMap(({ name, unit }, q) => {
    const series = (header.differences ?? []).flatMap((difference, i) => {
      const all = arrays[`difference_${i}`];
      const count = arrays[`difference_times_${i}`]?.length ?? 0;
      const y = all?.slice(q * count, (q + 1) * count);
      return y?.some((value) => value > 0) ? [{ name: difference.name, y, colour: i + 1 }] : []; // the first run has colour 0
    });
    return series.length ? [{ key: name.replaceAll(" ", "_"), title: `Difference of ${name}`, unit, x, series, log: true }] : [];
  });
}

/** Charts of the path of one body, or of all, to choose from a list. */
function pathSection(header, arrays, makeChart) {
  const names = header.paths?.bodies ?? [];
  const section = { charts: [], element: null };
  if (names.length === 0) return section;
  const box = el("div", { class: "charts wide" });
  const show = (body) => {
    section.charts = pathPlots(header, arrays, body).map(makeChart);
    box.replaceChildren(...section.charts.map((chart) => chart.element));
    section.charts.forEach((chart) => chart.redraw());
  };
  const list = el("select", { "aria-label": "Body whose path is shown", onchange: () => show(Number(list.value)) }, [
    el("option", { value: "-1" }, ["all bodies"]), ...names.map((name, b) => el("option", { value: String(b) }, [name]))]);
  const { left_out: leftOut } = header.paths;
  section.element = el("section", {}, [
    el("h2", {}, ["Paths of ", list]),
    leftOut > 0 && el("p", { class: "soft" }, [`The page has the paths of the first ${names.length} bodies that move; ${leftOut} are left out.`]),
    box,
  ]);
  section.show = show;
  show(-1);
  return section;
}

export async function showCompare({ page, header, arrays, theme }) {
  const makeChart = (plot) => new Chart(plot, { theme: () => theme.name });
  const energy = energyPlot(header, arrays);
  const fixed = [...(energy ? [energy] : []), ...differencePlots(header, arrays)].map(makeChart);
  const paths = pathSection(header, arrays, makeChart);
  const all = () => [...paths.charts, ...fixed];
  theme.listeners.push(() => all().forEach((chart) => chart.redraw()));
  const help = helpDialog([]);
  page.replaceChildren(
    topBar({ title: header.title || "Comparison", facts: [], theme, help: () => help.showModal() }),
    el("main", { class: "document" }, [
      header.description && el("p", { class: "description" }, [header.description]),
      factTable(header.runs),
      ...(header.differences ?? []).map(({ name, verdict, notes }) => el("section", {}, [
        el("h2", {}, [`${name} against ${header.runs[0].name}`, verdict && el("span", { class: "mark grey" }, [verdict])]),
        ...(notes ?? []).map((note) => el("p", { class: "soft" }, [note])),
      ])),
      paths.element,
      el("h2", {}, [energy ? "Energy and differences" : "Differences"]),
      el("div", { class: "charts wide" }, fixed.map((chart) => chart.element)),
      !fixed.some((chart) => chart.plot.key !== "energy") && el("p", { class: "soft" }, ["No quantity differs."]),
    ]),
  );
  all().forEach((chart) => chart.redraw());
  const find = (name) => all().find((chart) => chart.plot.key === name);
  return {
    plots: () => all().map((chart) => chart.plot.key),
    showPath: (body) => paths.show?.(body),
    plotValues: (name, time) => {
      const { plot } = find(name);
      return Object.fromEntries(plot.series.map((series) => [series.name, series.y[rowAt(plot, time)]]));
    },
    plotSvg: (name) => find(name).svg(),
    plotCsv: (name) => find(name).csv(),
  };
}
