// SPDX-License-Identifier: MIT
// The derivative of what Newmark's family solves,
//   W - F(x, v),   f - phi(t, dt/dt),
// by W and f: with K and D, the derivative blocks of the forces, and what joints leave of the changes of poses and
// velocities. Products are exact but for how rows of contacts and joints rotate; the elimination has the bodies and
// what couples them without joints and contacts, and GMRES puts those in.
#include <math.h>
#include <string.h>

#include "math/krylov/krylov.h"
#include "model/force/evaluate.h"
#include "step/potential/newmark.h"

enum { KRYLOV_VECTORS = 40 };
// Of a place, relative to its size.
static const double place_rounding = 1e-15;
// By which coordinates of joints are changed to see their forces change, which are linear but for bounds.
static const double small_change = 1e-6;

_Static_assert(sizeof(crm_vec6) == 6 * sizeof(double), "wrenches of all bodies are one vector of numbers");

static crm_vec6 unit(int k) {
    crm_vec6 u = crm_vec6_zero();
    carom_vec3 *half = k < 3 ? &u.linear : &u.angular;
    *half = crm_with_component(*half, k % 3, 1.0);
    return u;
}

static void subtract_product(const double *matrix, crm_vec6 v, double *out) {
    const double x[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) out[i] -= matrix[i + 6 * j] * x[j];
}

static crm_vec6 read(const double *x) {
    return crm_vec6_of(crm_vec3(x[0], x[1], x[2]), crm_vec3(x[3], x[4], x[5]));
}

static void subtract(crm_vec6 v, double *out) {
    out[0] -= v.linear.x, out[1] -= v.linear.y, out[2] -= v.linear.z;
    out[3] -= v.angular.x, out[4] -= v.angular.y, out[5] -= v.angular.z;
}

// ---- the elimination

// out -= stiffness X + damping V, of the body whose wrench changes.
static void subtract_slopes(const carom_state *state, const double *stiffness, const double *damping,
                            const crm_newmark_response *by, double *out) {
    const carom_potential_def *def = &state->method.potential;
    double h = state->method.step;
    for (int k = 0; k < 6; k++) {
        crm_vec6 move = crm_newmark_pose_by(by, crm_vec6_scale(h * def->beta, unit(k)));
        subtract_product(stiffness, move, out + 6 * k);
        crm_vec6 twist = crm_newmark_twist_by(by, crm_vec6_scale(h * def->gamma, unit(k)), move);
        subtract_product(damping, twist, out + 6 * k);
    }
}

// Of what the place at the end is the sum of: the parts of its way can be far larger than the way.
static double place_size(const carom_state *state, const crm_newmark *n, int b) {
    double h = state->method.step, beta = state->method.potential.beta;
    double momentum = crm_length(state->motions[b].p) + crm_length(n->before[b].linear) +
                      h * (0.5 - beta) * crm_length(n->start[b].linear) + h * beta * crm_length(n->wrench[b].linear);
    return crm_length(state->motions[b].x) + h * state->model->bodies.items[b].inverse_mass * momentum;
}

void crm_newmark_differentiate(const carom_model *model, carom_state *state, crm_newmark *n) {
    double end = carom_state_time(state) + state->method.step;
    crm_force_derivatives_evaluate(model, end, state->next, &n->slopes);
    const crm_block_matrix *k = &n->slopes.stiffness, *d = &n->slopes.damping, *m = &n->matrix;
    crm_block_matrix_clear(&n->matrix);
    for (int b = 0; b < model->bodies.count; b++) {
        double *block = m->diagonal + m->node_block[b];
        const double *stiffness = k->diagonal + k->node_block[b];
        double sum = 0.0;
        for (int i = 0; i < 6; i++) block[7 * i] = 1.0;
        subtract_slopes(state, stiffness, d->diagonal + d->node_block[b], &n->response[b], block);
        for (int i = 0; i < 18; i++) sum += i % 6 < 3 ? fabs(stiffness[i]) : 0.0;
        n->blur[b] = place_rounding * place_size(state, n, b) * sum;
    }
    for (int e = 0; e < m->graph.edge_count; e++) {
        crm_block_edge edge = m->graph.edge[e];
        ptrdiff_t at = m->edge_block[e];
        subtract_slopes(state, k->edges + at, d->edges + at, &n->response[edge.column], m->edges + at);
        subtract_slopes(state, k->mirror + at, d->mirror + at, &n->response[edge.row], m->mirror + at);
    }
}

// ---- products

typedef struct product {
    carom_state *state;
    crm_newmark *newmark;
    const carom_input *input;
} product;

// Poses and velocities at the end by changes of wrenches and of contacts' forces.
static void follow(const product *p, const double *x) {
    carom_state *state = p->state;
    const carom_model *model = state->model;
    crm_newmark *n = p->newmark;
    const crm_overlap *overlap = &n->contact.overlap;
    crm_newmark_shares shares = crm_newmark_contact_shares(state);
    const double *force = x + 6 * (ptrdiff_t)model->bodies.count;
    double h = state->method.step, beta = state->method.potential.beta, gamma = state->method.potential.gamma;
    for (int b = 0; b < model->bodies.count; b++) n->push[b] = crm_vec6_scale(h * beta, read(x + 6 * (ptrdiff_t)b));
    for (int i = 0; i < n->contacts.count; i++)
        crm_newmark_push_pair(model, &overlap->pairs.items[i], &n->contacts.items[i].row_a, &n->contacts.items[i].row_b,
                              shares.before_last * force[i], n->push);
    for (int b = 0; b < model->bodies.count; b++) n->move[b] = crm_newmark_pose_by(&n->response[b], n->push[b]);
    crm_newmark_joints_hold(state, &n->joints, n->response, n->push, n->move);
    for (int b = 0; b < model->bodies.count; b++)
        n->push[b] = crm_vec6_madd(n->push[b], h * (gamma - beta), read(x + 6 * (ptrdiff_t)b));
    for (int i = 0; i < n->contacts.count; i++) {
        const crm_piece *piece = &overlap->pieces.items[i];
        crm_newmark_push_pair(model, &overlap->pairs.items[i], &piece->row_a, &piece->row_b,
                              shares.after_last * force[i], n->push);
    }
    for (int b = 0; b < model->bodies.count; b++)
        n->twist[b] = crm_newmark_twist_by(&n->response[b], n->push[b], n->move[b]);
    crm_newmark_joints_hold_twist(state, &n->joints, n->twist);
}

static double rate_of(const crm_joint *joint, const crm_joint_row *row, const crm_vec6 *twist) {
    double a = joint->a.body >= 0 ? crm_vec6_dot(row->a, twist[joint->a.body]) : 0.0;
    return a + (joint->b.body >= 0 ? crm_vec6_dot(row->b, twist[joint->b.body]) : 0.0);
}

static void act(const product *p, const crm_joint *joint, const crm_joint_row *row, double force, double *out) {
    const carom_model *model = p->state->model;
    const int body[2] = {joint->a.body, joint->b.body};
    const crm_vec6 *along[2] = {&row->a, &row->b};
    for (int e = 0; e < 2; e++)
        if (body[e] >= 0)
            subtract(crm_wrench_projected(model->bodies.items[body[e]].kind, crm_vec6_scale(force, *along[e])),
                     out + 6 * (ptrdiff_t)body[e]);
}

// The share of springs, dampers and motors of one joint, by its coordinates.
static void subtract_drives(const product *p, int index, double *out) {
    const carom_state *state = p->state;
    const crm_newmark *n = p->newmark;
    const crm_joint *joint = &state->model->joints.items[index];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->next);
    crm_joint_twists twists = crm_joint_twists_of(state->model, joint, state->next);
    crm_joint_config config = crm_joint_config_of(joint, &pose, &state->configs[index]);
    crm_joint_row value_row[6], rate_row[6];
    double value[6], rate[6];
    crm_joint_values(joint, &config, value);
    crm_joint_rates(joint, &pose, &twists, rate);
    crm_joint_value_rows(joint, &pose, value_row);
    crm_joint_rate_rows(joint, &pose, rate_row);
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *coordinate = &joint->def.coordinate[k];
        carom_motor_def motor = crm_joint_motor(state->model, index, k, p->input);
        double by_value = rate_of(joint, &value_row[k], n->move), by_rate = rate_of(joint, &rate_row[k], n->twist);
        double change = small_change * fmax(1.0, fabs(value[k]) + fabs(rate[k]));
        double here = crm_joint_coordinate_force(coordinate, &motor, value[k], rate[k]).active;
        double farther = crm_joint_coordinate_force(coordinate, &motor, value[k] + change, rate[k]).active;
        double faster = crm_joint_coordinate_force(coordinate, &motor, value[k], rate[k] + change).active;
        act(p, joint, &value_row[k], -coordinate->stiffness * by_value, out);
        act(p, joint, &rate_row[k], ((farther - here) * by_value + (faster - here) * by_rate) / change, out);
    }
}

static void apply_derivative(void *context, const double *x, double *y) {
    const product *p = context;
    crm_newmark *n = p->newmark;
    const carom_model *model = p->state->model;
    int bodies = model->bodies.count;
    follow(p, x);
    memcpy(y, x, (6 * (size_t)bodies + (size_t)n->contacts.count) * sizeof *y);
    crm_block_matrix_apply(&n->slopes.stiffness, (const double *)n->move, (double *)n->answer);
    for (int b = 0; b < bodies; b++) subtract(n->answer[b], y + 6 * (ptrdiff_t)b);
    crm_block_matrix_apply(&n->slopes.damping, (const double *)n->twist, (double *)n->answer);
    for (int b = 0; b < bodies; b++) subtract(n->answer[b], y + 6 * (ptrdiff_t)b);
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].driven) subtract_drives(p, j, y);
    for (int i = 0; i < n->contacts.count; i++) {
        const crm_newmark_contact *c = &n->contacts.items[i];
        const crm_overlap_pair *pair = &n->contact.overlap.pairs.items[i];
        const crm_piece *piece = &n->contact.overlap.pieces.items[i];
        double *off = &y[6 * (ptrdiff_t)bodies + i];
        if (c->by_value == 0.0 && c->by_rate == 0.0) continue;
        *off -= c->by_force * *off;
        *off -= c->by_value * crm_newmark_piece_rate(pair, piece, n->move) +
                c->by_rate * crm_newmark_piece_rate(pair, piece, n->twist);
    }
}

// How a contact's residual answers to its force by what its two bodies do.
static double own_slope(const crm_newmark_contact *c) {
    double sum = 1.0 - c->by_force - c->by_value * c->compliance;
    return sum > 0.0 ? sum : 1.0;
}

static void apply_elimination(void *context, const double *x, double *y) {
    const product *p = context;
    crm_newmark *n = p->newmark;
    ptrdiff_t size = 6 * (ptrdiff_t)p->state->model->bodies.count;
    memcpy(y, x, (size_t)size * sizeof *y);
    crm_block_factor_solve(&n->factor, 1, y, size, n->work);
    for (int i = 0; i < n->contacts.count; i++) y[size + i] = x[size + i] / own_slope(&n->contacts.items[i]);
}

void crm_newmark_find_correction(carom_state *state, crm_newmark *n, const carom_input *input) {
    int size = 6 * state->model->bodies.count + n->contacts.count;
    crm_block_factor_report factored;
    crm_block_factor_compute(&n->factor, &n->matrix, &factored);
    product context = {state, n, input};
    crm_operator derivative = {apply_derivative, &context, size}, elimination = {apply_elimination, &context, size};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.restart = KRYLOV_VECTORS;
    settings.iteration_limit = 4 * KRYLOV_VECTORS;
    apply_elimination(&context, n->residual.items, n->correction.items);
    crm_krylov_report report;
    // Short of the tolerance, or without memory, the correction is still one that Newton's method makes up for.
    (void)crm_gmres(&derivative, &elimination, n->residual.items, n->correction.items, &settings, &state->arena,
                    &report, NULL);
}
