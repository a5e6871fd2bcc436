// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "step/flex/surface/surface_body.h"

typedef struct half_edge {
    int low, high, triangle, side;
} half_edge;

static int by_nodes(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static bool take_arrays(crm_arena *arena, int nodes, int triangles, crm_surface *out) {
    ptrdiff_t sides = 3 * (ptrdiff_t)triangles;
    out->triangles = CRM_ARENA_ZEROED(arena, crm_surface_triangle, triangles);
    out->edges = CRM_ARENA_ZEROED(arena, crm_surface_edge, sides / 2);
    out->nodes = CRM_ARENA_ARRAY(arena, int, nodes);
    out->first = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)nodes + 1);
    out->neighbours = CRM_ARENA_ARRAY(arena, int, sides);
    out->sharp = CRM_ARENA_ARRAY(arena, int, sides / 2);
    out->is_sharp = CRM_ARENA_ZEROED(arena, bool, sides / 2);
    out->near = CRM_ARENA_ARRAY(arena, int, sides / 2);
    out->seen = CRM_ARENA_ZEROED(arena, int, sides / 2);
    return !crm_arena_refused(arena);
}

// Each edge stands there twice, once a triangle: around a closed surface their number is even.
static void pair_edges(const half_edge *half, crm_surface *out) {
    for (int e = 0; e + 1 < 3 * out->triangle_count; e += 2) {
        crm_surface_triangle *of[2];
        crm_surface_edge *edge = &out->edges[out->edge_count];
        for (int k = 0; k < 2; k++) {
            of[k] = &out->triangles[half[e + k].triangle];
            of[k]->neighbour[half[e + k].side] = half[e + 1 - k].triangle;
            of[k]->edge[half[e + k].side] = out->edge_count;
            edge->triangle[k] = half[e + k].triangle;
            edge->node[k] = of[0]->node[(half[e].side + k) % 3];
        }
        out->edge_count++;
    }
}

// Around a closed surface the nodes after it in its triangles are all neighbours of a node.
static bool list_neighbours(const int *place, crm_arena *scratch, crm_surface *out) {
    int first_body = out->flex->first_body;
    for (int t = 0; t < out->triangle_count; t++)
        for (int k = 0; k < 3; k++) out->first[place[out->triangles[t].node[k] - first_body] + 1]++;
    for (int n = 0; n < out->node_count; n++) out->first[n + 1] += out->first[n];
    int *next = CRM_ARENA_ARRAY(scratch, int, out->node_count);
    if (next == NULL) return false;
    memcpy(next, out->first, sizeof *next * (size_t)out->node_count);
    for (int t = 0; t < out->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            out->neighbours[next[place[out->triangles[t].node[k] - first_body]]++] =
                out->triangles[t].node[(k + 1) % 3];
    return true;
}

// Triangles, what lies beyond their edges, and which nodes neighbour each other.
static bool make_surface(const crm_flex *flex, crm_arena *arena, crm_arena *scratch, crm_surface *out) {
    int count;
    const carom_mesh_triangle *given = carom_mesh_surface(flex->def.mesh, &count);
    *out = (crm_surface){.flex = flex, .triangle_count = count};
    out->edge = carom_mesh_get_quality(flex->def.mesh).mean_edge;
    half_edge *half = CRM_ARENA_ARRAY(scratch, half_edge, 3 * (ptrdiff_t)count);
    int *place = CRM_ARENA_ARRAY(scratch, int, flex->node_count);
    if (!take_arrays(arena, flex->node_count, count, out) || half == NULL || place == NULL) return false;
    for (int n = 0; n < flex->node_count; n++) place[n] = -1;
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            int a = given[t].node[k], b = given[t].node[(k + 1) % 3];
            out->triangles[t].node[k] = flex->first_body + a;
            out->triangles[t].neighbour[k] = t;
            place[a] = 0;
            half[3 * t + k] = (half_edge){a < b ? a : b, a < b ? b : a, t, k};
        }
    for (int n = 0; n < flex->node_count; n++) {
        if (place[n] < 0) continue;
        place[n] = out->node_count;
        out->nodes[out->node_count++] = flex->first_body + n;
    }
    qsort(half, (size_t)(3 * count), sizeof *half, by_nodes);
    pair_edges(half, out);
    return list_neighbours(place, scratch, out);
}

carom_status crm_flex_surfaces_create(carom_state *state, crm_flex_surfaces *out, carom_error *error) {
    const carom_model *model = state->model;
    *out = (crm_flex_surfaces){.model = model, .count = model->flexes.count};
    crm_arena_init(&out->arena, &model->allocator);
    out->surfaces = CRM_ARENA_ZEROED(&state->arena, crm_surface, out->count);
    out->normal = CRM_ARENA_ZEROED(&state->arena, carom_vec3, model->bodies.count);
    out->contact_normal = CRM_ARENA_ZEROED(&state->arena, carom_vec3, model->bodies.count);
    int **numbers[] = {&out->place, &out->stamp, &out->met};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = CRM_ARENA_ZEROED(&state->arena, int, model->bodies.count);
    bool made = !crm_arena_refused(&state->arena);
    for (int f = 0; made && f < out->count; f++)
        made = make_surface(&model->flexes.items[f], &state->arena, &out->arena, &out->surfaces[f]);
    crm_arena_reset(&out->arena);
    return made ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for surfaces of flexible bodies");
}

void crm_flex_surfaces_release(crm_flex_surfaces *surfaces) {
    if (surfaces->model == NULL) return;
    CRM_ARRAY_FREE(&surfaces->model->allocator, &surfaces->found);
    crm_arena_free(&surfaces->arena);
}
