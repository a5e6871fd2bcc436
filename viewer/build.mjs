// SPDX-License-Identifier: MIT
// Bundles the page into dist/report.html: one file, everything inline, with marks where the data goes.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const MARKS = ["@CAROM_HEADER@", "@CAROM_PACKED@"];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const bundle = async (entry, loader) => {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    loader,
  });
  return result.outputFiles[0].text;
};

const notices = async () => {
  const three = await readFile(here("node_modules/three/LICENSE"), "utf8");
  const uplot = await readFile(here("node_modules/uplot/LICENSE"), "utf8");
  return `three.js\n\n${three.trim()}\n\n\nuPlot\n\n${uplot.trim()}\n`;
};

const escapeText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
// An inline script ends at the first of these, wherever it stands.
const escapeScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const parts = {
  STYLE: await bundle("src/style/page.css", {}),
  SCRIPT: escapeScript(await bundle("src/main.js", {})),
  NOTICES: escapeText(await notices()),
};
const template = await readFile(here("src/page.html"), "utf8");
const page = template.replace(/<!--(STYLE|SCRIPT|NOTICES)-->/g, (_, name) => parts[name]);

for (const mark of MARKS)
  if (page.split(mark).length !== 2) throw new Error(`${mark} must occur once in the page`);

await mkdir(here("dist"), { recursive: true });
await writeFile(here("dist/report.html"), page);
console.log(`dist/report.html: ${(Buffer.byteLength(page) / 1024).toFixed(0)} kB`);
