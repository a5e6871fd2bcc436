// SPDX-License-Identifier: MIT
// Reference trajectories of a body that rolls on a plane without slip. The body is body 0, the plane body 1.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "verify/extrapolate.h"
#include "verify/sets/verify_dynamics.h"

// ---- building

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

// Where the file says that contact is not kept, its plane pulls from some sample on; what comes before that is the
// motion of a body on a plane.
static int samples_in_contact(const crm_dynamics_case *c) {
    int count = 0, all = (int)json_array_size(c->samples);
    if (!json_is_false(json_object_get(c->what->expected, "contact_kept"))) return all;
    while (count < all) {
        const json_t *force = json_object_get(json_array_get(c->samples, (size_t)count), "force");
        if (!(json_number_value(json_array_get(force, 2)) > 0.0)) break;
        count++;
    }
    return count;
}

void crm_dynamics_build_rolling(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    c->sample_count = samples_in_contact(c);
    if (c->sample_count == 0) {
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
    crm_dynamics_add_on_plane(c, &shape, &def, crm_vec3(0.0, 0.0, 1.0), enough_friction(c), 0.0);
}

// ---- comparing

// ---- the force of the plane

// The mean acceleration of body 0 in the second of two steps of this length from a state. The first one takes away the
// slip that a state has for this body, whose lowest point is not quite the file's: a jump of the velocity, however
// short the step.
static bool mean_acceleration(crm_dynamics_case *c, const carom_body_state *from, double step, carom_vec3 *out) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_IMPULSE;
    def.step = step;
    def.relative_tolerance = def.absolute_tolerance = 1e-13;
    carom_state *state;
    carom_body_state to[2];
    carom_error error;
    carom_step_report report;
    if (carom_state_create(c->model, &def, &state, &error) != CAROM_OK) return false;
    bool good = carom_state_set_body(state, (carom_body){0}, from, &error) == CAROM_OK;
    for (int i = 0; i < 2 && good; i++)
        good = carom_step(c->model, state, NULL, &report, &error) == CAROM_OK && report.outcome == CAROM_STEP_GOOD &&
               carom_state_get_body(state, (carom_body){0}, &to[i], &error) == CAROM_OK;
    if (good) *out = crm_scale(1.0 / step, crm_sub(to[1].velocity, to[0].velocity));
    carom_state_destroy(state);
    return good;
}

// Extrapolated to a step of length zero. Each halving gains digits until roundings of the velocities, which are
// accelerations of their size over the step, take over: the row with the least estimate counts. False, with the
// verdict, when no step can be made.
static bool force_at(crm_dynamics_case *c, double time, const carom_body_state *body, carom_vec3 *force) {
    const double first_step = 0.008; // s; a body that leaves the plane sooner is asked with shorter ones
    crm_reference *r = c->reference;
    double mass = crm_reference_number(r, c->what->input, "input", "mass");
    carom_vec3 gravity = crm_reference_vec3(r, c->what->input, "input", "gravity"), best = crm_vec3_zero();
    double row[CRM_MOST_LEVELS][3], least = INFINITY, enough = 0.01 * c->tolerance / mass;
    crm_extrapolation extrapolation = {.power = 1, .count = 3};
    for (int i = 0; i < CRM_MOST_LEVELS && least > enough; i++) {
        carom_vec3 next;
        if (!mean_acceleration(c, body, ldexp(first_step, -i), &next)) continue;
        double *fresh = row[extrapolation.levels];
        extrapolation.table[extrapolation.levels] = fresh;
        fresh[0] = next.x, fresh[1] = next.y, fresh[2] = next.z;
        double estimate = crm_extrapolation_advance(&extrapolation);
        if (!(estimate < least) && extrapolation.levels > 1) continue;
        least = estimate;
        best = crm_vec3(fresh[0], fresh[1], fresh[2]);
    }
    *force = crm_scale(mass, crm_sub(best, gravity));
    if (extrapolation.levels > 1) return true;
    char sentence[80];
    snprintf(sentence, sizeof sentence, "no step can be made from t = %g s", time);
    crm_check_obstacle(c->verdict, c->tolerance, "force", sentence);
    return false;
}

// The extremes over all samples, of which the last has them.
static void compare_force(crm_dynamics_case *c, const json_t *sample, const char *where, int index,
                          const carom_body_state *body) {
    const json_t *expected = c->what->expected;
    carom_vec3 force;
    double time = c->trajectory.time[index];
    if (!crm_reference_has(sample, "force") || !force_at(c, time, body, &force)) return;
    crm_dynamics_compare_vec3(c, sample, where, "force", time, force);
    double ratio = hypot(force.x, force.y) / force.z;
    c->least_normal = index == 0 ? force.z : fmin(c->least_normal, force.z);
    c->largest_ratio = index == 0 ? ratio : fmax(c->largest_ratio, ratio);
    if (index + 1 < (int)json_array_size(c->samples)) return;
    const json_t *least = crm_reference_optional(c->reference, expected, "smallest_normal_force_at_samples");
    const json_t *largest = crm_reference_optional(c->reference, expected, "largest_friction_ratio_at_samples");
    if (least != NULL)
        crm_check_error(c->verdict, fabs(c->least_normal - json_number_value(least)), c->tolerance,
                        "smallest_normal_force_at_samples");
    // An error of the force counts (1 + ratio) / normal force times.
    if (largest != NULL)
        crm_check_error(c->verdict, fabs(c->largest_ratio - json_number_value(largest)),
                        c->tolerance * fmax(1.0, (1.0 + c->largest_ratio) / c->least_normal),
                        "largest_friction_ratio_at_samples");
    if (crm_reference_has(expected, "contact_kept"))
        crm_check_flag(c->verdict, "contact_kept", c->least_normal > 0.0,
                       crm_reference_bool(c->reference, expected, "expected", "contact_kept"));
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
    compare_force(c, sample, where, index, &got);
    const json_t *energy = crm_reference_optional(r, c->what->expected, "energy");
    if (!json_is_number(energy)) return;
    double off = fabs(crm_trajectory_energy(&c->trajectory, index) - json_number_value(energy));
    crm_check_error(c->verdict, off, c->tolerance, "energy at t = %g s", time);
}
