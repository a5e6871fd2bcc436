// SPDX-License-Identifier: MIT
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/proxies.h"
#include "step/contacts/contact_step.h"

void crm_contacts_refuse(const char *who, const char *why, carom_step_report *report) {
    report->outcome = CAROM_STEP_IMPOSSIBLE;
    snprintf(report->text, sizeof report->text, "%s: %.200s", who, why);
}

void crm_contacts_failed(const char *who, const carom_error *error, carom_step_report *report) {
    crm_contacts_refuse(who, error->text, report);
    report->no_memory = error->status == CAROM_ERR_NO_MEMORY;
}

bool crm_contact_table_add(carom_state *state, const crm_contact_site *site, const double impulse[3],
                           const double velocity[3], carom_contact_status status) {
    crm_contact_table *table = &state->contact_table;
    if (table->count == table->capacity &&
        !CRM_ARRAY_RESERVE(&state->model->allocator, table, (ptrdiff_t)table->count + 1))
        return false;
    carom_contact_state *line = &table->items[table->count++];
    // What lies behind the last member is saved, too.
    memset((char *)line + offsetof(carom_contact_state, status), 0,
           sizeof *line - offsetof(carom_contact_state, status));
    line->a.index = site->a;
    line->b.index = site->b;
    line->point = site->point;
    line->normal = site->direction[0];
    line->tangent = site->direction[1];
    line->gap = site->gap;
    line->friction = site->friction;
    line->normal_impulse = impulse[0];
    line->normal_velocity = velocity[0];
    for (int k = 0; k < 2; k++) {
        line->tangent_impulse[k] = impulse[1 + k];
        line->slip[k] = velocity[1 + k];
    }
    line->status = status;
    return true;
}

void crm_overlaps_add(crm_overlaps *overlaps, double share) {
    overlaps->largest = fmax(overlaps->largest, share);
    overlaps->sum += share;
    overlaps->pairs++;
}

crm_overlaps crm_overlaps_of(const crm_contact_step *step, const carom_contact *list, int count) {
    crm_overlaps overlaps = {0};
    for (int i = 0; i < count;) {
        const carom_contact *first = &list[i];
        double least = 0.0;
        for (; i < count && list[i].a == first->a && list[i].b == first->b; i++) least = fmin(least, list[i].gap);
        double size = fmin(step->sides[first->a].size, step->sides[first->b].size);
        crm_overlaps_add(&overlaps, -least / size);
    }
    return overlaps;
}

void crm_overlaps_report(const crm_overlaps *overlaps, carom_step_report *report) {
    report->infeasibility = fmax(report->infeasibility, overlaps->largest);
    report->mean_infeasibility = overlaps->pairs > 0 ? overlaps->sum / overlaps->pairs : 0.0;
}
