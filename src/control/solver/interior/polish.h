// SPDX-License-Identifier: MIT
// From the barrier's solution to the program's own.
#ifndef CRM_CONTROL_POLISH_H
#define CRM_CONTROL_POLISH_H

#include "control/solver/interior/phase.h"

// Newton's method on the bounds that hold a multiplier, taken as equations and as they are in the program; all others
// are left out. What the barrier has left, products of mu and bounds moved outward, goes, down to rounding. Where that
// breaks a bound, turns a multiplier's sign or lessens no error, the iterate stays as it was.
carom_status crm_polish(crm_phase *phase, carom_error *error);

#endif
