// SPDX-License-Identifier: MIT
// Flexible bodies as `check`, `run` and `info` list them: one line each, whatever the number of nodes.
#ifndef CLI_FLEXIBLE_LIST_H
#define CLI_FLEXIBLE_LIST_H

#include <stdio.h>

#include "base/json.h"
#include "carom/record.h"

// What is known of one. Mesh and name belong to the model, or to the recording of the list.
typedef struct flexible_item {
    const char *name;
    const carom_mesh *mesh;
    carom_elastic_def elastic;
    carom_vec3 *start; // where its nodes begin, m
    int32_t *fixed;    // nodes that never move (fixed_count)
    int fixed_count;
    double stable_step; // the longest explicit one there, s; INFINITY where nothing can swing, NAN where none was found
} flexible_item;

typedef struct flexible_list {
    flexible_item *item;
    int count, nodes;           // nodes of all
    carom_recording *recording; // whose they are, open as long as the list is there, or NULL
} flexible_list;

// The exit code, after a sentence if it is not EXIT_GOOD. Free the list in any case.
int list_model_flexible(const carom_model *model, flexible_list *out);
int list_recorded_flexible(const char *path, flexible_list *out);
void free_flexible(flexible_list *list);

// A line for each, and one for those that follow each other and are alike, with `indent` and `label` before it.
void print_flexible(FILE *to, const char *indent, const char *label, const flexible_list *list);

// The list `flexible`, an object for each.
void put_flexible(jsonl_writer *json, const flexible_list *list);

#endif
