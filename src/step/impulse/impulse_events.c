// SPDX-License-Identifier: MIT
#include "step/impulse/impulse_events.h"
#include "step/certify/accounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/impulse/impulse.h"
#include "step/method.h"

static bool take_memory(crm_impulse_events *e, crm_arena *arena) {
    int bodies = e->model->bodies.count;
    e->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    e->listed = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    e->twist = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->contact = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->accelerated = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    return !crm_arena_refused(arena);
}

carom_status crm_impulse_events_prepare(carom_state *state, crm_impulse *impulse, carom_error *error) {
    if (state->model->joints.count > 0)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "the variant events of the method impulse has no joints; set method.impulse.variant to fixed, "
                        "or take lcp, or without contact multiplier or reduced");
    crm_impulse_events *e = CRM_ARENA_ZEROED(&state->arena, crm_impulse_events, 1);
    if (e == NULL) return crm_fail_memory(error, "impulse", sizeof *e);
    impulse->events = e;
    crm_state_keep(state, &e->substep, sizeof e->substep, false);
    e->model = state->model;
    e->state = state;
    e->def = state->method;
    e->def.integrator = CAROM_INTEGRATOR_DP54;
    if (!take_memory(e, &state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for impulse with %d bodies", state->model->bodies.count);
    carom_contact_options options = crm_contact_options(state);
    options.all_contacts = true; // which of them act is for the events to say
    carom_status status = crm_contact_step_create(state, &options, true, &e->found, error);
    if (status == CAROM_OK) status = carom_solver_state_create(&state->model->allocator, &e->solver, error);
    return status == CAROM_OK ? crm_events_prepare_problem(e, &state->arena, error) : status;
}

void crm_impulse_events_release(carom_state *state, crm_impulse *impulse) {
    crm_impulse_events *e = impulse->events;
    const carom_allocator *allocator = &state->model->allocator;
    if (e == NULL) return;
    CRM_ARRAY_FREE(allocator, &e->touches);
    CRM_ARRAY_FREE(allocator, &e->former);
    CRM_ARRAY_FREE(allocator, &e->past);
    crm_event_rows_free(allocator, &e->rows);
    crm_contact_step_release(&e->found);
    carom_solver_state_destroy(e->solver);
}

// ---- the step

static void begin(crm_impulse_events *e, const carom_input *input, carom_step_report *report) {
    carom_state *state = e->state;
    e->input = input;
    e->report = report;
    e->end = carom_state_time(state) + state->method.step;
    e->touches.count = e->past.count = 0; // no bit is to depend on more than the state
    e->asked_known = e->cut_off = false;
    e->residual = e->friction_work = 0.0;
    e->restitution_share = 1.0;
    e->limited.count = 0;
    e->impact_count = 0;
    memcpy(e->motions, state->motions, (size_t)e->model->bodies.count * sizeof *e->motions);
    crm_link_problem_pack(&e->links, e->motions, e->y);
    memset(crm_link_problem_sums(&e->links, e->y), 0, (size_t)e->links.ivp.sum_count * sizeof(double));
}

// Friction of all that slides is one integral: what slides in the same step is told as one island.
static void add_sliding_work(crm_impulse_events *e, double work) {
    int first = -1;
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->mode != CRM_TOUCH_SLIDES) continue;
        int body = e->model->graph.link_of_body[t->a] >= 0 ? t->a : t->b;
        if (first >= 0) crm_accounts_join(e->state, first, body);
        first = body;
    }
    if (first < 0 && e->touches.count > 0) {
        const crm_touch *t = &e->touches.items[0];
        first = e->model->graph.link_of_body[t->a] >= 0 ? t->a : t->b;
    }
    crm_ledger_add(e->state, first, -1, CRM_LINE_FRICTION, work);
}

static void finish(crm_impulse_events *e) {
    carom_state *state = e->state;
    const double *sums = crm_link_problem_sums(&e->links, e->y);
    state->external_balance = crm_external_sum(sums);
    add_sliding_work(e, sums[CRM_EXTERNAL_NUMBERS]);
    e->report->friction_work = e->friction_work + sums[CRM_EXTERNAL_NUMBERS];
    e->report->residual = e->residual;
    if (!crm_events_read_out(e)) {
        crm_events_stop(e, "no memory for the table of contacts");
        return;
    }
    if (e->cut_off) {
        e->report->outcome = CAROM_STEP_BROKEN;
        snprintf(e->report->text, sizeof e->report->text,
                 "simultaneous impacts went on after %d iterations and were stopped; take simultaneous together, or "
                 "raise method.impulse.iterations",
                 e->def.impulse.iterations);
    }
    crm_limited_impacts_tell(state, &e->limited, e->report);
}

void crm_impulse_events_step(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_impulse *impulse, carom_step_report *report) {
    crm_impulse_events *e = impulse->events;
    begin(e, input, report);
    double substep = e->substep;
    crm_integration result = crm_integrate(&e->integrator, carom_state_time(state), state->method.step, &substep, e->y);
    crm_integration_report(&e->def, &result, report);
    if (result.end == CRM_INTEGRATION_MANY_EVENTS)
        crm_events_stop(e,
                        "a step of %g s met %d impacts and other events up to t = %.9g s and did not end; raise "
                        "method.impulse.event_limit, make method.step smaller, or take lcp, which has no events",
                        e->def.step, e->def.impulse.event_limit, result.reached);
    if (result.end != CRM_INTEGRATION_GOOD) return;
    crm_link_problem_unpack(&e->links, e->y, e->motions);
    memcpy(state->next, e->motions, (size_t)model->bodies.count * sizeof *e->motions);
    report->outcome = CAROM_STEP_GOOD; // a callback may have asked for smaller substeps
    report->text[0] = '\0';
    if (!crm_ivp_is_finite(&e->links.ivp, e->y)) return;
    e->substep = substep;
    state->contacts_known = false;
    finish(e);
}
