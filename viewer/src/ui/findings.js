// SPDX-License-Identifier: MIT
// What the rules of verdicts have found, as a list: colour, sentence, the step to look at.
import { button, el } from "./dom.js";

/** @typedef {{colour: string, sentence: string, step?: number | null}} Finding an entry of the header's `findings` */

/** @param {Finding[]} findings @param {(step: number) => void} goToStep */
export function findingList(findings, goToStep) {
  return el("ul", { class: "findings", "aria-label": "Findings" }, findings.map(({ colour, sentence, step }) =>
    el("li", {}, [
      el("span", { class: `mark ${colour}` }, [colour]),
      el("span", {}, [sentence]),
      Number.isFinite(step) && button(`step ${step}`, `Go to step ${step}`, () => goToStep(step), { class: "link" }),
    ])));
}

/** All of them below the verdict, where there are more than its sentence tells; else nothing. */
export function moreFindings(findings, goToStep) {
  if (findings.length < 2) return null;
  return el("details", { class: "more" }, [el("summary", {}, [`All ${findings.length} findings`]), findingList(findings, goToStep)]);
}
