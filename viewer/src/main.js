// SPDX-License-Identifier: MIT
// Reads the data of the page, shows the kind of report that it is, and offers window.carom.
import { parseHeader, unpack } from "./data/unpack.js";
import { showCompare } from "./pages/compare.js";
import { showConverge } from "./pages/converge.js";
import { showGallery } from "./pages/gallery.js";
import { showRun } from "./pages/run.js";
import { el } from "./ui/dom.js";
import { parseAddress } from "./ui/address.js";
import { banner } from "./ui/shell.js";
import { Theme } from "./ui/theme.js";

const PAGES = { run: showRun, converge: showConverge, compare: showCompare, gallery: showGallery };

const page = document.getElementById("page");
const root = document.documentElement;
const errors = [];
window.addEventListener("error", (event) => errors.push(event.message));
window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));

async function show() {
  const theme = new Theme();
  const wanted = parseAddress(location.hash);
  if (wanted.theme) theme.set(wanted.theme);
  const header = parseHeader(document.getElementById("carom-header").textContent);
  const packed = document.getElementById("carom-packed");
  const arrays = await unpack(header, packed.textContent);
  packed.textContent = "";
  document.title = `${header.title || header.kind} – carom`;
  if (!PAGES[header.kind]) throw new Error(`this page cannot show a report of kind ${JSON.stringify(header.kind)}`);
  const api = await PAGES[header.kind]({ page, header, arrays, theme, wanted });
  Object.assign(window.carom, { setTheme: (choice) => theme.set(choice), ...api });
  const own = api.stats ?? (() => ({}));
  window.carom.stats = () => ({ kind: header.kind, errors: [...errors], ...own() });
}

function fail(reason) {
  root.dataset.ready = "failed";
  page.replaceChildren(el("main", { class: "failed" }, [
    banner({ colour: "red", sentence: `The data of this report cannot be read: ${reason.message ?? reason}` }),
    el("p", {}, ["Make the report again from its recording: carom report RUN."]),
  ]));
  throw reason;
}

const ready = show().then(() => {
  root.dataset.ready = "1";
}, fail);
// Who waits for `ready` learns of the failure; the page itself shows it.
ready.catch(() => {});
window.carom = { ready };
