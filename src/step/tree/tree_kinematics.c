// SPDX-License-Identifier: MIT
#include "step/tree/tree_kinematics.h"

#include <math.h>

#include "math/so3.h"
#include "step/integrate/moser_veselov.h"

carom_mat3 crm_body_inertia(const crm_body *body, carom_quat q) {
    if (body->kind == CAROM_BODY_POINT) return crm_mat3_zero();
    carom_vec3 moments =
        body->kind == CAROM_BODY_PLANAR ? crm_vec3(body->inertia.z, body->inertia.z, body->inertia.z) : body->inertia;
    return crm_congruence_diagonal(crm_quat_to_mat3(q), moments);
}

carom_mat3 crm_kinetic_slope(carom_mat3 inertia, carom_quat rotation, double h) {
    carom_vec3 a = crm_quat_vector(rotation), ja = crm_mat3_apply(inertia, a);
    double s = rotation.w;
    carom_mat3 by_a = crm_mat3_add(crm_mat3_scale(s, inertia), crm_mat3_mul(crm_skew(a), inertia));
    by_a = crm_mat3_sub(by_a, crm_skew(ja));
    carom_mat3 by_rotation = crm_mat3_sub(crm_mat3_scale(s, by_a), crm_mat3_mul(by_a, crm_skew(a)));
    return crm_mat3_scale(1.0 / h, crm_mat3_sub(by_rotation, crm_outer(ja, a)));
}

// Columns of a root: the directions its kind moves in.
static void root_columns(carom_body_kind kind, crm_vec6 *column) {
    static const carom_vec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    bool planar = kind == CAROM_BODY_PLANAR;
    for (int k = 0; k < 3; k++) column[k] = crm_vec6_of(unit[k], crm_vec3_zero());
    if (planar) column[2] = crm_vec6_of(crm_vec3_zero(), unit[2]);
    for (int k = 0; kind == CAROM_BODY_FREE && k < 3; k++) column[3 + k] = crm_vec6_of(crm_vec3_zero(), unit[k]);
}

static void start_joint(const crm_joint *joint, bool reversed, const crm_motion *motions, crm_link_start *start,
                        crm_vec6 *column) {
    crm_joint_pose pose = crm_joint_evaluate(joint, motions);
    start->axes = pose.axes;
    start->parent_arm = reversed ? pose.arm_b : pose.arm_a;
    start->child_arm = reversed ? pose.arm_a : pose.arm_b;
    if (joint->angular->free == 1 || joint->angular->free == 2) joint->angular->axes(&pose.relation, start->axis);
    crm_joint_motion(joint, &pose, reversed, column);
}

void crm_tree_start(const carom_model *model, const crm_motion *motions, crm_link_start *start,
                    crm_tree_system *system) {
    const crm_joint_graph *graph = &model->graph;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        const crm_body *body = &model->bodies.items[link->body];
        start[i].inertia = crm_body_inertia(body, motions[link->body].q);
        crm_vec6 *column = system->left + link->first;
        if (link->joint < 0) {
            root_columns(body->kind, column);
            continue;
        }
        start_joint(&model->joints.items[link->joint], link->reversed, motions, &start[i], column);
        system->left_arm[i] = crm_sub(start[i].parent_arm, start[i].child_arm);
    }
}

static const crm_joint_config no_change = {.rotation = {1.0, 0.0, 0.0, 0.0}};

// The same for a root as crm_joint_config_step does for a joint.
static crm_joint_config root_step(carom_body_kind kind, const crm_joint_config *change, const double *step) {
    crm_joint_config next = *change;
    carom_vec3 rotation = crm_vec3_zero();
    if (kind == CAROM_BODY_PLANAR) rotation.z = step[2];
    if (kind == CAROM_BODY_FREE) rotation = crm_vec3(step[3], step[4], step[5]);
    for (int k = 0; k < (kind == CAROM_BODY_PLANAR ? 2 : 3); k++) next.slide[k] += step[k];
    next.rotation = crm_quat_normalised(crm_quat_mul(crm_so3_exp(rotation), change->rotation));
    return next;
}

static crm_joint_config link_step(const carom_model *model, const crm_tree_link *link, const crm_joint_config *change,
                                  const double *step) {
    if (link->joint < 0) return root_step(model->bodies.items[link->body].kind, change, step);
    return crm_joint_config_step(&model->joints.items[link->joint], change, step);
}

// Rates of the coordinates of a link that moves by `relative` seen from its parent: columns are orthonormal in the
// motion of B's origin, or in the spin.
static void rates_of(const crm_vec6 *column, int free, crm_vec6 relative, carom_vec3 child_arm, double *rate) {
    carom_vec3 origin = crm_add(relative.linear, crm_cross(relative.angular, child_arm));
    for (int k = 0; k < free; k++) {
        bool rotates = crm_length_squared(column[k].angular) > 0.0;
        rate[k] = rotates ? crm_dot(column[k].angular, relative.angular) : crm_dot(column[k].linear, origin);
    }
}

void crm_tree_guess(const carom_model *model, const crm_motion *motions, const crm_link_start *start,
                    const crm_tree_system *system, double h, crm_vec6 *twist, crm_joint_config *change) {
    const crm_joint_graph *graph = &model->graph;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        const crm_body *body = &model->bodies.items[link->body];
        const crm_motion *m = &motions[link->body];
        twist[i] = crm_vec6_of(crm_motion_velocity(body, m), crm_motion_spin(body, m));
        // A point has no spin of its own; nothing hangs on it but points.
        if (body->kind == CAROM_BODY_POINT && link->parent >= 0) twist[i].angular = twist[link->parent].angular;
        crm_vec6 relative = twist[i];
        if (link->parent >= 0)
            relative = crm_vec6_sub(relative, crm_motion_shift(twist[link->parent], system->left_arm[i]));
        double rate[6];
        rates_of(system->left + link->first, link->free, relative, start[i].child_arm, rate);
        for (int k = 0; k < link->free; k++) rate[k] *= h;
        change[i] = link_step(model, link, &no_change, rate);
    }
}

void crm_tree_correct(const carom_model *model, const crm_joint_config *change, double share, const double *w,
                      crm_joint_config *to) {
    const crm_joint_graph *graph = &model->graph;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        double step[6];
        for (int k = 0; k < link->free; k++) step[k] = -share * w[link->first + k];
        to[i] = link_step(model, link, &change[i], step);
    }
}

// ---- moves

// The rotation of B seen from A over the step, in A's axes, and A's angular axes at its end: those of the second angle
// are carried along by the first.
static carom_quat angular_change(const crm_joint *joint, const crm_link_start *start, const crm_joint_config *change,
                                 carom_vec3 axis[3]) {
    carom_quat first;
    switch (joint->angular->free) {
    case 0:
        return crm_quat_identity();
    case 1:
        axis[0] = start->axis[0];
        return crm_quat_from_axis_angle(axis[0], change->angle[0]);
    case 2:
        axis[0] = start->axis[0];
        first = crm_quat_from_axis_angle(axis[0], change->angle[0]);
        axis[1] = crm_quat_rotate(first, start->axis[1]);
        return crm_quat_mul(first, crm_quat_from_axis_angle(start->axis[1], change->angle[1]));
    default:
        for (int k = 0; k < 3; k++) axis[k] = crm_with_component(crm_vec3_zero(), k, 1.0);
        return change->rotation;
    }
}

// Of B's origin along A's axes, and these axes, which rest in A.
static carom_vec3 linear_change(const crm_joint *joint, const crm_joint_config *change, carom_vec3 axis[3]) {
    static const crm_joint_relation anywhere = {.rotation = {1.0, 0.0, 0.0, 0.0}};
    carom_vec3 offset = crm_vec3_zero();
    if (joint->linear->free > 0) joint->linear->axes(&anywhere, axis);
    for (int k = 0; k < joint->linear->free; k++) offset = crm_madd(offset, change->slide[k], axis[k]);
    return offset;
}

// The same rotation in world axes.
static carom_quat rotation_in(carom_mat3 axes, carom_quat rotation) {
    carom_vec3 v = crm_mat3_apply(axes, crm_quat_vector(rotation));
    return (carom_quat){rotation.w, v.x, v.y, v.z};
}

static crm_link_move move_root(const crm_joint_config *change) {
    return (crm_link_move){.displacement = crm_vec3(change->slide[0], change->slide[1], change->slide[2]),
                           .rotation = change->rotation};
}

// d_child = d_parent + (F_parent - 1) parent_arm - (F_child - 1) child_arm, and what slides along A's axes.
static crm_link_move move_joint(const crm_joint *joint, bool reversed, const crm_link_start *start,
                                const crm_joint_config *change, const crm_link_move *parent, crm_vec6 *column) {
    carom_vec3 axis[6];
    int n = joint->linear->free;
    carom_vec3 slide = crm_mat3_apply(start->axes, linear_change(joint, change, axis));
    carom_quat rotation = rotation_in(start->axes, angular_change(joint, start, change, axis + n));
    crm_link_move move = {.rotation =
                              crm_quat_mul(parent->rotation, reversed ? crm_quat_conjugate(rotation) : rotation)};
    carom_quat of_a = reversed ? move.rotation : parent->rotation;
    carom_vec3 by_parent = crm_rotated_by(parent->rotation, start->parent_arm);
    carom_vec3 by_child = crm_rotated_by(move.rotation, start->child_arm);
    carom_vec3 slid = crm_quat_rotate(of_a, slide);
    move.parent_arm = crm_add(start->parent_arm, by_parent);
    move.child_arm = crm_add(start->child_arm, by_child);
    move.displacement = crm_add(parent->displacement, crm_sub(by_parent, by_child));
    if (reversed) {
        move.child_arm = crm_add(move.child_arm, slid);
        move.displacement = crm_sub(move.displacement, slid);
    } else {
        move.parent_arm = crm_add(move.parent_arm, slid);
        move.displacement = crm_add(move.displacement, slid);
    }
    double sign = reversed ? -1.0 : 1.0;
    for (int k = 0; k < joint->free; k++) {
        carom_vec3 e = crm_scale(sign, crm_quat_rotate(of_a, crm_mat3_apply(start->axes, axis[k])));
        column[k] = k < n ? crm_vec6_of(e, crm_vec3_zero()) : crm_vec6_of(crm_cross(move.child_arm, e), e);
    }
    return move;
}

int crm_tree_move(const carom_model *model, const crm_link_start *start, const crm_joint_config *change,
                  crm_link_move *move, crm_tree_system *system) {
    static const crm_link_move at_rest = {.rotation = {1.0, 0.0, 0.0, 0.0}};
    const double largest_square = CRM_LARGEST_HALF_ROTATION * CRM_LARGEST_HALF_ROTATION;
    const crm_joint_graph *graph = &model->graph;
    int too_far = -1;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        const crm_link_move *parent = link->parent < 0 ? &at_rest : &move[link->parent];
        crm_vec6 *column = system->right + link->first;
        if (link->joint < 0) {
            move[i] = move_root(&change[i]);
            root_columns(model->bodies.items[link->body].kind, column);
        } else {
            const crm_joint *joint = &model->joints.items[link->joint];
            move[i] = move_joint(joint, link->reversed, &start[i], &change[i], parent, column);
            system->right_arm[i] = crm_sub(move[i].parent_arm, move[i].child_arm);
        }
        carom_quat rotation = move[i].rotation;
        bool fine = rotation.w > 0.0 && crm_length_squared(crm_quat_vector(rotation)) <= largest_square;
        if (!fine && too_far < 0) too_far = i;
    }
    return too_far;
}

// ---- poses

// Of unit length but for roundings, which a first-order correction takes away.
static carom_quat unit_product(carom_quat p, carom_quat q) {
    carom_quat r = crm_quat_mul(p, q);
    double scale = 1.5 - 0.5 * crm_quat_dot(r, r);
    return (carom_quat){scale * r.w, scale * r.x, scale * r.y, scale * r.z};
}

crm_joint_config crm_joint_config_after(const crm_joint_config *config, const crm_joint_config *change) {
    crm_joint_config after = {.rotation = unit_product(change->rotation, config->rotation)};
    for (int k = 0; k < 3; k++) after.slide[k] = config->slide[k] + change->slide[k];
    for (int k = 0; k < 2; k++) after.angle[k] = config->angle[k] + change->angle[k];
    return after;
}

void crm_tree_put(const carom_model *model, const crm_joint_config *change, crm_joint_config *configs,
                  crm_motion *motions) {
    const crm_joint_graph *graph = &model->graph;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        if (link->joint >= 0) {
            crm_joint_config *config = &configs[link->joint];
            *config = crm_joint_config_after(config, &change[i]);
            crm_joint_put_child(&model->joints.items[link->joint], config, link->reversed, motions);
            continue;
        }
        crm_motion *m = &motions[link->body];
        m->x = crm_add(m->x, crm_vec3(change[i].slide[0], change[i].slide[1], change[i].slide[2]));
        m->q = unit_product(change[i].rotation, m->q);
    }
}
