// SPDX-License-Identifier: MIT
// The smooth motion as an initial value problem (integrator.h): attitudes of links that rotate, centres of mass,
// momenta P, L, and as sums what came from outside and the work of friction.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/impulse/impulse_events.h"

static double *positions(const crm_impulse_events *e, const double *y) {
    return (double *)y + 4 * (ptrdiff_t)e->problem.rotation_count;
}

static double *momenta(const crm_impulse_events *e, const double *y) {
    return positions(e, y) + e->problem.position_count;
}

double *crm_events_sums(const crm_impulse_events *e, double *y) {
    return momenta(e, y) + e->problem.velocity_count;
}

void crm_events_unpack(crm_impulse_events *e, const double *y) {
    for (int i = 0; i < e->model->graph.link_count; i++) {
        crm_motion *to = &e->motions[e->model->graph.link[i].body];
        if (e->rotation[i] >= 0) memcpy(&to->q, y + 4 * (ptrdiff_t)e->rotation[i], sizeof to->q);
        memcpy(&to->x, positions(e, y) + 3 * (ptrdiff_t)i, sizeof to->x);
        memcpy(&to->p, momenta(e, y) + 6 * (ptrdiff_t)i, sizeof to->p);
        memcpy(&to->l, momenta(e, y) + 6 * (ptrdiff_t)i + 3, sizeof to->l);
    }
}

void crm_events_pack(const crm_impulse_events *e, double *y) {
    for (int i = 0; i < e->model->graph.link_count; i++) {
        const crm_motion *from = &e->motions[e->model->graph.link[i].body];
        if (e->rotation[i] >= 0) memcpy(y + 4 * (ptrdiff_t)e->rotation[i], &from->q, sizeof from->q);
        memcpy(positions(e, y) + 3 * (ptrdiff_t)i, &from->x, sizeof from->x);
        memcpy(momenta(e, y) + 6 * (ptrdiff_t)i, &from->p, sizeof from->p);
        memcpy(momenta(e, y) + 6 * (ptrdiff_t)i + 3, &from->l, sizeof from->l);
    }
}

crm_answer crm_events_stop(crm_impulse_events *e, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->report->text, sizeof e->report->text, format, arguments);
    va_end(arguments);
    e->report->outcome = CAROM_STEP_IMPOSSIBLE;
    return CRM_ANSWER_STOP;
}

// ---- rates

static void put(double *to, carom_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static void drift(void *context, const double *y, double *rate) {
    crm_impulse_events *e = context;
    crm_events_unpack(e, y);
    double *velocity = rate + 3 * (ptrdiff_t)e->problem.rotation_count;
    for (int i = 0; i < e->model->graph.link_count; i++) {
        int b = e->model->graph.link[i].body;
        const crm_body *body = &e->model->bodies.items[b];
        if (e->rotation[i] >= 0) put(rate + 3 * (ptrdiff_t)e->rotation[i], crm_motion_spin(body, &e->motions[b]));
        put(velocity + 3 * (ptrdiff_t)i, crm_motion_velocity(body, &e->motions[b]));
    }
}

// Powers of what has no potential, and of friction.
static void add_powers(const crm_impulse_events *e, double *sums) {
    for (int b = 0; b < e->model->bodies.count; b++)
        crm_external_add_work(sums, crm_vec6_dot(e->active[b], e->twist[b]));
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->mode != CRM_TOUCH_SLIDES) continue;
        carom_vec3 sideways = crm_madd(t->push, -crm_dot(t->geometry.normal, t->push), t->geometry.normal);
        sums[CRM_EXTERNAL_NUMBERS] += crm_dot(sideways, t->velocity);
    }
}

static bool at_start(const crm_impulse_events *e, const double *y) {
    return memcmp(e->arrived_y, y, (size_t)crm_ivp_state_size(&e->problem) * sizeof *y) == 0;
}

crm_answer crm_events_rate(void *context, double time, const double *y, double *rate) {
    crm_impulse_events *e = context;
    drift(e, y, rate);
    // Beyond the list a touch may be missed.
    if (!crm_events_list_covers(e, 1.0)) return CRM_ANSWER_SMALLER;
    e->asked_known = false;
    crm_answer answer = crm_events_accelerate(e, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    double *force = rate + 3 * (ptrdiff_t)e->problem.rotation_count + e->problem.position_count;
    double *sums = force + e->problem.velocity_count;
    for (int i = 0; i < e->problem.sum_count; i++) sums[i] = 0.0;
    for (int i = 0; i < e->model->graph.link_count; i++) {
        int b = e->model->graph.link[i].body;
        crm_vec6 projected = crm_wrench_projected(e->model->bodies.items[b].kind, e->contact[b]);
        put(force + 6 * (ptrdiff_t)i, crm_add(e->wrench[b].linear, projected.linear));
        put(force + 6 * (ptrdiff_t)i + 3, crm_add(e->wrench[b].angular, projected.angular));
        crm_external_add(sums, e->motions[b].x, 1.0, e->wrench[b]);
        crm_external_add_size(sums, e->motions[b].x, e->wrench[b]);
    }
    bool start = at_start(e, y);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->mode == CRM_TOUCH_OPEN) continue;
        crm_events_add_external(e, t, t->push, sums);
        if (start) t->start_push = t->push;
    }
    add_powers(e, sums);
    memcpy(e->asked, y, (size_t)crm_ivp_state_size(&e->problem) * sizeof *y);
    e->asked_known = true;
    return CRM_ANSWER_GOOD;
}

// ---- making

carom_status crm_events_prepare_problem(crm_impulse_events *e, crm_arena *arena, carom_error *error) {
    const carom_model *model = e->model;
    int links = model->graph.link_count, rotations = 0;
    e->rotation = CRM_ARENA_ARRAY(arena, int, links);
    crm_error_block *error_block = CRM_ARENA_ARRAY(arena, crm_error_block, 3 * (ptrdiff_t)links);
    if (e->rotation == NULL || error_block == NULL)
        return crm_fail_memory(error, "impulse", (size_t)links * sizeof *error_block);
    for (int i = 0; i < links; i++) {
        const crm_body *body = &model->bodies.items[model->graph.link[i].body];
        bool rotates = body->kind != CAROM_BODY_POINT;
        e->rotation[i] = rotates ? rotations++ : -1;
        double moment = fmax(body->inertia.x, fmax(body->inertia.y, body->inertia.z));
        error_block[i] = (crm_error_block){3, 1.0, 0.0};
        error_block[links + 2 * i] = (crm_error_block){3, body->mass, 0.0};
        error_block[links + 2 * i + 1] = (crm_error_block){3, rotates ? moment : 1.0, 0.0};
    }
    e->problem = (crm_ivp){.rotation_count = rotations,
                           .position_count = 3 * links,
                           .velocity_count = 6 * links,
                           .sum_count = CRM_EVENTS_SUMS,
                           .error_block_count = 3 * links,
                           .error_block = error_block,
                           .context = e,
                           .rate = crm_events_rate,
                           .drift = drift,
                           .end_substep = crm_events_end_substep,
                           .margin = crm_events_margin,
                           .event = crm_events_event,
                           .event_limit = e->def.impulse.event_limit};
    ptrdiff_t size = crm_ivp_state_size(&e->problem);
    e->y = CRM_ARENA_ZEROED(arena, double, size);
    e->asked = CRM_ARENA_ZEROED(arena, double, size);
    e->arrived_y = CRM_ARENA_ZEROED(arena, double, size);
    e->scratch = CRM_ARENA_ZEROED(arena, double, crm_ivp_rate_size(&e->problem));
    if (e->y == NULL || e->asked == NULL || e->arrived_y == NULL || e->scratch == NULL)
        return crm_fail_memory(error, "impulse", (size_t)size * sizeof *e->y);
    return crm_integrator_create(&e->problem, &e->def, arena, &e->integrator, error);
}
