// SPDX-License-Identifier: MIT
// The certificate as a table: what was promised, what came out.
import { button, el, table } from "./dom.js";
import { short, shownUnit } from "../plots/ticks.js";

const MARK = { kept: "green", broken: "red", missed: "amber", reported: "grey" };

/** @param {import("../data/run.js").Run} run @param {(step: number) => void} goToStep */
export function certificateTable(run, goToStep) {
  const rows = (run.header.certificate ?? []).map(({ quantity, worst, bound, unit, verdict, step }) => [
    el("td", {}, [quantity]),
    el("td", { class: "number" }, [
      el("div", {}, [short(worst), unit && el("span", { class: "unit" }, [` ${shownUnit(unit)}`])]),
      Number.isFinite(step) && button(`step ${step}`, `Go to step ${step}, where ${quantity} is worst`, () => goToStep(step), { class: "link" }),
    ]),
    el("td", { class: "number" }, [bound === null || bound === undefined ? "–" : short(bound)]),
    el("td", {}, [el("span", { class: `mark ${MARK[verdict] ?? "grey"}` }, [verdict ?? ""])]),
  ]);
  if (!rows.length) return el("p", { class: "soft" }, ["This run has no certificate: no step was made."]);
  return table(["Quantity", "Worst value", "Bound", "Verdict"], rows, { class: "certificate", "aria-label": "Certificate" });
}

const MOST_SWITCHES = 200;

/** Joints that have opened and closed; null when none did. @param {import("../data/run.js").Run} run @param {(step: number) => void} goToStep */
export function switchesTable(run, goToStep) {
  const switched = run.jointEvents.filter(({ reason }) => reason !== "start");
  if (!switched.length) return null;
  const rows = switched.slice(0, MOST_SWITCHES).map(({ time, step, joint, outcome, reason, force, moment, impulse, energy }) => [
    el("td", {}, [button(`${short(time)} s`, `Go to step ${step}, where ${run.jointName(joint)} ${outcome}`, () => goToStep(step), { class: "link" })]),
    el("td", {}, [run.jointName(joint)]),
    el("td", {}, [`${outcome}, ${reason}`]),
    el("td", { class: "number" }, [outcome === "opened" ? `${short(force)} N, ${short(moment)} N m` : `${short(impulse)} N s, ${short(energy)} J`]),
  ]);
  const left = (run.header.joint_event_count ?? 0) - run.jointEvents.length + switched.length - rows.length;
  return el("section", { class: "switches" }, [
    el("h3", {}, ["Joints that opened and closed"]),
    table(["Time", "Joint", "What and why", "Load; impulse and energy"], rows, { class: "certificate", "aria-label": "Joints that opened and closed" }),
    left > 0 && el("p", { class: "soft" }, [`and ${left} more`]),
  ]);
}

/** @param {import("../data/run.js").Run} run */
export function factsTable(run) {
  const { header } = run;
  const decimated = header.frame_stride > 1 ? ` of ${header.recorded_frames}: every ${header.frame_stride}th` : "";
  const bucket = header.certificate_bucket > 1 ? `, smallest and largest of every ${header.certificate_bucket}` : "";
  const rows = [
    ["Method", header.method],
    ["Step", header.step !== undefined && `${short(header.step)} s${header.step_pieces ? ` after ${header.step_pieces} piece${header.step_pieces === 1 ? "" : "s"} of time with other steps` : ""}`],
    ["Reached", header.time !== undefined && `${short(header.time)} s${header.until ? ` of ${short(header.until)} s` : ""}`],
    ["Steps", header.step_count !== undefined && `${header.step_count}${bucket}`],
    ["Frames", `${run.frames.count}${decimated}`],
    ["Bodies", String(run.rigidCount)],
    ...(run.flexible.list.length ? [["Flexible bodies", `${run.flexible.list.length}, with ${run.flexible.nodeCount} nodes`]] : []),
    ["Joints", run.joints.length > 0 && String(run.joints.length)],
    ["Ended early", header.end_text],
    ["State's hash", header.hash],
    ["carom", header.version],
  ].filter(([, value]) => value);
  return el("table", { class: "facts-table" }, [el("tbody", {}, rows.map(([name, value]) => el("tr", {}, [el("th", { scope: "row" }, [name]), el("td", {}, [value])])))]);
}
