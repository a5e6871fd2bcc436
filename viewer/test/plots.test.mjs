// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { certificatePlots, rowAt } from "../src/plots/catalogue.js";
import { plotCsv } from "../src/plots/csv.js";
import { energyPlot, pathPlots } from "../src/plots/paths.js";
import { stack } from "../src/plots/stack.js";
import { svgPlot } from "../src/plots/svg.js";
import { labels, linearTicks, logTicks, short } from "../src/plots/ticks.js";
import { bucketCertificates } from "./support/encode.mjs";
import { quantitiesOf } from "./support/quantities.mjs";
import { sampler } from "./support/random.mjs";

const HOSTILE = `</script><script>alert("1")</script> & 'x'`;

test("CSV reads back to the same numbers, and names with commas and quotes are quoted", () => {
  const plot = { key: "k", title: "t", unit: "J", x: [0.1, 1 / 3], series: [{ name: 'a,"b"', y: [Math.PI, NaN] }, { name: "c", y: [-1e-300, 2] }] };
  const lines = plotCsv(plot).split("\n");
  assert.equal(lines[0], 'time [s],"a,""b"" [J]",c [J]');
  assert.deepEqual(lines[1].split(",").map(Number), [0.1, Math.PI, -1e-300]);
  assert.equal(lines[2], `${1 / 3},,2`);
});

test("SVG has every point where its numbers say, and no text that is markup", () => {
  const picture = { title: HOSTILE, xLabel: "x", yLabel: HOSTILE, x: [0, 10], series: [{ name: HOSTILE, y: [0, 100], colour: "#123456" }], width: 600, height: 400 };
  const text = svgPlot(picture);
  assert.ok(!text.includes("<script") && !text.includes('"1"'));
  const [, x0, y0, x1, y1] = text.match(/<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" fill="none" stroke="#123456"/).map(Number);
  assert.ok(x1 > x0 && y1 < y0);
  // The axes run over 4 % more than the numbers at both ends.
  assert.ok(Math.abs((x0 - 72) / (582 - 72) - 0.04 / 1.08) < 1e-3);
});

test("a logarithmic SVG leaves out what has no logarithm and keeps equal factors equally far apart", () => {
  const text = svgPlot({ title: "t", xLabel: "", yLabel: "", logX: true, logY: true, series: [{ name: "s", x: [1, 10, 100, 1000], y: [1, 100, 0, 1e6], colour: "#123456", marks: true }] });
  const centres = [...text.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map((m) => [Number(m[1]), Number(m[2])]);
  assert.equal(centres.length, 3);
  const [a, b, c] = centres;
  assert.ok(Math.abs(c[0] - b[0] - 2 * (b[0] - a[0])) < 0.05 && Math.abs(c[1] - b[1] - 2 * (b[1] - a[1])) < 0.05);
});

test("ticks are round, inside, and a few", () => {
  const random = sampler(9);
  for (let i = 0; i < 200; i++) {
    const low = 10 ** (10 * random() - 5) * (random() < 0.5 ? -1 : 1);
    const high = low + 10 ** (10 * random() - 5);
    const ticks = linearTicks(low, high);
    assert.ok(ticks.length >= 1 && ticks.length <= 8);
    assert.ok(ticks.every((tick) => tick >= low - 1e-9 * (high - low) && tick <= high + 1e-9 * (high - low)));
  }
  assert.deepEqual(logTicks(0.5e-3, 2e5), [1e-3, 1e-2, 0.1, 1, 10, 100, 1000, 1e4, 1e5].filter((_, i) => i % 2 === 1));
  assert.deepEqual(logTicks(0.9, 60), [1, 2, 5, 10, 20, 50]);
});

test("numbers as short text", () => {
  const cases = [[0, "0"], [1234567, "1.235e6"], [0.25, "0.25"], [-1.5e-9, "−1.5e−9"], [null, "–"], [NaN, "–"], [99.99999, "100"]];
  for (const [value, text] of cases) assert.equal(short(value), text);
});

test("long runs are bucketed without losing a peak or the order of a fall", () => {
  const n = 100003;
  const random = sampler(12);
  const column = Array.from({ length: n }, () => random());
  column[77777] = 50;
  column[33333] = -50;
  column[100] = NaN;
  const index = Array.from({ length: n }, (_, i) => i + 1);
  const { columns, bucket } = bucketCertificates({ step: index, time: index.map((i) => i / 10), residual: column });
  assert.equal(bucket, Math.ceil(n / 2048));
  assert.ok(columns.time.length <= 4096 && columns.time.length === columns.residual.length);
  assert.equal(Math.max(...columns.residual), 50);
  assert.equal(Math.min(...columns.residual), -50);
  assert.equal(columns.step[0], 1);
  assert.equal(columns.step.at(-1), n);
  const falling = bucketCertificates({ time: index, total: index.map((i) => -i) }).columns.total;
  assert.ok(falling.every((value, i) => i === 0 || value <= falling[i - 1]));
});

test("plots are made of what is there; what is zero throughout is told, not drawn", () => {
  const certificate = { time: [1, 2], total: [3, 3.5], kinetic: [1, 2], residual: [1e-9, 2e-9], contacts: [0, 0], substeps: [1, 1] };
  const header = { certificate: [{ name: "residual", quantity: "residual", bound: 1e-6 }], certificate_quantities: quantitiesOf(certificate) };
  const { plots, flat } = certificatePlots({ certificate, header });
  assert.deepEqual(plots.map((plot) => plot.key), ["energy", "energy_change", "residual"]);
  assert.deepEqual([...plots[1].series[0].y], [0, 0.5]);
  assert.equal(plots[2].bound, 1e-6);
  assert.deepEqual(flat, ["substeps", "contacts"]);
});

test("what projections and impacts add has plots of its own, without axes where nothing is added", () => {
  const certificate = { time: [1, 2], projection_energy: [0, 1e-3], projection_lx: [0, 0], projection_ly: [0, 2e-5], projection_lz: [0, -1e-5], impact_energy: [0, -3] };
  const { plots, flat } = certificatePlots({ certificate, header: { certificate_quantities: quantitiesOf(certificate) } });
  assert.deepEqual(plots.map((plot) => [plot.key, plot.unit]), [["projection_energy", "J"], ["projection_momentum", "kg m²/s"], ["impact_energy", "J"]]);
  assert.deepEqual(plots[1].series.map((series) => series.name), ["y", "z"]);
  assert.deepEqual(flat, []);
});

test("what is stacked lies between its edges, positive upward and negative downward, and ends at the sums", () => {
  const rows = [[0, 1, 2], [0, -3, 1], [0, NaN, -2]];
  const bands = stack(rows);
  assert.deepEqual(bands.map(({ of }) => of), [0, 1, 1, 2]);
  assert.deepEqual(bands.map(({ low }) => [...low]), [[0, 0, 0], [0, 1, 2], [0, -3, 0], [0, -3, -2]]);
  assert.deepEqual(bands.map(({ high }) => [...high]), [[0, 1, 2], [0, 1, 3], [0, 0, 0], [0, -3, 0]]);
  assert.deepEqual(stack([]), []);
  const svg = svgPlot({ title: "t", xLabel: "", yLabel: "", x: [0, 1, 2], series: [{ name: "a", y: rows[0], bands: bands.slice(0, 1), colour: "#123456" }] });
  assert.match(svg, /<path d="M[^"]*Z" fill="#123456"/);
});

test("the ledger follows the energies, without lines of rounding, and under the change of the kinetic energy", () => {
  const certificate = { time: [0, 1, 2], total: [3, 3, 2], kinetic: [1, 2, 0.5], residual: [NaN, 1e-9, 2e-9], work_conservative: [0, 1, 0.5], work_friction: [0, 0, -1], work_passive: [0, 1e-17, 0] };
  const { plots } = certificatePlots({ certificate, header: { certificate_quantities: quantitiesOf(certificate) } });
  assert.deepEqual(plots.map((plot) => plot.key), ["energy", "energy_change", "ledger", "residual"]);
  const { series, stacked } = plots[2];
  assert.equal(stacked, 2);
  assert.deepEqual(series.map(({ name }) => name), ["conservative", "friction", "kinetic energy less that of the start"]);
  // What the lines add up to is what lies over them.
  series[2].y.forEach((value, k) => assert.equal(value, series[0].y[k] + series[1].y[k]));
});

test("the row of a time is the last one that is not later", () => {
  const plot = { x: [1, 2, 4] };
  assert.deepEqual([0, 1, 1.9, 2, 3.99, 4, 9].map((time) => rowAt(plot, time)), [0, 0, 0, 1, 1, 2, 2]);
});

test("paths of a comparison: a colour a method, one plot for each component that changes, shorter runs end earlier", () => {
  const header = { runs: [{ name: "exact" }, { name: "dcr" }], paths: { bodies: ["a", "b"], left_out: 0 } };
  // Body by body, x, y, z of each over the times; b moves along x and y, a along x.
  const arrays = {
    path_times_0: Float64Array.of(0, 1, 2), path_energy_0: Float64Array.of(1, 1, 1),
    path_position_0: Float64Array.of(0, 1, 2, 5, 5, 5, 0, 0, 0, 3, 4, 5, 0, 2, 4, 0, 0, 0),
    path_times_1: Float64Array.of(0, 1), path_energy_1: Float64Array.of(1, 2),
    path_position_1: Float64Array.of(0, 1.5, 5, 5, 0, 0, 3, 4.5, 0, 2.5, 0, 0),
  };
  const energy = energyPlot(header, arrays);
  assert.deepEqual(energy.series.map((series) => [...series.y]), [[1, 1, 1], [1, 2]]);
  assert.deepEqual([...energy.x], [0, 1, 2]);
  const all = pathPlots(header, arrays, -1);
  assert.deepEqual(all.map((plot) => plot.title), ["x of all bodies", "y of all bodies"]);
  assert.deepEqual(all[0].series.map((series) => [series.name, series.colour, series.legend ?? "", Boolean(series.quiet)]),
    [["exact: a", 0, "exact", false], ["exact: b", 0, "", true], ["dcr: a", 1, "dcr", false], ["dcr: b", 1, "", true]]);
  assert.deepEqual([...all[1].series[1].y], [0, 2, 4]);
  assert.deepEqual([...all[1].series[3].y], [0, 2.5]);
  const one = pathPlots(header, arrays, 0);
  assert.deepEqual(one.map((plot) => plot.title), ["x of a"]);
  assert.deepEqual(one[0].series.map((series) => series.name), ["exact", "dcr"]);
});

test("labels of ticks have the digits that tell them apart", () => {
  assert.deepEqual(labels([0, 0.5, 1]), ["0", "0.5", "1"]);
  assert.deepEqual(labels([3.726, 3.727, null, 3.728]), ["3.726", "3.727", "", "3.728"]);
  assert.deepEqual(labels([1000.00001, 1000.00002]), ["1000.00001", "1000.00002"]);
});
