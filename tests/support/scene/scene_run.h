// SPDX-License-Identifier: MIT
// A scene of the gallery under a method of choice, and what its certificates say on the way.
#ifndef TEST_SUPPORT_SCENE_RUN_H
#define TEST_SUPPORT_SCENE_RUN_H

#include "carom/carom.h"

typedef struct scene_run {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    carom_momentum start;
    double energy; // at the start, J
    // The largest from the start on:
    double energy_change;
    double unexplained;   // of that, beyond what projections and impacts have added
    double linear_change; // of the momentum, kg m/s
    double rotation;      // of the angular momentum, kg m^2/s
    double spin_up;       // of that, about the vertical z
    double infeasibility;
    double joint_drift;
    // Sums over the run:
    double projection_energy, impact_energy, impacts_in_all; // J; the last one of sizes
    int collisions;                                          // steps with contact
} scene_run;

// `settings`: a further override such as "method.exact.jump=discrete", or NULL.
scene_run scene_run_begin(const char *scene, const char *method, double step, const char *settings);
// Every step must be good.
void scene_run_go(scene_run *r, int steps);
void scene_run_end(scene_run *r);

carom_body_state scene_run_body(const scene_run *r, int body);

#endif
