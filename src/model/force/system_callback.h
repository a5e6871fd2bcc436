// SPDX-License-Identifier: MIT
// Functions of several bodies at once: what they see, and where their forces go.
#ifndef CRM_MODEL_SYSTEM_CALLBACK_H
#define CRM_MODEL_SYSTEM_CALLBACK_H

#include "math/spatial.h"
#include "model/motion.h"

// Of one call. Arrays are of all bodies of the model; those that are NULL take nothing.
struct carom_system {
    const carom_model *model;
    const crm_system_callback *callback;
    double time;
    const crm_motion *motions;
    int varied; // the body that is seen as `instead` says; -1: none
    crm_motion instead;
    crm_vec6 *conservative, *active; // wrenches about the centres of mass, world axes: added to
    double *energy_of_body;          // *(energy_of_body + body * stride bytes): added to
    size_t stride;
    double energy;  // the sum, J
    int not_finite; // the first body whose force or torque is no number; -1: none
};

// A call that nothing is varied in.
carom_system crm_system_of(const carom_model *model, const crm_system_callback *callback, double time,
                           const crm_motion *motions);

// What the function answered.
int crm_system_ask(carom_system *system);

// Numbers of all bodies for lists that were not given, and a number of each body once. Called by freezing.
carom_status crm_system_callbacks_freeze(carom_model *model, carom_error *error);

// Pairs of different bodies in the lists of all callbacks; that of the i-th and the j-th body of one, j < i, is
// i (i - 1)/2 + j after those of the callbacks before.
int64_t crm_system_pair_count(const carom_model *model);

#endif
