// SPDX-License-Identifier: MIT
// What a plan tells.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/plan/plan_solve.h"

carom_plan_outcome carom_plan_get_outcome(const carom_plan *plan) {
    return plan != NULL && plan->certified ? plan->best.outcome : CAROM_PLAN_UNFINISHED;
}

carom_plan_extent carom_plan_get_extent(const carom_plan *plan) {
    return plan != NULL ? plan->extent : (carom_plan_extent){0, 0, 0};
}

const char *carom_plan_reason(const carom_plan *plan) {
    if (plan == NULL || !plan->certified) return "";
    return plan->best.reason[0] != '\0' ? plan->best.reason : plan->findings.text;
}

carom_plan_certificate carom_plan_get_certificate(const carom_plan *plan) {
    if (plan != NULL && plan->certified) return plan->certificate;
    return (carom_plan_certificate){.violation = INFINITY, .coarse_effort = NAN};
}

int carom_plan_solve_count(const carom_plan *plan) {
    return plan != NULL ? plan->solves.count : 0;
}

carom_status carom_plan_get_solve(const carom_plan *plan, int index, carom_plan_solve *out) {
    if (plan == NULL || out == NULL || index < 0 || index >= plan->solves.count) return CAROM_ERR_BAD_INPUT;
    *out = plan->solves.items[index];
    return CAROM_OK;
}

int carom_plan_intervals(const carom_plan *plan) {
    return plan != NULL ? plan->def.intervals : 0;
}

double carom_plan_time(const carom_plan *plan, int node) {
    if (plan == NULL || !plan->best.made || node < 0 || node > plan->best.motion.interval_count) return NAN;
    double time = 0.0;
    for (int k = 0; k < node; k++) time += plan->best.motion.length[k];
    return time;
}

static bool is_body(const carom_plan *plan, carom_body body) {
    return body.index >= 0 && body.index < plan->best.motion.body_count;
}

carom_status carom_plan_get_node(const carom_plan *plan, int node, carom_body body, carom_pose *pose,
                                 carom_wrench *momentum_before, carom_wrench *momentum_after) {
    if (plan == NULL || !plan->best.made || !is_body(plan, body)) return CAROM_ERR_BAD_INPUT;
    const crm_plan_trial *t = &plan->best;
    if (node < 0 || node > t->motion.interval_count) return CAROM_ERR_BAD_INPUT;
    ptrdiff_t at = (ptrdiff_t)node * t->motion.body_count + body.index;
    if (pose != NULL) {
        pose->attitude = crm_quat_from_mat3(t->motion.attitude[at]);
        carom_vec3 arm = crm_quat_rotate(pose->attitude, plan->model->bodies.items[body.index].centre);
        pose->position = crm_sub(t->motion.position[at], arm);
    }
    if (momentum_before != NULL) *momentum_before = (carom_wrench){body, t->nodes.before[at], t->nodes.spin_before[at]};
    if (momentum_after != NULL) *momentum_after = (carom_wrench){body, t->nodes.after[at], t->nodes.spin_after[at]};
    return CAROM_OK;
}

int carom_plan_control_size(const carom_plan *plan, int control) {
    if (plan == NULL || !plan->best.made || control < 0 || control >= plan->def.control_count) return 0;
    return plan->best.draft.control_size[control];
}

carom_status carom_plan_get_control(const carom_plan *plan, int interval, int control, double *out) {
    int size = carom_plan_control_size(plan, control);
    if (size == 0 || out == NULL || interval < 0 || interval >= plan->best.motion.interval_count)
        return CAROM_ERR_BAD_INPUT;
    const crm_plan_motion *m = &plan->best.motion;
    const double *from =
        m->control + (ptrdiff_t)interval * m->control_number_count + plan->best.draft.control_offset[control];
    memcpy(out, from, sizeof *out * (size_t)size);
    return CAROM_OK;
}

carom_status carom_plan_get_wrench(const carom_plan *plan, int interval, int end, carom_body body, carom_wrench *out) {
    if (plan == NULL || !plan->best.made || !is_body(plan, body) || out == NULL) return CAROM_ERR_BAD_INPUT;
    const crm_plan_motion *m = &plan->best.motion;
    if (interval < 0 || interval >= m->interval_count || (end != 0 && end != 1)) return CAROM_ERR_BAD_INPUT;
    ptrdiff_t at = 2 * ((ptrdiff_t)interval * m->body_count + body.index) + end;
    *out = (carom_wrench){body, m->force[at], m->torque[at]};
    return CAROM_OK;
}
