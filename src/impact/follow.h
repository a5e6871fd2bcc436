// SPDX-License-Identifier: MIT
// The laws that follow friction through the impact, and the one that does not; units and axes of friction.h.
//
// impact/ is one collision at one point: a collision matrix, a normal and a velocity enter (carom/impact.h), the
// impulse of a law leaves. resolve.c scales and calls these; impact_pair.c makes the matrix of two bodies. Its callers
// are step/, the checker of references and programs.
#ifndef CRM_IMPACT_FOLLOW_H
#define CRM_IMPACT_FOLLOW_H

#include "impact/friction.h"
#include "math/mat3.h"

typedef struct crm_followed {
    crm_impact_state end;
    crm_impact_state compression; // when v is zero for the first time
    int phase_count;
    carom_impact_phase phases[CAROM_IMPACT_PHASE_LIMIT];
    bool wedged, unfinished;
} crm_followed;

// From `start`, v < 0, to the end that Newton's, Poisson's or Stronge's law gives the impact.
void crm_impact_follow(const crm_friction *friction, crm_impact_state start, carom_impact_law law, double restitution,
                       crm_followed *out);

// Impulses in the axes of friction.h: z is the normal.
typedef struct crm_algebraic {
    carom_vec3 impulse, plastic_sliding, plastic_sticking, predicted;
    double kappa;
} crm_algebraic;

// The law of Chatterjee and Ruina; u.z < 0, K.z.z = 1.
void crm_impact_algebraic(carom_mat3 matrix, carom_vec3 velocity, double mu, double restitution, double tangential,
                          crm_algebraic *out);

#endif
