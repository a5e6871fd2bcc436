// SPDX-License-Identifier: MIT
// Bodies that start inside each other: found, named, and moved apart before the first step.
//
// Overlaps that a method would undo within a step leave the speed depth / step behind. Here poses are moved by
//
//   minimise 1/2 d^T M d   subject to gap + J d >= 0 and joints closed, within their limits      (docs/math.md 10.8)
//
// in the metric of the masses M, gaps and joints linear about the last poses, until nothing overlaps: velocities stay
// as they are, and no energy but that of the poses themselves has changed. The centre of mass of what touches nothing
// fixed stays where it is, as rows push with equal and opposite forces.
//
//   enters    state->motions with closed joints, model->start_overlaps
//   leaves    state->motions, state->start (carom_start_report)
//   callers   carom_state_create
#ifndef CRM_STEP_START_H
#define CRM_STEP_START_H

#include "step/contacts/step_problem.h"

// Of the smaller body's size: overlaps that are named and undone.
#define CRM_START_OVERLAPPING 1e-6

// What is known of the poses that a state starts from.
typedef struct crm_start {
    carom_state *state;
    const carom_model *model;
    crm_arena arena;
    carom_contact_set *set;
    carom_proxy *proxies;    // (proxy_count)
    int proxy_count;         // 0: nothing can overlap
    crm_contact_sites sites; // of all contacts within the margins of the last detection
} crm_start;

// The deepest overlap of a list of sites, as a share of the smaller body's size.
typedef struct crm_deepest {
    double share;  // 0: nothing overlaps
    double depth;  // of that pair, m
    int a, b;      // bodies; -1
    int64_t pairs; // that overlap by more than was asked about
} crm_deepest;

// ---- start_overlaps.c

// Does what the model's `start_overlaps` says; with methods without contact (`touches` false) overlaps are named only.
carom_status crm_start_overlaps(carom_state *state, bool touches, carom_error *error);

// ---- start_find.c

carom_status crm_start_create(carom_state *state, crm_start *start, carom_error *error);
void crm_start_release(crm_start *start);
// Contacts of bodies at `motions` that are no farther apart than the share `margin` of their sizes.
carom_status crm_start_find(crm_start *start, const crm_motion *motions, double margin, carom_error *error);
// Over pairs of bodies; those that overlap by no more than the share `least` are not counted.
crm_deepest crm_start_deepest(const crm_start *start, double least);

// ---- start_planar.c

// Gives pairs of the sites that cannot leave a plane a way apart in it.
void crm_start_keep_to_plane(crm_start *start, const crm_motion *motions);

// ---- start_project.c

// Moves state->motions apart, as far as it gets; `*rounds`: how many linear problems that took. `*left`: what still
// overlaps.
carom_status crm_start_project(crm_start *start, int *rounds, crm_deepest *left, carom_error *error);

// ---- start_crowds.c

// Many bodies in one place: the deepest pair of them and how many there are. `move`: puts them on a lattice.
carom_status crm_start_crowds(crm_start *start, crm_motion *motions, bool move, crm_deepest *found, carom_error *error);

#endif
