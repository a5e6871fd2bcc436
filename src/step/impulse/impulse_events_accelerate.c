// SPDX-License-Identifier: MIT
// Forces of closed touches from accelerations, and what keeps these touches closed in spite of the integrator's errors.
#include <math.h>
#include <stdio.h>

#include "step/impulse/impulse_events.h"
#include "step/method.h"

// Accelerations are solved to this share of dp54's tolerance, but no further than they can be: what is left must vanish
// beside its errors.
static const double force_share = 1e-3, least_force_tolerance = 1e-13;
// Corrections are small themselves. Four corners of a block are one too many: their equations agree to rounding only.
static const double projection_tolerance = 1e-6, projection_softness = 1e-9;
enum { MOST_PROJECTIONS = 4 };

static const carom_row_group unilateral = {.law = CAROM_LAW_UNILATERAL, .rows = 1};

crm_answer crm_events_forces(crm_impulse_events *e, double time) {
    crm_callback_answer answer = crm_forces_evaluate_scope(e->model, &e->scope, time, e->motions, e->input, e->wrench,
                                                           e->active, e->state->passive);
    return crm_integrated_answer(e->model, &answer, time, e->report);
}

// Of bodies without touches.
static void accelerate_freely(crm_impulse_events *e) {
    for (int i = 0; i < e->scope.count; i++) {
        int b = e->scope.body[i];
        crm_vec6 wrench = e->wrench[b];
        if (e->model->bodies.items[b].kind == CAROM_BODY_FREE)
            wrench.angular = crm_sub(wrench.angular, crm_cross(e->twist[b].angular, e->motions[b].l));
        e->accelerated[b] = crm_events_response(e, b, wrench);
        e->contact[b] = crm_vec6_zero();
    }
}

static carom_vec3 across(carom_vec3 v, carom_vec3 normal) {
    return crm_madd(v, -crm_dot(normal, v), normal);
}

// The direction in which a sliding touch slips. The smaller a slip, the more it is the integrator's error, and the
// faster friction rotates it: one that is nearly over, or has just begun, goes over into its last direction, or that of
// its acceleration. Beyond its end it is mirrored, so that the end is seen coming.
static carom_vec3 slip_direction(const crm_touch *t) {
    carom_vec3 slip = across(t->velocity, t->geometry.normal), last = across(t->slip, t->geometry.normal), unit;
    double speed = fmax(crm_length(slip), t->noise);
    slip = crm_madd(slip, -2.0 * fmin(crm_dot(slip, last), 0.0), last);
    // Little of a small slip is left: its cube.
    double share = fmin(t->slip_known / speed, 1e6);
    slip = crm_madd(slip, fmax(t->slip_known - speed, 0.0) * share * share, last);
    return crm_normalise(slip, &unit) > 0.0 ? unit : crm_vec3_zero();
}

static carom_vec3 acceleration_of(const crm_impulse_events *e, const crm_touch *t) {
    return crm_point_velocity(t->geometry.point, &e->motions[t->a], &e->motions[t->b], e->accelerated[t->a],
                              e->accelerated[t->b]);
}

static bool add_touch(crm_impulse_events *e, const crm_touch *t, double normal_product, carom_vec3 product) {
    carom_vec3 n = t->geometry.normal, free = acceleration_of(e, t), frame[3] = {n};
    crm_tangents(n, &frame[1], &frame[2]);
    double offset[3] = {crm_dot(n, free) + normal_product};
    if (t->mode == CRM_TOUCH_STICKS && t->friction > 0.0) {
        carom_row_group cone = {.law = CAROM_LAW_CONE, .rows = 3, .friction = t->friction};
        double guess[3];
        for (int k = 0; k < 3; k++) guess[k] = crm_dot(frame[k], t->push);
        for (int k = 1; k < 3; k++) offset[k] = crm_dot(frame[k], crm_add(free, product));
        return crm_event_rows_add(e, t, cone, frame, frame, offset, guess);
    }
    carom_vec3 push = n;
    if (t->mode == CRM_TOUCH_SLIDES) push = crm_madd(n, -t->friction, slip_direction(t));
    double guess = fmax(crm_dot(n, t->push), 0.0);
    return crm_event_rows_add(e, t, unilateral, &n, &push, offset, &guess);
}

static void add_force(crm_impulse_events *e, int body, double force, crm_vec6 move, crm_vec6 push) {
    if (!crm_body_moves(e->model, body)) return;
    e->accelerated[body] = crm_vec6_madd(e->accelerated[body], force, move);
    e->contact[body] = crm_vec6_madd(e->contact[body], force, push);
}

static void take_forces(crm_impulse_events *e) {
    const crm_event_row *row = e->rows.rows.items;
    const double *force = e->rows.force.items;
    const carom_row_group *group = e->rows.groups.items;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->push = crm_vec3_zero();
        if (t->mode == CRM_TOUCH_OPEN) continue;
        for (int k = 0; k < group->rows; k++, row++, force++) {
            t->push = crm_madd(t->push, *force, row->push_b.linear);
            add_force(e, t->a, *force, row->move_a, row->push_a);
            add_force(e, t->b, *force, row->move_b, row->push_b);
        }
        group++;
    }
}

crm_answer crm_events_accelerate(crm_impulse_events *e, double time) {
    crm_events_twists(e);
    crm_answer answer = crm_events_forces(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    accelerate_freely(e);
    crm_events_evaluate_touches(e, true);
    crm_event_rows_clear(&e->rows);
    e->acceleration = crm_length(e->model->gravity);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        double normal;
        carom_vec3 product;
        crm_touch_products(e, t, &normal, &product);
        t->lift = normal, t->sideways = product; // for what follows the forces
        if (!add_touch(e, t, normal, product)) return crm_events_no_memory(e, "the forces of contacts");
    }
    for (int r = 0; r < e->rows.offset.count; r++)
        e->acceleration = fmax(e->acceleration, fabs(e->rows.offset.items[r]));
    carom_error error;
    double tolerance = fmax(force_share * fmin(e->def.relative_tolerance, 1e-6), least_force_tolerance);
    if (crm_event_rows_solve(e, tolerance, 0.0, true, &error) != CAROM_OK) {
        e->report->no_memory = error.status == CAROM_ERR_NO_MEMORY;
        return crm_events_stop(e, "at t = %.9g s %.150s; the method lcp, or a smaller friction, may go on", time,
                               error.text);
    }
    take_forces(e);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        carom_vec3 all = acceleration_of(e, t);
        t->lift += crm_dot(t->geometry.normal, all);
        t->sideways = across(crm_add(t->sideways, all), t->geometry.normal);
    }
    return CRM_ANSWER_GOOD;
}

// ---- projection

static void move_body(crm_impulse_events *e, int body, crm_vec6 by) {
    if (e->model->graph.link_of_body[body] < 0) return;
    crm_motion_displace(&e->motions[body], by, crm_length_squared(by.angular) != 0.0);
}

static void displace(crm_impulse_events *e) {
    for (int r = 0; r < e->rows.rows.count; r++) {
        const crm_event_row *row = &e->rows.rows.items[r];
        double force = e->rows.force.items[r];
        move_body(e, row->a, crm_vec6_scale(force, row->move_a));
        move_body(e, row->b, crm_vec6_scale(force, row->move_b));
    }
}

// One step of Newton's method on the gaps of closed touches. *worst: the largest before, in units of its resolution.
static crm_answer project_gaps(crm_impulse_events *e, double *worst) {
    static const carom_row_group equation = {.law = CAROM_LAW_EQUALITY, .rows = 1};
    *worst = 0.0;
    crm_event_rows_clear(&e->rows);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        *worst = fmax(*worst, fabs(t->geometry.gap) / t->resolution);
        if (!crm_event_rows_add(e, t, equation, &t->geometry.normal, &t->geometry.normal, &t->geometry.gap, NULL))
            return crm_events_no_memory(e, "the projection of contacts");
    }
    if (*worst <= 0.1) return CRM_ANSWER_GOOD;
    carom_error error;
    if (crm_event_rows_solve(e, projection_tolerance, projection_softness, false, &error) != CAROM_OK)
        return CRM_ANSWER_GOOD;
    displace(e);
    crm_events_evaluate_touches(e, true);
    return CRM_ANSWER_GOOD;
}

static crm_answer project_velocities(crm_impulse_events *e, double *sums) {
    crm_event_rows_clear(&e->rows);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        bool sticks = t->mode == CRM_TOUCH_STICKS && t->friction > 0.0;
        carom_vec3 frame[3] = {t->geometry.normal};
        crm_tangents(t->geometry.normal, &frame[1], &frame[2]);
        carom_row_group equations = {.law = CAROM_LAW_EQUALITY, .rows = sticks ? 3 : 1};
        double offset[3];
        for (int k = 0; k < 3; k++) offset[k] = crm_dot(frame[k], t->velocity);
        if (!crm_event_rows_add(e, t, equations, frame, frame, offset, NULL))
            return crm_events_no_memory(e, "the projection of contacts");
    }
    carom_error error;
    if (crm_event_rows_solve(e, projection_tolerance, projection_softness, false, &error) != CAROM_OK)
        return CRM_ANSWER_GOOD;
    int r = 0, g = 0;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        carom_vec3 impulse = crm_vec3_zero();
        for (int k = 0; k < e->rows.groups.items[g].rows; k++, r++)
            impulse = crm_madd(impulse, e->rows.force.items[r], e->rows.rows.items[r].push_b.linear);
        g++;
        crm_events_give(e, t, impulse, sums);
    }
    return CRM_ANSWER_GOOD;
}

crm_answer crm_events_project(crm_impulse_events *e, double *sums) {
    bool closed = false;
    for (int i = 0; i < e->touches.count; i++) closed = closed || e->touches.items[i].mode != CRM_TOUCH_OPEN;
    if (!closed) return CRM_ANSWER_GOOD;
    double worst = INFINITY, last;
    double residual = e->now.residual; // of corrections nobody asks for one
    crm_events_twists(e);
    crm_events_evaluate_touches(e, true);
    crm_answer answer = CRM_ANSWER_GOOD;
    for (int i = 0; i < MOST_PROJECTIONS && answer == CRM_ANSWER_GOOD && !crm_state_interrupted(e->state); i++) {
        last = worst;
        answer = project_gaps(e, &worst);
        if (worst <= 0.1 || worst > 0.5 * last) break;
    }
    crm_events_twists(e);
    crm_events_evaluate_touches(e, true);
    if (answer == CRM_ANSWER_GOOD) answer = project_velocities(e, sums);
    e->now.residual = residual;
    return answer;
}
