// SPDX-License-Identifier: MIT
// Stored cases: a selection in tests/data, all of them in the directory that CAROM_REFERENCE names.
#ifndef TEST_REFERENCE_ORACLE_H
#define TEST_REFERENCE_ORACLE_H

#include <jansson.h>
#include <stdbool.h>

typedef struct oracle_case {
    const char *id;
    json_t *input, *expected;
} oracle_case;

// Fails the running test when the file cannot be read. Free with json_decref.
json_t *oracle_open(const char *file);
int oracle_count(const json_t *oracle);
oracle_case oracle_at(const json_t *oracle, int index);
double oracle_tolerance(const json_t *oracle, const char *name);

// `name` of an object; a missing one is NAN, false, "" or nothing.
bool oracle_has(const json_t *object, const char *name); // there, and not null
double oracle_number(const json_t *object, const char *name);
bool oracle_bool(const json_t *object, const char *name);
const char *oracle_text(const json_t *object, const char *name);

// Numbers of a list, or of a list of lists one after the other. Gives how many there are, at most `most` are written.
int oracle_numbers(const json_t *object, const char *name, double *values, int most);

// Largest |got - wanted| over a list; NAN when the list does not have `count` numbers.
double oracle_gap(const json_t *object, const char *name, const double *got, int count);

#endif
