// SPDX-License-Identifier: MIT
// Values of a problem file, checked one by one.
//
// The first thing that is wrong fails the reading with its sentence; from then on every call gives nothing, so that
// callers check `status` once, before they use what they were given.
#ifndef CRM_SOLVE_PROBLEM_READER_H
#define CRM_SOLVE_PROBLEM_READER_H

#include <jansson.h>

#include "base/arena.h"
#include "carom/solve.h"

typedef struct crm_reader {
    const char *path;
    crm_arena *arena; // where everything that is read lives
    carom_error *error;
    carom_status status;
} crm_reader;

// CAROM_ERR_FILE, with the file's name before the sentence.
void crm_read_fail(crm_reader *in, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

// What has failed was for want of memory.
void crm_read_no_memory(crm_reader *in);

// Zeroed room for an array.
void *crm_read_room(crm_reader *in, size_t count, size_t size);

// The file as a tree, which the caller gives back with json_decref; NULL when it is none.
json_t *crm_read_tree(crm_reader *in);

// `where` says in sentences what the object is: "the file", "nodes[3]".
const json_t *crm_read_member(crm_reader *in, const json_t *object, const char *where, const char *key);

// `what` is the value's name in sentences. `most` is the largest number that may be.
int crm_read_index(crm_reader *in, const json_t *value, const char *what, int most);
double crm_read_number(crm_reader *in, const json_t *value, const char *what);

// Lists. `count` < 0 takes any length and gives it back through `found`, which may be NULL otherwise.
const double *crm_read_numbers(crm_reader *in, const json_t *list, const char *what, int count, int *found);
const int *crm_read_indices(crm_reader *in, const json_t *list, const char *what, int most, int *found);

#endif
