// SPDX-License-Identifier: MIT
// Coulomb friction at a point while the normal impulse p grows there (docs/math.md 7.2; Routh, Keller).
//
// Axes: two tangents and the normal. Units: n.K n = 1 and |u-| = 1. With K = [A b; b^T 1], u = (x, v), j = (y, p):
//
//     dx/dp = b + A dy/dp,   dv/dp = 1 + b.dy/dp,   dy/dp = -mu x/|x| while it slips.
//
// Slip that has stopped sticks when |A^+ b| <= mu, dy/dp = -A^+ b, and stays stuck, because nothing here depends on p.
// Otherwise it slides off along the one unit vector s with b - mu A s = l s, l > 0, and along it for good.
//
// A *piece* is a stretch of that path: straight, where it is linear in p, or rotating, where it is a Taylor series in
// t, dp = |x| dt. In t the equations are homogeneous, dx/dt = |x| b - mu A x, and have no singular point where slip
// stops; it stops at t = infinity and a finite p.
#ifndef CRM_IMPACT_FRICTION_H
#define CRM_IMPACT_FRICTION_H

#include <stdbool.h>

#include "carom/impact.h"

typedef struct crm_tangential {
    double x, y;
} crm_tangential;

typedef struct crm_friction {
    double a_xx, a_xy, a_yy; // A
    crm_tangential b;
    double mu;
} crm_friction;

// What has been reached.
typedef struct crm_impact_state {
    crm_tangential slip;    // x
    double approach;        // v: negative in compression
    double normal;          // p
    crm_tangential impulse; // y
    double work;            // integral of v dp
} crm_impact_state;

// How friction acts from now on.
typedef struct crm_regime {
    carom_impact_phase phase;
    crm_tangential rate; // dy/dp, but of a slip that rotates
    bool rotating;
} crm_regime;

// Order of the series: steps of 1/e^2 of the radius of convergence leave e^-44 of the last term, below rounding.
enum { CRM_SLIDE_ORDER = 22 };

typedef struct crm_piece {
    bool rotating;
    double length;                  // in p, infinite when nothing ends it; rotating: in t
    bool stops;                     // slip is zero at the end
    crm_tangential rate, slip_rate; // straight: dy/dp, dx/dp
    double slope;                   // straight: dv/dp
    double slip_x[CRM_SLIDE_ORDER + 1], slip_y[CRM_SLIDE_ORDER + 1], speed[CRM_SLIDE_ORDER + 1];
    double approach[CRM_SLIDE_ORDER + 1], normal[CRM_SLIDE_ORDER + 1], work[CRM_SLIDE_ORDER + 1];
    double impulse_x[CRM_SLIDE_ORDER + 1], impulse_y[CRM_SLIDE_ORDER + 1];
} crm_piece;

// The regime of `slip`, when it has just stopped (zero) or is given at the beginning.
crm_regime crm_friction_regime(const crm_friction *friction, crm_tangential slip);
// The next piece from `state`; a regime that no longer rotates becomes straight.
void crm_friction_piece(const crm_friction *friction, const crm_impact_state *state, crm_regime *regime,
                        crm_piece *piece);
crm_impact_state crm_piece_at(const crm_piece *piece, const crm_impact_state *start, double t);

// What may end a stage of the impact.
typedef enum crm_goal_kind {
    CRM_GOAL_APPROACH, // v rises to the value
    CRM_GOAL_IMPULSE,  // p ...
    CRM_GOAL_WORK,     // the work, while v > 0
} crm_goal_kind;

typedef struct crm_goal {
    crm_goal_kind kind;
    double value;
} crm_goal;

// The first t of the piece at which the goal is reached; infinite when it is not.
double crm_piece_find_goal(const crm_piece *piece, const crm_impact_state *start, crm_goal goal);
// The first t at which v, positive or just zero at the start, falls to zero; infinite when it does not.
double crm_piece_fall(const crm_piece *piece, const crm_impact_state *start);

#endif
