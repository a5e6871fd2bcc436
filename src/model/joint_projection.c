// SPDX-License-Identifier: MIT
// Gauss-Newton in the metric of the masses: the displacement d of all bodies that makes d^T M d smallest among those
// with J d = -c, from
//     [ M  J^T ] [ d ]   [  0 ]
//     [ J   0  ] [ m ] = [ -c ]
// Links are eliminated from the leaves to the roots, each body before the joint that it hangs on, so that every pivot
// block is definite and a tree makes no fill (Baraff 1996); closing joints come last, and of these the redundant rows
// have no pivot and are left out. From the multipliers, and not from d itself, come the displacements -M^-1 J^T m: they
// are impulses between bodies whatever the rounding, so that momenta and centres of mass are kept. Velocities go the
// same way with J t in place of c.
#include "model/joint_projection.h"

#include <string.h>

#include "base/fail.h"
#include "model/evaluate.h"

// A row of which the bodies' kinds leave less than this share is blocked by them: what is left is rounding.
static const double felt_share = 1e-9;

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the projection on %d joints", model->joints.count);
}

// ---- the pattern

static int node_of(const crm_joint_projection *p, int body) {
    return body < 0 ? -1 : p->node[body];
}

static void number_bodies(crm_joint_projection *p) {
    const carom_model *model = p->model;
    for (int b = 0; b < model->bodies.count; b++) p->node[b] = -1;
    for (int j = 0; j < model->joints.count; j++) {
        const int side[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        for (int s = 0; s < 2; s++) {
            if (side[s] < 0 || model->bodies.items[side[s]].kind == CAROM_BODY_FIXED || p->node[side[s]] >= 0) continue;
            p->body[p->body_count] = side[s];
            p->node[side[s]] = p->body_count++;
        }
    }
}

// Nodes of joints after those of bodies, and an edge from a joint to each of its bodies.
static void fill_graph(crm_joint_projection *p, crm_block_graph *graph, int *size, crm_block_edge *edge) {
    graph->node_count = p->body_count;
    for (int n = 0; n < p->body_count; n++) size[n] = 6;
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        p->joint_node[j] = p->edge[j][0] = p->edge[j][1] = -1;
        if (joint->rows == 0) continue;
        p->joint_node[j] = graph->node_count++;
        size[p->joint_node[j]] = joint->rows;
        const int node[2] = {node_of(p, joint->a.body), node_of(p, joint->b.body)};
        for (int s = 0; s < 2; s++) {
            if (node[s] < 0) continue;
            p->edge[j][s] = graph->edge_count;
            edge[graph->edge_count++] = (crm_block_edge){p->joint_node[j], node[s]};
        }
    }
    graph->node_size = size;
    graph->edge = edge;
}

static void fill_order(const crm_joint_projection *p, int *order) {
    const crm_joint_graph *trees = &p->model->graph;
    int count = 0;
    for (int l = trees->link_count - 1; l >= 0; l--) {
        const crm_tree_link *link = &trees->link[l];
        if (p->node[link->body] >= 0) order[count++] = p->node[link->body];
        if (link->joint >= 0) order[count++] = p->joint_node[link->joint];
    }
    for (int i = 0; i < trees->closing_count; i++) order[count++] = p->joint_node[trees->closing[i]];
}

static carom_status analyse(crm_joint_projection *p, crm_arena *arena, crm_arena *scratch, carom_error *error) {
    ptrdiff_t bodies = p->model->bodies.count, joints = p->model->joints.count;
    int *size = CRM_ARENA_ARRAY(arena, int, bodies + joints), *order = CRM_ARENA_ARRAY(arena, int, bodies + joints);
    crm_block_edge *edge = CRM_ARENA_ARRAY(arena, crm_block_edge, 2 * joints);
    if (size == NULL || order == NULL || edge == NULL) return no_memory(p->model, error);
    crm_block_graph graph = {0};
    number_bodies(p);
    fill_graph(p, &graph, size, edge);
    fill_order(p, order);
    carom_status status = crm_block_analyse(&graph, order, arena, scratch, &p->symbolic, error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, true, arena, &p->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&p->symbolic, CRM_BLOCK_LDLT, arena, &p->factor, error);
    // No pivot of a tree is a doubtful one, however large the estimate of its error along a chain of many thousand.
    if (status == CAROM_OK && p->model->graph.closing_count == 0) p->factor.certainty = 0.0;
    return status;
}

carom_status crm_joint_projection_create(const carom_model *model, crm_arena *arena, crm_joint_projection *p,
                                         carom_error *error) {
    *p = (crm_joint_projection){.model = model};
    p->node = CRM_ARENA_ARRAY(arena, int, model->bodies.count);
    p->body = CRM_ARENA_ARRAY(arena, int, model->bodies.count);
    p->joint_node = CRM_ARENA_ARRAY(arena, int, model->joints.count);
    p->edge = crm_arena_take_array(arena, model->joints.count, sizeof *p->edge);
    if (p->node == NULL || p->body == NULL || p->joint_node == NULL || p->edge == NULL) return no_memory(model, error);
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    carom_status status = analyse(p, arena, &scratch, error);
    crm_arena_free(&scratch);
    if (status != CAROM_OK) return status;
    p->unknown = CRM_ARENA_ARRAY(arena, double, p->matrix.scalar_count);
    p->impulse = CRM_ARENA_ARRAY(arena, crm_vec6, p->body_count);
    p->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&p->factor));
    return p->unknown != NULL && p->impulse != NULL && p->work != NULL ? CAROM_OK : no_memory(model, error);
}

// ---- the numbers

static carom_mat3 world_inertia(const crm_body *body, const crm_motion *m) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->inertia.z));
    return crm_congruence_diagonal(crm_quat_to_mat3(m->q), body->inertia);
}

// What a body's kind cannot do gets a mass of 1, which no row touches.
static void add_masses(crm_joint_projection *p, const crm_motion *motions) {
    for (int n = 0; n < p->body_count; n++) {
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

// A row without what the body's kind cannot do.
static crm_vec6 felt_row(const crm_joint_projection *p, int body, crm_vec6 row) {
    return body < 0 ? crm_vec6_zero() : crm_wrench_felt(p->model->bodies.items[body].kind, row);
}

static double row_size(crm_vec6 row) {
    return crm_length(row.linear) + crm_length(row.angular);
}

// Row k of an edge's block.
static void add_row(crm_joint_projection *p, int edge, int rows, int k, crm_vec6 felt) {
    if (edge < 0) return;
    double *block = p->matrix.edges + p->matrix.edge_block[edge];
    for (int i = 0; i < 3; i++) {
        block[k + rows * i] = crm_component(felt.linear, i);
        block[k + rows * (3 + i)] = crm_component(felt.angular, i);
    }
}

// Matrix and right-hand side: of the residuals, or of the velocities in blocked directions.
static void fill(crm_joint_projection *p, const crm_motion *motions, bool velocities) {
    crm_block_matrix_clear(&p->matrix);
    memset(p->unknown, 0, (size_t)p->matrix.scalar_count * sizeof *p->unknown);
    add_masses(p, motions);
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        if (p->joint_node[j] < 0) continue;
        crm_joint_place place = crm_joint_place_of(joint, motions);
        crm_joint_twists t = crm_joint_twists_of(p->model, joint, motions);
        double residual[6], *right = p->unknown + p->matrix.node_start[p->joint_node[j]];
        crm_joint_row row[6];
        crm_joint_rows(joint, &place, residual, row);
        for (int k = 0; k < joint->rows; k++) {
            crm_vec6 a = felt_row(p, joint->a.body, row[k].a), b = felt_row(p, joint->b.body, row[k].b);
            if (row_size(a) + row_size(b) <= felt_share * (row_size(row[k].a) + row_size(row[k].b))) continue;
            add_row(p, p->edge[j][0], joint->rows, k, a);
            add_row(p, p->edge[j][1], joint->rows, k, b);
            right[k] = velocities ? -crm_joint_row_rate(&row[k], &t) : -residual[k];
        }
    }
}

// -J^T m, from the blocks themselves.
static void push(crm_vec6 *impulse, const double *block, int rows, const double *multiplier) {
    double sum[6] = {0.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < rows; k++) sum[i] -= block[k + rows * i] * multiplier[k];
    impulse->linear = crm_add(impulse->linear, crm_vec3(sum[0], sum[1], sum[2]));
    impulse->angular = crm_add(impulse->angular, crm_vec3(sum[3], sum[4], sum[5]));
}

static void find_impulses(crm_joint_projection *p) {
    for (int n = 0; n < p->body_count; n++) p->impulse[n] = crm_vec6_zero();
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        const int body[2] = {joint->a.body, joint->b.body};
        for (int s = 0; s < 2; s++) {
            if (p->edge[j][s] < 0) continue;
            push(&p->impulse[p->node[body[s]]], p->matrix.edges + p->matrix.edge_block[p->edge[j][s]], joint->rows,
                 p->unknown + p->matrix.node_start[p->joint_node[j]]);
        }
    }
}

static void solve(crm_joint_projection *p, const crm_motion *motions, bool velocities) {
    crm_block_factor_report report;
    fill(p, motions, velocities);
    crm_block_factor_compute(&p->factor, &p->matrix, &report);
    crm_block_factor_solve(&p->factor, 1, p->unknown, p->matrix.scalar_count, p->work);
    find_impulses(p);
}

void crm_joint_projection_move(crm_joint_projection *p, crm_motion *motions) {
    solve(p, motions, false);
    for (int n = 0; n < p->body_count; n++) {
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
    for (int n = 0; n < p->body_count; n++) {
        crm_motion *m = &motions[p->body[n]];
        m->p = crm_add(m->p, p->impulse[n].linear);
        m->l = crm_add(m->l, p->impulse[n].angular);
    }
}
