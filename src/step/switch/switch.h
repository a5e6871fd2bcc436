// SPDX-License-Identifier: MIT
// Joints that open and close where a step begins (docs/math.md 7.9).
//
//   enters    poses, momenta and reactions that the last step left, the input of this one
//   leaves    the state on the joints that are closed now; what closed, by a plastic impact and a projection; events;
//             the energy of both in the step's ledger
//   callers   carom_step
#ifndef CRM_STEP_SWITCH_H
#define CRM_STEP_SWITCH_H

#include "model/model_state.h"

// What is kept until it is known whether the step is made.
typedef struct crm_switching {
    crm_former *former;      // NULL: no joint has switched
    double springs;          // J: potential energy of springs in joints that began or ceased to act
    double potential;        // J: all of the potential energy that has changed
    double impact;           // J: kinetic energy that impacts have added
    double projection;       // J: energy that moving bodies has added
    double momentum_balance; // what the momenta of what closed changed by, relative
} crm_switching;

// ---- switch.c

// Refuses switches of joints that there are not or that do not switch.
carom_status crm_switches_check_input(const carom_model *model, const carom_input *input, carom_error *error);

// Opens and closes joints. A failed call leaves the state as it was.
carom_status crm_switches_begin(carom_state *state, const carom_input *input, crm_switching *switching,
                                carom_error *error);

// The input with the motors of closed joints only, by their numbers there. `out` is memory for it.
const carom_input *crm_switches_input(carom_state *state, const carom_input *input, carom_input *out);

// The step was made, and the report gets what switching has done; or it was not, and no joint has switched.
void crm_switches_end(carom_state *state, crm_switching *switching, bool made, carom_step_report *report);

// ---- switch_close.c

// Closes a joint of the whole model in switches->next and next_base, with the mechanism that it makes: a plastic impact
// at the poses, which takes what its joints block, then the nearest poses at which all are closed, with the momenta as
// they were. Fills the event. CAROM_ERR_BAD_INPUT: its joints cannot be closed together, and nothing was changed.
carom_status crm_switch_close(carom_state *state, int joint, carom_joint_event *event, double *momentum_balance,
                              carom_error *error);

#endif
