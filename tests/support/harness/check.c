// SPDX-License-Identifier: MIT
#include "support/harness/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A run-away loop prints this many failures in full; the rest are only counted.
enum { FAILURES_PRINTED = 20 };

static int failures;

void check_begin(void) {
    failures = 0;
}

void check_end(void) {
    if (failures > 0) fail_msg("%d check(s) failed", failures);
}

static bool count_failure(const char *file, int line) {
    failures++;
    if (failures > FAILURES_PRINTED) return false;
    fprintf(stderr, "%s:%d: ", file, line);
    return true;
}

bool check_true(bool condition, const char *text, const char *file, int line) {
    if (!condition && count_failure(file, line)) fprintf(stderr, "does not hold: %s\n", text);
    return condition;
}

bool check_near(double got, double wanted, double tolerance, const char *text, const char *file, int line) {
    bool holds = fabs(got - wanted) <= tolerance;
    if (!holds && count_failure(file, line))
        fprintf(stderr, "%s is %.17g, wanted %.17g, off by %.3g, allowed %.3g\n", text, got, wanted, got - wanted,
                tolerance);
    return holds;
}

bool check_int(long long got, long long wanted, const char *text, const char *file, int line) {
    bool holds = got == wanted;
    if (!holds && count_failure(file, line)) fprintf(stderr, "%s is %lld, wanted %lld\n", text, got, wanted);
    return holds;
}

bool check_text(const char *got, const char *wanted, const char *text, const char *file, int line) {
    bool holds = strcmp(got, wanted) == 0;
    if (!holds && count_failure(file, line)) fprintf(stderr, "%s is\n  \"%s\"\nwanted\n  \"%s\"\n", text, got, wanted);
    return holds;
}

bool check_contains(const char *got, const char *part, const char *text, const char *file, int line) {
    bool holds = strstr(got, part) != NULL;
    if (!holds && count_failure(file, line))
        fprintf(stderr, "%s is\n  \"%s\"\nwhich does not contain\n  \"%s\"\n", text, got, part);
    return holds;
}

// With a case's name as argument runs that case alone; without, all of them.
int run_chosen_tests(const struct CMUnitTest *tests, size_t count, int argc, char **argv) {
    if (argc < 2) return _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (strcmp(tests[i].name, argv[1]) == 0) return _cmocka_run_group_tests(argv[1], &tests[i], 1, NULL, NULL);
    fprintf(stderr, "%s has no case named '%s'\n", argv[0], argv[1]);
    return 2;
}
