// SPDX-License-Identifier: MIT
// Contacts whose rows others imply.
//
// Contacts of two bodies with one normal n have rows that differ by where they act in the plane across n
// (docs/math.md 5.4: r x n), and by their gaps. So over that plane, with coordinates (u, v), a contact is a point (u,
// v, gap), and its row is a mean of other rows when (u, v) is the same mean of theirs. When the mean of the gaps is no
// larger than its own, the others holding makes it hold. What is left when all such contacts are gone are the corners
// of the lower convex hull of the points.
//
// Tolerances: normals within 1e-9 rad are one normal; contacts within 1e-9 of the size of the smaller body are in one
// place, three within that of one line; gaps are equal within 1e-12 of that size.
#ifndef CRM_CONTACT_MANIFOLD_REDUCTION_H
#define CRM_CONTACT_MANIFOLD_REDUCTION_H

#include "base/arena.h"
#include "carom/contact.h"

// Leaves out of `count` contacts of two proxies what the others imply; the order stays. `size` is that of the smaller
// body, m. Continuous contacts stay: their two points do not lie along the normal. `twins_only`: only of those in one
// place all but one are left out. Returns how many are left, or -1 without memory; `scratch` is left as it was.
int crm_reduce_manifold(int count, carom_contact *contacts, double size, bool twins_only, crm_arena *scratch);

// The same for points (u, v, gap) alone: keep[i] says whether point i stays. False: no memory.
bool crm_keep_lower_hull(int count, const carom_vec3 *points, double size, bool twins_only, crm_arena *scratch,
                         bool *keep);

#endif
