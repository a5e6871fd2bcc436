// SPDX-License-Identifier: MIT
// Several pairs of ellipsoids at once, one in each lane of a vector. Once per instruction set; all tables give the same
// bits, whatever stands in the other lanes, and the bits of crm_ellipsoid_pair.
#ifndef CRM_DISTANCE_ELLIPSOID_LANES_H
#define CRM_DISTANCE_ELLIPSOID_LANES_H

enum { CRM_ELLIPSOID_LANES = 8 };

// Pair by pair in the last index.
typedef struct crm_ellipsoid_batch {
    _Alignas(32) double d[3][CRM_ELLIPSOID_LANES]; // from A's centre to B's, world, m
    double attitude_a[4][CRM_ELLIPSOID_LANES];     // w, x, y, z
    double half_axes_a[3][CRM_ELLIPSOID_LANES];    // m
    double attitude_b[4][CRM_ELLIPSOID_LANES];     //
    double half_axes_b[3][CRM_ELLIPSOID_LANES];    //
    double start[3][CRM_ELLIPSOID_LANES];          // a direction to begin from, or zero
} crm_ellipsoid_batch;

typedef struct crm_ellipsoid_answers {
    _Alignas(32) double gap[CRM_ELLIPSOID_LANES];
    double accuracy[CRM_ELLIPSOID_LANES];
    double normal[3][CRM_ELLIPSOID_LANES];
    double arm_a[3][CRM_ELLIPSOID_LANES]; // from A's centre to its point
    double arm_b[3][CRM_ELLIPSOID_LANES]; // from B's point to its centre
    double supports[CRM_ELLIPSOID_LANES];
} crm_ellipsoid_answers;

typedef struct crm_ellipsoid_kernels {
    const char *name;
    // Bit i of the result: answer i is proved. Otherwise it is worthless and crm_ellipsoid_search has to be asked.
    unsigned (*find)(const crm_ellipsoid_batch *batch, crm_ellipsoid_answers *out);
} crm_ellipsoid_kernels;

// All tables that this processor can run, for tests and benchmarks, the fastest last; NULL past it.
const crm_ellipsoid_kernels *crm_ellipsoid_kernels_variant(int index);

const crm_ellipsoid_kernels *crm_ellipsoid_kernels_best(void);

#endif
