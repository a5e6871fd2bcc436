// SPDX-License-Identifier: MIT
// Gauss-Newton in the metric of the masses: the displacement d of all bodies that makes d^T M d smallest among those
// with J d = -c. With a large weight w_k on every row in place of the equation, d solves the sparse positive-definite
// system
//     (M + J^T W J) d = -J^T W c
// on the graph of the bodies, whatever loops there are and however redundant they are. From it come the multipliers
// -W (c + J d), and from these, and not from d itself, the displacements M^-1 J^T (multipliers): they are impulses
// between bodies whatever the system's rounding, so that momenta and centres of mass are kept. The error that weight
// and rounding leave is taken up by the next step. Velocities go the same way with J t in place of c.
#include "model/joint_projection.h"

#include <string.h>

#include "base/fail.h"
#include "model/body_graph.h"
#include "model/evaluate.h"

// Weight of a row against its own inertia: a step leaves about its inverse of the error, and of the multipliers about
// as many digits are rounding.
static const double row_weight = 1e8;

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the projection on %d joints", model->joints.count);
}

static int node_of(const crm_joint_projection *p, int body) {
    return body < 0 ? -1 : p->node[body];
}

carom_status crm_joint_projection_create(const carom_model *model, crm_arena *arena, crm_joint_projection *p,
                                         carom_error *error) {
    *p = (crm_joint_projection){.model = model};
    int bodies = model->bodies.count, joints = model->joints.count;
    p->node = CRM_ARENA_ARRAY(arena, int, bodies);
    p->body = CRM_ARENA_ARRAY(arena, int, bodies);
    p->edge = CRM_ARENA_ARRAY(arena, int, joints);
    crm_block_edge *ends = CRM_ARENA_ARRAY(arena, crm_block_edge, joints);
    if (p->node == NULL || p->body == NULL || p->edge == NULL || ends == NULL) return no_memory(model, error);
    for (int b = 0; b < bodies; b++) p->node[b] = -1;
    for (int j = 0; j < joints; j++) {
        const int side[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        for (int s = 0; s < 2; s++) {
            if (side[s] < 0 || model->bodies.items[side[s]].kind == CAROM_BODY_FIXED || p->node[side[s]] >= 0) continue;
            p->body[p->node_count] = side[s];
            p->node[side[s]] = p->node_count++;
        }
        ends[j] = (crm_block_edge){node_of(p, side[0]), node_of(p, side[1])};
    }
    crm_block_graph graph;
    carom_status status = crm_body_graph_join(joints, ends, p->node_count, arena, &graph, p->edge, error);
    if (status != CAROM_OK) return status;
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    status = crm_block_analyse(&graph, NULL, arena, &scratch, &p->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, true, arena, &p->matrix, error);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&p->symbolic, CRM_BLOCK_CHOLESKY, arena, &p->factor, error);
    if (status != CAROM_OK) return status;
    p->step = CRM_ARENA_ARRAY(arena, double, 6 * (ptrdiff_t)p->node_count);
    p->impulse = CRM_ARENA_ARRAY(arena, crm_vec6, p->node_count);
    p->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&p->factor));
    return p->step != NULL && p->impulse != NULL && p->work != NULL ? CAROM_OK : no_memory(model, error);
}

static carom_mat3 world_inertia(const crm_body *body, const crm_motion *m) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->inertia.z));
    return crm_congruence_diagonal(crm_quat_to_mat3(m->q), body->inertia);
}

// A row of one body without what its kind cannot do, and its inverse inertia row^T M^-1 row.
static double felt_row(const carom_model *model, int body, const crm_motion *motions, crm_vec6 given, double row[6]) {
    if (body < 0) return 0.0;
    const crm_body *b = &model->bodies.items[body];
    crm_vec6 felt = crm_wrench_felt(b->kind, given);
    const double numbers[6] = {felt.linear.x,  felt.linear.y,  felt.linear.z,
                               felt.angular.x, felt.angular.y, felt.angular.z};
    memcpy(row, numbers, sizeof numbers);
    const crm_motion kick = {.x = motions[body].x, .q = motions[body].q, .p = felt.linear, .l = felt.angular};
    return 2.0 * crm_motion_kinetic_energy(b, &kick);
}

// block += w u v^T
static void add_outer(double *block, double w, const double u[6], const double v[6]) {
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) block[i + 6 * j] += w * u[i] * v[j];
}

static void add_masses(crm_joint_projection *p, const crm_motion *motions) {
    for (int n = 0; n < p->node_count; n++) {
        const crm_body *body = &p->model->bodies.items[p->body[n]];
        carom_mat3 inertia = world_inertia(body, &motions[p->body[n]]);
        double *block = p->matrix.diagonal + p->matrix.node_block[n];
        for (int i = 0; i < 6; i++) {
            if (!crm_kind_feels(body->kind, i)) {
                block[7 * i] = 1.0;
                continue;
            }
            if (i < 3) block[7 * i] = body->mass;
            for (int j = 3; i >= 3 && j < 6; j++) block[i + 6 * j] = crm_mat3_get(inertia, i - 3, j - 3);
        }
    }
}

// A row with its weight and what it is to change: the residual, or the velocity in its direction.
typedef struct weighted_row {
    double a[6], b[6];
    double weight; // 0 for a row that the bodies' kinds block
    double error;
} weighted_row;

static void weigh_rows(const crm_joint_projection *p, const crm_joint *joint, const crm_motion *motions,
                       bool velocities, weighted_row out[6]) {
    crm_joint_place place = crm_joint_place_of(joint, motions);
    crm_joint_twists t = crm_joint_twists_of(p->model, joint, motions);
    double residual[6];
    crm_joint_row row[6];
    crm_joint_rows(joint, &place, residual, row);
    for (int k = 0; k < joint->rows; k++) {
        out[k] = (weighted_row){.error = velocities ? crm_joint_row_rate(&row[k], &t) : residual[k]};
        double mobility = felt_row(p->model, joint->a.body, motions, row[k].a, out[k].a) +
                          felt_row(p->model, joint->b.body, motions, row[k].b, out[k].b);
        if (mobility > 0.0) out[k].weight = row_weight / mobility;
    }
}

static void add_row(crm_joint_projection *p, int a, int b, int edge, const weighted_row *row) {
    double w = row->weight;
    if (a >= 0) add_outer(p->matrix.diagonal + p->matrix.node_block[a], w, row->a, row->a);
    if (b >= 0) add_outer(p->matrix.diagonal + p->matrix.node_block[b], w, row->b, row->b);
    if (a >= 0 && b >= 0)
        add_outer(p->matrix.edges + p->matrix.edge_block[edge], w, a > b ? row->a : row->b, a > b ? row->b : row->a);
    for (int i = 0; i < 6 && a >= 0; i++) p->step[6 * (ptrdiff_t)a + i] -= w * row->error * row->a[i];
    for (int i = 0; i < 6 && b >= 0; i++) p->step[6 * (ptrdiff_t)b + i] -= w * row->error * row->b[i];
}

static void fill(crm_joint_projection *p, const crm_motion *motions, bool velocities) {
    crm_block_matrix_clear(&p->matrix);
    memset(p->step, 0, 6 * (size_t)p->node_count * sizeof *p->step);
    add_masses(p, motions);
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        weighted_row row[6];
        weigh_rows(p, joint, motions, velocities, row);
        for (int k = 0; k < joint->rows; k++)
            add_row(p, node_of(p, joint->a.body), node_of(p, joint->b.body), p->edge[j], &row[k]);
    }
}

static double product(const double row[6], const double *step) {
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += row[i] * step[i];
    return sum;
}

static void push(crm_vec6 *impulse, double multiplier, const double row[6]) {
    impulse->linear = crm_madd(impulse->linear, multiplier, crm_vec3(row[0], row[1], row[2]));
    impulse->angular = crm_madd(impulse->angular, multiplier, crm_vec3(row[3], row[4], row[5]));
}

// The multipliers -w (c + J d), and what they add up to on every body.
static void find_impulses(crm_joint_projection *p, const crm_motion *motions, bool velocities) {
    for (int n = 0; n < p->node_count; n++) p->impulse[n] = crm_vec6_zero();
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        int a = node_of(p, joint->a.body), b = node_of(p, joint->b.body);
        weighted_row row[6];
        weigh_rows(p, joint, motions, velocities, row);
        for (int k = 0; k < joint->rows; k++) {
            double left = row[k].error;
            if (a >= 0) left += product(row[k].a, p->step + 6 * (ptrdiff_t)a);
            if (b >= 0) left += product(row[k].b, p->step + 6 * (ptrdiff_t)b);
            if (a >= 0) push(&p->impulse[a], -row[k].weight * left, row[k].a);
            if (b >= 0) push(&p->impulse[b], -row[k].weight * left, row[k].b);
        }
    }
}

static void solve(crm_joint_projection *p, const crm_motion *motions, bool velocities) {
    crm_block_factor_report report;
    fill(p, motions, velocities);
    crm_block_factor_compute(&p->factor, &p->matrix, &report);
    crm_block_factor_solve(&p->factor, 1, p->step, 6 * (ptrdiff_t)p->node_count, p->work);
    find_impulses(p, motions, velocities);
}

void crm_joint_projection_move(crm_joint_projection *p, crm_motion *motions) {
    solve(p, motions, false);
    for (int n = 0; n < p->node_count; n++) {
        const crm_body *body = &p->model->bodies.items[p->body[n]];
        crm_motion *m = &motions[p->body[n]];
        const crm_motion kick = {.q = m->q, .l = p->impulse[n].angular};
        carom_vec3 spin = crm_motion_spin(body, m), turn = crm_motion_spin(body, &kick);
        m->x = crm_madd(m->x, body->inverse_mass, p->impulse[n].linear);
        m->q = crm_quat_step(m->q, turn, 1.0);
        // Momenta turn with the body.
        m->l = crm_motion_angular_momentum(body, m->q, spin);
    }
}

void crm_joint_projection_slow(crm_joint_projection *p, crm_motion *motions) {
    solve(p, motions, true);
    for (int n = 0; n < p->node_count; n++) {
        crm_motion *m = &motions[p->body[n]];
        m->p = crm_add(m->p, p->impulse[n].linear);
        m->l = crm_add(m->l, p->impulse[n].angular);
    }
}
