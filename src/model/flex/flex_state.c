// SPDX-License-Identifier: MIT
// Nodes of flexible bodies as a state has them: all at once.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "model/flex/flex_forces.h"
#include "model/model_state.h"

carom_status carom_state_get_nodes(const carom_state *state, carom_flex flex, carom_vec3 *positions,
                                   carom_vec3 *velocities, carom_error *error) {
    CRM_NEED(state, error);
    carom_status status = crm_model_check_flex(state->model, flex, "get nodes", error);
    if (status != CAROM_OK) return status;
    const crm_flex *of = &state->model->flexes.items[flex.index];
    for (int n = 0; n < of->node_count; n++) {
        int b = of->first_body + n;
        if (positions != NULL) positions[n] = state->motions[b].x;
        if (velocities != NULL) velocities[n] = crm_motion_velocity(&state->model->bodies.items[b], &state->motions[b]);
    }
    return CAROM_OK;
}

static carom_status check_node(const carom_state *state, int b, const carom_vec3 *position, const carom_vec3 *velocity,
                               carom_error *error) {
    const crm_body *body = &state->model->bodies.items[b];
    char name[CRM_BODY_TEXT], where[CRM_BODY_TEXT + 16];
    snprintf(where, sizeof where, "set nodes: %s", crm_body_text(state->model, b, name));
    if ((position != NULL && !crm_vec3_finite(*position)) || (velocity != NULL && !crm_vec3_finite(*velocity)))
        return crm_refuse(error, "%s would get a number that is not finite", where);
    carom_vec3 still = state->motions[b].x;
    if (body->kind == CAROM_BODY_FIXED && position != NULL && crm_length(crm_sub(*position, still)) > 0.0)
        return crm_refuse(error, "%s is fixed at (%g, %g, %g) m; leave it there", where, still.x, still.y, still.z);
    if (velocity == NULL) return CAROM_OK;
    carom_status status = crm_body_check_kind(where, body->kind, *velocity, crm_vec3_zero(), error);
    return status == CAROM_OK ? crm_body_check_energy(where, body, *velocity, crm_vec3_zero(), error) : status;
}

static carom_status check_elements(const carom_state *state, const crm_flex *flex, const carom_vec3 *positions,
                                   carom_error *error) {
    char name[CRM_BODY_TEXT];
    crm_elastic_result result = crm_elastic_evaluate(flex->elastic, (crm_node_view){positions, sizeof *positions},
                                                     (crm_node_view){0}, (crm_node_sum){0}, (crm_node_sum){0});
    if (result.inverted)
        return crm_refuse(error, "set nodes: %s is in element %d, which is turned inside out there and has no energy",
                          crm_body_text(state->model, crm_flex_element_body(flex, result.worst_element), name),
                          result.worst_element);
    if (!isfinite(result.energy)) return crm_refuse(error, "set nodes: the elastic energy there is not finite");
    return CAROM_OK;
}

carom_status carom_state_set_nodes(carom_state *state, carom_flex flex, const carom_vec3 *positions,
                                   const carom_vec3 *velocities, carom_error *error) {
    CRM_NEED(state, error);
    const carom_model *model = state->model;
    carom_status status = crm_model_check_flex(model, flex, "set nodes", error);
    if (status != CAROM_OK) return status;
    const crm_flex *of = &model->flexes.items[flex.index];
    for (int n = 0; status == CAROM_OK && n < of->node_count; n++)
        status = check_node(state, of->first_body + n, positions != NULL ? &positions[n] : NULL,
                            velocities != NULL ? &velocities[n] : NULL, error);
    if (status == CAROM_OK && positions != NULL) status = check_elements(state, of, positions, error);
    if (status != CAROM_OK) return status;
    state->contacts_known = false;
    for (int n = 0; n < of->node_count; n++) {
        crm_motion *motion = &state->motions[of->first_body + n];
        const crm_body *body = &model->bodies.items[of->first_body + n];
        if (positions != NULL) motion->x = positions[n];
        if (velocities != NULL && body->kind != CAROM_BODY_FIXED) motion->p = crm_scale(body->mass, velocities[n]);
    }
    crm_flex_carry(model, of, state->motions);
    return CAROM_OK;
}

// ---- what needs all positions behind each other

typedef struct node_list {
    carom_vec3 *position; // (node_count)
    int32_t *held;        // fixed, ascending
    int held_count;
} node_list;

static bool list_nodes(const carom_state *state, const crm_flex *flex, crm_arena *arena, node_list *out) {
    *out = (node_list){CRM_ARENA_ARRAY(arena, carom_vec3, flex->node_count),
                       CRM_ARENA_ARRAY(arena, int32_t, flex->node_count), 0};
    if (crm_arena_refused(arena)) return false;
    for (int n = 0; n < flex->node_count; n++) {
        out->position[n] = state->motions[flex->first_body + n].x;
        if (!crm_body_moves(state->model, flex->first_body + n)) out->held[out->held_count++] = n;
    }
    return true;
}

carom_status carom_flex_stiffness(const carom_state *state, carom_flex flex, int64_t *count, int *start, int *column,
                                  double *value, carom_error *error) {
    CRM_NEED(state, error);
    carom_status status = crm_model_check_flex(state->model, flex, "stiffness", error);
    if (status != CAROM_OK) return status;
    const crm_flex *of = &state->model->flexes.items[flex.index];
    crm_arena arena;
    crm_arena_init(&arena, &state->model->allocator);
    node_list nodes;
    if (list_nodes(state, of, &arena, &nodes))
        status =
            carom_mesh_stiffness(of->def.mesh, &of->def.elastic, nodes.position, count, start, column, value, error);
    else
        status = crm_fail_memory(error, "nodes", (size_t)of->node_count * sizeof *nodes.position);
    crm_arena_free(&arena);
    return status;
}

double carom_flex_limit(const carom_state *state) {
    double limit = INFINITY;
    for (int f = 0; state != NULL && f < state->model->flexes.count; f++) {
        const crm_flex *flex = &state->model->flexes.items[f];
        crm_arena arena;
        crm_arena_init(&arena, &state->model->allocator);
        node_list nodes;
        double own = 0.0; // nothing is known to be stable
        if (list_nodes(state, flex, &arena, &nodes) &&
            carom_mesh_stable_step(flex->def.mesh, &flex->def.elastic, nodes.position, nodes.held_count, nodes.held,
                                   &own, NULL) != CAROM_OK)
            own = 0.0;
        limit = fmin(limit, own);
        crm_arena_free(&arena);
    }
    return limit;
}
