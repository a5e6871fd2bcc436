// SPDX-License-Identifier: MIT
// Contacts of two proxies that the others stand for (docs/math.md 5.4).
//
// Contacts of two bodies along one normal n have rows that differ by where they act in the plane across n (r x n), and
// by their gaps. So over that plane, with coordinates (u, v), a contact is a point (u, v, gap), and its row is a mean
// of other rows when (u, v) is the same mean of theirs: whatever normal forces do at all contacts, forces at the
// corners of their outline can do. When the mean of the gaps is no larger than its own, the others holding makes it
// hold. What stays are the corners of the outline, and what is nearer than the surface that they span.
//
// Tolerances, beyond which something stays:
//   normals    2.5 degrees from that of the nearest contact are taken together: edges of faces that are nearly parallel
//              have normals of their own
//   outline    0.5 % of its diameter, or 5 % of its width where that is less: the edge of a card must not become a line
//   depth      1e-4 of the size of the smaller body below the surface that the others span
// The choice is one of geometry alone, and does not ask which body is A.
#ifndef CRM_CONTACT_MANIFOLD_REDUCTION_H
#define CRM_CONTACT_MANIFOLD_REDUCTION_H

#include "base/arena.h"
#include "carom/contact.h"

// Leaves out of `count` contacts of two proxies what the others stand for; the order stays. `size` is that of the
// smaller body, m. Continuous contacts stay: their two points do not lie along the normal. `twins_only`: only of those
// in one place all but one are left out. Returns how many are left, or -1 without memory; `scratch` is left as it was.
int crm_reduce_manifold(int count, carom_contact *contacts, double size, bool twins_only, crm_arena *scratch);

// The same for points (u, v, gap) alone: keep[i] says whether point i stays. False: no memory.
bool crm_keep_support_points(int count, const carom_vec3 *points, double size, bool twins_only, crm_arena *scratch,
                             bool *keep);

// ---- its parts

// Points that are looked at together. Indices are those of `point`.
typedef struct crm_support {
    const carom_vec3 *point; // (u, v, gap)
    bool *keep;
    int *place; // of points in one place the nearest, one each
    int place_count;
    int *outline; // corners that stay, counter-clockwise; two when all lie on a line
    int outline_count;
    double *shortfall;   // room of one number a place
    double rounding;     // of places, m
    double standing_out; // how far a point is outside of the outline at most, m
    double depth;        // how far it is below the surface that the others span at most, m
} crm_support;

// The outline of the places, and standing_out (reduction_outline.c).
void crm_find_support_outline(crm_support *s);
// Keeps of the places what is below the surface that is spanned by what is kept (reduction_surface.c).
void crm_keep_what_is_below(crm_support *s);

// Twice the area of the triangle a, b, c: positive counter-clockwise.
static inline double crm_support_area(const carom_vec3 *a, const carom_vec3 *b, const carom_vec3 *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

#endif
