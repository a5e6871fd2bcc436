// SPDX-License-Identifier: MIT
// Contact problems of rigid bodies, the everyday case: contacts between free, planar and point bodies, joints, limits
// and motors. The same laws and the same residual as carom/solve.h has them (docs/math.md 6.1, 6.6), from data of which
// a contact is written once.
//
//   enters    bodies with masses and velocities without impulses; contacts by arms and directions; blocks of rows
//   leaves    impulses, velocities of rows, what each island is worth
//   callers   step/lcp, for all that has no mobility and whose cones are no pyramids
//
//   M (v - v_free) = J^T r,   u = J v + offset,   a law between u + c r and r for every contact and block, with c the
//   compliance of rows of blocks
//
// Velocities of a body are those of its centre of mass and its spin, world axes.
#ifndef CRM_SOLVE_RIGID_PROBLEM_H
#define CRM_SOLVE_RIGID_PROBLEM_H

#include "carom/solve.h"
#include "carom/types.h"
#include "math/spatial.h"

// A body that can move. M^-1 = diag(linear)^2 for the centre of mass and F^T F for the spin: z = (v / linear, F^-T w)
// are velocities of unit mass, and a row (d, t) on (v, w) becomes (linear d, F t) on z.
typedef struct crm_rigid_body {
    carom_vec3 linear;     // mass^-1/2 along the world axes, kg^-1/2; 0 along those that it cannot move along
    carom_vec3 angular[3]; // rows of F: principal axes (world) over the root of their moment, kg^-1/2 m^-1; 0 about
                           // those that it cannot rotate about
    crm_vec6 free;         // velocity without impulses, m/s and rad/s
} crm_rigid_body;

// Coulomb's law between two bodies; an impulse r acts on b at the point, its opposite on a at the same point.
// u = direction . (velocity of b's point - velocity of a's point) + (offset, 0, 0).
typedef struct crm_rigid_contact {
    int a, b;                // bodies of the problem; -1: cannot move
    carom_vec3 arm_a, arm_b; // from the centre of mass to the point, m; of no account for what cannot move
    carom_vec3 direction[3]; // normal from a to b, two tangents, unit
    double offset;           // beside the normal velocity, m/s
    double friction;         // mu >= 0; 0: the normal row alone, tangential impulses are 0
} crm_rigid_contact;

// Rows of a joint or a force (equality), a limit (unilateral) or a motor (box), as carom_row_group; never a cone.
typedef struct crm_rigid_block {
    carom_law law;
    int rows;                  // 1 to 6
    int a, b;                  // as of a contact
    crm_vec6 on_a[6], on_b[6]; // rows of J on (v, w) of each body
    double offset[6];
    double compliance[6]; // c >= 0, 1/kg
    double lower, upper;  // of a box
} crm_rigid_block;

// Arrays are the caller's and are only read. Impulses and velocities of rows have three numbers for every contact, then
// the rows of the blocks, one block after the other.
typedef struct crm_rigid_problem {
    int body_count, contact_count, block_count;
    const crm_rigid_body *bodies;
    const crm_rigid_contact *contacts;
    const crm_rigid_block *blocks;
    bool relaxed; // cones: the convex relaxation, for all contacts
} crm_rigid_problem;

// Contacts of an island that is left to sweeps while it rests, as Newton's method is dear in it.
enum { CRM_RIGID_LARGE_AT_REST = 300 };

typedef struct crm_rigid_options {
    double tolerance;          // of the residual of every island, relative to the island's own scale
    const double *resting;     // of a body that rests: the same of an island all of whose bodies do, the largest of
                               // them; 0: it moves; NULL: all move (body_count)
    double velocity_scale;     // as carom_solve_options has it, m/s
    const double *least_scale; // of a body: the scale of its island is no less, m/s; NULL: 0 (body_count)
    int sweeps;                // > 0: so many and nothing else; 0: until the tolerance is met
    bool polish;               // the guess is near: Newton's method at once, and nothing after it
    double work;               // work units that all islands may take together (CRM_WORK_PER_SECOND), never exceeded
                               // when there are crm_rigid_least_work of them
    int threads;
    carom_interrupt interrupt; // ends the solution early
} crm_rigid_options;

// Work is counted, not timed, so that results do not depend on the machine: a unit is what takes a nanosecond of the
// machine on which the price of each operation was measured.
#define CRM_WORK_PER_SECOND 1e9

// What became of one island.
typedef struct crm_rigid_island {
    double residual;  // as carom_residual_report.residual, of this island alone
    double scale;     // what it is relative to, m/s
    double tolerance; // what it was solved for
    bool met;         // residual <= tolerance
    int body;         // its lowest one; -1: none of it can move
    int contacts, blocks;
} crm_rigid_island;

typedef struct crm_rigid_report {
    double residual; // the largest of all islands
    int worst;       // island that has it; -1: there is none
    int islands, unmet;
    carom_solver solver;            // who finished the worst island
    int iterations;                 // sweeps and Newton steps, of the island that took most
    int factorizations;             // over all
    int fallbacks;                  // islands that sweeps alone did not finish
    double work;                    // units taken
    const crm_rigid_island *island; // (islands); lives until the next call
    const int *island_of_contact;   // (contact_count)
    const int *island_of_block;     // (block_count)
} crm_rigid_report;

// Memory, kept from problem to problem: what it holds changes the time of a solution only, never its bits.
typedef struct crm_rigid_solver crm_rigid_solver;

carom_status crm_rigid_solver_create(const carom_allocator *allocator, crm_rigid_solver **out, carom_error *error);
void crm_rigid_solver_destroy(crm_rigid_solver *solver); // may be NULL

// Improves `impulse`, which holds a guess. `velocity` gets u - offset of all rows and `change` the impulse on every
// body about its centre of mass, J^T r (body_count); both of the impulses returned. Fails only for want of memory.
carom_status crm_rigid_solve(crm_rigid_solver *solver, const crm_rigid_problem *problem,
                             const crm_rigid_options *options, double *impulse, double *velocity, crm_vec6 *change,
                             crm_rigid_report *report, carom_error *error);

// Work units that a solution takes whatever it may take, and that an evaluation takes, at most.
double crm_rigid_least_work(const crm_rigid_problem *problem);
double crm_rigid_evaluation_work(const crm_rigid_problem *problem);

// The residual of impulses, whoever found them, island by island; `velocity` and `change` as above.
carom_status crm_rigid_evaluate(crm_rigid_solver *solver, const crm_rigid_problem *problem,
                                const crm_rigid_options *options, const double *impulse, double *velocity,
                                crm_vec6 *change, crm_rigid_report *report, carom_error *error);

#endif
