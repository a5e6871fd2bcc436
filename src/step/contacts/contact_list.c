// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/contacts/contact_step.h"

// By how much bodies may get faster than their free motion before contacts are looked for again: some room, so that
// lists that were found at the end of a step last through the next one.
static const double margin_slack = 1.5;

carom_status crm_contact_list_create(carom_state *state, crm_contact_step *step, carom_error *error) {
    int bodies = state->model->bodies.count;
    step->ahead = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    step->margin = CRM_ARENA_ZEROED(&state->arena, double, step->proxy_count);
    if (crm_arena_refused(&state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for contacts of %d bodies", bodies);
    crm_state_keep(state, step->margin, (size_t)step->proxy_count * sizeof *step->margin, true);
    return CAROM_OK;
}

// Lists the contacts at step->ahead. No margin is made less than `least` (proxy_count; NULL: 0).
static carom_status list_contacts(carom_state *state, crm_contact_step *step, const double *least, carom_error *error) {
    crm_contact_step_expect(step, step->ahead, state->method.step, margin_slack);
    for (int i = 0; least != NULL && i < step->proxy_count; i++)
        step->proxies[i].margin = fmax(step->proxies[i].margin, least[i]);
    carom_status status = crm_contact_step_find(step, error);
    if (status != CAROM_OK) return status;
    state->contact_list = (crm_contact_list){step->found, step->found_count};
    for (int i = 0; i < step->proxy_count; i++) step->margin[i] = step->proxies[i].margin;
    state->contacts_known = true;
    return CAROM_OK;
}

// A body where it is now, with the momenta of state->next and `change` (may be NULL).
static crm_motion ahead_of(const carom_state *state, const crm_vec6 *change, int body) {
    crm_motion ahead = state->motions[body];
    ahead.p = state->next[body].p;
    ahead.l = state->next[body].l;
    if (change == NULL) return ahead;
    ahead.p = crm_add(ahead.p, change[body].linear);
    ahead.l = crm_add(ahead.l, change[body].angular);
    return ahead;
}

static void set_ahead(const carom_state *state, const crm_vec6 *change, crm_motion *ahead) {
    for (int b = 0; b < state->model->bodies.count; b++) ahead[b] = ahead_of(state, change, b);
}

// Whether the list covers what these momenta begin: no body gets farther than was thought when it was made.
static bool covers(const carom_state *state, const crm_contact_step *step, const crm_vec6 *change) {
    for (int i = 0; i < step->proxy_count; i++) {
        int body = step->sides[i].body;
        crm_motion ahead = ahead_of(state, change, body);
        if (!crm_margin_covers(state->model, body, &ahead, state->method.step, step->margin[i])) return false;
    }
    return true;
}

carom_status crm_contact_list_detect(carom_state *state, crm_contact_step *step, carom_error *error) {
    if (step->proxy_count == 0) return CAROM_OK;
    if (state->contacts_known && covers(state, step, NULL)) return CAROM_OK;
    set_ahead(state, NULL, step->ahead);
    return list_contacts(state, step, NULL, error);
}

// ---- attempts

carom_status crm_attempts_make(const crm_attempts *attempts, bool *covered, carom_error *error) {
    *covered = false;
    for (int round = 0; round < attempts->most && !*covered; round++) {
        bool beyond = true;
        carom_status status = attempts->attempt(attempts->context, round, error);
        if (status == CAROM_OK && round + 1 < attempts->most)
            status = attempts->beyond(attempts->context, &beyond, error);
        if (status != CAROM_OK) return status;
        *covered = !beyond;
    }
    return CAROM_OK;
}

typedef struct listed_attempts {
    carom_state *state;
    crm_contact_step *step;
    const crm_vec6 *change;
    const crm_attempts *own;
} listed_attempts;

static carom_status attempt_listed(void *context, int round, carom_error *error) {
    const listed_attempts *of = context;
    const crm_contact_list *list = &of->state->contact_list;
    if (!crm_contact_step_take_sites(of->step, list->items, list->count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", list->count);
    crm_phase_clock *phases = &of->state->phases;
    double start = crm_phase_begin(phases);
    carom_status status = of->own->attempt(of->own->context, round, error);
    crm_phase_end(phases, start, &phases->sum.solution);
    return status;
}

// All contacts are found once more, where the impulses make a body faster than the list allows for.
static carom_status beyond_list(void *context, bool *beyond, carom_error *error) {
    const listed_attempts *of = context;
    *beyond = false;
    if (of->step->proxy_count == 0) return CAROM_OK;
    if (covers(of->state, of->step, of->change)) return CAROM_OK;
    *beyond = true;
    set_ahead(of->state, of->change, of->step->ahead);
    return list_contacts(of->state, of->step, of->step->margin, error);
}

carom_status crm_contact_list_resolve(carom_state *state, crm_contact_step *step, const crm_vec6 *change,
                                      const crm_attempts *attempts, carom_error *error) {
    listed_attempts of = {state, step, change, attempts};
    const crm_attempts listed = {attempts->most, attempt_listed, beyond_list, &of};
    bool covered;
    carom_status status = crm_contact_list_detect(state, step, error);
    return status == CAROM_OK ? crm_attempts_make(&listed, &covered, error) : status;
}

// ---- the end of a step

carom_status crm_contact_list_look_ahead(carom_state *state, crm_contact_step *step, const crm_vec6 *impulse,
                                         carom_step_report *report, carom_error *error) {
    if (step->proxy_count == 0) return CAROM_OK;
    for (int b = 0; b < state->model->bodies.count; b++) {
        step->ahead[b] = state->next[b];
        step->ahead[b].p = crm_add(state->next[b].p, impulse[b].linear);
        step->ahead[b].l = crm_add(state->next[b].l, impulse[b].angular);
    }
    carom_status status = list_contacts(state, step, NULL, error);
    if (status != CAROM_OK) return status;
    crm_overlaps overlaps = crm_overlaps_of(step, state->contact_list.items, state->contact_list.count);
    crm_overlaps_report(&overlaps, report);
    return CAROM_OK;
}
