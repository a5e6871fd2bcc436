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

static inline bool crm_is_no_impulse(const crm_vec6 *j) {
    return (j->linear.x == 0.0) & (j->linear.y == 0.0) & (j->linear.z == 0.0) & (j->angular.x == 0.0) &
           (j->angular.y == 0.0) & (j->angular.z == 0.0);
}

// A body by itself, by the motions before and after the step. `impulse` acts where the body is after the share
// `impulse_at` of its displacement; `terms`: what the impulse is a sum of. Inline: of an isolated body a call is much.
static inline crm_momentum_balance crm_momentum_of_body(const crm_motion *before, const crm_motion *after,
                                                        const crm_vec6 *impulse, double impulse_at,
                                                        crm_impulse_size terms) {
    carom_vec3 place = crm_madd(before->x, impulse_at, crm_sub(after->x, before->x));
    carom_vec3 moment_after = crm_cross(after->x, after->p), moment_before = crm_cross(before->x, before->p);
    double p_after = crm_length(after->p), p_before = crm_length(before->p), pushed = 0.0, moment_length = 0.0;
    carom_vec3 linear = crm_sub(after->p, before->p), spun = crm_sub(after->l, before->l), moment = crm_vec3_zero();
    double size = crm_length(after->l) + crm_length(before->l);
    if (!crm_is_no_impulse(impulse)) {
        moment = crm_cross(place, impulse->linear);
        pushed = crm_length(impulse->linear);
        moment_length = crm_length(moment);
        linear = crm_sub(linear, impulse->linear);
        spun = crm_sub(spun, impulse->angular);
        size += crm_length(impulse->angular);
    }
    size = size + crm_length(moment_after) + crm_length(moment_before) + moment_length;
    // A cross product of large arms and momenta loses digits of these, however small it is itself.
    double lost = crm_length(place) * (p_before + pushed + terms.linear) + crm_length(after->x) * p_after;
    crm_momentum_balance own = {.planar = false};
    own.linear.sum = linear;
    own.linear.size = p_after + p_before + pushed + terms.linear;
    own.angular.sum = crm_sub(crm_sub(crm_add(spun, moment_after), moment_before), moment);
    own.angular.size = size + lost + terms.angular;
    return own;
}

// Of the worst group, from state->balances of all bodies, motions at the end of the step and the contacts of the step.
// `external`: of the whole, of methods that keep that, which counts where they know no more (state->externals); else
// NULL. `body`: the lowest of that group, -1 where nothing is off.
double crm_momentum_worst(const carom_model *model, const carom_state *state, const crm_external_balance *external,
                          int *body);

#endif
