// SPDX-License-Identifier: MIT
// The kinds of problem files, each with its reader. problem_load.c chooses one.
//
// file/ is what carom_problem_read and carom_problem_write need: JSON enters, checked problems leave, and the other way
// round.
#ifndef CRM_SOLVE_PROBLEM_KINDS_H
#define CRM_SOLVE_PROBLEM_KINDS_H

#include "solve/file/problem_reader.h"

// The groups, from "groups" or from "dim", "nc" and "mu". Gives the number of rows.
int crm_read_groups(crm_reader *in, const json_t *root, carom_problem *problem);

// What follows the groups, which have `rows` rows.
void crm_read_local(crm_reader *in, const json_t *root, int rows, carom_problem *problem);
void crm_read_global(crm_reader *in, const json_t *root, int rows, carom_problem *problem);
void crm_read_bodies(crm_reader *in, const json_t *root, int rows, carom_problem *problem);

// A dense complementarity problem: "M" as a list of rows, and "q".
carom_dense_lcp *crm_read_dense_lcp(crm_reader *in, const json_t *root);

#endif
