// SPDX-License-Identifier: MIT
// Plans that the simulator made: runs of `variational` with controls, written down as a solver of plans would.
#ifndef TEST_SUPPORT_SIMULATED_PLAN_H
#define TEST_SUPPORT_SIMULATED_PLAN_H

#include "base/arena.h"
#include "control/motion/plan_motion.h"

enum { SIMULATED_MOST = 16 };

typedef struct simulated_plan {
    carom_model *model;
    carom_plan_def def; // its lists are those below
    carom_control_def control[SIMULATED_MOST];
    carom_plan_condition condition[SIMULATED_MOST];
    carom_plan_contact contact[SIMULATED_MOST];
    carom_plan_pair pair[SIMULATED_MOST];
    crm_plan_motion motion;
    crm_arena arena;
} simulated_plan;

// Of an open model with bodies and joints, which belongs to the plan from then on.
void simulated_plan_begin(simulated_plan *plan, carom_model *model, int intervals, double time);
// Controls, conditions, contacts, pairs; what is to be changed is changed through the pointer.
carom_control_def *simulated_plan_control(simulated_plan *plan, carom_control_kind kind);
carom_plan_condition *simulated_plan_condition(simulated_plan *plan, int node, carom_body body);
carom_plan_contact *simulated_plan_contact(simulated_plan *plan, int node, carom_body a, carom_body b);

// Freezes the model and makes room for the motion; numbers of controls are to be filled in, lengths are equal.
void simulated_plan_lay_out(simulated_plan *plan);

// Tells impulses of contacts at a node, from the state that arrives there.
typedef void simulated_impulses(simulated_plan *plan, const carom_state *state, int node);

// Runs it. Impulses of joints are found from the balances, from the last joint to the first: of trees whose joints come
// after those nearer to the root, with the child as body b. `impulses` may be NULL.
void simulated_plan_run(simulated_plan *plan, simulated_impulses *impulses);

// One more impulse.
void simulated_plan_push(simulated_plan *plan, crm_plan_impulse impulse);

void simulated_plan_end(simulated_plan *plan);

#endif
