// SPDX-License-Identifier: MIT
// What every kind of page has: the bar on top with theme and help, the dialogs.
import { button, el, icon } from "./dom.js";

/** @param {string} label @param {(Node | string)[]} content */
export function dialog(label, content) {
  const element = el("dialog", { "aria-label": label }, [
    el("div", { class: "dialog-head" }, [el("h2", {}, [label]), button(icon("cross"), "Close", () => element.close(), { class: "icon" })]),
    ...content,
  ]);
  document.body.append(element);
  return element;
}

function notices() {
  const text = document.getElementById("carom-notices").content.textContent;
  return dialog("Notices", [el("p", {}, ["This page contains the following software."]), el("pre", { class: "notices", tabindex: "0" }, [text.trim()])]);
}

/**
 * @param {{title: string, facts: (string | Node)[], theme: import("./theme.js").Theme, help?: () => void}} what
 */
export function topBar({ title, facts, theme, help }) {
  const themeButton = button(icon("moon"), "Change between dark and light (t)", () => theme.toggle(), { class: "icon" });
  const paint = () => themeButton.replaceChildren(icon(theme.name === "dark" ? "sun" : "moon"));
  theme.listeners.push(paint);
  paint();
  return el("header", { class: "top" }, [
    el("span", { class: "brand", "aria-hidden": "true" }, ["carom"]),
    el("h1", { title }, [title]),
    el("div", { class: "facts" }, facts.map((fact) => el("span", {}, [fact]))),
    el("div", { class: "top-tools" }, [themeButton, help && button(icon("help"), "Keys and notices (?)", help, { class: "icon" })]),
  ]);
}

const VERDICT_ICON = { green: "check", amber: "warn", red: "cross" };
const VERDICT_WORD = { green: "Good", amber: "Look closer", red: "Not to be trusted" };

/** @param {{colour: string, sentence: string}} verdict @param {Node | null} action @param {Node | null} more */
export function banner(verdict, action = null, more = null) {
  const colour = VERDICT_ICON[verdict?.colour] ? verdict.colour : "amber";
  return el("div", { class: `banner ${colour}`, role: "status" }, [
    el("span", { class: "banner-mark" }, [icon(VERDICT_ICON[colour])]),
    el("p", {}, [el("strong", {}, [`${VERDICT_WORD[colour]}. `]), verdict?.sentence ?? "This report has no verdict."]),
    action,
    more,
  ]);
}

/** @param {[string, string][]} keys what to press, what it does */
export function helpDialog(keys) {
  const legal = notices();
  const rows = keys.map(([key, text]) => el("tr", {}, [el("th", { scope: "row" }, key.split(" ").map((k) => el("kbd", {}, [k]))), el("td", {}, [text])]));
  const help = dialog("Help", [
    rows.length > 0 && el("table", { class: "keys" }, [el("tbody", {}, rows)]),
    el("p", { class: "soft" }, ["Drag rotates the view, shift and drag moves it, the wheel zooms, a click selects a body. Press or drag in a plot to go to that time."]),
    button("Notices", "Licences of the software in this page", () => legal.showModal(), { class: "plain" }),
  ].filter(Boolean));
  return help;
}
