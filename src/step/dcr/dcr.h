// SPDX-License-Identifier: MIT
// `dcr`, decomposition contact response: a variational step as if nothing touched; bodies that come to touch each other
// in it are hit where they do so, and fly on; where the step ends overlapping, the closest configuration without
// overlap in the metric of the masses, the momenta carried there, and their split into what the contacts reverse, what
// they rub off and what they leave alone (docs/math.md 10.7).
//
// All that still touches at the end of a step does so at the same time. Projection and impacts are contact problems of
// solve/: displacements or velocities of the bodies against the rows of contacts and joints.
//
//   enters    motions, the input, contacts where the step ends
//   leaves    state->next, what projection and impacts did, the table of contacts
//   callers   the table of methods
#ifndef CRM_STEP_DCR_H
#define CRM_STEP_DCR_H

#include "solve/solver_state.h"
#include "step/contacts/step_problem.h"
#include "step/integrate/discrete.h"
#include "step/method.h"

// Bodies that joints hold together; a body without joints is one of its own.
typedef struct crm_dcr_tree {
    bool coupled;  // by joints, springs or charges: its flight is no affair of its own
    bool grounded; // a joint leads to the world or to a fixed body
    int hits;      // contacts of an impact that move it
} crm_dcr_tree;

// The way of a body as if nothing touched, from the start of the step or from where it was hit last.
typedef struct crm_dcr_flight {
    double from;      // s after the start of the step
    crm_motion start; // there
    crm_vec6 force;   // mean over the step, about the centre of mass
    crm_vec6 steady;  // of weight and input alone
    bool hit;
    crm_vec6 pushed; // by forces and contacts that do not cancel between bodies, as far as it was hit; the moment is
                     // about the origin
} crm_dcr_flight;

// When the impacts happen that are asked for: at a touch, or where the step ends.
typedef enum crm_dcr_moment { CRM_DCR_AT_TOUCH, CRM_DCR_AT_END } crm_dcr_moment;

// Axes about which a projection keeps the angular momentum of a cluster.
typedef enum crm_dcr_axes { CRM_DCR_ALL_AXES, CRM_DCR_ONE_AXIS, CRM_DCR_NO_AXIS } crm_dcr_axes;

// Trees that touch each other where a projection has put them. Moments are about its centre of mass there.
typedef struct crm_dcr_cluster {
    bool moved;    // a body of it has another pose
    bool grounded; // a tree of it is
    bool planar;   // there are planar bodies in it
    crm_dcr_axes kept;
    carom_vec3 axis; // of one axis, unit
    double mass;     // 0: nothing is to be done
    carom_vec3 centre, momentum;
    carom_mat3 inertia;
    carom_vec3 angular_momentum; // angular momentum with the momenta as they have been carried here
    carom_vec3 missing;          // what it was before, less that
    double before, after;        // kinetic energy with these, J
    carom_vec3 spin, more_spin;  // of rigid motions with `angular_momentum` and `missing`
    double growth;               // of the motion against that
} crm_dcr_cluster;

typedef struct crm_dcr {
    const carom_model *model;
    carom_state *state;
    void *core;                // of `variational`
    crm_null_space space;      // of joints, at the projected configuration
    int *tree;                 // of a body: the least number of a body in it (body_count)
    crm_dcr_tree *trees;       // by that number (body_count)
    int *cluster;              // of a body: the least number of a body in it (body_count)
    crm_dcr_cluster *clusters; // by that number (body_count)
    bool *slippery;            // of a body: a ball that only smooth contacts touch (body_count)
    carom_solver_state *solver;
    crm_contact_step found;  // contacts at state->next, with their sites
    crm_motion *made;        // where the variational step ended, with what hits have changed (body_count)
    crm_dcr_flight *flight;  // (body_count)
    crm_vec6 *twist;         // scratch: displacements or velocities (body_count)
    crm_vec6 *momenta;       // scratch (body_count)
    crm_vec6 *smooth;        // velocities after an impact without friction, or by one impulse (body_count)
    crm_motion *lifted;      // after the projection, before impacts (body_count)
    crm_vec6 *arrived;       // velocities before impacts (body_count)
    crm_vec6 *gained;        // velocities that the forces of a step add (body_count)
    crm_vec6 *jump;          // impulses of contacts, projected, at state->next (body_count)
    double *mechanism_size;  // scratch, m (mechanisms)
    crm_vec6 *lift;          // what projections rotate and stretch momenta by, at state->next (body_count)
    crm_vec6 *external;      // impulses that do not cancel between bodies, at state->next (body_count)
    double *coupled;         // scratch: energies of springs and charges, with one of their bodies (body_count)
    crm_vec6 *joint_impulse; // scratch: impulses of joints (joint_count)
    crm_vec6 *reaction;      // those of the state, before the step (joint_count)
    crm_step_problem problem;
    int first_group, first_row;                    // of contacts: those of joints come before
    CRM_ARRAY(double) velocity;                    // of all nodes
    bool warm;                                     // its impulses are a guess
    bool closing;                                  // it is of displacements
    double *least_scale;                           // of a node: what its island is measured by at least (body_count)
    CRM_ARRAY(crm_island_verdict) verdict, better; // of a group: what became of its island; by another solution
    CRM_ARRAY(bool) left;                          // of a group: its island is not solved again
    double work, work_allowed;                     // units that the step has taken so far, and that it may take
    // Impacts.
    crm_dcr_moment moment;      // when they happen
    CRM_ARRAY(bool) aside;      // of a contact: it has no part in them; empty: all have
    CRM_ARRAY(int) hits;        // contacts that take part in one impact
    CRM_ARRAY(double) stop;     // impulse that stops each of them without friction, N s
    CRM_ARRAY(double) bounce;   // and that of restitution, N s
    CRM_ARRAY(double) friction; // coefficient that its cone is solved with
    CRM_ARRAY(double) total;    // three for each contact: impulses of all impacts of the step, N s
} crm_dcr;

// ---- dcr_problem.c

// Velocities of all bodies by the momenta in `motions`, at the poses of state->next.
void crm_dcr_twists(const crm_dcr *dcr, const crm_motion *motions, crm_vec6 *twist);
// Relative velocity along normal and tangents with these twists.
void crm_dcr_contact_velocity(const crm_dcr *dcr, const crm_contact_site *site, const crm_vec6 *twist, double u[3]);

// Allows a step what its contacts, which were just found, and its joints may take: the largest of all of them.
void crm_dcr_allow_work(crm_dcr *dcr);
// Nothing is left but what the last impact takes: no more than that is to be solved.
bool crm_dcr_is_spent(const crm_dcr *dcr);

// Begins a problem at state->next with these velocities, or displacements, and the rows of joints; `close`: with
// offsets that close them; `warm`: the solver starts from the joints' impulses in the last problem, and from those that
// contacts are added with. False: no memory.
bool crm_dcr_problem_begin(crm_dcr *dcr, const crm_vec6 *free, bool close, bool warm);
// Offsets and a guess of the impulse along normal and tangents, of which those without friction have none.
bool crm_dcr_problem_add(crm_dcr *dcr, const crm_contact_site *site, double friction, const double offset[3],
                         const double start[3]);
// Adds weight |change + gradient . d| to what displacements d minimise (body_count): a row whose impulse is bounded.
bool crm_dcr_problem_add_potential(crm_dcr *dcr, const crm_vec6 *gradient, double change, double weight);
// Finds impulses and velocities, and adds to the report.
carom_status crm_dcr_problem_solve(crm_dcr *dcr, carom_solve_report *solved, carom_step_report *report,
                                   carom_error *error);
// What velocities of a group may be wrong by, m/s.
double crm_dcr_noise(const crm_dcr *dcr, int group);
// Velocities of all bodies of the solution.
void crm_dcr_problem_twists(const crm_dcr *dcr, crm_vec6 *twist);

// ---- dcr_flight.c

// Flights of all bodies from state->motions to dcr->made.
void crm_dcr_take_off(crm_dcr *dcr);
// The way of a body from where its flight began to a time of the step: its impulses, which act in the middle of parts
// of the way, go to flight->pushed, and the work of discrete forces to the ledger.
void crm_dcr_tell_flight(crm_dcr *dcr, int body, double until);
// Where a body is at a time of the step, s.
void crm_dcr_fly(const crm_dcr *dcr, int body, double time, crm_motion *to);
// When two bodies that overlap where their flights end come to touch each other, s; INFINITY: not on the way, as they
// touched at its start and do not approach there.
double crm_dcr_touch_time(const crm_dcr *dcr, int a, int b);
// Whether two bodies touched where the later one of their flights began.
bool crm_dcr_lasts(const crm_dcr *dcr, int a, int b);
// By how much b's point of a contact at state->next has moved against a's since the flights began, along the tangents.
void crm_dcr_slip(const crm_dcr *dcr, const crm_contact_site *site, double slip[2]);

// ---- dcr_touch.c

// Adds an impulse at a place to what pushed a body.
void crm_dcr_push(crm_dcr *dcr, int body, carom_vec3 place, crm_vec6 impulse);
// Hits bodies that come to touch each other where they do so: dcr->made and state->next are where the step ends
// then, with the contacts there.
carom_status crm_dcr_hit_touches(crm_dcr *dcr, carom_step_report *report, carom_error *error);

// ---- dcr_project.c

// Contacts at state->next.
carom_status crm_dcr_detect(crm_dcr *dcr, carom_error *error);

// Of gravity, springs and charges, J.
double crm_dcr_potential(const crm_dcr *dcr, const crm_motion *motions);
// Moves state->next, where contacts are known, to the closest poses without overlap. *touched: there was an overlap.
// Momenta stay as they are.
carom_status crm_dcr_project(crm_dcr *dcr, bool *touched, carom_step_report *report, carom_error *error);

// ---- dcr_lift.c

// Which bodies hang together, and on what.
void crm_dcr_find_trees(const carom_model *model, crm_dcr_tree *trees, int *tree);
// Carries the momenta from the poses in dcr->made to those of state->next; dcr->lift says what was done to them. False:
// the masses are singular.
bool crm_dcr_lift(crm_dcr *dcr);

// ---- dcr_balance.c

// What joints do where they make `projected` of `p` at state->next, where dcr->space is: to reactions and impulses.
void crm_dcr_add_joints(crm_dcr *dcr, const crm_vec6 *p, const crm_vec6 *projected);
// What projection and lift have done to the angular momentum about the origin.
carom_vec3 crm_dcr_projection_momentum(const crm_dcr *dcr);
// Fills state->impulse and impulse_size, and adds what impacts did to joints to the reactions.
void crm_dcr_balance(crm_dcr *dcr);

// ---- dcr_cluster.c

// Gives clusters at state->next the angular momentum and the kinetic energy that they had at dcr->made; dcr->lift says
// what was done.
void crm_dcr_restore(crm_dcr *dcr);

// ---- dcr_impact.c

// Lets the momenta jump at contacts that touch and approach each other; adds the impulses to dcr->jump.
carom_status crm_dcr_impact(crm_dcr *dcr, crm_dcr_moment moment, carom_step_report *report, carom_error *error);
// Whether the two approach each other with the velocities in dcr->twist, beyond roundings.
bool crm_dcr_approaches(const crm_dcr *dcr, int contact);
// Gives an impulse along normal and tangents to both bodies of a contact.
void crm_dcr_give(crm_dcr *dcr, int contact, const double impulse[3]);

// ---- dcr_work.c

// Lines of the energy ledger: what the way from dcr->made to state->next has added; what impacts have.
void crm_dcr_add_projection_work(crm_dcr *dcr);
void crm_dcr_add_impact_work(crm_dcr *dcr);

// ---- dcr_single.c

// Takes contacts that are hit and share no moving body and no tree with another one from the list, and gives the
// impulses of those that approach; `elastic`: with restitution.
void crm_dcr_resolve_singles(crm_dcr *dcr, bool elastic, carom_step_report *report);

// ---- dcr.c

// A ball about its centre of mass.
bool crm_dcr_is_ball(const crm_dcr *dcr, int body);
// Adds a contact that touches to the table, with the velocities in dcr->twist. False: no memory.
bool crm_dcr_keep_contact(crm_dcr *dcr, int contact);

// Overlaps up to this, relative to the size of the smaller body, are none.
#define CRM_DCR_OVERLAP 1e-12
// A contact this far apart, relative to the size of the smaller body, touches.
#define CRM_DCR_TOUCH 1e-9

#endif
