// SPDX-License-Identifier: MIT
// Limits and velocity motors as rows of the linear system of `multiplier`.
#include <math.h>

#include "step/multiplier/multiplier.h"

static const crm_limit_motor_row *row_of(const crm_multiplier *m, int limit_motor) {
    return &m->system.limit_motor[limit_motor];
}

static crm_answer evaluate(void *context, const double *y) {
    crm_multiplier *m = context;
    crm_link_problem_unpack(&m->links, y, m->motions);
    crm_joint_system_evaluate(&m->system, m->motions, m->configs);
    return CRM_ANSWER_GOOD;
}

static double value(const void *context, int limit_motor) {
    const crm_multiplier *m = context;
    return m->system.residual[row_of(m, limit_motor)->row];
}

static double rate(const void *context, int limit_motor) {
    return crm_multiplier_rate(context, limit_motor);
}

static void hold(void *context, int limit_motor, bool held) {
    crm_multiplier *m = context;
    crm_joint_system_switch(&m->system, limit_motor, held);
}

static crm_answer forces(void *context, double time) {
    return crm_multiplier_forces(context, time);
}

static void accelerate(void *context) {
    crm_multiplier_accelerate(context);
}

static double acceleration(const void *context, int limit_motor) {
    const crm_multiplier *m = context;
    const crm_limit_motor_row *of = row_of(m, limit_motor);
    const crm_joint *joint = &m->model->joints.items[of->joint];
    crm_joint_twists t = {crm_vec6_zero(), crm_vec6_zero()};
    if (joint->a.body >= 0) t.a = m->twist[joint->a.body];
    if (joint->b.body >= 0) t.b = m->twist[joint->b.body];
    return crm_joint_row_rate(&m->system.row[of->row], &t) + m->product[of->row];
}

static void begin_impact(void *context) {
    crm_multiplier *m = context;
    for (int b = 0; b < m->model->bodies.count; b++) m->before_impact[b] = m->motions[b];
}

static void impact(void *context) {
    crm_multiplier *m = context;
    for (int b = 0; b < m->model->bodies.count; b++) {
        m->motions[b].p = m->before_impact[b].p;
        m->motions[b].l = m->before_impact[b].l;
    }
    crm_multiplier_project_momenta(m);
}

static void end_impact(void *context, double *y) {
    crm_multiplier *m = context;
    double *sums = crm_link_problem_sums(&m->links, y), work = 0.0;
    for (int b = 0; b < m->model->bodies.count; b++) {
        const crm_body *body = &m->model->bodies.items[b];
        crm_motion before = m->motions[b];
        before.p = m->before_impact[b].p, before.l = m->before_impact[b].l;
        work += crm_motion_kinetic_energy(body, &m->motions[b]) - crm_motion_kinetic_energy(body, &before);
    }
    crm_multiplier_add_lambda(m, sums);
    crm_external_add_limits(sums + 6 * (ptrdiff_t)m->model->joints.count, work);
    crm_link_problem_pack(&m->links, m->motions, y);
}

static double lambda(const void *context, int limit_motor) {
    const crm_multiplier *m = context;
    return m->lambda[row_of(m, limit_motor)->row];
}

static double largest_lambda(const void *context) {
    const crm_multiplier *m = context;
    double largest = 0.0;
    for (int r = 0; r < m->system.row_count; r++) largest = fmax(largest, fabs(m->lambda[r]));
    return largest;
}

const crm_bounds_table crm_multiplier_bounds = {.evaluate = evaluate,
                                                .value = value,
                                                .rate = rate,
                                                .hold = hold,
                                                .forces = forces,
                                                .accelerate = accelerate,
                                                .acceleration = acceleration,
                                                .begin_impact = begin_impact,
                                                .impact = impact,
                                                .end_impact = end_impact,
                                                .lambda = lambda,
                                                .largest_lambda = largest_lambda};
