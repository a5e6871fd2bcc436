// SPDX-License-Identifier: MIT
// A plot as comma-separated values, numbers to the last bit, names quoted as RFC 4180 says.

const field = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const number = (value) => (Number.isFinite(value) ? String(value) : "");

/** @param {import("./catalogue.js").Plot} plot @param {string} xName */
export function plotCsv(plot, xName = "time [s]") {
  const heads = [xName, ...plot.series.map((series) => (plot.unit ? `${series.name} [${plot.unit}]` : series.name))];
  const lines = [heads.map(field).join(",")];
  for (let i = 0; i < plot.x.length; i++)
    lines.push([number(plot.x[i]), ...plot.series.map((series) => number(series.y[i]))].join(","));
  return lines.join("\n") + "\n";
}
