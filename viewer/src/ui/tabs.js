// SPDX-License-Identifier: MIT
// Panels of which one is seen.
import { el } from "./dom.js";

/** @param {{key: string, title: string, content: Node}[]} tabs @param {string} label */
export function tabPanel(tabs, label) {
  const buttons = tabs.map(({ key, title }, i) =>
    el("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, onclick: () => show(i), onkeydown: (event) => move(event, i) }, [title]));
  const panels = tabs.map(({ key, content }) => el("div", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, class: "tab-content" }, [content]));
  const show = (chosen) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      panels[i].hidden = i !== chosen;
    });
  };
  const move = (event, i) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (i + by + tabs.length) % tabs.length;
    show(next);
    buttons[next].focus();
  };
  show(0);
  return {
    element: el("aside", { class: "panel", "aria-label": label }, [el("div", { role: "tablist", "aria-label": label, class: "tabs" }, buttons), ...panels]),
    show: (key) => show(tabs.findIndex((tab) => tab.key === key)),
  };
}
