// SPDX-License-Identifier: MIT
// One variational step, of any length, of a body that no other one acts on, with discrete forces: drag, wrenches,
// callbacks (discrete_forces.h), beside gravity and given impulses.
#ifndef CRM_STEP_FORCED_BODY_H
#define CRM_STEP_FORCED_BODY_H

#include "step/forced/discrete_forces.h"
#include "step/integrate/isolated_body.h"

typedef struct crm_forced_body {
    const crm_body *body;
    crm_discrete_forces forces; // of a part with this body alone
    crm_vec6 before, after;     // their impulses in the last step
    bool too_far;               // there was none, because it would rotate by more than 90 degrees
} crm_forced_body;

// `model` is a part of one body (model_part.h).
carom_status crm_forced_body_create(const carom_model *model, crm_arena *arena, crm_forced_body *forced,
                                    carom_error *error);

// As crm_isolated_step, from `time` on: `before` and `after` are what acts besides. False when there is no step: it
// would rotate too far, a callback has refused, or the equations are not solved to the tolerance.
bool crm_forced_body_step(crm_forced_body *forced, const crm_motion *from, crm_vec6 before, crm_vec6 after, double time,
                          double h, const carom_method_def *method, crm_motion *to, crm_isolated_report *report);

// The last call was in vain: a sentence of the body of the part.
void crm_forced_body_refuse(const crm_forced_body *forced, const carom_method_def *method,
                            const crm_isolated_report *last, carom_step_report *report);

#endif
