// SPDX-License-Identifier: MIT
// What the rows of a step need: memory, a solver, a contact set.
#include <math.h>

#include "base/fail.h"
#include "model/mechanism/joint_gaps.h"
#include "model/proxies.h"
#include "step/lcp/flexible/lcp_flex.h"

static int row_impulse_count(const carom_model *model) {
    int count = 0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        count += joint->rows;
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            count += (c->lower > -INFINITY) + (c->upper < INFINITY) + (c->motor.kind == CAROM_MOTOR_VELOCITY);
        }
    }
    for (int f = 0; f < model->flexes.count; f++) count += 3 * model->flexes.items[f].attachment_count;
    return count + crm_lcp_force_slots(model);
}

void crm_lcp_destroy(const carom_model *model, crm_lcp *lcp) {
    const carom_allocator *allocator = &model->allocator;
    if (lcp == NULL) return;
    crm_lcp_flex_destroy(lcp);
    crm_rigid_solver_destroy(lcp->lean);
    carom_solver_state_destroy(lcp->solver);
    CRM_ARRAY_FREE(allocator, &lcp->guess);
    CRM_ARRAY_FREE(allocator, &lcp->answer);
    CRM_ARRAY_FREE(allocator, &lcp->driven);
    CRM_ARRAY_FREE(allocator, &lcp->drive);
    CRM_ARRAY_FREE(allocator, &lcp->share);
    CRM_ARRAY_FREE(allocator, &lcp->undriven);
    CRM_ARRAY_FREE(allocator, &lcp->relaxed);
    CRM_ARRAY_FREE(allocator, &lcp->verdict);
    CRM_ARRAY_FREE(allocator, &lcp->tried);
    CRM_ARRAY_FREE(allocator, &lcp->left);
    CRM_ARRAY_FREE(allocator, &lcp->done);
    CRM_ARRAY_FREE(allocator, &lcp->velocity);
    CRM_ARRAY_FREE(allocator, &lcp->compression);
    CRM_ARRAY_FREE(allocator, &lcp->problem.bodies);
    CRM_ARRAY_FREE(allocator, &lcp->problem.contacts);
    CRM_ARRAY_FREE(allocator, &lcp->problem.blocks);
    CRM_ARRAY_FREE(allocator, &lcp->problem.forces);
    CRM_ARRAY_FREE(allocator, &lcp->problem.impulse);
    CRM_ARRAY_FREE(allocator, &lcp->limits.rebound);
    CRM_ARRAY_FREE(allocator, &lcp->limits.share);
    CRM_ARRAY_FREE(allocator, &lcp->limits.start);
    CRM_ARRAY_FREE(allocator, &lcp->limits.free);
    CRM_ARRAY_FREE(allocator, &lcp->limits.root);
    CRM_ARRAY_FREE(allocator, &lcp->limits.island);
    crm_step_problem_release(&lcp->general);
    crm_contact_step_release(&lcp->contacts);
    crm_rest_release(model, &lcp->rest);
    CRM_ARRAY_FREE(allocator, &lcp->former);
}

static carom_status make_contacts(carom_state *state, const carom_lcp_def *def, crm_contact_step *contacts,
                                  carom_error *error) {
    carom_contact_options options = crm_contact_options(state);
    options.measure = def->measure;
    options.all_contacts = def->all_contacts;
    options.continuous = def->continuous;
    options.duration = state->method.step;
    carom_status status = crm_contact_step_create(state, &options, true, contacts, error);
    return status == CAROM_OK ? crm_contact_list_create(state, contacts, error) : status;
}

carom_status crm_lcp_create(carom_state *state, const carom_lcp_def *def, crm_lcp **out, carom_error *error) {
    int bodies = state->model->bodies.count;
    crm_lcp *lcp = CRM_ARENA_ZEROED(&state->arena, crm_lcp, 1);
    if (lcp == NULL) return crm_fail_memory(error, "lcp", sizeof *lcp);
    *out = lcp;
    lcp->def = *def;
    lcp->joints = state->model->joints.items;
    lcp->arm = CRM_ARENA_ARRAY(&state->arena, double, state->model->joints.count);
    if (crm_arena_refused(&state->arena)) return crm_fail_memory(error, "joints", sizeof(double));
    const crm_joint_graph *graph = &state->model->graph;
    for (int k = 0; k < graph->mechanism_count; k++) {
        double size = crm_mechanism_size(state->model, state->motions, k);
        for (int i = graph->mechanism_start[k]; i < graph->mechanism_start[k + 1]; i++)
            lcp->arm[graph->mechanism_joint[i]] = size;
    }
    lcp->twist = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    lcp->row_impulse_count = row_impulse_count(state->model);
    lcp->force_slots = crm_lcp_force_slots(state->model);
    lcp->motion.implicit = true;
    lcp->row_impulse = CRM_ARENA_ZEROED(&state->arena, double, lcp->row_impulse_count);
    if (!crm_velocity_step_create(state, &lcp->motion) || !crm_free_flight_create(state, &lcp->flight) ||
        !crm_step_problem_create(state->model, &state->arena, &lcp->general))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for lcp with %d bodies", bodies);
    lcp->motion.flight = &lcp->flight;
    lcp->change = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    lcp->least_scale = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    lcp->noise = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    if (crm_arena_refused(&state->arena) || !crm_lcp_history_take(state, lcp) ||
        !crm_lcp_brakes_create(state, &lcp->brakes))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for lcp with %d bodies", bodies);
    lcp->problem.slot_of = lcp->general.node_of;
    lcp->problem.body_of = lcp->general.body_of;
    crm_state_keep(state, (crm_kept){"impulses of joints", lcp->row_impulse, lcp->row_impulse_count,
                                     sizeof *lcp->row_impulse, crm_numbers_fit, .of_contacts = false});
    lcp->fluid.state = state;
    if (state->model->mobility.kind != CAROM_MOBILITY_NONE &&
        !crm_lcp_fluid_take(state->model, &state->arena, &lcp->fluid))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d bodies in a fluid", bodies);
    carom_status status = carom_solver_state_create(&state->model->allocator, &lcp->solver, error);
    if (status == CAROM_OK) status = crm_rigid_solver_create(&state->model->allocator, &lcp->lean, error);
    state->nodes_touch = state->model->flexes.count > 0;
    if (status == CAROM_OK && state->nodes_touch) status = crm_lcp_flex_create(state, lcp, error);
    return status == CAROM_OK ? make_contacts(state, def, &lcp->contacts, error) : status;
}
