// SPDX-License-Identifier: MIT
// What the address asks for after its #: docs/report.md, "Driving the page".

/** @param {string} hash with or without its # */
export function parseAddress(hash) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (key) => wanted.get(key)?.split(",").map(Number);
  const [azimuth, elevation, zoom] = numbers("view") ?? [];
  return {
    time: wanted.has("t") ? Number(wanted.get("t")) : null,
    frame: wanted.has("frame") ? Number(wanted.get("frame")) : null,
    theme: wanted.get("theme"),
    view: wanted.has("view") ? { azimuth, elevation, zoom, target: numbers("target") } : null,
    layers: wanted.has("layers") ? wanted.get("layers").split(",").filter(Boolean) : null,
    select: wanted.get("select"),
    render: wanted.has("render"),
  };
}
