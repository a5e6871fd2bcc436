// SPDX-License-Identifier: MIT
// Contact problems of rigid bodies for tests, piece by piece, and the same problems in the general form.
#ifndef TEST_SUPPORT_RIGID_HEAP_H
#define TEST_SUPPORT_RIGID_HEAP_H

#include "carom/solve.h"
#include "solve/rigid/rigid_problem.h"
#include "support/harness/sample.h"

typedef enum heap_kind { HEAP_FREE, HEAP_PLANAR, HEAP_POINT } heap_kind;

// `problem` is always complete; its arrays may be changed in place.
typedef struct rigid_heap {
    crm_rigid_problem problem;
    int capacity;
    heap_kind *kind; // of bodies
    crm_rigid_body *bodies;
    crm_rigid_contact *contacts;
    crm_rigid_block *blocks;
    int block_rows;
} rigid_heap;

rigid_heap *heap_create(int most); // so many bodies, contacts and blocks at most
void heap_destroy(rigid_heap *heap);
int heap_rows(const rigid_heap *heap);

// Each gives the number of what was added.
int heap_add_body(rigid_heap *heap, heap_kind kind, double mass, carom_vec3 moments, carom_quat attitude,
                  crm_vec6 free);
int heap_add_contact(rigid_heap *heap, int a, int b, carom_vec3 arm_a, carom_vec3 arm_b, carom_vec3 normal,
                     double friction);
// A ball joint (three rows), or any law on one row; arms from the centres of mass.
int heap_add_ball(rigid_heap *heap, int a, int b, carom_vec3 arm_a, carom_vec3 arm_b);
int heap_add_row(rigid_heap *heap, carom_law law, int a, int b, crm_vec6 on_a, crm_vec6 on_b, double lower,
                 double upper);

// Bodies of all kinds, contacts of all sorts between neighbours and with what cannot move, blocks of all laws.
rigid_heap *heap_random(sampler *s, int bodies, int contacts, int blocks);
// Columns of cubes on the ground, four contacts a face, gravity over a step of 10 ms, random pushes up to `push`.
rigid_heap *heap_towers(sampler *s, int columns, int height, double friction, double push);
// A wall of bricks, every other layer shifted by half of one.
rigid_heap *heap_wall(sampler *s, int wide, int high, double friction, double push);

// The same problem as carom/solve.h has it: contacts first, those without friction with one row.
typedef struct heap_general {
    carom_problem problem;
    int rows;
} heap_general;
heap_general *heap_as_general(const rigid_heap *heap);
void heap_general_destroy(heap_general *general);
// Impulses there and back.
void heap_to_general(const rigid_heap *heap, const double *impulse, double *general);
void heap_from_general(const rigid_heap *heap, const double *general, double *impulse);

#endif
