// SPDX-License-Identifier: MIT
// What momenta change by beyond the impulses of the forces, relative to the size of what that is made of: of every
// group of bodies that touch or are joined by itself, so that nothing that is far away hides it. The worst group
// counts.
//
// A spring with damping, a joint and a contact give two bodies opposite impulses; which of these a method tells of is
// its own choice, as their sum over a group vanishes.
#ifndef CRM_STEP_MOMENTUM_BALANCE_H
#define CRM_STEP_MOMENTUM_BALANCE_H

#include "step/method.h"

// A body by itself, by the motions before and after the step. `impulse` acts where the body is after the share
// `impulse_at` of its displacement; `terms`: what the impulse is a sum of. Inline: of a lone body a call is much.
static inline crm_momentum_balance crm_momentum_of_body(const crm_motion *before, const crm_motion *after,
                                                        const crm_vec6 *impulse, double impulse_at,
                                                        crm_impulse_size terms) {
    carom_vec3 place = crm_madd(before->x, impulse_at, crm_sub(after->x, before->x));
    carom_vec3 moment_after = crm_cross(after->x, after->p), moment_before = crm_cross(before->x, before->p);
    carom_vec3 moment = crm_cross(place, impulse->linear);
    double p_after = crm_length(after->p), p_before = crm_length(before->p), pushed = crm_length(impulse->linear);
    crm_momentum_balance own = {.planar = false};
    own.linear.sum = crm_sub(crm_sub(after->p, before->p), impulse->linear);
    own.linear.size = p_after + p_before + pushed + terms.linear;
    carom_vec3 spun = crm_sub(crm_sub(after->l, before->l), impulse->angular);
    own.angular.sum = crm_sub(crm_sub(crm_add(spun, moment_after), moment_before), moment);
    double size = crm_length(after->l) + crm_length(before->l) + crm_length(impulse->angular) +
                  crm_length(moment_after) + crm_length(moment_before) + crm_length(moment);
    // A cross product of large arms and momenta loses digits of these, however small it is itself.
    double lost = crm_length(place) * (p_before + pushed + terms.linear) + crm_length(after->x) * p_after;
    own.angular.size = size + lost + terms.angular;
    return own;
}

// Of the worst group, from state->balances of all bodies, motions at the end of the step and the contacts of the step.
// `external`: of the whole, of methods that keep that, which counts where they know no more (state->externals); else
// NULL. `body`: the lowest of that group, -1 where nothing is off.
double crm_momentum_worst(const carom_model *model, const carom_state *state, const crm_external_balance *external,
                          int *body);

#endif
