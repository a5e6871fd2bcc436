// SPDX-License-Identifier: MIT
// The bar under the view: play, steps, speed, and the scrubber with marks where the contract broke and where joints opened
// and closed, and ticks of collisions.
import { collisionTicks } from "./collisions.js";
import { button, el, icon } from "./dom.js";
import { SPEEDS } from "./player.js";
import { short } from "../plots/ticks.js";

/** Marks closer than this share of the bar are drawn as one. */
const MARK_SHARE = 0.002;

function shares(run, times) {
  const { start, end } = run.frames;
  const shown = [];
  for (const time of times) {
    const share = end > start ? (time - start) / (end - start) : 0;
    if (share < -0.01 || share > 1.01 || share - (shown.at(-1) ?? -1) < MARK_SHARE) continue;
    shown.push(share);
  }
  return shown;
}

function marks(run) {
  const at = (share, attributes) => el("i", { style: `left:${(100 * share).toFixed(2)}%`, ...attributes });
  const switched = run.jointEvents.filter(({ reason }) => reason !== "start");
  const closed = switched.filter(({ outcome }) => outcome === "closed").map(({ time }) => time);
  const opened = switched.filter(({ outcome }) => outcome === "opened").map(({ time }) => time);
  return el("div", { class: "marks", "aria-hidden": "true" }, [
    ...shares(run, closed).map((share) => at(share, { class: "closed" })),
    ...shares(run, opened).map((share) => at(share, { class: "opened" })),
    ...shares(run, run.header.broken_steps?.times ?? []).map((share) => at(share, {})),
  ]);
}

/** @param {import("../data/run.js").Run} run @param {import("./player.js").Player} player */
export function timeline(run, player) {
  const { frames } = run;
  const play = button(icon("play"), "Play or pause (space)", () => player.toggle(), { class: "icon play" });
  const back = button(icon("back"), "One frame back (left)", () => player.step(-1), { class: "icon" });
  const forward = button(icon("forward"), "One frame on (right)", () => player.step(1), { class: "icon" });
  const scrub = el("input", {
    type: "range", min: frames.start, max: frames.end, step: "any", value: frames.start, "aria-label": "Time", class: "scrub",
    disabled: frames.count < 2,
    oninput: () => {
      player.playing = false;
      // The bar's own rounding must not keep it from the last frame.
      const time = Number(scrub.value);
      player.seek(frames.end - time < 1e-9 * (frames.end - frames.start) ? frames.end : time);
    },
  });
  const speed = el("select", { "aria-label": "Speed of playing", onchange: () => player.setSpeed(Number(speed.value)) },
    SPEEDS.map((value) => el("option", { value }, [`${value}×`])));
  const clock = el("output", { class: "clock" });
  const count = el("span", { class: "clock soft" });
  for (const control of [play, back, forward, speed]) control.disabled = frames.count < 2;

  let wasPlaying = null;
  const update = () => {
    const { frame } = player.place;
    scrub.value = String(player.time);
    const span = frames.end - frames.start;
    scrub.style.setProperty("--share", span > 0 ? String((player.time - frames.start) / span) : "0");
    scrub.setAttribute("aria-valuetext", `${short(player.time)} s, frame ${frame}`);
    clock.textContent = `${player.time.toFixed(decimals(span))} s`;
    count.textContent = frames.count ? `frame ${frame} of ${frames.count - 1}, step ${frames.steps[frame]}` : "no frames";
    speed.value = String(player.speed);
    if (wasPlaying === player.playing) return;
    wasPlaying = player.playing;
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
  };
  player.listeners.push(update);
  update();
  return el("div", { class: "timeline", role: "group", "aria-label": "Playing" }, [
    el("div", { class: "transport" }, [back, play, forward]),
    clock,
    el("div", { class: "scrub-box" }, [scrub, marks(run), collisionTicks(run, (time) => {
      player.playing = false;
      player.seek(time);
    })]),
    count,
    speed,
  ]);
}

/** Three more digits than the run's length has. */
function decimals(span) {
  return Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span || 1))));
}
