// SPDX-License-Identifier: MIT
/// @file
/// One impact at one point: from the velocities before it to the impulse, by a law of restitution and Coulomb's
/// friction. What the laws say, where they differ, and when each breaks: docs/methods-classic.md.
///
/// Bodies A and B touch at a point; the unit normal n points from A to B; u = u_B - u_A is the velocity of B's material
/// point seen from A's, n.u < 0 when they approach. The impulse j acts on B and -j on A; u+ = u- + K j. An impulse is
/// in the friction cone when |j_t| <= mu n.j, j_t being its component across the normal.
///
/// carom_impact_resolve needs K, n and u only, so that it serves bodies in joints as well as two free ones: then K is
/// that of the whole mechanism. carom_impact_of_pair makes K and u of two bodies, carom_impact_apply gives them an
/// impulse, and carom_impact_resolve_pair does all three.
#ifndef CAROM_IMPACT_H
#define CAROM_IMPACT_H

#include <stdbool.h>

#include "carom/api.h"
#include "carom/status.h"
#include "carom/types.h"

/// When the impact is over. The first three follow friction through the impact, with the normal impulse as time: slip
/// that changes direction, stops, sticks, or slides off again. The fourth looks at the velocities before only.
typedef enum carom_impact_law {
    CAROM_IMPACT_LAW_NEWTON,  ///< n.u+ = -e n.u-. May gain energy when friction stops or deflects the slip.
    CAROM_IMPACT_LAW_POISSON, ///< The normal impulse of restitution is e times that of compression. Never gains energy.
    CAROM_IMPACT_LAW_STRONGE, ///< The normal work of restitution is e^2 times that of compression. Never gains energy.
    CAROM_IMPACT_LAW_ALGEBRAIC, ///< Chatterjee and Ruina: e and e_t, cut off at the cone. Never gains energy.
    CAROM_IMPACT_LAW_COUNT
} carom_impact_law;

/// An impact as data.
typedef struct carom_impact {
    carom_mat3 matrix;   ///< K, 1/kg, world axes: symmetric, positive semidefinite, with n.K n > 0.
    carom_vec3 normal;   ///< n, from A to B. Of any length but zero.
    carom_vec3 velocity; ///< u- = u_B - u_A, m/s.
    double friction;     ///< mu, at least 0.
    double restitution;  ///< e, 0 to 1.
    double tangential;   ///< e_t, -1 (keep the slip) over 0 (stop it) to 1 (reverse it). Algebraic law only.
} carom_impact;

/// Where an impulse lies in the friction cone.
typedef enum carom_cone_place {
    CAROM_CONE_NONE,     ///< No impulse: the points did not approach.
    CAROM_CONE_NORMAL,   ///< Along the normal: no friction, or none was called for.
    CAROM_CONE_INSIDE,   ///< |j_t| < mu n.j
    CAROM_CONE_BOUNDARY, ///< |j_t| = mu n.j, to 1e-12 of it.
    CAROM_CONE_PLACE_COUNT
} carom_cone_place;

/// What friction did, in order, as the normal impulse grew.
typedef enum carom_impact_phase {
    CAROM_IMPACT_PHASE_FRICTIONLESS, ///< mu = 0, from the first to the last.
    CAROM_IMPACT_PHASE_SLIDE,        ///< Slip, along a straight line or a curve.
    CAROM_IMPACT_PHASE_STICK,        ///< No slip; the friction needed is inside the cone, and stays so.
    CAROM_IMPACT_PHASE_SLIDE_OFF,    ///< Slip had stopped, but to stick needs more friction than there is: slip begins
                                     ///< anew.
    CAROM_IMPACT_PHASE_COUNT
} carom_impact_phase;

enum { CAROM_IMPACT_PHASE_LIMIT = 2 }; ///< No impact has more phases.

/// A stage of the impact: what the impulse has grown to.
typedef struct carom_impact_stage {
    carom_vec3 impulse;    ///< N s, on B.
    double normal_impulse; ///< n.j, N s.
    double normal_work;    ///< Of the normal impulse, integral of n.u d(n.j), J. Negative in compression.
} carom_impact_stage;

typedef struct carom_impact_result {
    carom_vec3 impulse;     ///< j, on B, N s.
    carom_vec3 velocity;    ///< u+, m/s.
    double normal_impulse;  ///< n.j, N s.
    double cone_ratio;      ///< |j_t| / (mu n.j): at most 1 to rounding. 0 without impulse or friction.
    carom_cone_place place; ///< In the cone.
    bool sticks;            ///< The points part, or stay, without slip: u+ has no tangential component.
    double work;            ///< j.(u- + u+)/2, J: the change of kinetic energy. Positive: the law gained energy.
    double friction_work; ///< Friction's share of it, J; the rest is the normal impulse's. Of the algebraic law, which
                          ///< follows no path, what the same impact without friction does not take: never positive.
    bool gains_energy;    ///< `work` exceeds rounding: 1e-12 of |j| (|u-| + |u+|)/2.

    // Of Newton's, Poisson's and Stronge's laws:
    double normal_work;             ///< J, at the end.
    carom_impact_stage compression; ///< At the first moment of greatest compression, n.u = 0.
    int phase_count;
    carom_impact_phase phases[CAROM_IMPACT_PHASE_LIMIT];
    bool wedged;     ///< Sticking locks the mechanism (K is singular), so that n.u+ can only be zero.
    bool unfinished; ///< The path was longer than any that is known: in the cone, but the law is not met.

    // Of the algebraic law:
    carom_vec3 plastic_sliding;  ///< P_I, along the normal, with which n.u+ = 0.
    carom_vec3 plastic_sticking; ///< P_II, with which u+ = 0.
    carom_vec3 predicted;        ///< (1 + e) P_I + (1 + e_t)(P_II - P_I).
    double kappa;                ///< j = (1 + e) P_I + kappa (P_II - P_I); 1 + e_t when the prediction is in the cone.
} carom_impact_result;

/// A body of an impact.
typedef struct carom_impact_body {
    bool fixed;          ///< No impulse moves it (it may be moving): mass and inertia are not looked at.
    double mass;         ///< kg
    carom_mat3 inertia;  ///< About the centre of mass, world axes, kg m^2.
    carom_vec3 centre;   ///< Of mass, m.
    carom_vec3 velocity; ///< Of the centre of mass, m/s.
    carom_vec3 spin;     ///< Angular velocity, world axes, rad/s.
} carom_impact_body;

/// Two bodies that touch at a point.
typedef struct carom_impact_pair {
    carom_impact_body a, b;
    carom_vec3 point;   ///< World, m.
    carom_vec3 normal;  ///< From A to B. Of any length but zero.
    double friction;    ///< mu
    double restitution; ///< e
    double tangential;  ///< e_t
} carom_impact_pair;

/// Kinetic energies count the bodies that are not fixed.
typedef struct carom_impact_pair_result {
    carom_impact_result result;
    carom_vec3 velocity_a, spin_a; ///< After the impact.
    carom_vec3 velocity_b, spin_b;
    double energy_before, energy_after; ///< J
} carom_impact_pair_result;

CAROM_BEGIN_C

CAROM_API const char *carom_impact_law_name(carom_impact_law law);       ///< "stronge"; "?" for a number that is none.
CAROM_API const char *carom_cone_place_name(carom_cone_place place);     ///< "boundary"
CAROM_API const char *carom_impact_phase_name(carom_impact_phase phase); ///< "slide_off"
/// False when no law has that name.
CAROM_API bool carom_impact_law_find(const char *name, carom_impact_law *out);

/// The impulse of an impact. When n.u- >= 0 there is none and u+ = u-.
///
/// No memory is taken. Fails with CAROM_ERR_BAD_INPUT when something is not finite, a coefficient is out of range, the
/// normal is zero, or K is not symmetric and positive semidefinite to 1e-9 of its largest entry.
CAROM_API carom_status carom_impact_resolve(const carom_impact *impact, carom_impact_law law, carom_impact_result *out,
                                            carom_error *error);

/// K = sum of 1/m - [r]x I^-1 [r]x over the bodies that are not fixed, r from the centre of mass to the point; u-; the
/// rest is copied.
///
/// Fails with CAROM_ERR_BAD_INPUT when both bodies are fixed, a mass is not positive, or an inertia is not one: not
/// symmetric, not positive definite, or a principal moment greater than the sum of the others by more than 1e-9 of it.
CAROM_API carom_status carom_impact_of_pair(const carom_impact_pair *pair, carom_impact *out, carom_error *error);

/// Adds `impulse`, N s, acting at the world point `point`, to the velocities of a body (fixed: does nothing).
CAROM_API void carom_impact_apply(carom_impact_body *body, carom_vec3 point, carom_vec3 impulse);

/// Kinetic energy, J; 0 of a fixed body.
CAROM_API double carom_impact_body_energy(const carom_impact_body *body);

/// The whole impact of two bodies.
CAROM_API carom_status carom_impact_resolve_pair(const carom_impact_pair *pair, carom_impact_law law,
                                                 carom_impact_pair_result *out, carom_error *error);

CAROM_END_C

#endif
