// SPDX-License-Identifier: MIT
// Rotations by torques: about a principal axis, about whatever axis, and of a body on a hinge.
#include <math.h>

#include "carom/joint.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/so3.h"
#include "verify/control/verify_control.h"

// Of programs. What is left of the first-order error of a short plan enters its cost by its square.
static const double solved_to = 1e-11;

// Poses of one body at all nodes, its frame rotated about an axis by an angle each.
static const carom_pose *rotated_poses(crm_control_case *c, int nodes, carom_vec3 axis, const double *angle,
                                       carom_vec3 arm) {
    carom_pose *pose = CRM_ARENA_ARRAY(&c->arena, carom_pose, nodes);
    if (pose == NULL) crm_reference_refuse_memory(c->reference, "poses", sizeof *pose * (size_t)nodes);
    for (int k = 0; k < nodes && pose != NULL; k++) {
        pose[k].attitude = crm_quat_from_axis_angle(axis, angle[k]);
        pose[k].position = crm_quat_rotate(pose[k].attitude, arm);
    }
    return pose;
}

static carom_quat attitude_at(const crm_control_case *c, carom_body body, int node) {
    carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    (void)carom_plan_get_node(c->plan, node, body, &pose, NULL, NULL);
    return pose.attitude;
}

// How far the body rotates in each interval, about an axis, rad.
static double *rotations(crm_control_case *c, carom_body body, carom_vec3 axis) {
    int intervals = carom_plan_intervals(c->plan);
    double *out = CRM_ARENA_ARRAY(&c->arena, double, intervals);
    if (out == NULL) crm_reference_refuse_memory(c->reference, "rotations", sizeof *out * (size_t)intervals);
    for (int k = 0; k < intervals && out != NULL; k++) {
        carom_quat from = attitude_at(c, body, k), to = attitude_at(c, body, k + 1);
        out[k] = crm_dot(axis, crm_so3_log(crm_quat_mul(to, crm_quat_conjugate(from))));
    }
    return out;
}

static carom_plan_condition end_of(carom_body body, carom_quat attitude, carom_vec3 spin) {
    carom_plan_condition end = carom_plan_condition_default();
    end.body = body;
    end.has_attitude = end.has_spin = true;
    end.attitude = attitude;
    end.spin = spin;
    return end;
}

static carom_control_def torque_of(carom_body body) {
    carom_control_def control = carom_control_def_default();
    control.body = body;
    control.force = false;
    return control;
}

static carom_plan_def plan_of(crm_control_case *c) {
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = (int)crm_reference_number(c->reference, c->what->input, "input", "intervals");
    plan.time = crm_reference_positive(c->reference, c->what->input, "input", "time");
    plan.tolerance = solved_to;
    return plan;
}

// ---- about a principal axis

static carom_vec3 unit_axis(int i) {
    return crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
}

static void compare_spin(crm_control_case *c, carom_body body, int axis) {
    int intervals = carom_plan_intervals(c->plan);
    double *torques = crm_control_numbers(c, 0), *about = CRM_ARENA_ARRAY(&c->arena, double, intervals);
    if (torques == NULL || about == NULL) return;
    for (int k = 0; k < intervals; k++) about[k] = torques[3 * k + axis];
    crm_control_compare_number(c, "cost", crm_control_tolerance(c, "cost"), c->certificate.effort);
    crm_control_compare(c, "torques", crm_control_tolerance(c, "torques"), intervals, about,
                        crm_control_expected(c, "torques", intervals));
    crm_control_compare(c, "turns", crm_control_tolerance(c, "turns"), intervals, rotations(c, body, unit_axis(axis)),
                        crm_control_expected(c, "turns", intervals));
    // Of the limit of small steps: read, as it tells nothing about this number of intervals.
    (void)crm_reference_optional(c->reference, c->what->expected, "continuous_cost");
}

void crm_verify_control_spin(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_control_case c = crm_control_begin(reference, what, verdict);
    const json_t *input = what->input;
    carom_body_def def = carom_body_def_default();
    carom_plan_def plan = plan_of(&c);
    carom_body body = {0};
    int axis = (int)crm_reference_number(reference, input, "input", "axis");
    double angle = crm_reference_number(reference, input, "input", "angle");
    carom_vec3 j = crm_reference_vec3(reference, input, "input", "inertia");
    if (axis < 0 || axis > 2) crm_reference_fail(reference, "input.axis is %d; 0, 1 or 2 are axes", axis);
    def.inertia = crm_mat3_columns(crm_vec3(j.x, 0.0, 0.0), crm_vec3(0.0, j.y, 0.0), crm_vec3(0.0, 0.0, j.z));
    def.spin = crm_scale(crm_reference_number(reference, input, "input", "rate_start"), unit_axis(axis));
    carom_vec3 spin_end = crm_scale(crm_reference_number(reference, input, "input", "rate_end"), unit_axis(axis));
    double *angles = CRM_ARENA_ARRAY(&c.arena, double, plan.intervals + 1);
    if (angles == NULL) crm_reference_refuse_memory(reference, "angles", 0);
    if (crm_control_make_model(&c, crm_vec3_zero()) && crm_control_add_body(&c, &def, &body)) {
        carom_control_def control = torque_of(body);
        carom_plan_condition end = end_of(body, crm_quat_from_axis_angle(unit_axis(axis), angle), spin_end);
        for (int k = 0; k <= plan.intervals; k++) angles[k] = angle * k / plan.intervals;
        plan.control = &control, plan.control_count = 1;
        plan.condition = &end, plan.condition_count = 1;
        plan.guess = CAROM_GUESS_MOTION, plan.motion_count = plan.intervals + 1; // by more than half a revolution, too
        plan.motion = rotated_poses(&c, plan.motion_count, unit_axis(axis), angles, crm_vec3_zero());
        if (crm_control_solve(&c, &plan)) compare_spin(&c, body, axis);
    }
    crm_control_end(&c);
}

// ---- about whatever axis

static const json_t *row_of(crm_control_case *c, const char *key, int node) {
    const json_t *list = crm_reference_array(c->reference, c->what->expected, "expected", key);
    return json_array_get(list, (size_t)node);
}

static void compare_attitudes(crm_control_case *c, carom_body body) {
    double worst = 0.0, tolerance = crm_control_tolerance(c, "q");
    for (int k = 0; k <= carom_plan_intervals(c->plan); k++) {
        const json_t *row = row_of(c, "q", k);
        carom_quat wanted = {json_number_value(json_array_get(row, 0)), json_number_value(json_array_get(row, 1)),
                             json_number_value(json_array_get(row, 2)), json_number_value(json_array_get(row, 3))};
        carom_quat got = crm_quat_same_side(attitude_at(c, body, k), wanted);
        if (json_array_size(row) != 4) worst = INFINITY;
        worst = fmax(worst, fmax(fmax(fabs(got.w - wanted.w), fabs(got.x - wanted.x)),
                                 fmax(fabs(got.y - wanted.y), fabs(got.z - wanted.z))));
    }
    crm_check_error(c->verdict, worst, tolerance, "q");
}

void crm_verify_control_attitude(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_control_case c = crm_control_begin(reference, what, verdict);
    const json_t *input = what->input;
    carom_body_def def = carom_body_def_default();
    carom_plan_def plan = plan_of(&c);
    carom_body body = {0};
    def.inertia = crm_reference_mat3(reference, input, "input", "inertia_body");
    def.attitude = crm_reference_quat(reference, input, "input", "q_start");
    def.spin = crm_reference_vec3(reference, input, "input", "spin_start");
    carom_quat q_end = crm_reference_quat(reference, input, "input", "q_end");
    carom_vec3 spin_end = crm_reference_vec3(reference, input, "input", "spin_end");
    if (crm_control_make_model(&c, crm_vec3_zero()) && crm_control_add_body(&c, &def, &body)) {
        carom_control_def control = torque_of(body);
        carom_plan_condition end = end_of(body, q_end, spin_end);
        plan.control = &control, plan.control_count = 1;
        plan.condition = &end, plan.condition_count = 1;
        if (crm_control_solve(&c, &plan)) {
            crm_control_compare_number(&c, "cost", crm_control_tolerance(&c, "cost"), c.certificate.effort);
            crm_control_compare(&c, "torques", crm_control_tolerance(&c, "torques"), 3 * plan.intervals,
                                crm_control_numbers(&c, 0),
                                crm_control_expected_vectors(&c, "torques", plan.intervals));
            compare_attitudes(&c, body);
            // How well the file's own numbers were checked.
            (void)crm_reference_optional(reference, what->expected, "verified_miss");
            (void)crm_reference_optional(reference, what->expected, "verified_stationarity");
        }
    }
    crm_control_end(&c);
}

// ---- on a hinge

// The hinge is at the origin; at angle 0 the body hangs, and positive angles swing it to +x.
static const carom_vec3 hinge_axis = {0.0, -1.0, 0.0};

static bool add_pendulum(crm_control_case *c, double angle, carom_vec3 arm, carom_body *body, carom_joint *joint) {
    const json_t *input = c->what->input;
    carom_body_def def = carom_body_def_default();
    carom_joint_def hinge = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    carom_error error;
    double length = crm_length(arm);
    def.mass = crm_reference_positive(c->reference, input, "input", "mass");
    // Only the moment about the hinge counts: any body that has it.
    double moment = crm_reference_positive(c->reference, input, "input", "inertia_hinge") - def.mass * length * length;
    def.inertia = crm_mat3_columns(crm_vec3(moment, 0.0, 0.0), crm_vec3(0.0, moment, 0.0), crm_vec3(0.0, 0.0, moment));
    def.attitude = crm_quat_from_axis_angle(hinge_axis, angle);
    def.position = crm_quat_rotate(def.attitude, arm);
    if (!crm_control_add_body(c, &def, body)) return false;
    hinge.kind = CAROM_JOINT_HINGE;
    hinge.a = CAROM_WORLD;
    hinge.b = *body;
    placing.axis = hinge_axis;
    if (carom_model_place_joint(c->model, &placing, &hinge, &error) == CAROM_OK &&
        carom_model_add_joint(c->model, &hinge, joint, &error) == CAROM_OK)
        return true;
    crm_reference_refuse(c->reference, &error);
    return false;
}

static void compare_pendulum(crm_control_case *c, carom_body body, double angle_start) {
    int intervals = carom_plan_intervals(c->plan);
    double *rotation = rotations(c, body, hinge_axis), *angles = CRM_ARENA_ARRAY(&c->arena, double, intervals + 1);
    if (rotation == NULL || angles == NULL) return;
    angles[0] = angle_start;
    for (int k = 0; k < intervals; k++) angles[k + 1] = angles[k] + rotation[k];
    crm_control_compare_number(c, "cost", crm_control_tolerance(c, "cost"), c->certificate.effort);
    crm_control_compare(c, "angles", crm_control_tolerance(c, "angles"), intervals + 1, angles,
                        crm_control_expected(c, "angles", intervals + 1));
    crm_control_compare(c, "torques", crm_control_tolerance(c, "torques"), intervals, crm_control_numbers(c, 0),
                        crm_control_expected(c, "torques", intervals));
    // Where other guesses may end.
    (void)crm_reference_optional(c->reference, c->what->expected, "other_local_minima");
}

void crm_verify_control_pendulum(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_control_case c = crm_control_begin(reference, what, verdict);
    const json_t *input = what->input;
    carom_plan_def plan = plan_of(&c);
    double from = crm_reference_number(reference, input, "input", "angle_start");
    double to = crm_reference_number(reference, input, "input", "angle_end");
    carom_vec3 arm = crm_vec3(0.0, 0.0, -crm_reference_positive(reference, input, "input", "length"));
    carom_vec3 gravity = crm_vec3(0.0, 0.0, -crm_reference_number(reference, input, "input", "gravity"));
    carom_body body = {0};
    carom_joint joint = {0};
    if (crm_control_make_model(&c, gravity) && add_pendulum(&c, from, arm, &body, &joint)) {
        carom_control_def control = carom_control_def_default();
        carom_plan_condition end = end_of(body, crm_quat_from_axis_angle(hinge_axis, to), crm_vec3_zero());
        end.has_position = end.has_velocity = true;
        end.position = crm_quat_rotate(end.attitude, arm);
        control.kind = CAROM_CONTROL_MOTOR;
        control.joint = joint.index;
        plan.control = &control, plan.control_count = 1;
        plan.condition = &end, plan.condition_count = 1;
        // The best of several minima is told: the search begins there.
        const double *angles = crm_control_expected(&c, "angles", plan.intervals + 1);
        plan.guess = CAROM_GUESS_MOTION, plan.motion_count = plan.intervals + 1;
        if (angles != NULL) plan.motion = rotated_poses(&c, plan.motion_count, hinge_axis, angles, arm);
        if (crm_control_solve(&c, &plan)) compare_pendulum(&c, body, from);
    }
    crm_control_end(&c);
}
