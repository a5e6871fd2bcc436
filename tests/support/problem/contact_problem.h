// SPDX-License-Identifier: MIT
// Contact problems for tests, piece by piece.
#ifndef TEST_SUPPORT_CONTACT_PROBLEM_H
#define TEST_SUPPORT_CONTACT_PROBLEM_H

#include "carom/solve.h"
#include "carom/types.h"
#include "support/harness/sample.h"

enum { PROBLEM_MOST = 600 }; // groups and nodes; twice as many entries

// `problem` is always complete; its arrays may be changed in place.
typedef struct contact_problem {
    carom_problem problem;
    int rows, velocities;
    carom_row_group groups[PROBLEM_MOST];
    double offset[PROBLEM_MOST * CAROM_GROUP_ROWS];
    double compliance[PROBLEM_MOST * CAROM_GROUP_ROWS];
    carom_problem_node nodes[PROBLEM_MOST];
    carom_entry entries[2 * PROBLEM_MOST];
    int *start, *column; // of delassus, when it has one
    double *value;
} contact_problem;

contact_problem *contact_problem_create(void); // CAROM_FORM_BODIES, empty
void contact_problem_destroy(contact_problem *p);

// Each gives the number of what was added. Offsets of new rows are zero.
int add_body(contact_problem *p, double mass, double inertia, carom_vec3 velocity, carom_vec3 spin);
int add_node(contact_problem *p, int size, const double *mass, const double *free);
int add_group(contact_problem *p, carom_row_group group);
void add_entry(contact_problem *p, int group, int node, const double *rows);

// A cone between two bodies: body b (levers from the centres of mass) moves along `normal` away from a. a < 0: ground.
int add_contact(contact_problem *p, int a, int b, carom_vec3 lever_a, carom_vec3 lever_b, carom_vec3 normal, double mu);

// The matrix, dense and by rows: W = H^T M^-1 H by elimination (rows x rows, to be freed).
double *dense_delassus(const carom_problem *problem);

// The same problem by W and q. Every entry is stored, also zeros.
contact_problem *as_delassus(const contact_problem *p);
// A problem by W and q alone, one group after the other.
contact_problem *delassus_problem(int rows, const double *w, const double *q);

// Bodies and groups of all laws, with compliance in some rows, each joined to one or two of the nodes.
contact_problem *random_problem(sampler *s, int nodes, int groups);

// A tower of boxes on the ground, four contacts in each gap, gravity over one step of 10 ms, masses in a geometric
// sequence of that ratio.
contact_problem *box_tower(int boxes, double mu, double ratio, carom_vec3 push);

#endif
