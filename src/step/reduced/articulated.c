// SPDX-License-Identifier: MIT
#include "step/reduced/articulated.h"

#include "base/fail.h"
#include "model/force/evaluate.h"

// Share of a pivot of S^T I S below which it is roundings of what was subtracted from it.
static const double least_pivot = 1e-15;

// Whether a link is a ball without rows that are held.
static bool is_plain_ball(const crm_articulated *tree, const crm_articulated_link *link) {
    if (link->joint == NULL || link->joint->linear->free > 0 || link->joint->angular->free != 3) return false;
    for (int r = 0; r < link->row_count; r++)
        if (tree->row[link->first_row + r].on) return false;
    return true;
}

static void connect(crm_articulated *tree, int index, int rows) {
    const carom_model *model = tree->model;
    const crm_tree_link *of = &model->graph.link[index];
    crm_articulated_link *link = &tree->link[index];
    *link = (crm_articulated_link){.tree = of, .body = &model->bodies.items[of->body], .first_row = tree->row_count};
    link->row_count = rows;
    tree->row_count += rows;
    if (of->joint >= 0) link->joint = &model->joints.items[of->joint];
    link->linear_free = link->joint != NULL ? link->joint->linear->free : link->body->kind == CAROM_BODY_PLANAR ? 2 : 3;
}

carom_status crm_articulated_create(const carom_model *model, const int *rows, crm_arena *arena, crm_articulated *tree,
                                    carom_error *error) {
    int links = model->graph.link_count, coordinates = model->graph.free_count;
    *tree = (crm_articulated){.model = model, .link_count = links};
    tree->link = CRM_ARENA_ZEROED(arena, crm_articulated_link, links);
    tree->column = CRM_ARENA_ZEROED(arena, crm_articulated_column, coordinates);
    tree->acceleration = CRM_ARENA_ZEROED(arena, double, coordinates);
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "articulated bodies", (size_t)links * sizeof *tree->link);
    for (int i = 0; i < links; i++) connect(tree, i, rows != NULL ? rows[i] : 0);
    tree->row = CRM_ARENA_ZEROED(arena, crm_articulated_row, tree->row_count);
    if (tree->row == NULL)
        return crm_fail_memory(error, "articulated bodies", (size_t)tree->row_count * sizeof *tree->row);
    for (int i = 0; i < links; i++) tree->link[i].plain_ball = is_plain_ball(tree, &tree->link[i]);
    return CAROM_OK;
}

// ---- motions

static void move_root(crm_articulated *tree, crm_articulated_link *link, const double *rate) {
    static const int components[][6] = {
        [CAROM_BODY_FREE] = {0, 1, 2, 3, 4, 5}, [CAROM_BODY_PLANAR] = {0, 1, 5}, [CAROM_BODY_POINT] = {0, 1, 2}};
    double twist[6] = {0.0};
    for (int k = 0; k < link->tree->free; k++) {
        int component = components[link->body->kind][k];
        twist[component] = rate[k];
        tree->column[link->tree->first + k].axis = crm_with_component(crm_vec3_zero(), component % 3, 1.0);
    }
    link->twist = crm_vec6_of(crm_vec3(twist[0], twist[1], twist[2]), crm_vec3(twist[3], twist[4], twist[5]));
    link->centre = link->offset = crm_vec3_zero();
    link->bias = crm_vec6_zero();
}

// The twist of the link before its own rates, about its own origin.
static crm_vec6 carried_twist(const crm_articulated *tree, const crm_articulated_link *link) {
    if (link->tree->parent < 0) return crm_vec6_zero();
    return crm_motion_shift(tree->link[link->tree->parent].twist, link->offset);
}

static void move_child(crm_articulated *tree, crm_articulated_link *link, const crm_joint_config *config,
                       const double *rate, crm_motion *motions) {
    const crm_joint *joint = link->joint;
    bool reversed = link->tree->reversed;
    double sign = reversed ? -1.0 : 1.0, height = motions[link->tree->body].x.z;
    crm_joint_pose place = crm_joint_put_child(joint, config, reversed, motions);
    if (link->body->kind == CAROM_BODY_PLANAR) motions[link->tree->body].x.z = height; // not even by roundings
    link->centre = crm_negate(reversed ? place.arm_a : place.arm_b);
    if (link->tree->parent >= 0)
        link->offset = crm_add(tree->link[link->tree->parent].centre, reversed ? place.arm_b : place.arm_a);
    link->axes = crm_mat3_scale(sign, place.axes);
    crm_vec6 carried = carried_twist(tree, link), twist = carried;
    if (link->plain_ball && link->row_count == 0) {
        twist.angular = crm_add(twist.angular, crm_mat3_apply(link->axes, crm_vec3(rate[0], rate[1], rate[2])));
    } else {
        carom_vec3 axis[6];
        crm_joint_axes(joint, &place, axis);
        for (int k = 0; k < joint->free; k++) {
            carom_vec3 *part = k < link->linear_free ? &twist.linear : &twist.angular;
            tree->column[link->tree->first + k].axis = crm_scale(sign, axis[k]);
            *part = crm_madd(*part, sign * rate[k], axis[k]);
        }
    }
    link->twist = twist;
    carom_vec3 wa = reversed ? twist.angular : carried.angular, wb = reversed ? carried.angular : twist.angular;
    link->bias = crm_vec6_scale(sign, crm_joint_origin_bias(joint, &place, wa, wb, rate));
}

// Momenta from the twist, and the inertia that goes with it.
static void give_momentum(crm_articulated_link *link, crm_motion *motion) {
    const crm_body *body = link->body;
    crm_vec6 twist = crm_articulated_at_centre(link, link->twist);
    motion->p = crm_wrench_projected(body->kind, crm_vec6_scale(body->mass, twist)).linear;
    if (body->kind == CAROM_BODY_FREE) {
        link->inertia = crm_congruence_diagonal(crm_quat_to_mat3(motion->q), body->inertia);
        motion->l = crm_mat3_apply(link->inertia, twist.angular);
        link->gyroscopic = crm_cross(twist.angular, motion->l);
    } else {
        link->inertia = crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->kind == CAROM_BODY_PLANAR ? body->inertia.z : 0.0));
        motion->l = crm_mat3_apply(link->inertia, twist.angular);
    }
}

void crm_articulated_move(crm_articulated *tree, const crm_joint_config *configs, const double *rate,
                          crm_motion *motions) {
    for (int i = 0; i < tree->link_count; i++) {
        crm_articulated_link *link = &tree->link[i];
        if (link->joint == NULL)
            move_root(tree, link, rate + link->tree->first);
        else
            move_child(tree, link, &configs[link->tree->joint], rate + link->tree->first, motions);
        give_momentum(link, &motions[link->tree->body]);
    }
}

// ---- inertias

// A [d]x
static carom_mat3 times_skew(carom_mat3 a, carom_vec3 d) {
    return crm_mat3_columns(crm_sub(crm_scale(d.z, a.y), crm_scale(d.y, a.z)),
                            crm_sub(crm_scale(d.x, a.z), crm_scale(d.z, a.x)),
                            crm_sub(crm_scale(d.y, a.x), crm_scale(d.x, a.y)));
}

// [d]x A
static carom_mat3 skew_times(carom_vec3 d, carom_mat3 a) {
    return crm_mat3_columns(crm_cross(d, a.x), crm_cross(d, a.y), crm_cross(d, a.z));
}

// Of the body alone about its link's origin: m 1, -m [c]x, I - m [c]x [c]x.
static crm_articulated_inertia of_body(const crm_articulated_link *link) {
    double m = link->body->mass;
    carom_vec3 mc = crm_scale(m, link->centre);
    carom_mat3 spread = skew_times(mc, crm_skew(link->centre));
    return (crm_articulated_inertia){crm_mat3_diagonal(crm_vec3(m, m, m)), crm_skew(crm_negate(mc)),
                                     crm_mat3_sub(link->inertia, spread)};
}

// What is left of a link, moved to its parent's origin: with d the way there and back,
// A, B - A [d]x, D - B^T [d]x + [d]x (B - A [d]x).
static void add_to_parent(const crm_articulated_link *link, crm_articulated_inertia *parent) {
    const crm_articulated_inertia *rest = &link->rest;
    carom_vec3 d = link->offset;
    carom_mat3 coupling = crm_mat3_scale(-1.0, times_skew(rest->linear, d));
    if (!link->plain_ball) {
        coupling = crm_mat3_add(rest->coupling, coupling);
        carom_mat3 rotated = crm_mat3_sub(rest->angular, times_skew(crm_mat3_transpose(rest->coupling), d));
        parent->angular = crm_mat3_add(parent->angular, rotated);
    }
    parent->linear = crm_mat3_add(parent->linear, rest->linear);
    parent->coupling = crm_mat3_add(parent->coupling, coupling);
    parent->angular = crm_mat3_add(parent->angular, skew_times(d, coupling));
}

// The inverse of a symmetric positive definite matrix; false when a pivot is roundings.
static bool invert(carom_mat3 a, carom_mat3 *inverse) {
    // L D L^T, from the first row on.
    double l10 = a.x.y / a.x.x, l20 = a.x.z / a.x.x;
    double d1 = a.y.y - l10 * a.x.y, e = a.y.z - l20 * a.x.y, l21 = e / d1;
    double d2 = a.z.z - l20 * a.x.z - l21 * e;
    if (!(a.x.x > 0.0 && d1 > least_pivot * a.y.y && d2 > least_pivot * a.z.z)) return false;
    double i0 = 1.0 / a.x.x, i1 = 1.0 / d1, i2 = 1.0 / d2, m20 = l10 * l21 - l20; // of L^-1
    double xz = m20 * i2, yz = -l21 * i2, xy = -l10 * i1 - l21 * xz;
    *inverse = crm_mat3_columns(crm_vec3(i0 + l10 * l10 * i1 + m20 * xz, xy, xz), crm_vec3(xy, i1 - l21 * yz, yz),
                                crm_vec3(xz, yz, i2));
    return true;
}

// With all rotations free, no moment passes: A - B D^-1 B^T is left.
static bool factor_ball(crm_articulated_link *link) {
    crm_articulated_inertia *rest = &link->rest;
    carom_mat3 inverse;
    if (!invert(rest->angular, &inverse)) return false;
    carom_mat3 ratio = crm_mat3_mul(rest->coupling, inverse);
    rest->linear = crm_mat3_sub(rest->linear, crm_mat3_mul_nt(ratio, rest->coupling));
    rest->coupling = ratio;
    rest->angular = inverse;
    return true;
}

int crm_articulated_factor(crm_articulated *tree) {
    for (int i = 0; i < tree->link_count; i++) {
        tree->link[i].plain_ball = is_plain_ball(tree, &tree->link[i]);
        tree->link[i].rest = of_body(&tree->link[i]);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        crm_articulated_link *link = &tree->link[i];
        if (!(link->plain_ball ? factor_ball(link) : crm_articulated_columns_factor(tree, link))) return i;
        if (link->tree->parent >= 0) add_to_parent(link, &tree->link[link->tree->parent].rest);
    }
    return -1;
}

// ---- accelerations

// What the force p of a ball becomes when its own acceleration is gone; link->acceleration.angular is that for a
// parent at rest.
static void begin_ball(crm_articulated_link *link, const double *force) {
    carom_vec3 moment = crm_vec3_zero();
    if (force != NULL) {
        const double *f = force + link->tree->first;
        moment = crm_mat3_apply(link->axes, crm_vec3(f[0], f[1], f[2]));
    }
    carom_vec3 driving = crm_sub(moment, link->force.angular);
    link->acceleration.angular = crm_mat3_apply(link->rest.angular, driving);
    link->force = crm_vec6_of(crm_add(link->force.linear, crm_mat3_apply(link->rest.coupling, driving)), moment);
}

static void end_ball(crm_articulated *tree, crm_articulated_link *link, crm_vec6 carried) {
    carom_vec3 angular = crm_sub(link->acceleration.angular, crm_mat3_apply_t(link->rest.coupling, carried.linear));
    carom_vec3 own = crm_mat3_apply_t(link->axes, crm_sub(angular, carried.angular));
    double *out = tree->acceleration + link->tree->first;
    out[0] = own.x, out[1] = own.y, out[2] = own.z;
    link->acceleration = crm_vec6_of(carried.linear, angular);
    link->force.linear = crm_add(link->force.linear, crm_mat3_apply(link->rest.linear, carried.linear));
}

static crm_vec6 apply(const crm_articulated_link *link, crm_vec6 motion) {
    const crm_articulated_inertia *i = &link->rest;
    if (link->plain_ball) return crm_vec6_of(crm_mat3_apply(i->linear, motion.linear), crm_vec3_zero());
    return crm_vec6_of(
        crm_add(crm_mat3_apply(i->linear, motion.linear), crm_mat3_apply(i->coupling, motion.angular)),
        crm_add(crm_mat3_apply_t(i->coupling, motion.linear), crm_mat3_apply(i->angular, motion.angular)));
}

// From the forces p of the bodies alone, in link->force, to accelerations and forces of joints.
static void solve(crm_articulated *tree, const double *force, bool moving) {
    for (int i = tree->link_count - 1; i >= 0; i--) {
        crm_articulated_link *link = &tree->link[i];
        if (link->plain_ball)
            begin_ball(link, force);
        else
            crm_articulated_columns_begin(tree, link, force);
        if (link->tree->parent < 0) continue;
        crm_vec6 *parent = &tree->link[link->tree->parent].force;
        crm_vec6 passed = moving ? crm_vec6_add(link->force, apply(link, link->bias)) : link->force;
        *parent = crm_vec6_add(*parent, crm_force_shift(passed, crm_negate(link->offset)));
    }
    for (int i = 0; i < tree->link_count; i++) {
        crm_articulated_link *link = &tree->link[i];
        crm_vec6 carried = moving ? link->bias : crm_vec6_zero();
        if (link->tree->parent >= 0)
            carried =
                crm_vec6_add(carried, crm_motion_shift(tree->link[link->tree->parent].acceleration, link->offset));
        if (link->plain_ball)
            end_ball(tree, link, carried);
        else
            crm_articulated_columns_end(tree, link, carried);
        // What a planar body does not admit is carried by its plane, not by its joint.
        if (link->body->kind != CAROM_BODY_FREE) link->force = crm_wrench_projected(link->body->kind, link->force);
    }
}

void crm_articulated_accelerate(crm_articulated *tree, const crm_vec6 *wrench, const double *force) {
    for (int i = 0; i < tree->link_count; i++) {
        crm_articulated_link *link = &tree->link[i];
        crm_vec6 w = wrench[link->tree->body];
        if (link->body->kind == CAROM_BODY_FREE) w.angular = crm_sub(w.angular, link->gyroscopic);
        link->force = crm_vec6_negate(crm_force_shift(w, crm_negate(link->centre)));
    }
    solve(tree, force, true);
}

void crm_articulated_impact(crm_articulated *tree) {
    for (int i = 0; i < tree->link_count; i++) tree->link[i].force = crm_vec6_zero();
    solve(tree, NULL, false);
}
