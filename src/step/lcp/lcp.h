// SPDX-License-Identifier: MIT
// `lcp`: contact, friction and joints in one complementarity problem a step (docs/math.md 6.1).
//
//   M (v+ - v_free) = J^T r,   u = J v+ + offset,   a law between u and r for every group of rows,   q+ = q + h v+
//
// v_free is the velocity that all forces lead to, the gyroscopic term taken implicitly (free_spin.h). Velocities of a
// node are those of the body's centre of mass and its spin, world axes, as far as its kind has them.
//
//   enters    motions, forces, contacts of the contact step
//   leaves    state->next, impulses of rows, the table of contacts
//   callers   the table of methods; impulse with fixed steps, which takes its rows
#ifndef CRM_STEP_LCP_H
#define CRM_STEP_LCP_H

#include "solve/rigid/rigid_problem.h"
#include "solve/solver_state.h"
#include "step/certify/accounts.h"
#include "step/contacts/step_problem.h"
#include "step/glide/glide.h"
#include "step/implicit/implicit.h"
#include "step/integrate/external_impulse.h"
#include "step/integrate/velocity_step.h"
#include "step/rest/rest.h"

// The problem of a step, as crm_rigid_problem takes it; what rests is not in it. Rows are three a contact, in the order
// of lcp->contacts.sites, then those of joints that block something, then those of limits and velocity motors, then
// those of forces that are taken at the end of the step.
// Of a row of a force: what its impulse is made of (step/implicit), in the row's own unit.
typedef struct crm_lcp_force {
    double unit; // m to a unit of the row: rows of the problem are so many times those of step/implicit
    double damping, drive, drive_slope;
    int slot; // where its impulse is kept from step to step
} crm_lcp_force;

typedef struct crm_lcp_problem {
    int *slot_of; // of a body of the model: in `bodies`, and the node of the general form; -1: it cannot move, or
                  // rests (body_count)
    int *body_of; // the other way round (as many as bodies move)
    // Grown, never shrunk.
    CRM_ARRAY(crm_rigid_body) bodies;
    CRM_ARRAY(crm_rigid_contact) contacts;
    CRM_ARRAY(crm_rigid_block) blocks;
    int attached_blocks;              // of `blocks`: those before the ones of attachments
    int joint_blocks;                 // those before limits and motors
    int force_blocks;                 // those before the blocks of forces
    int joint_rows, limit_motor_rows; // after the contacts'
    CRM_ARRAY(crm_lcp_force) forces;  // the rows after these
    CRM_ARRAY(double) impulse;        // r: what a solver starts from, then what it finds
} crm_lcp_problem;

// What a step is solved to.
typedef struct crm_lcp_aim {
    double moving, resting; // residuals of islands that move, and of those all of whose bodies rest
    double sought;          // what is tried for in place of `moving`, which is promised
    int sweeps;             // > 0: so many, whatever the residuals are then
    double budget;          // s for 1,000 contacts
    bool generous;          // enough of it for the general solvers
} crm_lcp_aim;

// Steps in a row that missed their aim.
typedef struct crm_lcp_unmet {
    double least;  // overlap among them, a share of the size
    int64_t steps; // since it became smaller
} crm_lcp_unmet;

// What outlasts a step, and scratch.
typedef struct crm_lcp_history {
    int32_t *slow_steps;  // of every body, in a row, as far as they are counted; beyond that: steps for which it is
                          // solved less far; kept with the state (body_count)
    crm_lcp_unmet *unmet; // kept with the state
    double *fastest;      // of a body's contacts that press and of its joints, m/s; below 0: none (body_count)
    double *resting;      // of the bodies of the problem: tolerance, 0 while they move (body_count)
    bool *touches;        // of these: it has a contact (body_count)
} crm_lcp_history;

// Scratch of steps without inertia.
typedef struct crm_lcp_fluid {
    const carom_state *state;
    int size;            // six for each body that moves
    carom_pose *poses;   // (body_count)
    carom_vec3 *centres; // (body_count)
    double *force, *velocity;
    crm_vec6 *total; // forces of a step (body_count)
} crm_lcp_fluid;

// An island of the problem in which something rebounds, at the lowest of its bodies.
typedef struct crm_lcp_bounce {
    double kinetic;           // at the start of the step, J
    bool worth_telling;       // the law would have made energy that counts beside that
    double gain, size, noise; // energy that its impulses made, J; the terms that this is a sum of; what residuals allow
    double share;             // of restitution, in the last solution
    double least, least_gain; // a share that makes no energy
    double most, most_gain;   // one that does; no gain: the island is not limited
    bool bounces, told;
} crm_lcp_bounce;

// Restitution that would make energy.
typedef struct crm_lcp_limits {
    bool bounces;                // a contact may rebound
    crm_limited_impacts limited; // islands, in the last solution
    CRM_ARRAY(double) rebound;   // of contacts: velocity of approach times restitution, m/s; 0: none
    CRM_ARRAY(double) share;     // of contacts: what of their restitution counts
    CRM_ARRAY(double) start;     // r that the solutions start from
    CRM_ARRAY(crm_vec6) free;    // velocities without impulses, of the bodies of the problem
    CRM_ARRAY(int) root;         // of these: a forest (base/forest.h)
    CRM_ARRAY(crm_lcp_bounce) island;
} crm_lcp_limits;

// A group of bodies that springs and joints connect: what its springs make and what the step loses, J.
typedef struct crm_lcp_braked_island {
    double gain, loss, size;
} crm_lcp_braked_island;

// Springs that would make energy in this step.
typedef struct crm_lcp_brakes {
    crm_spring_brake *of;          // (springs)
    int *first_row;                // of a spring, among the rows of forces (springs)
    double *gain;                  // scratch, J (springs)
    crm_lcp_braked_island *island; // scratch, at the root of each (body_count)
} crm_lcp_brakes;

typedef struct crm_lcp_flex crm_lcp_flex;

typedef struct crm_lcp {
    carom_lcp_def def;
    crm_lcp_flex *flex;      // NULL: no flexible bodies
    double noise_tolerance;  // what gaps may be wrong by is this share of what residuals are relative to
    double *least_scale;     // of a body of the problem by that: the residual of its island is relative to no less, m/s
                             // (body_count)
    const crm_joint *joints; // of the model
    double *arm; // of a joint: angular rows are so many times the angle, m; of the model alone, as row_impulse outlasts
                 // a step (joint_count)
    const double *rest_speed; // of a body: contacts that close no faster than that of either have no restitution, m/s;
                              // NULL: 0 (body_count)
    bool no_restitution;
    bool hits_first;     // impacts come before forces and poses: what rebounds flies from where it is
    double *row_impulse; // of joints' rows, limits and velocity motors in the last step, N s, angular rows by `arm`,
                         // and of forces, in their own units: what the next step starts from; kept with the state
                         // (row_impulse_count)
    int row_impulse_count, force_slots; // the last ones of these are of forces
    carom_solver_state *solver;
    crm_contact_step contacts;
    crm_velocity_step motion;
    crm_free_flight flight;
    crm_glide glide;
    crm_vec6 *twist; // scratch of crm_lcp_still_solved (body_count)

    crm_lcp_fluid fluid;
    crm_rest rest;
    crm_contact_table former; // scratch: the table of the step before, whose lines of what rests are kept

    crm_lcp_problem problem;
    crm_lcp_limits limits;
    crm_lcp_brakes brakes;
    // Of its rows; grown, never shrunk.
    CRM_ARRAY(double) answer;      // r of a solution that missed the tolerance, while another is tried
    CRM_ARRAY(double) undriven;    // r of a solution without stabilisation, or with a part of it
    CRM_ARRAY(double) driven;      // offsets, while a solution without stabilisation is tried
    CRM_ARRAY(double) guess;       // r that the last solution was started from
    CRM_ARRAY(double) compression; // r of the first phase of Poisson's law, with what restitution adds
    CRM_ARRAY(double) velocity;    // u - offset: of the rows at the end of the step
    bool two_phases;               // of Poisson: `compression` holds the first one, whose friction has done its work

    // What the lean solver said last.
    crm_rigid_solver *lean;
    bool by_islands;         // it had the last word, and `solved` is of it
    crm_rigid_report solved; // its islands have each their own noise
    crm_vec6 *change;        // J^T r of every body of the problem, as far as it is known from velocities (body_count)
    double work;             // units that the step has taken so far
    double work_allowed;     // that it may take; infinite: without a budget
    double work_kept;        // of these, for what has to follow in any case
    int solutions_left;      // that may have to follow
    bool missed;             // an island is not solved to its tolerance
    bool left_open;          // overlaps or joints were left as they are, as something stands against undoing them
    double overlap;          // the largest at the end of the step, a share of a body's size
    crm_lcp_history history;

    // The same problem as the general solvers take it; its groups are the blocks, then the contacts.
    crm_step_problem general;
    CRM_ARRAY(crm_island_verdict) verdict; // of a group: what became of its island
    CRM_ARRAY(crm_island_verdict) tried;   // of another solution
    CRM_ARRAY(crm_island_verdict) relaxed; // of one without stabilisation, or with a part of it
    CRM_ARRAY(double) drive;               // of a group: that part
    CRM_ARRAY(double) share;               // scratch: one for all of them
    CRM_ARRAY(bool) left;                  // of a group: its island is not solved, only evaluated
    CRM_ARRAY(bool) done;                  // of a group: its island is as it should be
    double *noise;                         // velocities that rows of a body of the problem may be wrong by, m/s
                                           // (body_count)
    bool general_only;                     // the lean solver is not asked
} crm_lcp;

// ---- lcp_memory.c

// From the state's arena and allocator, with what a state keeps of contacts and rows. `out` is to be destroyed,
// whatever the status.
carom_status crm_lcp_create(carom_state *state, const carom_lcp_def *def, crm_lcp **out, carom_error *error);
void crm_lcp_destroy(const carom_model *model, crm_lcp *lcp); // may be NULL

// ---- lcp_accuracy.c

crm_lcp_aim crm_lcp_aim_of(const carom_lcp_def *def);
// What the contract holds the residual of every step to; infinite: nothing.
double crm_lcp_promised_residual(const carom_lcp_def *def);
// Allows a step what its problem may take: the largest of those with contacts that were looked for again. So many
// solutions may have to be found in the rest of the step, each of which takes its least, whatever those before it took.
void crm_lcp_allow_work(const carom_model *model, crm_lcp *lcp, int solutions);
// Units that are left of that, beside what is kept for further solutions.
double crm_lcp_work_left(const crm_lcp *lcp);

// ---- lcp_solve.c

// What gravity adds to velocities in a step: residuals are relative to no less.
double crm_lcp_velocity_scale(const carom_state *state);
// The residual of an island and its lowest body (-1: unknown): the worst one's are kept.
void crm_lcp_note_residual(double residual, int body, carom_step_report *report);
// Whether the lean solver is asked.
bool crm_lcp_is_lean(const carom_model *model, const crm_lcp *lcp);
// Solves the problem from its impulses. The report gets residual, iterations and solver. After the lean solver the
// velocities of rows are those of the impulses.
carom_status crm_lcp_solve(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error);
// Keeps the impulses as those that a solution is started from.
carom_status crm_lcp_keep_guess(const carom_model *model, crm_lcp *lcp, carom_error *error);

// ---- lcp_cascade.c: the general solvers

// As crm_lcp_solve; where overlaps and open joints contradict each other, without undoing any.
carom_status crm_lcp_solve_general(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                   carom_error *error);
// Work units that it takes at least.
double crm_lcp_general_least(const crm_lcp *lcp);
// The same within the work that is left, for what the lean solver did not meet: the offsets that contradict each other
// are left out of the problem. The report gets no residual.
carom_status crm_lcp_solve_doubtful(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                    carom_error *error);

// ---- lcp_history.c

bool crm_lcp_history_take(carom_state *state, crm_lcp *lcp); // false: no memory
// Forgets what a state that was changed from outside makes void.
void crm_lcp_history_begin(const carom_state *state, crm_lcp *lcp);
// A step was made: its ends are in state->motions.
void crm_lcp_history_note(const carom_state *state, crm_lcp *lcp);
// What the next step starts from at a contact, of the impulse found and of the one that this was started from.
void crm_lcp_next_guess(const crm_lcp *lcp, int contact, double guess[3]);
// Whether nothing that holds the body has moved against it for some steps.
bool crm_lcp_rests(const crm_lcp *lcp, int body);
// What islands of the bodies of the problem are solved to if they rest; 0 for those that move (body_count of it).
const double *crm_lcp_resting(crm_lcp *lcp);
// Whether an island that is not solved may have no solution that is worth looking for: at the start, where steps in a
// row left their overlaps as they are, and with a large budget.
bool crm_lcp_in_doubt(const carom_state *state, const crm_lcp *lcp);

// ---- lcp_joint_rows.c: angular rows in metres too, so that their velocities are m/s and their impulses N s

// What a joint blocks (joint->rows).
void crm_lcp_joint_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, double residual[6],
                        crm_joint_row row[6]);
// What limits and velocity motors act by (joint->free), and the metres to one unit of a coordinate, m or rad.
void crm_lcp_value_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]);
void crm_lcp_rate_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]);
// The size of the joint's mechanism, m.
static inline double crm_lcp_arm(const crm_lcp *lcp, const crm_joint *joint) {
    return lcp->arm[joint - lcp->joints];
}
double crm_lcp_coordinate_scale(const crm_lcp *lcp, const crm_joint *joint, int coordinate);
// Impulse on b and its moment about B's origin, world axes, of the impulses of what the joint blocks.
crm_vec6 crm_lcp_joint_impulse(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose,
                               const double *impulse);

// ---- lcp_problem.c

// Fills bodies, contacts, blocks and the guess from the motions, the free velocities, state->contact_list and its
// sites. False: no memory.
bool crm_lcp_build(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp);

// Contacts that close no faster have no restitution, m/s.
double crm_lcp_rest_speed(const crm_lcp *lcp, const crm_contact_site *site);
// Of a rebound without friction, m/s: `approach` before forces, which add `gained` to it in a step.
double crm_lcp_rebound_speed(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site,
                             double approach, double gained);

// The body of a side of a block; -1: the ground.
static inline int crm_lcp_body_at(const crm_lcp *lcp, int slot) {
    return slot >= 0 ? lcp->problem.body_of[slot] : -1;
}

// Rows of the contacts; those of the blocks follow.
static inline int crm_lcp_contact_rows(const crm_lcp *lcp) {
    return 3 * lcp->problem.contacts.count;
}

// The first row of a force.
static inline int crm_lcp_force_row(const crm_lcp *lcp) {
    return crm_lcp_contact_rows(lcp) + lcp->problem.joint_rows + lcp->problem.limit_motor_rows;
}

// The impulses of joints' rows, limits, velocity motors and forces; NULL without any rows.
static inline double *crm_lcp_block_impulses(const crm_lcp *lcp) {
    return CRM_ARRAY_FROM(&lcp->problem.impulse, crm_lcp_contact_rows(lcp));
}

// ---- lcp_rows.c: what impulses do, by the arms and directions of contacts and the rows of blocks

// Adds J^T r to wrench[body] (impulses about the centres of mass).
void crm_lcp_add_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench);
// The same of rows between a body that moves and what cannot move.
void crm_lcp_add_ground_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench);
// The same of velocity motors, whose work is done from outside.
void crm_lcp_add_motor_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench);
// Finds the bodies that fly: none of their contacts presses.
void crm_lcp_find_flying(const carom_state *state, crm_lcp *lcp);
// The velocities of all rows, u - offset, that go with velocities of bodies (body_count).
void crm_lcp_row_velocities(const crm_vec6 *twist, crm_lcp *lcp);
// Velocities of all rows that the problem's bodies have with its impulses. Uses lcp->motion.change.
void crm_lcp_solved_velocities(const carom_model *model, const carom_state *state, crm_lcp *lcp);
// Adds M^-1 J^T r to the velocities that the problem's bodies have without impulses.
void crm_lcp_shift_free(const carom_model *model, const carom_state *state, crm_lcp *lcp);

// ---- lcp_forces.c: forces that are taken at the end of the step

// Impulses of them that may have to be kept.
int crm_lcp_force_slots(const carom_model *model);
// Adds their blocks behind those that are there. False: no memory.
bool crm_lcp_add_forces(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp);
// Impulses of their rows from those that are kept, and the other way round.
void crm_lcp_recall_forces(crm_lcp *lcp, double *impulse);
void crm_lcp_keep_forces(crm_lcp *lcp, const double *impulse);

typedef struct crm_force_work {
    double active, passive; // of motors; of dampers, never above 0; J
} crm_force_work;

// What they did in the step, with the velocities of rows at its end; told to the ledger, or, unless `external` is NULL,
// to that of a body that moves (body_count).
crm_force_work crm_lcp_force_work(const carom_model *model, carom_state *state, const crm_lcp *lcp,
                                  double (*external)[CRM_EXTERNAL_NUMBERS]);

// ---- lcp_brakes.c

enum { CRM_MOST_BRAKES = 4 }; // solutions that brakes may ask for in a step

bool crm_lcp_brakes_create(carom_state *state, crm_lcp_brakes *brakes); // false: no memory
void crm_lcp_brakes_begin(const carom_model *model, crm_lcp_brakes *brakes);
// Brakes springs that make energy with the impulses in lcp->motion.change: true when there are any that were not braked
// as far before, and the step is to be solved again.
bool crm_lcp_brake_springs(const carom_model *model, const carom_state *state, crm_lcp *lcp);

// ---- lcp_work.c

// The velocity that a row of a block had at the start of the step.
double crm_lcp_row_velocity_before(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                                   const crm_rigid_block *block, int row);
// Adds the work of joints and limits to the ledger; that of forces is crm_lcp_force_work.
// `more`: further impulses of their rows, at the same poses; NULL: none.
void crm_lcp_add_block_work(const carom_model *model, carom_state *state, const crm_lcp *lcp, const double *more);
// The same of velocity motors, and to state->spent.
void crm_lcp_add_motor_work(const carom_model *model, carom_state *state, const crm_lcp *lcp);

// ---- lcp_glide.c

// Tells the work of contacts, which they have done with bodies where they were, and moves bodies with joints from there
// to where these are closed. Nothing where lcp->glide has no model.
void crm_lcp_glide(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp,
                   carom_step_report *report);
// Whether a motor and a limit contradict each other in this step, which is then impossible.
bool crm_lcp_motor_is_stopped(const carom_model *model, const carom_state *state, const carom_input *input,
                              carom_step_report *report);

// ---- lcp_general.c: the problem as carom_solve takes it

// Fills lcp->general. False: no memory.
bool crm_lcp_fill_general(const carom_model *model, crm_lcp *lcp);
// As the solver takes it; lives in `lcp`.
carom_problem crm_lcp_general_view(const carom_model *model, crm_lcp *lcp);
// Takes the impulses of lcp->general over.
void crm_lcp_take_general(crm_lcp *lcp);
// The problem that was solved last, with the impulses that this was started from, as carom_state_write_problem. `lcp`
// may be NULL.
carom_status crm_lcp_dump(const carom_state *state, crm_lcp *lcp, const char *path, carom_error *error);

// ---- lcp_still.c

// Whether the problem that was just built, with contacts that were found after the last solution, is solved by the
// impulses of that: the further contacts are not reached. These impulses are then in lcp->impulse. Not for models with
// joints, whose rows do not start from them.
bool crm_lcp_still_solved(const carom_model *model, const carom_state *state, crm_lcp *lcp);

// ---- lcp_fluid.c: models with a mobility

bool crm_lcp_fluid_take(const carom_model *model, crm_arena *arena, crm_lcp_fluid *fluid);
// Velocities of the forces alone, and momenta that go with them in state->next.
void crm_lcp_fluid_free(const carom_model *model, carom_state *state, crm_lcp *lcp);
// What stands for the masses of bodies in a viscous fluid, into the nodes of lcp->general. False: no memory.
bool crm_lcp_fluid_resistances(const carom_model *model, const carom_state *state, crm_lcp *lcp);
// What an impulse along a row, which is on_a on a body and on_b on another, adds to the row's velocity; bodies may be
// -1. Uses lcp->fluid.
double crm_lcp_fluid_answer(const carom_model *model, const carom_state *state, crm_lcp *lcp, int a, crm_vec6 on_a,
                            int b, crm_vec6 on_b);
// Mob / h of all bodies, as carom_problem_mobility; `user` is a crm_lcp_fluid.
void crm_lcp_fluid_mobility(void *user, const double *force, double *velocity);
// Velocities of the forces and of lcp->motion.change (body_count); with poses into state->next.
void crm_lcp_fluid_twists(const carom_model *model, const carom_state *state, crm_lcp *lcp, crm_vec6 *twist);
void crm_lcp_fluid_move(const carom_model *model, carom_state *state, crm_lcp *lcp);

// ---- lcp_restitution.c

// Poisson's law: after a solution without restitution, contacts that were hit get their impulse times the
// coefficient again, and a second solution keeps the laws with that.
carom_status crm_lcp_restitute(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report,
                               carom_error *error);

// ---- lcp_midway.c

// Looks for bodies that overlap where the impulses lead them, as they rotate too far for the rows of the start of the
// step. *any: there are some, and lcp->contacts.midway has what the next attempt takes for their contacts. False: no
// memory.
bool crm_lcp_look_midway(const carom_state *state, crm_lcp *lcp, bool *any);

// ---- lcp_limit.c

// Solves the problem as crm_lcp_solve does, both phases of Poisson's law, and again with less restitution in islands
// where that made energy. `forced`: the free velocities have lcp->motion.explicit_impulse in them.
carom_status crm_lcp_solve_impacts(const carom_model *model, carom_state *state, crm_lcp *lcp, bool forced,
                                   carom_step_report *report, carom_error *error);

// ---- lcp_slip.c

// Velocities that a contact's rows may be wrong by, m/s: what its island is solved to.
double crm_lcp_contact_noise(const crm_lcp *lcp, int contact);
// A contact slides when its slip is above this.
double crm_lcp_slip_noise(const crm_lcp *lcp, int contact);
// Takes away the friction of contacts that slide along with it, by the velocities of rows that are there; true when
// there were any. See there for what it costs.
bool crm_lcp_drop_backward_friction(crm_lcp *lcp);

// ---- lcp_readout.c

// Gives the contact set what it remembers for the next list, which starts from it; of what rests it is there.
void crm_lcp_store(const carom_state *state, const crm_lcp *lcp);
// The table of contacts, the work of friction and the reactions of joints, from impulses and velocities of rows; what
// the next step starts from. False: no memory.
bool crm_lcp_read_out(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report);

#endif
