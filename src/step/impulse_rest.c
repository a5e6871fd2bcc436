// SPDX-License-Identifier: MIT
// Resting contact and joints of a fixed step. A contact may use up its gap and no more; a joint gets the impulses
//   j = B (B^T K B)^-1 B^T d/h
// that undo its error d as predicted for the end of the step (MATH: section 7), where B are the motions that it blocks,
// linear and angular, and contacts and joints are gone through until all agree. The rows of `lcp` do that for errors
// that are linear in the velocities; what turning bodies add is predicted anew and undone as well, until the joints are
// closed to their tolerance.
#include <math.h>

#include "base/fail.h"
#include "model/joint_gaps.h"
#include "step/impulse_fixed.h"

// Every round takes some two digits off an error of second order in the step.
enum { MOST_ROUNDS = 8 };
// Each round is solved to this much more than the one before, as its errors are that much smaller.
static const double tighter = 0.1, tightest = 1e-13;
// Joints are closed to this share of what is asked for, as the poses are rounded yet.
static const double share_asked = 0.5;

static void sum_changes(const carom_model *model, const carom_state *state, crm_lcp *rows) {
    for (int b = 0; b < model->bodies.count; b++) rows->change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, rows, rows->change);
    for (int b = 0; b < model->bodies.count; b++)
        rows->twist[b] = crm_vec6_add(rows->free[b], crm_lcp_velocity_of(model, state, b, rows->change[b]));
}

carom_status crm_impulse_rest(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *rows,
                              carom_step_report *report, carom_error *error) {
    double tolerance = state->method.impulse.tolerance, blows = report->residual;
    rows->rest_speed = INFINITY;
    rows->def.gamma = 1.0;
    if (!crm_lcp_build(model, state, input, rows))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    for (int round = 0; round < MOST_ROUNDS; round++) {
        report->residual = blows;
        rows->def.tolerance = fmax(tolerance * pow(tighter, round), tightest);
        carom_status status = crm_lcp_solve(state, rows, report, error);
        rows->def.tolerance = tolerance;
        if (status != CAROM_OK) return status;
        sum_changes(model, state, rows);
        if (model->joints.count == 0 || report->outcome != CAROM_STEP_GOOD) break;
        crm_impulse_predict(model, state, rows);
        double size = crm_joints_size(model, rows->ahead);
        double drift = crm_joints_worst(model, rows->ahead, size).share;
        if (drift <= share_asked * state->method.impulse.joint_tolerance) break;
        crm_impulse_bend_offsets(model, state, rows);
    }
    return CAROM_OK;
}
