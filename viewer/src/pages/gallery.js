// SPDX-License-Identifier: MIT
// The index of a gallery: a card a scene, with its picture, its figure and its verdict.
import { el } from "../ui/dom.js";
import { helpDialog, topBar } from "../ui/shell.js";

/** Relative addresses only, of characters that mean nothing else: browsers drop blanks and control characters before
 *  they look for a scheme, so what is allowed is named, not what is forbidden. */
export const relativeOnly = (address) => (typeof address === "string" && /^(?!\/\/)[\w.~%!$&'()*+,;=@/-]+$/.test(address) ? address : null);
export const imageOnly = (address) => (address?.startsWith("data:image/") ? address : relativeOnly(address));

const WORD = { green: "good", amber: "look closer", red: "not to be trusted" };

function card({ name, title, description, method, figure, verdict, image, link }) {
  const [picture, target] = [imageOnly(image), relativeOnly(link)];
  const head = title || name;
  return el(target ? "a" : "div", { class: "scene-card", href: target, "data-text": [name, title, description, method].join(" ").toLowerCase() }, [
    el("div", { class: "thumb" }, [picture ? el("img", { src: picture, alt: "", loading: "lazy" }) : el("span", { class: "soft" }, ["no picture"])]),
    el("div", { class: "scene-text" }, [
      el("h3", {}, [head]),
      el("p", { class: "tags" }, [method && el("span", { class: "mark grey" }, [method]), verdict && el("span", { class: `mark ${WORD[verdict.colour] ? verdict.colour : "grey"}`, title: verdict.sentence }, [WORD[verdict.colour] ?? ""])]),
      description && el("p", { class: "soft clamp" }, [description]),
      figure && el("p", { class: "figure" }, [figure]),
    ]),
  ]);
}

export async function showGallery({ page, header, theme }) {
  const groups = (header.groups ?? []).map(({ title, cards }) => el("section", {}, [title && el("h2", {}, [title]), el("div", { class: "cards" }, (cards ?? []).map(card))]));
  const none = el("p", { class: "soft", hidden: true }, ["No scene has this in its text."]);
  const search = el("input", { type: "search", placeholder: "Search scenes", "aria-label": "Search scenes", oninput: () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const group of groups) {
      let here = 0;
      for (const one of group.querySelectorAll(".scene-card")) {
        one.hidden = !one.dataset.text.includes(wanted);
        here += one.hidden ? 0 : 1;
      }
      group.hidden = here === 0;
      found += here;
    }
    none.hidden = found > 0;
  } });
  const count = (header.groups ?? []).reduce((sum, group) => sum + (group.cards?.length ?? 0), 0);
  const help = helpDialog([]);
  page.replaceChildren(
    topBar({ title: header.title || "Gallery", facts: [`${count} scenes`], theme, help: () => help.showModal() }),
    el("main", { class: "document wide" }, [header.description && el("p", { class: "description" }, [header.description]), search, ...groups, none]),
  );
  return {};
}
