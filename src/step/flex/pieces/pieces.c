// SPDX-License-Identifier: MIT
#include "step/flex/pieces/pieces.h"

#include <math.h>

#include "base/fail.h"
#include "flex/mesh/mesh.h"
#include "model/proxies.h"
#include "shape/shape.h"

// What of a mesh is at its surface.
typedef struct surface_marks {
    bool *element, *node;
    int elements, nodes; // marked
} surface_marks;

static carom_status mark_surface(const carom_mesh *mesh, crm_arena *scratch, surface_marks *out, carom_error *error) {
    *out = (surface_marks){.element = CRM_ARENA_ZEROED(scratch, bool, mesh->element_count),
                           .node = CRM_ARENA_ZEROED(scratch, bool, mesh->node_count)};
    if (crm_arena_refused(scratch))
        return crm_fail_memory(error, "surfaces of flexible bodies", (size_t)mesh->element_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const carom_mesh_triangle *triangle = &mesh->triangle[t];
        out->elements += !out->element[triangle->element];
        out->element[triangle->element] = true;
        for (int k = 0; k < 3; k++) {
            out->nodes += !out->node[triangle->node[k]];
            out->node[triangle->node[k]] = true;
        }
    }
    return CAROM_OK;
}

static bool is_whole(const crm_flex *flex) {
    return flex->def.pieces == CAROM_FLEX_PIECES_WHOLE;
}

static void end_piece(crm_pieces *out, int first) {
    int count = out->node_count - first;
    out->piece[out->piece_count++] = (crm_piece_nodes){first, count};
    out->most_nodes = count > out->most_nodes ? count : out->most_nodes;
}

static void add_pieces(const crm_flex *flex, const surface_marks *marks, crm_pieces *out) {
    const carom_mesh *mesh = flex->def.mesh;
    int first = out->node_count;
    if (is_whole(flex)) {
        for (int i = 0; i < mesh->node_count; i++)
            if (marks->node[i]) out->node[out->node_count++] = flex->first_body + i;
        end_piece(out, first);
        return;
    }
    int each = CAROM_ELEMENT_NODES(mesh->order);
    for (int e = 0; e < mesh->element_count; e++) {
        if (!marks->element[e]) continue;
        first = out->node_count;
        for (int k = 0; k < each; k++) out->node[out->node_count++] = flex->first_body + crm_mesh_element(mesh, e)[k];
        end_piece(out, first);
    }
}

// Of the lightest node that moves.
static double lightest_of(const carom_model *model, const crm_flex *flex) {
    double mass = INFINITY;
    for (int b = flex->first_body; b < flex->first_body + flex->node_count; b++)
        if (crm_body_moves(model, b)) mass = fmin(mass, model->bodies.items[b].mass);
    return mass;
}

static bool is_touched(const carom_model *model, int body) {
    int shape = model->bodies.items[body].def.shape.index;
    return shape >= 0 && model->shapes.items[shape].shape->kind != CAROM_SHAPE_CONTAINER;
}

static void add_shapes(const carom_model *model, crm_pieces *out) {
    for (int b = 0; b < model->bodies.count; b++) {
        if (!is_touched(model, b)) continue;
        double mass = crm_body_moves(model, b) ? model->bodies.items[b].mass : INFINITY;
        out->owner[out->owner_count++] = (crm_piece_owner){
            .flex = -1, .body = b, .first = out->piece_count, .mass = mass, .size = model->bodies.items[b].size};
    }
}

// How many pieces with how many nodes there will be.
static carom_status count_pieces(const carom_model *model, crm_arena *scratch, surface_marks *marks, ptrdiff_t *pieces,
                                 ptrdiff_t *nodes, carom_error *error) {
    *pieces = *nodes = 0;
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        carom_status status = mark_surface(flex->def.mesh, scratch, &marks[f], error);
        if (status != CAROM_OK) return status;
        ptrdiff_t each = CAROM_ELEMENT_NODES(flex->def.mesh->order);
        *pieces += is_whole(flex) ? 1 : marks[f].elements;
        *nodes += is_whole(flex) ? marks[f].nodes : each * marks[f].elements;
    }
    return CAROM_OK;
}

static carom_status fill(const carom_model *model, crm_arena *arena, crm_arena *scratch, crm_pieces *out,
                         carom_error *error) {
    ptrdiff_t pieces, nodes;
    surface_marks *marks = CRM_ARENA_ZEROED(scratch, surface_marks, model->flexes.count);
    if (marks == NULL) return crm_fail_memory(error, "pieces", (size_t)model->flexes.count * sizeof *marks);
    carom_status status = count_pieces(model, scratch, marks, &pieces, &nodes, error);
    if (status != CAROM_OK) return status;
    out->owner = CRM_ARENA_ARRAY(arena, crm_piece_owner, model->flexes.count + model->shaped_count);
    out->piece = CRM_ARENA_ARRAY(arena, crm_piece_nodes, pieces);
    out->node = CRM_ARENA_ARRAY(arena, int32_t, nodes);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "pieces", (size_t)nodes * sizeof *out->node);
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        int first = out->piece_count;
        add_pieces(flex, &marks[f], out);
        out->owner[out->owner_count++] = (crm_piece_owner){.flex = f,
                                                           .body = flex->first_body,
                                                           .first = first,
                                                           .count = out->piece_count - first,
                                                           .mass = lightest_of(model, flex),
                                                           .size = flex->def.mesh->quality.mean_edge};
    }
    out->flex_count = out->owner_count;
    add_shapes(model, out);
    return CAROM_OK;
}

carom_status crm_pieces_create(const carom_model *model, crm_arena *arena, crm_pieces *out, carom_error *error) {
    *out = (crm_pieces){0};
    if (model->flexes.count == 0) return CAROM_OK;
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    carom_status status = fill(model, arena, &scratch, out, error);
    crm_arena_free(&scratch);
    return status;
}

bool crm_piece_owners_meet(const carom_model *model, const crm_pieces *pieces, int a, int b) {
    const crm_piece_owner *one = &pieces->owner[a], *other = &pieces->owner[b];
    if (a == b) return one->flex >= 0 && model->flexes.items[one->flex].def.self_contact;
    if (isinf(one->mass) && isinf(other->mass)) return false;
    const carom_body_def *first = &model->bodies.items[one->body].def, *second = &model->bodies.items[other->body].def;
    if ((first->groups & second->meets) == 0 || (second->groups & first->meets) == 0) return false;
    int low = one->body < other->body ? one->body : other->body;
    return crm_model_pair_allowed(model, low, low == one->body ? other->body : one->body);
}
