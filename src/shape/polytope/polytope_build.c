// SPDX-License-Identifier: MIT
#include "shape/polytope/polytope_build.h"

#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "shape/support/support.h"

// ---- canonical order: the same solid gets the same numbers, however its hull was found

typedef struct polygon_view {
    const int *corner;
    int count;
    carom_vec3 normal;
} polygon_view;

static int compare_polygons(const void *a, const void *b) {
    const polygon_view *x = a, *y = b;
    int common = x->count < y->count ? x->count : y->count;
    for (int i = 0; i < common; i++)
        if (x->corner[i] != y->corner[i]) return x->corner[i] < y->corner[i] ? -1 : 1;
    return x->count - y->count;
}

static bool sort_polygons(crm_polygons *polygons, crm_arena *scratch) {
    int corners = polygons->start[polygons->count];
    int *rotated = CRM_ARENA_ARRAY(scratch, int, corners);
    polygon_view *view = CRM_ARENA_ARRAY(scratch, polygon_view, polygons->count);
    if (rotated == NULL || view == NULL) return false;
    for (int p = 0; p < polygons->count; p++) {
        int start = polygons->start[p], count = polygons->start[p + 1] - start, lowest = 0;
        const int *corner = polygons->corner + start;
        for (int i = 1; i < count; i++)
            if (corner[i] < corner[lowest]) lowest = i;
        for (int i = 0; i < count; i++) rotated[start + i] = corner[(lowest + i) % count];
        view[p] = (polygon_view){rotated + start, count, polygons->normal[p]};
    }
    qsort(view, (size_t)polygons->count, sizeof *view, compare_polygons);
    for (int p = 0, filled = 0; p < polygons->count; p++) {
        memcpy(polygons->corner + filled, view[p].corner, (size_t)view[p].count * sizeof(int));
        filled += view[p].count;
        polygons->normal[p] = view[p].normal;
        polygons->start[p + 1] = filled;
    }
    return true;
}

// ---- the pieces

static bool build_vertices(int count, const carom_vec3 *vertices, crm_arena *arena, crm_polytope *out) {
    int padded = (count + CRM_SUPPORT_LANES - 1) / CRM_SUPPORT_LANES * CRM_SUPPORT_LANES;
    carom_vec3 *vertex = CRM_ARENA_ARRAY(arena, carom_vec3, count);
    double *x = CRM_ARENA_ARRAY(arena, double, padded), *y = CRM_ARENA_ARRAY(arena, double, padded),
           *z = CRM_ARENA_ARRAY(arena, double, padded);
    if (vertex == NULL || x == NULL || y == NULL || z == NULL) return false;
    memcpy(vertex, vertices, (size_t)count * sizeof *vertex);
    carom_vec3 low = vertices[0], high = vertices[0];
    for (int i = 0; i < padded; i++) {
        carom_vec3 v = vertices[i < count ? i : 0];
        x[i] = v.x, y[i] = v.y, z[i] = v.z;
        low = crm_vec3_min(low, v);
        high = crm_vec3_max(high, v);
    }
    out->vertex_count = count;
    out->vertex = vertex;
    out->padded_count = padded;
    out->x = x, out->y = y, out->z = z;
    out->kernels = crm_support_kernels_best();
    out->extent = crm_max_component(crm_sub(high, low));
    out->farthest = crm_max_component(crm_vec3_max(crm_vec3_abs(low), crm_vec3_abs(high)));
    return true;
}

static int compare_edges(const void *a, const void *b) {
    const carom_edge *x = a, *y = b;
    return x->vertices[0] != y->vertices[0] ? x->vertices[0] - y->vertices[0] : x->vertices[1] - y->vertices[1];
}

static bool build_edges(const crm_polygons *polygons, crm_arena *arena, crm_arena *scratch, crm_polytope *out) {
    int corners = polygons->start[polygons->count], count = 0;
    int *twin = CRM_ARENA_ARRAY(scratch, int, corners), *polygon = CRM_ARENA_ARRAY(scratch, int, corners);
    carom_edge *edge = CRM_ARENA_ARRAY(arena, carom_edge, corners / 2);
    int *facet_edge = CRM_ARENA_ARRAY(arena, int, corners);
    if (twin == NULL || polygon == NULL || edge == NULL || facet_edge == NULL ||
        crm_pair_edges(polygons, scratch, twin) != CRM_HULL_GOOD)
        return false;
    for (int p = 0; p < polygons->count; p++)
        for (int k = polygons->start[p]; k < polygons->start[p + 1]; k++) polygon[k] = p;
    for (int k = 0; k < corners; k++) {
        int from = polygons->corner[k], to = polygons->corner[twin[k]];
        if (from < to) edge[count++] = (carom_edge){{from, to}, {polygon[k], polygon[twin[k]]}};
    }
    qsort(edge, (size_t)count, sizeof *edge, compare_edges);
    for (int k = 0; k < corners; k++) {
        int from = polygons->corner[k], to = polygons->corner[twin[k]];
        carom_edge wanted = {{from < to ? from : to, from < to ? to : from}, {0, 0}};
        const carom_edge *found = bsearch(&wanted, edge, (size_t)count, sizeof *edge, compare_edges);
        facet_edge[k] = (int)(found - edge);
    }
    out->edge_count = count;
    out->edge = edge;
    out->facet_edge = facet_edge;
    return true;
}

// The edges come in ascending order of their vertices, so that neighbours do too.
static bool build_neighbours(crm_arena *arena, crm_polytope *out) {
    int *start = CRM_ARENA_ZEROED(arena, int, out->vertex_count + 2);
    int *neighbour = CRM_ARENA_ARRAY(arena, int, 2 * (ptrdiff_t)out->edge_count);
    if (start == NULL || neighbour == NULL) return false;
    // Counted two places up: after the sums, start[v + 1] is where the next neighbour of v goes, and in the end where
    // its neighbours end.
    for (int e = 0; e < out->edge_count; e++)
        for (int end = 0; end < 2; end++) start[out->edge[e].vertices[end] + 2]++;
    for (int v = 0; v < out->vertex_count; v++) start[v + 2] += start[v + 1];
    for (int e = 0; e < out->edge_count; e++)
        for (int end = 0; end < 2; end++)
            neighbour[start[out->edge[e].vertices[end] + 1]++] = out->edge[e].vertices[1 - end];
    out->neighbour_start = start;
    out->neighbour = neighbour;
    return true;
}

// The support value along a facet's normal is reached at a corner of the facet or, where the facet is plane only to the
// tolerance, next to one.
static double support_value(const crm_polytope *polytope, int facet, carom_vec3 normal) {
    double value = -HUGE_VAL;
    for (int k = polytope->facet_start[facet]; k < polytope->facet_start[facet + 1]; k++) {
        int corner = polytope->facet_vertex[k];
        value = fmax(value, crm_dot(normal, polytope->vertex[corner]));
        for (int n = polytope->neighbour_start[corner]; n < polytope->neighbour_start[corner + 1]; n++)
            value = fmax(value, crm_dot(normal, polytope->vertex[polytope->neighbour[n]]));
    }
    return value;
}

static bool build_facets(const crm_polygons *polygons, crm_arena *arena, crm_polytope *out) {
    carom_vec3 *normal = CRM_ARENA_ARRAY(arena, carom_vec3, polygons->count);
    double *offset = CRM_ARENA_ARRAY(arena, double, polygons->count);
    if (normal == NULL || offset == NULL) return false;
    for (int p = 0; p < polygons->count; p++) {
        normal[p] = polygons->normal[p];
        offset[p] = support_value(out, p, normal[p]);
    }
    out->normal = normal;
    out->offset = offset;
    return true;
}

static bool copy_polygons(const crm_polygons *polygons, crm_arena *arena, crm_polytope *out) {
    int corners = polygons->start[polygons->count];
    int *start = CRM_ARENA_ARRAY(arena, int, polygons->count + 1), *vertex = CRM_ARENA_ARRAY(arena, int, corners);
    if (start == NULL || vertex == NULL) return false;
    memcpy(start, polygons->start, (size_t)(polygons->count + 1) * sizeof(int));
    memcpy(vertex, polygons->corner, (size_t)corners * sizeof(int));
    out->facet_count = polygons->count;
    out->facet_start = start;
    out->facet_vertex = vertex;
    return true;
}

bool crm_build_polytope(crm_polygons *polygons, int vertex_count, const carom_vec3 *vertices, crm_arena *arena,
                        crm_arena *scratch, crm_polytope *out) {
    *out = (crm_polytope){0};
    return sort_polygons(polygons, scratch) && build_vertices(vertex_count, vertices, arena, out) &&
           copy_polygons(polygons, arena, out) && build_edges(polygons, arena, scratch, out) &&
           build_neighbours(arena, out) && build_facets(polygons, arena, out) && crm_build_climb(arena, scratch, out);
}
