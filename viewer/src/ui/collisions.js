// SPDX-License-Identifier: MIT
// Collisions as a table that follows the time shown, and as ticks on the bar of times.
import { button, el, table } from "./dom.js";
import { short } from "../plots/ticks.js";

/** Rows of the table: of more collisions those about the time shown. */
const MOST_ROWS = 200;
/** Ticks closer than this share of the bar are drawn as one. */
const TICK_SHARE = 0.002;

const size = (v) => Math.hypot(...v);

/** How many collisions there are up to a time. @param {ArrayLike<number>} times ascending */
export function countUpTo(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Groups of collisions that one tick stands for. @returns {{share: number, first: number, last: number}[]} */
export function tickGroups(times, start, end) {
  const groups = [];
  for (let i = 0; i < times.length; i++) {
    const share = end > start ? (times[i] - start) / (end - start) : 0;
    if (groups.length && share - groups.at(-1).share < TICK_SHARE) groups.at(-1).last = i;
    else groups.push({ share, first: i, last: i });
  }
  return groups;
}

/** @param {import("../data/run.js").Run} run @param {(time: number) => void} seek */
export function collisionTicks(run, seek) {
  const { start, end } = run.frames;
  const tick = ({ share, first, last }) => {
    const { time, a, b } = run.collision(first);
    const more = last > first ? ` and ${last - first} more until ${short(run.collision(last).time, 6)} s` : "";
    return el("i", { style: `left:${(100 * share).toFixed(2)}%`, title: `${short(time, 6)} s: ${run.bodyName(a)} and ${run.bodyName(b)} collide${more}`, onclick: () => seek(time) });
  };
  return el("div", { class: "collision-ticks", "aria-hidden": "true" }, tickGroups(run.arrays.collision_times ?? [], start, end).map(tick));
}

/** @param {import("../data/run.js").Run} run @param {(time: number) => void} seek */
export function collisionList(run, seek) {
  const { collision_total: total = 0, collision_stride: stride = 1 } = run.header;
  const count = run.collisionCount;
  const box = el("div", {});
  const element = el("div", {}, [
    el("p", { class: "soft" }, [total === 0 ? "No bodies collided." : `${total.toLocaleString("en")} collision${total === 1 ? "" : "s"}${stride > 1 ? `, every ${stride}th of them here` : ""}${count > MOST_ROWS ? "; those about the time shown" : ""}.`]),
    box,
  ]);
  let shown = -1;
  let passed = null;
  let rows = [];
  const row = (i) => {
    const { time, a, b, point, impulse, approach, separation, before, jump } = run.collision(i);
    const speeds = `closes at ${short(-approach)} m/s, parts at ${short(separation)} m/s; kinetic energy of the two before ${short(before)} J; at (${point.map((x) => short(x)).join(", ")}) m`;
    return [
      el("td", { class: "number" }, [button(short(time, 8), `Go to ${short(time, 8)} s`, () => seek(time), { class: "link" })]),
      el("td", { title: speeds }, [el("div", {}, [run.bodyName(a)]), el("div", {}, [run.bodyName(b)])]),
      el("td", { class: "number", title: `(${impulse.map((x) => short(x)).join(", ")}) N s on ${run.bodyName(b)}` }, [short(size(impulse))]),
      el("td", { class: "number", title: speeds }, [short(-approach)]),
      el("td", { class: "number" }, [short(jump, 2)]),
    ];
  };
  const update = (time) => {
    const now = count > 0 ? countUpTo(run.arrays.collision_times, time) : 0;
    if (now === passed || count === 0) return;
    rows[passed - 1 - shown]?.classList.remove("last-passed");
    passed = now;
    const first = Math.max(0, Math.min(count - MOST_ROWS, now - MOST_ROWS / 2));
    if (first !== shown) {
      shown = first;
      box.replaceChildren(table(["Time, s", "Bodies", "Impulse, N s", "Closing, m/s", "Energy, J"], Array.from({ length: Math.min(count, MOST_ROWS) }, (_, i) => row(first + i)), { class: "collisions", "aria-label": "Collisions" }));
      rows = [...box.querySelectorAll("tbody tr")];
    }
    rows[now - 1 - shown]?.classList.add("last-passed");
  };
  return { element, update };
}
