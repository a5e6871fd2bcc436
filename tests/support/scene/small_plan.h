// SPDX-License-Identifier: MIT
// A plan as data without a solver: a body that controls push past another one for some intervals, its motion made by
// the simulator. Its certificate is a good one.
#ifndef TEST_SUPPORT_SMALL_PLAN_H
#define TEST_SUPPORT_SMALL_PLAN_H

#include "carom/carom.h"

enum { SMALL_PLAN_INTERVALS = 6, SMALL_PLAN_BODIES = 3, SMALL_PLAN_NUMBERS = 7 };

typedef struct small_plan {
    carom_scene *scene;
    carom_plan_data data;
    carom_plan_solve solve[3];
    carom_plan_control control[2];
    double time[SMALL_PLAN_INTERVALS + 1];
    carom_body_state motion[(SMALL_PLAN_INTERVALS + 1) * SMALL_PLAN_BODIES];
    carom_pose guess[(SMALL_PLAN_INTERVALS + 1) * SMALL_PLAN_BODIES];
    double value[SMALL_PLAN_INTERVALS * SMALL_PLAN_NUMBERS], guess_value[SMALL_PLAN_INTERVALS * SMALL_PLAN_NUMBERS];
    carom_body_wrench wrench[SMALL_PLAN_INTERVALS * 2];
    double consistency[SMALL_PLAN_INTERVALS + 1];
    carom_plan_nearest at_node[SMALL_PLAN_INTERVALS + 1], between[SMALL_PLAN_INTERVALS];
    carom_plan_plane plane[2];
    carom_plan_impulse impulse[1];
} small_plan;

// Its scene and data; on the heap, to be destroyed.
small_plan *small_plan_make(void);
void small_plan_destroy(small_plan *plan);

// A state of the method `variational` where the plan begins.
carom_state *small_plan_state(const small_plan *plan);

// Records it to a file: its nodes as frames, finished. Fails the test if that fails.
void small_plan_record(const small_plan *plan, const char *path);

#endif
