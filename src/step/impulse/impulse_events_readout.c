// SPDX-License-Identifier: MIT
// What a step by events says of its contacts.
#include <math.h>
#include <string.h>

#include "model/proxies.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

static bool add(crm_impulse_events *e, const crm_touch *t) {
    crm_contact_site site = crm_contact_site_at(t->a, t->b, &t->geometry);
    double impulse[3], velocity[3];
    site.friction = t->friction;
    for (int k = 0; k < 3; k++) {
        impulse[k] = crm_dot(site.direction[k], t->impulse);
        velocity[k] = crm_dot(site.direction[k], t->velocity);
    }
    bool pushed = crm_length_squared(t->impulse) > 0.0;
    bool sticks = t->mode == CRM_TOUCH_STICKS && t->friction > 0.0;
    return crm_contact_table_add(e->state, &site, impulse, velocity,
                                 !pushed  ? CAROM_CONTACT_STATUS_APART
                                 : sticks ? CAROM_CONTACT_STATUS_STICKS
                                          : CAROM_CONTACT_STATUS_SLIDES);
}

// Of all pairs that are listed. The guard of a pair is none of its touches.
static void measure_overlaps(const crm_impulse_events *e) {
    crm_overlaps overlaps = {0};
    for (int i = 0; i < e->touches.count;) {
        const crm_touch *first = &e->touches.items[i], *t = first;
        double deepest = 0.0;
        for (; i < e->touches.count && t->a == first->a && t->b == first->b; t = &e->touches.items[++i])
            if (t->closed && !t->guard) deepest = fmax(deepest, -t->geometry.gap);
        crm_overlaps_add(&overlaps, deepest / crm_pair_size(e->model, first->a, first->b));
    }
    crm_overlaps_report(&overlaps, e->report);
}

// In the order of the list; then those that have left it.
bool crm_events_read_out(crm_impulse_events *e) {
    e->state->contact_table.count = 0;
    crm_events_twists(e);
    crm_events_evaluate_touches(e, false);
    crm_events_mark_closed(e);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        bool pushed = crm_length_squared(t->impulse) > 0.0;
        if ((t->closed || pushed) && !add(e, t)) return false;
    }
    for (int i = 0; i < e->past.count; i++)
        if (!add(e, &e->past.items[i])) return false;
    e->report->contacts = e->state->contact_table.count;
    measure_overlaps(e);
    return true;
}
