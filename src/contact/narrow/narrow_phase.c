// SPDX-License-Identifier: MIT
// Which family a pair belongs to, and in which order. Pairs of ellipsoids are measured several at a time, block by
// block; an answer does not depend on the block that its pair falls into.
#include "contact/narrow/narrow_phase.h"

#include "base/limits/limit.h"

#include <math.h>

#include "contact/narrow/manifold.h"
#include "contact/narrow/separating_axis_cache.h"
#include "distance/ellipsoid/ellipsoid_gap.h"
#include "distance/round/round_lanes.h"
#include "distance/side.h"

// Lengths are known to this share of the sizes of the bodies, and of how far from the origin they are.
static const double size_rounding = 1e-12, place_rounding = 0x1p-49;
// Supports are taken by quaternions whose length may be off by 1e-9: a plane between two bodies holds for sure when it
// does by this share of their sizes.
static const double plane_rounding = 1e-8;

enum { BLOCK = 64 };

typedef enum stage {
    APART, // farther than they can get near: no contacts
    ROUND, // ellipsoids and spheres: measured together, the answer waits
    ALONE, // one by one
} stage;

typedef struct block {
    crm_manifold pair[BLOCK];
    stage stage[BLOCK];
    crm_ellipsoid_witness round[BLOCK];
    crm_round_lanes lanes;
} block;

static bool is_unbounded(const crm_item *item) {
    return item->kind == CAROM_SHAPE_HALF_SPACE || item->kind == CAROM_SHAPE_CONTAINER;
}

// ---- apart

static crm_manifold manifold_of(const crm_item *a, const crm_item *b, crm_pair_memory *memory,
                                carom_distance_cache *cache, const carom_allocator *allocator, crm_contact_array *out,
                                double *extents) {
    *extents = a->extent + b->extent;
    carom_vec3 far = crm_vec3_max(crm_vec3_abs(a->posed.position), crm_vec3_abs(b->posed.position));
    double rounding = size_rounding * *extents + place_rounding * crm_max_component(far);
    return (crm_manifold){.a = a,
                          .b = b,
                          .margin = a->margin + b->margin + rounding,
                          .rounding = rounding,
                          .memory = memory,
                          .cache = cache,
                          .allocator = allocator,
                          .out = out};
}

// By a ball about the body.
static bool is_far_from_wall(const crm_manifold *m, bool wall_is_a, double extents) {
    const crm_item *around = wall_is_a ? m->a : m->b, *body = wall_is_a ? m->b : m->a;
    return crm_least_wall_gap(&around->view, body->posed.position, body->extent) > m->margin + plane_rounding * extents;
}

// By balls about them, or by the plane that was between them before. Otherwise that plane is forgotten.
static bool is_separated(crm_manifold *m, double extents) {
    double needed = m->margin + plane_rounding * extents, balls = needed + extents;
    if (crm_length_squared(crm_sub(m->b->posed.position, m->a->posed.position)) > balls * balls) return true;
    if (crm_length_squared(m->memory->apart) > 0.5) {
        if (crm_gap_along(m->a, m->b, m->memory->apart) > needed) return true;
        m->memory->apart = crm_vec3_zero();
    }
    return false;
}

// ---- one pair

static bool has_facets(const crm_item *item) {
    return item->kind == CAROM_SHAPE_BOX || (item->kind == CAROM_SHAPE_POLYTOPE && item->view.shape != NULL);
}

static bool put_by_features(crm_manifold *m) {
    if (is_unbounded(m->a) || is_unbounded(m->b)) return crm_contacts_with_static_geometry(m);
    bool facets_a = has_facets(m->a), facets_b = has_facets(m->b);
    bool capsule_a = m->a->kind == CAROM_SHAPE_CAPSULE, capsule_b = m->b->kind == CAROM_SHAPE_CAPSULE;
    if (facets_a && facets_b) return crm_contacts_of_polytopes(m);
    if (capsule_a && capsule_b) return crm_contacts_of_capsules(m);
    if ((capsule_a && facets_b) || (facets_a && capsule_b)) return crm_contacts_of_capsule_on_polytope(m);
    return crm_contact_of_nearest_points(m);
}

static bool put_round(crm_manifold *m, const crm_ellipsoid_witness *w) {
    crm_cache_of(m)->gap_normal = w->normal;
    if (w->gap <= m->margin)
        return crm_put_contact(m, CAROM_CONTACT_KIND_NEAREST, 0, 0, w->gap, w->normal, w->point_a, w->point_b);
    crm_remember_apart(m, w->normal);
    return true;
}

static bool put_at_start(crm_manifold *m, const crm_ellipsoid_witness *round, carom_contact_measure measure) {
    if (round != NULL) return put_round(m, round);
    switch (measure) {
    case CAROM_MEASURE_GAP:
        return crm_contact_of_nearest_points(m);
    case CAROM_MEASURE_RAY:
        return crm_contact_of_ray(m);
    default:
        return put_by_features(m);
    }
}

// Of bodies that meet on their way, what touches already, and where they meet.
static bool put_continuous(crm_manifold *m, int first, const crm_continuous_contact *on_the_way) {
    int kept = first;
    for (int i = first; i < m->out->count; i++)
        if (m->out->items[i].gap <= m->rounding) m->out->items[kept++] = m->out->items[i];
    m->out->count = kept;
    return crm_put_contact(m, CAROM_CONTACT_KIND_CONTINUOUS, 0, 0, on_the_way->gap, on_the_way->normal,
                           on_the_way->point_a, on_the_way->point_b);
}

static bool put_pair(crm_manifold *m, const crm_ellipsoid_witness *round, const crm_narrow_options *options,
                     crm_narrow_counts *counts) {
    int first = m->out->count;
    if (!put_at_start(m, round, options->measure)) return false;
    if (!options->continuous || m->out->count == first || !crm_moves_fast(m)) return true;
    crm_continuous_contact on_the_way;
    crm_continuous_outcome continuous = crm_continuous_pair(m, options->duration, &on_the_way);
    counts->undecided += continuous == CRM_CONTINUOUS_UNDECIDED;
    return continuous != CRM_CONTINUOUS_MEETS || put_continuous(m, first, &on_the_way);
}

// ---- all pairs

static void take_round(void *user, int pair, const crm_ellipsoid_witness *witness) {
    block *k = user;
    k->round[pair] = *witness;
}

// What needs no lanes is left for later, so that contacts come in the order of the pairs.
static stage sort_pair(block *k, int i, double extents, carom_contact_measure measure) {
    crm_manifold *m = &k->pair[i];
    const carom_view *a = &m->a->view, *b = &m->b->view;
    bool wall_is_a = is_unbounded(m->a);
    if (wall_is_a || is_unbounded(m->b)) return is_far_from_wall(m, wall_is_a, extents) ? APART : ALONE;
    if (is_separated(m, extents)) return APART;
    if (measure == CAROM_MEASURE_RAY || m->a->is_box || m->b->is_box || !crm_view_is_round(a) || !crm_view_is_round(b))
        return ALONE;
    if (!crm_suits_round_lanes(a, b))
        k->round[i] = crm_ball_pair(a->pose.position, a->shape->radius, b->pose.position, b->shape->radius,
                                    crm_cache_of(m)->gap_normal);
    else
        crm_round_lanes_add(&k->lanes, i, a, b, crm_cache_of(m)->gap_normal);
    return ROUND;
}

static bool put_block(block *k, int count, const crm_narrow_options *options, int *contact_count,
                      crm_narrow_counts *counts) {
    for (int i = 0; i < count; i++) {
        crm_manifold *m = &k->pair[i];
        int before = m->out->count;
        contact_count[i] = 0;
        if (crm_interrupted(&options->interrupt)) continue; // the update is dropped
        if (k->stage[i] != APART && !put_pair(m, k->stage[i] == ROUND ? &k->round[i] : NULL, options, counts))
            return false;
        counts->asked += k->stage[i] != APART;
        contact_count[i] = m->out->count - before;
    }
    return true;
}

bool crm_narrow_phase(const crm_item *items, int count, const crm_item_pair *pairs, crm_pair_memory *memory,
                      carom_distance_cache *cache, const crm_narrow_options *options, const carom_allocator *allocator,
                      crm_contact_array *out, int *contact_count, crm_narrow_counts *counts) {
    *counts = (crm_narrow_counts){0};
    block k; // large: what is not needed is left alone
    crm_round_lanes_begin(&k.lanes, take_round, &k);
    for (int from = 0; from < count; from += BLOCK) {
        int here = count - from < BLOCK ? count - from : BLOCK;
        for (int i = 0; i < here; i++) {
            double extents;
            crm_item_pair p = pairs[from + i];
            k.pair[i] =
                manifold_of(&items[p.a], &items[p.b], &memory[from + i], &cache[from + i], allocator, out, &extents);
            k.stage[i] = sort_pair(&k, i, extents, options->measure);
        }
        crm_round_lanes_end(&k.lanes);
        if (!put_block(&k, here, options, contact_count + from, counts)) return false;
    }
    return true;
}
