// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { SERIES_COLOURS } from "../src/view/palette.js";

const css = await readFile(new URL("../src/style/theme.css", import.meta.url), "utf8");
const blocks = { light: css.slice(0, css.indexOf("[data-theme")), dark: css.slice(css.indexOf("[data-theme")) };
const tokens = (block) => Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]));

/** Relative luminance and contrast as WCAG 2.1 defines them. */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const theme of ["light", "dark"]) {
  const t = tokens(blocks[theme]);
  test(`text can be read in the ${theme} theme: contrast 4.5 at least`, () => {
    const pairs = [["text", "ground"], ["text", "surface"], ["text", "raised"], ["text-soft", "surface"], ["text-soft", "ground"], ["text-soft", "raised"],
      ["accent", "surface"], ["accent", "accent-soft"], ["on-accent", "accent"], ["green", "green-ground"], ["amber", "amber-ground"], ["red", "red-ground"], ["red", "surface"]];
    for (const [ink, paper] of pairs) assert.ok(contrast(t[ink], t[paper]) >= 4.5, `${ink} on ${paper}: ${contrast(t[ink], t[paper]).toFixed(2)}`);
  });

  test(`curves can be seen in the ${theme} theme: contrast 3 at least`, () => {
    for (const colour of SERIES_COLOURS[theme]) assert.ok(contrast(colour, t.surface) >= 3, `${colour}: ${contrast(colour, t.surface).toFixed(2)}`);
  });
}

test("the measure itself: black on white has 21", () => {
  assert.ok(Math.abs(contrast("#000000", "#ffffff") - 21) < 1e-9);
});
