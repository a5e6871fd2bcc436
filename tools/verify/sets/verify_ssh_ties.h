// SPDX-License-Identifier: MIT
// What a file says of supporting hyperplanes that are not the only ones: the extreme normals, the least solution in all
// five unknowns (alpha, a1, a2), and whether the plain least-norm solutions of the active equations are the answer.
#ifndef VERIFY_SSH_TIES_H
#define VERIFY_SSH_TIES_H

#include "carom/distance.h"
#include "verify/checker.h"

typedef struct crm_ssh_ties {
    crm_reference *reference;
    crm_arena *arena;
    crm_verdict *verdict;
    const json_t *expected;
    int count1, count2;
    const carom_vec3 *k1, *k2;
    carom_vec3 beta;
    const carom_ray_witness *ray;
    const double *weights1, *weights2; // carom's duals (count1), (count2)
    double size;                       // m, of the pair
    double tolerance;                  // of alpha and duals, relative to the size where they are lengths
} crm_ssh_ties;

// Checks those of the fields that the case has.
void crm_verify_ssh_ties(const crm_ssh_ties *t);

#endif
