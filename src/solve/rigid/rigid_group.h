// SPDX-License-Identifier: MIT
// Islands that are solved together, on their way to a solution: the packed system, the best impulses met so far, and
// what they are worth.
#ifndef CRM_SOLVE_RIGID_GROUP_H
#define CRM_SOLVE_RIGID_GROUP_H

#include "base/pool.h"
#include "solve/rigid/layout/rigid_layout.h"
#include "solve/rigid/newton/rigid_newton.h"
#include "solve/rigid/rigid_loops.h"

// Slots of a piece of a loop over velocities.
enum { CRM_RIGID_PIECE = 1024 };

// What a section of a large island adds.
typedef struct crm_rigid_part {
    crm_rigid_free free;
    crm_rigid_sums sums;
    double change; // largest of a sweep
    bool moved;    // no contact has a scale of 0
} crm_rigid_part;

typedef struct crm_rigid_group {
    crm_rigid_system system;
    const crm_rigid_loops *loops;
    const crm_rigid_problem *problem;
    const crm_rigid_options *options;
    const crm_rigid_layout *layout;
    const crm_rigid_share *share;
    crm_pool *pool;                   // for the sections of a large island; NULL: one thread
    const crm_rigid_members *members; // (island_count)
    int island_count;
    int unmet;                // islands that are neither met nor given up
    crm_rigid_island *island; // (island_count) of the best impulses
    crm_rigid_free *free;     // (island_count)
    crm_rigid_sums *sums;     // (island_count) of the last evaluation
    double *residual;         // (island_count) the same
    bool *resting;            // (island_count) all of whose bodies rest
    bool *given_up;           // (island_count) though it is not met
    bool behind;              // the impulses of an island are not its best
    crm_rigid_part *part;     // (sections) what each adds to sums over all
    double (*best)[3][CRM_RIGID_LANES], (*best_rows)[6];

    // momentum
    crm_rigid_sweep sweep;
    double *start, *before; // z at the start of the last sweep, and after the sweep before it
    double momentum, limit; // t; the largest b
    double *products;       // of crm_rigid_group_restart_product, a number for each piece

    double work, budget;                      // units taken, and that may be
    int sweeps, newton_steps, factorizations; // taken
    int fallbacks;                            // islands that sweeps alone did not finish
    carom_solver solver;                      // who improved the worst island last
} crm_rigid_group;

// ---- all contacts, section by section (rigid_threads.c)

// Says in records which contacts they are of, and packs them; as crm_rigid_loops.pack.
bool crm_rigid_group_pack_contacts(crm_rigid_group *group, const double *impulse);
// As crm_rigid_loops has them, of all batches.
double crm_rigid_group_sweep_contacts(crm_rigid_group *group);
void crm_rigid_group_push_contacts(crm_rigid_group *group);
void crm_rigid_group_residual_of_contacts(crm_rigid_group *group, double *velocity);
// Makes the impulses of all contacts the best; sets their weights; writes what becomes of them.
void crm_rigid_group_keep_contacts(crm_rigid_group *group);
void crm_rigid_group_weigh_contacts(crm_rigid_group *group);
void crm_rigid_group_write_contacts(crm_rigid_group *group, double *impulse, double *velocity, crm_vec6 *change);
// As crm_rigid_loops has them, of all velocities.
double crm_rigid_group_restart_product(crm_rigid_group *group);
void crm_rigid_group_extrapolate(crm_rigid_group *group);

// The same of one section: the addresses of its records; its part of what is written.
void crm_rigid_group_address(const crm_rigid_group *group, const crm_rigid_section *section);
void crm_rigid_group_write_section(const crm_rigid_group *group, const crm_rigid_section *section, double *impulse,
                                   double *velocity, crm_vec6 *change);

// What a change of impulses weighs: nothing in islands that are met or given up.
double crm_rigid_group_weight(const crm_rigid_group *group, int island);

// ---- the rest of it

// Memory from the arena, for crm_rigid_group_pack. False when there is none.
bool crm_rigid_group_take(crm_rigid_group *group, crm_arena *arena);

// Packs the problem's contacts, blocks and velocities with the impulses of a guess.
void crm_rigid_group_pack(crm_rigid_group *group, const double *impulse);

// The residual of every island from the velocities as they are; keeps what is better than the best. `velocity` as
// crm_rigid_loops.residual.
void crm_rigid_group_evaluate(crm_rigid_group *group, double *velocity);

// The velocities from the impulses: what sweeps have added to them in rounding is gone.
void crm_rigid_group_refresh(crm_rigid_group *group);

// The best impulses of an island; of all that are behind. Velocities must be refreshed.
void crm_rigid_group_restore(crm_rigid_group *group, int island);
void crm_rigid_group_restore_all(crm_rigid_group *group);

// No impulses at all in an island.
void crm_rigid_group_clear(crm_rigid_group *group, int island);

// One sweep from x + b (x - x_before) (rigid_momentum.c); the largest s |dr| relative to what the islands' tolerances
// allow, of those that are unmet. Without momentum the next time after a reset.
double crm_rigid_group_sweep(crm_rigid_group *group);
void crm_rigid_group_reset(crm_rigid_group *group);

// What operations cost, in work units.
double crm_rigid_pack_price(const crm_rigid_group *group);
double crm_rigid_residual_price(const crm_rigid_group *group); // or of a refresh
double crm_rigid_sweep_price(const crm_rigid_group *group);
// What a solution takes whatever its budget is.
double crm_rigid_least_price(const crm_rigid_group *group);

// Relaxed cones, one after the other, by the solver of single groups; as crm_rigid_loops.sweep.
double crm_rigid_relaxed_sweep(const crm_rigid_system *system, int begin, int end, const crm_rigid_sweep *sweep);

// All that may be done for the islands within the budget (rigid_schedule.c), from evaluated impulses. Fails only for
// want of memory.
carom_status crm_rigid_schedule(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error);

// Writes impulses, velocities of blocks and of rows that no record has, and the change of bodies.
void crm_rigid_group_write(crm_rigid_group *group, double *impulse, double *velocity, crm_vec6 *change);

#endif
