// SPDX-License-Identifier: MIT
// The contact problems of a benchmark, each in a file of its own so that peers can read it too.
#ifndef BENCH_SUPPORT_CONTACT_CASES_H
#define BENCH_SUPPORT_CONTACT_CASES_H

#include <stdbool.h>

#include "carom/solve.h"
#include "support/siconos.h"

enum { BENCH_PATH_SIZE = 4096, BENCH_MOST_CASES = 256 };

typedef struct bench_contact_case {
    char *path;
    char name[48]; // of the file, without what follows its first dot
    carom_stored_problem *stored;
    double cold[BENCH_TOLERANCES], warm[BENCH_TOLERANCES]; // s; NaN where the tolerance was not met
    double ratio[BENCH_TOLERANCES];                        // peer to carom; NaN without a peer
} bench_contact_case;

typedef struct bench_contact_cases {
    bench_contact_case *cases[BENCH_MOST_CASES];
    int count;
} bench_contact_cases;

// False, with a sentence on the standard error, for a file that is no problem or none that is supported.
bool bench_add_file(bench_contact_cases *list, const char *path);
// The .json files of a folder, in order of the alphabet; those that are no problem are passed over.
void bench_add_folder(bench_contact_cases *list, const char *folder);
// Walls and a pile that the peer settled_ode makes once and that stay beside the benchmarks.
void bench_add_settled(bench_contact_cases *list);
void bench_free_cases(bench_contact_cases *list);

// A folder for files of this run, removed with them when the program ends.
const char *bench_scratch_folder(void);

#endif
