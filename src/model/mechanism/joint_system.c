// SPDX-License-Identifier: MIT
#include "model/mechanism/joint_system.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"

// ---- making

// A row of which the bodies' kinds leave less than this share is blocked by them: what is left is rounding.
static const double projected_share = 1e-9;

static int node_size(carom_body_kind kind) {
    return kind == CAROM_BODY_FREE ? 6 : 3;
}

// Numbers the rows of all joints, with those of limits and motors behind what a joint blocks.
static void number_rows(const carom_model *model, crm_joint_system *s) {
    crm_limit_motor_row *limit_motor = s->limit_motor, *end = s->limit_motor + s->limit_motor_count;
    int row = 0;
    for (int j = 0; j < model->joints.count; j++) {
        s->first_row[j] = row;
        row += model->joints.items[j].rows;
        for (; limit_motor < end && limit_motor->joint == j; limit_motor++) limit_motor->row = row++;
    }
    s->first_row[model->joints.count] = row;
    s->row_count = row;
}

static int node_of_body(const carom_model *model, int body) {
    return body < 0 ? -1 : model->graph.link_of_body[body];
}

// The graph's arrays live as long as the matrix.
static bool build_graph(crm_joint_system *s, crm_arena *arena, crm_block_graph *graph) {
    const carom_model *model = s->model;
    int links = model->graph.link_count, joints = model->joints.count;
    int *size = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)links + joints);
    crm_block_edge *edge = CRM_ARENA_ARRAY(arena, crm_block_edge, 2 * (ptrdiff_t)joints);
    if (crm_arena_refused(arena)) return false;
    *graph = (crm_block_graph){.node_count = links, .node_size = size, .edge = edge};
    for (int i = 0; i < links; i++) size[i] = node_size(model->bodies.items[model->graph.link[i].body].kind);
    for (int j = 0; j < joints; j++) {
        int rows = s->first_row[j + 1] - s->first_row[j];
        const int end[2] = {node_of_body(model, model->joints.items[j].a.body),
                            node_of_body(model, model->joints.items[j].b.body)};
        s->node_of_joint[j] = rows > 0 ? graph->node_count : -1;
        if (rows > 0) size[graph->node_count++] = rows;
        for (int e = 0; e < 2; e++) {
            s->edge[j][e] = rows > 0 && end[e] >= 0 ? graph->edge_count : -1;
            if (s->edge[j][e] >= 0) edge[graph->edge_count++] = (crm_block_edge){s->node_of_joint[j], end[e]};
        }
    }
    return true;
}

// Leaves first: a body, then the joint to its parent; joints of no tree at last.
static void order_nodes(const crm_joint_system *s, int *order) {
    const carom_model *model = s->model;
    int count = 0;
    for (int i = model->graph.link_count - 1; i >= 0; i--) {
        int joint = model->graph.link[i].joint;
        order[count++] = i;
        if (joint >= 0 && s->node_of_joint[joint] >= 0) order[count++] = s->node_of_joint[joint];
    }
    for (int j = 0; j < model->joints.count; j++)
        if (!model->graph.in_tree[j] && s->node_of_joint[j] >= 0) order[count++] = s->node_of_joint[j];
}

// Whether no row can be redundant: trees, and never two rows for one coordinate. Then every pivot is kept, and the
// factorization need not look twice at those of long chains.
static bool has_full_rank(const crm_joint_system *s) {
    const carom_model *model = s->model;
    for (int j = 0; j < model->joints.count; j++)
        if (s->node_of_joint[j] >= 0 && !model->graph.in_tree[j]) return false;
    for (int i = 1; i < s->limit_motor_count; i++)
        if (s->limit_motor[i].joint == s->limit_motor[i - 1].joint &&
            s->limit_motor[i].coordinate == s->limit_motor[i - 1].coordinate)
            return false;
    return true;
}

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the equations of %d bodies and %d joints",
                    model->bodies.count, model->joints.count);
}

static carom_status analyse(crm_joint_system *s, crm_arena *arena, const crm_block_graph *graph, carom_error *error) {
    crm_arena scratch;
    crm_arena_init(&scratch, &s->model->allocator);
    int *order = CRM_ARENA_ARRAY(arena, int, graph->node_count);
    carom_status status = CAROM_OK;
    if (order != NULL) {
        order_nodes(s, order);
        status = crm_block_analyse(graph, order, arena, &scratch, &s->symbolic, error);
    } else {
        status = no_memory(s->model, error);
    }
    crm_arena_free(&scratch);
    return status;
}

carom_status crm_joint_system_create(const carom_model *model, crm_arena *arena, crm_joint_system *system,
                                     carom_error *error) {
    crm_joint_system *s = system;
    int joints = model->joints.count;
    *s = (crm_joint_system){.model = model};
    s->first_row = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)joints + 1);
    s->node_of_joint = CRM_ARENA_ARRAY(arena, int, joints);
    s->edge = crm_arena_take_array(arena, joints, sizeof *s->edge);
    s->limit_motor_count = crm_limit_motor_rows_list(model, NULL);
    s->limit_motor = CRM_ARENA_ARRAY(arena, crm_limit_motor_row, s->limit_motor_count);
    if (crm_arena_refused(arena)) return no_memory(model, error);
    crm_limit_motor_rows_list(model, s->limit_motor);
    number_rows(model, s);
    s->pose = CRM_ARENA_ARRAY(arena, crm_joint_pose, joints);
    s->row = CRM_ARENA_ARRAY(arena, crm_joint_row, s->row_count);
    s->residual = CRM_ARENA_ZEROED(arena, double, s->row_count);
    s->idle = CRM_ARENA_ZEROED(arena, bool, s->row_count);
    s->poses = CRM_ARENA_ZEROED(arena, crm_motion, model->bodies.count);
    crm_block_graph graph;
    if (crm_arena_refused(arena) || !build_graph(s, arena, &graph)) return no_memory(model, error);
    carom_status status = analyse(s, arena, &graph, error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, true, arena, &s->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&s->symbolic, CRM_BLOCK_LDLT, arena, &s->factor, error);
    if (status != CAROM_OK) return status;
    if (has_full_rank(s)) s->factor.certainty = 0.0;
    s->vector = CRM_ARENA_ARRAY(arena, double, s->matrix.scalar_count);
    s->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&s->factor));
    return crm_arena_refused(arena) ? no_memory(model, error) : CAROM_OK;
}

// ---- poses

static bool same_poses(const crm_joint_system *s, const crm_motion *motions) {
    if (!s->evaluated) return false;
    for (int b = 0; b < s->model->bodies.count; b++)
        if (memcmp(&s->poses[b].x, &motions[b].x, sizeof motions[b].x) != 0 ||
            memcmp(&s->poses[b].q, &motions[b].q, sizeof motions[b].q) != 0)
            return false;
    return true;
}

static double row_size(crm_vec6 row) {
    return crm_length(row.linear) + crm_length(row.angular);
}

static double projected_size(const crm_joint_system *s, int body, crm_vec6 row) {
    return body < 0 ? 0.0 : row_size(crm_wrench_projected(s->model->bodies.items[body].kind, row));
}

static void find_idle_rows(crm_joint_system *s) {
    for (int j = 0; j < s->model->joints.count; j++) {
        const crm_joint *joint = &s->model->joints.items[j];
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) {
            double projected =
                projected_size(s, joint->a.body, s->row[r].a) + projected_size(s, joint->b.body, s->row[r].b);
            double a = joint->a.body < 0 ? 0.0 : row_size(s->row[r].a);
            double b = joint->b.body < 0 ? 0.0 : row_size(s->row[r].b);
            s->idle[r] = projected <= projected_share * (a + b);
        }
    }
}

void crm_joint_system_evaluate(crm_joint_system *s, const crm_motion *motions, const crm_joint_config *configs) {
    if (same_poses(s, motions)) return;
    s->evaluated = true;
    s->factored = false;
    memcpy(s->poses, motions, (size_t)s->model->bodies.count * sizeof *motions);
    const crm_limit_motor_row *limit_motor = s->limit_motor, *end = s->limit_motor + s->limit_motor_count;
    for (int j = 0; j < s->model->joints.count; j++) {
        const crm_joint *joint = &s->model->joints.items[j];
        int first = s->first_row[j];
        s->pose[j] = crm_joint_evaluate(joint, motions);
        if (joint->rows > 0) crm_joint_rows(joint, &s->pose[j], s->residual + first, s->row + first);
        if (limit_motor == end || limit_motor->joint != j) continue;
        crm_joint_row value_row[6], rate_row[6];
        double value[6];
        crm_joint_config config = crm_joint_config_of(joint, &s->pose[j], &configs[j]);
        crm_joint_values(joint, &config, value);
        crm_joint_value_rows(joint, &s->pose[j], value_row);
        crm_joint_rate_rows(joint, &s->pose[j], rate_row);
        for (; limit_motor < end && limit_motor->joint == j; limit_motor++) {
            s->row[limit_motor->row] =
                limit_motor->is_motor ? rate_row[limit_motor->coordinate] : value_row[limit_motor->coordinate];
            s->residual[limit_motor->row] = limit_motor->is_motor ? 0.0 : value[limit_motor->coordinate];
        }
    }
    find_idle_rows(s);
}

void crm_joint_system_switch(crm_joint_system *s, int limit_motor, bool on) {
    if (s->limit_motor[limit_motor].on == on) return;
    s->limit_motor[limit_motor].on = on;
    s->factored = false;
}

void crm_joint_system_products(const crm_joint_system *s, const crm_motion *motions, double *product) {
    const crm_limit_motor_row *limit_motor = s->limit_motor, *end = s->limit_motor + s->limit_motor_count;
    for (int j = 0; j < s->model->joints.count; j++) {
        const crm_joint *joint = &s->model->joints.items[j];
        crm_joint_twists twists = crm_joint_twists_of(s->model, joint, motions);
        crm_joint_products(joint, &s->pose[j], &twists, product + s->first_row[j]);
        if (limit_motor == end || limit_motor->joint != j) continue;
        double value[6];
        crm_joint_value_products(joint, &s->pose[j], &twists, value);
        // Rates of three free angles are the relative spin in A's axes, which rotates with A.
        carom_vec3 spin = crm_mat3_apply_t(s->pose[j].axes, crm_cross(twists.b.angular, twists.a.angular));
        for (; limit_motor < end && limit_motor->joint == j; limit_motor++) {
            int k = limit_motor->coordinate, rotation = k - joint->linear->free;
            bool of_spin = limit_motor->is_motor && rotation >= 0 && joint->angular->free == 3;
            product[limit_motor->row] = of_spin ? crm_component(spin, rotation) : value[k];
        }
    }
}

// ---- solving

// Components 0 ... 5 that a node of this kind has.
static const int *components(carom_body_kind kind) {
    static const int all[6] = {0, 1, 2, 3, 4, 5}, planar[3] = {0, 1, 5};
    return kind == CAROM_BODY_PLANAR ? planar : all;
}

static double component(const crm_vec6 *v, int k) {
    return k < 3 ? crm_component(v->linear, k) : crm_component(v->angular, k - 3);
}

static void fill_body(const crm_joint_system *s, int link) {
    int b = s->model->graph.link[link].body;
    const crm_body *body = &s->model->bodies.items[b];
    double *block = s->matrix.diagonal + s->matrix.node_block[link];
    int size = node_size(body->kind);
    for (int k = 0; k < 3; k++) block[k * (size + 1)] = body->mass;
    if (body->kind == CAROM_BODY_PLANAR)
        block[8] = body->inertia.z + (s->stiffness != NULL ? s->stiffness[b].z.z : 0.0);
    if (body->kind != CAROM_BODY_FREE) return;
    carom_mat3 inertia = crm_congruence_diagonal(crm_quat_to_mat3(s->poses[b].q), body->inertia);
    if (s->stiffness != NULL) inertia = crm_mat3_add(inertia, s->stiffness[b]);
    const carom_vec3 column[3] = {inertia.x, inertia.y, inertia.z};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) block[6 * (3 + k) + 3 + i] = crm_component(column[k], i);
}

static void fill_edge(const crm_joint_system *s, int joint, int end) {
    int edge = s->edge[joint][end], rows = s->first_row[joint + 1] - s->first_row[joint];
    if (edge < 0) return;
    const crm_joint *of = &s->model->joints.items[joint];
    carom_body_kind kind = s->model->bodies.items[end == 0 ? of->a.body : of->b.body].kind;
    double *block = s->matrix.edges + s->matrix.edge_block[edge];
    for (int i = 0; i < rows; i++) {
        const crm_joint_row *row = &s->row[s->first_row[joint] + i];
        for (int k = 0; k < node_size(kind); k++)
            block[i + k * rows] = component(end == 0 ? &row->a : &row->b, components(kind)[k]);
    }
}

// Its lambda becomes 0, whatever its right-hand side, which is not read.
static void switch_off(const crm_joint_system *s, int joint, int row) {
    int node = s->node_of_joint[joint], rows = s->first_row[joint + 1] - s->first_row[joint];
    int i = row - s->first_row[joint];
    s->matrix.diagonal[s->matrix.node_block[node] + i * (rows + 1)] = -1.0;
    for (int e = 0; e < 2; e++) {
        if (s->edge[joint][e] < 0) continue;
        ptrdiff_t begin = s->matrix.edge_block[s->edge[joint][e]], end = s->matrix.edge_block[s->edge[joint][e] + 1];
        for (ptrdiff_t at = begin + i; at < end; at += rows) s->matrix.edges[at] = 0.0;
    }
}

static void factor(crm_joint_system *s) {
    if (s->factored) return;
    crm_block_matrix_clear(&s->matrix);
    for (int i = 0; i < s->model->graph.link_count; i++) fill_body(s, i);
    for (int j = 0; j < s->model->joints.count; j++)
        for (int end = 0; end < 2; end++) fill_edge(s, j, end);
    for (int i = 0; i < s->limit_motor_count; i++)
        if (!s->limit_motor[i].on) switch_off(s, s->limit_motor[i].joint, s->limit_motor[i].row);
    s->redundant = 0;
    for (int j = 0; j < s->model->joints.count; j++) {
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) {
            if (!s->idle[r]) continue;
            switch_off(s, j, r);
            s->redundant++;
        }
    }
    crm_block_factor_report report;
    crm_block_factor_compute(&s->factor, &s->matrix, &report);
    s->redundant += report.left_out;
    s->factored = true;
}

void crm_joint_system_solve(crm_joint_system *s, crm_vec6 *t, double *lambda) {
    const carom_model *model = s->model;
    factor(s);
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        carom_body_kind kind = model->bodies.items[b].kind;
        double *x = s->vector + s->matrix.node_start[i];
        for (int k = 0; k < node_size(kind); k++) x[k] = component(&t[b], components(kind)[k]);
    }
    for (int i = 0; i < s->limit_motor_count; i++)
        if (!s->limit_motor[i].on) lambda[s->limit_motor[i].row] = 0.0;
    for (int r = 0; r < s->row_count; r++)
        if (s->idle[r]) lambda[r] = 0.0;
    for (int j = 0; j < model->joints.count; j++) {
        if (s->node_of_joint[j] < 0) continue;
        size_t bytes = (size_t)(s->first_row[j + 1] - s->first_row[j]) * sizeof *lambda;
        memcpy(s->vector + s->matrix.node_start[s->node_of_joint[j]], lambda + s->first_row[j], bytes);
    }
    crm_block_factor_solve(&s->factor, 1, s->vector, s->matrix.scalar_count, s->work);
    for (int b = 0; b < model->bodies.count; b++) t[b] = crm_vec6_zero();
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        carom_body_kind kind = model->bodies.items[b].kind;
        const double *x = s->vector + s->matrix.node_start[i];
        double all[6] = {0.0};
        for (int k = 0; k < node_size(kind); k++) all[components(kind)[k]] = x[k];
        t[b] = crm_vec6_of(crm_vec3(all[0], all[1], all[2]), crm_vec3(all[3], all[4], all[5]));
    }
    for (int j = 0; j < model->joints.count; j++) {
        if (s->node_of_joint[j] < 0) continue;
        const double *x = s->vector + s->matrix.node_start[s->node_of_joint[j]];
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) lambda[r] = -x[r - s->first_row[j]];
    }
}

crm_joint_row crm_joint_system_wrenches(const crm_joint_system *s, int joint, const double *lambda) {
    crm_joint_row sum = {crm_vec6_zero(), crm_vec6_zero()};
    for (int r = s->first_row[joint]; r < s->first_row[joint + 1]; r++) {
        sum.a = crm_vec6_madd(sum.a, lambda[r], s->row[r].a);
        sum.b = crm_vec6_madd(sum.b, lambda[r], s->row[r].b);
    }
    return sum;
}

crm_vec6 crm_joint_system_reaction(const crm_joint_system *s, int joint, const double *lambda) {
    return crm_force_shift(crm_joint_system_wrenches(s, joint, lambda).b, s->pose[joint].arm_b);
}

void crm_joint_system_forces(const crm_joint_system *s, const double *lambda, crm_vec6 *force) {
    const carom_model *model = s->model;
    for (int b = 0; b < model->bodies.count; b++) force[b] = crm_vec6_zero();
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        crm_joint_row w = crm_joint_system_wrenches(s, j, lambda);
        if (joint->a.body >= 0) force[joint->a.body] = crm_vec6_add(force[joint->a.body], w.a);
        if (joint->b.body >= 0) force[joint->b.body] = crm_vec6_add(force[joint->b.body], w.b);
    }
    for (int b = 0; b < model->bodies.count; b++)
        force[b] = crm_wrench_projected(model->bodies.items[b].kind, force[b]);
}

void crm_joint_system_rates(const crm_joint_system *s, const crm_motion *motions, double *rate) {
    for (int j = 0; j < s->model->joints.count; j++) {
        crm_joint_twists twists = crm_joint_twists_of(s->model, &s->model->joints.items[j], motions);
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) rate[r] = crm_joint_row_rate(&s->row[r], &twists);
    }
}
