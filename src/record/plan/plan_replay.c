// SPDX-License-Identifier: MIT
// The controls of a plan in the simulator.
#include "base/fail.h"
#include "carom/plan.h"
#include "math/quat.h"

// Of an interval: a time that misses its end by rounding is there.
static const double time_rounding = 1e-9;

int carom_plan_interval_at(const carom_plan_data *plan, double time) {
    int last = plan->interval_count - 1;
    for (int k = 0; k <= last; k++) {
        double slack = time_rounding * (plan->time[k + 1] - plan->time[k]);
        if (time < plan->time[k + 1] - (k < last ? slack : -slack)) return k;
    }
    return -1;
}

carom_input carom_plan_input(const carom_plan_data *plan, int interval) {
    if (interval < 0 || interval >= plan->interval_count) return (carom_input){.wrench_count = 0};
    return (carom_input){.body_wrench_count = plan->wrench_count,
                         .body_wrench = plan->wrench + (ptrdiff_t)interval * plan->wrench_count};
}

// The definition of a body, and whether it can move.
static carom_status find_body(const carom_state *state, int body, carom_body_def *def, bool *moves,
                              carom_error *error) {
    carom_status status = carom_model_get_body(carom_state_model(state), (carom_body){body}, def, error);
    *moves = status == CAROM_OK && def->kind != CAROM_BODY_FIXED;
    return status;
}

static carom_status check_node(const carom_plan_data *plan, int node, const carom_state *state, carom_error *error) {
    CRM_NEED(plan, error);
    CRM_NEED(state, error);
    int bodies = carom_model_body_count(carom_state_model(state));
    if (plan->body_count != bodies)
        return crm_refuse(error, "plan: it is of %d bodies and the model has %d; give a state of its own model",
                          plan->body_count, bodies);
    if (node >= 0 && node <= plan->interval_count && plan->interval_count > 0) return CAROM_OK;
    return crm_refuse(error, "plan: node %d is none; it has 0 to %d", node, plan->interval_count);
}

carom_status carom_plan_place(const carom_plan_data *plan, int node, carom_state *state, carom_error *error) {
    carom_status status = check_node(plan, node, state, error);
    for (int b = 0; status == CAROM_OK && b < plan->body_count; b++) {
        carom_body_def def;
        bool moves;
        status = find_body(state, b, &def, &moves, error);
        if (moves)
            status = carom_state_set_body(state, (carom_body){b}, &plan->motion[(ptrdiff_t)node * plan->body_count + b],
                                          error);
    }
    bool joined = status == CAROM_OK && carom_model_joint_count(carom_state_model(state)) > 0;
    return joined ? carom_state_assemble(state, error) : status;
}

static carom_status push(const carom_plan_impulse *impulse, carom_body body, double sign, carom_state *state,
                         carom_error *error) {
    carom_body_def def;
    carom_body_state now;
    bool moves;
    carom_status status = find_body(state, body.index, &def, &moves, error);
    if (status == CAROM_OK) status = carom_state_get_body(state, body, &now, error);
    if (status != CAROM_OK || !moves) return status;
    carom_vec3 centre = crm_add(now.position, crm_quat_rotate(now.attitude, def.centre));
    carom_vec3 couple = crm_add(impulse->couple, crm_cross(crm_sub(impulse->point, centre), impulse->impulse));
    return carom_state_apply_impulse(state, body, crm_scale(sign, impulse->impulse), crm_scale(sign, couple), error);
}

carom_status carom_plan_apply_impulses(const carom_plan_data *plan, int node, carom_state *state, carom_error *error) {
    carom_status status = check_node(plan, node, state, error);
    for (int i = 0; status == CAROM_OK && i < plan->impulse_count; i++) {
        if (plan->impulse[i].node != node) continue;
        status = push(&plan->impulse[i], plan->impulse[i].a, -1.0, state, error);
        if (status == CAROM_OK) status = push(&plan->impulse[i], plan->impulse[i].b, 1.0, state, error);
    }
    return status;
}
