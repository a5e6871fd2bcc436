// SPDX-License-Identifier: MIT
// The fixed steps of `impulse` (after Guendelman, Bridson and Fedkiw, and Weinstein, Teran and Fedkiw):
//
//   impacts  v <- v + M^-1 j       contacts that will be hit, by a law of restitution, with velocities before forces
//   forces   v <- v + h M^-1 k
//   rest     v <- v + M^-1 J^T r   no gap is used up twice, and joints allow v where the bodies are
//   poses    q <- q + h v          of bodies with joints: along ways on which these are closed at the end (step/glide)
//
// As impacts come before forces, what rests is not hit: it needs no threshold to stay at rest.
#ifndef CRM_STEP_IMPULSE_FIXED_H
#define CRM_STEP_IMPULSE_FIXED_H

#include "step/impulse/impulse.h"
#include "step/integrate/external_impulse.h"
#include "step/lcp/lcp.h"

typedef struct crm_impulse_fixed {
    crm_lcp *rows;
    crm_vec6 *start; // velocities of centres of mass and spins before the step (body_count)
    crm_vec6 *hit;   // impulses of impacts, about the centres of mass (body_count)
    bool impacted;   // there were impacts
    crm_limited_impacts limited;
    CRM_ARRAY(double) impact_impulse;         // of every contact: normal, two tangents, N s
    CRM_ARRAY(double) row_impact;             // of the rows of joints, limits and motors in the impacts
    double *rest_speed;                       // of crm_lcp (body_count)
    double impact_work;                       // of friction in the impacts, J
    double (*external)[CRM_EXTERNAL_NUMBERS]; // into each body (body_count)
} crm_impulse_fixed;

// ---- impulse_impacts.c

// Impulses of all that is hit: fills hit (zero at first), impact_impulse, row_impact and impact_work, from `start` and
// the free velocities of the rows, for the contacts that are listed.
carom_status crm_impulse_impacts(const carom_model *model, carom_state *state, const carom_input *input,
                                 crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report,
                                 carom_error *error);

// ---- impulse_external.c

// Adds what the rows' impulses bring into the system of bodies that move: those of rows to the ground.
// Uses rows->twist.
void crm_impulse_add_ground(const carom_model *model, const carom_state *state, crm_lcp *rows,
                            double (*external)[CRM_EXTERNAL_NUMBERS]);
// Adds the work of velocity motors by their rows' impulses, each to one of its bodies that moves.
void crm_impulse_add_motor_work(const carom_model *model, const crm_vec6 *start, const crm_vec6 *end, crm_lcp *rows,
                                double (*external)[CRM_EXTERNAL_NUMBERS]);

#endif
