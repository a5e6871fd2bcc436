// SPDX-License-Identifier: MIT
// What was asked of a plan: poses and velocities at nodes, boxes, directions, bodies that move as one, the time.
#include <math.h>

#include "control/certificate/plan_facts.h"
#include "math/quat.h"
#include "model/force/evaluate.h"

typedef struct asked {
    crm_plan_facts *facts;
    const carom_plan_condition *condition;
    int index, node, body, other; // -1: the world
} asked;

static void note(const asked *a, crm_plan_law law, double value, double unit) {
    crm_plan_violation v = {law, {a->body}, {a->other}, a->index, a->node, value, 0.0};
    crm_violation_note(a->facts, v, unit);
}

// Into the axes of the body that it is seen from.
static carom_vec3 seen(const asked *a, carom_vec3 v) {
    if (a->other < 0) return v;
    return crm_mat3_apply_t(a->facts->motion->attitude[crm_fact_at(a->facts, a->node, a->other)], v);
}

static carom_vec3 origin_seen(const asked *a) {
    carom_vec3 origin = crm_fact_origin(a->facts, a->node, a->body);
    if (a->other < 0) return origin;
    return seen(a, crm_sub(origin, crm_fact_origin(a->facts, a->node, a->other)));
}

// Attitude of the body's frame, from the nearest rotation of its directors.
static carom_quat frame_attitude(const crm_plan_facts *f, int node, int body) {
    return crm_quat_mul(f->at[crm_fact_at(f, node, body)].q, crm_quat_conjugate(crm_fact_body(f, body)->frame));
}

static void check_pose(const asked *a) {
    const carom_plan_condition *c = a->condition;
    crm_plan_facts *f = a->facts;
    if (c->has_position) note(a, CRM_LAW_POSITION, crm_distance(origin_seen(a), c->position), f->length);
    if (!c->has_attitude || crm_fact_body(f, a->body)->kind == CAROM_BODY_POINT) return;
    carom_quat q = frame_attitude(f, a->node, a->body);
    if (a->other >= 0) q = crm_quat_mul(crm_quat_conjugate(frame_attitude(f, a->node, a->other)), q);
    note(a, CRM_LAW_ATTITUDE, crm_quat_angle(q, crm_quat_normalised(c->attitude)), 1.0);
}

static void check_box(const asked *a) {
    const carom_plan_condition *c = a->condition;
    if (!c->has_box) return;
    // Of a box about another body the position is seen from that.
    carom_vec3 x = origin_seen(a);
    double beyond = 0.0;
    for (int i = 0; i < 3; i++) {
        beyond = fmax(beyond, crm_component(c->box_low, i) - crm_component(x, i));
        beyond = fmax(beyond, crm_component(x, i) - crm_component(c->box_high, i));
    }
    note(a, CRM_LAW_BOX, beyond, a->facts->length);
}

static void check_directions(const asked *a) {
    for (int i = 0; i < a->condition->direction_count; i++) {
        carom_vec3 axis, toward;
        (void)crm_normalise(a->condition->direction[i].axis, &axis);
        (void)crm_normalise(a->condition->direction[i].toward, &toward);
        axis = crm_mat3_apply(a->facts->motion->attitude[crm_fact_at(a->facts, a->node, a->body)], axis);
        double short_of = a->condition->direction[i].least - crm_dot(axis, toward);
        note(a, CRM_LAW_DIRECTION, fmax(short_of, 0.0), 1.0);
    }
}

// Velocities are those that the body arrives with, at the start those that it leaves with.
static crm_vec6 twist_of(const crm_plan_facts *f, int node, int body) {
    return crm_fact_twist(f, node, body, crm_fact_momenta_before(f, node, body));
}

static carom_vec3 origin_velocity(const crm_plan_facts *f, int node, int body, crm_vec6 twist) {
    carom_vec3 arm = crm_sub(crm_fact_origin(f, node, body), f->motion->position[crm_fact_at(f, node, body)]);
    return crm_add(twist.linear, crm_cross(twist.angular, arm));
}

// Of the last node what the motion ends with counts: what its joints still change there is in it.
static crm_vec6 asked_twist(const asked *a, int body) {
    const crm_plan_facts *f = a->facts;
    if (a->node < f->intervals) return twist_of(f, a->node, body);
    return crm_fact_twist(f, a->node, body, crm_fact_momenta_after(f, a->node, body));
}

static void check_velocity(const asked *a) {
    const carom_plan_condition *c = a->condition;
    crm_plan_facts *f = a->facts;
    if (!c->has_velocity && !c->has_spin && !c->together) return;
    crm_vec6 twist = asked_twist(a, a->body);
    carom_vec3 velocity = origin_velocity(f, a->node, a->body, twist);
    if (c->has_velocity) note(a, CRM_LAW_VELOCITY, crm_distance(velocity, c->velocity), f->length / f->time);
    if (c->has_spin) note(a, CRM_LAW_ANGULAR_VELOCITY, crm_distance(twist.angular, c->spin), 1.0 / f->time);
    if (!c->together) return;
    crm_vec6 other = a->other < 0 ? crm_vec6_zero() : asked_twist(a, a->other);
    carom_vec3 from = a->other < 0 ? crm_vec3_zero() : f->motion->position[crm_fact_at(f, a->node, a->other)];
    carom_vec3 arm = crm_sub(crm_fact_origin(f, a->node, a->body), from);
    carom_vec3 rigid = crm_add(other.linear, crm_cross(other.angular, arm));
    note(a, CRM_LAW_VELOCITY, crm_distance(velocity, rigid), f->length / f->time);
    if (crm_fact_body(f, a->body)->kind != CAROM_BODY_POINT)
        note(a, CRM_LAW_ANGULAR_VELOCITY, crm_distance(twist.angular, other.angular), 1.0 / f->time);
}

// ---- the start

static bool is_asked_at_start(const crm_plan_facts *f, int body) {
    for (int i = 0; i < f->def->condition_count; i++)
        if (f->def->condition[i].node == 0 && f->def->condition[i].body.index == body) return true;
    return false;
}

// A body of which nothing is asked at node 0 starts as the model does.
static void check_start(crm_plan_facts *f, int body) {
    const crm_motion *start = &f->start[body], *at = &f->at[crm_fact_at(f, 0, body)];
    const asked a = {f, NULL, -1, 0, body, -1};
    if (!crm_fact_moves(f, body) || is_asked_at_start(f, body)) return;
    note(&a, CRM_LAW_POSITION, crm_distance(at->x, start->x), f->length);
    crm_vec6 wanted = crm_fact_twist(f, 0, body, crm_vec6_of(start->p, start->l)), twist = twist_of(f, 0, body);
    note(&a, CRM_LAW_VELOCITY, crm_distance(wanted.linear, twist.linear), f->length / f->time);
    if (crm_fact_body(f, body)->kind == CAROM_BODY_POINT) return;
    note(&a, CRM_LAW_ATTITUDE, crm_quat_angle(at->q, start->q), 1.0);
    note(&a, CRM_LAW_ANGULAR_VELOCITY, crm_distance(wanted.angular, twist.angular), 1.0 / f->time);
}

// ---- what is given

static bool gives_pose(const crm_plan_facts *f, const carom_plan_condition *c) {
    bool rotates = crm_fact_body(f, c->body.index)->kind != CAROM_BODY_POINT;
    return c->has_position && (c->has_attitude || !rotates);
}

// `depth`: conditions that refer to each other in a ring give nothing.
static bool is_given(const crm_plan_facts *f, int node, int body, int depth) {
    if (!crm_fact_moves(f, body)) return true;
    if (node == 0 && !is_asked_at_start(f, body)) return true;
    for (int i = 0; i < f->def->condition_count && depth < f->bodies; i++) {
        const carom_plan_condition *c = &f->def->condition[i];
        if (c->body.index == body && crm_fact_node(f, c->node) == node && gives_pose(f, c) &&
            (c->relative_to.index < 0 || is_given(f, node, c->relative_to.index, depth + 1)))
            return true;
    }
    return false;
}

bool crm_pose_is_asked(const crm_plan_facts *f, int node, int a, int b) {
    for (int i = 0; i < f->def->condition_count; i++) {
        const carom_plan_condition *c = &f->def->condition[i];
        bool these =
            (c->body.index == a && c->relative_to.index == b) || (c->body.index == b && c->relative_to.index == a);
        if (these && crm_fact_node(f, c->node) == node && gives_pose(f, c)) return true;
    }
    return is_given(f, node, a, 0) && is_given(f, node, b, 0);
}

// ---- time

static void check_time(crm_plan_facts *f) {
    const carom_plan_def *def = f->def;
    double off = fabs(f->time - def->time), least = INFINITY;
    if (def->time_free) off = fmax(0.0, fmax(def->time_least - f->time, f->time - def->time_most));
    for (int k = 0; k < f->intervals; k++) least = fmin(least, f->motion->length[k]);
    crm_plan_violation v = {CRM_LAW_TIME, {-1}, {-1}, -1, f->intervals, least > 0.0 ? off : INFINITY, 0.0};
    crm_violation_note(f, v, def->time);
}

void crm_check_asked(crm_plan_facts *f) {
    check_time(f);
    for (int b = 0; b < f->bodies; b++) check_start(f, b);
    for (int i = 0; i < f->def->condition_count; i++) {
        const carom_plan_condition *c = &f->def->condition[i];
        const asked a = {f, c, i, crm_fact_node(f, c->node), c->body.index, c->relative_to.index};
        check_pose(&a);
        check_box(&a);
        check_directions(&a);
        check_velocity(&a);
    }
}
