// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { runBounds, shapeRadius } from "../src/data/extent.js";
import { imageOnly, relativeOnly } from "../src/pages/gallery.js";
import { parseAddress } from "../src/ui/address.js";
import { Player, speedFor } from "../src/ui/player.js";

test("the address asks for a time, a view and layers", () => {
  const wanted = parseAddress("#t=1.5&theme=dark&view=30,20,2&layers=contacts,grid&select=a%20b&render");
  assert.deepEqual([wanted.time, wanted.theme, wanted.select, wanted.render], [1.5, "dark", "a b", true]);
  assert.deepEqual(wanted.layers, ["contacts", "grid"]);
  assert.equal(wanted.view.zoom, 2);
  assert.deepEqual(parseAddress(""), { time: null, frame: null, theme: null, view: null, layers: null, select: null, render: false });
});

test("links of a gallery stay beside it", () => {
  for (const bad of ["javascript:alert(1)", " JavaScript:alert(1)", "https://example.org/", "//example.org/x", "\\\\host\\x", "data:text/html,x", null, "",
    "\u0001javascript:alert(1)//.html", "java\tscript:alert(1)//.html", "java\nscript:alert(1)", "./a#b.html", "a?b.html", "./a:b.html", "/\\host/x", "\u00a0javascript:alert(1)", ["javascript:alert(1)"]]) assert.equal(relativeOnly(bad), null);
  assert.equal(relativeOnly("reports/a.html"), "reports/a.html");
  assert.equal(relativeOnly("./%01javascript%3Aalert%281%29.html"), "./%01javascript%3Aalert%281%29.html");
  assert.equal(imageOnly("data:image/png;base64,AA"), "data:image/png;base64,AA");
  assert.equal(imageOnly("data:text/html,x"), null);
});

const frames = (times) => ({
  times, count: times.length, start: times[0], end: times.at(-1),
  locate(time) {
    const frame = times.findLastIndex((t) => t <= time);
    return { frame: Math.max(0, frame), share: frame + 1 < times.length && times[frame] < time ? 0.5 : 0 };
  },
});

test("playing goes on by the speed, stops at the end and begins again", () => {
  const player = new Player(frames([0, 1, 2, 3]));
  player.play();
  player.tick(1000);
  player.tick(1050);
  assert.ok(Math.abs(player.time - 0.05) < 1e-12);
  player.seek(2.99);
  player.tick(1100);
  player.tick(1150);
  assert.equal(player.time, 3);
  assert.equal(player.playing, false);
  player.play();
  assert.equal(player.time, 0);
});

test("steps go from frame to frame and stay in the run", () => {
  const player = new Player(frames([0, 1, 2, 3]));
  player.seek(1.5);
  player.step(-1);
  assert.equal(player.time, 1);
  player.seek(1.5);
  player.step(1);
  assert.equal(player.time, 2);
  player.step(10);
  assert.equal(player.time, 3);
  player.seek(NaN);
  assert.equal(player.time, 0);
});

test("short and long runs are played so that they can be watched", () => {
  assert.equal(speedFor(10), 1);
  assert.equal(speedFor(0), 1);
  for (const duration of [1e-2, 0.1, 0.5, 100, 900]) {
    const seconds = duration / speedFor(duration);
    assert.ok(seconds > 5 && seconds < 20, `${duration} s lasts ${seconds} s`);
  }
});

test("sizes of shapes, and a run's bounds without its static geometry", () => {
  assert.equal(shapeRadius({ kind: "box", edges: [2, 4, 4] }), 3);
  assert.equal(shapeRadius({ kind: "capsule", radius: 1, length: 2 }), 2);
  assert.equal(shapeRadius({ kind: "compound", parts: [{ shape: { kind: "sphere", radius: 1 }, position: [3, 4, 0] }] }), 6);
  const run = {
    bodies: [{ shape: 0, kind: "fixed" }, { shape: 1, kind: "free" }], shapes: [{ kind: "half_space" }, { kind: "sphere", radius: 1 }],
    frames: { count: 3, position: (f) => [f, 0, 0] },
  };
  const { low, high } = runBounds(run);
  assert.deepEqual([low, high], [[-1, -1, -1], [3, 1, 1]]);
  const none = runBounds({ bodies: [], shapes: [], frames: { count: 0 } });
  assert.ok(none.radius > 0 && none.samples.length === 1);
});
