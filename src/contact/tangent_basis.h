// SPDX-License-Identifier: MIT
// Tangents of contacts, and which contact is which one of the former update.
#ifndef CRM_CONTACT_TANGENT_BASIS_H
#define CRM_CONTACT_TANGENT_BASIS_H

#include "base/arena.h"
#include "contact/pair_cache.h"

// The order of contacts within a meeting: parts, kind, features.
int crm_compare_contacts(const carom_contact *a, const carom_contact *b);

// The former contacts of two proxies, in order, and what tells where the two were. All zeros: none.
typedef struct crm_former {
    int count;
    const carom_contact *contacts;
    const crm_pair_cache *cache;
    int32_t id_a, rank_a, id_b, rank_b; // crm_former_pose
} crm_former;

// Gives the `count` contacts of proxies A and B, in order, their tangents and impulses, from the former ones of the
// same two. `size` is that of the smaller one (crm_proxy_size). A contact is the same one when parts, kind and features
// are. One that finds none so takes the nearest former one that no other has, when that is close enough (frames.c): a
// corner that becomes an edge, or crosses an internal edge, keeps its impulse. False: no memory in `scratch`, which is
// left as it was.
bool crm_take_over(int count, carom_contact *contacts, const crm_former *former, const carom_pose *pose_a,
                   const carom_pose *pose_b, double size, crm_arena *scratch);

// The size of a proxy: of its shape about its centre, or of its vertices about their mean, m. Infinite when unbounded.
double crm_proxy_size(const carom_view *view);

#endif
