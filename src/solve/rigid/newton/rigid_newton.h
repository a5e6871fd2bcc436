// SPDX-License-Identifier: MIT
// Newton's methods on the packed records of one island: for what sweeps are slow at, changes of many bodies at once.
//
//   enters    the records of an island with impulses and the velocities that go with them
//   leaves    better impulses there, in their sets, and velocities that go with them; the island's residual is the
//             caller's to evaluate, who keeps the best
//   callers   the schedule of an island (solve/rigid)
//
// A step asks every contact and block for C and p of dr = p - C du, a law linearised, and solves
// (1 + J^T C J) dz = J^T (r + p) - (z - z_free) by block LU over the bodies (docs/math.md 6.10).
//
// All calls are bounded and none fails but for want of memory. Bits depend on the records alone.
#ifndef CRM_SOLVE_RIGID_NEWTON_H
#define CRM_SOLVE_RIGID_NEWTON_H

#include "carom/allocator.h"
#include "solve/rigid/rigid_island.h"

// Memory, and the analyses of the patterns seen last (bodies and their pairs): a pattern that comes again is not
// analysed again. What is kept changes the time only, neither bits nor prices. One thread at a time.
typedef struct crm_rigid_newton crm_rigid_newton;

carom_status crm_rigid_newton_create(const carom_allocator *allocator, crm_rigid_newton **out, carom_error *error);
void crm_rigid_newton_destroy(crm_rigid_newton *newton); // may be NULL

// Takes up an island, one of those in the system, which is borrowed until the next call. Only the members' records and
// slots are touched. *price is that of one step with its line search, in work units; infinite: the island was not taken
// up, as a step would cost more than `dearest`, and no memory for a system of equations was taken.
carom_status crm_rigid_newton_open(crm_rigid_newton *newton, const crm_rigid_system *system,
                                   const crm_rigid_members *members, double dearest, double *price, carom_error *error);

// Work units of opening an island, whether or not it is taken up or its pattern is known.
double crm_rigid_newton_open_price(const crm_rigid_members *members);

// A round of at most so many steps on the smoothed laws, whose width falls from step to step until the error it makes
// is below the tolerance: from anywhere, but begun anew by every call. `residual` is that of the present impulses.
// Gives the number of steps taken. Some ten sweeps afterwards mend what the projection onto the cones has left.
int crm_rigid_newton_smoothed_round(crm_rigid_newton *newton, double residual, double tolerance, int steps);

// At most so many full steps on laws that are hardly smoothed, from impulses that are near: of an island at rest, whose
// contacts stay what they are, each leaves a small share of the error. Gives the number of steps taken.
int crm_rigid_newton_polish(crm_rigid_newton *newton, int steps);

#endif
