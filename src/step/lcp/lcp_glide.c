// SPDX-License-Identifier: MIT
// What is solved goes on its way: jointed bodies to where their joints are closed (docs/math.md 8.6).
#include <math.h>
#include <stdio.h>

#include "model/joint/joint_limits.h"
#include "step/certify/contact_work.h"
#include "step/lcp/lcp.h"

// Velocity motors that are not at the end of their force hold their rate on the way, too.
static void set_motors(const carom_model *model, const carom_input *input, crm_lcp *lcp) {
    const crm_rigid_block *block = lcp->problem.blocks.items + lcp->problem.joint_blocks;
    const double *r = crm_lcp_block_impulses(lcp);
    if (r != NULL) r += lcp->problem.joint_rows;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            int limits = (c->lower > -INFINITY) + (c->upper < INFINITY);
            block += limits, r += limits;
            if (c->motor.kind != CAROM_MOTOR_VELOCITY) continue;
            bool holds = *r > block->lower && *r < block->upper;
            crm_glide_set_motor(&lcp->glide, j, k, holds, crm_joint_motor(model, j, k, input).target_rate);
            block++, r++;
        }
    }
}

void crm_lcp_glide(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp,
                   carom_step_report *report) {
    if (lcp->glide.model == NULL) return;
    crm_contact_twists(model, state);
    crm_contact_work(model, state);
    set_motors(model, input, lcp);
    int open = crm_glide_move(state, lcp->motion.explicit_impulse, &lcp->glide);
    report->projection_momentum = lcp->glide.moved;
    if (open < 0 || report->outcome != CAROM_STEP_GOOD) return;
    char name[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_BROKEN;
    snprintf(report->text, sizeof report->text,
             "no way was found on which %s and those it is connected with stay closed: bodies stop before the end of "
             "the step; make method.step smaller",
             crm_joint_text(model, open, name));
}

bool crm_lcp_motor_is_stopped(const carom_model *model, const carom_state *state, const carom_input *input,
                              carom_step_report *report) {
    if (!crm_joints_stop_motor(model, state->configs, input, state->method.step, report->text, sizeof report->text))
        return false;
    report->outcome = CAROM_STEP_IMPOSSIBLE;
    return true;
}
