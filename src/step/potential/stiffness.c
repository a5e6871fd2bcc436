// SPDX-License-Identifier: MIT
// Which C a contact potential gets that is given none.
//
// While two bodies overlap they are an oscillator of their reduced mass m, and a contact lasts for half a period,
// pi sqrt(m/C): the stiffest C that a step resolves is m (pi / (steps h))^2 of the lightest pair, m being the mass
// at a corner. A body that arrives with the speed v and its weight sinks in by d with C d^2 / 2 = m v^2 / 2 + m g d, so
// that an allowed d needs C >= m (v^2 + 2 g d) / d^2 of the heaviest pair. v is what the first velocities and a fall
// through the whole scene lead to.
#include <math.h>

#include "base/fail.h"
#include "shape/shape.h"
#include "step/potential/overlap.h"

// Steps that a contact of two bodies lasts.
static const double steps_a_contact = 10.0;

// Of a body's mass, at a corner: 1/m + arm^2/J, and the square of the arm is three times J/m for a box.
static const double corner_share = 0.25;

static const double pi = 3.14159265358979323846;

// The largest and the second largest of some numbers.
typedef struct top_two {
    double first, second;
} top_two;

static void take(top_two *top, double value) {
    if (value > top->first)
        *top = (top_two){value, top->first};
    else
        top->second = fmax(top->second, value);
}

typedef struct scene_sizes {
    int moving;                    // bodies with shapes
    bool fixed;                    // there is one that does not move, too
    top_two mass, inverse;         // kg, 1/kg
    top_two speed;                 // of any point, m/s
    double size;                   // of the smallest, m
    double lowest, highest, floor; // along gravity, m: centres of bodies that move, and of what they can fall onto
} scene_sizes;

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

static scene_sizes measure(const carom_state *state, carom_vec3 down) {
    const carom_model *model = state->model;
    scene_sizes s = {.size = INFINITY, .lowest = -INFINITY, .highest = INFINITY, .floor = -INFINITY};
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->def.shape.index < 0) continue;
        double radius = model->shapes.items[body->def.shape.index].shape->bounding_radius;
        if (body->kind == CAROM_BODY_FIXED) {
            s.fixed = true;
            s.floor = fmax(s.floor, floor_depth(state, down, b));
            continue;
        }
        const crm_motion *m = &state->motions[b];
        s.moving++;
        take(&s.mass, body->mass);
        take(&s.inverse, body->inverse_mass);
        take(&s.speed, crm_length(crm_motion_velocity(body, m)) + radius * crm_length(crm_motion_spin(body, m)));
        s.size = fmin(s.size, 2.0 * radius);
        s.lowest = fmax(s.lowest, depth_of(state, down, b));
        s.highest = fmin(s.highest, depth_of(state, down, b));
    }
    return s;
}

carom_status crm_potential_stiffness(const carom_state *state, double *stiffness, carom_error *error) {
    const carom_potential_def *def = &state->method.potential;
    double h = state->method.step, g = crm_length(state->model->gravity);
    *stiffness = def->stiffness;
    if (def->stiffness > 0.0) return CAROM_OK;
    carom_vec3 down = crm_scale(g > 0.0 ? 1.0 / g : 0.0, state->model->gravity);
    scene_sizes s = measure(state, down);
    *stiffness = 1.0; // nobody touches anybody
    if (s.moving == 0 || (s.moving == 1 && !s.fixed)) return CAROM_OK;
    double lightest = 1.0 / (s.moving > 1 ? s.inverse.first + s.inverse.second : s.inverse.first);
    double heaviest = s.fixed ? s.mass.first : s.mass.first * s.mass.second / (s.mass.first + s.mass.second);
    double rate = pi / (steps_a_contact * h), fall = fmax(0.0, fmax(s.floor, s.lowest) - s.highest);
    double allowed = def->overlap * s.size, speed = s.speed.first + s.speed.second;
    double needed = heaviest * (speed * speed + 2.0 * g * (fall + allowed)) / (allowed * allowed);
    *stiffness = corner_share * lightest * rate * rate;
    if (*stiffness >= needed) return CAROM_OK;
    return crm_refuse(
        error,
        "a contact potential of %.3g N/m, the stiffest that steps of %g s resolve, lets bodies sink in by "
        "more than the %.2g m allowed: make method.step smaller than %.2g s, allow more by "
        "method.potential.overlap, or give method.potential.stiffness",
        *stiffness, h, allowed, h * sqrt(*stiffness / needed));
}
