// SPDX-License-Identifier: MIT
#include "step/certify/joint_open.h"

#include <math.h>

#include "step/certify/accounts.h"

// The arm from the joint to the body's centre, or twice its radius of gyration where that is more, m; infinite of what
// cannot move.
static double size_on(const carom_model *model, int body, double arm) {
    if (body < 0 || model->bodies.items[body].kind == CAROM_BODY_FIXED) return INFINITY;
    const crm_body *of = &model->bodies.items[body];
    return fmax(arm, 2.0 * crm_body_gyration(of));
}

// Points that are joined at their centres have none, and count by what lies between.
double crm_joint_held_size(const carom_model *model, const crm_joint *joint, double arm_a, double arm_b) {
    double size = fmin(size_on(model, joint->a.body, arm_a), size_on(model, joint->b.body, arm_b));
    return isfinite(size) && size > 0.0 ? size : fmax(joint->def.length, 1e-3);
}

void crm_joint_open(const carom_model *model, carom_state *state) {
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        crm_joint_pose pose = crm_joint_evaluate(joint, state->next);
        double linear, angular;
        crm_joint_drift(joint, &pose, &linear, &angular);
        double size = crm_joint_held_size(model, joint, crm_length(pose.arm_a), crm_length(pose.arm_b));
        double share = fmax(linear / size, angular);
        crm_finding_raise(state, CAROM_RULE_JOINT_OPEN, share, joint->a.body, joint->b.body);
    }
}
