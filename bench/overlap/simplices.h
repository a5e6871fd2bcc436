// SPDX-License-Identifier: MIT
// The test of overlapping oriented simplices: two bodies overlap when a triangle of one surface meets a triangle of the
// other, or when one body is inside the other. Which is told by the orientations of tetrahedra: a triangle of one body
// with a vertex or an edge of the other. Every triangle is tried with every other one.
#ifndef BENCH_OVERLAP_SIMPLICES_H
#define BENCH_OVERLAP_SIMPLICES_H

#include <stdbool.h>

#include "overlap/counted.h"

// A body at a pose; the triangles are counter-clockwise seen from outside. `world` and `plane` are room for what the
// test computes of them.
typedef struct bench_surface {
    int vertex_count, triangle_count;
    const carom_vec3 *vertices; // in the body's frame, m
    const int (*triangles)[3];
    carom_mat3 rotation;
    carom_vec3 position; // m
    carom_vec3 *world;   // vertex_count
    carom_vec3 *normal;  // triangle_count, of any length
    double *offset;      // triangle_count: of their planes along `normal`
} bench_surface;

// Counts into `flops` (NULL: counts nothing).
bool bench_simplices_overlap(bench_surface *a, bench_surface *b, int64_t *flops);

#endif
