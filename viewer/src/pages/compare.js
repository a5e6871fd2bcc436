// SPDX-License-Identifier: MIT
// The page of a comparison: facts side by side, differences over time.
import { rowAt } from "../plots/catalogue.js";
import { Chart } from "../plots/chart.js";
import { el, table } from "../ui/dom.js";
import { helpDialog, topBar } from "../ui/shell.js";

function factTable(runs) {
  const names = [...new Set(runs.flatMap((run) => (run.facts ?? []).map((fact) => fact.name)))];
  const rows = names.map((name) => [el("th", { scope: "row" }, [name]), ...runs.map((run) => el("td", { class: "number" }, [run.facts?.find((fact) => fact.name === name)?.text ?? "–"]))]);
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
      return y?.some((value) => value > 0) ? [{ name: difference.name, y }] : [];
    });
    return series.length ? [{ key: name.replaceAll(" ", "_"), title: `Difference of ${name}`, unit, x, series, log: true }] : [];
  });
}

export async function showCompare({ page, header, arrays, theme }) {
  const charts = differencePlots(header, arrays).map((plot) => new Chart(plot, { theme: () => theme.name }));
  theme.listeners.push(() => charts.forEach((chart) => chart.redraw()));
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
      el("div", { class: "charts wide" }, charts.map((chart) => chart.element)),
      charts.length === 0 && el("p", { class: "soft" }, ["No quantity differs."]),
    ]),
  );
  charts.forEach((chart) => chart.redraw());
  const find = (name) => charts.find((chart) => chart.plot.key === name);
  return {
    plots: () => charts.map((chart) => chart.plot.key),
    plotValues: (name, time) => {
      const { plot } = find(name);
      return Object.fromEntries(plot.series.map((series) => [series.name, series.y[rowAt(plot, time)]]));
    },
    plotSvg: (name) => find(name).svg(),
    plotCsv: (name) => find(name).csv(),
  };
}
