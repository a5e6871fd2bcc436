// SPDX-License-Identifier: MIT
// Round numbers for axes, and numbers as short text.

/** Steps of 1, 2 or 5 times a power of ten, about `wanted` of them. @returns {number[]} */
export function linearTicks(low, high, wanted = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((s) => s * power >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

/** Powers of ten between two positive numbers, at most `most`; with 2 and 5 times them where there are few. @returns {number[]} */
export function logTicks(low, high, most = 8) {
  const from = Math.floor(Math.log10(low));
  const to = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((to - from) / most));
  const multiples = Math.log10(high / low) < 2.5 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = from; power <= to; power += every)
    for (const multiple of multiples) {
      const tick = Number(`${multiple}e${power}`);
      if (tick >= low * 0.999999 && tick <= high * 1.000001) ticks.push(tick);
    }
  return ticks;
}

/** @param {number | null | undefined} value @param {number} digits significant ones */
export function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3
    ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
    : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

/** Numbers beside each other, with as many digits as tell them apart; null stays empty. */
export function labels(ticks, digits = 3) {
  const write = (many) => ticks.map((tick) => (tick === null ? "" : short(tick, many)));
  const shown = ticks.filter((tick) => tick !== null);
  for (let many = digits; many < 12; many++) {
    const texts = write(many);
    if (new Set(texts.filter(Boolean)).size === new Set(shown).size) return texts;
  }
  return write(12);
}

/** Pixels that numbers beside an axis need, small ones as many as always. @param {(string | null)[]} texts */
export function besideWidth(texts) {
  const longest = Math.max(0, ...texts.map((text) => text?.length ?? 0));
  return Math.max(58, 14 + 6.6 * longest);
}

/** A unit as people write it. @param {string} unit */
export const shownUnit = (unit) => unit.replaceAll("^2", "²");
