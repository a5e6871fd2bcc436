// SPDX-License-Identifier: MIT
// `lcp` on models with flexible bodies (docs/math.md 15.8): the rows of lcp_problem.c, and those of surfaces, on masses
// that have the stiffness of elements in them.
//
// The room flexible/: a problem that was built enters, with what elements are (step/flex/flex_implicit.h); impulses and
// velocities leave. Called by lcp.c and lcp_memory.c.
#ifndef CRM_STEP_LCP_FLEX_H
#define CRM_STEP_LCP_FLEX_H

#include "step/flex/flex_implicit.h"
#include "step/flex/surface/flex_surface.h"
#include "step/lcp/lcp.h"

// Of models with flexible bodies; vectors are of nodes.
struct crm_lcp_flex {
    crm_flex_implicit bodies;
    crm_flex_surfaces surfaces;       // their contacts, beside those of nodes with shapes
    carom_vec3 *pushed;               // impulse that a node's contact with a surface began from; kept with the state
    carom_vec3 *v, *trial, *next;     // velocities: reached, tried, those that an iteration leads to
    carom_vec3 *r, *r_trial, *r_next; // impulses of rows, likewise
    bool *touched;                    // a row acts on it
    int *coupled;                     // of a node of the problem: among these, or -1
    double *velocity;                 // of the problem's nodes
    crm_flex_sums sums;               // at the end
    bool whole;                       // the last iteration went all its way
    double contact_residual;
    double *scale;        // of a node of the problem: what residuals of its island are relative to, m/s (body_count)
    double deviation;     // of nodes' velocities from those that the laws of contact hold for, relative to that
    double impulse_place; // after which share of their way impulses act on nodes
    int halvings;         // in this step
    int factorizations;   // before it
};

// ---- lcp_flex.c

carom_status crm_lcp_flex_create(carom_state *state, crm_lcp *lcp, carom_error *error);
void crm_lcp_flex_destroy(crm_lcp *lcp);
// What their steps are solved to.
double crm_lcp_flex_tolerance(const carom_lcp_def *def);
// A step begins: lcp->motion has the impulses of all other forces.
carom_status crm_lcp_flex_begin(carom_state *state, crm_lcp *lcp, carom_error *error);
// Solves the problem that was built, from its impulses; `again`: and from the velocities found last.
carom_status crm_lcp_flex_solve(const carom_state *state, crm_lcp *lcp, bool again, carom_step_report *report,
                                carom_error *error);
// What nodes are to gain beyond the momenta in state->next, into lcp->motion.change.
void crm_lcp_flex_changes(const carom_state *state, crm_lcp *lcp);
// Residual and work; impulses of the step are then those from outside of what nothing holds.
void crm_lcp_flex_read_out(carom_state *state, crm_lcp *lcp, carom_step_report *report);

// ---- lcp_flex_theta.c: steps with theta below 1

// Refuses such a theta for models that it is not for; also without flexible bodies.
carom_status crm_lcp_check_theta(const carom_state *state, double theta, carom_error *error);
// The moments by which impulses of contacts act elsewhere than where nodes have them, while these go their way with v.
void crm_lcp_flex_find_shifts(const carom_model *model, crm_lcp *lcp, const carom_vec3 *v);
// Nodes at the end of their way, once momenta have moved everything.
void crm_lcp_flex_place(carom_state *state, crm_lcp *lcp);
// lcp->velocity and lcp->motion.free as the laws of rows have them: by which nodes go their way.
void crm_lcp_flex_row_velocities(crm_lcp *lcp);

// ---- lcp_flex_work.c

// Work of contacts of nodes, of elements, and what the integrator takes, to the ledger; motions are in state->next.
void crm_lcp_flex_tell_work(carom_state *state, crm_lcp *lcp);

// ---- lcp_flex_surfaces.c: rows of contacts of surfaces

// Adds their groups behind those of shapes, in lcp->general. False: no memory.
bool crm_lcp_flex_add_surfaces(const carom_state *state, crm_lcp *lcp);
// Takes their impulses over from there.
void crm_lcp_flex_take_surfaces(crm_lcp *lcp);
// Takes away friction along with slips above what they may be wrong by, by the twists of all bodies; true when there
// was any.
bool crm_lcp_flex_drop_friction(const carom_state *state, crm_lcp *lcp, const crm_vec6 *twist);
// Adds their impulses to wrench[body], about the centres of mass.
void crm_lcp_flex_add_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench);
// Their lines in the table of contacts. False: no memory.
bool crm_lcp_flex_read_contacts(carom_state *state, crm_lcp *lcp, carom_step_report *report);

#endif
