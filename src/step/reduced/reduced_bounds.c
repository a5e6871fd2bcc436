// SPDX-License-Identifier: MIT
// Limits and velocity motors of `reduced`: conditions on the coordinates of one link each (crm_articulated_row).
//
// Slides and angles are coordinates themselves. A limit on a component of the rotation vector of three free angles has
// a gradient by the rates, J_left^-1 of the vector, and a second derivative that is left without accelerations.
#include <math.h>
#include <string.h>

#include "step/reduced/reduced.h"

static const crm_tree_link *link_of(const crm_reduced *m, int joint) {
    const crm_joint *of = &m->model->joints.items[joint];
    const crm_joint_graph *graph = &m->model->graph;
    int a = of->a.body >= 0 ? graph->link_of_body[of->a.body] : -1;
    bool is_a = a >= 0 && graph->link[a].joint == joint;
    return &graph->link[is_a ? a : graph->link_of_body[of->b.body]];
}

static crm_articulated_row *row_of(const crm_reduced *m, int limit_motor) {
    return &m->tree.row[m->limit_motor[limit_motor].row];
}

// The rates of the coordinates of the row's link.
static const double *rates_of(const crm_reduced *m, int limit_motor) {
    return m->rate + link_of(m, m->limit_motor[limit_motor].joint)->first;
}

void crm_reduced_count_rows(crm_reduced *m, int *rows) {
    for (int i = 0; i < m->bounds.count; i++)
        m->limit_motor[i].row = rows[link_of(m, m->limit_motor[i].joint) - m->model->graph.link]++;
}

void crm_reduced_number_rows(crm_reduced *m) {
    for (int i = 0; i < m->bounds.count; i++)
        m->limit_motor[i].row += m->tree.link[link_of(m, m->limit_motor[i].joint) - m->model->graph.link].first_row;
}

void crm_reduced_evaluate_rows(crm_reduced *m) {
    for (int i = 0; i < m->bounds.count; i++) {
        const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
        const crm_joint *joint = &m->model->joints.items[limit_motor->joint];
        double *gradient = row_of(m, i)->gradient;
        int rotation = limit_motor->coordinate - joint->linear->free;
        memset(gradient, 0, 6 * sizeof *gradient);
        m->curvature[i] = 0.0;
        if (limit_motor->is_motor || joint->angular->free != 3 || rotation < 0) {
            gradient[limit_motor->coordinate] = 1.0;
            continue;
        }
        const double *rate = rates_of(m, i) + joint->linear->free;
        crm_joint_relation relation = {crm_vec3_zero(), m->configs[limit_motor->joint].rotation};
        carom_vec3 by_spin[3];
        double vector[3], curvature[3];
        crm_joint_locked.rows(joint, &relation, vector, by_spin);
        crm_joint_locked.curvature(joint, &relation, crm_vec3(rate[0], rate[1], rate[2]), curvature);
        for (int k = 0; k < 3; k++) gradient[joint->linear->free + k] = crm_component(by_spin[rotation], k);
        m->curvature[i] = curvature[rotation];
    }
}

static double along(const crm_reduced *m, int limit_motor, const double *rate) {
    const double *gradient = row_of(m, limit_motor)->gradient;
    double sum = 0.0;
    for (int k = 0; k < m->model->joints.items[m->limit_motor[limit_motor].joint].free; k++)
        sum += gradient[k] * rate[k];
    return sum;
}

void crm_reduced_prepare_rows(crm_reduced *m) {
    memset(m->force, 0, (size_t)m->model->graph.free_count * sizeof *m->force);
    for (int i = 0; i < m->bounds.count; i++) {
        crm_articulated_row *row = row_of(m, i);
        const crm_tree_link *link = link_of(m, m->limit_motor[i].joint);
        row->wanted = -m->curvature[i];
        for (int k = 0; !row->on && k < link->free; k++)
            m->force[link->first + k] += m->bounds.bound[i].known * row->gradient[k];
    }
}

// ---- crm_bounds_table

static crm_answer evaluate(void *context, const double *y) {
    crm_reduced *m = context;
    crm_reduced_unpack(m, y);
    return crm_reduced_factor(m);
}

static double value(const void *context, int limit_motor) {
    const crm_reduced *m = context;
    int joint = m->limit_motor[limit_motor].joint;
    double values[6];
    crm_joint_values(&m->model->joints.items[joint], &m->configs[joint], values);
    return values[m->limit_motor[limit_motor].coordinate];
}

static double rate(const void *context, int limit_motor) {
    const crm_reduced *m = context;
    return along(m, limit_motor, rates_of(m, limit_motor));
}

static void hold(void *context, int limit_motor, bool held) {
    crm_reduced *m = context;
    if (m->limit_motor[limit_motor].on == held) return;
    m->limit_motor[limit_motor].on = row_of(m, limit_motor)->on = held;
    m->factored = false;
}

static crm_answer forces(void *context, double time) {
    return crm_reduced_forces(context, time);
}

static void accelerate(void *context) {
    crm_reduced_accelerate(context); // there is an inertia: place has found one
}

static double acceleration(const void *context, int limit_motor) {
    const crm_reduced *m = context;
    const double *own = m->tree.acceleration + link_of(m, m->limit_motor[limit_motor].joint)->first;
    return along(m, limit_motor, own) + m->curvature[limit_motor];
}

static void begin_impact(void *context) {
    crm_reduced *m = context;
    memcpy(m->before_impact, m->rate, (size_t)m->model->graph.free_count * sizeof *m->rate);
}

static void impact(void *context) {
    crm_reduced *m = context;
    memcpy(m->rate, m->before_impact, (size_t)m->model->graph.free_count * sizeof *m->rate);
    for (int i = 0; i < m->bounds.count; i++)
        row_of(m, i)->wanted = (m->limit_motor[i].is_motor ? m->bounds.bound[i].level : 0.0) - rate(m, i);
    crm_reduced_factor(m);
    crm_articulated_impact(&m->tree);
    for (int k = 0; k < m->model->graph.free_count; k++) m->rate[k] += m->tree.acceleration[k];
}

static double kinetic_energy(const crm_reduced *m) {
    double sum = 0.0;
    for (int b = 0; b < m->model->bodies.count; b++)
        sum += crm_motion_kinetic_energy(&m->model->bodies.items[b], &m->motions[b]);
    return sum;
}

static void end_impact(void *context, double *y) {
    crm_reduced *m = context;
    double *external = crm_reduced_external(m, y), before = kinetic_energy(m);
    crm_reduced_add_reactions(m, external);
    crm_reduced_pack_rates(m, y);
    crm_reduced_unpack(m, y);
    crm_external_add_limits(external, kinetic_energy(m) - before);
}

static double lambda(const void *context, int limit_motor) {
    const crm_reduced *m = context;
    return m->limit_motor[limit_motor].on ? row_of(m, limit_motor)->lambda : m->bounds.bound[limit_motor].known;
}

static double largest_lambda(const void *context) {
    const crm_reduced *m = context;
    double largest = 0.0;
    for (int i = 0; i < m->bounds.count; i++) largest = fmax(largest, fabs(lambda(m, i)));
    for (int i = 0; i < m->tree.link_count; i++) {
        crm_vec6 f = m->tree.link[i].force;
        largest =
            fmax(largest, fmax(crm_max_component(crm_vec3_abs(f.linear)), crm_max_component(crm_vec3_abs(f.angular))));
    }
    return largest;
}

double crm_reduced_motor_power(const crm_reduced *m) {
    double power = 0.0;
    for (int i = 0; i < m->bounds.count; i++)
        if (m->limit_motor[i].is_motor) power += lambda(m, i) * rate(m, i);
    return power;
}

// The smallest change of a link's numbers along a gradient that adds `gap` to the row.
static void correct(const crm_reduced *m, int limit_motor, double gap, double step[6]) {
    const double *gradient = row_of(m, limit_motor)->gradient;
    double square = along(m, limit_motor, gradient);
    for (int k = 0; k < 6; k++) step[k] = gap / square * gradient[k];
}

void crm_reduced_snap(crm_reduced *m, double *y) {
    for (int i = 0; i < m->bounds.count; i++) {
        if (!m->limit_motor[i].on) continue;
        int joint = m->limit_motor[i].joint;
        const crm_tree_link *link = link_of(m, joint);
        double level = m->bounds.bound[i].level, step[6];
        correct(m, i, (m->limit_motor[i].is_motor ? level : 0.0) - rate(m, i), step);
        for (int k = 0; k < link->free; k++) m->rate[link->first + k] += step[k];
        if (m->limit_motor[i].is_motor) continue;
        correct(m, i, level - value(m, i), step);
        m->configs[joint] = crm_joint_config_step(&m->model->joints.items[joint], &m->configs[joint], step);
    }
    crm_reduced_pack_coordinates(m, y);
    crm_reduced_pack_rates(m, y);
}

const crm_bounds_table crm_reduced_bounds = {.evaluate = evaluate,
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
