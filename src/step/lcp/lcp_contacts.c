// SPDX-License-Identifier: MIT
// Where contacts come from before a step, and what is said of them after it.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/joint/joint.h"
#include "model/proxies.h"
#include "step/lcp/lcp.h"

// By how much bodies may get faster than their free motion before contacts are looked for again: some room, so that
// lists that were found at the end of a step last through the next one.
static const double margin_slack = 1.5;

// Finds the contacts at lcp->ahead. No reach is made less than `least` (proxy_count; NULL: 0).
static carom_status find(const carom_model *model, carom_state *state, crm_lcp *lcp, const double *least,
                         carom_error *error) {
    crm_fill_proxies(model, lcp->ahead, state->method.step, margin_slack, lcp->proxies);
    for (int i = 0; least != NULL && i < lcp->proxy_count; i++)
        lcp->proxies[i].margin = fmax(lcp->proxies[i].margin, least[i]);
    carom_status status = carom_contact_set_update(state->contact_set, lcp->proxy_count, lcp->proxies, NULL, error);
    if (status != CAROM_OK) return status;
    int count;
    const carom_contact *list = carom_contact_set_list(state->contact_set, &count);
    if (!CRM_ARRAY_RESIZE(&model->allocator, &state->contact_list, count))
        return crm_fail_memory(error, "contacts", (size_t)count * sizeof *list);
    if (count > 0) memcpy(state->contact_list.items, list, (size_t)count * sizeof *list);
    for (int i = 0; i < lcp->proxy_count; i++) state->margin[i] = lcp->proxies[i].margin;
    state->contacts_known = true;
    return CAROM_OK;
}

// Whether the list covers the motion that lcp->ahead begins: no body gets farther than was thought when it was made.
static bool covers(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_fill_proxies(model, lcp->ahead, state->method.step, 1.0, lcp->wanted);
    for (int i = 0; i < lcp->proxy_count; i++) {
        if (!(lcp->wanted[i].margin <= state->margin[i])) return false;
    }
    return true;
}

// Bodies where they are now, with the momenta of state->next and `change` (may be NULL).
static void set_ahead(const carom_model *model, const carom_state *state, const crm_vec6 *change, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *ahead = &lcp->ahead[b];
        *ahead = state->motions[b];
        ahead->p = state->next[b].p;
        ahead->l = state->next[b].l;
        if (change == NULL) continue;
        ahead->p = crm_add(ahead->p, change[b].linear);
        ahead->l = crm_add(ahead->l, change[b].angular);
    }
}

carom_status crm_lcp_detect(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_error *error) {
    if (lcp->proxy_count == 0) return CAROM_OK;
    set_ahead(model, state, NULL, lcp);
    if (state->contacts_known && covers(model, state, lcp)) return CAROM_OK;
    return find(model, state, lcp, NULL, error);
}

carom_status crm_lcp_detect_again(const carom_model *model, carom_state *state, crm_lcp *lcp, bool *again,
                                  carom_error *error) {
    *again = false;
    if (lcp->proxy_count == 0) return CAROM_OK;
    set_ahead(model, state, lcp->change, lcp);
    if (covers(model, state, lcp)) return CAROM_OK;
    *again = true;
    return find(model, state, lcp, state->margin, error);
}

// Overlaps over the size of the smaller body: the largest, and the mean over all pairs of bodies with contacts.
static void measure_overlaps(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                             carom_step_report *report) {
    const carom_contact *list = state->contact_list.items;
    double sum = 0.0;
    int pairs = 0;
    for (int i = 0; i < state->contact_list.count;) {
        int a = list[i].a, b = list[i].b;
        double least = 0.0;
        for (; i < state->contact_list.count && list[i].a == a && list[i].b == b; i++) least = fmin(least, list[i].gap);
        double share = -least / crm_pair_size(model, (int)lcp->proxies[a].id, (int)lcp->proxies[b].id);
        report->infeasibility = fmax(report->infeasibility, share);
        sum += share, pairs++;
    }
    report->mean_infeasibility = pairs > 0 ? sum / pairs : 0.0;
}

carom_status crm_lcp_look_ahead(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                carom_error *error) {
    if (lcp->proxy_count == 0) return CAROM_OK;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_motion *after = &state->next[b];
        lcp->ahead[b] = *after;
        // The forces of this step act once more, as far as anyone knows.
        lcp->ahead[b].p = crm_add(after->p, lcp->explicit_impulse[b].linear);
        lcp->ahead[b].l = crm_add(after->l, lcp->explicit_impulse[b].angular);
    }
    carom_status status = find(model, state, lcp, NULL, error);
    if (status == CAROM_OK) measure_overlaps(model, state, lcp, report);
    return status;
}
