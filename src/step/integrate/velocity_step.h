// SPDX-License-Identifier: MIT
// A step of momenta, then of poses (the semi-implicit Euler step), for methods that find impulses beside the forces:
//
//   p_free = p + h F        v_free by p_free, the spin by the gyroscopic term taken implicitly (free_spin.h)
//   p+     = p_free + j     j the impulses of contacts and joints, which the method finds in between
//
// Of an implicit step F is what depends on nothing (crm_given_forces_evaluate): the rest is among j, and drag stands
// beside the masses, (M + h D) v_free = p + h F (step/implicit).
//
//   q+     = q + h v+
//
// What flies goes along its parabola instead (free_flight.h), where a method has that.
#ifndef CRM_STEP_VELOCITY_STEP_H
#define CRM_STEP_VELOCITY_STEP_H

#include "model/model_state.h"
#include "step/integrate/free_flight.h"

typedef struct crm_velocity_step {
    bool implicit;              // forces that have a stiffness or a damping are the method's
    crm_vec6 *explicit_impulse; // h F: of all forces (body_count)
    crm_vec6 *free;          // velocity of the centre of mass and spin without j; with it after the move (body_count)
    crm_vec6 *change;        // j, about the centres of mass (body_count)
    crm_free_flight *flight; // NULL: none flies
} crm_velocity_step;

// From the state's arena, with state->impulse_size. False: no memory.
bool crm_velocity_step_create(carom_state *state, crm_velocity_step *step);

// Forces lead to momenta in state->next and to free velocities; these are zero in models with a mobility. False: a
// callback refused, as the report says.
bool crm_velocity_step_begin(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_velocity_step *step, carom_step_report *report);

// The velocity that a body with the momenta of `next` has without further impulses, with drag.
crm_vec6 crm_free_velocity(const carom_state *state, int body, const crm_motion *next);

// The impulse of drag on a body in the step, of its velocity without and of its further impulses.
crm_vec6 crm_velocity_step_drag(const carom_model *model, carom_state *state, int body, crm_vec6 free, crm_vec6 change);

// Impulses become momenta, momenta velocities, and these the new poses.
void crm_velocity_step_move(const carom_model *model, carom_state *state, crm_velocity_step *step);

// (M + h D)^-1 of one body, at the start of the step.
crm_vec6 crm_velocity_of(const carom_model *model, const carom_state *state, int body, crm_vec6 impulse);

#endif
