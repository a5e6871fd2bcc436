// SPDX-License-Identifier: MIT
// What a step by events says of its contacts.
#include <math.h>
#include <stdlib.h>

#include "model/proxies.h"
#include "shape/shape.h"
#include "step/certify/accounts.h"
#include "step/impulse/impulse_events.h"

// What was hit and has left again is told where it was hit: by the end of the step its normal may have rotated, and a
// smooth impulse would seem to have friction.
static bool add(crm_impulse_events *e, const crm_touch *t) {
    bool left = !t->closed && crm_length_squared(t->hit_at.normal) > 0.0;
    crm_contact_site site = crm_contact_site_at(t->a, t->b, left ? &t->hit_at : &t->geometry);
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
static crm_overlaps measure_overlaps(const crm_impulse_events *e) {
    crm_overlaps overlaps = {0};
    for (int i = 0; i < e->touches.count;) {
        const crm_touch *first = &e->touches.items[i], *t = first;
        double deepest = 0.0;
        for (; i < e->touches.count && t->a == first->a && t->b == first->b; t = &e->touches.items[++i])
            if (t->closed && !t->guard) deepest = fmax(deepest, -t->geometry.gap);
        crm_overlaps_add(&overlaps, deepest / crm_pair_size(e->model, first->a, first->b));
    }
    return overlaps;
}

// An attempt at a smaller group may have left some.
static void drop_former(crm_impulse_events *e) {
    int count = 0;
    for (int i = 0; i < e->kept.count; i++) {
        const crm_touch *t = &e->kept.items[i];
        int body = crm_body_moves(e->model, t->a) ? t->a : t->b;
        if (e->groups.of[body] != e->scope.of) e->kept.items[count++] = *t;
    }
    e->kept.count = count;
}

bool crm_events_keep_touches(crm_impulse_events *e) {
    const carom_allocator *allocator = &e->model->allocator;
    drop_former(e);
    crm_events_twists(e);
    crm_events_evaluate_touches(e, false);
    crm_events_mark_closed(e);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        bool pushed = crm_length_squared(t->impulse) > 0.0;
        if ((t->closed || pushed) && !CRM_ARRAY_PUSH(allocator, &e->kept, *t)) return false;
    }
    for (int i = 0; i < e->past.count; i++) {
        e->past.items[i].closed = false;
        if (!CRM_ARRAY_PUSH(allocator, &e->kept, e->past.items[i])) return false;
    }
    for (int i = 0; i < e->kept.count; i++) e->kept.items[i].order = i;
    e->now.overlaps = measure_overlaps(e);
    return true;
}

// By bodies; of two bodies as they were kept.
static int in_order(const void *p, const void *q) {
    const crm_touch *s = p, *t = q;
    if (s->a != t->a) return (s->a > t->a) - (s->a < t->a);
    if (s->b != t->b) return (s->b > t->b) - (s->b < t->b);
    return (s->order > t->order) - (s->order < t->order);
}

static void add_work(const crm_impulse_events *e) {
    crm_limited_impacts limited = {0};
    for (int i = 0; i < e->kept.count; i++) {
        const crm_touch *t = &e->kept.items[i];
        crm_ledger_add_contact(e->state, t->a, t->b, t->restitution, t->normal_work, t->friction_work);
        for (int k = 0; k < t->limited; k++) crm_limited_impacts_add(&limited, t->a, t->b);
    }
    crm_limited_impacts_tell(e->state, &limited, e->report);
}

bool crm_events_read_out(crm_impulse_events *e) {
    crm_overlaps overlaps = {0};
    e->state->contact_table.count = 0;
    if (e->kept.count > 0) qsort(e->kept.items, (size_t)e->kept.count, sizeof *e->kept.items, in_order);
    for (int i = 0; i < e->kept.count; i++)
        if (!add(e, &e->kept.items[i])) return false;
    e->report->contacts = e->state->contact_table.count;
    for (int b = 0; b < e->model->bodies.count; b++) {
        const crm_overlaps *of = &e->groups.result[b].overlaps;
        if (e->groups.of[b] != b) continue;
        overlaps.largest = fmax(overlaps.largest, of->largest);
        overlaps.sum += of->sum;
        overlaps.pairs += of->pairs;
    }
    crm_overlaps_report(&overlaps, e->report);
    add_work(e);
    return true;
}
