// SPDX-License-Identifier: MIT
// The contact potential V = C/2 t^2 of every two bodies that overlap, t < 0 the value of their centre ray with a beta
// that moves with the centres, so that both momentum maps are kept (docs/math.md 3.5, 10.5).
//
// t has kinks: where the deepest corner changes, two smooth *pieces* are equally deep, and the force that a step needs
// may be any mean of theirs. A piece is the plane through three vertices of the difference of two polytopes, or a
// vertex over a half-space, and is followed beyond where it is t itself.
//
// Of compounds t is that of the deepest pair of parts; or, on request, every two parts have a V of their own ([S]
// (3.39)).
#ifndef CRM_STEP_OVERLAP_H
#define CRM_STEP_OVERLAP_H

#include "step/contacts/contact_step.h"

// Two bodies that may touch in the step, and what the ray finds of them.
typedef struct crm_overlap_pair {
    int a, b;           // bodies
    int part_a, part_b; // of compounds, where all parts count; -1: the whole
    double stiffness;   // C, N/m
    carom_distance_cache cache;
    carom_ray_witness ray;
} crm_overlap_pair;

// The value of a piece, and how it changes with small motions of both bodies about their centres of mass.
typedef struct crm_piece {
    int pair;
    bool followed;    // false: what the ray itself finds
    int vertex[3][2]; // of a followed one: of the triangle, or of the body over a half-space in [0][0]
    double value;     // m
    crm_vec6 row_a, row_b;
    double impulse; // of the step along the rows, N s
} crm_piece;

typedef CRM_ARRAY(crm_piece) crm_piece_list;

typedef struct crm_overlap {
    crm_contact_step found;
    CRM_ARRAY(crm_overlap_pair) pairs;
    crm_piece_list pieces; // in the order of pairs, at least one of each
    crm_piece_list former; // those of the last evaluation
} crm_overlap;

carom_status crm_overlap_create(carom_state *state, crm_overlap *overlap, carom_error *error);
void crm_overlap_release(const carom_state *state, crm_overlap *overlap);

// Lists the pairs, of bodies or of all their parts, that can touch while bodies move on like `ahead` for one step.
carom_status crm_overlap_find_pairs(const carom_state *state, const crm_motion *ahead, crm_overlap *overlap,
                                    carom_error *error);

// Casts the rays of all pairs at the poses of `motions`; each pair gets what its ray finds as its piece. Where
// `remember`, it gets corners and triangles instead, those of the last evaluations followed to these poses as long as
// they are no deeper than the ray.
carom_status crm_overlap_evaluate(const carom_state *state, const crm_motion *motions, bool remember,
                                  crm_overlap *overlap, carom_error *error);

// Adds impulse times row of every piece to bodies (body_count), as far as their kinds admit it.
void crm_overlap_add_impulses(const carom_model *model, const crm_overlap *overlap, crm_vec6 *impulse);

// Sum of V over the pairs as the rays of the last evaluation found them.
double crm_overlap_energy_found(const crm_overlap *overlap);

// Sum of V over all pairs, by a search through all of them.
double crm_overlap_energy(const carom_state *state, const crm_motion *motions, double *of_body, size_t stride);

// The certificate's share and the table of contacts, by the pairs' rays and impulses of pieces.
bool crm_overlap_read_out(carom_state *state, const crm_motion *motions, crm_overlap *overlap,
                          carom_step_report *report);

// A body's shape, or that of a part of it, where the body is.
carom_view crm_overlap_view(const carom_model *model, int body, int part, const crm_motion *motion);
// What of a body counts by itself: parts 0 ... `last`, or the whole, -1 ... -1.
int crm_overlap_first_part(const carom_state *state, int body);
int crm_overlap_last_part(const carom_state *state, int body);

// ---- stiffness.c

// C of two bodies, N/m: the one that is given, or the stiffest that the step resolves; of a body the most that it has
// with any other.
double crm_pair_stiffness(const carom_state *state, int a, int b);
double crm_body_stiffness(const carom_state *state, int body);
// The same of what has these inverse masses, 1/kg: of pieces of flexible bodies those of their lightest nodes, a corner
// of which is in some contacts at a time.
double crm_stiffness_of_masses(const carom_state *state, double inverse_a, double inverse_b);
// A sentence when the proposed ones let two bodies sink in by more than is allowed.
carom_status crm_stiffness_check(const carom_state *state, carom_error *error);

#endif
