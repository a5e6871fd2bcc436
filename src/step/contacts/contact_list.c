// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/fail.h"
#include "contact/contact_set.h"
#include "model/proxies.h"
#include "step/contacts/contact_step.h"

// By how much bodies may get faster than their free motion before contacts are looked for again: some room, so that
// lists that were found at the end of a step last through the next one.
static const double margin_slack = 1.5;
// The same of bodies that have got faster: they are known to within what further contacts change.
static const double raised_slack = 1.2;
// Contacts that differ by less are the same: a share of the smaller body's size, or rad. Distances that are found again
// differ by rounding.
static const double same_place = 1e-9;

static bool margin_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    return *(const double *)item >= 0.0;
}

carom_status crm_contact_list_create(carom_state *state, crm_contact_step *step, carom_error *error) {
    int bodies = state->model->bodies.count;
    step->ahead = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    step->margin = CRM_ARENA_ZEROED(&state->arena, double, step->proxy_count);
    if (crm_arena_refused(&state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for contacts of %d bodies", bodies);
    crm_state_keep(state, (crm_kept){"margins", step->margin, step->proxy_count, sizeof *step->margin, margin_fits,
                                     .of_contacts = true});
    return CAROM_OK;
}

static bool nobody_is_awake(const carom_state *state, const crm_contact_step *step) {
    return step->resting != NULL && *step->awake == 0 && state->contacts_known;
}

// What rests has the margins that its contacts were found with.
static void keep_resting(const carom_state *state, crm_contact_step *step) {
    if (step->resting == NULL || !state->contacts_known) return;
    for (int i = 0; i < step->proxy_count; i++) {
        step->proxies[i].resting = step->resting[step->proxies[i].id];
        if (step->proxies[i].resting) step->proxies[i].margin = step->margin[i];
    }
}

// The contacts of the step's proxies as they are.
static carom_status list_again(carom_state *state, crm_contact_step *step, carom_error *error) {
    keep_resting(state, step);
    crm_contact_set_last(step->set, state->method.step);
    carom_status status = crm_contact_step_find(step, error);
    if (status != CAROM_OK) return status;
    state->contact_list = (crm_contact_list){step->found, step->found_count};
    for (int i = 0; i < step->proxy_count; i++) step->margin[i] = step->proxies[i].margin;
    state->contacts_known = true;
    return CAROM_OK;
}

// The contacts at step->ahead.
static carom_status list_contacts(carom_state *state, crm_contact_step *step, carom_error *error) {
    crm_contact_step_expect(step, step->ahead, state->method.step, margin_slack);
    return list_again(state, step, error);
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

// Whether a body gets no farther by these momenta than was thought when the list was made.
static bool covers_body(const carom_state *state, const crm_contact_step *step, const crm_vec6 *change, int proxy) {
    int body = step->sides[proxy].body;
    crm_motion ahead = ahead_of(state, change, body);
    return crm_margin_covers(state->model, body, &ahead, state->method.step, step->margin[proxy]);
}

// Whether the list covers what these momenta begin.
static bool covers(const carom_state *state, const crm_contact_step *step, const crm_vec6 *change) {
    if (nobody_is_awake(state, step)) return true;
    for (int i = 0; i < step->proxy_count; i++) {
        bool rests = step->resting != NULL && step->resting[step->sides[i].body];
        if (!rests && !covers_body(state, step, change, i)) return false;
    }
    return true;
}

carom_status crm_contact_list_detect(carom_state *state, crm_contact_step *step, carom_error *error) {
    if (step->proxy_count == 0) return CAROM_OK;
    bool lasts = crm_contact_set_lasts(step->set, state->method.step);
    if (state->contacts_known && lasts && covers(state, step, NULL)) return CAROM_OK;
    set_ahead(state, NULL, step->ahead);
    return list_contacts(state, step, error);
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

// Bodies that get farther than the list allows for have their margins raised, and are asked about again. The others are
// where they were and have their margins, so that contacts between them are as they were: their proxies rest.
static void raise_margins(carom_state *state, crm_contact_step *step, const crm_vec6 *change) {
    set_ahead(state, change, step->ahead);
    crm_contact_step_expect(step, step->ahead, state->method.step, raised_slack);
    for (int i = 0; i < step->proxy_count; i++) {
        carom_proxy *proxy = &step->proxies[i];
        proxy->resting = covers_body(state, step, change, i);
        if (proxy->resting) proxy->margin = step->margin[i];
    }
}

static bool is_same_contact(const crm_contact_step *step, const carom_contact *contact, const crm_contact_site *site) {
    if (crm_contact_body_a(step, contact) != site->a || crm_contact_body_b(step, contact) != site->b) return false;
    carom_vec3 point = crm_contact_step_point(step, contact);
    if (site->midway) return fabs(contact->gap - site->gap) <= same_place * site->size;
    return fabs(contact->gap - site->gap) <= same_place * site->size &&
           crm_distance(point, site->point) <= same_place * site->size &&
           crm_distance(contact->normal, site->direction[0]) <= same_place;
}

// Whether the list has the contacts that the step has been solved with: larger margins need not bring new ones.
static bool are_same_contacts(const crm_contact_step *step, const crm_contact_list *list) {
    if (list->count != step->sites.count) return false;
    for (int i = 0; i < list->count; i++)
        if (!is_same_contact(step, &list->items[i], &step->sites.items[i])) return false;
    return true;
}

static carom_status beyond_list(void *context, bool *beyond, carom_error *error) {
    const listed_attempts *of = context;
    carom_status status = CAROM_OK;
    *beyond = false;
    if (of->step->proxy_count == 0) return CAROM_OK;
    if (of->own->beyond != NULL) status = of->own->beyond(of->own->context, beyond, error);
    if (status != CAROM_OK || covers(of->state, of->step, of->change)) return status;
    raise_margins(of->state, of->step, of->change);
    status = list_again(of->state, of->step, error);
    *beyond |= status == CAROM_OK && !are_same_contacts(of->step, &of->state->contact_list);
    return status;
}

carom_status crm_contact_list_resolve(carom_state *state, crm_contact_step *step, const crm_vec6 *change,
                                      const crm_attempts *attempts, carom_error *error) {
    listed_attempts of = {state, step, change, attempts};
    const crm_attempts listed = {attempts->most, attempt_listed, beyond_list, &of};
    bool covered;
    step->midway.count = 0;
    carom_status status = crm_contact_list_detect(state, step, error);
    return status == CAROM_OK ? crm_attempts_make(&listed, &covered, error) : status;
}

carom_status crm_contact_list_renew(carom_state *state, crm_contact_step *step, carom_error *error) {
    set_ahead(state, NULL, step->ahead);
    crm_contact_step_expect(step, step->ahead, state->method.step, margin_slack);
    for (int i = 0; i < step->proxy_count; i++)
        step->proxies[i].margin = fmax(step->proxies[i].margin, step->margin[i]);
    carom_status status = list_again(state, step, error);
    if (status == CAROM_OK && !crm_contact_step_take_sites(step, state->contact_list.items, state->contact_list.count))
        status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", state->contact_list.count);
    return status;
}

// ---- the end of a step

carom_status crm_contact_list_look_ahead(carom_state *state, crm_contact_step *step, const crm_vec6 *impulse,
                                         carom_step_report *report, carom_error *error) {
    if (step->proxy_count == 0) return CAROM_OK;
    for (int b = 0; !nobody_is_awake(state, step) && b < state->model->bodies.count; b++) {
        step->ahead[b] = state->next[b];
        step->ahead[b].p = crm_add(state->next[b].p, impulse[b].linear);
        step->ahead[b].l = crm_add(state->next[b].l, impulse[b].angular);
    }
    carom_status status = nobody_is_awake(state, step) ? CAROM_OK : list_contacts(state, step, error);
    if (status != CAROM_OK) return status;
    crm_overlaps overlaps = crm_overlaps_of(step, state->contact_list.items, state->contact_list.count);
    crm_overlaps_report(&overlaps, report);
    return CAROM_OK;
}
