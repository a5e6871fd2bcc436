// SPDX-License-Identifier: MIT
// The contacts of one pair of convex items, family by family. docs/contact.md has the rules.
#ifndef CRM_CONTACT_MANIFOLD_H
#define CRM_CONTACT_MANIFOLD_H

#include <stddef.h>

#include "contact/narrow/narrow_phase.h"
#include "math/vec3.h"

// A pair whose contacts are looked for, and where they go.
typedef struct crm_manifold {
    const crm_item *a, *b;
    double margin;   // of both together, and what rounding needs: contacts have no larger a gap, m
    double rounding; // of lengths here, m
    crm_pair_memory *memory;
    carom_distance_cache *cache; // crm_cache_of
    const carom_allocator *allocator;
    crm_contact_array *out;
} crm_manifold;

// The cache of the pair, for a query.
static inline carom_distance_cache *crm_cache_of(crm_manifold *m) {
    if (!m->memory->has_cache) *m->cache = (carom_distance_cache){0};
    m->memory->has_cache = 1;
    return m->cache;
}

// One more contact. False: no memory, as of all that follow.
bool crm_put_contact(crm_manifold *m, carom_contact_kind kind, int feature_a, int feature_b, double gap,
                     carom_vec3 normal, carom_vec3 point_a, carom_vec3 point_b);

// Two boxes or polytopes: their feature contacts, and the nearest points where there are none (manifold_features.c).
bool crm_contacts_of_polytopes(crm_manifold *m);
// Two capsules; a capsule and a box or polytope (manifold_capsule.c).
bool crm_contacts_of_capsules(crm_manifold *m);
bool crm_contacts_of_capsule_on_polytope(crm_manifold *m);
// A half-space or container, and what is over or in it (manifold_static.c).
bool crm_contacts_with_static_geometry(crm_manifold *m);
// Any pair: its nearest points, or the shortest way out (manifold_nearest.c).
bool crm_contact_of_nearest_points(crm_manifold *m);
// Any pair: the points and the plane gap of the centre ray, or the nearest points where there is none.
bool crm_contact_of_ray(crm_manifold *m);
// The pair was found farther apart along this normal than it can get near.
static inline void crm_remember_apart(crm_manifold *m, carom_vec3 normal) {
    m->memory->apart = normal;
}

// Where a pair that moves fast meets on its way through the step (manifold_continuous.c).
typedef enum crm_continuous_outcome {
    CRM_CONTINUOUS_MEETS,     // `out` has the points, the normal and the gap along it at the start
    CRM_CONTINUOUS_PASSES,    // they do not meet, or touch from the beginning
    CRM_CONTINUOUS_UNDECIDED, // not found out
} crm_continuous_outcome;
typedef struct crm_continuous_contact {
    double gap;
    carom_vec3 normal, point_a, point_b;
} crm_continuous_contact;
// Whether one of them can get through the other in a step, or nearly so.
bool crm_moves_fast(const crm_manifold *m);
crm_continuous_outcome crm_continuous_pair(const crm_manifold *m, double duration, crm_continuous_contact *out);

#endif
