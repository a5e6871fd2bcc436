// SPDX-License-Identifier: MIT
// A run with the controls of a plan, by `carom run --plan`: under the plan's own method and steps, or those of the
// scene.
#ifndef CLI_PLAN_REPLAY_H
#define CLI_PLAN_REPLAY_H

#include "base/options.h"
#include "carom/record.h"

typedef struct plan_replay {
    carom_recording *recording;  // that the plan is in; NULL: the run has none
    const carom_plan_data *plan; // of it
    carom_step_piece *piece;     // steps of the run, an interval each (interval_count)
    bool contacts;               // the method finds contacts itself
} plan_replay;

// Opens the recording of a plan, or of a run with one. The exit code, after a sentence if it is not EXIT_GOOD. To be
// ended in any case.
int begin_plan_replay(const char *path, plan_replay *out);
void end_plan_replay(plan_replay *replay);

double plan_replay_end(const plan_replay *replay); // s

// Steps that end with the intervals: of the method `variational` one each, or, when overrides name a method's values,
// of that method and at most of its step. The exit code.
int plan_replay_method(plan_replay *replay, const text_list *overrides, carom_method_def *method);

// What acts in the next step of a state; applies impulses of contacts that are due, unless the method finds them.
carom_status plan_replay_input(const plan_replay *replay, carom_state *state, carom_input *out, carom_error *error);

// How far the last frame of a recorded run is from the plan that it replays, over all bodies, m and rad. False: the run
// has not come to the plan's end.
bool plan_replay_difference(const carom_recording *recording, double *distance, double *angle);

#endif
