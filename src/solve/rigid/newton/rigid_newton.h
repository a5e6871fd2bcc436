// SPDX-License-Identifier: MIT
// Newton's methods on the packed records of one island: for what sweeps are slow at, changes of many bodies at once.
//
//   enters    the records of an island with impulses and the velocities that go with them
//   leaves    better impulses there, in their sets, and velocities that go with them; the island's residual is the
//             caller's to evaluate, who keeps the best
//   callers   the schedule of an island (solve/rigid)
//
// A step asks every contact and block for C and p of dr = p - C du, a law linearised, and solves
// (1 + J^T C J) dz = J^T (r + p) - (z - z_free) by block LU over the bodies.
//
// All calls are bounded and none fails but for want of memory. Bits depend on the records alone.
#ifndef CRM_SOLVE_RIGID_NEWTON_H
#define CRM_SOLVE_RIGID_NEWTON_H

#include "carom/allocator.h"
#include "solve/rigid/rigid_island.h"

// Where an island lies. Only records and slots of its members are touched.
typedef struct crm_rigid_records {
    crm_rigid_batch *batch;
    crm_rigid_rows *rows;
    double *velocity;   // z, CRM_RIGID_STRIDE a slot
    const double *free; // z without impulses, the same places
    const crm_rigid_members *members;
    int slot_count; // bodies of the problem and one
    bool relaxed;   // cones without the shift mu |u_t|
} crm_rigid_records;

// Memory, and the analyses of the patterns seen last (bodies and their pairs): a pattern that comes again is not
// analysed again. What is kept changes the time only, neither bits nor prices. One thread at a time.
typedef struct crm_rigid_newton crm_rigid_newton;

carom_status crm_rigid_newton_create(const carom_allocator *allocator, crm_rigid_newton **out, carom_error *error);
void crm_rigid_newton_destroy(crm_rigid_newton *newton); // may be NULL

// Takes up an island; the records are borrowed until the next call.
carom_status crm_rigid_newton_open(crm_rigid_newton *newton, const crm_rigid_records *records, carom_error *error);

// Work units of opening an island of that many contacts and blocks, and of one step on the island that is open.
double crm_rigid_newton_open_price(const crm_rigid_members *members);
double crm_rigid_newton_price(const crm_rigid_newton *newton);

// One proximal step: the laws with a compliance eta s around the present impulses, linearised once, friction's shift
// with its derivative. To be followed by sweeps, some 20: they mend contacts that changed from open to closed or from
// sticking to sliding. eta = crm_rigid_proximal_weight(residual).
void crm_rigid_newton_proximal(crm_rigid_newton *newton, double eta);
double crm_rigid_proximal_weight(double residual);

// One round of steps on the smoothed laws, whose width falls from one step to the next: crm_rigid_smoothed_steps()
// steps of crm_rigid_newton_price each, or fewer where they lead nowhere. Gives the number of steps taken.
int crm_rigid_newton_smoothed_round(crm_rigid_newton *newton);
int crm_rigid_smoothed_steps(void);

#endif
