// SPDX-License-Identifier: MIT
#include "reference/polytope/separating_axes.h"

#include <stdlib.h>
#include <string.h>

#include "reference/polytope/hull.h"
#include "reference/program/least_norm.h"

// Relative to the bodies' size: coplanar vertices, equal depths, vertices on a support plane.
static const wide same = 1e-9L;
// Sine below which two edges are parallel: their common perpendicular is then one that other features have too.
static const wide parallel_sine = 1e-12L;

typedef struct best_pair {
    wide distance;
    wide3 p1, p2;
} best_pair;

static void offer_points(best_pair *best, bool swapped, wide3 p, wide3 q) {
    wide distance = wide3_norm(wide3_sub(q, p));
    if (distance >= best->distance) return;
    *best = (best_pair){distance, swapped ? q : p, swapped ? p : q};
}

// The vertex above the facet, its foot within the facet's edges.
static void vertex_to_facet(const hull *of, int f, wide3 v, bool swapped, best_pair *best) {
    const hull_facet *facet = &of->facet[f];
    wide height = wide3_dot(facet->normal, v) - facet->offset;
    if (height < 0.0L) return;
    wide3 foot = wide3_along(v, -height, facet->normal), inner = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < of->vertex_count; i++)
        if (facet->vertices >> i & 1) inner = wide3_add(inner, of->vertex[i]), count++;
    inner = wide3_scale(1.0L / count, inner);
    for (int e = 0; e < of->edge_count; e++) {
        if (of->edge[e].facets[0] != f && of->edge[e].facets[1] != f) continue;
        wide3 start = of->vertex[of->edge[e].ends[0]];
        wide3 side = wide3_cross(facet->normal, wide3_sub(of->vertex[of->edge[e].ends[1]], start));
        if (wide3_dot(side, wide3_sub(foot, start)) * wide3_dot(side, wide3_sub(inner, start)) < 0.0L) return;
    }
    offer_points(best, swapped, foot, v);
}

static void vertex_to_edge(const hull *of, const hull_edge *edge, wide3 v, bool swapped, best_pair *best) {
    wide3 start = of->vertex[edge->ends[0]], along = wide3_sub(of->vertex[edge->ends[1]], start);
    wide s = wide3_dot(along, wide3_sub(v, start)) / wide3_dot(along, along);
    if (s < 0.0L || s > 1.0L) return;
    offer_points(best, swapped, wide3_along(start, s, along), v);
}

static void edge_to_edge(const hull *h1, const hull_edge *e1, const hull *h2, const hull_edge *e2, best_pair *best) {
    wide3 a = h1->vertex[e1->ends[0]], u = wide3_sub(h1->vertex[e1->ends[1]], a);
    wide3 b = h2->vertex[e2->ends[0]], v = wide3_sub(h2->vertex[e2->ends[1]], b);
    wide3 n = wide3_cross(u, v), c = wide3_sub(b, a);
    wide square = wide3_dot(n, n);
    if (!(sqrtl(square) > parallel_sine * wide3_norm(u) * wide3_norm(v))) return;
    wide s = wide3_dot(wide3_cross(c, v), n) / square, t = wide3_dot(wide3_cross(c, u), n) / square;
    if (s < 0.0L || s > 1.0L || t < 0.0L || t > 1.0L) return;
    offer_points(best, false, wide3_along(a, s, u), wide3_along(b, t, v));
}

// Nearest points of bodies apart: every pair of features whose nearest points are inside both.
static best_pair nearest_features(const hull *h1, const hull *h2) {
    best_pair best = {.distance = INFINITY};
    for (int side = 0; side < 2; side++) {
        const hull *of = side == 0 ? h1 : h2, *other = side == 0 ? h2 : h1;
        for (int v = 0; v < other->vertex_count; v++) {
            for (int f = 0; f < of->facet_count; f++) vertex_to_facet(of, f, other->vertex[v], side == 1, &best);
            for (int e = 0; e < of->edge_count; e++)
                vertex_to_edge(of, &of->edge[e], other->vertex[v], side == 1, &best);
            for (int w = 0; w < of->vertex_count; w++) offer_points(&best, side == 1, of->vertex[w], other->vertex[v]);
        }
    }
    for (int e = 0; e < h1->edge_count; e++)
        for (int f = 0; f < h2->edge_count; f++) edge_to_edge(h1, &h1->edge[e], h2, &h2->edge[f], &best);
    return best;
}

// The gap between the bodies' support planes with unit normal n from 1 to 2.
static wide plane_gap(const hull *h1, const hull *h2, wide3 n) {
    return -hull_support(h2, wide3_scale(-1.0L, n), 0.0L, NULL) - hull_support(h1, n, 0.0L, NULL);
}

enum { EQUAL_NORMALS_MAX = 64 };

typedef struct best_axis {
    const hull *h1, *h2;
    wide gap, slack;
    wide3 normal;
    int kept; // different normals within the slack of the best when they came
    wide3 kept_normal[EQUAL_NORMALS_MAX];
    wide kept_gap[EQUAL_NORMALS_MAX];
} best_axis;

static void offer_axis(best_axis *best, wide3 n) {
    wide gap = plane_gap(best->h1, best->h2, n);
    if (gap < best->gap - best->slack) return;
    if (gap > best->gap + best->slack) best->kept = 0;
    if (gap > best->gap) best->gap = gap, best->normal = n;
    for (int k = 0; k < best->kept; k++)
        if (wide3_norm(wide3_sub(n, best->kept_normal[k])) < 1e-7L) return;
    if (best->kept == EQUAL_NORMALS_MAX) return;
    best->kept_normal[best->kept] = n;
    best->kept_gap[best->kept++] = gap;
}

static int equal_normals(const best_axis *best) {
    int count = 0;
    for (int k = 0; k < best->kept; k++) count += best->kept_gap[k] >= best->gap - best->slack;
    return count;
}

// The arcs of the Gauss maps of an edge of body 1 and of the mirrored body 2 cross: only then the edges' parallelogram
// is a facet of the difference. Tolerant at the ends: an axis too many costs time, not truth, as gaps are of whole
// bodies.
static bool arcs_cross(const hull *h1, const hull_edge *e1, const hull *h2, const hull_edge *e2) {
    const wide tolerance = 1e-9L;
    wide3 a = h1->facet[e1->facets[0]].normal, b = h1->facet[e1->facets[1]].normal;
    wide3 c = wide3_scale(-1.0L, h2->facet[e2->facets[0]].normal);
    wide3 d = wide3_scale(-1.0L, h2->facet[e2->facets[1]].normal);
    wide3 ba = wide3_unit(wide3_cross(b, a)), dc = wide3_unit(wide3_cross(d, c));
    wide c_side = wide3_dot(c, ba), d_side = wide3_dot(d, ba), a_side = wide3_dot(a, dc), b_side = wide3_dot(b, dc);
    if (fminl(c_side, d_side) > tolerance || fmaxl(c_side, d_side) < -tolerance) return false;
    if (fminl(a_side, b_side) > tolerance || fmaxl(a_side, b_side) < -tolerance) return false;
    // The great circles cross twice, on opposite sides of the sphere: both arcs must run through the same crossing.
    return c_side * b_side >= -tolerance && d_side * a_side >= -tolerance;
}

static best_axis widest_axis(const hull *h1, const hull *h2) {
    best_axis best = {.h1 = h1, .h2 = h2, .gap = -INFINITY, .slack = same * fmaxl(h1->size, h2->size)};
    for (int f = 0; f < h1->facet_count; f++) offer_axis(&best, h1->facet[f].normal);
    for (int f = 0; f < h2->facet_count; f++) offer_axis(&best, wide3_scale(-1.0L, h2->facet[f].normal));
    for (int e = 0; e < h1->edge_count; e++)
        for (int f = 0; f < h2->edge_count; f++) {
            const hull_edge *e1 = &h1->edge[e], *e2 = &h2->edge[f];
            wide3 u = wide3_sub(h1->vertex[e1->ends[1]], h1->vertex[e1->ends[0]]);
            wide3 v = wide3_sub(h2->vertex[e2->ends[1]], h2->vertex[e2->ends[0]]), n = wide3_cross(u, v);
            if (!(wide3_norm(n) > 1e-9L * wide3_norm(u) * wide3_norm(v))) continue;
            if (!arcs_cross(h1, e1, h2, e2)) continue;
            n = wide3_unit(n);
            // Outward for body 1: on the side of the facets that meet at the edge.
            wide3 outward = wide3_add(h1->facet[e1->facets[0]].normal, h1->facet[e1->facets[1]].normal);
            offer_axis(&best, wide3_dot(n, outward) < 0.0L ? wide3_scale(-1.0L, n) : n);
        }
    return best;
}

// Points of the two touching features with p2 - p1 = gap n, as the mixtures of least norm: symmetric where the bodies
// are.
static bool overlapping_points(const hull *h1, const hull *h2, const best_axis *axis, uint64_t f1, uint64_t f2,
                               best_pair *pair) {
    wide *a = wide_zeros(5 * (h1->vertex_count + h2->vertex_count)), x[2 * HULL_VERTICES_MAX];
    wide size = fmaxl(h1->size, h2->size);
    wide3 step = wide3_scale(-axis->gap / size, axis->normal);
    const wide b[5] = {step.x, step.y, step.z, 1.0L, 1.0L};
    int count = 0, name[2 * HULL_VERTICES_MAX];
    for (int k = 0; k < h1->vertex_count + h2->vertex_count; k++) {
        bool first = k < h1->vertex_count;
        int i = first ? k : k - h1->vertex_count;
        if (!((first ? f1 : f2) >> i & 1)) continue;
        wide3 p = wide3_sub(first ? h1->vertex[i] : h2->vertex[i], h1->centre);
        p = wide3_scale((first ? 1.0L : -1.0L) / size, p);
        const wide column[5] = {p.x, p.y, p.z, first ? 1.0L : 0.0L, first ? 0.0L : 1.0L};
        memcpy(a + 5 * count, column, sizeof column);
        name[count++] = k;
    }
    bool found = least_norm_nonnegative(5, count, a, b, 4.0L * same, x, NULL);
    *pair = (best_pair){.distance = axis->gap};
    for (int k = 0; k < count; k++) {
        if (name[k] < h1->vertex_count)
            pair->p1 = wide3_along(pair->p1, x[k], h1->vertex[name[k]]);
        else
            pair->p2 = wide3_along(pair->p2, x[k], h2->vertex[name[k] - h1->vertex_count]);
    }
    free(a);
    return found;
}

static bool measure(const hull *h1, const hull *h2, axes_result *result) {
    best_axis axis = widest_axis(h1, h2);
    wide size = fmaxl(h1->size, h2->size);
    best_pair pair;
    bool done = true;
    result->equal_normals = equal_normals(&axis);
    if (axis.gap > 0.0L) {
        pair = nearest_features(h1, h2);
        // The difference of points that touch has no direction; the axis has.
        if (pair.distance > same * size) axis.normal = wide3_scale(1.0L / pair.distance, wide3_sub(pair.p2, pair.p1));
        result->equal_normals = 1;
    }
    hull_support(h1, axis.normal, same * size, &result->feature1);
    hull_support(h2, wide3_scale(-1.0L, axis.normal), same * size, &result->feature2);
    if (!(axis.gap > 0.0L)) done = overlapping_points(h1, h2, &axis, result->feature1, result->feature2, &pair);
    result->distance = (double)pair.distance;
    wide3_write(axis.normal, result->normal);
    wide3_write(pair.p1, result->point1);
    wide3_write(pair.p2, result->point2);
    return done;
}

bool separating_axes_distance(int count1, const double *k1, int count2, const double *k2, axes_result *result) {
    hull *h = calloc(2, sizeof *h);
    if (h == NULL) abort();
    memset(result, 0, sizeof *result);
    bool done =
        hull_build(count1, k1, same, &h[0]) && hull_build(count2, k2, same, &h[1]) && measure(&h[0], &h[1], result);
    free(h);
    return done;
}

int axes_feature_dimension(uint64_t feature) {
    if ((feature & (feature - 1)) == 0) return 0;
    feature &= feature - 1;
    return (feature & (feature - 1)) == 0 ? 1 : 2;
}
