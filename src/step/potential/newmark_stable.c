// SPDX-License-Identifier: MIT
// How long steps may be for the springs of a model: members with beta < gamma/2 follow swings of the rate w below
// h w = 1 / sqrt(gamma/2 - beta) only. The fastest rate is the root of the largest eigenvalue of M^-1 K, of what joints
// leave free, by the power method. Charges and callbacks change theirs on the way: of these the findings of a run tell
// (certify/rates.h).
#include <math.h>

#include "base/fail.h"
#include "base/random.h"
#include "model/force/evaluate.h"
#include "model/force/pair_potential.h"
#include "step/potential/newmark.h"

// Products of the power method, and the relative change in one at which it has come to its end.
enum { MOST_PRODUCTS = 2000 };
static const double settled = 1e-9;

// Displacements and small rotations of all bodies, and the forces and moments that springs answer with.
typedef struct swings {
    const carom_state *state;
    crm_vec6 *move, *force;           // (body_count)
    crm_motion *moved;                // with the forces for momenta (body_count)
    crm_joint_projection *projection; // NULL without joints
} swings;

static carom_vec3 arm_of(const swings *s, crm_point point) {
    return crm_quat_rotate(s->state->motions[point.body].q, point.at);
}

static carom_vec3 point_move(const swings *s, crm_point point) {
    if (!crm_body_moves(s->state->model, point.body)) return crm_vec3_zero();
    const crm_vec6 *move = &s->move[point.body];
    return crm_add(move->linear, crm_cross(move->angular, arm_of(s, point)));
}

static void push(const swings *s, crm_point point, carom_vec3 force) {
    if (!crm_body_moves(s->state->model, point.body)) return;
    crm_vec6 *to = &s->force[point.body];
    *to = crm_vec6_add(*to, crm_vec6_of(force, crm_cross(arm_of(s, point), force)));
}

// k along the spring, and across what its pull adds; a push takes off there, and slows down.
static void add_spring(const swings *s, const crm_pair_potential *spring) {
    const crm_motion *motions = s->state->motions;
    carom_vec3 a = crm_point_position(spring->a, motions), b = crm_point_position(spring->b, motions), n;
    double distance = crm_normalise(crm_sub(a, b), &n);
    double pull = spring->strength * (distance - spring->rest_length);
    double across = spring->rest_length == 0.0 ? spring->strength : distance > 0.0 ? fmax(0.0, pull / distance) : 0.0;
    carom_vec3 moved = crm_sub(point_move(s, spring->a), point_move(s, spring->b));
    carom_vec3 force = crm_scale(across, moved);
    force = crm_madd(force, (spring->strength - across) * crm_dot(n, moved), n);
    push(s, spring->a, force);
    push(s, spring->b, crm_negate(force));
}

// Springs and position motors of a joint, by its coordinates.
static void add_joint(const swings *s, int index) {
    const carom_model *model = s->state->model;
    const crm_joint *joint = &model->joints.items[index];
    crm_joint_pose pose = crm_joint_evaluate(joint, s->state->motions);
    crm_joint_row row[6];
    crm_joint_value_rows(joint, &pose, row);
    for (int k = 0; k < joint->free; k++) {
        carom_motor_def motor = crm_joint_motor(model, index, k, NULL);
        double stiffness = joint->def.coordinate[k].stiffness;
        if (motor.kind == CAROM_MOTOR_POSITION) stiffness += motor.stiffness;
        const int body[2] = {joint->a.body, joint->b.body};
        const crm_vec6 *along[2] = {&row[k].a, &row[k].b};
        double moved = 0.0;
        for (int e = 0; e < 2; e++) moved += body[e] >= 0 ? crm_vec6_dot(*along[e], s->move[body[e]]) : 0.0;
        for (int e = 0; e < 2; e++)
            if (body[e] >= 0) s->force[body[e]] = crm_vec6_madd(s->force[body[e]], stiffness * moved, *along[e]);
    }
}

// move = M^-1 K move, as far as joints let it, made 1 in the norm of the masses again; returns by how much it had
// grown.
static double multiply(const swings *s) {
    const carom_model *model = s->state->model;
    double square = 0.0;
    for (int b = 0; b < model->bodies.count; b++) s->force[b] = crm_vec6_zero();
    for (int i = 0; i < model->pair_potentials.count; i++)
        if (model->pair_potentials.items[i].kind == CRM_PAIR_POTENTIAL_SPRING)
            add_spring(s, &model->pair_potentials.items[i]);
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].driven) add_joint(s, j);
    for (int b = 0; b < model->bodies.count; b++) {
        crm_vec6 force = crm_wrench_projected(model->bodies.items[b].kind, s->force[b]);
        s->moved[b] = s->state->motions[b];
        s->moved[b].p = force.linear;
        s->moved[b].l = force.angular;
    }
    if (s->projection != NULL) crm_joint_projection_slow(s->projection, s->moved);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *m = &s->moved[b];
        s->move[b] = crm_vec6_of(crm_motion_velocity(body, m), crm_motion_spin(body, m));
        square += crm_vec6_dot(s->move[b], crm_vec6_of(m->p, m->l));
    }
    double norm = sqrt(square);
    for (int b = 0; b < model->bodies.count && norm > 0.0; b++) s->move[b] = crm_vec6_scale(1.0 / norm, s->move[b]);
    return norm;
}

static double largest_square(const swings *s) {
    crm_random random = {.seed = 1};
    for (int b = 0; b < s->state->model->bodies.count; b++)
        s->move[b] = crm_vec6_of(crm_random_direction(&random), crm_random_direction(&random));
    double last = 0.0;
    (void)multiply(s);
    for (int i = 0; i < MOST_PRODUCTS && !crm_state_interrupted(s->state); i++) {
        double now = multiply(s);
        if (fabs(now - last) <= settled * now) return now;
        last = now;
    }
    return last;
}

double crm_newmark_stable_rate(const carom_potential_def *def) {
    double lacking = 0.5 * def->gamma - def->beta;
    return lacking > 0.0 ? 1.0 / sqrt(lacking) : INFINITY;
}

static bool has_springs(const carom_model *model) {
    if (model->springs.count > 0) return true;
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].driven) return true;
    return false;
}

carom_status crm_newmark_stable_step(const carom_state *state, crm_newmark_joints *joints, double *step,
                                     carom_error *error) {
    const carom_model *model = state->model;
    int bodies = model->bodies.count;
    *step = INFINITY;
    if (isinf(crm_newmark_stable_rate(&state->method.potential)) || !has_springs(model)) return CAROM_OK;
    crm_arena arena;
    crm_arena_init(&arena, &model->allocator);
    swings s = {state, CRM_ARENA_ZEROED(&arena, crm_vec6, bodies), CRM_ARENA_ZEROED(&arena, crm_vec6, bodies),
                CRM_ARENA_ZEROED(&arena, crm_motion, bodies),
                crm_newmark_has_joints(joints) ? &joints->projection : NULL};
    bool refused = crm_arena_refused(&arena);
    double square = refused ? 0.0 : largest_square(&s);
    crm_arena_free(&arena);
    if (refused) return crm_fail_memory(error, "newmark", 2 * sizeof(crm_vec6) * (size_t)bodies);
    if (square > 0.0) *step = crm_newmark_stable_rate(&state->method.potential) / sqrt(square);
    return CAROM_OK;
}
