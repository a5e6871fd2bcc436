// SPDX-License-Identifier: MIT
// Bodies by name: a list to search in, and the card of the selected one.
import { FIELDS } from "../data/flexible.js";
import { button, el, icon } from "./dom.js";
import { short } from "../plots/ticks.js";

/** So many rows are made; the rest is found by searching. */
const MOST_ROWS = 200;

/** Rows of the list. @typedef {{body: number, name: string, kind: string}} Row */

/** @returns {Row} of a body, which may be a node */
function bodyRow(run, body) {
  const { shape, kind } = run.bodies[body];
  const form = run.isNode(body) ? "node" : run.shapes[shape]?.kind?.replace("_", "-") ?? "point";
  return { body, name: run.bodyName(body), kind: kind === "free" || run.isNode(body) ? form : `${kind} ${form}` };
}

/** @returns {Row} of a flexible body: its first node stands for it */
const flexibleRow = (flex, i) => ({ body: flex.first_body, name: flex.name || `flexible body ${i}`, kind: `flexible, ${flex.node_count} nodes` });

/** @param {import("../data/run.js").Run} run @param {(body: number) => void} select */
export function bodyList(run, select) {
  const list = el("ul", { class: "body-list", "aria-label": "Bodies" });
  const more = el("p", { class: "soft" });
  const search = el("input", { type: "search", placeholder: "Search bodies", "aria-label": "Search bodies", oninput: () => fill() });
  let selected = -1;
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    const rows = [...run.flexible.list.map(flexibleRow), ...run.bodies.flatMap((_, b) => (wanted || !run.isNode(b) ? [bodyRow(run, b)] : []))]
      .filter(({ name }) => name.toLowerCase().includes(wanted));
    const count = rows.length;
    list.replaceChildren(...rows.slice(0, MOST_ROWS).map(({ body, name, kind }) =>
      el("li", {}, [el("button", { type: "button", "aria-pressed": String(body === selected), "data-body": body, onclick: () => select(body === selected ? -1 : body) }, [
        el("span", { class: "name" }, [name]), el("span", { class: "soft" }, [kind]),
      ])])));
    const nodes = wanted ? 0 : run.flexible.nodeCount;
    const hidden = [count > MOST_ROWS ? `${count - MOST_ROWS} more` : "", nodes ? `${nodes} nodes of flexible bodies` : ""].filter(Boolean);
    more.textContent = hidden.length ? `${hidden.join(" and ")}: search to find them.` : count ? "" : run.bodies.length ? "No body has this in its name." : "This run has no bodies.";
  };
  fill();
  return {
    element: el("div", { class: "bodies" }, [search, list, more]),
    update: (body) => {
      selected = body;
      for (const row of list.querySelectorAll("button")) row.setAttribute("aria-pressed", String(Number(row.dataset.body) === body));
    },
  };
}

function sizes(shape) {
  const list = (numbers) => numbers.map((n) => short(n)).join(" × ");
  switch (shape?.kind) {
    case "sphere": return `sphere, radius ${short(shape.radius)} m`;
    case "ellipsoid": return `ellipsoid, half-axes ${list(shape.half_axes)} m`;
    case "box": return `box, ${list(shape.edges)} m`;
    case "capsule": return `capsule, radius ${short(shape.radius)} m, length ${short(shape.length)} m`;
    case "polytope": return `polytope, ${shape.vertices.length} vertices, ${shape.facets.length} facets`;
    case "half_space": return "half-space";
    case "container": return `inside of a sphere, radius ${short(shape.radius)} m`;
    case "compound": return `compound of ${shape.parts.length} parts`;
    default: return "no shape";
  }
}

function nodeFacts(run, body, place) {
  const flex = run.flexible.list[run.flexible.ofBody[body]];
  const fields = FIELDS.filter(({ name }) => run.flexible.has(name)).map(({ name, text, unit }) => `${text} ${short(run.flexible.value(name, place.frame, body))} ${unit}`.trim());
  return [`${flex.model.replace("_", "-")}, ${flex.element_count} elements of ${flex.order === 2 ? 10 : 4} nodes, ${short(flex.mass)} kg in all`, ...fields].join(" · ");
}

/** What is known of a body at a time. */
export function bodyFacts(run, body, place) {
  const { mass, shape, kind } = run.bodies[body];
  return { body, name: run.bodyName(body), kind, mass: mass ?? null, shape: run.isNode(body) ? nodeFacts(run, body, place) : sizes(run.shapes[shape]), ...run.frames.pose(place, body), ...run.frames.motion(place.frame, body) };
}

/** @param {import("../data/run.js").Run} run @param {{follow: () => void, clear: () => void}} actions */
export function bodyCard(run, actions) {
  const name = el("strong");
  const soft = el("p", { class: "soft" });
  const cells = Object.fromEntries(["position", "attitude", "velocity", "spin"].map((key) => [key, el("td")]));
  const follow = button("follow", "Follow this body (f)", actions.follow, { class: "plain", "aria-pressed": "false" });
  const rows = [["position", "m"], ["attitude", "w x y z"], ["velocity", "m/s"], ["spin", "rad/s"]].map(([key, unit]) =>
    el("tr", {}, [el("th", { scope: "row" }, [key]), cells[key], el("td", { class: "soft" }, [unit])]));
  const element = el("div", { class: "card", hidden: true, role: "group", "aria-label": "Selected body" }, [
    el("div", { class: "card-head" }, [name, follow, button(icon("cross"), "Select nothing (escape)", actions.clear, { class: "icon" })]),
    soft,
    el("table", {}, [el("tbody", {}, rows)]),
  ]);
  return {
    element,
    update: (body, place, following) => {
      element.hidden = body < 0;
      if (body < 0) return;
      const facts = bodyFacts(run, body, place);
      name.textContent = facts.name;
      soft.textContent = [facts.kind, facts.mass !== null && `${short(facts.mass)} kg`, facts.shape, facts.differenced && "velocities from differences of frames"].filter(Boolean).join(" · ");
      for (const [key, cell] of Object.entries(cells)) cell.textContent = facts[key].map((n) => short(n, 4)).join("  ");
      follow.setAttribute("aria-pressed", String(following));
    },
  };
}
