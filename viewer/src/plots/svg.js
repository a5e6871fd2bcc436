// SPDX-License-Identifier: MIT
// A plot as an SVG picture of its own: axes, curves, a legend; linear or logarithmic either way.
import { besideWidth, labels, linearTicks, logTicks, short } from "./ticks.js";

/**
 * @typedef {{text: string, x: number, y: number}} Label in numbers of the axes
 * @typedef {{points: [number, number][], label?: string}} Slope a triangle in numbers of the axes
 * @typedef {{title: string, xLabel: string, yLabel: string, x?: ArrayLike<number>, logX?: boolean, logY?: boolean,
 *            series: {name: string, x?: ArrayLike<number>, y: ArrayLike<number>, colour: string, marks?: boolean, dash?: boolean,
 *                     bands?: {low: ArrayLike<number>, high: ArrayLike<number>}[]}[],
 *            bound?: number | null, slopes?: Slope[], width?: number, height?: number,
 *            ink?: string, faint?: string, paper?: string}} Picture
 */

const MARGIN = { left: 72, right: 18, top: 40, bottom: 78 };
const LIGHT = { ink: "#1b2130", faint: "#d4d9e1", paper: "#ffffff" };

export const escapeXml = (text) =>
  String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

/** Range of all values that can be drawn, with some air. */
function range(values, log) {
  let low = Infinity;
  let high = -Infinity;
  for (const list of values)
    for (let i = 0; i < list.length; i++) {
      const value = list[i];
      if (value === null || !Number.isFinite(value) || (log && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (!(low <= high)) return log ? [0.1, 1] : [0, 1];
  if (log) return [low / 1.6, high * 1.6];
  const air = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - air, high + air];
}

function axis([low, high], log, from, to) {
  const map = log ? Math.log10 : (value) => value;
  const [a, b] = [map(low), map(high)];
  return { at: (value) => from + ((map(value) - a) / (b - a)) * (to - from), ticks: log ? logTicks(low, high) : linearTicks(low, high) };
}

/** @param {Picture} picture @returns {string} a whole SVG file */
export function svgPlot(picture) {
  const { width = 720, height = 420, logX = false, logY = false } = picture;
  const { ink, faint, paper } = { ...LIGHT, ...picture };
  const [right, top, bottom] = [width - MARGIN.right, MARGIN.top, height - MARGIN.bottom];
  const xs = picture.series.map((series) => series.x ?? picture.x);
  const drawnXs = xs.map((list, i) => Array.from(list).filter((_, k) => picture.series[i].y[k] !== null));
  const bound = picture.bound > 0 ? [[picture.bound]] : [];
  const triangles = (picture.slopes ?? []).map((slope) => slope.points);
  const y = axis(range([...picture.series.flatMap((s) => (s.bands ? s.bands.flatMap((band) => [band.low, band.high]) : [s.y])), ...bound, ...triangles.map((t) => t.map((p) => p[1]))], logY), logY, bottom, top);
  const beside = labels(y.ticks, 4);
  const left = Math.max(MARGIN.left, besideWidth(beside) + 8);
  const x = axis(range([...drawnXs, ...triangles.map((t) => t.map((p) => p[0]))], logX), logX, left, right);
  const n = (value) => value.toFixed(2);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escapeXml(picture.title)}">`,
    paper === "none" ? "" : `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<text x="${left}" y="22" font-size="15" font-weight="600" fill="${ink}">${escapeXml(picture.title)}</text>`,
  ];
  for (const tick of x.ticks)
    out.push(`<path d="M${n(x.at(tick))} ${top}V${bottom}" stroke="${faint}"/><text x="${n(x.at(tick))}" y="${bottom + 17}" text-anchor="middle" fill="${ink}">${short(tick)}</text>`);
  y.ticks.forEach((tick, i) =>
    out.push(`<path d="M${left} ${n(y.at(tick))}H${right}" stroke="${faint}"/><text x="${left - 8}" y="${n(y.at(tick) + 4)}" text-anchor="end" fill="${ink}">${beside[i]}</text>`));
  out.push(`<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="${ink}"/>`);
  out.push(`<text x="${(left + right) / 2}" y="${bottom + 36}" text-anchor="middle" fill="${ink}">${escapeXml(picture.xLabel)}</text>`);
  out.push(`<text transform="translate(16 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle" fill="${ink}">${escapeXml(picture.yLabel)}</text>`);
  if (bound.length) out.push(`<path d="M${left} ${n(y.at(picture.bound))}H${right}" stroke="#c0392b" stroke-dasharray="5 4"/><text x="${right}" y="${n(y.at(picture.bound) - 5)}" text-anchor="end" fill="#c0392b">bound ${short(picture.bound)}</text>`);
  for (const slope of picture.slopes ?? []) out.push(triangle(slope, x, y, ink, n));
  picture.series.forEach((series, i) => out.push(series.bands ? areas(series, xs[i], x, y, n) : curve(series, xs[i], x, y, logX, logY, n)));
  out.push(legend(picture.series, left, height - 10, ink), "</svg>");
  return out.filter(Boolean).join("\n") + "\n";
}

function areas({ bands, colour }, xs, x, y, n) {
  const points = (edge) => Array.from(edge, (value, i) => `${n(x.at(xs[i]))} ${n(y.at(value))}`);
  return bands.map(({ low, high }) => `<path d="M${[...points(high), ...points(low).reverse()].join("L")}Z" fill="${colour}" fill-opacity="0.5"/>`).join("");
}

function curve(series, xs, x, y, logX, logY, n) {
  let path = "";
  let pen = "M";
  const marks = [];
  for (let i = 0; i < series.y.length; i++) {
    const [u, v] = [xs[i], series.y[i]];
    if (v === null || !Number.isFinite(v) || !Number.isFinite(u) || (logY && v <= 0) || (logX && u <= 0)) {
      pen = "M";
      continue;
    }
    path += `${pen}${n(x.at(u))} ${n(y.at(v))}`;
    pen = "L";
    if (series.marks) marks.push(`<circle cx="${n(x.at(u))}" cy="${n(y.at(v))}" r="4" fill="${series.colour}"/>`);
  }
  return path && `<path d="${path}" fill="none" stroke="${series.colour}" stroke-width="1.8" stroke-linejoin="round"${series.dash ? ' stroke-dasharray="5 4"' : ""}/>${marks.join("")}`;
}

function triangle(slope, x, y, ink, n) {
  const points = slope.points.map(([u, v]) => `${n(x.at(u))} ${n(y.at(v))}`);
  const [corner, end] = [slope.points[1], slope.points[2]];
  const at = [x.at(corner[0]) + 6, (y.at(corner[1]) + y.at(end[1])) / 2 + 4];
  return `<path d="M${points.join("L")}Z" fill="none" stroke="${ink}" stroke-opacity="0.6"/><text x="${n(at[0])}" y="${n(at[1])}" fill="${ink}">${escapeXml(slope.label ?? "")}</text>`;
}

function legend(series, left, y, ink) {
  let at = left;
  return series.filter((s) => !s.quiet).map(({ name, legend: shown, colour }) => {
    const text = `<rect x="${at}" y="${y - 8}" width="14" height="4" rx="2" fill="${colour}"/><text x="${at + 19}" y="${y}" fill="${ink}">${escapeXml(shown ?? name)}</text>`;
    at += 36 + 6.6 * String(shown ?? name).length;
    return text;
  }).join("");
}
