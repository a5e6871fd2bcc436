// SPDX-License-Identifier: MIT
#include "reference/polytope/hull.h"

#include <string.h>

static int bits(uint64_t set) {
    int count = 0;
    for (; set != 0; set &= set - 1) count++;
    return count;
}

// The plane of three vertices when all others lie behind it.
static bool supporting_plane(const hull *h, int i, int j, int k, wide slack, hull_facet *facet) {
    wide3 a = wide3_sub(h->vertex[j], h->vertex[i]), b = wide3_sub(h->vertex[k], h->vertex[i]);
    wide3 normal = wide3_cross(a, b);
    wide area = wide3_norm(normal);
    if (!(area > 1e-9L * wide3_norm(a) * wide3_norm(b))) return false;
    normal = wide3_scale(1.0L / area, normal);
    if (wide3_dot(normal, wide3_sub(h->vertex[i], h->centre)) < 0.0L) normal = wide3_scale(-1.0L, normal);
    *facet = (hull_facet){normal, wide3_dot(normal, h->vertex[i]), 0};
    for (int v = 0; v < h->vertex_count; v++) {
        wide height = wide3_dot(normal, h->vertex[v]) - facet->offset;
        if (height > slack) return false;
        if (height >= -slack) facet->vertices |= UINT64_C(1) << v;
    }
    return true;
}

// The triple of the widest angle and longest sides defines the plane best.
static void widest_plane(const hull *h, hull_facet *facet) {
    wide largest = 0.0L;
    for (int i = 0; i < h->vertex_count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                uint64_t triple = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << k;
                if ((facet->vertices & triple) != triple) continue;
                wide3 normal =
                    wide3_cross(wide3_sub(h->vertex[j], h->vertex[i]), wide3_sub(h->vertex[k], h->vertex[i]));
                wide area = wide3_norm(normal);
                if (area <= largest) continue;
                largest = area;
                wide sign = wide3_dot(normal, facet->normal) < 0.0L ? -1.0L : 1.0L;
                facet->normal = wide3_scale(sign / area, normal);
                facet->offset = wide3_dot(facet->normal, h->vertex[i]);
            }
}

// A new facet, unless a known one has all its vertices; those that it contains go.
static bool add_facet(hull *h, hull_facet facet) {
    int kept = 0;
    for (int f = 0; f < h->facet_count; f++)
        if ((facet.vertices & ~h->facet[f].vertices) == 0) return true;
    for (int f = 0; f < h->facet_count; f++)
        if ((h->facet[f].vertices & ~facet.vertices) != 0) h->facet[kept++] = h->facet[f];
    h->facet_count = kept;
    if (kept == HULL_FACETS_MAX) return false;
    h->facet[h->facet_count++] = facet;
    return true;
}

// Two facets meet in an edge when they share two vertices; of more, which then lie on a line, the outermost two.
static bool add_edge(hull *h, int f, int g) {
    uint64_t shared = h->facet[f].vertices & h->facet[g].vertices;
    if (bits(shared) < 2) return true;
    if (h->edge_count == HULL_EDGES_MAX) return false;
    hull_edge *edge = &h->edge[h->edge_count++];
    *edge = (hull_edge){.facets = {f, g}};
    wide longest = -1.0L;
    for (int i = 0; i < h->vertex_count; i++)
        for (int j = 0; j < i; j++) {
            if (!(shared >> i & 1) || !(shared >> j & 1)) continue;
            wide length = wide3_norm(wide3_sub(h->vertex[i], h->vertex[j]));
            if (length > longest) longest = length, edge->ends[0] = j, edge->ends[1] = i;
        }
    return true;
}

bool hull_build(int count, const double *vertices, wide coplanar, hull *h) {
    memset(h, 0, sizeof *h);
    if (count < 4 || count > HULL_VERTICES_MAX) return false;
    h->vertex_count = count;
    for (int i = 0; i < count; i++) {
        h->vertex[i] = wide3_read(vertices + 3 * i);
        h->centre = wide3_along(h->centre, 1.0L / count, h->vertex[i]);
    }
    for (int i = 0; i < count; i++) h->size = fmaxl(h->size, wide3_norm(wide3_sub(h->vertex[i], h->centre)));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                hull_facet facet;
                if (supporting_plane(h, i, j, k, coplanar * h->size, &facet) && !add_facet(h, facet)) return false;
            }
    for (int f = 0; f < h->facet_count; f++) widest_plane(h, &h->facet[f]);
    for (int f = 0; f < h->facet_count; f++)
        for (int g = 0; g < f; g++)
            if (!add_edge(h, f, g)) return false;
    // Euler, counting the vertices that some edge ends at.
    uint64_t ends = 0;
    for (int e = 0; e < h->edge_count; e++)
        ends |= UINT64_C(1) << h->edge[e].ends[0] | UINT64_C(1) << h->edge[e].ends[1];
    return bits(ends) - h->edge_count + h->facet_count == 2;
}

wide hull_support(const hull *h, wide3 direction, wide slack, uint64_t *touching) {
    wide best = -INFINITY;
    for (int i = 0; i < h->vertex_count; i++) best = fmaxl(best, wide3_dot(direction, h->vertex[i]));
    if (touching == NULL) return best;
    *touching = 0;
    for (int i = 0; i < h->vertex_count; i++)
        if (wide3_dot(direction, h->vertex[i]) >= best - slack) *touching |= UINT64_C(1) << i;
    return best;
}
