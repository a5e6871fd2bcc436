// SPDX-License-Identifier: MIT
// Events: how far the next one is, and what changes there.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "step/impulse/impulse_events.h"

// Velocities are known to this share of those of the bodies.
static const double speed_resolution = 1e-13;
// At an event velocities along the normal have ended up to this many resolutions, and slips up to so many. Where a slip
// is seen to end, that of other points of the same bodies counts as ended within so many tolerances of the integrator:
// as slip gets small, friction against rotation gets stiff.
static const double approach_ends = 4.0, slip_ends = 1e3, slip_tolerances = 100.0;
// Lift and slip begin with this share of the accelerations, which are solved to less.
static const double acceleration_resolution = 1e-9;
// Nearest points whose normals are closer to each other than this cosine are on one side of a body.
static const double same_side = 0.9;
// What an event was found for is at least this share of its resolution beyond zero (integrator.c aims at half of it).
static const double seen = 0.4;

static carom_vec3 across(carom_vec3 v, carom_vec3 normal) {
    return crm_madd(v, -crm_dot(normal, v), normal);
}

static double gap_rate(const crm_touch *t) {
    return crm_dot(t->geometry.normal, t->velocity);
}

static void find_noise(crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        double speed = crm_length(e->model->gravity) * e->def.step;
        for (int k = 0; k < 2; k++) {
            int body = k == 0 ? t->a : t->b;
            if (e->model->graph.link_of_body[body] < 0) continue;
            double arm = crm_distance(t->geometry.point, e->motions[body].x);
            speed = fmax(speed, crm_length(e->twist[body].linear) + arm * crm_length(e->twist[body].angular));
        }
        t->noise = speed_resolution * speed;
        t->slip_known = fmax(slip_ends * t->noise, slip_tolerances * e->def.relative_tolerance * speed);
    }
}

// ---- how far the next event is

// The least gap on the way from the last state that was arrived at, `time` ago: a touch that closed and opened again in
// between must not be missed. By the cubic of both gaps and both rates.
static double least_gap(const crm_touch *t, double time) {
    double rate = gap_rate(t), gap = t->geometry.gap;
    if (!(time > 0.0) || !(t->start_rate < 0.0 && rate > 0.0)) return gap;
    double m0 = time * t->start_rate, m1 = time * rate, fall = t->start_gap - gap;
    double a = 2.0 * fall + m0 + m1, b = -3.0 * fall - 2.0 * m0 - m1, root = b * b - 3.0 * a * m0;
    if (!(root >= 0.0)) return gap;
    double below = b + sqrt(root), s = below != 0.0 ? -m0 / below : 0.0;
    if (!(s > 0.0 && s < 1.0)) return gap;
    return fmin(gap, t->start_gap + s * (m0 + s * (b + s * a)));
}

// A body that has gone through another one, or past it where it is thin, has a gap again, on another side: no cubic
// knows of that. It is looked for where the nearest points could have met, and their normal has rotated by much.
static bool passes(const crm_impulse_events *e, const crm_touch *t, double since) {
    if (t->kind != CRM_TOUCH_NEAREST || !(since > 0.0) || !(t->start_rate < 0.0 && gap_rate(t) > 0.0)) return false;
    double approach = fmax(-t->start_rate, gap_rate(t));
    if (!(t->start_gap < 2.0 * approach * since) || crm_dot(t->start_normal, t->geometry.normal) > same_side)
        return false;
    return crm_events_passed(e, t, since);
}

static double margin_of(const crm_impulse_events *e, const crm_touch *t, double since) {
    if (t->mode == CRM_TOUCH_OPEN && !t->watched) return INFINITY;
    if (t->mode == CRM_TOUCH_OPEN) {
        double least = least_gap(t, since) + t->depth;
        if (least > 0.0 && passes(e, t, since)) least = -least;
        return least / t->resolution;
    }
    double bound = acceleration_resolution * e->acceleration, margin = -t->lift / bound;
    if (t->friction == 0.0) return margin;
    if (t->mode == CRM_TOUCH_STICKS) return fmin(margin, -crm_length(t->sideways) / bound);
    return fmin(margin, crm_dot(t->velocity, t->slip) / t->noise);
}

double crm_events_margin(void *context, double time, const double *y) {
    crm_impulse_events *e = context;
    size_t bytes = (size_t)crm_ivp_state_size(&e->links.ivp) * sizeof *y;
    if (!e->asked_known || memcmp(e->asked, y, bytes) != 0) {
        if (crm_events_rate(e, time, y, e->scratch) != CRM_ANSWER_GOOD) return INFINITY;
    }
    double least = INFINITY;
    crm_events_evaluate_touches(e, false);
    for (int i = 0; i < e->touches.count; i++)
        least = fmin(least, margin_of(e, &e->touches.items[i], time - e->arrived));
    return least;
}

// ---- arriving

// What margins are measured from.
static void remember_start(crm_impulse_events *e, double time, const double *y) {
    e->arrived = time;
    memcpy(e->arrived_y, y, (size_t)crm_ivp_state_size(&e->links.ivp) * sizeof *y);
    memcpy(e->from, e->motions, (size_t)e->model->bodies.count * sizeof *e->motions);
    crm_events_twists(e);
    crm_events_evaluate_touches(e, false);
    crm_events_mark_closed(e);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->start_gap = t->geometry.gap;
        t->start_rate = gap_rate(t);
        t->start_normal = t->geometry.normal;
        t->depth = fmax(-t->geometry.gap, 0.0);
        // A corner beyond the border of a facet may well be below its plane.
        if (!t->closed && t->geometry.gap < -t->resolution) t->watched = false;
        carom_vec3 slip;
        double speed = crm_normalise(across(t->velocity, t->geometry.normal), &slip);
        if (t->mode == CRM_TOUCH_SLIDES && speed > t->slip_known) t->slip = slip;
    }
}

// Forces of closed touches between the two states: their impulses for the table of contacts.
static void add_impulses(crm_impulse_events *e, double time) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        t->impulse = crm_madd(t->impulse, 0.5 * (time - e->arrived), crm_add(t->start_push, t->push));
    }
}

// Facets end: where a corner on one slides over its border is seen when touches are listed.
static bool on_facets(const crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++)
        if (e->touches.items[i].guard && !e->touches.items[i].watched) return true;
    return false;
}

static crm_answer list(crm_impulse_events *e, double time) {
    carom_error error;
    if (crm_events_list_touches(e, time, &error) == CAROM_OK) return CRM_ANSWER_GOOD;
    e->report->no_memory = error.status == CAROM_ERR_NO_MEMORY;
    return crm_events_stop(e, "contacts at t = %.9g s: %.200s", time, error.text);
}

crm_answer crm_events_end_substep(void *context, double time, double *y) {
    crm_impulse_events *e = context;
    if (e->asked_known) add_impulses(e, time);
    crm_link_problem_unpack(&e->links, y, e->motions);
    crm_answer answer = crm_events_project(e, crm_link_problem_sums(&e->links, y));
    if (answer == CRM_ANSWER_GOOD && (on_facets(e) || !crm_events_list_covers(e, 0.5))) answer = list(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    crm_events_note_ways(e);
    crm_link_problem_pack(&e->links, e->motions, y);
    e->asked_known = false;
    remember_start(e, time, y);
    return CRM_ANSWER_GOOD;
}

// ---- events

static bool slip_is_over(const crm_touch *t) {
    return t->mode == CRM_TOUCH_SLIDES && crm_dot(t->velocity, t->slip) < -seen * t->noise;
}

// Of a touch, and of others of the same two bodies.
static bool slip_ends_at(const crm_impulse_events *e, int touch) {
    const crm_touch *all = e->touches.items, *t = &all[touch];
    bool over = false;
    for (int i = touch; !over && i >= 0 && all[i].a == t->a && all[i].b == t->b; i--) over = slip_is_over(&all[i]);
    for (int i = touch; !over && i < e->touches.count && all[i].a == t->a && all[i].b == t->b; i++)
        over = slip_is_over(&all[i]);
    return over;
}

static void find_ends(crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++) e->touches.items[i].slip_ends = slip_ends_at(e, i);
}

// Closed touches that separate, but are pressed together before that can be told from rest, rest.
static void sort_touch(const crm_impulse_events *e, crm_touch *t) {
    carom_vec3 slip;
    bool rests = t->closed && fabs(gap_rate(t)) <= fmax(approach_ends * t->noise, crm_events_rest_speed(e, t));
    double speed = crm_normalise(across(t->velocity, t->geometry.normal), &slip);
    double small = t->slip_ends ? t->slip_known : slip_ends * t->noise;
    t->mode = CRM_TOUCH_OPEN;
    if (!rests) return;
    t->mode = CRM_TOUCH_STICKS;
    if (t->friction == 0.0 || speed <= small) return;
    t->mode = CRM_TOUCH_SLIDES;
    t->slip = slip;
}

// After accelerations are known: what lifts off is open.
static void open_lifted(crm_impulse_events *e) {
    double bound = seen * acceleration_resolution * e->acceleration;
    for (int i = 0; i < e->touches.count; i++)
        if (e->touches.items[i].lift > bound) e->touches.items[i].mode = CRM_TOUCH_OPEN;
}

// What is dragged along begins to slide.
static void begin_slips(crm_impulse_events *e) {
    double bound = seen * acceleration_resolution * e->acceleration;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode != CRM_TOUCH_STICKS || t->friction == 0.0 || crm_length(t->sideways) <= bound) continue;
        t->mode = CRM_TOUCH_SLIDES;
        crm_normalise(t->sideways, &t->slip);
    }
}

static void look(crm_impulse_events *e) {
    crm_events_twists(e);
    crm_events_evaluate_touches(e, false);
    crm_events_mark_closed(e);
    find_noise(e);
}

crm_answer crm_events_event(void *context, double time, double *y) {
    crm_impulse_events *e = context;
    double *sums = crm_link_problem_sums(&e->links, y);
    crm_link_problem_unpack(&e->links, y, e->motions);
    crm_answer answer = crm_events_forces(e, time);
    if (answer == CRM_ANSWER_GOOD) answer = list(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    look(e);
    find_ends(e);
    int impact_count = e->impact_count;
    answer = crm_events_impact(e, time, sums);
    if (answer == CRM_ANSWER_GOOD && e->impact_count > impact_count) { // bodies may be faster than the list is for
        answer = list(e, time);
        look(e);
    }
    if (answer != CRM_ANSWER_GOOD) return answer;
    for (int i = 0; i < e->touches.count; i++) sort_touch(e, &e->touches.items[i]);
    answer = crm_events_accelerate(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    open_lifted(e);
    answer = crm_events_project(e, sums); // velocities that have ended are zero
    begin_slips(e);
    crm_link_problem_pack(&e->links, e->motions, y);
    e->asked_known = false;
    remember_start(e, time, y);
    return answer;
}
