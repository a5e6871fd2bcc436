// SPDX-License-Identifier: MIT
// Problem files that list bodies and what touches them.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "solve/file/problem_kinds.h"

enum { WHERE_SIZE = 48 };

static void read_node(crm_reader *in, const json_t *object, size_t index, carom_problem_node *node) {
    char where[WHERE_SIZE], what[2 * WHERE_SIZE];
    int size = 0;
    snprintf(where, sizeof where, "nodes[%zu]", index);
    snprintf(what, sizeof what, "%s.free", where);
    const double *free = crm_read_numbers(in, crm_read_member(in, object, where, "free"), what, -1, &size);
    if (in->status == CAROM_OK && (size < 1 || size > CAROM_NODE_SIZE))
        crm_read_fail(in, "%s has %d numbers, must have 1 to %d", what, size, CAROM_NODE_SIZE);
    snprintf(what, sizeof what, "%s.mass", where);
    const double *mass = crm_read_numbers(in, crm_read_member(in, object, where, "mass"), what, size * size, NULL);
    if (in->status != CAROM_OK) return;
    node->size = size;
    memcpy(node->free, free, sizeof(double) * (size_t)size);
    memcpy(node->mass, mass, sizeof(double) * (size_t)(size * size));
}

static void read_entry(crm_reader *in, const json_t *object, size_t index, const carom_problem *problem,
                       carom_entry *entry) {
    char where[WHERE_SIZE], what[2 * WHERE_SIZE];
    snprintf(where, sizeof where, "entries[%zu]", index);
    snprintf(what, sizeof what, "%s.group", where);
    entry->group = crm_read_index(in, crm_read_member(in, object, where, "group"), what, problem->group_count - 1);
    snprintf(what, sizeof what, "%s.node", where);
    entry->node = crm_read_index(in, crm_read_member(in, object, where, "node"), what, problem->node_count - 1);
    if (in->status != CAROM_OK) return;
    int count = problem->groups[entry->group].rows * problem->nodes[entry->node].size;
    snprintf(what, sizeof what, "%s.rows", where);
    const double *rows = crm_read_numbers(in, crm_read_member(in, object, where, "rows"), what, count, NULL);
    if (in->status == CAROM_OK) memcpy(entry->rows, rows, sizeof(double) * (size_t)count);
}

static void read_coupling(crm_reader *in, const json_t *object, size_t index, const carom_problem *problem,
                          carom_coupling *coupling) {
    char where[WHERE_SIZE], what[2 * WHERE_SIZE];
    snprintf(where, sizeof where, "couplings[%zu]", index);
    snprintf(what, sizeof what, "%s.a", where);
    coupling->a = crm_read_index(in, crm_read_member(in, object, where, "a"), what, problem->node_count - 1);
    snprintf(what, sizeof what, "%s.b", where);
    coupling->b = crm_read_index(in, crm_read_member(in, object, where, "b"), what, problem->node_count - 1);
    if (in->status != CAROM_OK) return;
    int count = problem->nodes[coupling->a].size * problem->nodes[coupling->b].size;
    snprintf(what, sizeof what, "%s.block", where);
    const double *block = crm_read_numbers(in, crm_read_member(in, object, where, "block"), what, count, NULL);
    if (in->status == CAROM_OK) memcpy(coupling->block, block, sizeof(double) * (size_t)count);
}

// There need not be any.
static void read_couplings(crm_reader *in, const json_t *root, carom_problem *problem) {
    const json_t *list = json_object_get(root, "couplings");
    if (list == NULL || json_is_null(list) || in->status != CAROM_OK) return;
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > INT_MAX) crm_read_fail(in, "couplings must be a list");
    carom_coupling *couplings = crm_read_room(in, count, sizeof *couplings);
    for (size_t c = 0; c < count && in->status == CAROM_OK; c++)
        read_coupling(in, json_array_get(list, c), c, problem, &couplings[c]);
    problem->coupling_count = (int)count;
    problem->couplings = couplings;
}

void crm_read_bodies(crm_reader *in, const json_t *root, int rows, carom_problem *problem) {
    problem->form = CAROM_FORM_BODIES;
    problem->offset = crm_read_numbers(in, crm_read_member(in, root, "the file", "w"), "w", rows, NULL);
    const json_t *node_list = crm_read_member(in, root, "the file", "nodes");
    const json_t *entry_list = crm_read_member(in, root, "the file", "entries");
    size_t node_count = json_array_size(node_list), entry_count = json_array_size(entry_list);
    if (!json_is_array(node_list) || !json_is_array(entry_list) || node_count > INT_MAX || entry_count > INT_MAX)
        crm_read_fail(in, "nodes and entries must be lists");
    carom_problem_node *nodes = crm_read_room(in, node_count, sizeof *nodes);
    carom_entry *entries = crm_read_room(in, entry_count, sizeof *entries);
    for (size_t n = 0; n < node_count && in->status == CAROM_OK; n++)
        read_node(in, json_array_get(node_list, n), n, &nodes[n]);
    problem->node_count = (int)node_count;
    problem->nodes = nodes;
    for (size_t e = 0; e < entry_count && in->status == CAROM_OK; e++)
        read_entry(in, json_array_get(entry_list, e), e, problem, &entries[e]);
    problem->entry_count = (int)entry_count;
    problem->entries = entries;
    read_couplings(in, root, problem);
}
