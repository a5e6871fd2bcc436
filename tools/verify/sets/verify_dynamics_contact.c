// SPDX-License-Identifier: MIT
// Reference trajectories of one body on a plane: bouncing, sliding, rolling. The body is body 0, the plane body 1.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "verify/sets/verify_dynamics.h"

// ---- building

// Frictionless but for `friction`.
static void add_on_plane(crm_dynamics_case *c, const carom_shape_def *shape, const carom_body_def *body,
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
    add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), 0.0, restitution);
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
    add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), friction, 0.0);
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
    add_on_plane(c, &shape, &def, normal, friction, 0.0);
}

// An ellipsoid; a thin disc is one that is as flat as a shape may be, which moves its lowest point by 1e-12 of its
// radius.
static carom_shape_def rolling_shape(crm_reference *r, const json_t *shape) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    const char *kind = crm_reference_text(r, shape, "input.shape", "kind");
    if (strcmp(kind, "ellipsoid") == 0) {
        def.ellipsoid.half_axes = crm_reference_vec3(r, shape, "input.shape", "semi_axes");
    } else if (strcmp(kind, "thin_disc") == 0) {
        double radius = crm_reference_number(r, shape, "input.shape", "radius");
        def.ellipsoid.half_axes = crm_vec3(radius, radius, 1.001 * CAROM_SHAPE_LEAST_ASPECT * radius);
    } else if (r->status == CAROM_OK) {
        crm_reference_fail(r, "input.shape.kind is \"%s\", must be ellipsoid or thin_disc", kind);
    }
    return def;
}

// Friction is to be as large as is needed: the file tells how large that is where it has samples.
static double enough_friction(const crm_dynamics_case *c) {
    return 1.0 + 2.0 * json_number_value(json_object_get(c->what->expected, "largest_friction_ratio_at_samples"));
}

void crm_dynamics_build_rolling(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    if (json_is_false(json_object_get(c->what->expected, "contact_kept"))) {
        snprintf(c->verdict->unsupported, sizeof c->verdict->unsupported, "rolling on a plane that pulls");
        return;
    }
    carom_body_def def = carom_body_def_default();
    def.mass = crm_reference_number(r, input, "input", "mass");
    def.inertia = crm_reference_mat3(r, input, "input", "inertia_body");
    def.position = crm_reference_vec3(r, input, "input", "x");
    def.attitude = crm_reference_quat(r, input, "input", "q");
    def.velocity = crm_reference_vec3(r, input, "input", "v");
    def.spin = crm_reference_vec3(r, input, "input", "w");
    carom_shape_def shape = rolling_shape(r, crm_reference_object(r, input, "input", "shape"));
    if (!crm_dynamics_create_model(c, crm_reference_vec3(r, input, "input", "gravity"), 0.0)) return;
    add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), enough_friction(c), 0.0);
}

// ---- comparing

static void compare_time(crm_dynamics_case *c, const char *key, double got, double wanted) {
    crm_check_error(c->verdict, fabs(got - wanted), c->tolerance, "%s %.6g s", key, wanted);
}

// The last impact before the sample: from height and speed, as nothing but gravity acts since.
static void compare_last_impact(crm_dynamics_case *c, double time, const carom_body_state *ball) {
    crm_reference *r = c->reference;
    const json_t *times = json_object_get(c->what->expected, "impact_times");
    const json_t *speeds = json_object_get(c->what->expected, "impact_speeds_before");
    double e = crm_reference_number(r, c->what->input, "input", "restitution");
    double g = -crm_reference_vec3(r, c->what->input, "input", "gravity").z;
    double rise = ball->position.z - crm_reference_number(r, c->what->input, "input", "radius");
    int last = -1;
    for (size_t i = 0; i < json_array_size(times); i++)
        if (json_number_value(json_array_get(times, i)) < time) last = (int)i;
    // After the last one of the list there are others that it does not have.
    if (r->status != CAROM_OK || last < 0 || last + 1 >= (int)json_array_size(times)) return;
    double left = sqrt(ball->velocity.z * ball->velocity.z + 2.0 * g * rise);
    compare_time(c, "impact", time - (left - ball->velocity.z) / g,
                 json_number_value(json_array_get(times, (size_t)last)));
    if (json_array_size(speeds) != json_array_size(times)) return;
    double before = json_number_value(json_array_get(speeds, (size_t)last));
    crm_check_error(c->verdict, fabs(left / e - before), c->tolerance, "impact_speeds_before[%d]", last);
}

void crm_dynamics_compare_bouncing_ball(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    double time = c->trajectory.time[index];
    crm_dynamics_compare_vec3(c, sample, where, "x", time, got.position);
    crm_dynamics_compare_vec3(c, sample, where, "v", time, got.velocity);
    compare_last_impact(c, time, &got);
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
    const json_t *starts = json_object_get(c->what->expected, "rolling_starts");
    if (!json_is_number(starts) || json_number_value(starts) <= time) return;
    // Slip falls by mu N (1/m + r^2/I) a second.
    double mass = crm_reference_number(r, input, "input", "mass"), mu = crm_reference_number(r, input, "input", "mu");
    double inertia = crm_reference_number(r, input, "input", "inertia");
    double g = -crm_reference_vec3(r, input, "input", "gravity").z;
    compare_time(c, "rolling_starts", time + slip / (mu * g * (1.0 + mass * radius * radius / inertia)),
                 json_number_value(starts));
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
    const json_t *stop = json_object_get(expected, "stop_position"), *at = json_object_get(expected, "stops_at");
    if (!json_is_true(json_object_get(expected, "sticks")) || !json_is_number(stop) || !json_is_number(at)) return;
    if (time < json_number_value(at)) return;
    crm_check_error(c->verdict, fabs(s - json_number_value(stop)), c->tolerance, "stop_position");
    crm_check_error(c->verdict, crm_length(got.velocity), c->tolerance, "speed after the stop at t = %g s", time);
}

// ---- the force of the plane

// The mean acceleration of body 0 in a step of this length from a state.
static bool mean_acceleration(crm_dynamics_case *c, const carom_body_state *from, double step, carom_vec3 *out) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_IMPULSE;
    def.step = step;
    def.relative_tolerance = def.absolute_tolerance = 1e-13;
    carom_state *state;
    carom_body_state to;
    carom_error error;
    carom_step_report report;
    if (carom_state_create(c->model, &def, &state, &error) != CAROM_OK) return false;
    bool good = carom_state_set_body(state, (carom_body){0}, from, &error) == CAROM_OK &&
                carom_step(c->model, state, NULL, &report, &error) == CAROM_OK && report.outcome == CAROM_STEP_GOOD &&
                carom_state_get_body(state, (carom_body){0}, &to, &error) == CAROM_OK;
    if (good) *out = crm_scale(1.0 / step, crm_sub(to.velocity, from->velocity));
    carom_state_destroy(state);
    return good;
}

// Extrapolated to a step of length zero.
static bool force_at(crm_dynamics_case *c, const carom_body_state *body, carom_vec3 *force) {
    enum { LEVELS = 6 };
    carom_vec3 table[LEVELS]; // table[k]: of the last k + 1 steps
    double step = 0.016;      // s: roundings of velocities are accelerations of their size over the last one
    for (int i = 0; i < LEVELS; i++, step *= 0.5) {
        carom_vec3 next;
        if (!mean_acceleration(c, body, step, &next)) return false;
        for (int k = 0; k <= i; k++) {
            carom_vec3 last = table[k];
            table[k] = next;
            if (k < i) next = crm_madd(next, 1.0 / (ldexp(1.0, k + 1) - 1.0), crm_sub(next, last));
        }
    }
    crm_reference *r = c->reference;
    double mass = crm_reference_number(r, c->what->input, "input", "mass");
    carom_vec3 gravity = crm_reference_vec3(r, c->what->input, "input", "gravity");
    *force = crm_scale(mass, crm_sub(table[LEVELS - 1], gravity));
    return true;
}

void crm_dynamics_compare_rolling(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    crm_reference *r = c->reference;
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    double time = c->trajectory.time[index];
    crm_dynamics_compare_vec3(c, sample, where, "x", time, got.position);
    crm_dynamics_compare_vec3(c, sample, where, "v", time, got.velocity);
    crm_dynamics_compare_vec3(c, sample, where, "w", time, got.spin);
    carom_quat attitude = crm_reference_quat(r, sample, where, "q");
    if (r->status != CAROM_OK) return;
    crm_check_error(c->verdict, crm_dynamics_attitude_error(got.attitude, attitude), c->tolerance, "q at t = %g s",
                    time);
    carom_body_def def;
    if (carom_model_get_body(c->model, (carom_body){0}, &def, NULL) != CAROM_OK) return;
    carom_vec3 lowest, down = crm_quat_rotate_inverse(got.attitude, crm_vec3(0.0, 0.0, -1.0));
    if (carom_shape_get_support(carom_model_get_shape(c->model, def.shape), down, &lowest, NULL, NULL) != CAROM_OK)
        return;
    crm_dynamics_compare_vec3(c, sample, where, "contact", time,
                              crm_add(got.position, crm_quat_rotate(got.attitude, lowest)));
    carom_vec3 force;
    if (json_object_get(sample, "force") != NULL && force_at(c, &got, &force))
        crm_dynamics_compare_vec3(c, sample, where, "force", time, force);
    const json_t *energy = json_object_get(c->what->expected, "energy");
    if (!json_is_number(energy)) return;
    double off = fabs(crm_trajectory_energy(&c->trajectory, index) - json_number_value(energy));
    crm_check_error(c->verdict, off, c->tolerance, "energy at t = %g s", time);
}
