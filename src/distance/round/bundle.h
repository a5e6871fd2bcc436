// SPDX-License-Identifier: MIT
// The step of a Newton method for a concave function of two unknowns with corners: the largest value of
//
//   model(w) = min over i of (e_i + g_i.w)  -  w.K w / 2
//
// with K positive definite. At the maximum K w = sum weight_i g_i, weight_i >= 0, sum weight_i = 1: at most three
// pieces carry weight.
#ifndef CRM_DISTANCE_BUNDLE_H
#define CRM_DISTANCE_BUNDLE_H

enum { CRM_BUNDLE_PIECES = 4 };

typedef struct crm_bundle {
    int count;                                            // of pieces, 1 ... CRM_BUNDLE_PIECES
    double e[CRM_BUNDLE_PIECES], g[CRM_BUNDLE_PIECES][2]; // the pieces
    double k11, k12, k22;                                 // K
    double w[2], gain, weight[CRM_BUNDLE_PIECES];         // the answer: step, model there, weights
} crm_bundle;

void crm_bundle_solve(crm_bundle *bundle);

#endif
