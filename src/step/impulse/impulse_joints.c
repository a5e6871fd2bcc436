// SPDX-License-Identifier: MIT
// Errors of joints as they are predicted for the end of a fixed step, and what has to stand beside the velocities of
// their rows so that the impulses undo them.
//
// A joint's impulses r act along its rows J at the start of the step; its error at the end is c(q+), with
//   d c(q+)/d r = h J+ D M^-1 J^T = h A+,   J+: rows at the end,   D: from spins to rotations, dexp(h w) for attitudes
// The solver knows A = J M^-1 J^T. So that it takes Newton's step of the joint by itself, A+ dr = -c/h, it is told of
// an error A (A+)^-1 c in place of c; what joints do to each other is left to further rounds.
#include <math.h>

#include "math/dense/dense_lu.h"
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "step/impulse/impulse_fixed.h"

// A row whose own entry of A is below this share of the largest moves nothing: one of a hinge between planar bodies.
static const double idle_share = 1e-14;

void crm_impulse_predict(const carom_model *model, const carom_state *state, crm_lcp *rows) {
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        carom_body_kind kind = model->bodies.items[b].kind;
        crm_motion *ahead = &rows->contacts.ahead[b];
        *ahead = state->motions[b];
        if (kind == CAROM_BODY_FIXED) continue;
        ahead->x = crm_madd(ahead->x, h, rows->twist[b].linear);
        if (kind != CAROM_BODY_POINT) ahead->q = crm_quat_step(ahead->q, rows->twist[b].angular, h);
    }
}

// Adds the part of A and of A+ (column by column, 6 apart) that one body has in it.
static void add_body(const carom_model *model, const carom_state *state, const crm_lcp *rows, int body, int count,
                     const crm_vec6 *start, const crm_vec6 *end, double *a, double *a_end) {
    if (body < 0 || model->bodies.items[body].kind == CAROM_BODY_FIXED) return;
    carom_body_kind kind = model->bodies.items[body].kind;
    carom_mat3 rotation = crm_dexp_left(crm_scale(state->method.step, rows->twist[body].angular));
    for (int k = 0; k < count; k++) {
        crm_vec6 moved = crm_velocity_of(model, state, body, crm_wrench_projected(kind, start[k]));
        crm_vec6 rotated = crm_vec6_of(moved.linear, crm_mat3_apply(rotation, moved.angular));
        for (int i = 0; i < count; i++) {
            a[6 * k + i] += crm_vec6_dot(start[i], moved);
            a_end[6 * k + i] += crm_vec6_dot(end[i], rotated);
        }
    }
}

// c <- A (A+)^-1 c; c itself where A+ has no inverse.
static void as_seen_from_start(int count, double *a, double *a_end, double *c) {
    double largest = 0.0, x[6];
    int pivots[6];
    for (int k = 0; k < count; k++) largest = fmax(largest, a[7 * k]);
    for (int k = 0; k < count; k++) {
        if (a[7 * k] > idle_share * largest) continue;
        for (int i = 0; i < count; i++)
            a[6 * k + i] = a[6 * i + k] = a_end[6 * k + i] = a_end[6 * i + k] = i == k ? 1.0 : 0.0;
    }
    crm_lu_report report = crm_lu_factor(count, a_end, 6, pivots);
    if (!report.finite || report.singular_pivots > 0) return;
    for (int k = 0; k < count; k++) x[k] = c[k];
    crm_lu_solve(count, a_end, 6, pivots, 1, x, 6);
    for (int i = 0; i < count; i++) {
        c[i] = 0.0;
        for (int k = 0; k < count; k++) c[i] += a[6 * k + i] * x[k];
    }
}

static void error_of(const carom_model *model, const carom_state *state, const crm_lcp *rows, const crm_joint *joint,
                     double *c) {
    crm_joint_pose before = crm_joint_evaluate(joint, state->motions);
    crm_joint_pose after = crm_joint_evaluate(joint, rows->contacts.ahead);
    crm_joint_row start[6], end[6];
    double ignored[6], a[36] = {0.0}, a_end[36] = {0.0};
    crm_vec6 start_a[6], start_b[6], end_a[6], end_b[6];
    crm_lcp_joint_rows(rows, joint, &before, ignored, start);
    crm_lcp_joint_rows(rows, joint, &after, c, end);
    for (int k = 0; k < joint->rows; k++) {
        start_a[k] = start[k].a, start_b[k] = start[k].b;
        end_a[k] = end[k].a, end_b[k] = end[k].b;
    }
    add_body(model, state, rows, joint->a.body, joint->rows, start_a, end_a, a, a_end);
    add_body(model, state, rows, joint->b.body, joint->rows, start_b, end_b, a, a_end);
    as_seen_from_start(joint->rows, a, a_end, c);
}

void crm_impulse_bend_offsets(const carom_model *model, const carom_state *state, const bool *given_up, crm_lcp *rows) {
    crm_lcp_row_velocities(rows->twist, rows);
    double per_step = 1.0 / state->method.step, c[6];
    const double *velocity = CRM_ARRAY_FROM(&rows->velocity, crm_lcp_contact_rows(rows));
    crm_rigid_block *block = rows->problem.blocks.items;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (joint->rows == 0) continue; // no block
        if (!given_up[j]) {
            error_of(model, state, rows, joint, c);
            for (int k = 0; k < joint->rows; k++) block->offset[k] = per_step * c[k] - velocity[k];
        }
        velocity += joint->rows;
        block++;
    }
}
