// SPDX-License-Identifier: MIT
#include "reference/polytope/feature_enumeration.h"

#include <stdio.h>
#include <stdlib.h>

// Of the sum of the sizes: what counts as zero where bodies touch exactly; how wide outlines are; how near the points
// of one contact are. Normals of one contact, rad.
static const wide zero_lift = 1e-12L, outline = 1e-9L, same_point = 2e-9L, same_normal = 1e-6L;

typedef struct search {
    const solid *a, *b;
    wide3 between; // from A's centre to B's
    wide rho, tolerance, margin, least_sine;
    wide size_a, size_b, size; // of both together
    int count;
    solid_feature *out;
} search;

static wide largest_along(const solid *s, wide3 n) {
    wide largest = -INFINITY;
    for (int i = 0; i < s->vertex_count; i++) largest = fmaxl(largest, wide3_dot(n, s->vertex[i]));
    return largest;
}

static wide size_of(const solid *s) {
    wide size = 0.0L;
    for (int i = 0; i < s->vertex_count; i++) size = fmaxl(size, wide3_norm(wide3_sub(s->vertex[i], s->centre)));
    return size;
}

// Of the pair along n.
static wide pair_gap(const search *s, wide3 n) {
    return -largest_along(s->b, wide3_scale(-1.0L, n)) - largest_along(s->a, n);
}

// Newell's, which needs no three corners that are far from a line.
static wide3 facet_normal(const solid *s, int facet) {
    wide3 sum = {0, 0, 0};
    wide3 origin = s->vertex[s->ring[s->ring_start[facet]]];
    for (int i = s->ring_start[facet]; i < s->ring_start[facet + 1]; i++) {
        int next = i + 1 < s->ring_start[facet + 1] ? i + 1 : s->ring_start[facet];
        sum = wide3_add(
            sum, wide3_cross(wide3_sub(s->vertex[s->ring[i]], origin), wide3_sub(s->vertex[s->ring[next]], origin)));
    }
    return wide3_unit(sum);
}

static wide3 edge_vector(const solid *s, int edge) {
    return wide3_sub(s->vertex[s->edge[edge][1]], s->vertex[s->edge[edge][0]]);
}

// Sine of the angle, and the unit normal across both edges on the side of B; false when they are parallel to rounding.
static bool across(const search *s, int edge_a, int edge_b, wide3 *n, wide *sine) {
    wide3 u = edge_vector(s->a, edge_a), v = edge_vector(s->b, edge_b), m = wide3_cross(u, v);
    *sine = wide3_norm(m) / (wide3_norm(u) * wide3_norm(v));
    if (!(*sine > 1e-13L)) return false;
    *n = wide3_unit(m);
    if (wide3_dot(*n, s->between) < 0.0L) *n = wide3_scale(-1.0L, *n);
    return true;
}

// ---- the ratio metric

static void improve(search *s, wide3 n) {
    wide along = wide3_dot(n, s->between);
    if (along > 0.0L) s->rho = fmaxl(s->rho, pair_gap(s, n) / along);
}

static void find_rho(search *s) {
    s->rho = -INFINITY;
    for (int i = 0; i < s->a->facet_count; i++) improve(s, facet_normal(s->a, i));
    for (int i = 0; i < s->b->facet_count; i++) improve(s, wide3_scale(-1.0L, facet_normal(s->b, i)));
    for (int i = 0; i < s->a->edge_count; i++)
        for (int j = 0; j < s->b->edge_count; j++) {
            wide3 n;
            wide sine;
            if (across(s, i, j, &n, &sine)) improve(s, n);
        }
}

// ---- rules

static wide distance_to_segment(wide3 p, wide3 from, wide3 to) {
    wide3 u = wide3_sub(to, from);
    wide at = wide3_dot(wide3_sub(p, from), u) / wide3_dot(u, u);
    return wide3_norm(wide3_sub(p, wide3_along(from, fminl(1.0L, fmaxl(0.0L, at)), u)));
}

// From a point of the facet's plane; 0 inside.
static wide distance_to_facet(const solid *s, int facet, wide3 n, wide3 p) {
    bool inside = true;
    wide nearest = INFINITY;
    for (int i = s->ring_start[facet]; i < s->ring_start[facet + 1]; i++) {
        int next = i + 1 < s->ring_start[facet + 1] ? i + 1 : s->ring_start[facet];
        wide3 from = s->vertex[s->ring[i]], to = s->vertex[s->ring[next]];
        inside = inside && wide3_dot(n, wide3_cross(wide3_sub(to, from), wide3_sub(p, from))) >= 0.0L;
        nearest = fminl(nearest, distance_to_segment(p, from, to));
    }
    return inside ? 0.0L : nearest;
}

static bool is_known(const search *s, const solid_feature *e) {
    for (int i = 0; i < s->count; i++) {
        const solid_feature *k = &s->out[i];
        wide apart =
            fmaxl(wide3_norm(wide3_sub(k->point_a, e->point_a)), wide3_norm(wide3_sub(k->point_b, e->point_b)));
        if (apart <= same_point * s->size && wide3_norm(wide3_sub(k->normal, e->normal)) <= same_normal) return true;
    }
    return false;
}

static bool has_corner(const solid *s, int facet, int corner) {
    for (int i = s->ring_start[facet]; i < s->ring_start[facet + 1]; i++)
        if (s->ring[i] == corner) return true;
    return false;
}

// Sine of the steepest way from a corner, or from an edge with two ends, into the solid: `up` projected on the cone
// {y : m.y <= 0} of the facets there. The projection is `up` itself, or lies on one plane or two: all are tried.
static wide steepest_way(const solid *s, int corner, int other_end, wide3 up) {
    wide3 normal[SOLID_FACETS_MAX];
    int facets = 0;
    for (int i = 0; i < s->facet_count; i++)
        if (has_corner(s, i, corner) && (other_end < 0 || has_corner(s, i, other_end)))
            normal[facets++] = facet_normal(s, i);
    wide steepest = 0.0L;
    for (int i = -1; i < facets; i++)
        for (int j = -1; j < facets; j++) {
            wide3 y = up;
            if (i >= 0) y = wide3_along(up, -wide3_dot(up, normal[i]), normal[i]);
            if (i >= 0 && j >= 0) y = wide3_cross(normal[i], normal[j]);
            if (wide3_norm(y) < 1e-15L) continue;
            y = wide3_unit(y);
            bool inside = true;
            for (int k = 0; k < facets; k++) inside = inside && wide3_dot(normal[k], y) <= 1e-15L;
            if (inside) steepest = fmaxl(steepest, wide3_dot(up, y));
        }
    return steepest;
}

// The lift of a feature, counted as far as the other body extends.
static wide counted_lift(const solid *s, int corner, int other_end, wide3 point, wide3 up, wide other_size) {
    wide lift = largest_along(s, up) - wide3_dot(up, point);
    return fminl(lift, other_size * steepest_way(s, corner, other_end, up));
}

// The rules that corners and edges share: n.c > 0; Phi_hat within the tolerance of rho; on the support planes within
// the tolerance. Both as lengths along the normal. Facets are on the support planes.
static void examine(search *s, solid_feature e) {
    wide along = wide3_dot(e.normal, s->between);
    if (!(along > 0.0L)) return;
    e.rho = e.gap / along;
    if (fabsl(e.rho - s->rho) * along > s->tolerance) return;
    wide lift_a = 0.0L, lift_b = 0.0L;
    int a0 = e.kind == 2 ? s->a->edge[e.a][0] : e.a, a1 = e.kind == 2 ? s->a->edge[e.a][1] : -1;
    int b0 = e.kind == 2 ? s->b->edge[e.b][0] : e.b, b1 = e.kind == 2 ? s->b->edge[e.b][1] : -1;
    if (e.kind != 1) lift_a = counted_lift(s->a, a0, a1, e.point_a, e.normal, s->size_b);
    if (e.kind != 0) lift_b = counted_lift(s->b, b0, b1, e.point_b, wide3_scale(-1.0L, e.normal), s->size_a);
    if (lift_a + lift_b > s->tolerance) return;
    if (is_known(s, &e)) return;
    if (s->count == SOLID_FEATURES_MAX) {
        fprintf(stderr, "more feature contacts than fit\n");
        abort();
    }
    s->out[s->count++] = e;
}

static void try_corner_of_a(search *s, int corner, int facet) {
    wide3 m = facet_normal(s->b, facet), p = s->a->vertex[corner],
          on = s->b->vertex[s->b->ring[s->b->ring_start[facet]]];
    solid_feature e = {.kind = 0, .a = corner, .b = facet, .normal = wide3_scale(-1.0L, m), .point_a = p};
    e.gap = wide3_dot(m, wide3_sub(p, on));
    e.point_b = wide3_along(p, -e.gap, m);
    if (distance_to_facet(s->b, facet, m, e.point_b) <= s->margin) examine(s, e);
}

static void try_corner_of_b(search *s, int facet, int corner) {
    wide3 m = facet_normal(s->a, facet), p = s->b->vertex[corner],
          on = s->a->vertex[s->a->ring[s->a->ring_start[facet]]];
    solid_feature e = {.kind = 1, .a = facet, .b = corner, .normal = m, .point_b = p};
    e.gap = wide3_dot(m, wide3_sub(p, on));
    e.point_a = wide3_along(p, -e.gap, m);
    if (distance_to_facet(s->a, facet, m, e.point_a) <= s->margin) examine(s, e);
}

static void try_edges(search *s, int edge_a, int edge_b) {
    wide3 n;
    wide sine;
    if (!across(s, edge_a, edge_b, &n, &sine) || sine < s->least_sine) return;
    wide3 u = edge_vector(s->a, edge_a), v = edge_vector(s->b, edge_b);
    wide3 a0 = s->a->vertex[s->a->edge[edge_a][0]], a1 = s->a->vertex[s->a->edge[edge_a][1]];
    wide3 b0 = s->b->vertex[s->b->edge[edge_b][0]], b1 = s->b->vertex[s->b->edge[edge_b][1]];
    // a0 + x u + gap n = b0 + y v: three equations by columns.
    wide3 d = wide3_sub(b0, a0);
    wide matrix[9] = {u.x, u.y, u.z, -v.x, -v.y, -v.z, n.x, n.y, n.z}, right[3] = {d.x, d.y, d.z}, x[3];
    if (!wide_solve(3, matrix, false, right, 1e-25L, x)) return;
    solid_feature e = {.kind = 2, .a = edge_a, .b = edge_b, .normal = n, .gap = x[2]};
    e.point_a = wide3_along(a0, x[0], u);
    e.point_b = wide3_along(b0, x[1], v);
    if (distance_to_segment(e.point_a, a0, a1) <= s->margin && distance_to_segment(e.point_b, b0, b1) <= s->margin)
        examine(s, e);
}

int enumerate_features(const solid *a, const solid *b, const solid_rules *rules, solid_feature *out, wide *rho) {
    search s = {.a = a, .b = b, .between = wide3_sub(b->centre, a->centre), .out = out};
    s.size_a = size_of(a);
    s.size_b = size_of(b);
    s.size = s.size_a + s.size_b;
    s.tolerance = rules->gap_tolerance + zero_lift * s.size;
    s.margin = rules->margin + outline * s.size;
    s.least_sine = rules->least_sine;
    find_rho(&s);
    for (int i = 0; i < a->vertex_count; i++)
        for (int j = 0; j < b->facet_count; j++) try_corner_of_a(&s, i, j);
    for (int i = 0; i < a->facet_count; i++)
        for (int j = 0; j < b->vertex_count; j++) try_corner_of_b(&s, i, j);
    for (int i = 0; i < a->edge_count; i++)
        for (int j = 0; j < b->edge_count; j++) try_edges(&s, i, j);
    if (rho != NULL) *rho = s.rho;
    return s.count;
}
