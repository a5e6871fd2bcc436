// SPDX-License-Identifier: MIT
#include "reference/polytope/feature_scan.h"

#include <stdlib.h>
#include <string.h>

// Slack of the comparisons in double that leave out what cannot matter.
static const double margin = 1e-9;

static void *need(void *block) {
    if (block == NULL) abort();
    return block;
}

// ---- bodies

// Area vector of a polygon, by Newell.
static wide3 area_vector(const wide3 *vertex, int count, const int *corners) {
    wide3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        wide3 p = wide3_sub(vertex[corners[i]], vertex[corners[0]]);
        sum = wide3_add(sum, wide3_cross(p, wide3_sub(vertex[corners[(i + 1) % count]], vertex[corners[0]])));
    }
    return sum;
}

typedef struct half_edge {
    int low, high, facet;
    bool forward; // from low to high
} half_edge;

static int compare_half_edges(const void *a, const void *b) {
    const half_edge *p = a, *q = b;
    return p->low != q->low ? p->low - q->low : p->high != q->high ? p->high - q->high : p->forward - q->forward;
}

// Pairs the sides of the facets; false when one has no partner that runs the other way.
static bool join_edges(scan_body *body, int side_count) {
    half_edge *side = need(malloc((size_t)side_count * sizeof *side));
    int count = 0;
    for (int f = 0; f < body->facet_count; f++) {
        const int *corner = body->facets + body->facet_start[f];
        int corners = corner[-1];
        for (int i = 0; i < corners; i++) {
            int from = corner[i], to = corner[(i + 1) % corners];
            side[count++] = (half_edge){from < to ? from : to, from < to ? to : from, f, from < to};
        }
    }
    qsort(side, (size_t)count, sizeof *side, compare_half_edges);
    body->edge = need(malloc((size_t)(count / 2 + 1) * sizeof *body->edge));
    body->edge_count = count / 2;
    bool closed = count % 2 == 0;
    for (int i = 0; i + 1 < count && closed; i += 2) {
        closed = side[i].low == side[i + 1].low && side[i].high == side[i + 1].high && !side[i].forward &&
                 side[i + 1].forward;
        body->edge[i / 2] = (scan_edge){{side[i].low, side[i].high}, {side[i].facet, side[i + 1].facet}};
    }
    free(side);
    return closed;
}

static bool is_convex(const scan_body *body) {
    for (int f = 0; f < body->facet_count; f++) {
        wide offset = wide3_dot(body->normal[f], body->vertex[body->facets[body->facet_start[f]]]);
        for (int v = 0; v < body->vertex_count; v++)
            if (!(wide3_dot(body->normal[f], body->vertex[v]) - offset < 1e-12L)) return false;
    }
    return true;
}

static scan_body room_for(int vertex_count, int facet_count) {
    return (scan_body){.vertex_count = vertex_count,
                       .facet_count = facet_count,
                       .vertex = need(malloc((size_t)vertex_count * sizeof(wide3))),
                       .normal = need(malloc((size_t)facet_count * sizeof(wide3)))};
}

bool scan_body_make(int vertex_count, const double *vertices, int facet_count, const int *facets, scan_body *body) {
    *body = room_for(vertex_count, facet_count);
    body->facets = facets;
    body->facet_start = need(malloc((size_t)facet_count * sizeof *body->facet_start));
    for (int v = 0; v < vertex_count; v++) {
        body->vertex[v] = wide3_read(vertices + 3 * v);
        body->centre = wide3_along(body->centre, 1.0L / vertex_count, body->vertex[v]);
    }
    int side_count = 0;
    for (int f = 0, at = 0; f < facet_count; f++) {
        body->facet_start[f] = at + 1;
        body->normal[f] = wide3_unit(area_vector(body->vertex, facets[at], facets + at + 1));
        side_count += facets[at];
        at += facets[at] + 1;
    }
    return join_edges(body, side_count) && vertex_count - body->edge_count + facet_count == 2 && is_convex(body);
}

void scan_body_free(scan_body *body) {
    free(body->vertex);
    free(body->normal);
    if (body->is_placement) return;
    free(body->facet_start);
    free(body->edge);
}

scan_body scan_body_place(const scan_body *body, const double *attitude, const double *position) {
    scan_body placed = room_for(body->vertex_count, body->facet_count);
    wide_rotation rotation = wide_rotation_of(attitude);
    wide3 shift = wide3_read(position);
    for (int v = 0; v < body->vertex_count; v++)
        placed.vertex[v] = wide3_add(wide_rotate(rotation, body->vertex[v]), shift);
    for (int f = 0; f < body->facet_count; f++) placed.normal[f] = wide_rotate(rotation, body->normal[f]);
    placed.centre = wide3_add(wide_rotate(rotation, body->centre), shift);
    placed.facets = body->facets;
    placed.facet_start = body->facet_start;
    placed.edge = body->edge;
    placed.edge_count = body->edge_count;
    placed.is_placement = true;
    return placed;
}

// ---- facets of the difference of two bodies

// A cap of the unit sphere, or a ball: around an edge's arc of normals, or around the edge itself.
typedef struct rough {
    double x, y, z;
    double radius;       // of the ball
    double cosine, sine; // of the cap's opening
} rough;

static rough rough_arc(const scan_body *body, const scan_edge *edge, wide sign) {
    wide3 n = body->normal[edge->facets[0]], sum = wide3_add(n, body->normal[edge->facets[1]]);
    wide3 middle = wide3_scale(sign, wide3_unit(sum));
    double cosine = (double)(0.5L * wide3_norm(sum));
    return (rough){.x = (double)middle.x,
                   .y = (double)middle.y,
                   .z = (double)middle.z,
                   .cosine = cosine,
                   .sine = sqrt(fmax(0.0, 1.0 - cosine * cosine))};
}

static rough rough_ball(const scan_body *body, const int *vertex, int count) {
    wide3 middle = {0, 0, 0};
    wide radius = 0.0L;
    for (int i = 0; i < count; i++) middle = wide3_along(middle, 1.0L / count, body->vertex[vertex[i]]);
    for (int i = 0; i < count; i++) radius = fmaxl(radius, wide3_norm(wide3_sub(body->vertex[vertex[i]], middle)));
    return (rough){.x = (double)middle.x, .y = (double)middle.y, .z = (double)middle.z, .radius = (double)radius};
}

static bool caps_meet(const rough *p, const rough *q) {
    return p->x * q->x + p->y * q->y + p->z * q->z >= p->cosine * q->cosine - p->sine * q->sine - margin;
}

static bool balls_within(const rough *p, const rough *q, double distance) {
    double x = q->x - p->x, y = q->y - p->y, z = q->z - p->z, extent = distance + p->radius + q->radius + margin;
    return x * x + y * y + z * z <= extent * extent;
}

typedef struct best_planes {
    const scan_body *first, *second;
    wide3 beta; // unit, from centre to centre
    wide gap, ray;
    wide3 normal; // of the gap
    wide3 step;   // between vertices on the planes of the gap
} best_planes;

static wide3 farthest(const scan_body *body, wide3 n) {
    wide most = -INFINITY;
    int found = 0;
    for (int v = 0; v < body->vertex_count; v++) {
        wide height = wide3_dot(n, body->vertex[v]);
        if (height > most) most = height, found = v;
    }
    return body->vertex[found];
}

// The gap between the bodies' support planes with unit normal n from the first to the second, a candidate for the best.
// For any points of the bodies <n, step> bounds it, for the best ones so far and the ones given: most need no more.
static void offer_planes(best_planes *best, wide3 n, wide3 step) {
    wide along = wide3_dot(n, best->beta), most = fminl(wide3_dot(n, step), wide3_dot(n, best->step));
    if (!(most > best->gap) && !(along > 0.0L && most > best->ray * along)) return;
    step = wide3_sub(farthest(best->second, wide3_scale(-1.0L, n)), farthest(best->first, n));
    wide gap = wide3_dot(n, step);
    if (gap > best->gap) best->gap = gap, best->normal = n, best->step = step;
    if (along > 0.0L) best->ray = fmaxl(best->ray, gap / along);
}

// The difference's facets are those of either body and the parallelograms of two edges whose arcs of normals cross.
// Pairs of edges whose arcs do not cross may be offered, too: they are right in being smaller.
static best_planes widest_planes(const scan_body *first, const scan_body *second) {
    wide3 centres = wide3_sub(second->centre, first->centre);
    best_planes best = {first, second, wide3_unit(centres), -INFINITY, -INFINITY, {0, 0, 0}, centres};
    for (int f = 0; f < first->facet_count; f++) offer_planes(&best, first->normal[f], centres);
    for (int f = 0; f < second->facet_count; f++) offer_planes(&best, wide3_scale(-1.0L, second->normal[f]), centres);
    rough *arc = need(malloc((size_t)second->edge_count * sizeof *arc));
    for (int e = 0; e < second->edge_count; e++) arc[e] = rough_arc(second, &second->edge[e], -1.0L);
    for (int d = 0; d < first->edge_count; d++) {
        const int *end = first->edge[d].ends;
        rough own = rough_arc(first, &first->edge[d], 1.0L);
        wide3 middle = {own.x, own.y, own.z}, u = wide3_sub(first->vertex[end[1]], first->vertex[end[0]]);
        for (int e = 0; e < second->edge_count; e++) {
            if (!caps_meet(&own, &arc[e])) continue;
            const int *other = second->edge[e].ends;
            wide3 v = wide3_sub(second->vertex[other[1]], second->vertex[other[0]]), n = wide3_cross(u, v);
            if (!(wide3_norm(n) > 1e-12L * wide3_norm(u) * wide3_norm(v))) continue;
            n = wide3_scale(wide3_dot(n, middle) < 0.0L ? -1.0L : 1.0L, wide3_unit(n));
            offer_planes(&best, n, wide3_sub(second->vertex[other[0]], first->vertex[end[0]]));
        }
    }
    free(arc);
    return best;
}

// ---- nearest points of bodies apart

typedef struct best_points {
    wide distance;
    wide3 step; // from the first body to the second
} best_points;

static void offer_step(best_points *best, wide3 step) {
    wide distance = wide3_norm(step);
    if (distance < best->distance) *best = (best_points){distance, step};
}

static wide clamp(wide x) {
    return fminl(1.0L, fmaxl(0.0L, x));
}

// From the segment a + s u to the segment b + t v, ends included.
static void offer_segments(best_points *best, wide3 a, wide3 u, wide3 b, wide3 v) {
    wide3 c = wide3_sub(b, a);
    wide uu = wide3_dot(u, u), vv = wide3_dot(v, v), uv = wide3_dot(u, v), cu = wide3_dot(c, u), cv = wide3_dot(c, v);
    wide square = uu * vv - uv * uv;
    if (square > 1e-24L * uu * vv) {
        wide s = (cu * vv - cv * uv) / square, t = (cu * uv - cv * uu) / square;
        if (s >= 0.0L && s <= 1.0L && t >= 0.0L && t <= 1.0L)
            offer_step(best, wide3_along(wide3_along(c, t, v), -s, u));
    }
    // Each end with the other segment.
    for (int end = 0; end < 2; end++) {
        wide s = clamp((cu + end * uv) / uu), t = clamp((end * uv - cv) / vv);
        offer_step(best, wide3_along(wide3_along(c, end, v), -s, u));
        offer_step(best, wide3_along(wide3_along(c, t, v), -(wide)end, u));
    }
}

// The step from the facet to the vertex above it, when its foot is within the facet.
static bool step_from_facet(const scan_body *of, int f, wide3 v, wide3 *step) {
    const int *corner = of->facets + of->facet_start[f];
    wide3 n = of->normal[f];
    wide height = wide3_dot(n, wide3_sub(v, of->vertex[corner[0]]));
    if (height < 0.0L) return false;
    for (int i = 0, count = corner[-1]; i < count; i++) {
        wide3 start = of->vertex[corner[i]], along = wide3_sub(of->vertex[corner[(i + 1) % count]], start);
        if (wide3_dot(wide3_cross(n, along), wide3_sub(v, start)) < 0.0L) return false;
    }
    *step = wide3_scale(height, n);
    return true;
}

static void scan_vertices(const scan_body *of, const scan_body *other, wide sign, best_points *best) {
    rough *point = need(malloc((size_t)other->vertex_count * sizeof *point));
    for (int v = 0; v < other->vertex_count; v++) point[v] = rough_ball(other, &v, 1);
    for (int f = 0; f < of->facet_count; f++) {
        const int *corner = of->facets + of->facet_start[f];
        rough facet = rough_ball(of, corner, corner[-1]);
        for (int v = 0; v < other->vertex_count; v++) {
            wide3 step;
            if (balls_within(&facet, &point[v], (double)best->distance) &&
                step_from_facet(of, f, other->vertex[v], &step))
                offer_step(best, wide3_scale(sign, step));
        }
    }
    free(point);
}

static best_points nearest_points(const scan_body *first, const scan_body *second) {
    best_points best = {INFINITY, {0, 0, 0}};
    rough *ball = need(malloc((size_t)second->edge_count * sizeof *ball));
    for (int e = 0; e < second->edge_count; e++) ball[e] = rough_ball(second, second->edge[e].ends, 2);
    for (int d = 0; d < first->edge_count; d++) {
        const int *end = first->edge[d].ends;
        rough own = rough_ball(first, end, 2);
        wide3 a = first->vertex[end[0]], u = wide3_sub(first->vertex[end[1]], a);
        for (int e = 0; e < second->edge_count; e++) {
            if (!balls_within(&own, &ball[e], (double)best.distance)) continue;
            wide3 b = second->vertex[second->edge[e].ends[0]];
            offer_segments(&best, a, u, b, wide3_sub(second->vertex[second->edge[e].ends[1]], b));
        }
    }
    free(ball);
    scan_vertices(first, second, 1.0L, &best);
    scan_vertices(second, first, -1.0L, &best);
    return best;
}

scan_result scan_measure(const scan_body *first, const scan_body *second) {
    best_planes planes = widest_planes(first, second);
    scan_result result = {.distance = (double)planes.gap, .ray = (double)planes.ray};
    wide3 normal = planes.normal;
    if (planes.gap > 0.0L) {
        best_points points = nearest_points(first, second);
        result.distance = (double)points.distance;
        // The step between points that touch has no direction; the planes have.
        if (points.distance > 1e-9L) normal = wide3_scale(1.0L / points.distance, points.step);
    }
    wide3_write(normal, result.normal);
    return result;
}
