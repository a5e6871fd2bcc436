// SPDX-License-Identifier: MIT
// From the polygons of a hull to the facets of a polytope.
//
// Starting from the largest polygon, neighbours whose corners all lie in its plane join it; then the largest that is
// left, and so on. As the surface is convex, such a group is a disk: a ring of polygons in one plane cannot enclose one
// that is not. A corner that fewer than three groups meet in lies inside a facet or on an edge and is dropped. All of
// this moves the surface by no more than the tolerance; what comes out is checked nevertheless.
#include <stdlib.h>

#include "math/vec3.h"
#include "shape/polytope/hull.h"

typedef struct surface {
    const crm_polygons *in;
    const carom_vec3 *points;
    const crm_joining *how;
    int corner_count;
    int *twin;        // (corner_count)
    int *polygon;     // (corner_count) that a corner entry belongs to
    carom_vec3 *area; // (polygons)
    int *group;       // (polygons) the polygon that its group grew from
    int *seed;        // (groups in the order of `out`)
    int *stack;       // (polygons)
    int *outgoing;    // (points) edges between different groups that start at a point
} surface;

static int corner_after(const crm_polygons *polygons, const int *polygon, int k) {
    return crm_next_corner(polygons, polygon[k], k);
}

static bool take_surface(surface *s, int point_count, crm_arena *arena) {
    int polygons = s->in->count, corners = s->in->start[polygons];
    s->corner_count = corners;
    s->twin = CRM_ARENA_ARRAY(arena, int, corners);
    s->polygon = CRM_ARENA_ARRAY(arena, int, corners);
    s->area = CRM_ARENA_ARRAY(arena, carom_vec3, polygons);
    s->group = CRM_ARENA_ARRAY(arena, int, polygons);
    s->stack = CRM_ARENA_ARRAY(arena, int, polygons);
    s->seed = CRM_ARENA_ARRAY(arena, int, polygons);
    s->outgoing = CRM_ARENA_ZEROED(arena, int, point_count);
    return s->twin != NULL && s->polygon != NULL && s->area != NULL && s->group != NULL && s->stack != NULL &&
           s->seed != NULL && s->outgoing != NULL;
}

static void measure(surface *s) {
    for (int p = 0; p < s->in->count; p++) {
        int start = s->in->start[p], count = s->in->start[p + 1] - start;
        s->area[p] = crm_area_vector(count, s->in->corner + start, s->points);
        s->group[p] = -1;
        for (int k = start; k < start + count; k++) s->polygon[k] = p;
    }
}

// Whether polygon `p` lies in the plane through `origin`. A sliver's own normal is noise and is not asked.
static bool lies_in_plane(const surface *s, int p, carom_vec3 origin, carom_vec3 normal) {
    double across = crm_dot(s->area[p], normal);
    if (across < 0.0 && crm_length(s->area[p]) > s->how->join) return false;
    for (int k = s->in->start[p]; k < s->in->start[p + 1]; k++)
        if (!(fabs(crm_dot(normal, crm_sub(s->points[s->in->corner[k]], origin))) <= s->how->join)) return false;
    return true;
}

static void grow_group(surface *s, int seed) {
    carom_vec3 normal, origin = s->points[s->in->corner[s->in->start[seed]]];
    s->group[seed] = seed;
    if (s->how->join < 0.0 || crm_normalise(s->area[seed], &normal) == 0.0) return;
    int depth = 0;
    s->stack[depth++] = seed;
    while (depth > 0) {
        int p = s->stack[--depth];
        for (int k = s->in->start[p]; k < s->in->start[p + 1]; k++) {
            int other = s->polygon[s->twin[k]];
            if (s->group[other] >= 0 || !lies_in_plane(s, other, origin, normal)) continue;
            s->group[other] = seed;
            s->stack[depth++] = other;
        }
    }
}

typedef struct sized_polygon {
    double area;
    int polygon;
} sized_polygon;

static int largest_first(const void *a, const void *b) {
    const sized_polygon *x = a, *y = b;
    if (x->area != y->area) return x->area > y->area ? -1 : 1;
    return x->polygon - y->polygon;
}

static crm_hull_outcome find_groups(surface *s, crm_arena *arena) {
    sized_polygon *order = CRM_ARENA_ARRAY(arena, sized_polygon, s->in->count);
    if (order == NULL) return CRM_HULL_NO_MEMORY;
    for (int p = 0; p < s->in->count; p++) order[p] = (sized_polygon){crm_length_squared(s->area[p]), p};
    qsort(order, (size_t)s->in->count, sizeof *order, largest_first);
    for (int i = 0; i < s->in->count; i++)
        if (s->group[order[i].polygon] < 0) grow_group(s, order[i].polygon);
    return CRM_HULL_GOOD;
}

static bool is_boundary(const surface *s, int k) {
    return s->group[s->polygon[k]] != s->group[s->polygon[s->twin[k]]];
}

// The boundary of the group that entry `first` bounds, without the dropped corners. Returns how many entries it has in
// all, dropped ones included.
static int trace_boundary(const surface *s, int first, crm_polygons *out) {
    int k = first, passed = 0, end = out->start[out->count];
    do {
        int corner = s->in->corner[k];
        if (s->outgoing[corner] >= 3) out->corner[end++] = corner;
        passed++;
        // Around the end of this edge, through the inside of the group, to the next boundary edge.
        k = corner_after(s->in, s->polygon, k);
        while (!is_boundary(s, k)) k = corner_after(s->in, s->polygon, s->twin[k]);
    } while (k != first && passed <= s->corner_count);
    out->start[++out->count] = end;
    return passed;
}

static crm_hull_outcome trace_groups(const surface *s, crm_arena *arena, crm_polygons *out) {
    int *boundary = CRM_ARENA_ZEROED(arena, int, s->in->count), *first = CRM_ARENA_ARRAY(arena, int, s->in->count);
    if (boundary == NULL || first == NULL) return CRM_HULL_NO_MEMORY;
    for (int k = s->corner_count - 1; k >= 0; k--) {
        if (!is_boundary(s, k)) continue;
        int group = s->group[s->polygon[k]];
        boundary[group]++;
        first[group] = k;
    }
    out->count = 0;
    out->start[0] = 0;
    for (int p = 0; p < s->in->count; p++) {
        if (s->group[p] != p) continue;
        s->seed[out->count] = p;
        // A disk has one boundary, which passes every edge once.
        if (boundary[p] == 0 || trace_boundary(s, first[p], out) != boundary[p]) return CRM_HULL_FAILED;
        if (out->start[out->count] - out->start[out->count - 1] < 3) return CRM_HULL_FAILED;
    }
    return CRM_HULL_GOOD;
}

// How far the surface around polygon `p` rises above the lowest of its corners along `normal`: 0 for a plane facet of
// a convex surface.
static double spread(const surface *s, const crm_polygons *out, const int *twin, const int *polygon, int p,
                     carom_vec3 normal) {
    carom_vec3 origin = s->points[out->corner[out->start[p]]];
    double low = 0.0, high = 0.0;
    for (int k = out->start[p]; k < out->start[p + 1]; k++) {
        double own = crm_dot(normal, crm_sub(s->points[out->corner[k]], origin));
        low = fmin(low, own);
        high = fmax(high, own);
        int other = polygon[twin[k]];
        for (int j = out->start[other]; j < out->start[other + 1]; j++)
            high = fmax(high, crm_dot(normal, crm_sub(s->points[out->corner[j]], origin)));
    }
    return high - low;
}

// Normals, and with them whether the surface is convex across its edges; a closed surface that is, is convex as a
// whole. The whole polygon tells best where it looks, unless it is so narrow that corners which are off its plane tilt
// it: then it looks where the polygon does that it grew from.
static crm_hull_outcome find_normals(const surface *s, crm_polygons *out, crm_arena *arena) {
    int corners = out->start[out->count];
    int *twin = CRM_ARENA_ARRAY(arena, int, corners), *polygon = CRM_ARENA_ARRAY(arena, int, corners);
    out->normal = CRM_ARENA_ARRAY(arena, carom_vec3, out->count);
    if (twin == NULL || polygon == NULL || out->normal == NULL) return CRM_HULL_NO_MEMORY;
    crm_hull_outcome outcome = crm_pair_edges(out, arena, twin);
    if (outcome != CRM_HULL_GOOD) return outcome;
    for (int p = 0; p < out->count; p++)
        for (int k = out->start[p]; k < out->start[p + 1]; k++) polygon[k] = p;
    for (int p = 0; p < out->count; p++) {
        int start = out->start[p], count = out->start[p + 1] - start;
        carom_vec3 whole, seed;
        crm_normalise(crm_area_vector(count, out->corner + start, s->points), &whole);
        crm_normalise(s->area[s->seed[p]], &seed);
        double of_whole = spread(s, out, twin, polygon, p, whole), of_seed = spread(s, out, twin, polygon, p, seed);
        bool take_seed = crm_length_squared(whole) == 0.0 || of_whole > 4.0 * of_seed;
        out->normal[p] = take_seed ? seed : whole;
        if (crm_length_squared(out->normal[p]) == 0.0 || !((take_seed ? of_seed : of_whole) <= 2.0 * s->how->tolerance))
            return CRM_HULL_FAILED;
    }
    return CRM_HULL_GOOD;
}

// Whether no corner of a polygon is inside of the line between its neighbours by more than twice the tolerance. Two
// facets at a small angle f, each off its plane by r, meet in a line that is straight to r/f only.
static bool are_convex(const surface *s, const crm_polygons *out) {
    for (int p = 0; p < out->count; p++) {
        int start = out->start[p], end = out->start[p + 1];
        for (int k = start; k < end; k++) {
            carom_vec3 before = s->points[out->corner[k > start ? k - 1 : end - 1]];
            carom_vec3 after = s->points[out->corner[crm_next_corner(out, p, k)]], along = crm_sub(after, before);
            double convexity = crm_dot(out->normal[p], crm_cross(crm_sub(s->points[out->corner[k]], before), along));
            if (convexity < -2.0 * s->how->tolerance * crm_length(along)) return false;
        }
    }
    return true;
}

static bool has_genus_zero(const surface *s, int point_count, const crm_polygons *out) {
    int corners = out->start[out->count], kept = 0;
    for (int i = 0; i < point_count; i++) kept += s->outgoing[i] >= 3;
    return corners % 2 == 0 && kept - corners / 2 + out->count == 2;
}

crm_hull_outcome crm_join_coplanar(const crm_polygons *in, int point_count, const carom_vec3 *points,
                                   const crm_joining *how, crm_arena *arena, crm_polygons *out) {
    surface s = {.in = in, .points = points, .how = how};
    out->start = CRM_ARENA_ARRAY(arena, int, in->count + 1);
    out->corner = CRM_ARENA_ARRAY(arena, int, in->start[in->count]);
    if (out->start == NULL || out->corner == NULL || !take_surface(&s, point_count, arena)) return CRM_HULL_NO_MEMORY;
    crm_hull_outcome outcome = crm_pair_edges(in, arena, s.twin);
    if (outcome != CRM_HULL_GOOD) return outcome;
    measure(&s);
    outcome = find_groups(&s, arena);
    if (outcome != CRM_HULL_GOOD) return outcome;
    for (int k = 0; k < s.corner_count; k++)
        if (is_boundary(&s, k)) s.outgoing[in->corner[k]]++;
    outcome = trace_groups(&s, arena, out);
    if (outcome != CRM_HULL_GOOD) return outcome;
    outcome = has_genus_zero(&s, point_count, out) ? find_normals(&s, out, arena) : CRM_HULL_FAILED;
    return outcome == CRM_HULL_GOOD && how->strict && !are_convex(&s, out) ? CRM_HULL_FAILED : outcome;
}
