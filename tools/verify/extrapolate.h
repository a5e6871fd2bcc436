// SPDX-License-Identifier: MIT
// Richardson extrapolation over halved steps. The results A(h) of a method with an expansion
//   A(h) = A(0) + c_1 h^p + c_2 h^2p + ...
// at h, h/2, h/4, ... give T[k][0] = A(h/2^k), T[k][j] = T[k][j-1] + (T[k][j-1] - T[k-1][j-1]) / (2^(p j) - 1), whose
// diagonal runs to A(0); |T[k][k] - T[k][k-1]| estimates the error. Halvings keep the sum of |weights| below 8.3
// (p = 1) and 2 (p = 2), so that roundings stay small.
#ifndef CRM_VERIFY_EXTRAPOLATE_H
#define CRM_VERIFY_EXTRAPOLATE_H

enum { CRM_MOST_LEVELS = 14 };

typedef struct crm_extrapolation {
    int power;                      // p
    int count;                      // numbers extrapolated at once
    int levels;                     // rows so far
    double *table[CRM_MOST_LEVELS]; // the last row: T[k][j] (count)
} crm_extrapolation;

// Takes the next row's first entries from table[levels], where the caller has put A(h/2^k); leaves the extrapolated
// numbers in table[levels - 1] (of the new count) and returns the largest error estimate, infinite for the first row.
double crm_extrapolation_advance(crm_extrapolation *extrapolation);

#endif
