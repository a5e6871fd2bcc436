// SPDX-License-Identifier: MIT
// Bodies that have sunk into a compound.
#ifndef CRM_CONTACT_SUNK_H
#define CRM_CONTACT_SUNK_H

#include "contact/part_cover.h"

// What becomes of a contact.
typedef enum crm_fate {
    CRM_STAYS,
    CRM_INSIDE_A, // of compound A: is left out
    CRM_INSIDE_B,
    CRM_LEFT_AS_IT_IS, // inside, but there is no way out
    CRM_ALONE,         // inside, but its body has no other contact
} crm_fate;

// The shortest way of a body out of a part through a facet that is not inside.
typedef struct crm_way_out {
    double depth;                        // m; infinite: none; 0: the body is beyond one of the part's facets
    carom_vec3 normal, on_part, on_body; // outward, unit; points of both: world
} crm_way_out;

// Makes overlapping contacts that are inside, and that nothing holds, ways out, the shortest first, as it may hold the
// others. `after` starts as a copy of `fates` and gets what becomes of them; `ways` is scratch, (count).
void crm_lift_out(const crm_part_list *a, const crm_part_list *b, int count, carom_contact *contacts,
                  const crm_fate *fates, crm_fate *after, crm_way_out *ways);

#endif
