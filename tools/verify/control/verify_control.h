// SPDX-License-Identifier: MIT
// What the sets of plans share: a model, a plan that is solved to its end, and numbers compared relative to the largest
// one of their list.
//
// The room control/: cases of the sets control_* enter, verdicts leave, by carom/plan.h; control_del alone looks at
// rows of a plan's program.
#ifndef VERIFY_CONTROL_H
#define VERIFY_CONTROL_H

#include "base/arena.h"
#include "carom/plan.h"
#include "math/vec3.h"
#include "verify/checker.h"

typedef struct crm_control_case {
    crm_reference *reference;
    const crm_case *what;
    crm_verdict *verdict;
    crm_arena arena;
    carom_model *model;
    carom_plan *plan;
    carom_plan_certificate certificate; // of the solved plan
} crm_control_case;

crm_control_case crm_control_begin(crm_reference *reference, const crm_case *what, crm_verdict *verdict);
void crm_control_end(crm_control_case *c);

// A model with this gravity; false when something is wrong, now or before.
bool crm_control_make_model(crm_control_case *c, carom_vec3 gravity);
bool crm_control_add_body(crm_control_case *c, const carom_body_def *def, carom_body *out);

// Freezes the model, makes the plan and solves it; no plan is an obstacle, noted under `quantity`.
bool crm_control_solve(crm_control_case *c, const carom_plan_def *def);

double crm_control_tolerance(crm_control_case *c, const char *key);

// |got - wanted| over the largest entry of `wanted`, the worst of all.
void crm_control_compare(crm_control_case *c, const char *quantity, double tolerance, int count, const double *got,
                         const double *wanted);
void crm_control_compare_number(crm_control_case *c, const char *quantity, double tolerance, double got);

// `count` numbers of the expected list of that name, or `count` vectors one after the other; NULL when they are not
// there, which fails the reading unless the list is null.
const double *crm_control_expected(crm_control_case *c, const char *key, int count);
const double *crm_control_expected_vectors(crm_control_case *c, const char *key, int count);

// Of the plan: the numbers of a control in all intervals; positions of a body's frame at all nodes.
double *crm_control_numbers(crm_control_case *c, int control);
double *crm_control_positions(crm_control_case *c, carom_body body);

#endif
