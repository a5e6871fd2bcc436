// SPDX-License-Identifier: MIT
// Reference trajectories of bodies in joints.
#include "verify/sets/verify_dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"

static const double full_rotation = 6.28318530717958647692;

// ---- building

static carom_body_def read_body(crm_reference *r, const json_t *body, const char *where) {
    carom_body_def def = carom_body_def_default();
    def.mass = crm_reference_number(r, body, where, "mass");
    def.inertia = crm_reference_mat3(r, body, where, "inertia_body");
    def.position = crm_reference_vec3(r, body, where, "x");
    def.attitude = crm_reference_quat(r, body, where, "q");
    def.velocity = crm_reference_vec3(r, body, where, "v");
    def.spin = crm_reference_vec3(r, body, where, "w");
    return def;
}

// Frames of a hinge: z along the axis in the parent; in the child along what the axis is there at the start, so that
// the angle is zero where the axes of parent and child coincide.
static void read_axis(crm_dynamics_case *c, const json_t *body, const char *where, carom_quat child,
                      carom_joint_def *def) {
    crm_reference *r = c->reference;
    carom_vec3 axis = crm_reference_vec3(r, body, where, "axis_in_parent"), z = crm_vec3(0.0, 0.0, 1.0), unit;
    if (r->status != CAROM_OK) return;
    if (crm_normalise(axis, &unit) == 0.0) {
        crm_reference_fail(r, "%s.axis_in_parent must not be zero", where);
        return;
    }
    carom_body_def parent = carom_body_def_default();
    if (def->a.index >= 0) carom_model_get_body(c->model, def->a, &parent, NULL);
    carom_vec3 in_world = crm_quat_rotate(crm_quat_normalised(parent.attitude), unit);
    carom_vec3 in_child = crm_quat_rotate_inverse(crm_quat_normalised(child), in_world);
    def->attitude_a = crm_quat_between(z, unit);
    def->attitude_b = crm_quat_mul(crm_quat_between(unit, in_child), def->attitude_a);
}

static void add_joint(crm_dynamics_case *c, const json_t *body, const char *where, int index, carom_quat attitude) {
    crm_reference *r = c->reference;
    const char *kind = crm_reference_text(r, body, where, "joint");
    if (r->status != CAROM_OK || strcmp(kind, "free") == 0) return;
    double parent = crm_reference_number(r, body, where, "parent");
    if (!(parent >= -1.0 && parent < index && parent == floor(parent))) {
        crm_reference_fail(r, "%s.parent is %g, must be -1 or an earlier body", where, parent);
        return;
    }
    carom_joint_def def = carom_joint_def_default();
    def.kind = strcmp(kind, "ball") == 0 ? CAROM_JOINT_BALL : CAROM_JOINT_HINGE;
    if (def.kind == CAROM_JOINT_HINGE && strcmp(kind, "revolute") != 0)
        crm_reference_fail(r, "%s.joint is \"%s\", must be free, ball or revolute", where, kind);
    def.a.index = (int)parent;
    def.b.index = index;
    def.point_a = crm_reference_vec3(r, body, where, "joint_in_parent");
    def.point_b = crm_reference_vec3(r, body, where, "joint_in_child");
    if (def.kind == CAROM_JOINT_HINGE) read_axis(c, body, where, attitude, &def);
    carom_joint joint;
    carom_error error;
    if (r->status == CAROM_OK && carom_model_add_joint(c->model, &def, &joint, &error) != CAROM_OK)
        crm_reference_refuse(r, &error);
}

// Every hinge has this axis in the world, and the bodies rotate about it only. The moments in the file are those of no
// body (one is larger than the sum of the others), which a model refuses; as only the one about the axis matters, a
// body that has it about every axis moves the same and has the same energy.
static carom_mat3 same_about_axis(crm_reference *r, const json_t *bodies, const carom_body_def *def) {
    carom_vec3 axis = crm_reference_vec3(r, json_array_get(bodies, 0), "input.bodies[0]", "axis_in_parent"), unit;
    if (r->status != CAROM_OK || crm_normalise(axis, &unit) == 0.0) return def->inertia;
    carom_vec3 in_body = crm_quat_rotate_inverse(crm_quat_normalised(def->attitude), unit);
    double moment = crm_dot(in_body, crm_mat3_apply(def->inertia, in_body));
    return crm_mat3_scale(moment, crm_mat3_identity());
}

static void build(crm_dynamics_case *c, bool about_one_axis) {
    crm_reference *r = c->reference;
    const json_t *bodies = crm_reference_array(r, c->what->input, "input", "bodies");
    if (!crm_dynamics_create_model(c, crm_reference_vec3(r, c->what->input, "input", "gravity"), 0.0)) return;
    for (size_t i = 0; i < json_array_size(bodies) && r->status == CAROM_OK; i++) {
        char where[CRM_WHERE_SIZE];
        snprintf(where, sizeof where, "input.bodies[%zu]", i);
        const json_t *body = json_array_get(bodies, i);
        carom_body_def def = read_body(r, body, where);
        if (about_one_axis) def.inertia = same_about_axis(r, bodies, &def);
        if (r->status != CAROM_OK) return;
        crm_dynamics_add_body(c, &def);
        if (json_object_get(body, "joint") != NULL) add_joint(c, body, where, (int)i, def.attitude);
    }
}

void crm_dynamics_build_bodies(crm_dynamics_case *c) {
    build(c, false);
}

void crm_dynamics_build_plane_chain(crm_dynamics_case *c) {
    build(c, true);
}

// ---- comparing

double crm_dynamics_attitude_error(carom_quat got, carom_quat wanted) {
    carom_quat near = crm_quat_same_side(got, wanted);
    double vector = crm_max_component(crm_vec3_abs(crm_sub(crm_quat_vector(near), crm_quat_vector(wanted))));
    double error = fmax(vector, fabs(near.w - wanted.w));
    return isfinite(crm_quat_dot(got, got)) ? error : INFINITY;
}

void crm_dynamics_compare_bodies(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    const json_t *bodies = crm_reference_array(c->reference, sample, where, "bodies");
    double time = c->trajectory.time[index];
    int count = carom_model_body_count(c->model);
    if (c->reference->status == CAROM_OK && json_array_size(bodies) != (size_t)count)
        crm_reference_fail(c->reference, "%s.bodies must have %d bodies, not %zu", where, count,
                           json_array_size(bodies));
    for (int b = 0; b < count && c->reference->status == CAROM_OK; b++) {
        char inside[CRM_WHERE_SIZE];
        snprintf(inside, sizeof inside, "%.40s.bodies[%d]", where, b);
        const json_t *body = json_array_get(bodies, (size_t)b);
        carom_body_state got = crm_trajectory_body(&c->trajectory, index, b);
        crm_dynamics_compare_vec3(c, body, inside, "x", time, got.position);
        crm_dynamics_compare_vec3(c, body, inside, "v", time, got.velocity);
        crm_dynamics_compare_vec3(c, body, inside, "w", time, got.spin);
        carom_quat attitude = crm_reference_quat(c->reference, body, inside, "q");
        if (c->reference->status != CAROM_OK) return;
        crm_check_error(c->verdict, crm_dynamics_attitude_error(got.attitude, attitude), c->tolerance, "q at t = %g s",
                        time);
    }
}

static void compare_number(crm_dynamics_case *c, const char *key, int index, double got) {
    const json_t *expected = c->what->expected;
    if (!crm_reference_has(expected, key)) return;
    double wanted = crm_reference_number(c->reference, expected, "expected", key);
    if (c->reference->status == CAROM_OK)
        crm_check_error(c->verdict, fabs(got - wanted), c->tolerance, "%s at t = %g s", key, c->trajectory.time[index]);
}

static void compare_momentum(crm_dynamics_case *c, const char *key, int index, carom_vec3 got) {
    if (!crm_reference_has(c->what->expected, key)) return;
    carom_vec3 wanted = crm_reference_vec3(c->reference, c->what->expected, "expected", key);
    if (c->reference->status == CAROM_OK) crm_dynamics_check_vec3(c, key, c->trajectory.time[index], got, wanted);
}

// One list of numbers per sample, one number per hinge. Angles are the same up to full rotations.
static void compare_hinges(crm_dynamics_case *c, const char *key, int index, bool angles) {
    const json_t *lists = crm_reference_optional(c->reference, c->what->expected, key);
    if (lists == NULL) return;
    const json_t *list = json_array_get(lists, (size_t)index);
    int count = carom_model_joint_count(c->model);
    if (json_array_size(list) != (size_t)count) {
        crm_reference_fail(c->reference, "expected.%s[%d] must have %d numbers", key, index, count);
        return;
    }
    for (int j = 0; j < count; j++) {
        double angle, rate, wanted = json_number_value(json_array_get(list, (size_t)j));
        crm_trajectory_hinge(&c->trajectory, index, j, &angle, &rate);
        double error = angles ? fabs(remainder(angle - wanted, full_rotation)) : fabs(rate - wanted);
        crm_check_error(c->verdict, error, c->tolerance, "%s[%d] at t = %g s", key, j, c->trajectory.time[index]);
    }
}

void crm_dynamics_compare_jointed(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    crm_dynamics_compare_bodies(c, sample, where, index);
    if (c->reference->status != CAROM_OK) return;
    carom_momentum momentum = crm_trajectory_momentum(&c->trajectory, index);
    carom_quat attitude = crm_trajectory_body(&c->trajectory, index, 0).attitude;
    carom_vec3 axis = crm_quat_rotate(crm_quat_normalised(attitude), crm_vec3(0.0, 0.0, 1.0));
    compare_number(c, "momentum_vertical", index, momentum.angular.z);
    compare_number(c, "momentum_axis", index, crm_dot(momentum.angular, axis));
    compare_momentum(c, "linear_momentum", index, momentum.linear);
    compare_momentum(c, "angular_momentum", index, momentum.angular);
    compare_hinges(c, "joint_angles", index, true);
    compare_hinges(c, "joint_rates", index, false);
}
