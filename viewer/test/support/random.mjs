// SPDX-License-Identifier: MIT
// Seeded random numbers (mulberry32), for tests that are the same every time.

/** @param {number} seed @returns {() => number} in [0, 1) */
export function sampler(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A rotation about a random axis, w x y z. */
export function randomAttitude(random) {
  const q = [0, 0, 0, 0].map(() => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  const length = Math.hypot(...q);
  return q.map((c) => c / length);
}
