// SPDX-License-Identifier: MIT
// Local refinement: the few groups of a large island on which sweeps do not converge, as where bodies are wedged in and
// impulses grow a little with every sweep until one of them slips.
//
// Such groups, with all others that act on the same nodes, are an unconverged sub-problem. It is solved by itself, by
// all the means there are, while the impulses of the other groups are held: Gauss-Seidel with a larger block.
#ifndef CRM_SOLVE_LOCAL_REFINEMENT_H
#define CRM_SOLVE_LOCAL_REFINEMENT_H

#include "solve/solver_state.h"

// Improves `impulse` (rows of the operator, which has bodies) sub-problem by sub-problem, and says how many there
// were: none when the trouble is not in a few places. `options` are those of the whole, `speed` is what its residual is
// relative to. Iterations and factorizations are added to the report.
carom_status crm_refine_locally(const crm_operator *op, const carom_solve_options *options, double speed,
                                crm_arena *arena, double *impulse, int *sub_problems, crm_stage *report,
                                carom_error *error);

#endif
