// SPDX-License-Identifier: MIT
// One pair through the narrow phase.
#ifndef TEST_CONTACT_NARROW_PAIR_H
#define TEST_CONTACT_NARROW_PAIR_H

#include <math.h>
#include <string.h>

#include "contact/narrow/narrow_phase.h"
#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/moving_pairs.h"
#include "support/harness/check.h"

enum { MOST_CONTACTS = 2048 };

typedef struct found_contacts {
    int count;
    carom_contact at[MOST_CONTACTS];
    crm_narrow_counts counts;
} found_contacts;

static const crm_narrow_options by_features = {.measure = CAROM_MEASURE_FEATURES};

// What is remembered of the one pair.
typedef struct pair_memory {
    crm_pair_memory memory;
    carom_distance_cache cache;
} pair_memory;

// `memory` may be NULL: none.
static inline void find_contacts_of(const moving_body *a, const moving_body *b, const crm_narrow_options *options,
                                    pair_memory *memory, found_contacts *found) {
    carom_proxy proxy[2] = {{.id = 0, .view = a->view, .motion = a->motion, .margin = a->margin},
                            {.id = 1, .view = b->view, .motion = b->motion, .margin = b->margin}};
    crm_item items[2] = {{.proxy = &proxy[0], .place = 0, .view = a->view},
                         {.proxy = &proxy[1], .place = 1, .view = b->view}};
    for (int i = 0; i < 2; i++) crm_make_item_ready(&items[i]);
    crm_item_pair pair = {0, 1};
    pair_memory none = {0}, *used = memory != NULL ? memory : &none;
    crm_contact_array out = {0};
    carom_allocator allocator = carom_allocator_default();
    int count = 0;
    if (!crm_narrow_phase(items, 1, &pair, &used->memory, &used->cache, options, &allocator, &out, &count,
                          &found->counts))
        fail_msg("no memory");
    if (count != out.count || count > MOST_CONTACTS) fail_msg("%d contacts, %d counted", out.count, count);
    found->count = count;
    if (count > 0) memcpy(found->at, out.items, (size_t)count * sizeof *out.items);
    CRM_ARRAY_FREE(&allocator, &out);
}

// At rest, with a joint margin.
static inline void find_contacts(const carom_view *a, const carom_view *b, double margin, found_contacts *found) {
    moving_body of_a = {.view = *a, .margin = 0.5 * margin}, of_b = {.view = *b, .margin = 0.5 * margin};
    find_contacts_of(&of_a, &of_b, &by_features, NULL, found);
}

static inline int order_of(const carom_contact *a, const carom_contact *b) {
    if (a->kind != b->kind) return (int)b->kind - (int)a->kind;
    return a->feature_a != b->feature_a ? b->feature_a - a->feature_a : b->feature_b - a->feature_b;
}

// What holds of every list: unit normals, points one over the other, gaps within the joint margin, the order.
static inline bool check_contacts(const found_contacts *found, double margin, double size) {
    bool good = true;
    for (int i = 0; i < found->count && good; i++) {
        const carom_contact *c = &found->at[i];
        carom_vec3 between = crm_sub(c->point_b, c->point_a);
        double off = c->kind == CAROM_CONTACT_KIND_CONTINUOUS ? crm_dot(between, c->normal) - c->gap
                                                              : crm_length(crm_madd(between, -c->gap, c->normal));
        good = CHECK_NEAR(crm_length(c->normal), 1.0, 1e-14) && CHECK(c->gap <= margin + 1e-11 * size) &&
               CHECK_NEAR(off, 0.0, 1e-12 * size) && CHECK_INT(c->a, 0) && CHECK_INT(c->b, 1) &&
               CHECK(!c->fresh && c->impulse[0] == 0.0) && (i == 0 || CHECK(order_of(c - 1, c) > 0));
    }
    return good;
}

static inline double lowest_gap(const found_contacts *found) {
    double lowest = INFINITY;
    for (int i = 0; i < found->count; i++) lowest = fmin(lowest, found->at[i].gap);
    return lowest;
}

#endif
