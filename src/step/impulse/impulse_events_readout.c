// SPDX-License-Identifier: MIT
// What a step by events says of its contacts.
#include <math.h>
#include <string.h>

#include "model/proxies.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

static void read_touch(const crm_touch *t, carom_contact_state *out) {
    carom_vec3 second;
    memset(out, 0, sizeof *out); // what lies between the members too
    out->a.index = t->a;
    out->b.index = t->b;
    out->point = t->geometry.point;
    out->normal = t->geometry.normal;
    crm_tangents(t->geometry.normal, &out->tangent, &second);
    out->gap = t->geometry.gap;
    out->friction = t->friction;
    out->normal_impulse = crm_dot(t->geometry.normal, t->impulse);
    out->tangent_impulse[0] = crm_dot(out->tangent, t->impulse);
    out->tangent_impulse[1] = crm_dot(second, t->impulse);
    out->normal_velocity = crm_dot(t->geometry.normal, t->velocity);
    out->slip[0] = crm_dot(out->tangent, t->velocity);
    out->slip[1] = crm_dot(second, t->velocity);
    bool pushed = crm_length_squared(t->impulse) > 0.0;
    bool sticks = t->mode == CRM_TOUCH_STICKS && t->friction > 0.0;
    out->status = !pushed  ? CAROM_CONTACT_STATUS_APART
                  : sticks ? CAROM_CONTACT_STATUS_STICKS
                           : CAROM_CONTACT_STATUS_SLIDES;
}

static bool add(crm_impulse_events *e, const crm_touch *t) {
    carom_contact_state contact;
    read_touch(t, &contact);
    return CRM_ARRAY_PUSH(&e->model->allocator, &e->state->contact_table, contact);
}

// Overlaps over the size of the smaller body, of all touches that are listed.
static void measure_overlaps(const crm_impulse_events *e) {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (t->guard) continue;
        double size = crm_pair_size(e->model, t->a, t->b);
        double share = t->closed ? fmax(-t->geometry.gap, 0.0) / size : 0.0;
        e->report->infeasibility = fmax(e->report->infeasibility, share);
        sum += share, count++;
    }
    e->report->mean_infeasibility = count > 0 ? sum / count : 0.0;
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
