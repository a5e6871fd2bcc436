// SPDX-License-Identifier: MIT
// Bodies deep inside of a compound.
#ifndef CRM_CONTACT_DEEP_PENETRATION_H
#define CRM_CONTACT_DEEP_PENETRATION_H

#include "contact/compound/internal_cover.h"

// Which compounds a contact is inside of: bits.
typedef enum crm_inside { CRM_INSIDE_NONE = 0, CRM_INSIDE_A = 1, CRM_INSIDE_B = 2 } crm_inside;

// The shortest way of a body out of a part through a facet that is not inside.
typedef struct crm_way_out {
    double depth;                        // m; infinite: none; 0: the body is beyond one of the part's facets
    carom_vec3 normal, on_part, on_body; // outward, unit; points of both: world
    bool out_of_a;                       // of a part of A
} crm_way_out;

// Makes overlapping contacts that are inside, and that nothing holds, ways out, the shortest first, as it may hold the
// others. `inside` tells of each contact; `stays` starts as what is inside of nothing, and gets what is not to be left
// out. `ways` is scratch, (count).
void crm_resolve_penetration(const crm_part_list *a, const crm_part_list *b, int count, carom_contact *contacts,
                             const unsigned char *inside, bool *stays, crm_way_out *ways);

#endif
