// SPDX-License-Identifier: MIT
// What a plan promises and how it was found, beside its plots.
import { Chart } from "../plots/chart.js";
import { consistencyPlot, controlPlots, effortPlot, gapPlot } from "../plots/plan.js";
import { short, shownUnit } from "../plots/ticks.js";
import { button, el, table } from "./dom.js";

const MARK = { kept: "green", broken: "red", missed: "amber", reported: "grey" };
const OUTCOME = { solved: "green", feasible: "amber", impossible: "red", stuck: "red", unfinished: "amber" };

/** A number with its unit. */
const shown = (value, unit) => el("span", {}, [short(value), unit && el("span", { class: "unit" }, [` ${shownUnit(unit)}`])]);

/** @param {import("../data/plan.js").Plan} plan */
function certificate(plan) {
  const rows = plan.certificate.filter(({ name, value }) => value !== null && !name.endsWith("effort")).map(({ label, unit, text, value, bound, least, verdict }) => [
    el("td", { title: text }, [label]),
    el("td", { class: "number" }, [shown(value, unit)]),
    el("td", { class: "number" }, [bound === null ? "–" : `${least ? "≥" : "≤"} ${short(bound)}`]),
    el("td", {}, [el("span", { class: `mark ${MARK[verdict] ?? "grey"}` }, [verdict])]),
  ]);
  return rows.length > 0 && table(["Quantity", "Value", "Bound", "Verdict"], rows, { class: "certificate", "aria-label": "Certificate of the plan" });
}

/** Every solve, the one that was kept marked. @param {import("../data/plan.js").Plan} plan */
function solves(plan) {
  const effort = plan.line("effort")?.value;
  const rows = plan.solves.map((solve) => [
    el("td", { class: "number" }, [String(solve.start + 1)]),
    el("td", { class: "number" }, [String(solve.level + 1)]),
    el("td", { class: "number" }, [String(solve.intervals)]),
    el("td", {}, [el("span", { class: `mark ${OUTCOME[solve.outcome] ?? "grey"}` }, [solve.outcome])]),
    el("td", { class: "number" }, [String(solve.iterations)]),
    el("td", { class: "number" }, [solve.intervals === plan.intervals && solve.effort === effort ? el("strong", {}, [short(solve.effort)]) : short(solve.effort)]),
    el("td", { class: "number" }, [`${short(solve.seconds, 3)} s`]),
  ]);
  return rows.length > 0 && table(["Start", "Level", "Intervals", "Outcome", "Iterations", "Effort", "Time"], rows, { class: "certificate", "aria-label": "Solves" });
}

/** Of each contact the sum of its impulses. @param {import("../data/run.js").Run} run @param {(time: number) => void} goTo */
function contacts(run, goTo) {
  const rows = run.plan.contacts().map(({ node, time, a, b, impulse, points }) => [
    el("td", {}, [button(`${short(time)} s`, `Go to node ${node}`, () => goTo(time), { class: "link" })]),
    el("td", { class: "number" }, [String(node)]),
    el("td", {}, [`${run.bodyName(a)}, ${run.bodyName(b)}`]),
    el("td", { class: "number" }, [shown(Math.hypot(...impulse), "N s")]),
    el("td", { class: "number" }, [String(points)]),
  ]);
  return rows.length > 0 && table(["Time", "Node", "Bodies", "Impulse", "Points"], rows, { class: "certificate", "aria-label": "Impulses of planned contacts" });
}

/** @param {import("../data/plan.js").Plan} plan */
function efforts(plan) {
  const own = plan.line("effort")?.value;
  const rows = [["effort", "of the plan"], ["guess_effort", "of the guess, forces of least norm"], ["recursion_effort", "of the guess, by recursion"], ["coarse_effort", "with half the intervals"]].flatMap(([name, text]) => {
    const value = plan.line(name)?.value;
    if (!Number.isFinite(value) || (name !== "effort" && !(value > 0))) return [];
    return [[el("td", {}, [text]), el("td", { class: "number" }, [shown(value, "N^2 s")]), el("td", { class: "number" }, [name === "effort" || !(own > 0) ? "" : `${short(value / own)} ×`])]];
  });
  return rows.length > 0 && table(["Effort", "", ""], rows, { class: "certificate", "aria-label": "Efforts" });
}

const section = (title, content) => content && el("section", { class: "plan-section" }, [el("h3", {}, [title]), content]);

/**
 * The panel of a plan, and its charts by which the page finds them.
 * @param {import("../data/run.js").Run} run @param {{seek: (time: number) => void, theme: () => string, range: () => any}} context
 */
export function planPanel(run, context) {
  const { plan } = run;
  const moved = plan.intervals > 0;
  const chart = (plot, change = {}) => plot && new Chart(plot, { ...context, ...change });
  const controls = moved ? controlPlots(run, plan.values, "plan_control").map((plot) => chart(plot)) : [];
  const gaps = moved ? chart(gapPlot(plan)) : null;
  const consistency = moved ? chart(consistencyPlot(plan)) : null;
  const effort = chart(effortPlot(plan), { seek: undefined, range: undefined, xLabel: "intervals" });
  const guess = moved ? controlPlots(run, plan.guessValues, "plan_guess").map((plot) => chart(plot)) : [];
  const charts = [...controls, gaps, consistency, effort, ...guess].filter(Boolean);
  const element = el("div", { class: "plan" }, [
    el("p", {}, [el("span", { class: `mark ${OUTCOME[plan.outcome] ?? "grey"}` }, [plan.outcome]), plan.replayed ? " The plan whose controls this run has." : plan.outcome === "solved" ? " A strict local optimum; other starts may find better ones." : ""]),
    plan.reason && el("p", { class: "reason" }, [plan.reason]),
    efforts(plan),
    ...controls.map(({ element: box }) => box),
    gaps?.element,
    section("Certificate of the plan", certificate(plan)),
    section("Planned contacts", contacts(run, context.seek)),
    consistency?.element,
    section("Solves", solves(plan)),
    effort?.element,
    guess.length > 0 && el("details", { class: "guess", ontoggle: () => guess.forEach((one) => one.redraw()) }, [el("summary", {}, ["Controls of the guess, by forces of least norm"]), ...guess.map(({ element: box }) => box)]),
  ]);
  return { element, charts };
}
