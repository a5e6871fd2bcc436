// SPDX-License-Identifier: MIT
// Gauss-Newton in the metric of the masses: the displacement d of all bodies that makes d^T M d small among those with
// J d = -c. With a large weight w_k on every row in place of the equation, d solves the sparse positive-definite system
//     (M + J^T W J) d = -J^T W c
// on the graph of the bodies, whatever loops there are and however redundant they are. The error that the finite weight
// leaves is taken up by the next iteration. Velocities are projected by the same matrix with J t in place of c.
#include "model/assemble.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "math/block_factor.h"
#include "math/so3.h"
#include "model/body_graph.h"
#include "model/evaluate.h"
#include "model/joint_rank.h"

// Share of the system's size, or rad, up to which joints are closed without asking: typed numbers, not mistakes.
static const double most_apart = 1e-3;
// Below this share a joint is closed: a few thousand roundings.
static const double closed = 1e-12;
// Joints that end further apart than this share cannot be closed together.
static const double closed_at_last = 1e-10;
// Weight of a row against its own inertia: an iteration leaves about its inverse of the error.
static const double row_weight = 1e8;
enum { MOST_ITERATIONS = 30 };

// ---- how far apart

static carom_vec3 side_origin(const crm_joint_side *side, const crm_motion *motions) {
    return crm_point_place((crm_point){side->body, side->at}, motions);
}

double crm_joints_size(const carom_model *model, const crm_motion *motions) {
    carom_vec3 low = crm_vec3(INFINITY, INFINITY, INFINITY), high = crm_negate(low);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint_side *side[2] = {&model->joints.items[j].a, &model->joints.items[j].b};
        for (int s = 0; s < 2; s++) {
            carom_vec3 origin = side_origin(side[s], motions);
            carom_vec3 centre = side[s]->body >= 0 ? motions[side[s]->body].x : origin;
            low = crm_vec3_min(low, crm_vec3_min(origin, centre));
            high = crm_vec3_max(high, crm_vec3_max(origin, centre));
        }
    }
    double size = model->joints.count > 0 ? crm_length(crm_sub(high, low)) : 0.0;
    return size > 0.0 ? size : 1.0;
}

crm_worst_joint crm_joints_worst(const carom_model *model, const crm_motion *motions, double size) {
    crm_worst_joint worst = {.joint = -1, .share = -1.0};
    for (int j = 0; j < model->joints.count; j++) {
        crm_joint_place place = crm_joint_place_of(&model->joints.items[j], motions);
        double linear, angular;
        crm_joint_drift(&model->joints.items[j], &place, &linear, &angular);
        double share = fmax(linear / size, angular);
        if (share > worst.share) worst = (crm_worst_joint){j, linear, angular, share};
    }
    return worst;
}

// Coordinates far from the origin are rounded to this share of the size.
static double rounding_share(const carom_model *model, const crm_motion *motions, double size) {
    double reach = 0.0;
    for (int j = 0; j < model->joints.count; j++)
        reach = fmax(reach, crm_length(side_origin(&model->joints.items[j].a, motions)));
    return 4.0 * DBL_EPSILON * reach / size;
}

// Largest velocity in a blocked direction, and the largest velocity that it is made of (rows of one unit each).
static void velocity_gap(const carom_model *model, const crm_motion *motions, double *gap, double *scale) {
    *gap = *scale = 0.0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        crm_joint_place place = crm_joint_place_of(joint, motions);
        crm_joint_twists t = crm_joint_twists_of(model, joint, motions);
        double residual[6];
        crm_joint_row row[6];
        crm_joint_rows(joint, &place, residual, row);
        for (int k = 0; k < joint->rows; k++) *gap = fmax(*gap, fabs(crm_joint_row_rate(&row[k], &t)));
        *scale = fmax(*scale, crm_length(t.a.linear) + crm_length(t.a.angular) * (1.0 + crm_length(place.arm_a)));
        *scale = fmax(*scale, crm_length(t.b.linear) + crm_length(t.b.angular) * (1.0 + crm_length(place.arm_b)));
    }
}

// ---- the system

typedef struct projection {
    const carom_model *model;
    crm_arena arena;
    int node_count;
    int *node; // of a body, -1 for those that cannot move (body_count)
    int *body; // of a node
    int *edge; // of a joint, -1 when only one of its bodies has a node (joint_count)
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *step; // right-hand side, then the solution (6 node_count)
    double *work;
} projection;

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory to assemble %d joints", model->joints.count);
}

static int node_of(const projection *p, int body) {
    return body < 0 ? -1 : p->node[body];
}

static carom_status prepare(projection *p, carom_error *error) {
    const carom_model *model = p->model;
    int bodies = model->bodies.count, joints = model->joints.count;
    p->node = CRM_ARENA_ARRAY(&p->arena, int, bodies);
    p->body = CRM_ARENA_ARRAY(&p->arena, int, bodies);
    p->edge = CRM_ARENA_ARRAY(&p->arena, int, joints);
    crm_block_edge *ends = CRM_ARENA_ARRAY(&p->arena, crm_block_edge, joints);
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
    carom_status status = crm_body_graph_join(joints, ends, p->node_count, &p->arena, &graph, p->edge, error);
    if (status != CAROM_OK) return status;
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    status = crm_block_analyse(&graph, NULL, &p->arena, &scratch, &p->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, true, &p->arena, &p->matrix, error);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&p->symbolic, CRM_BLOCK_CHOLESKY, &p->arena, &p->factor, error);
    if (status != CAROM_OK) return status;
    p->step = CRM_ARENA_ARRAY(&p->arena, double, 6 * (ptrdiff_t)p->node_count);
    p->work = CRM_ARENA_ARRAY(&p->arena, double, crm_block_factor_solve_scratch(&p->factor));
    return p->step != NULL && p->work != NULL ? CAROM_OK : no_memory(model, error);
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

static void add_masses(projection *p, const crm_motion *motions) {
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

// Matrix and right-hand side at these motions: `velocities` asks for J t in place of the residual.
static void fill(projection *p, const crm_motion *motions, bool velocities) {
    crm_block_matrix_clear(&p->matrix);
    memset(p->step, 0, 6 * (size_t)p->node_count * sizeof *p->step);
    add_masses(p, motions);
    for (int j = 0; j < p->model->joints.count; j++) {
        const crm_joint *joint = &p->model->joints.items[j];
        crm_joint_place place = crm_joint_place_of(joint, motions);
        crm_joint_twists t = crm_joint_twists_of(p->model, joint, motions);
        double residual[6];
        crm_joint_row row[6];
        crm_joint_rows(joint, &place, residual, row);
        int a = node_of(p, joint->a.body), b = node_of(p, joint->b.body);
        for (int k = 0; k < joint->rows; k++) {
            double row_a[6] = {0.0}, row_b[6] = {0.0};
            double mobility = felt_row(p->model, joint->a.body, motions, row[k].a, row_a) +
                              felt_row(p->model, joint->b.body, motions, row[k].b, row_b);
            if (mobility == 0.0) continue; // blocked by the bodies' kinds
            double weight = row_weight / mobility;
            double error = velocities ? crm_joint_row_rate(&row[k], &t) : residual[k];
            if (a >= 0) add_outer(p->matrix.diagonal + p->matrix.node_block[a], weight, row_a, row_a);
            if (b >= 0) add_outer(p->matrix.diagonal + p->matrix.node_block[b], weight, row_b, row_b);
            if (a >= 0 && b >= 0)
                add_outer(p->matrix.edges + p->matrix.edge_block[p->edge[j]], weight, a > b ? row_a : row_b,
                          a > b ? row_b : row_a);
            for (int i = 0; i < 6 && a >= 0; i++) p->step[6 * a + i] -= weight * error * row_a[i];
            for (int i = 0; i < 6 && b >= 0; i++) p->step[6 * b + i] -= weight * error * row_b[i];
        }
    }
}

static void solve(projection *p, const crm_motion *motions, bool velocities) {
    crm_block_factor_report report;
    fill(p, motions, velocities);
    crm_block_factor_compute(&p->factor, &p->matrix, &report);
    crm_block_factor_solve(&p->factor, 1, p->step, 6 * (ptrdiff_t)p->node_count, p->work);
}

static crm_vec6 step_of(const projection *p, int node) {
    const double *s = p->step + 6 * (ptrdiff_t)node;
    crm_vec6 step = crm_vec6_of(crm_vec3(s[0], s[1], s[2]), crm_vec3(s[3], s[4], s[5]));
    return crm_wrench_felt(p->model->bodies.items[p->body[node]].kind, step);
}

// Poses move, velocities stay: momenta turn with the body.
static void move_bodies(const projection *p, crm_motion *motions) {
    for (int n = 0; n < p->node_count; n++) {
        const crm_body *body = &p->model->bodies.items[p->body[n]];
        crm_motion *m = &motions[p->body[n]];
        crm_vec6 step = step_of(p, n);
        carom_vec3 spin = crm_motion_spin(body, m);
        m->x = crm_add(m->x, step.linear);
        m->q = crm_quat_normalised(crm_quat_mul(crm_so3_exp(step.angular), m->q));
        m->l = crm_motion_angular_momentum(body, m->q, spin);
    }
}

static void change_velocities(const projection *p, crm_motion *motions) {
    for (int n = 0; n < p->node_count; n++) {
        const crm_body *body = &p->model->bodies.items[p->body[n]];
        crm_motion *m = &motions[p->body[n]];
        crm_vec6 step = step_of(p, n);
        m->p = crm_madd(m->p, body->mass, step.linear);
        m->l = crm_add(m->l, crm_motion_angular_momentum(body, m->q, step.angular));
    }
}

// ---- assembly

static carom_status refuse(const carom_model *model, const crm_worst_joint *worst, double size, bool tried,
                           carom_error *error) {
    char joint[CRM_BODY_TEXT];
    crm_joint_text(model, worst->joint, joint);
    if (tried)
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "%s cannot be closed together with the others: %.3g m and %.3g rad are left; look for loops "
                        "that do not fit",
                        joint, worst->linear, worst->angular);
    bool linear = worst->linear / size > most_apart;
    return crm_fail(error, CAROM_ERR_BAD_INPUT,
                    "%s is %.3g %s apart at the start, more than the %.3g %s that are closed without asking; move its "
                    "bodies or its %s",
                    joint, linear ? worst->linear : worst->angular, linear ? "m" : "rad",
                    linear ? most_apart * size : most_apart, linear ? "m" : "rad", linear ? "points" : "attitudes");
}

static carom_status close_poses(projection *p, crm_motion *motions, double size, double enough, carom_assembly *report,
                                carom_error *error) {
    crm_worst_joint worst = crm_joints_worst(p->model, motions, size);
    double before = INFINITY;
    // While it gets better: in the end only roundings are left.
    while (worst.share > enough && worst.share < 0.5 * before && report->iterations < MOST_ITERATIONS) {
        before = worst.share;
        solve(p, motions, false);
        move_bodies(p, motions);
        report->iterations++;
        worst = crm_joints_worst(p->model, motions, size);
    }
    return worst.share <= fmax(closed_at_last, enough) ? CAROM_OK : refuse(p->model, &worst, size, true, error);
}

static void close_velocities(projection *p, crm_motion *motions) {
    double gap, scale, before = INFINITY;
    velocity_gap(p->model, motions, &gap, &scale);
    for (int i = 0; gap > closed * scale && gap < 0.5 * before && i < MOST_ITERATIONS; i++) {
        before = gap;
        solve(p, motions, true);
        change_velocities(p, motions);
        velocity_gap(p->model, motions, &gap, &scale);
    }
}

static void measure(const carom_model *model, const crm_motion *before, const crm_motion *after,
                    carom_assembly *report) {
    for (int b = 0; b < model->bodies.count; b++) {
        report->moved = fmax(report->moved, crm_distance(before[b].x, after[b].x));
        report->turned = fmax(report->turned, crm_quat_angle(before[b].q, after[b].q));
    }
}

static void write_text(const carom_model *model, const crm_worst_joint *worst, bool moved, bool slowed,
                       carom_assembly *report) {
    char joint[CRM_BODY_TEXT];
    int used = 0;
    if (moved)
        used = snprintf(report->text, sizeof report->text,
                        "joints were up to %.3g m and %.3g rad apart (%s): bodies were moved by up to %.3g m and %.3g "
                        "rad to close them",
                        report->linear_gap, report->angular_gap, crm_joint_text(model, worst->joint, joint),
                        report->moved, report->turned);
    if (slowed && used < (int)sizeof report->text)
        snprintf(report->text + used, sizeof report->text - (size_t)used,
                 "%svelocities of up to %.3g m/s or rad/s that joints block were taken away", moved ? "; " : "",
                 report->velocity_gap);
}

static void measure_gaps(const carom_model *model, const crm_motion *motions, carom_assembly *report) {
    for (int j = 0; j < model->joints.count; j++) {
        crm_joint_place place = crm_joint_place_of(&model->joints.items[j], motions);
        double linear, angular;
        crm_joint_drift(&model->joints.items[j], &place, &linear, &angular);
        report->linear_gap = fmax(report->linear_gap, linear);
        report->angular_gap = fmax(report->angular_gap, angular);
    }
}

static carom_status project(const carom_model *model, crm_motion *motions, double size, double enough, bool apart,
                            carom_assembly *report, carom_error *error) {
    projection p = {.model = model};
    crm_arena_init(&p.arena, &model->allocator);
    size_t bytes = (size_t)model->bodies.count * sizeof *motions;
    crm_motion *before = CRM_ARENA_ARRAY(&p.arena, crm_motion, model->bodies.count);
    carom_status status = before != NULL ? prepare(&p, error) : no_memory(model, error);
    if (status == CAROM_OK) {
        memcpy(before, motions, bytes);
        if (apart) status = close_poses(&p, motions, size, enough, report, error);
        if (status == CAROM_OK) {
            close_velocities(&p, motions);
            measure(model, before, motions, report);
        } else {
            memcpy(motions, before, bytes);
        }
    }
    crm_arena_free(&p.arena);
    return status;
}

carom_status crm_assemble(const carom_model *model, crm_motion *motions, carom_assembly *report, carom_error *error) {
    *report = (carom_assembly){0};
    if (model->joints.count == 0) return CAROM_OK;
    double size = crm_joints_size(model, motions), scale;
    double enough = closed + rounding_share(model, motions, size);
    crm_worst_joint worst = crm_joints_worst(model, motions, size);
    if (!(worst.share <= most_apart)) return refuse(model, &worst, size, false, error);
    measure_gaps(model, motions, report);
    velocity_gap(model, motions, &report->velocity_gap, &scale);
    bool apart = worst.share > enough, moving = report->velocity_gap > closed * scale;
    if (apart || moving) {
        carom_status status = project(model, motions, size, enough, apart, report, error);
        if (status != CAROM_OK) return status;
        write_text(model, &worst, apart, moving, report);
    }
    return crm_joint_redundant_rows(model, motions, size, &report->redundant_rows, error);
}
