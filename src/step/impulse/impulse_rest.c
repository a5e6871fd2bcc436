// SPDX-License-Identifier: MIT
// Resting contact and joints of a fixed step. A contact may use up its gap and no more; a joint gets the impulses
//   j = B (B^T K B)^-1 B^T d/h
// that undo its error d as predicted for the end of the step (docs/math.md 7.6), where B are the motions that it
// blocks, linear and angular, and contacts and joints are gone through until all agree. The rows of `lcp` do that for
// errors that are linear in the velocities; what rotating bodies add is predicted anew and undone as well, until the
// joints are closed to their tolerance.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/mechanism/joint_gaps.h"
#include "step/impulse/impulse_fixed.h"

enum { MOST_ROUNDS = 12 };
// Each round is solved to this much more than the one before, as its errors are that much smaller.
static const double tighter = 0.1, tightest = 1e-13;
// Joints are closed to this share of what is asked for, as the poses are rounded yet.
static const double share_asked = 0.5;
// Rounds that have not made the first error this much smaller were not on the way to closed joints.
static const double share_closing = 0.01;

static void sum_changes(const carom_model *model, const carom_state *state, crm_lcp *rows) {
    for (int b = 0; b < model->bodies.count; b++) rows->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, rows, rows->motion.change);
    for (int b = 0; b < model->bodies.count; b++)
        rows->twist[b] = crm_vec6_add(rows->motion.free[b], crm_velocity_of(model, state, b, rows->motion.change[b]));
}

// How far joints will be open, as a share of their mechanism's size or rad: into `drift`, and the largest of those that
// are to be closed.
static double predict_drifts(const carom_model *model, const carom_state *state, const crm_impulse_fixed *fixed,
                             crm_lcp *rows, double *drift) {
    crm_impulse_predict(model, state, rows);
    double largest = 0.0;
    for (int k = 0; k < model->graph.mechanism_count; k++)
        fixed->mechanism_size[k] = crm_mechanism_size(model, rows->contacts.ahead, k);
    for (int j = 0; j < model->joints.count; j++) {
        crm_joint_pose pose = crm_joint_evaluate(&model->joints.items[j], rows->contacts.ahead);
        double linear, angular;
        crm_joint_drift(&model->joints.items[j], &pose, &linear, &angular);
        drift[j] = fmax(linear / fixed->mechanism_size[model->graph.mechanism[j]], angular);
        if (!fixed->given_up[j]) largest = fmax(largest, drift[j]);
    }
    return largest;
}

// Impulses for the offsets as they are, in this round.
static carom_status solve_round(const carom_model *model, const carom_state *state, int round, crm_lcp *rows,
                                carom_step_report *report, carom_error *error) {
    double tolerance = state->method.impulse.tolerance;
    rows->def.tolerance = fmax(tolerance * pow(tighter, round), tightest);
    carom_status status = crm_lcp_solve(state, rows, report, error);
    rows->def.tolerance = tolerance;
    if (status == CAROM_OK) sum_changes(model, state, rows);
    return status;
}

// Keeps a round that is the best so far, or takes back its impulses.
static void keep(crm_impulse_fixed *fixed, const crm_lcp *rows) {
    for (int i = 0; i < rows->problem.joint_blocks; i++)
        memcpy(fixed->best_offset.items[i].of, rows->problem.blocks.items[i].offset,
               sizeof fixed->best_offset.items->of);
    memcpy(fixed->best_impulse.items, rows->problem.impulse.items, (size_t)fixed->best_impulse.count * sizeof(double));
}

static void take_back(const crm_impulse_fixed *fixed, crm_lcp *rows) {
    for (int i = 0; i < rows->problem.joint_blocks; i++)
        memcpy(rows->problem.blocks.items[i].offset, fixed->best_offset.items[i].of,
               sizeof fixed->best_offset.items->of);
    memcpy(rows->problem.impulse.items, fixed->best_impulse.items, (size_t)fixed->best_impulse.count * sizeof(double));
}

static void go_half_back(const crm_impulse_fixed *fixed, crm_lcp *rows) {
    for (int i = 0; i < rows->problem.joint_blocks; i++) {
        crm_rigid_block *block = &rows->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++)
            block->offset[k] = 0.5 * (block->offset[k] + fixed->best_offset.items[i].of[k]);
    }
}

// Predicts errors and undoes them, until they are small enough: true. A round that makes them larger has gone too far,
// where bodies rotate by much in a step: half of its way is tried instead. At last the best round counts if it is on
// the way at all.
static carom_status close_joints(const carom_model *model, carom_state *state, crm_impulse_fixed *fixed, crm_lcp *rows,
                                 carom_step_report *report, bool *closing, carom_error *error) {
    double least = INFINITY, first = 0.0, impact_residual = report->residual, residual = 0.0;
    carom_body impact_body = report->residual_body, body = impact_body;
    *closing = true;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
        report->residual = impact_residual;
        report->residual_body = impact_body;
        carom_status status = solve_round(model, state, round, rows, report, error);
        if (status != CAROM_OK || report->outcome != CAROM_STEP_GOOD) return status;
        double drift = predict_drifts(model, state, fixed, rows, fixed->drift);
        if (round == 0) first = drift;
        if (round == 0 || drift < least) {
            least = drift;
            residual = report->residual;
            body = report->residual_body;
            keep(fixed, rows);
            if (drift <= share_asked * state->method.impulse.joint_tolerance) return CAROM_OK;
            crm_impulse_bend_offsets(model, state, fixed->given_up, rows);
        } else {
            go_half_back(fixed, rows);
        }
    }
    *closing = least <= share_closing * first;
    report->residual = residual;
    report->residual_body = body;
    take_back(fixed, rows);
    sum_changes(model, state, rows);
    return CAROM_OK;
}

static bool build(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *rows) {
    rows->no_restitution = true;
    rows->def.gamma = 1.0;
    return crm_lcp_build(model, state, input, rows);
}

// Of the joints that are open the most in the best round: no impulses along the rows of the start close them, and those
// that come near can be very large.
static void give_up(const carom_model *model, const carom_state *state, crm_impulse_fixed *fixed, crm_lcp *rows) {
    double largest = predict_drifts(model, state, fixed, rows, fixed->drift);
    for (int j = 0; j < model->joints.count; j++) fixed->given_up[j] |= fixed->drift[j] >= 0.5 * largest;
}

// Of a joint that is given up those errors are undone that are linear in the velocities; the certificate says how far
// it is open. Others may close without it, in one more attempt each; at last all are given up.
enum { MOST_ATTEMPTS = 4 };

carom_status crm_impulse_rest(const carom_model *model, carom_state *state, const carom_input *input,
                              crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report, carom_error *error) {
    double impact_residual = report->residual;
    carom_body impact_body = report->residual_body;
    for (int j = 0; j < model->joints.count; j++) fixed->given_up[j] = false;
    for (int attempt = 0;; attempt++) {
        report->residual = impact_residual;
        report->residual_body = impact_body;
        if (!build(model, state, input, rows)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
        if (rows->problem.joint_rows == 0 || attempt == MOST_ATTEMPTS)
            return solve_round(model, state, 0, rows, report, error);
        if (!CRM_ARRAY_RESIZE(&model->allocator, &fixed->best_offset, rows->problem.joint_blocks) ||
            !CRM_ARRAY_RESIZE(&model->allocator, &fixed->best_impulse, rows->problem.impulse.count))
            return crm_fail_memory(error, "impulses of joints", (size_t)rows->problem.impulse.count * sizeof(double));
        bool closing = false;
        carom_status status = close_joints(model, state, fixed, rows, report, &closing, error);
        if (status != CAROM_OK || closing) return status;
        give_up(model, state, fixed, rows);
    }
}
