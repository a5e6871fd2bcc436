// SPDX-License-Identifier: MIT
// What tests of several solvers do with contact problems.
#ifndef TEST_SUPPORT_SOLVED_PROBLEM_H
#define TEST_SUPPORT_SOLVED_PROBLEM_H

#include "support/problem/contact_problem.h"

// Solves with a state of its own; `v` may be NULL.
carom_solve_report solve_by(carom_solver solver, const carom_problem *problem, double tolerance, double *r, double *v);

// The problem with its masses, which must be diagonal, behind an operator.
carom_problem as_mobility(contact_problem *p);

// Bodies, a mobility in their place, and W: one answer in velocities.
void check_three_forms(carom_solver solver);

#endif
