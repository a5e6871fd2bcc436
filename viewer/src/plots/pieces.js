// SPDX-License-Identifier: MIT
// How long the pieces are that collisions cut the steps into, over time.

/** @param {import("../data/run.js").Run} run @returns {import("./catalogue.js").Plot | null} */
export function piecesPlot(run) {
  const steps = run.certificate.time;
  const cuts = run.arrays.collision_times ?? [];
  const { method, certificate_bucket: bucket = 1, collision_stride: stride = 1 } = run.header;
  if (method !== "exact" || !cuts.length || !steps?.length || bucket > 1 || stride > 1) return null;
  const x = [];
  const y = [];
  const piece = (from, to) => {
    if (!(to > from)) return;
    x.push(from, to);
    y.push(to - from, to - from);
  };
  for (let k = 1, c = 0; k < steps.length; k++) {
    let from = steps[k - 1];
    for (; c < cuts.length && cuts[c] < steps[k]; c++) {
      piece(from, cuts[c]);
      from = Math.max(from, cuts[c]);
    }
    piece(from, steps[k]);
  }
  return { key: "pieces", title: "Length of substeps", unit: "s", x, log: true, series: [{ name: "from cut to cut", y }] };
}
