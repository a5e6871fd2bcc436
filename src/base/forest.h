// SPDX-License-Identifier: MIT
// Numbers that are joined to sets: a forest in an array, where of[i] leads towards the root and roots lead to
// themselves. The root of a set is its lowest number, so that sets do not depend on the order in which they were made.
#ifndef CRM_BASE_FOREST_H
#define CRM_BASE_FOREST_H

// Shortens the way for the next time.
static inline int crm_forest_root(int *of, int i) {
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
}

static inline void crm_forest_join(int *of, int a, int b) {
    a = crm_forest_root(of, a), b = crm_forest_root(of, b);
    of[a > b ? a : b] = a > b ? b : a;
}

#endif
