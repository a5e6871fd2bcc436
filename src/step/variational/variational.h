// SPDX-License-Identifier: MIT
// The core of the discrete mechanics: a step of `variational`, alone or with impulses that contact methods add; and the
// bodies that potentials couple, with the Newton system they share.
//
//   enters    motions, the input, impulses that contact methods add at both ends of the step
//   leaves    state->next, impulses of bodies, reactions of joints
//   callers   the table of methods; dcr, potential, newmark
#ifndef CRM_STEP_VARIATIONAL_H
#define CRM_STEP_VARIATIONAL_H

#include "math/block/block_factor.h"
#include "step/forced/forced_body.h"
#include "step/method.h"

// Impulses at both ends of a step beside those of gravity, potentials and the input, projected on what the kinds of the
// bodies admit, about their centres of mass there (body_count each; NULL: none).
typedef struct crm_explicit_impulse {
    const crm_vec6 *before, *after;
    bool alone; // they are all that acts
} crm_explicit_impulse;

// Scratch of the core, from the state's arena.
carom_status crm_variational_prepare(carom_state *state, void **core, carom_error *error);
void crm_variational_release(void *core); // may be NULL

// A body that discrete forces act on and nothing couples, by its number in the whole; NULL: it is no such body.
crm_forced_body *crm_variational_forced_body(void *core, int body);

// One step from state->motions to state->next, as crm_method.advance; may be made again with another explicit impulse.
// Trees that have explicit impulses are moved in one substep.
void crm_variational_move(const carom_model *model, carom_state *state, void *core, const carom_input *input,
                          const crm_explicit_impulse *explicit_impulse, carom_step_report *report);

// Unknowns of a coupled body: displacement of its centre of mass, and the vector part of the quaternion (s, a) of its
// rotation, both over one step, in world axes.
typedef struct crm_increment {
    carom_vec3 displacement;
    carom_vec3 a;
} crm_increment;

typedef struct crm_coupling {
    int count;        // bodies that a pair acts on and that can move
    int *body;        // by slot (count)
    int *slot;        // by body, -1 where it is not coupled (body_count)
    int *pair_edge;   // by pair: the edge of the matrix between its two bodies, -1 if only one of them is coupled
    int *system_edge; // by pair of bodies of a function of several: likewise (crm_system_pair_count)
    crm_increment *increment; // (count)
    carom_mat3 *inertia;      // J_w at the start of the step (count)
    carom_vec3 *force;        // minus the sum of gradients at the midpoint (count)
    carom_vec3 *torque;       // about the centre of mass, by the arms at the midpoint (count)
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *residual; // (6 count)
    double *scale;    // what each component of the residual is measured by: 2 per body (2 count)
    double *rounding; // what roundings of the positions alone make of it (2 count)
    int worst_slot;   // of the body with the largest residual
    double *work;     // for the linear solve
    crm_discrete_forces forces;
    int *force_edge; // of their matrix: the edge of the matrix above, -1 if there is none (edge_count)
} crm_coupling;

// The same for bodies that have no group, each by itself; `group` is -1 for those, NULL: nobody has one (body_count).
// state->active holds the wrenches of the input, and becomes impulses.
void crm_variational_move_alone(const carom_model *model, carom_state *state, const int *group,
                                const crm_explicit_impulse *explicit_impulse, carom_step_report *report);

carom_status crm_coupling_prepare(const carom_state *state, crm_arena *arena, crm_coupling *coupling,
                                  carom_error *error);

// Solves the discrete Euler-Lagrange equations of the coupled bodies and moves them; the report says why, if it cannot.
// state->active as above.
void crm_coupling_advance(const carom_model *model, carom_state *state, crm_coupling *coupling,
                          const crm_explicit_impulse *explicit_impulse, carom_step_report *report);

// ---- coupling_forces.c

carom_status crm_coupling_forces_prepare(const carom_model *model, crm_arena *arena, crm_coupling *coupling,
                                         carom_error *error);
// Takes the discrete forces off residual and matrix at the present increments, whose interval has begun. False: a
// callback refuses.
bool crm_coupling_forces_add(const carom_state *state, crm_coupling *coupling);

#endif
