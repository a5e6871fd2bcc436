// SPDX-License-Identifier: MIT
// Reading fields of a reference file. The first field that is missing or of the wrong kind fails the reading with a
// sentence that names file, case and field; from then on every call returns zeros, so that callers check once.
#ifndef VERIFY_REFERENCE_FILE_H
#define VERIFY_REFERENCE_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"
#include "carom/types.h"
#include "verify/field_list.h"

typedef struct crm_reference {
    const char *path;
    const char *id; // of the case that is read, or NULL
    carom_error *error;
    carom_status status;    // CAROM_OK until something is wrong
    crm_field_list *fields; // marks of what is read of the case that is read; NULL between cases
} crm_reference;

// The file's tree, for json_decref; NULL, with a failed reading, when it cannot be opened or is not JSON.
json_t *crm_reference_load(crm_reference *reference);

// Fails the reading, unless it has failed already.
void crm_reference_fail(crm_reference *reference, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

// The same with the sentence of a call that refused what the file says, or that had no memory.
void crm_reference_refuse(crm_reference *reference, const carom_error *error);

// ... and for a lack of memory for `what`.
void crm_reference_refuse_memory(crm_reference *reference, const char *what, size_t bytes);

// A member that is there and not null: expected values may be absent.
bool crm_reference_has(const json_t *object, const char *key);

// The member, which counts as read; NULL where it is absent or null.
const json_t *crm_reference_optional(crm_reference *reference, const json_t *object, const char *key);

// `where` says which object it is, for the sentence: "input.bodies[0]". An object that is NULL fails too.
const json_t *crm_reference_object(crm_reference *reference, const json_t *object, const char *where, const char *key);
const json_t *crm_reference_array(crm_reference *reference, const json_t *object, const char *where, const char *key);
const char *crm_reference_text(crm_reference *reference, const json_t *object, const char *where, const char *key);
bool crm_reference_bool(crm_reference *reference, const json_t *object, const char *where, const char *key);
double crm_reference_positive(crm_reference *reference, const json_t *object, const char *where, const char *key);
double crm_reference_number(crm_reference *reference, const json_t *object, const char *where, const char *key);
carom_vec3 crm_reference_vec3(crm_reference *reference, const json_t *object, const char *where, const char *key);
// Entry `index` of an array that `where` names.
carom_vec3 crm_reference_vec3_at(crm_reference *reference, const json_t *array, const char *where, size_t index);
carom_quat crm_reference_quat(crm_reference *reference, const json_t *object, const char *where, const char *key);
carom_mat3 crm_reference_mat3(crm_reference *reference, const json_t *object, const char *where, const char *key);

// Lists, on the arena; NULL and a count of 0 when something is wrong.
const double *crm_reference_numbers(crm_reference *reference, const json_t *object, const char *where, const char *key,
                                    crm_arena *arena, int *count);
const carom_vec3 *crm_reference_points(crm_reference *reference, const json_t *object, const char *where,
                                       const char *key, crm_arena *arena, int *count);

#endif
