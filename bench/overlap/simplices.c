// SPDX-License-Identifier: MIT
#include "overlap/simplices.h"

BENCH_COUNTED void place(int64_t *flops, bench_surface *s) {
    for (int k = 0; k < s->vertex_count; k++)
        s->world[k] = bench_add(flops, s->position, bench_apply(flops, &s->rotation, s->vertices[k]));
    for (int k = 0; k < s->triangle_count; k++) {
        const int *t = s->triangles[k];
        carom_vec3 first = s->world[t[0]], p = bench_sub(flops, s->world[t[1]], first);
        s->normal[k] = bench_cross(flops, p, bench_sub(flops, s->world[t[2]], first));
        s->offset[k] = bench_dot(flops, s->normal[k], first);
    }
}

// The oriented volume, times 6, of a triangle and a vertex: negative where the vertex lies on the body's side.
BENCH_COUNTED double height(int64_t *flops, const bench_surface *of, int triangle, carom_vec3 vertex) {
    bench_count(flops, 1);
    return bench_dot(flops, of->normal[triangle], vertex) - of->offset[triangle];
}

// The heights of a triangle's vertices over a plane of the other body; false when all are on one side of it.
BENCH_COUNTED bool straddles(int64_t *flops, const bench_surface *plane, int p, const bench_surface *of, int q,
                             double heights[3]) {
    for (int k = 0; k < 3; k++) heights[k] = height(flops, plane, p, of->world[of->triangles[q][k]]);
    bool above = heights[0] > 0.0 && heights[1] > 0.0 && heights[2] > 0.0;
    bool below = heights[0] < 0.0 && heights[1] < 0.0 && heights[2] < 0.0;
    return !above && !below;
}

// Whether an edge of triangle q, whose vertices have these heights over the plane of p, passes through p: the
// tetrahedra of the edge and each side of p are all oriented alike.
BENCH_COUNTED bool pierces(int64_t *flops, const bench_surface *a, int p, const bench_surface *b, int q,
                           const double heights[3]) {
    for (int k = 0; k < 3; k++) {
        int next = k < 2 ? k + 1 : 0;
        if ((heights[k] > 0.0) == (heights[next] > 0.0)) continue;
        carom_vec3 from = b->world[b->triangles[q][k]];
        carom_vec3 edge = bench_sub(flops, b->world[b->triangles[q][next]], from), arm[3];
        for (int i = 0; i < 3; i++) arm[i] = bench_sub(flops, a->world[a->triangles[p][i]], from);
        int positive = 0;
        for (int i = 0; i < 3; i++)
            positive += bench_dot(flops, edge, bench_cross(flops, arm[i], arm[(i + 1) % 3])) > 0.0;
        if (positive == 0 || positive == 3) return true;
    }
    return false;
}

BENCH_COUNTED bool meet(int64_t *flops, const bench_surface *a, int p, const bench_surface *b, int q) {
    double of_b[3], of_a[3];
    if (!straddles(flops, a, p, b, q, of_b) || !straddles(flops, b, q, a, p, of_a)) return false;
    return pierces(flops, a, p, b, q, of_b) || pierces(flops, b, q, a, p, of_a);
}

// Whether a vertex lies inside, below the planes of all triangles.
BENCH_COUNTED bool is_inside(int64_t *flops, const bench_surface *body, carom_vec3 vertex) {
    for (int k = 0; k < body->triangle_count; k++)
        if (height(flops, body, k, vertex) > 0.0) return false;
    return true;
}

BENCH_COUNTED bool overlap(int64_t *flops, bench_surface *a, bench_surface *b) {
    place(flops, a);
    place(flops, b);
    for (int p = 0; p < a->triangle_count; p++)
        for (int q = 0; q < b->triangle_count; q++)
            if (meet(flops, a, p, b, q)) return true;
    return is_inside(flops, a, b->world[0]) || is_inside(flops, b, a->world[0]);
}

bool bench_simplices_overlap(bench_surface *a, bench_surface *b, int64_t *flops) {
    return flops != NULL ? overlap(flops, a, b) : overlap(NULL, a, b);
}
