// SPDX-License-Identifier: MIT
// Opens a report in chromium and uses it: node test/browser.mjs REPORT.html [EXPECTATIONS.json] [SHOTS].
// docs/report.md, "Testing a report", says what expectations are. Exit code 77: there is no browser.
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Checks } from "./support/checks.mjs";
import { launch, openReport } from "./support/browser.mjs";

const NO_BROWSER = 77;
const executable = process.env.CHROMIUM || "/usr/bin/chromium";
const [report, expectationFile, shots] = process.argv.slice(2);
if (!report) throw new Error("say which report to open");
if (!existsSync(executable)) {
  console.log(`no browser at ${executable}; set CHROMIUM to its path`);
  process.exit(NO_BROWSER);
}
const expected = expectationFile ? JSON.parse(await readFile(expectationFile, "utf8")) : {};
const address = pathToFileURL(resolve(report)).href;
const checks = new Checks();
if (shots) await mkdir(shots, { recursive: true });
const shoot = (page, name) => shots && page.screenshot({ path: `${shots}/${name}.png` });

async function checkFacts(page) {
  const stats = await page.evaluate(() => carom.stats());
  for (const key of ["kind", "bodies", "frames"]) if (expected[key] !== undefined) checks.equal(stats[key], expected[key], `${key} of the report`);
  if (expected.title !== undefined) checks.equal(await page.locator("h1").textContent(), expected.title, "title");
  if (expected.verdict) checks.equal(await page.locator(`.banner.${expected.verdict}`).count(), 1, `a banner that is ${expected.verdict}`);
  return stats;
}

async function checkNumbers(page) {
  for (const { frame, time, body, position, attitude, tolerance } of expected.poses ?? []) {
    const pose = await page.evaluate(async ([f, t, b]) => {
      await (f === undefined ? carom.seek(t) : carom.seekFrame(f));
      return carom.pose(b);
    }, [frame, time, body]);
    const where = `of ${JSON.stringify(body)} at ${frame === undefined ? `${time} s` : `frame ${frame}`}`;
    if (position) checks.near(pose.position, position, tolerance, `position ${where}`);
    if (attitude) checks.nearAttitude(pose.attitude, attitude, tolerance, `attitude ${where}`);
  }
  for (const { plot, time, series, value, tolerance } of expected.plots ?? []) {
    const values = await page.evaluate(([p, t]) => carom.plotValues(p, t), [plot, time]);
    checks.near([values[series]], [value], tolerance, `${series} in the plot ${plot} at ${time} s`);
  }
  for (const { field, frame, body, value, tolerance } of expected.fields ?? []) {
    const shown = await page.evaluate(async ([f, name, b]) => {
      await carom.seekFrame(f);
      return carom.field(name, b);
    }, [frame, field, body]);
    checks.near([shown], [value], tolerance, `${field} of ${body} at frame ${frame}`);
  }
}

/** Colours in the picture of the view: a blank one has one. */
const coloursSeen = (page) => page.evaluate(async () => {
  const source = Object.assign(new Image(), { src: carom.picture() });
  await source.decode();
  const copy = Object.assign(document.createElement("canvas"), { width: 160, height: 100 });
  const context = copy.getContext("2d");
  context.drawImage(source, 0, 0, 160, 100);
  const { data } = context.getImageData(0, 0, 160, 100);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
});

async function checkPlaying(page, frames) {
  const shown = () => page.evaluate(() => carom.frame());
  await page.keyboard.press("Home");
  checks.equal((await shown()).index, 0, "frame after Home");
  if (frames < 2) return;
  await page.keyboard.press("ArrowRight");
  checks.equal((await shown()).index, 1, "frame after the right arrow");
  await page.keyboard.press("ArrowLeft");
  checks.equal((await shown()).index, 0, "frame after the left arrow");
  await page.keyboard.press("End");
  checks.equal((await shown()).index, frames - 1, "frame after End");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  checks.ok(await page.waitForFunction(() => carom.frame().time > 0 || !carom.frame().playing, null, { timeout: 20000 }).then(() => true, () => false), "playing moves the time");
  await page.evaluate(() => carom.pause());
  const last = frames - 1;
  await page.locator(".scrub").evaluate((scrub, share) => {
    scrub.value = String(Number(scrub.min) + share * (Number(scrub.max) - Number(scrub.min)));
    scrub.dispatchEvent(new Event("input"));
  }, 1);
  checks.equal((await shown()).index, last, "frame after scrubbing to the end");
}

async function checkSelecting(page, bodies) {
  if (bodies === 0) return;
  await page.evaluate(() => carom.seekFrame(0));
  const body = await page.evaluate(() => carom.select(carom.stats().bodies - 1));
  checks.equal(await page.locator(".card strong").textContent(), body.name, "name on the card of the selected body");
  await page.keyboard.press("Escape");
  checks.equal(await page.evaluate(() => carom.selected()), null, "selection after Escape");
  const selected = () => page.evaluate(() => carom.selected());
  // A node of a flexible body may be at its outline: some other one is not.
  for (let last = bodies - 1; last >= Math.max(0, bodies - 30) && (await selected()) === null; last--)
    await page.mouse.click(...(await page.evaluate((b) => carom.screenOf(b), last)));
  checks.ok((await selected()) !== null, "a click on a body selects it or one before it");
  await page.evaluate(() => carom.select(null));
}

async function checkLayers(page) {
  const before = await page.evaluate(() => carom.layers());
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  const after = await page.evaluate(() => carom.layers());
  checks.ok(after.grid !== before.grid && after.axes !== before.axes, "keys toggle layers");
  const asked = await page.evaluate(() => carom.setLayers({ grid: true, axes: false, contacts: true, joints: true, trails: true, overlap: true }));
  checks.ok(asked.grid && !asked.axes, "setLayers");
  await page.evaluate((layers) => carom.setLayers(layers), before);
}

/** Of runs with flexible bodies: a key each, of which one at most is on, with its legend and its colours. */
async function checkFields(page, frames) {
  const before = await page.evaluate(() => carom.layers());
  if (!before.von_mises) return;
  await page.evaluate((index) => carom.seekFrame(index), Math.floor(frames / 2));
  const pictures = new Set([await page.evaluate(() => carom.picture())]);
  for (const [key, name, text] of [["d", "determinant", "volume ratio J"], ["u", "displacement", "displacement from rest"], ["v", "von_mises", "von Mises stress"]]) {
    await page.keyboard.press(key);
    const layers = await page.evaluate(() => carom.layers());
    checks.equal(["von_mises", "determinant", "displacement"].filter((field) => layers[field]).join(), name, `field after ${key}`);
    const legend = await page.locator(".stage-legend").textContent();
    checks.ok(legend.startsWith(text) && !legend.includes("NaN"), `the legend of ${name}, not ${legend}`);
    await shoot(page, name);
    pictures.add(await page.evaluate(() => carom.picture()));
  }
  await page.keyboard.press("v");
  checks.ok(await page.locator(".stage-legend").isHidden(), "no legend without a field");
  pictures.add(await page.evaluate(() => carom.picture()));
  checks.equal(pictures.size, 4, "pictures with three fields and with none");
  await page.evaluate((layers) => carom.setLayers(layers), before);
}

async function checkTheme(page) {
  await page.evaluate(() => carom.setTheme("light"));
  await page.keyboard.press("t");
  checks.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "theme after t");
  await shoot(page, "dark");
  await page.keyboard.press("t");
  await shoot(page, "light");
}

async function checkPanels(page) {
  const rows = expected.certificate_rows;
  await page.locator("#tab-certificate").click();
  if (rows !== undefined) checks.equal(await page.locator("table.certificate tbody tr").count(), rows, "rows of the certificate");
  await page.locator("#tab-bodies").click();
  await page.locator("#tab-plots").click();
  for (const plot of await page.evaluate(() => carom.plots())) {
    const [svg, csv] = await page.evaluate((name) => [carom.plotSvg(name), carom.plotCsv(name)], plot);
    checks.ok(svg.startsWith("<svg") && csv.split("\n").length > 1, `${plot} can be saved`);
  }
}

async function checkNarrow(page) {
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(200);
  checks.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 400), "nothing is wider than a page of 400 px");
  await shoot(page, "narrow");
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function checkRun(page, stats) {
  checks.ok(stats.webgl, "there is WebGL");
  checks.ok((await coloursSeen(page)) > (stats.bodies ? 12 : 2), "the view is not blank");
  await checkPlaying(page, stats.frames);
  await checkSelecting(page, stats.bodies);
  await checkLayers(page);
  await checkFields(page, stats.frames);
  await checkTheme(page);
  await checkPanels(page);
}

async function withWebgl() {
  const browser = await launch(executable, true);
  const { page, problems } = await openReport(browser, address);
  const stats = await checkFacts(page);
  await checkNumbers(page);
  if (stats.kind === "run") await checkRun(page, stats);
  else await shoot(page, "page");
  await checkNarrow(page);
  checks.none(problems, "with WebGL");
  const { firstFrameMs, fps, renderer } = await page.evaluate(() => carom.stats());
  console.log(JSON.stringify({ report, firstFrameMs, fps, renderer }));
  await browser.close();
  return stats;
}

async function withoutWebgl() {
  const browser = await launch(executable, false);
  const { page, problems } = await openReport(browser, address);
  checks.equal(await page.evaluate(() => carom.stats().webgl), false, "WebGL where there is none");
  checks.equal(await page.locator(".no-view").count(), 1, "the sentence in place of the view");
  await checkNumbers(page);
  checks.none(problems, "without WebGL");
  await browser.close();
}

const stats = await withWebgl();
if (stats.kind === "run") await withoutWebgl();
process.exit(checks.report());
