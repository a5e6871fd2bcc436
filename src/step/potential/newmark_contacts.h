// SPDX-License-Identifier: MIT
// Contacts of Newmark's family (docs/math.md 10.10). A pair has one force at each node, f_k and f_k+1, and acts along
// the row of the start with what comes before the motion, along the row of the end with what comes after:
//   B += G_k^T   h ((1/2 - beta) f_k + beta f_k+1),
//   T - B += G_k+1^T h ((1/2 - gamma + beta) f_k + (gamma - beta) f_k+1)
// Either is an impulse between two bodies where they are, so that both momenta are kept. f_k+1 is unknown; it is
// continuous where the row jumps from corner to corner, as t is.
//
// Implicit contacts have one force over the step, half of it at each end, by which V changes as it does:
//   f = -(V(t_k+1) - V(t_k)) / (t_k+1 - t_k).
// What it takes from or gives to a motion along the row is the change of V, at any step and any stiffness. Damping is
// against the mean rate of the overlap then.
//
// Forces are laws f = phi(t) that fall as t grows, steeply, and by a jump where damping begins with the touch. With a,
// the compliance, y = f - t/a is known of a tried f, and the f for which f = phi(a (f - y)) is single and goes with y
// by no more than that: f minus it is what Newton's method makes zero.
#ifndef CRM_STEP_NEWMARK_CONTACTS_H
#define CRM_STEP_NEWMARK_CONTACTS_H

#include "step/potential/overlap.h"

// Of a pair, by the same number. Forces: N, with damping, which never pulls.
typedef struct crm_newmark_contact {
    crm_vec6 row_a, row_b;              // at the start
    double value;                       // t there, m
    double first, first_damped;         // force there, and the share of damping; of implicit contacts 0
    double force, trial;                // f_k+1, or that of the step: taken, and tried
    double compliance;                  // how far t at the end goes with it by the motion of its own two bodies, m/N
    double found, found_damped;         // what it is at the end of the step
    double by_force, by_value, by_rate; // how that changes with the tried force, with t and its rate
} crm_newmark_contact;

typedef CRM_ARRAY(crm_newmark_contact) crm_newmark_contact_list;

// What of the forces at both nodes acts at either end of a step, s.
typedef struct crm_newmark_shares {
    double before_first, before_last; // along the row of the start
    double after_first, after_last;   // along that of the end
} crm_newmark_shares;

crm_newmark_shares crm_newmark_contact_shares(const carom_state *state);

// From the pieces that the rays have found at the start of the step, one of each pair.
bool crm_newmark_contacts_begin(const carom_state *state, const crm_overlap *overlap, crm_newmark_contact_list *list);

// Impulses of the tried forces before the motion; after it, with rows at its end; what of both is damping.
void crm_newmark_contacts_push(const carom_state *state, const crm_overlap *overlap,
                               const crm_newmark_contact_list *list, crm_vec6 *before);
void crm_newmark_contacts_push_after(const carom_state *state, const crm_overlap *overlap,
                                     const crm_newmark_contact_list *list, crm_vec6 *after);
void crm_newmark_contacts_damp(const carom_state *state, const crm_overlap *overlap,
                               const crm_newmark_contact_list *list, crm_vec6 *damped);

// Fills what is found at state->next.
void crm_newmark_contacts_find(const carom_state *state, const crm_overlap *overlap, crm_newmark_contact_list *list);

// How fast a piece's value changes with these twists of its bodies.
static inline double crm_newmark_piece_rate(const crm_overlap_pair *pair, const crm_piece *piece,
                                            const crm_vec6 *twist) {
    return crm_vec6_dot(piece->row_a, twist[pair->a]) + crm_vec6_dot(piece->row_b, twist[pair->b]);
}

// The same with the motions of both bodies.
double crm_newmark_rate_of(const carom_model *model, const crm_overlap_pair *pair, const crm_piece *piece,
                           const crm_motion *motions);

// Adds an impulse along two rows, as far as the bodies' kinds admit it.
void crm_newmark_push_pair(const carom_model *model, const crm_overlap_pair *pair, const crm_vec6 *row_a,
                           const crm_vec6 *row_b, double impulse, crm_vec6 *to);

#endif
