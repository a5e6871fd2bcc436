// SPDX-License-Identifier: MIT
// Parts of compounds and what they cover of each other: the rule is told in internal_edges.c.
#ifndef CRM_CONTACT_INTERNAL_COVER_H
#define CRM_CONTACT_INTERNAL_COVER_H

#include "base/arena.h"
#include "contact/item.h"
#include "distance/side.h"

// Of the smaller part's size: parts this near to each other are joined. Far above rounding, far below any real step.
#define CRM_JOINED 1e-6
// Of the size: to which heights along a normal are known; what a tilt of 1e-13 makes of them.
#define CRM_KNOWN_HEIGHT 1e-13
// How far "next to x" is, as a share of the way to a corner of the face; and how far inside of a cone of normals is.
#define CRM_NEXT_TO 1e-3

enum { CRM_FACE_CORNERS = 16 }; // of a face that are looked at; more are rare, and lie between others

// The parts of one proxy that are in its pairs with another one.
typedef struct crm_part_list {
    int count;
    int *part;           // ascending
    crm_side *side;      // (count) NULL: unbounded
    const crm_item *all; // the items of all of its parts, listed or not
    int all_count;
} crm_part_list;

// The parts of A or B in these pairs, on `scratch`. False: no memory.
bool crm_list_parts(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool of_b, crm_arena *scratch,
                    crm_part_list *out);
// The place of the first listed part whose number is not below this one.
int crm_part_place(const crm_part_list *parts, int part);

// ---- one part. Points, unit vectors n: world, m

// Whether it holds x, grown by `slack`.
bool crm_part_holds(const crm_side *part, carom_vec3 x, double slack);
// How much farther along n the part extends than x, m.
double crm_part_beyond(const crm_side *part, carom_vec3 x, carom_vec3 n);
// The corners of the part's face that is farthest along n (one point of what is round), and their mean.
int crm_part_face(const crm_side *part, carom_vec3 n, carom_vec3 corner[CRM_FACE_CORNERS], carom_vec3 *mean);

// To which length heights of the part at x are known, rounding of places far from the origin included, m.
static inline double crm_known_height(const crm_side *part, carom_vec3 x) {
    return CRM_KNOWN_HEIGHT * part->size + 1e-15 * crm_length(x);
}

// ---- siblings; `own` is the place of the part that x is on

// Whether a listed sibling covers (x, n).
bool crm_is_covered(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n);
// Whether any sibling does.
bool crm_is_covered_at_all(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n);
// Whether all of the part's face about x, which is covered, is covered along n: next to x on the way to the middle of
// the face, to its corners and to the middles between them.
bool crm_is_covered_about(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n);

#endif
