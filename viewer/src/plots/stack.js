// SPDX-License-Identifier: MIT
// Series on top of each other: what is positive upward from zero, what is negative downward.

/** Shares of the largest value below which a series is rounding. */
const ROUNDING = 1e-9;

const largest = (y) => y.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);

/** Series without those that are nothing beside the others. @template {{y: ArrayLike<number>}} S @param {S[]} series @returns {S[]} */
export function withoutRounding(series) {
  const sizes = series.map(({ y }) => largest(y));
  const most = Math.max(0, ...sizes);
  return series.filter((_, i) => sizes[i] > ROUNDING * most);
}

/**
 * The bands of all series: each has one of what is positive and one of what is negative, which meet where it changes its sign.
 * @param {ArrayLike<number>[]} rows @returns {{of: number, low: Float64Array, high: Float64Array}[]} `of`: number of the series
 */
export function stack(rows) {
  const count = rows[0]?.length ?? 0;
  const up = new Float64Array(count);
  const down = new Float64Array(count);
  return rows.flatMap((y, of) => {
    const part = (keep) => Float64Array.from({ length: count }, (_, k) => (Number.isFinite(y[k]) ? keep(y[k], 0) : 0));
    const [low, high] = [up.slice(), down.slice()];
    part(Math.max).forEach((value, k) => (up[k] += value));
    part(Math.min).forEach((value, k) => (down[k] += value));
    return [{ of, low, high: up.slice() }, { of, low: down.slice(), high }].filter((band) => band.low.some((value, k) => value !== band.high[k]));
  });
}
