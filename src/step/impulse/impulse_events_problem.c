// SPDX-License-Identifier: MIT
// The smooth motion as an initial value problem of links (link_problem.h).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/impulse/impulse_events.h"

crm_answer crm_events_stop(crm_impulse_events *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->report->text, sizeof e->report->text, format, arguments);
    va_end(arguments);
    e->report->outcome = CAROM_STEP_IMPOSSIBLE;
    return CRM_ANSWER_STOP;
}

crm_answer crm_events_no_memory(crm_impulse_events *e, const char *what) {
    e->report->no_memory = true;
    return crm_events_stop(e, "no memory for %s", what);
}

// ---- rates

static void drift(void *context, const double *y, double *rate) {
    crm_impulse_events *e = context;
    crm_link_problem_unpack(&e->links, y, e->motions);
    crm_link_problem_drift(&e->links, e->motions, rate);
}

// Powers of what has no potential, and of friction.
static void add_powers(const crm_impulse_events *e, double *sums) {
    for (int i = 0; i < e->scope.count; i++) {
        int b = e->scope.body[i];
        double *own = crm_events_sums_of(e, b, sums);
        crm_external_add_work(own, crm_vec6_dot(e->active[b], e->twist[b]));
        crm_external_add_passive(own, crm_vec6_dot(e->state->passive[b], e->twist[b]));
    }
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->mode != CRM_TOUCH_SLIDES) continue;
        carom_vec3 sideways = crm_madd(t->push, -crm_dot(t->geometry.normal, t->push), t->geometry.normal);
        int body = crm_body_moves(e->model, t->a) ? t->a : t->b;
        crm_events_sums_of(e, body, sums)[CRM_EXTERNAL_NUMBERS] += crm_dot(sideways, t->velocity);
    }
}

static bool at_start(const crm_impulse_events *e, const double *y) {
    return memcmp(e->arrived_y, y, (size_t)crm_ivp_state_size(&e->links.ivp) * sizeof *y) == 0;
}

crm_answer crm_events_rate(void *context, double time, const double *y, double *rate) {
    crm_impulse_events *e = context;
    drift(e, y, rate);
    crm_events_note_ways(e);
    // Beyond the list a touch may be missed.
    if (!crm_events_list_covers(e, 1.0)) return CRM_ANSWER_SMALLER;
    e->asked_known = false;
    crm_answer answer = crm_events_accelerate(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    double *sums = crm_link_problem_sum_rates(&e->links, rate);
    for (int i = 0; i < e->links.ivp.sum_count; i++) sums[i] = 0.0;
    for (int i = 0; i < e->scope.count; i++) {
        int b = e->scope.body[i];
        double *own = crm_events_sums_of(e, b, sums);
        crm_vec6 projected = crm_wrench_projected(e->model->bodies.items[b].kind, e->contact[b]);
        crm_link_problem_put_force(&e->links, i, crm_vec6_add(e->wrench[b], projected), rate);
        crm_external_add(own, e->motions[b].x, 1.0, e->wrench[b]);
        crm_external_add_size(own, e->motions[b].x, e->wrench[b]);
    }
    bool start = at_start(e, y);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        crm_events_add_external(e, t, t->push, sums);
        if (start) t->start_push = t->push;
    }
    add_powers(e, sums);
    memcpy(e->asked, y, (size_t)crm_ivp_state_size(&e->links.ivp) * sizeof *y);
    e->asked_known = true;
    return CRM_ANSWER_GOOD;
}

// ---- making

carom_status crm_events_prepare_problem(crm_impulse_events *e, crm_arena *arena, carom_error *error) {
    int sums = CRM_EVENTS_SUMS * e->model->graph.link_count; // memory for all; groups need less
    if (!crm_link_problem_create(e->model, sums, false, arena, &e->links))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for impulse with %d bodies", e->model->bodies.count);
    e->links.ivp.context = e;
    e->links.ivp.interrupt = crm_state_interrupt(e->state);
    e->links.ivp.rate = crm_events_rate;
    e->links.ivp.drift = drift;
    e->links.ivp.end_substep = crm_events_end_substep;
    e->links.ivp.margin = crm_events_margin;
    e->links.ivp.event = crm_events_event;
    e->links.ivp.event_limit = e->def.impulse.event_limit;
    ptrdiff_t size = crm_ivp_state_size(&e->links.ivp);
    e->y = CRM_ARENA_ZEROED(arena, double, size);
    e->asked = CRM_ARENA_ZEROED(arena, double, size);
    e->arrived_y = CRM_ARENA_ZEROED(arena, double, size);
    e->scratch = CRM_ARENA_ZEROED(arena, double, crm_ivp_rate_size(&e->links.ivp));
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "impulse", (size_t)size * sizeof *e->y);
    return crm_integrator_create(&e->links.ivp, &e->def, arena, &e->integrator, error);
}
