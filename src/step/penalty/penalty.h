// SPDX-License-Identifier: MIT
// `penalty`: a spring and a damper wherever bodies overlap (docs/math.md 9), with the semi-implicit Euler step.
//
//   F_n = max(0, k pen - d u_n+)
//   F_t = -k_t s - d_t u_t+,  cut to |F_t| <= mu F_n
//   v+ = v + h M^-1 F,  q+ = q + h v+
//
// u+ is the velocity of b's point against a's at the end of the step, by the arms of its start, s the stretch of the
// spring along the surface: where the point has gone since it began to stick. It is kept along the contact's tangents,
// which rotate with the bodies, by the contact set in place of tangential impulses: so states are saved, copied and
// hashed with it.
//
//   enters    motions, forces, contacts of the contact step
//   leaves    state->next, the stretch of springs, the table of contacts
//   callers   the table of methods; proposals of stiffness and damping are public
#ifndef CRM_STEP_PENALTY_H
#define CRM_STEP_PENALTY_H

#include "step/contacts/contact_step.h"
#include "step/integrate/velocity_step.h"

// One contact that overlaps at the start of the step.
typedef struct crm_penalty_contact {
    int index;             // in the list
    crm_contact_site site; // its gap is below 0
    double k, d;           // its share of the pair's stiffness and damping
    double velocity[3];    // of b's point against a's, m/s
    double stretch[2];     // m
    double kept;           // of that by the spring along the surface, 0 to 1
    double force[3];       // on b, N
    double damped[3];      // the part of it that is not of springs
    double rubbed;         // work of the damper along the surface, J
    bool slides;           // friction is at the border of the cone
} crm_penalty_contact;

// What an impulse along normal and tangents of a contact does: of each end the wrench and the velocity by it, and the
// velocity along itself.
typedef struct crm_penalty_rows {
    int count; // without friction there is the normal alone
    crm_vec6 on[2][3], answer[2][3];
    double own[3]; // 1/kg
} crm_penalty_rows;

// What the contacts of a body add up to in its own metric: its stiffness matrix, M^-1/2 K M^-1/2. Symmetric, by
// columns.
typedef struct crm_penalty_load {
    double stiffness[36]; // 1/s^2
    double ratio;         // the least of damping over stiffness, s
    bool touched;
} crm_penalty_load;

// The last restitution that a damping was asked for, and the ratio that goes with it.
typedef struct crm_damping_memo {
    double restitution, ratio;
} crm_damping_memo;

// What stands on the ground together when a run begins: its mass and the pairs that bear it, at its lowest body.
typedef struct crm_penalty_stack {
    double mass, pairs;
} crm_penalty_stack;

typedef struct crm_penalty {
    crm_contact_step found;
    crm_velocity_step motion;
    double energy;             // in the springs of contacts at the state's motions, J; kept with the state
    double next_energy;        // at the end of a step
    double *stored_energy[2];  // of the step: both, with one body of each contact (body_count)
    crm_vec6 *damped;          // impulses of contacts that are not of springs (body_count)
    crm_vec6 *twist;           // scratch: velocities with what forces have come to (body_count)
    crm_damping_memo memo;     // scratch
    crm_penalty_stack *stacks; // scratch (body_count)
    crm_penalty_load *loads;   // (body_count)
    CRM_ARRAY(crm_penalty_contact) contacts;
    CRM_ARRAY(crm_penalty_rows) rows; // scratch: of each
    CRM_ARRAY(double) stored;         // normal impulse and stretch, three a contact of the list
} crm_penalty;

// ---- penalty_propose.c

// The pair of two bodies with shapes that can meet, with dampers for steps of def->step and springs for the longest one
// of the run, s. `memo` may be zero bytes.
carom_penalty_pair crm_penalty_pair_of(const carom_model *model, const carom_method_def *def, double longest,
                                       crm_damping_memo *memo, int a, int b);
// Of a contact of this effective mass, N s/m.
double crm_penalty_damping(double mass, double h, double stiffness, double restitution, crm_damping_memo *memo);
double crm_penalty_restitution(const carom_model *model, int a, int b);
// Largest step that is stable when a body's stiffness over its mass is at most, its damping at least this, s.
double crm_penalty_largest_step(double stiffness, double damping);

// ---- penalty_stable.c

// Adds up what the contacts do to each body, and says in the report when the step is not stable.
void crm_penalty_check_stable(const carom_model *model, const carom_state *state, crm_penalty *penalty,
                              carom_step_report *report);

// ---- penalty_soft.c

// In the first step: how far what touches will sink before its springs bear it.
void crm_penalty_check_soft(const carom_model *model, carom_state *state, crm_penalty *penalty);

// ---- penalty_force.c

// The contacts of the list that overlap, with their shares of stiffness and damping and the velocities of `motions`.
// False: no memory.
bool crm_penalty_gather(const carom_model *model, const carom_state *state, const crm_motion *motions,
                        crm_penalty *penalty);
// Forces of all contacts; springs along the surface give way. Adds to state->spent. False: no memory.
bool crm_penalty_press(const carom_model *model, carom_state *state, crm_penalty *penalty, carom_step_report *report);
// Of the spring along the surface, N/m; 0 where there is none.
double crm_penalty_tangent_stiffness(const carom_penalty_def *def, const crm_penalty_contact *contact);
// Energy in the springs of the gathered contacts, J; each with a body that moves in of_body (body_count).
double crm_penalty_energy(const carom_model *model, const carom_method_def *def, const crm_penalty *penalty,
                          double *of_body);

#endif
