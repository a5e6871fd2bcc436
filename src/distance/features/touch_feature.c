// SPDX-License-Identifier: MIT
// Names for what a witness lies on.
#include <stddef.h>

#include "carom/distance.h"
#include "distance/ties/pierced_face.h"

// The edge between two vertices, -1 when there is none: edges are in ascending order of their vertices.
static int edge_between(const crm_polytope *p, int first, int second) {
    int low = first < second ? first : second, high = first < second ? second : first;
    int from = 0, to = p->edge_count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        const int *v = p->edge[middle].vertices;
        if (v[0] == low && v[1] == high) return middle;
        if (v[0] < low || (v[0] == low && v[1] < high))
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}

// The weight of a touch's vertices that lie on a facet.
static double weight_on(const crm_polytope *p, int facet, const carom_touch *touch) {
    double weight = 0.0;
    for (int i = p->facet_start[facet]; i < p->facet_start[facet + 1]; i++)
        for (int k = 0; k < crm_touch_listed(touch); k++)
            if (touch->vertices[k] == p->facet_vertex[i]) weight += touch->weights[k];
    return weight;
}

// The facet that holds them all; where none does, because facets are coplanar to the witness but not to the polytope,
// the one that holds most. Of equal ones the lowest number. It is next to the heaviest vertex.
static int facet_of(const crm_polytope *p, const carom_touch *touch) {
    int heaviest = 0, best = -1;
    for (int k = 1; k < crm_touch_listed(touch); k++)
        if (touch->weights[k] > touch->weights[heaviest]) heaviest = k;
    int vertex = touch->vertices[heaviest];
    double most = 0.0;
    for (int i = p->neighbour_start[vertex]; i < p->neighbour_start[vertex + 1]; i++) {
        const carom_edge *edge = &p->edge[edge_between(p, vertex, p->neighbour[i])];
        for (int k = 0; k < 2; k++) {
            double weight = weight_on(p, edge->facets[k], touch);
            if (weight < most || (weight == most && best >= 0 && edge->facets[k] >= best)) continue;
            most = weight;
            best = edge->facets[k];
        }
    }
    return best;
}

static carom_feature_kind kind_of(int vertex_count) {
    return vertex_count == 1   ? CAROM_FEATURE_KIND_VERTEX
           : vertex_count == 2 ? CAROM_FEATURE_KIND_EDGE
                               : CAROM_FEATURE_KIND_FACET;
}

carom_feature_kind carom_touch_feature(const carom_shape *shape, const carom_touch *touch, int *number) {
    *number = -1;
    if (shape->kind == CAROM_SHAPE_COMPOUND) shape = shape->part[touch->part].shape;
    if (shape->kind == CAROM_SHAPE_CAPSULE && touch->vertex_count > 0) return kind_of(touch->vertex_count);
    const crm_polytope *p = &shape->polytope;
    if (p->vertex_count == 0 || touch->vertex_count == 0) return CAROM_FEATURE_KIND_SMOOTH;
    carom_feature_kind kind = kind_of(touch->vertex_count);
    if (kind == CAROM_FEATURE_KIND_VERTEX)
        *number = touch->vertices[0];
    else if (kind == CAROM_FEATURE_KIND_EDGE)
        *number = edge_between(p, touch->vertices[0], touch->vertices[1]);
    if (*number >= 0) return kind;
    *number = facet_of(p, touch);
    return CAROM_FEATURE_KIND_FACET;
}
