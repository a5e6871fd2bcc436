// SPDX-License-Identifier: MIT
// Colours that stay apart for colour-blind eyes (Okabe and Ito), and ramps for quantities.

/** Of bodies and of series in plots, one set a theme. */
export const BODY_COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442"];
export const FIXED_COLOUR = "#8b929e";
export const SERIES_COLOURS = {
  light: ["#0063a6", "#b34700", "#00795a", "#99336f", "#7a6a00", "#5b616b"],
  dark: ["#56b4e9", "#f0913a", "#2ecc9b", "#e08fc0", "#f0e442", "#aab2bf"],
};

/** From no overlap to the largest of the run: pale, yellow, orange, dark red. */
const OVERLAP_STOPS = ["#c9d3e0", "#ffe08a", "#f58b3c", "#b3001e"];

/** Of fields over flexible bodies, from the smallest to the largest number: dark blue to yellow, evenly lighter. */
const FIELD_STOPS = ["#2b2f8f", "#1f77b4", "#21a386", "#8fc93a", "#fde725"];

const ramp = (stops) => {
  const colours = stops.map(parse);
  /** @param {number} share 0 to 1 @returns {[number, number, number]} sRGB, 0 to 1 */
  return (share) => {
    const at = Math.min(0.9999, Math.max(0, share)) * (colours.length - 1);
    const i = Math.floor(at);
    return colours[i].map((c, k) => c + (at - i) * (colours[i + 1][k] - c));
  };
};
const gradient = (stops) => `linear-gradient(to right, ${stops.join(", ")})`;

export const overlapColour = ramp(OVERLAP_STOPS);
export const overlapGradient = gradient(OVERLAP_STOPS);
export const fieldColour = ramp(FIELD_STOPS);
export const fieldGradient = gradient(FIELD_STOPS);

function parse(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
}

/** What the 3D view is drawn in. */
export const VIEW_COLOURS = {
  light: { background: "#e9edf2", grid: "#5d6b80", edge: "#10141c", contact: "#b3001e", joint: "#5b2d91", trail: "#3a4454", accent: "#0a58ca", label: "#1b2130" },
  dark: { background: "#11151c", grid: "#93a1b8", edge: "#05070a", contact: "#ff6b6b", joint: "#c79bff", trail: "#aab6c8", accent: "#6cb2ff", label: "#e6e9ef" },
};
