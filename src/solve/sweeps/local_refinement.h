// SPDX-License-Identifier: MIT
// Knots: the few groups of a large island that sweeps do not settle, as where bodies are wedged in and impulses grow a
// little with every sweep until one of them slips.
//
// A knot is such groups with all others that act on the same nodes. It is solved as a small problem of its own, by all
// the means there are, while the impulses of the other groups are held: Gauss-Seidel with a larger block.
#ifndef CRM_SOLVE_LOCAL_REFINEMENT_H
#define CRM_SOLVE_LOCAL_REFINEMENT_H

#include "solve/solver_state.h"

// Improves `impulse` (rows of the operator, which has bodies) knot by knot, and says how many there were: none when the
// trouble is not in a few places. `options` are those of the whole, `speed` is what its residual is relative to.
// Iterations and factorizations are added to the report.
carom_status crm_refine_locally(const crm_operator *op, const carom_solve_options *options, double speed,
                                crm_arena *arena, double *impulse, int *sub_problems, crm_stage *report,
                                carom_error *error);

#endif
