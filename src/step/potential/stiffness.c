// SPDX-License-Identifier: MIT
// Which C a contact potential gets that is given none.
//
// While two bodies overlap they are an oscillator of their reduced mass m, and a contact lasts for half a period,
// pi sqrt(m/C): the stiffest C that a step resolves is m (pi / (steps h))^2, m being the mass at a corner. Two bodies
// that meet with the speed v and their weight sink in by d with C d^2 / 2 = m v^2 / 2 + m g d, so that an allowed d
// needs C >= m (v^2 + 2 g d) / d^2. v is what the first velocities and a fall of one onto the other lead to.
//
// All of it is about the two bodies alone: nothing that is elsewhere makes them softer. The step is the longest of the
// run: C stays what it is when steps vary, or energy would come from nowhere.
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "shape/shape.h"
#include "step/potential/overlap.h"

// Steps that a contact of two bodies lasts.
static const double steps_a_contact = 10.0;

// Of a body's mass, at a corner: 1/m + arm^2/J, and the square of the arm is three times J/m for a box.
static const double corner_share = 0.25;

static const double pi = 3.14159265358979323846;

static double depth_of(const carom_state *state, carom_vec3 down, int b) {
    return crm_dot(down, state->motions[b].x);
}

// How far below the origin, along gravity, the plane of a half-space is at its steepest; bodies fall onto it from all
// sides of its normal.
static double floor_depth(const carom_state *state, carom_vec3 down, int b) {
    const crm_body *body = &state->model->bodies.items[b];
    const carom_shape *shape = state->model->shapes.items[body->def.shape.index].shape;
    if (shape->kind != CAROM_SHAPE_HALF_SPACE) return depth_of(state, down, b);
    carom_body_state own = crm_motion_to_body_state(body, &state->motions[b]);
    carom_vec3 n = crm_quat_rotate(own.attitude, shape->normal);
    double slope = -crm_dot(n, down), height = crm_dot(n, own.position) + shape->offset;
    return slope > 0.1 ? -height / slope : -INFINITY; // a wall stops no fall
}

// The length that a contact is resolved by, s.
static double resolved_step(const carom_state *state) {
    const carom_potential_def *def = &state->method.potential;
    return state->plan.longest / (def->contact_tolerance > 0.0 ? 1 : def->contact_substeps);
}

double crm_body_stiffness(const carom_state *state, int body) {
    double given = state->method.potential.stiffness, rate = pi / (steps_a_contact * resolved_step(state));
    return given > 0.0 ? given : corner_share * state->model->bodies.items[body].mass * rate * rate;
}

double crm_stiffness_of_masses(const carom_state *state, double inverse_a, double inverse_b) {
    double given = state->method.potential.stiffness, rate = pi / (steps_a_contact * resolved_step(state));
    return given > 0.0 ? given : corner_share * rate * rate / (inverse_a + inverse_b);
}

double crm_pair_stiffness(const carom_state *state, int a, int b) {
    const crm_body *bodies = state->model->bodies.items;
    return crm_stiffness_of_masses(state, bodies[a].inverse_mass, bodies[b].inverse_mass);
}

// ---- whether that is stiff enough

static const carom_shape *shape_of(const carom_model *model, int body) {
    int shape = model->bodies.items[body].def.shape.index;
    return shape >= 0 ? model->shapes.items[shape].shape : NULL;
}

// Of any point of the body, m/s.
static double speed_of(const carom_state *state, int b) {
    const crm_body *body = &state->model->bodies.items[b];
    const crm_motion *m = &state->motions[b];
    if (body->kind == CAROM_BODY_FIXED) return 0.0;
    double radius = shape_of(state->model, b)->bounding_radius;
    return crm_length(crm_motion_velocity(body, m)) + radius * crm_length(crm_motion_spin(body, m));
}

// Along gravity from the higher of two bodies to the lower one, m.
static double fall_between(const carom_state *state, carom_vec3 down, int a, int b) {
    double of_a = crm_body_moves(state->model, a) ? depth_of(state, down, a) : floor_depth(state, down, a);
    double of_b = crm_body_moves(state->model, b) ? depth_of(state, down, b) : floor_depth(state, down, b);
    if (!crm_body_moves(state->model, a)) return fmax(0.0, of_a - of_b);
    return crm_body_moves(state->model, b) ? fabs(of_a - of_b) : fmax(0.0, of_b - of_a);
}

typedef struct soft_pair {
    double short_of; // what C would have to be over what it is
    double stiffness, allowed;
} soft_pair;

static soft_pair look_at(const carom_state *state, carom_vec3 down, int a, int b) {
    double g = crm_length(state->model->gravity), size = INFINITY;
    if (crm_body_moves(state->model, a)) size = 2.0 * shape_of(state->model, a)->bounding_radius;
    if (crm_body_moves(state->model, b)) size = fmin(size, 2.0 * shape_of(state->model, b)->bounding_radius);
    soft_pair pair = {.stiffness = crm_pair_stiffness(state, a, b), .allowed = state->method.potential.overlap * size};
    const crm_body *bodies = state->model->bodies.items;
    double mass = 1.0 / (bodies[a].inverse_mass + bodies[b].inverse_mass);
    double speed = speed_of(state, a) + speed_of(state, b), fall = fall_between(state, down, a, b);
    double needed = mass * (speed * speed + 2.0 * g * (fall + pair.allowed)) / (pair.allowed * pair.allowed);
    pair.short_of = needed / pair.stiffness;
    return pair;
}

carom_status crm_stiffness_check(const carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    double h = state->plan.longest, g = crm_length(model->gravity);
    carom_vec3 down = crm_scale(g > 0.0 ? 1.0 / g : 0.0, model->gravity);
    soft_pair worst = {0};
    for (int a = 0; a < model->bodies.count && state->method.potential.stiffness == 0.0; a++) {
        if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
        for (int b = a + 1; b < model->bodies.count && shape_of(model, a) != NULL; b++) {
            if (shape_of(model, b) == NULL || !carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b}))
                continue;
            soft_pair pair = look_at(state, down, a, b);
            if (pair.short_of > worst.short_of) worst = pair;
        }
    }
    if (worst.short_of <= 1.0) return CAROM_OK;
    return crm_refuse(
        error,
        "a contact potential of %.3g N/m, the stiffest that steps of %g s resolve, lets bodies sink in by "
        "more than the %.2g m allowed: make method.step smaller than %.2g s, allow more by "
        "method.potential.overlap, or give method.potential.stiffness",
        worst.stiffness, h, worst.allowed, h / sqrt(worst.short_of));
}
