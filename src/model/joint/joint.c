// SPDX-License-Identifier: MIT
// A joint's two components carried from frame A to the twists of its bodies.
//
// With s = arm_a and r = arm_b, the arms of both centres of mass to B's origin, and e a direction fixed in A:
//   d(offset)/dt . e = e . (v_b + w_b x r - v_a - w_a x s)
// which is the velocity of B's origin seen by an observer on a, and its derivative at constant twists
//   e . (w_b x (w_b x r) - w_a x (w_a x s) - 2 w_a x R_A d(offset)/dt)                        (docs/math.md 8.2)
// with the Coriolis term. The relative spin u has the derivative -R_A^T (w_a x w_b).
#include "model/joint/joint.h"

#include "math/so3.h"

static const double pi = 3.14159265358979323846;

// ---- poses and twists

typedef struct side_pose {
    carom_vec3 centre, arm; // of the body; from there to the frame's origin
    carom_quat rotation;    // frame to world
} side_pose;

static side_pose evaluate_side(const crm_joint_side *side, const crm_motion *motions) {
    if (side->body < 0) return (side_pose){crm_vec3_zero(), side->at, side->rotation};
    const crm_motion *m = &motions[side->body];
    return (side_pose){m->x, crm_quat_rotate(m->q, side->at), crm_quat_mul(m->q, side->rotation)};
}

crm_joint_pose crm_joint_evaluate(const crm_joint *joint, const crm_motion *motions) {
    side_pose a = evaluate_side(&joint->a, motions), b = evaluate_side(&joint->b, motions);
    crm_joint_pose pose = {.axes = crm_quat_to_mat3(a.rotation), .arm_b = b.arm};
    // Centres first: their difference is of the size of the joint, wherever it is in the world.
    pose.arm_a = crm_add(crm_sub(b.centre, a.centre), b.arm);
    pose.relation.offset = crm_mat3_apply_t(pose.axes, crm_sub(pose.arm_a, a.arm));
    pose.relation.rotation = crm_quat_mul(crm_quat_conjugate(a.rotation), b.rotation);
    return pose;
}

static crm_vec6 twist_of(const carom_model *model, int body, const crm_motion *motions) {
    if (body < 0) return crm_vec6_zero();
    const crm_body *b = &model->bodies.items[body];
    return crm_vec6_of(crm_motion_velocity(b, &motions[body]), crm_motion_spin(b, &motions[body]));
}

crm_joint_twists crm_joint_twists_of(const carom_model *model, const crm_joint *joint, const crm_motion *motions) {
    return (crm_joint_twists){twist_of(model, joint->a.body, motions), twist_of(model, joint->b.body, motions)};
}

// Rates of the two components, in A's axes, and their derivatives at constant twists.
typedef struct component_rates {
    carom_vec3 linear, angular;
    carom_vec3 linear_rate, angular_rate;
} component_rates;

static component_rates rates_of(const crm_joint_pose *pose, const crm_joint_twists *t) {
    carom_vec3 wa = t->a.angular, wb = t->b.angular;
    carom_vec3 around_a = crm_cross(wa, pose->arm_a), around_b = crm_cross(wb, pose->arm_b);
    carom_vec3 velocity = crm_sub(crm_add(t->b.linear, around_b), crm_add(t->a.linear, around_a));
    carom_vec3 second = crm_sub(crm_cross(wb, around_b), crm_cross(wa, around_a));
    second = crm_madd(second, -2.0, crm_cross(wa, velocity));
    return (component_rates){crm_mat3_apply_t(pose->axes, velocity), crm_mat3_apply_t(pose->axes, crm_sub(wb, wa)),
                             crm_mat3_apply_t(pose->axes, second), crm_mat3_apply_t(pose->axes, crm_cross(wb, wa))};
}

// ---- rows

static crm_joint_row linear_row(const crm_joint_pose *pose, carom_vec3 gradient) {
    carom_vec3 e = crm_mat3_apply(pose->axes, gradient);
    return (crm_joint_row){crm_vec6_of(crm_negate(e), crm_cross(e, pose->arm_a)),
                           crm_vec6_of(e, crm_cross(pose->arm_b, e))};
}

static crm_joint_row angular_row(const crm_joint_pose *pose, carom_vec3 gradient) {
    carom_vec3 g = crm_mat3_apply(pose->axes, gradient);
    return (crm_joint_row){crm_vec6_of(crm_vec3_zero(), crm_negate(g)), crm_vec6_of(crm_vec3_zero(), g)};
}

// Residuals and gradients of both components, in A's axes.
static void component_rows(const crm_joint *joint, const crm_joint_pose *pose, double residual[6],
                           carom_vec3 gradient[6]) {
    int n = joint->linear->blocked;
    if (n > 0) joint->linear->rows(joint, &pose->relation, residual, gradient);
    if (joint->angular->blocked > 0) joint->angular->rows(joint, &pose->relation, residual + n, gradient + n);
}

void crm_joint_rows(const crm_joint *joint, const crm_joint_pose *pose, double residual[6], crm_joint_row row[6]) {
    carom_vec3 gradient[6];
    component_rows(joint, pose, residual, gradient);
    for (int k = 0; row != NULL && k < joint->rows; k++)
        row[k] = k < joint->linear->blocked ? linear_row(pose, gradient[k]) : angular_row(pose, gradient[k]);
}

static void add_curvature(const crm_joint *joint, const crm_joint_component *component,
                          const crm_joint_relation *relation, carom_vec3 rate, double *product) {
    if (component->curvature == NULL) return;
    double curvature[3];
    component->curvature(joint, relation, rate, curvature);
    for (int k = 0; k < component->blocked; k++) product[k] += curvature[k];
}

void crm_joint_products(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                        double product[6]) {
    double residual[6];
    carom_vec3 gradient[6];
    component_rows(joint, pose, residual, gradient);
    component_rates rates = rates_of(pose, twists);
    int n = joint->linear->blocked;
    for (int k = 0; k < joint->rows; k++)
        product[k] = crm_dot(gradient[k], k < n ? rates.linear_rate : rates.angular_rate);
    add_curvature(joint, joint->linear, &pose->relation, rates.linear, product);
    add_curvature(joint, joint->angular, &pose->relation, rates.angular, product + n);
}

crm_vec6 crm_joint_reaction(const crm_joint *joint, const crm_joint_pose *pose, const double *multiplier) {
    double residual[6];
    carom_vec3 gradient[6];
    component_rows(joint, pose, residual, gradient);
    crm_vec6 sum = crm_vec6_zero();
    for (int k = 0; k < joint->rows; k++) {
        carom_vec3 *component = k < joint->linear->blocked ? &sum.linear : &sum.angular;
        *component = crm_madd(*component, multiplier[k], crm_mat3_apply(pose->axes, gradient[k]));
    }
    return sum;
}

void crm_joint_drift(const crm_joint *joint, const crm_joint_pose *pose, double *linear, double *angular) {
    double residual[6], square[2] = {0.0, 0.0};
    crm_joint_rows(joint, pose, residual, NULL);
    for (int k = 0; k < joint->rows; k++) square[k >= joint->linear->blocked] += residual[k] * residual[k];
    *linear = sqrt(square[0]);
    *angular = sqrt(square[1]);
}

// ---- motion subspace

// The free directions of both components, in A's axes.
static void component_axes(const crm_joint *joint, const crm_joint_pose *pose, carom_vec3 axis[6]) {
    if (joint->linear->free > 0) joint->linear->axes(&pose->relation, axis);
    if (joint->angular->free > 0) joint->angular->axes(&pose->relation, axis + joint->linear->free);
}

void crm_joint_rates(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                     double rate[6]) {
    carom_vec3 axis[6];
    component_axes(joint, pose, axis);
    component_rates rates = rates_of(pose, twists);
    for (int k = 0; k < joint->free; k++)
        rate[k] = crm_dot(axis[k], k < joint->linear->free ? rates.linear : rates.angular);
}

// The same motion about the other centre of mass: X for a child b, its inverse for a child a.
static crm_vec6 about_a(const crm_joint_pose *pose, crm_vec6 about_b) {
    return crm_motion_shift(about_b, crm_sub(pose->arm_b, pose->arm_a));
}

void crm_joint_axes(const crm_joint *joint, const crm_joint_pose *pose, carom_vec3 axis[6]) {
    component_axes(joint, pose, axis);
    for (int k = 0; k < joint->free; k++) axis[k] = crm_mat3_apply(pose->axes, axis[k]);
}

void crm_joint_motion(const crm_joint *joint, const crm_joint_pose *pose, bool reversed, crm_vec6 column[6]) {
    carom_vec3 axis[6];
    crm_joint_axes(joint, pose, axis);
    for (int k = 0; k < joint->free; k++) {
        carom_vec3 e = axis[k];
        column[k] =
            k < joint->linear->free ? crm_vec6_of(e, crm_vec3_zero()) : crm_vec6_of(crm_cross(pose->arm_b, e), e);
        if (reversed) column[k] = crm_vec6_negate(about_a(pose, column[k]));
    }
}

crm_vec6 crm_joint_origin_bias(const crm_joint *joint, const crm_joint_pose *pose, carom_vec3 wa, carom_vec3 wb,
                               const double *rate) {
    carom_vec3 spin = crm_cross(wa, wb); // w_a x (relative spin)
    if (joint->angular->axes_rate != NULL) {
        carom_vec3 moved = joint->angular->axes_rate(&pose->relation, rate + joint->linear->free);
        spin = crm_add(spin, crm_mat3_apply(pose->axes, moved));
    }
    // Of B's origin as seen on a, less what it has on b. The linear axes rest in A.
    carom_vec3 linear = crm_cross(wa, crm_cross(wa, pose->arm_a));
    linear = crm_sub(linear, crm_cross(wb, crm_cross(wb, pose->arm_b)));
    if (joint->linear->free > 0) {
        carom_vec3 axis[3], velocity = crm_vec3_zero();
        joint->linear->axes(&pose->relation, axis);
        for (int k = 0; k < joint->linear->free; k++) velocity = crm_madd(velocity, rate[k], axis[k]);
        linear = crm_madd(linear, 2.0, crm_cross(wa, crm_mat3_apply(pose->axes, velocity)));
    }
    return crm_vec6_of(linear, spin);
}

// ---- coordinates

// The angle that differs from `angle` by full rotations and is nearest to `previous`.
static double nearest_revolution(double angle, double previous) {
    return angle + 2.0 * pi * nearbyint((previous - angle) / (2.0 * pi));
}

crm_joint_config crm_joint_config_of(const crm_joint *joint, const crm_joint_pose *pose,
                                     const crm_joint_config *previous) {
    crm_joint_config config = {.rotation = crm_quat_identity()};
    joint->linear->to_config(&pose->relation, &config);
    joint->angular->to_config(&pose->relation, &config);
    for (int k = 0; previous != NULL && k < 2; k++)
        config.angle[k] = nearest_revolution(config.angle[k], previous->angle[k]);
    return config;
}

crm_joint_config crm_joint_config_step(const crm_joint *joint, const crm_joint_config *config, const double *step) {
    crm_joint_config next = *config;
    int n = joint->linear->free;
    for (int k = 0; k < n; k++) next.slide[k] += step[k];
    if (joint->angular->free == 3)
        next.rotation = crm_quat_normalised(
            crm_quat_mul(crm_so3_exp(crm_vec3(step[n], step[n + 1], step[n + 2])), config->rotation));
    else
        for (int k = 0; k < joint->angular->free; k++) next.angle[k] += step[n + k];
    return next;
}

// Of a product of unit quaternions, whose length is off by roundings: one step of Newton's iteration for 1/|q|.
static carom_quat renormalised(carom_quat q) {
    double scale = 1.5 - 0.5 * crm_quat_dot(q, q);
    return (carom_quat){scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

// The arm of the body of `side` whose frame has the attitude `rotation`; rotates the body, but a point keeps its
// attitude.
static carom_vec3 rotate_body(const crm_joint_side *side, carom_quat rotation, bool is_point, crm_motion *m) {
    if (!is_point) m->q = renormalised(crm_quat_mul(rotation, crm_quat_conjugate(side->rotation)));
    return crm_quat_rotate(m->q, side->at);
}

crm_joint_pose crm_joint_put_child(const crm_joint *joint, const crm_joint_config *config, bool reversed,
                                   crm_motion *motions) {
    crm_joint_pose pose;
    joint->linear->from_config(config, &pose.relation);
    joint->angular->from_config(config, &pose.relation);
    bool is_point = joint->angular == &crm_joint_no_rotation;
    const crm_joint_side *side = reversed ? &joint->a : &joint->b;
    crm_motion *child = &motions[side->body];
    side_pose parent = evaluate_side(reversed ? &joint->b : &joint->a, motions);
    carom_quat rotation = parent.rotation; // of frame A
    if (reversed)
        rotation = is_point ? crm_quat_mul(child->q, side->rotation)
                            : crm_quat_mul(rotation, crm_quat_conjugate(pose.relation.rotation));
    pose.axes = crm_quat_to_mat3(rotation);
    carom_vec3 arm =
        rotate_body(side, reversed ? rotation : crm_quat_mul(rotation, pose.relation.rotation), is_point, child);
    carom_vec3 offset = crm_mat3_apply(pose.axes, pose.relation.offset);
    pose.arm_a = crm_add(reversed ? arm : parent.arm, offset);
    pose.arm_b = reversed ? parent.arm : arm;
    carom_vec3 way = crm_sub(pose.arm_a, pose.arm_b);
    child->x = reversed ? crm_sub(parent.centre, way) : crm_add(parent.centre, way);
    return pose;
}

void crm_joint_values(const crm_joint *joint, const crm_joint_config *config, double value[6]) {
    int n = joint->linear->free;
    for (int k = 0; k < n; k++) value[k] = config->slide[k];
    carom_vec3 rotation = joint->angular->free == 3 ? crm_so3_log(config->rotation) : crm_vec3_zero();
    for (int k = 0; k < joint->angular->free; k++)
        value[n + k] = joint->angular->free == 3 ? crm_component(rotation, k) : config->angle[k];
}

void crm_joint_rate_rows(const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]) {
    carom_vec3 axis[6];
    component_axes(joint, pose, axis);
    for (int k = 0; k < joint->free; k++)
        row[k] = k < joint->linear->free ? linear_row(pose, axis[k]) : angular_row(pose, axis[k]);
}

void crm_joint_value_rows(const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]) {
    crm_joint_rate_rows(joint, pose, row);
    if (joint->angular->free != 3) return;
    // The rotation vector is what a locked joint keeps at zero.
    double residual[3];
    carom_vec3 gradient[3];
    crm_joint_locked.rows(joint, &pose->relation, residual, gradient);
    for (int k = 0; k < 3; k++) row[joint->linear->free + k] = angular_row(pose, gradient[k]);
}

void crm_joint_value_products(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                              double product[6]) {
    carom_vec3 axis[6];
    component_axes(joint, pose, axis);
    component_rates rates = rates_of(pose, twists);
    int n = joint->linear->free;
    // An axis that moves, as the second of a universal joint, rotates with u: axis . u keeps its derivative axis .
    // du/dt.
    for (int k = 0; k < joint->free; k++) product[k] = crm_dot(axis[k], k < n ? rates.linear_rate : rates.angular_rate);
    if (joint->angular->free != 3) return;
    double residual[3];
    carom_vec3 gradient[3];
    crm_joint_locked.rows(joint, &pose->relation, residual, gradient);
    for (int k = 0; k < 3; k++) product[n + k] = crm_dot(gradient[k], rates.angular_rate);
    add_curvature(joint, &crm_joint_locked, &pose->relation, rates.angular, product + n);
}
