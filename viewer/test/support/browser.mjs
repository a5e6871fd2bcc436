// SPDX-License-Identifier: MIT
// A browser that draws by the processor, has no network, and tells of everything that goes wrong.
import { chromium } from "playwright-core";

/** @param {string} executablePath @param {boolean} webgl */
export function launch(executablePath, webgl) {
  const drawing = webgl ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...drawing] });
}

/** @returns {Promise<{page: import("playwright-core").Page, problems: string[]}>} once the report is ready */
export async function openReport(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked the network for ${request.url()}`);
  });
  await page.goto(address);
  await page.evaluate(() => carom.ready);
  return { page, problems };
}
