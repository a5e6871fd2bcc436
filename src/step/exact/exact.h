// SPDX-License-Identifier: MIT
// The scratch of `exact`: variational steps cut at every collision, whose time and configuration are solved for.
//
// A step of length h is made of substeps, each a variational step of its own length s. The poses at the end of a
// substep are a curve in s; the first root of a pair's gap on it is the collision's time, the poses there its
// configuration q_c (docs/math.md 10.6). There the momenta jump across the span of the gaps' gradients, and the rest of
// the step is gone through in the same way.
//
// Bodies are moved in clusters that can touch each other within the step, each with its own substeps. All that joints
// or potentials act on is in one cluster and moves together, with what may touch it.
//
//   enters    motions, the input, pairs of the contact step
//   leaves    state->next, impulses of collisions in the table of contacts, the collisions with their times
//   callers   the table of methods
#ifndef CRM_STEP_EXACT_H
#define CRM_STEP_EXACT_H

#include "model/model_part.h"
#include "step/contacts/contact_step.h"
#include "step/forced/forced_body.h"
#include "step/method.h"
#include "step/tree/tree_balance.h"

// Two bodies that may touch within the step.
typedef struct crm_exact_pair {
    int a, b;
    int next; // pair of the same cluster; -1: the last one
    bool has_ray;
    double size;                  // of the smaller one, m
    double expected;              // when they touch next on the way to the end of the step, s; INFINITY: not
    bool expect_anew;             // `expected` is not known
    bool grazes;                  // `expected` is when they come so close that only the bend of their ways decides
    crm_contact_point now, trial; // by the centre ray; the gaps of pairs that are far apart are lower bounds: where the
                                  // last substep has ended, and where the one on trial ends
    carom_distance_cache cache;
} crm_exact_pair;

typedef struct crm_exact {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    carom_error error;
    crm_follower *follower; // of the input (body_count)
    // The way through the step.
    bool *coupled;             // a joint or a potential acts on the body (body_count)
    bool any_coupled;          // there is one of them
    bool moves_coupled;        // they are in the cluster on its way
    carom_model trees;         // the model with links and forces of coupled bodies alone
    crm_model_parts parts;     // bodies that nothing couples and discrete forces act on
    crm_forced_body *forced;   // by part
    crm_vec6 *before, *after;  // impulses at both ends of the substep on trial, of what is not coupled (body_count)
    double done;               // where the last substep of the cluster has ended, s after the start of the step
    crm_motion *motions;       // where the last substeps have ended (body_count)
    crm_motion *trial;         // where the substep on trial ends (body_count)
    crm_joint_config *configs; // at `motions` (joint_count)
    crm_tree_substep substep;  // of coupled bodies
    crm_tree_balance balance;
    double *travelled;  // the farthest that a point of a body has got in the step, m (body_count)
    double *moved;      // the same of the substep on trial, m (body_count)
    carom_pose *middle; // after half of the substep on trial (body_count)
    double *bend;       // how far the way on trial may lie beside that by constant twists, m; fixed: 0 (body_count)
    bool *deflected;    // the body's way is another one than at the last substep: touches are to be expected anew
                        // (body_count)
    double last_energy; // E_d of the last substep of the cluster, J; NAN: not known
    // Response to impulses.
    crm_null_space space;    // of coupled bodies
    crm_vec6 *given;         // impulses at touches, about the centres of mass (body_count)
    crm_vec6 *gained;        // momenta (body_count)
    crm_vec6 *joint_impulse; // by joints (joint_count)
    crm_vec6 *answer;        // twists (body_count)
    // What may touch.
    crm_contact_step found;
    double *least;   // margins are made no less than this (body_count)
    double *margin;  // (body_count)
    int *cluster;    // of a body: the least number of a body in it (body_count)
    int *next;       // body of the same cluster, ascending; -1: the last one (body_count)
    int *first_pair; // of a cluster; -1: none (body_count)
    int *member;     // bodies of the cluster on its way (body_count)
    int member_count;
    CRM_ARRAY(crm_exact_pair) pairs;
    CRM_ARRAY(int) mine; // pairs of the cluster on its way
    // Jumps.
    CRM_ARRAY(int) hits;         // pairs that jump together
    CRM_ARRAY(crm_vec6) answers; // twists of all bodies by a unit impulse, for one pair after the other
    CRM_ARRAY(double) matrix, impulse;
    double reversed_energy; // of the last jump: what it reversed, J
    double share;           // of the impulses that reverse it, in the last jump
    double impulse_energy;  // kinetic energy that impulses have added since the last substep, J
    int first_collision;    // of those where its last substep has ended, in state->collisions
} crm_exact;

// ---- exact_flow.c

// Moves the members by the time s, from `motions` to `trial`. False: there is no such substep.
bool crm_exact_flow(crm_exact *x, double s, carom_step_report *report);
// The same, where only these two bodies need be moved.
bool crm_exact_flow_pair(crm_exact *x, const crm_exact_pair *pair, double s, carom_step_report *report);
// Makes the substep on trial, of length s, one of those made.
void crm_exact_take(crm_exact *x, double s);
// E_d of the substep on trial (docs/math.md 10.6); bodies of other clusters have a constant share in it.
double crm_exact_trial_energy(const crm_exact *x, double s);
// The share that the members alone have in it.
double crm_exact_member_energy(const crm_exact *x, double s);
// Makes room for what forces need, when it is known what is coupled.
carom_status crm_exact_prepare_forces(crm_exact *x, carom_error *error);
// Gets ready for responses at `motions`. False: the masses are singular.
bool crm_exact_respond_begin(crm_exact *x);
// Twists of all bodies (body_count) by a unit impulse along the touch of a pair, joints kept.
void crm_exact_respond(crm_exact *x, const crm_exact_pair *pair, crm_vec6 *answer);
// Changes the momenta by the twists in `answer`, which the impulses along the pairs that are hit have made.
void crm_exact_apply_impulses(crm_exact *x);

// ---- exact_pairs.c

// Pairs that may touch within the step, and the clusters that they make.
carom_status crm_exact_find_pairs(crm_exact *x);
// Lists members and pairs of the cluster.
bool crm_exact_enter_cluster(crm_exact *x, int cluster);
crm_contact_point crm_exact_measure(crm_exact *x, crm_exact_pair *pair, const crm_motion *motions);
// The same for a and b at the share s/length of the way from `motions` to `trial`, by constant twists.
crm_contact_point crm_exact_measure_between(crm_exact *x, crm_exact_pair *pair, double s, double length);
// When the two come as close as `gap` on this way from s on; INFINITY: not.
double crm_exact_time_of_impact(crm_exact *x, const crm_exact_pair *pair, double s, double length, double gap);
// Where the body is at the end of the substep on trial.
carom_pose crm_exact_end(const crm_exact *x, int body);
// How far points of a body at `middle` are from where constant twists lead halfway, m.
double crm_exact_bend(const crm_exact *x, int body, double length);
// How far points of a body can have got from `motions` to `trial`, m.
double crm_exact_travel(const crm_exact *x, int body);
// Rate of the gap with these motions, m/s.
double crm_exact_rate(const crm_exact *x, const crm_contact_point *touch, int a, int b, const crm_motion *motions);
// The gap is known to this, m; touching is what is no farther apart than CRM_EXACT_TOUCH times this.
double crm_exact_resolution(const crm_exact_pair *pair, const crm_motion *motions);
#define CRM_EXACT_TOUCH 8.0
// Rates below this are roundings, m/s.
double crm_exact_still(const crm_exact *x, const crm_exact_pair *pair, const crm_motion *motions);

// ---- exact_time.c

// Finds the longest substep of at most `length` that leads to no overlap, and leaves it on trial with the pairs'
// touches. Returns its length; 0, with the report saying why, if there is none, or when interrupted.
double crm_exact_next_substep(crm_exact *x, double length, carom_step_report *report);

// ---- exact_jump.c

// Lets the momenta jump at pairs that touch and approach each other. 1: they did; 0: there were none; -1: no memory;
// -2: singular masses; -3: interrupted.
int crm_exact_jump(crm_exact *x);
// Changes the impulses of the last jump so that a substep of this length has the discrete energy of the one before
// (3.70). False: there are no such impulses near, and the jump is that in the Hamiltonian.
bool crm_exact_match_energy(crm_exact *x, double length, carom_step_report *report);
// Says of the collisions where the last substep has ended that E_d has changed by this, J.
void crm_exact_tell_jump(crm_exact *x, double change);
// Roundings of places leave no digits of the energy of shorter substeps, as a share of the step.
#define CRM_EXACT_LEAST_MATCHED 1e-5

#endif
