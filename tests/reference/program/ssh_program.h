// SPDX-License-Identifier: MIT
// The supporting separating hyperplane program of two vertex sets, in full: optimum, all optimal normals and weights.
//
// Over alpha, a1, a2: maximise a1 - a2 with <alpha,x> >= a1 on K1, <alpha,y> <= a2 on K2, <beta,alpha> = 1. alpha
// points from K2 to K1; the value is positive for bodies apart, when beta is sensible.
#ifndef TEST_REFERENCE_SSH_PROGRAM_H
#define TEST_REFERENCE_SSH_PROGRAM_H

#include <stdbool.h>

enum { SSH_VERTICES_MAX = 128, SSH_EXTREMES_MAX = 64 };

typedef enum ssh_status {
    SSH_OPTIMAL,
    SSH_UNBOUNDED, // the line along beta misses K1 - K2; alpha is a separating direction normal to beta, |alpha| = 1
    SSH_FAILED
} ssh_status;

typedef struct ssh_result {
    ssh_status status;
    double value;                                              // max a1 - a2; g is minus this
    double alpha[3];                                           // the shortest when there are several
    double a1, a2;                                             // belonging to alpha
    double dual1[SSH_VERTICES_MAX], dual2[SSH_VERTICES_MAX];   // least sum of squares when there are several
    double point1[3], point2[3];                               // weighted vertices; point1 - point2 = value beta
    bool active1[SSH_VERTICES_MAX], active2[SSH_VERTICES_MAX]; // active for every optimal alpha
    bool alpha_unique, dual_unique;
    int extreme_count; // the optimal alphas are the convex hull of these; -1: more than fit
    double alpha_extreme[SSH_EXTREMES_MAX][3];
    double least_full[5];        // (alpha, a1, a2) of least norm of all five
    bool plain_primal_inside;    // the Moore-Penrose solution of the active rows is that
    bool plain_dual_nonnegative; // the Moore-Penrose weights are nonnegative
    // Of the value. Translation of K1 (minus: of K2) with beta held, and with beta following the vertex means; rotation
    // about the mean of the body's vertices, in world axes. Meaningful where alpha and the weights are unique.
    double by_shift_fixed_beta[3], by_shift[3], by_turn1[3], by_turn2[3];
    double dual_gap; // |a1 - a2 - value| with a1 and a2 taken from alpha and the vertices, by which all is measured
    double point_residual; // |point1 - point2 - value beta|
} ssh_result;

// Vertices as triples. `beta` as given; it need not be unit.
void ssh_program_solve(int count1, const double *k1, int count2, const double *k2, const double *beta,
                       ssh_result *result);

// Just the optimum at which the simplex method stops: one of several, when there are several.
typedef struct ssh_basis {
    ssh_status status; // nothing else is given when it is not SSH_OPTIMAL
    double value, alpha[3];
    double dual1[SSH_VERTICES_MAX], dual2[SSH_VERTICES_MAX];
} ssh_basis;

void ssh_program_basis(int count1, const double *k1, int count2, const double *k2, const double *beta,
                       ssh_basis *basis);

// Unit vector from the mean of K2's vertices to that of K1's, and their distance; false when they coincide (to 1e-12 of
// the size of the bodies).
bool ssh_mean_direction(int count1, const double *k1, int count2, const double *k2, double *beta, double *distance);

#endif
