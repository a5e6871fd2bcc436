// SPDX-License-Identifier: MIT
// Proofs that no impulses satisfy the laws, for islands that no solver has met: called by the cascade and by
// island_solve.c. An operator enters, impulses y that prove it leave, and a sentence.
//
// Whatever the impulses, u = H^T v + w for some velocities v, and the laws ask that u~ = u + c r be in a convex cone:
//
//     equality, box without bounds             u~ = 0
//     unilateral, box without an upper bound   u~ >= 0    (without a lower one: u~ <= 0; with both: anything)
//     relaxed cone                             u~ in K*
//     exact cone                               u~_n >= 0: De Saxce's term makes good any tangential velocity
//
// By Farkas' lemma no v does that if there are impulses y in the dual cone, which are those that may grow for ever
// without friction of the exact cones, that act on nothing and meet the offsets head on:
//
//     H y = 0,    w.y < 0,    y = 0 where c > 0:    0 <= y.u~ = (H y).v + w.y = w.y < 0 cannot be.
//
// With W in place of masses it is W^T y = 0 and q.y < 0. For convex problems that can fail to have a solution in no
// other way but in the limit. A problem with exact friction can: it is sure to have one where its relaxed cones have
// such velocities, and where they do not, or only such as are 10^3 times those of the problem, y has friction. Impulses
// then hold each other against the offsets inside of the cones, however large they are: the problem is *jammed*, and as
// a rule has no solution.
#ifndef CRM_SOLVE_INFEASIBLE_H
#define CRM_SOLVE_INFEASIBLE_H

#include <stdbool.h>

#include "solve/operator.h"
#include "solve/solver_state.h"

// Doubles of `work` that the verdict needs.
int crm_infeasible_work(const crm_operator *op);

// The verdict on a candidate y (rows), from y alone and independent of where it came from. y is first projected on the
// dual cone. In double H y is never quite zero: what is proved is that no velocities satisfy the laws whose energy is
// less than a multiple of what the problem itself has: the square of `beyond`, 10^8 for a proof.
bool crm_infeasible_verify(const crm_operator *op, double beyond, double *y, double *work);

// Looks for a proof; `y` (rows) gets it, and else something. Takes off `work` what it takes, and ends when that is used
// up or it is interrupted. Fails for want of memory only.
carom_status crm_infeasible_search(const crm_operator *op, carom_interrupt interrupt, crm_arena *arena, double *work,
                                   double *y, bool *proved, carom_error *error);

// Searches with what the stage has left of the options' work, and enters into it the outcome and the groups that
// contradict each other, if so; else whether it is jammed.
carom_status crm_infeasible_tell(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                 crm_stage *stage, carom_error *error);

#endif
