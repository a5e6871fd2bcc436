// SPDX-License-Identifier: MIT
// What the sets of flexible bodies share: their meshes, materials and tolerances.
//
// The room flex/: cases of the sets flex_* enter, verdicts leave, by carom/mesh.h and carom/flex.h alone.
#ifndef VERIFY_FLEX_H
#define VERIFY_FLEX_H

#include "base/arena.h"
#include "carom/mesh.h"
#include "verify/checker.h"

// The mesh of `input`: `nodes` and `tets`, or one element of all nodes. NULL when something is wrong.
carom_mesh *crm_flex_read_mesh(crm_reference *reference, const json_t *input, const carom_allocator *allocator,
                               crm_arena *arena);

// `material`, `lambda`, `mu` and, where it is there, `density`.
carom_elastic_def crm_flex_read_elastic(crm_reference *reference, const json_t *input);

// The list `key` of numbers of nodes, of which there are so many; NULL and 0 when something is wrong, or when the list
// is empty.
const int32_t *crm_flex_read_nodes(crm_reference *reference, const json_t *object, const char *where, const char *key,
                                   int node_count, crm_arena *arena, int *count);

// The list `key` of so many points; NULL when something is wrong.
const carom_vec3 *crm_flex_read_points(crm_reference *reference, const json_t *object, const char *where,
                                       const char *key, int count, crm_arena *arena);

// The number that a tolerance is or begins with, such as 1e-12 of "1e-12 of (lambda+2mu) volume".
double crm_flex_tolerance(crm_reference *reference, const crm_case *what, const char *key);

// The largest component of all differences, over `scale`; infinite where something is no number.
double crm_flex_difference(int count, const carom_vec3 *got, const carom_vec3 *wanted, double scale);

#endif
