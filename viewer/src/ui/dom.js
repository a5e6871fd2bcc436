// SPDX-License-Identifier: MIT
// Elements without HTML text: every string becomes a text node.

/**
 * @param {string} tag @param {Record<string, any>} attributes `on...` are listeners
 * @param {(Node | string | false | null | undefined)[]} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

/** @param {string | Node} content @param {string} label what it does, for readers and as a hint @param {() => void} press */
export function button(content, label, press, attributes = {}) {
  return el("button", { type: "button", "aria-label": label, title: label, onclick: press, ...attributes }, [content]);
}

/** @param {string[]} heads @param {(Node | string)[][]} rows @param {Record<string, any>} attributes */
export function table(heads, rows, attributes = {}) {
  return el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": attributes["aria-label"] ?? "table" }, [
    el("table", attributes, [
      el("thead", {}, [el("tr", {}, heads.map((head) => el("th", { scope: "col" }, [head])))]),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", {}, [cell])))))),
    ]),
  ]);
}

/** Lets the browser save a text under a name. */
export function save(name, type, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const ICONS = {
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M18 5v14l-9-7zM6 5h2v14H6z",
  forward: "M6 5v14l9-7zM16 5h2v14h-2z",
  home: "M12 4l8 7h-2v8h-4v-5h-4v5H6v-8H4z",
  sun: "M12 7a5 5 0 100 10 5 5 0 000-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4 5.4L5.4 4l2.8 2.8-1.4 1.4zM15.8 17.2l1.4-1.4 2.8 2.8-1.4 1.4zM4 18.6l2.8-2.8 1.4 1.4L5.4 20zM15.8 6.8L18.6 4 20 5.4l-2.8 2.8z",
  moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  help: "M11 17h2v2h-2zM12 4a5 5 0 00-5 5h2a3 3 0 116 0c0 2-3 2-3 5v1h2v-.6c0-2 3-2.4 3-5.4a5 5 0 00-5-5z",
  layers: "M12 3l9 5-9 5-9-5zM3.5 12L12 16.7 20.5 12l.5.9-9 5.1-9-5.1z",
  check: "M9 16.6L4.4 12 3 13.4l6 6L21 7.4 19.6 6z",
  warn: "M12 3l10 18H2zM11 10h2v5h-2zM11 17h2v2h-2z",
  cross: "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6l5.6-5.6L5 6.4z",
};

/** @param {keyof ICONS} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { viewBox: "0 0 24 24", width: "18", height: "18", "aria-hidden": "true", fill: "currentColor", "fill-rule": "evenodd" };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
