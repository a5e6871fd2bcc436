// SPDX-License-Identifier: MIT
// Models and states for tests in a few words. A call that should not fail and does is a failed check with its sentence.
#ifndef TEST_SUPPORT_WORLD_H
#define TEST_SUPPORT_WORLD_H

#include "carom/step.h"

carom_model *world_model(carom_vec3 gravity, double coulomb_constant);
// One whose overlaps at the start are treated so; without charges.
carom_model *world_starting(carom_vec3 gravity, carom_start_overlaps start);
carom_body world_add(carom_model *model, const carom_body_def *def);

// A free body with the given principal moments; change what you like before adding it.
carom_body_def world_body_def(double mass, carom_vec3 moments);

// Freezes the model when it is still open.
carom_state *world_state(carom_model *model, carom_method method, double step);

// Makes `steps` steps, each of which must be good; the last report. Stops at the first that is not.
carom_step_report world_run(carom_state *state, int steps);
carom_body_state world_body(const carom_state *state, int body);
double world_energy(const carom_state *state);

// The state and its model.
void world_destroy(carom_state *state);

#endif
