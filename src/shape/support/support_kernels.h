// SPDX-License-Identifier: MIT
// The scan of a support function: which of many points is farthest in a direction. One table per instruction set; all
// of them give the same answer, ties and rounding included: the largest of (d.x x + d.y y) + d.z z as rounded, and of
// equal ones the lowest index.
#ifndef CRM_SHAPE_SUPPORT_KERNELS_H
#define CRM_SHAPE_SUPPORT_KERNELS_H

#include "carom/types.h"

// Scanned arrays have a multiple of this many entries and start on a cache line.
enum { CRM_SUPPORT_LANES = 4 };

typedef struct crm_support_kernels {
    const char *name;
    // `count` is a positive multiple of CRM_SUPPORT_LANES; `d` is finite.
    int (*scan)(int count, const double *x, const double *y, const double *z, carom_vec3 d);
} crm_support_kernels;

// The fastest table for the processor this runs on.
const crm_support_kernels *crm_support_kernels_best(void);

// All tables that this processor can run, for tests and benchmarks, the plain scalar loop first; NULL past the last.
const crm_support_kernels *crm_support_kernels_variant(int index);

#endif
