// SPDX-License-Identifier: MIT
// The motion of a model at given times to the last few digits: runs with halved steps, extrapolated.
//
// Every run is one that a user could make: from the model's initial state, with a step that divides each interval
// between sample times, so that these are met exactly. What is extrapolated are the bodies' states, the energy and the
// momentum at the sample times.
#ifndef CRM_VERIFY_TRAJECTORY_H
#define CRM_VERIFY_TRAJECTORY_H

#include "base/arena.h"
#include "carom/step.h"

typedef struct crm_trajectory {
    const carom_model *model; // frozen
    carom_method method;
    int power; // the method's error is a series in the step to this power; 0: it controls its error itself
    int sample_count;
    const double *time; // s, not negative, ascending (sample_count)
    double tolerance;   // wanted of every number, absolute

    double relative_tolerance; // of the present run, when the method controls its error

    // The result.
    const double *values; // (sample_count * numbers per sample), in the arena
    double estimate;      // of its error
    char obstacle[256];   // empty, or why there is no result to the tolerance
} crm_trajectory;

// Memory comes from the arena. A status other than CAROM_OK is a lack of memory or a model that the method refuses.
carom_status crm_trajectory_find(crm_trajectory *trajectory, crm_arena *arena, carom_error *error);

carom_body_state crm_trajectory_body(const crm_trajectory *trajectory, int sample, int body);
// The first coordinate of a joint and its rate.
void crm_trajectory_hinge(const crm_trajectory *trajectory, int sample, int joint, double *angle, double *rate);
double crm_trajectory_energy(const crm_trajectory *trajectory, int sample);
carom_momentum crm_trajectory_momentum(const crm_trajectory *trajectory, int sample);

#endif
