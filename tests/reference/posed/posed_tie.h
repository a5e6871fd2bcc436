// SPDX-License-Identifier: MIT
// Pairs that touch where the answer is not unique: corner on corner, corner on edge, edge along edge, edge in facet,
// facet on facet. What is known is that they touch, and a normal and two points that prove it.
#ifndef TEST_REFERENCE_POSED_TIE_H
#define TEST_REFERENCE_POSED_TIE_H

#include "carom/distance.h"
#include "support/harness/sample.h"

enum { POSED_TIES = 5 };
extern const char *const posed_tie_names[POSED_TIES];

typedef struct posed_tie {
    carom_view a, b; // touching to rounding
} posed_tie;

// Boxes, polytopes and capsules. False when the shapes have no such features.
bool posed_tie_draw(sampler *s, const carom_shape *first, const carom_shape *second, int tie, posed_tie *out);

#endif
