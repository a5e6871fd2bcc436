// SPDX-License-Identifier: MIT
// Soft cubes that fly at each other under newmark, in a few words.
#ifndef TEST_SOFT_IMPACT_H
#define TEST_SOFT_IMPACT_H

#include <math.h>

#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

// Cubes of 0.1 m without gravity.
static const carom_vec3 origin = {0.0, 0.0, 0.0}, cube = {0.1, 0.1, 0.1};

static inline carom_method_def steps_of(double step, double stiffness) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.step = step;
    def.potential.stiffness = stiffness;
    return def;
}

static inline carom_flex_def at(carom_vec3 position, carom_vec3 velocity) {
    carom_flex_def def = flexible_soft();
    def.position = position;
    def.velocity = velocity;
    return def;
}

static inline carom_flex_def leaning(carom_vec3 position, carom_vec3 velocity) {
    carom_flex_def def = at(position, velocity);
    def.attitude = (carom_quat){0.9, 0.2, -0.3, 0.1};
    def.spin = crm_vec3(1.0, 2.0, -3.0);
    return def;
}

// What is left of momenta over the sums of what has them.
static inline void check_momenta(const carom_state *state, const carom_momentum *before, double tolerance) {
    carom_momentum after = carom_state_momentum(state);
    double linear = 0.0, angular = 0.0;
    for (int b = 0; b < state->model->bodies.count; b++) {
        const crm_motion *m = &state->motions[b];
        linear += crm_length(m->p);
        angular += crm_length(m->l) + crm_length(m->x) * crm_length(m->p);
    }
    CHECK_NEAR(crm_length(crm_sub(after.linear, before->linear)) / linear, 0.0, tolerance);
    CHECK_NEAR(crm_length(crm_sub(after.angular, before->angular)) / angular, 0.0, tolerance);
}

// What so many steps came to.
typedef struct impact {
    int touching;        // steps
    double energy_error; // largest, as a share of the energy before
    double overlap;      // largest
} impact;

static inline impact run_impact(carom_state *state, int steps) {
    impact out = {0};
    double energy = world_energy(state);
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        out.touching += report.contacts > 0;
        out.overlap = fmax(out.overlap, report.infeasibility);
        out.energy_error = fmax(out.energy_error, fabs(world_energy(state) - energy) / energy);
        CHECK(report.momentum_balance <= 1e-12);
    }
    return out;
}

#endif
