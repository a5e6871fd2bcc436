// SPDX-License-Identifier: MIT
// Derivatives of a program against central differences of what they are derivatives of.
#ifndef TEST_SUPPORT_DERIVATIVES_H
#define TEST_SUPPORT_DERIVATIVES_H

#include "control/program/evaluator.h"

// Of objective and rows: gradient, Jacobian and, with multipliers drawn by a fixed seed, the Hessian. Differences count
// relative to the largest entry of their column or 1. Fixed unknowns are varied like others.
void check_program_derivatives(const crm_program *program, const double *z, double tolerance);

#endif
