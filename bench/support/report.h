// SPDX-License-Identifier: MIT
// One line per measured case: carom's figure, the peer's, their ratio, the target, both errors.
#ifndef BENCH_SUPPORT_REPORT_H
#define BENCH_SUPPORT_REPORT_H

#include <stdbool.h>

typedef enum bench_target {
    BENCH_NO_TARGET,
    BENCH_RATIO_AT_LEAST, // peer_value / carom >= target
    BENCH_VALUE_AT_MOST,  // carom <= target, in the row's unit
} bench_target;

// NaN stands for "does not apply" in every number. All values are better when smaller.
typedef struct bench_row {
    const char *bench;
    const char *name;
    double carom;
    const char *peer; // NULL when there is none
    double peer_value;
    const char *unit;
    bench_target target_kind;
    double target;
    double error;
    double peer_error;
} bench_row;

// A row with every number that does not apply; fill in the rest.
bench_row bench_row_of(const char *bench, const char *name, const char *unit);

// A missing peer is never a win: with a ratio as target and no peer value the target is not met.
bool bench_row_met(const bench_row *row);

// Whether the option is on the command line; takes it away.
bool bench_take_option(int *argc, char **argv, const char *option);

// Reads --json from the command line; exits with a sentence on anything else.
bool bench_wants_json(int argc, char **argv);

void bench_print_heading(bool json, const char *title);
void bench_print_row(bool json, const bench_row *row);

#endif
