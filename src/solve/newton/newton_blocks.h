// SPDX-License-Identifier: MIT
// The laws of contact as Newton's method sees them: for one group of rows the blocks of A du + B dr = c.
//
// Everything here is in scaled variables r' = S r, u' = S^-1 u (newton_scale.h), in which a cone is the standard one
// {|r_t| <= r_n} for r and for y = x + |x_t| n alike, with x = u + c r and the compliance c (De Saxce), and powers r.u
// keep their value. The primes are left out. y is x for all other laws.
//
// Semismooth and smoothing Newton solve r - P(r - y) = 0, with P the projection onto the law's set or, for smoothing,
// its Chen-Harker-Kanzow-Smale average of width `smoothing`, whose zeros lie on the central path r o y = smoothing^2;
// |x_t| is rounded off there, too.
// With D = P' and G = dy/dx that gives A = D G and B = I - D + A c. The prox term adds D `prox` to B: a compliance
// around the present r, which moves no solution but bounds the steps of impulses that the velocities do not determine.
//
// The interior point keeps y as an unknown of its own and solves r o y = target with the scaling V y = r of Nesterov
// and Todd: A = V G, B = I + A c.
#ifndef CRM_SOLVE_NEWTON_BLOCKS_H
#define CRM_SOLVE_NEWTON_BLOCKS_H

#include <stdbool.h>

#include "carom/solve.h"

typedef struct crm_newton_law {
    carom_law law;
    int rows;
    bool frictionless;   // a cone without friction: its first row is unilateral, the others carry nothing
    double shift;        // a cone's share of De Saxce's term: 1 for exact friction, 0 for relaxed
    double round_off;    // how far the smoothed map rounds |u_t| of that term off, against its width
    double lower, upper; // box
    bool compliant;
    double compliance[CAROM_GROUP_ROWS];
} crm_newton_law;

// Matrices are rows x rows, row by row. The numbers lie in memory of the caller's (crm_newton_block_place).
typedef struct crm_newton_block {
    double *a, *b, *c;
    // The same solved for dr = push - stiffness du.
    double *stiffness, *push;
    double *inverse; // of B; for corrections only, push has more digits
} crm_newton_block;

// Doubles that a block of so many rows takes up, and a block that lies there.
int crm_newton_block_size(int rows);
crm_newton_block crm_newton_block_place(int rows, double *numbers);
// Sets its matrices to zero.
void crm_newton_block_clear(int rows, crm_newton_block *block);

// The value of r - P(r - y); `smoothing` 0 is the natural map itself.
void crm_natural_map(const crm_newton_law *law, const double *u, const double *r, double smoothing, double *value);

// The block of a Newton step on the same map: c is minus its value.
void crm_natural_block(const crm_newton_law *law, const double *u, const double *r, double smoothing, double prox,
                       crm_newton_block *block);

// Replaces the block's right-hand side by what makes the direction the derivative of the path of zeros, with respect to
// a parameter in which the width has the derivative `width_rate` and the share of De Saxce's term `shift_rate`.
void crm_natural_path(const crm_newton_law *law, const double *u, const double *r, double smoothing, double width_rate,
                      double shift_rate, crm_newton_block *block);

// The proximal point method replaces a law by that of r around a fixed `centre` with a compliance `prox`, in which r is
// a function of u: r(u) = P(centre - (u + shift n) / prox). `shift` stands for |u_t| of an exact cone and is held. The
// function is the gradient of a convex one. Cones with a compliance of their own are not known to it.
bool crm_proximal_knows(const crm_newton_law *law);
void crm_proximal_point(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        double *point);
void crm_proximal_block(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        const double *r, crm_newton_block *block);

// y as a function of u and r. `rounding` >= 0 replaces |u_t| by sqrt(|u_t|^2 + rounding^2) - rounding.
void crm_dual_value(const crm_newton_law *law, const double *u, const double *r, double rounding, double *y);

// The block of an interior-point step from r and y, both in the interior of their cones, towards r o y = target e.
// y's own error, the dual value minus y, is made good. Rows without a barrier (equality, box) get a smoothed natural
// map.
void crm_interior_block(const crm_newton_law *law, const double *u, const double *r, const double *y, double target,
                        double prox, double rounding, crm_newton_block *block);

// Adds to a block that was made for target 0 what leads to `target`, and what the direction (dr, dy) of that block left
// out to second order (Mehrotra).
void crm_interior_correct(const crm_newton_law *law, const double *r, const double *y, double target, const double *dr,
                          const double *dy, crm_newton_block *block);

// What y changes by when u and r do, to first order, after the step of crm_interior_block.
void crm_interior_dual_step(const crm_newton_law *law, const double *u, const double *r, const double *y, double prox,
                            double rounding, const double *du, const double *dr, double *dy);

// How far along dx, at most 1, r or y stay in their cone.
double crm_interior_step_length(const crm_newton_law *law, const double *x, const double *dx);

#endif
