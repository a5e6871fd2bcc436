// SPDX-License-Identifier: MIT
// Runs of a plan: a state that starts as the plan does and gets the plan's controls, and at the nodes the impulses of
// its contacts. Joints are the model's own.
#ifndef CRM_CONTROL_REPLAY_H
#define CRM_CONTROL_REPLAY_H

#include "base/arena.h"
#include "carom/step.h"
#include "control/motion/plan_motion.h"

typedef struct crm_replay_options {
    carom_method method; // CAROM_METHOD_VARIATIONAL: that of the plan's rows
    int division;        // steps in an interval, 1 or more
    bool impulses;       // of contacts at nodes; false: the method finds contacts itself
} crm_replay_options;

typedef struct crm_replay {
    double *difference;       // from the plan at each node: of a position over the body's size, or rad (nodes)
    double *distance, *angle; // the same of the last node, of each body, m and rad (bodies)
    int made;                 // intervals; all of them, or those before the step that could not be made
    int substeps;             // largest number that a step was divided into by the method
    char text[256];           // why it ended early, or the method has no run of the model; else ""
} crm_replay;

// What the method cannot run is told in `text`, not a failure.
carom_status crm_replay_plan(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                             const crm_replay_options *options, crm_arena *arena, crm_replay *out, carom_error *error);

#endif
