// SPDX-License-Identifier: MIT
#include "step/impulse/impulse_events.h"
#include "step/certify/accounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/contacts/collision_list.h"
#include "step/impulse/impulse.h"
#include "step/method.h"

static bool take_memory(crm_impulse_events *e, crm_arena *arena) {
    int bodies = e->model->bodies.count;
    e->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    e->from = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    e->listed = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    e->twist = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->contact = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->accelerated = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    e->substep = CRM_ARENA_ZEROED(arena, double, bodies);
    e->next_substep = CRM_ARENA_ZEROED(arena, double, bodies);
    e->sliding_work = CRM_ARENA_ZEROED(arena, double, bodies);
    e->state->externals = CRM_ARENA_ZEROED(arena, crm_external_balance, bodies);
    if (!crm_events_groups_create(e, arena) || crm_arena_refused(arena)) return false;
    crm_state_keep(e->state, (crm_kept){"substeps", e->substep, bodies, sizeof *e->substep, crm_substep_fits,
                                        .of_contacts = false});
    return true;
}

carom_status crm_impulse_events_prepare(carom_state *state, crm_impulse *impulse, carom_error *error) {
    if (state->model->joints.count > 0)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "the variant events of the method impulse has no joints; set method.impulse.variant to fixed, "
                        "or take lcp, or without contact multiplier or reduced");
    crm_impulse_events *e = CRM_ARENA_ZEROED(&state->arena, crm_impulse_events, 1);
    if (e == NULL) return crm_fail_memory(error, "impulse", sizeof *e);
    impulse->events = e;
    state->tells_collisions = true;
    e->model = state->model;
    e->state = state;
    e->def = state->method;
    e->def.integrator = CAROM_INTEGRATOR_DP54;
    if (!take_memory(e, &state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for impulse with %d bodies", state->model->bodies.count);
    carom_contact_options options = crm_contact_options(state);
    options.all_contacts = true; // which of them act is for the events to say
    carom_status status = crm_contact_step_create(state, &options, false, &e->found, error);
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
    CRM_ARRAY_FREE(allocator, &e->kept);
    crm_event_rows_free(allocator, &e->rows);
    crm_contact_step_release(&e->found);
    carom_solver_state_destroy(e->solver);
}

// ---- a group

// An attempt at a smaller group may have left some.
static void drop_former_collisions(crm_impulse_events *e) {
    crm_collision_list *list = &e->state->collisions;
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_collision *c = &list->items[i];
        int body = crm_body_moves(e->model, c->a.index) ? c->a.index : c->b.index;
        if (e->groups.of[body] != e->scope.of) list->items[count++] = *c;
    }
    list->count = count;
}

static void begin_group(crm_impulse_events *e, int lowest) {
    crm_events_groups_choose(e, lowest);
    drop_former_collisions(e);
    e->touches.count = e->past.count = 0;
    e->asked_known = false;
    e->restitution_share = 1.0;
    e->impact_count = 0;
    e->now = (crm_group_result){.moved = true};
    crm_link_problem_pack(&e->links, e->motions, e->y);
    memset(crm_link_problem_sums(&e->links, e->y), 0, (size_t)e->links.ivp.sum_count * sizeof(double));
}

// The smallest that one of its bodies has.
static double substep_of(const crm_impulse_events *e) {
    double least = 0.0;
    for (int i = 0; i < e->scope.count; i++) {
        double own = e->substep[e->scope.body[i]];
        if (own > 0.0 && (least == 0.0 || own < least)) least = own;
    }
    return least;
}

static void end_group(crm_impulse_events *e, double substep, int substeps) {
    const double *sums = crm_link_problem_sums(&e->links, e->y);
    crm_link_problem_unpack(&e->links, e->y, e->motions);
    e->now.substeps = substeps;
    for (int i = 0; i < e->scope.count; i++, sums += CRM_EVENTS_SUMS) {
        int b = e->scope.body[i];
        e->state->externals[b] = crm_external_sum(sums);
        e->sliding_work[b] = sums[CRM_EXTERNAL_NUMBERS];
        e->next_substep[b] = substep;
    }
}

// False: there is no step, as the report says, or its end is no number.
static bool move_group(crm_impulse_events *e, int lowest) {
    carom_error error;
    begin_group(e, lowest);
    // No bit is to depend on more than the state and the group.
    if (crm_contact_step_forget(&e->found, &error) != CAROM_OK) {
        crm_events_stop(e, "contacts: %.200s", error.text);
        return false;
    }
    double substep = substep_of(e);
    crm_integration result = crm_integrate(&e->integrator, carom_state_time(e->state), e->def.step, &substep, e->y);
    crm_integration_report(&e->def, &result, e->report);
    if (result.end == CRM_INTEGRATION_MANY_EVENTS)
        crm_events_stop(e,
                        "a step of %g s met %d impacts and other events up to t = %.9g s and did not end; raise "
                        "method.impulse.event_limit, make method.step smaller, or take lcp, which has no events",
                        e->def.step, e->def.impulse.event_limit, result.reached);
    if (result.end != CRM_INTEGRATION_GOOD) return false;
    end_group(e, substep, result.substeps);
    e->report->outcome = CAROM_STEP_GOOD; // a callback may have asked for smaller substeps
    e->report->text[0] = '\0';
    if (!crm_ivp_is_finite(&e->links.ivp, e->y)) return false;
    if (!crm_events_keep_touches(e)) {
        crm_events_no_memory(e, "the contacts of the step");
        return false;
    }
    e->groups.result[lowest] = e->now;
    return true;
}

// ---- the step

static void begin(crm_impulse_events *e, const carom_input *input, carom_step_report *report) {
    carom_state *state = e->state;
    e->input = input;
    e->report = report;
    e->def.step = state->method.step;
    e->end = carom_state_time(state) + state->method.step;
    e->kept.count = 0;
    memcpy(e->motions, state->motions, (size_t)e->model->bodies.count * sizeof *e->motions);
    crm_events_groups_begin(e);
}

static void tell_cut_off(const crm_impulse_events *e) {
    e->report->outcome = CAROM_STEP_BROKEN;
    snprintf(e->report->text, sizeof e->report->text,
             "simultaneous impacts went on after %d iterations and were stopped; take simultaneous together, or "
             "raise method.impulse.iterations",
             e->def.impulse.iterations);
}

static void finish(crm_impulse_events *e) {
    carom_state *state = e->state;
    carom_step_report *report = e->report;
    state->external_balance = (crm_external_balance){.work = 0.0};
    report->friction_work = report->residual = 0.0;
    report->iterations = 0;
    for (int b = 0; b < e->model->bodies.count; b++) {
        const crm_group_result *of = &e->groups.result[b];
        if (!crm_body_moves(e->model, b)) continue;
        state->external_balance.work += state->externals[b].work;
        report->friction_work += e->sliding_work[b];
        crm_ledger_add(state, b, -1, CRM_LINE_FRICTION, e->sliding_work[b]);
        if (e->groups.of[b] != b) continue;
        report->friction_work += of->friction_work;
        report->iterations += of->substeps;
        if (of->residual > report->residual) report->residual = of->residual, report->residual_body.index = b;
        if (of->cut_off) tell_cut_off(e);
    }
    crm_collisions_sort(state);
    if (!crm_events_read_out(e)) crm_events_no_memory(e, "the table of contacts");
}

void crm_impulse_events_step(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_impulse *impulse, carom_step_report *report) {
    crm_impulse_events *e = impulse->events;
    bool moved = true;
    begin(e, input, report);
    do {
        for (int b = 0; b < model->bodies.count && moved; b++) {
            if (crm_state_interrupted(state)) return;
            if (crm_body_moves(model, b) && e->groups.of[b] == b && !e->groups.result[b].moved)
                moved = move_group(e, b);
        }
    } while (moved && crm_events_groups_join(e));
    memcpy(state->next, e->motions, (size_t)model->bodies.count * sizeof *e->motions);
    if (!moved) return;
    memcpy(e->substep, e->next_substep, (size_t)model->bodies.count * sizeof *e->substep);
    state->contacts_known = false;
    finish(e);
}
