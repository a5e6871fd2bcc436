// SPDX-License-Identifier: MIT
// Reference trajectories of one body on a plane: bouncing, sliding. The body is body 0, the plane body 1.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "verify/sets/verify_dynamics.h"

// ---- building

void crm_dynamics_add_on_plane(crm_dynamics_case *c, const carom_shape_def *shape, const carom_body_def *body,
                               carom_vec3 normal, double friction, double restitution) {
    crm_reference *r = c->reference;
    carom_body_def def = *body, plane = carom_body_def_default();
    carom_shape_def half_space = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    half_space.half_space.normal = normal;
    carom_material_def material = carom_material_def_default();
    material.friction = friction;
    material.restitution = restitution;
    plane.kind = CAROM_BODY_FIXED;
    carom_error error;
    if (r->status == CAROM_OK && (carom_model_add_material(c->model, &material, &def.material, &error) != CAROM_OK ||
                                  carom_model_add_shape(c->model, NULL, shape, &def.shape, &error) != CAROM_OK ||
                                  carom_model_add_shape(c->model, NULL, &half_space, &plane.shape, &error) != CAROM_OK))
        crm_reference_refuse(r, &error);
    plane.material = def.material;
    crm_dynamics_add_body(c, &def);
    crm_dynamics_add_body(c, &plane);
}

static carom_shape_def sphere_of(double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = radius;
    return def;
}

// Without friction neither mass nor inertia matter, and the file has none.
void crm_dynamics_build_bouncing_ball(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    double radius = crm_reference_number(r, input, "input", "radius");
    double restitution = crm_reference_number(r, input, "input", "restitution");
    carom_body_def def = carom_body_def_default();
    def.position = crm_reference_vec3(r, input, "input", "x");
    def.velocity = crm_reference_vec3(r, input, "input", "v");
    def.inertia = crm_mat3_scale(0.4 * def.mass * radius * radius, crm_mat3_identity());
    if (!crm_dynamics_create_model(c, crm_reference_vec3(r, input, "input", "gravity"), 0.0)) return;
    carom_shape_def shape = sphere_of(radius);
    crm_dynamics_add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), 0.0, restitution);
}

void crm_dynamics_build_sliding_sphere(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    carom_body_def def = carom_body_def_default();
    def.mass = crm_reference_number(r, input, "input", "mass");
    def.inertia = crm_mat3_scale(crm_reference_number(r, input, "input", "inertia"), crm_mat3_identity());
    def.position = crm_reference_vec3(r, input, "input", "x");
    def.velocity = crm_reference_vec3(r, input, "input", "v");
    def.spin = crm_reference_vec3(r, input, "input", "w");
    carom_shape_def shape = sphere_of(crm_reference_number(r, input, "input", "radius"));
    double friction = crm_reference_number(r, input, "input", "mu");
    if (!crm_dynamics_create_model(c, crm_reference_vec3(r, input, "input", "gravity"), 0.0)) return;
    crm_dynamics_add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), friction, 0.0);
}

// Flat, so that no friction of the file tips it over; how large it is does not matter.
static const carom_vec3 block_edges = {1.0, 1.0, 0.1};

static carom_vec3 up_slope(crm_dynamics_case *c) {
    double angle = crm_reference_number(c->reference, c->what->input, "input", "incline_angle");
    return crm_vec3(cos(angle), 0.0, sin(angle));
}

void crm_dynamics_build_block_on_incline(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    carom_vec3 along = up_slope(c), normal = crm_vec3(-along.z, 0.0, along.x), e = block_edges;
    carom_body_def def = carom_body_def_default();
    def.mass = crm_reference_number(r, input, "input", "mass");
    double twelfth = def.mass / 12.0;
    def.inertia = crm_mat3_diagonal(crm_vec3(twelfth * (e.y * e.y + e.z * e.z), twelfth * (e.z * e.z + e.x * e.x),
                                             twelfth * (e.x * e.x + e.y * e.y)));
    def.position = crm_scale(0.5 * e.z, normal);
    def.attitude = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), normal);
    def.velocity = crm_scale(crm_reference_number(r, input, "input", "speed_up_slope"), along);
    double friction = crm_reference_number(r, input, "input", "mu");
    carom_vec3 gravity = crm_vec3(0.0, 0.0, -crm_reference_number(r, input, "input", "gravity"));
    if (!crm_dynamics_create_model(c, gravity, 0.0)) return;
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_BOX);
    shape.box.size = e;
    crm_dynamics_add_on_plane(c, &shape, &def, normal, friction, 0.0);
}

// ---- comparing

static void compare_time(crm_dynamics_case *c, const char *key, double got, double wanted) {
    crm_check_error(c->verdict, fabs(got - wanted), c->tolerance, "%s %.6g s", key, wanted);
}

// A ball between impacts: how fast it comes down, and when; how fast it left, and when. Nothing but gravity acts.
typedef struct flight {
    double time, fall, gravity, restitution;
    double next, last; // s, impacts after and before
} flight;

static flight flight_of(crm_dynamics_case *c, double time, const carom_body_state *ball) {
    crm_reference *r = c->reference;
    double g = -crm_reference_vec3(r, c->what->input, "input", "gravity").z, up = ball->velocity.z;
    double rise = ball->position.z - crm_reference_number(r, c->what->input, "input", "radius");
    double speed = sqrt(up * up + 2.0 * g * rise);
    return (flight){.time = time,
                    .fall = speed,
                    .gravity = g,
                    .restitution = crm_reference_number(r, c->what->input, "input", "restitution"),
                    .next = time + (speed + up) / g,
                    .last = time - (speed - up) / g};
}

static double number_at(const json_t *list, int index) {
    return json_number_value(json_array_get(list, (size_t)index));
}

// The impact before the sample, which the ball left at 1/e of the speed of its arrival, and the one after it; after the
// last sample all that the file has: each flight is e times as long as the one before.
static void compare_impacts(crm_dynamics_case *c, const flight *f, bool last_sample) {
    const json_t *times = crm_reference_optional(c->reference, c->what->expected, "impact_times");
    const json_t *speeds = crm_reference_optional(c->reference, c->what->expected, "impact_speeds_before");
    int count = (int)json_array_size(times), after = 0;
    if (speeds != NULL && (int)json_array_size(speeds) != count) {
        crm_reference_fail(c->reference, "expected.impact_speeds_before must have %d numbers", count);
        return;
    }
    while (after < count && number_at(times, after) < f->time) after++;
    // After the last one of the list there are others that it does not have.
    if (after > 0 && after < count) {
        compare_time(c, "impact", f->last, number_at(times, after - 1));
        if (speeds != NULL && f->restitution > 0.0)
            crm_check_error(c->verdict, fabs(f->fall / f->restitution - number_at(speeds, after - 1)), c->tolerance,
                            "impact_speeds_before[%d]", after - 1);
    }
    double time = f->next, speed = f->fall;
    for (int i = after; i < count && (i == after || last_sample); i++) {
        compare_time(c, "impact", time, number_at(times, i));
        if (speeds != NULL)
            crm_check_error(c->verdict, fabs(speed - number_at(speeds, i)), c->tolerance, "impact_speeds_before[%d]",
                            i);
        speed *= f->restitution;
        time += 2.0 * speed / f->gravity;
    }
}

// Flights of e, e^2, ... times the speed follow the next impact: 2 v (e + e^2 + ...) / g. An error of the speed counts
// as many times.
static void compare_accumulation(crm_dynamics_case *c, const flight *f) {
    const json_t *at = crm_reference_optional(c->reference, c->what->expected, "accumulation_time");
    if (at == NULL || !(f->time < json_number_value(at)) || !(f->restitution < 1.0)) return;
    double per_speed = 2.0 * f->restitution / (1.0 - f->restitution) / f->gravity;
    crm_check_error(c->verdict, fabs(f->next + per_speed * f->fall - json_number_value(at)),
                    c->tolerance * fmax(1.0, per_speed), "accumulation_time at t = %g s", f->time);
}

void crm_dynamics_compare_bouncing_ball(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    double time = c->trajectory.time[index];
    crm_dynamics_compare_vec3(c, sample, where, "x", time, got.position);
    crm_dynamics_compare_vec3(c, sample, where, "v", time, got.velocity);
    flight f = flight_of(c, time, &got);
    if (c->reference->status != CAROM_OK) return;
    compare_impacts(c, &f, index + 1 == c->trajectory.sample_count);
    compare_accumulation(c, &f);
}

void crm_dynamics_compare_sliding_sphere(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    double time = c->trajectory.time[index];
    crm_dynamics_compare_vec3(c, sample, where, "x", time, got.position);
    crm_dynamics_compare_vec3(c, sample, where, "v", time, got.velocity);
    crm_dynamics_compare_vec3(c, sample, where, "w", time, got.spin);
    double radius = crm_reference_number(r, input, "input", "radius");
    double slip = crm_length(crm_add(got.velocity, crm_cross(got.spin, crm_vec3(0.0, 0.0, -radius))));
    double wanted = crm_reference_number(r, sample, where, "slip_speed");
    crm_check_error(c->verdict, fabs(slip - wanted), c->tolerance, "slip_speed at t = %g s", time);
    const json_t *starts = crm_reference_optional(r, c->what->expected, "rolling_starts");
    if (!json_is_number(starts) || json_number_value(starts) <= time) return;
    // Slip falls by mu N (1/m + r^2/I) a second.
    double mass = crm_reference_number(r, input, "input", "mass"), mu = crm_reference_number(r, input, "input", "mu");
    double inertia = crm_reference_number(r, input, "input", "inertia");
    double g = -crm_reference_vec3(r, input, "input", "gravity").z;
    compare_time(c, "rolling_starts", time + slip / (mu * g * (1.0 + mass * radius * radius / inertia)),
                 json_number_value(starts));
}

// Before the stop from place and speed, as friction and weight are constant until then; after it, if the block stays.
static void compare_stop(crm_dynamics_case *c, double time, double s, double v) {
    crm_reference *r = c->reference;
    const json_t *expected = c->what->expected;
    const json_t *at = crm_reference_optional(r, expected, "stops_at");
    const json_t *place = crm_reference_optional(r, expected, "stop_position");
    if (!json_is_number(at) || !json_is_number(place)) return;
    double stops = json_number_value(at), rests = json_number_value(place);
    if (time < stops) {
        carom_vec3 along = up_slope(c);
        double g = crm_reference_number(r, c->what->input, "input", "gravity");
        double mu = crm_reference_number(r, c->what->input, "input", "mu");
        double slows = g * (mu * along.x + copysign(along.z, v)), left = fabs(v) / slows;
        // An error of the speed counts as many times.
        double tolerance = c->tolerance * fmax(1.0, 1.0 / fabs(slows));
        crm_check_error(c->verdict, fabs(time + left - stops), tolerance, "stops_at from t = %g s", time);
        crm_check_error(c->verdict, fabs(s + 0.5 * v * left - rests), tolerance, "stop_position from t = %g s", time);
    } else if (json_is_true(json_object_get(expected, "sticks"))) {
        crm_check_error(c->verdict, fabs(s - rests), c->tolerance, "stop_position");
        crm_check_error(c->verdict, fabs(v), c->tolerance, "speed after the stop at t = %g s", time);
    }
}

void crm_dynamics_compare_block(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    crm_reference *r = c->reference;
    const json_t *expected = c->what->expected;
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    double time = c->trajectory.time[index];
    carom_vec3 along = up_slope(c);
    double s = crm_dot(along, got.position), v = crm_dot(along, got.velocity);
    crm_check_error(c->verdict, fabs(s - crm_reference_number(r, sample, where, "s")), c->tolerance, "s at t = %g s",
                    time);
    crm_check_error(c->verdict, fabs(v - crm_reference_number(r, sample, where, "v")), c->tolerance, "v at t = %g s",
                    time);
    compare_stop(c, time, s, v);
    bool last = index + 1 == c->trajectory.sample_count;
    const json_t *at = json_object_get(expected, "stops_at"), *sticks = json_object_get(expected, "sticks");
    if (last && json_is_boolean(sticks) && !(json_is_number(at) && time < json_number_value(at)))
        crm_check_flag(c->verdict, "sticks", crm_length(got.velocity) <= c->tolerance,
                       crm_reference_bool(r, expected, "expected", "sticks"));
}
