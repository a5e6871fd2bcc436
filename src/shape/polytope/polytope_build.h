// SPDX-License-Identifier: MIT
// From facets as polygons to a whole polytope.
#ifndef CRM_SHAPE_POLYTOPE_BUILD_H
#define CRM_SHAPE_POLYTOPE_BUILD_H

#include "shape/polytope/hull.h"
#include "shape/polytope/polytope.h"

// Fills in all of `out` but the tolerance and the input map. `polygons` has corners 0 ... vertex_count - 1, each used,
// and is put into its canonical order: every polygon starts at its lowest corner, and they are sorted by their corners.
// `shifted` are the vertices moved near the origin, for the normals. False when there is no memory.
bool crm_build_polytope(crm_polygons *polygons, int vertex_count, const carom_vec3 *vertices, crm_arena *arena,
                        crm_arena *scratch, crm_polytope *out);

#endif
