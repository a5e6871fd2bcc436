// SPDX-License-Identifier: MIT
// How jointed bodies go through a step: along ways on which their joints are closed at the end (docs/math.md 8.6).
//
//   enters    motions at the start of the step; momenta that impulses of contacts, limits, motors and joints have led to
//             with all bodies where they were; of mechanisms that gravity alone acts on, none of these
//   leaves    state->next with closed joints and without velocities that these block; the impulses of the joints in
//             state->impulse, in their reactions and in the ledger
//   callers   lcp, impulse with fixed steps
#ifndef CRM_STEP_GLIDE_H
#define CRM_STEP_GLIDE_H

#include "model/mechanism/joint_projection.h"
#include "model/model_state.h"
#include "step/contacts/contact_step.h"

// Joints that bodies which can move connect, on their way through a step.
typedef struct crm_glide_mechanism {
    bool unforced;     // nothing of the model acts on its bodies but gravity
    bool falls;        // in this step gravity alone does, and no contact or limit is within reach: it has no rows
    int parts;         // that the step is cut into, so that bodies rotate by little in each
    bool left;         // it is open by more than may be closed in a step, and goes straight on
    bool pending;      // its way is to be found
    bool active;       // it has this part
    bool open;         // its impulses in this part are being looked for
    bool failed;       // they were not found
    bool projected;    // no way was found at all: bodies go straight on, and poses are moved to where joints are closed
    double size;       // m
    double enough;     // joints that are open by no more are closed: a share of the size, or rad
    double error;      // by which they are open, likewise
    double unbalanced; // what momenta lack, relative to what they are made of
    double least;      // of both, so far in this part
    int least_at;      // the iteration that had it
    double work;       // of its joints' impulses, J
    double driven;     // of its motors' impulses, J
} crm_glide_mechanism;

typedef struct crm_glide {
    const carom_model *model; // NULL: there is nothing to close
    double push_out;          // the largest speed at which joints are closed, m/s
    double tolerance;         // joints are closed to this, and to 1e-10 at least: a share of the size, or rad
    crm_joint_projection projection;
    crm_glide_mechanism *mechanisms; // (graph.mechanism_count)
    int *mechanism_of;               // of a body; -1: it has no joint, or cannot move (body_count)
    int *first, *body;               // bodies by mechanism (graph.mechanism_count + 1, body_count)

    // Of a part.
    crm_motion *from, *to, *middle; // (body_count)
    crm_vec6 *weight;               // of gravity in the whole step, on bodies that fall; else 0 (body_count)
    crm_vec6 *pushed;               // by joints (body_count)
    crm_vec6 *velocity;             // on average, world axes (body_count)
    crm_vec6 *lacking;              // what momenta lack of those that belong to the way (body_count)
    crm_joint_pose *start;          // at `from` (joint_count)
    crm_joint_pose *end;            // at `to` (joint_count)
    double *lambda;                 // of rows, N s and N m s (row_count)
    carom_mat3 *axes;               // that they are in, of frame A (joint_count)
    crm_impulse_size *pull;         // of what a body's impulse is the sum of (body_count)
    carom_mat3 *stiffness;          // by which pulled bodies resist rotation, kg m^2 (body_count)

    bool *holds;    // of the system's limit and motor rows: a motor that holds its rate (limit_motor_count)
    double *target; // that rate (limit_motor_count)

    // Of the step so far.
    crm_vec6 *sum;           // impulses on a body, moments about where its centre of mass was at the start (body_count)
    crm_vec6 *outside;       // of these: from the ground and of gravity (body_count)
    crm_impulse_size *terms; // of rows that these are the sum of (body_count)
    crm_vec6 *reaction;      // on b about B's origin, N s and N m s (joint_count)
    carom_vec3 moved;        // angular momentum that projections have changed, about the world's origin, kg m^2/s
} crm_glide;

// From the state's arena. `glide` must stay where it is.
carom_status crm_glide_create(carom_state *state, double push_out, double tolerance, crm_glide *glide,
                              carom_error *error);

// Which mechanisms fall in this step, with these contacts within reach.
void crm_glide_find_falling(const carom_state *state, const crm_contact_sites *sites, crm_glide *glide);

// Whether the body belongs to one that does: then it has no rows.
static inline bool crm_glide_falls(const crm_glide *glide, int body) {
    return glide->model != NULL && glide->mechanism_of[body] >= 0 && glide->mechanisms[glide->mechanism_of[body]].falls;
}

// A velocity motor that holds its rate in this step, of a joint's coordinate, or one that does not.
void crm_glide_set_motor(crm_glide *glide, int joint, int coordinate, bool holds, double rate);

// Moves all bodies with joints through the step: from state->motions, with the momenta of state->next; those that fall
// with the momenta of state->motions and the impulses `gravity` (body_count). Adds to state->reaction. A mechanism that
// no way was found for goes straight on and is closed by moving poses. One that cannot be closed so either goes as far
// as it can, with closed joints; a joint of the first of them, or -1.
int crm_glide_move(carom_state *state, const crm_vec6 *gravity, crm_glide *glide);

// Closes joints of bodies that have no inertia: moves poses, not velocities.
void crm_glide_close_poses(carom_state *state, crm_glide *glide);

// ---- glide_body.c: attitudes by Cayley's map, for which impulses at the mean of both ends do the work that they
// should (docs/math.md 8.6)

// Where a body is after a time that nothing but `weight` acts on it, half of which counts on the way.
void crm_glide_throw(const crm_body *body, const crm_motion *from, crm_vec6 weight, double time, crm_motion *to);
// The mean velocity and spin (world axes) on the way between two poses, and the momenta at its end for which they are
// the mean: in principal axes that of the spins. False: there is none, as the body rotates too far.
bool crm_glide_way(const crm_body *body, const crm_motion *from, const crm_motion *to, double time, crm_vec6 *velocity,
                   crm_vec6 *momentum);

// Whether a mechanism that is projected, or one that is not, has this part.
static inline bool crm_glide_has_part(const crm_glide *glide, int mechanism, bool projected) {
    const crm_glide_mechanism *of = &glide->mechanisms[mechanism];
    return of->active && !of->failed && of->projected == projected;
}

// ---- glide_part.c

// The next part of all mechanisms that are active: from `from` to `to`. Those that fail are marked.
void crm_glide_part(crm_glide *glide, const carom_state *state);

// Takes away velocities that joints block at `to`, of all that are active.
void crm_glide_slow(crm_glide *glide, const carom_state *state);

// Of the mechanism's joints at `to`: the worst one, a share of its size, or rad.
double crm_glide_error(crm_glide *glide, int mechanism);
// Multipliers for the rates of rows in projection.lambda, in their place.
void crm_glide_solve(crm_glide *glide);
// J^T lambda on the bodies of mechanisms that are open, or active.
void crm_glide_push(const crm_glide *glide, const double *lambda, bool open, crm_vec6 *wrench);
// Rows and errors of joints at `to`.
void crm_glide_evaluate_end(crm_glide *glide);
// An impulse on a body whose centre of mass is there, to a sum of them.
void crm_glide_add_impulse(const carom_state *state, int body, carom_vec3 place, crm_vec6 impulse, crm_vec6 *sum);
// Of an impulse on a body that stands still, J.
double crm_glide_work_at_end(const crm_body *body, const crm_motion *motion, crm_vec6 impulse);

// ---- glide_project.c

// The next part of what is projected.
void crm_glide_project_part(crm_glide *glide, const carom_state *state);

// Moves the poses in `to` of all that are active and projected to where their joints are closed, whatever the
// velocities.
void crm_glide_project(crm_glide *glide);

#endif
