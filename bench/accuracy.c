// SPDX-License-Identifier: MIT
// How exact gaps, centre rays and their gradients are: every pair of kinds of shapes, about 20 cm large, in thousands
// of random attitudes at a distance that is known in advance (tests/reference/posed/posed_pair.h). docs/accuracy.md
// explains it.
#include <math.h>
#include <stdio.h>

#include "reference/posed/accuracy_table.h"
#include "support/report.h"

enum { POSES = 2000 };

static const char *const measure_names[] = {[POSED_GAP] = "gap", [POSED_RAY] = "ray"};

static void print_rows(const char *pair, posed_measure measure, int placement, const accuracy_errors *errors) {
    for (int q = 0; q < ACCURACY_QUANTITIES; q++) {
        char name[128];
        snprintf(name, sizeof name, "%s: %s, %s, %s", measure_names[measure], pair, accuracy_placements[placement].name,
                 accuracy_quantities[measure][q]);
        bench_row row = bench_row_of("accuracy", name, "1");
        row.carom = row.error = errors->worst[q];
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = ACCURACY_BOUND;
        bench_print_row(true, &row);
    }
}

// As text the rows of one pair make one line.
static const int widths[ACCURACY_QUANTITIES] = {7, 7, 7, 9};

static void print_heading(posed_measure measure) {
    printf("\n%-24s", measure == POSED_GAP ? "gap" : "centre ray");
    for (int p = 0; p < ACCURACY_PLACEMENTS; p++) printf("%30s", accuracy_placements[p].name);
    printf("\n%-24s", "");
    for (int p = 0; p < ACCURACY_PLACEMENTS; p++)
        for (int q = 0; q < ACCURACY_QUANTITIES; q++) printf("%*s", widths[q], accuracy_quantities[measure][q]);
    printf("\n");
}

static void print_line(const char *pair, const accuracy_errors errors[ACCURACY_PLACEMENTS]) {
    bool met = true;
    printf("%-24s", pair);
    for (int p = 0; p < ACCURACY_PLACEMENTS; p++) {
        for (int q = 0; q < ACCURACY_QUANTITIES; q++) {
            printf("%*.0e", widths[q], errors[p].worst[q]);
            met &= errors[p].worst[q] <= ACCURACY_BOUND;
        }
    }
    printf("%s\n", met ? "" : "  MISSED");
    fflush(stdout);
}

static void run_pair(bool json, const accuracy_kind *first, const accuracy_kind *second, posed_measure measure,
                     int *passed_over) {
    accuracy_errors errors[ACCURACY_PLACEMENTS];
    char pair[64];
    snprintf(pair, sizeof pair, "%s, %s", first->name, second->name);
    for (int p = 0; p < ACCURACY_PLACEMENTS; p++) {
        errors[p] = accuracy_measure(first->shape[0], second->shape[1], measure, accuracy_placements[p].value, POSES,
                                     (uint64_t)p + 1);
        *passed_over += errors[p].passed_over;
        if (json) print_rows(pair, measure, p, &errors[p]);
    }
    if (!json) print_line(pair, errors);
}

// ---- ties

static void print_tie_row(const char *tie, posed_measure measure, const char *quantity, double value, double target) {
    char name[128];
    snprintf(name, sizeof name, "%s: %s, touching, %s", measure_names[measure], tie, quantity);
    bench_row row = bench_row_of("accuracy", name, "1");
    row.carom = row.error = value;
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = target;
    bench_print_row(true, &row);
}

static void run_ties(bool json, const accuracy_kind kinds[ACCURACY_KINDS]) {
    if (!json)
        printf("\n%-24s%14s%9s%9s%14s%9s%9s\n", "ties, touching", "gap", "proof", "broken", "ray: value", "proof",
               "broken");
    for (int tie = 0; tie < POSED_TIES; tie++) {
        bool met = true;
        if (!json) printf("%-24s", posed_tie_names[tie]);
        for (posed_measure m = POSED_GAP; m <= POSED_RAY; m++) {
            accuracy_tie_errors e = accuracy_measure_tie(kinds, tie, m, POSES, (uint64_t)tie + 1);
            met &= e.value <= ACCURACY_BOUND && e.proof <= ACCURACY_BOUND && e.broken == 0;
            if (json) {
                print_tie_row(posed_tie_names[tie], m, accuracy_quantities[m][0], e.value, ACCURACY_BOUND);
                print_tie_row(posed_tie_names[tie], m, "proof", e.proof, ACCURACY_BOUND);
                print_tie_row(posed_tie_names[tie], m, "broken gradients", e.broken, 0.0);
            } else {
                printf("%14.0e%9.0e%9d", e.value, e.proof, e.broken);
            }
        }
        if (!json) printf("%s\n", met ? "" : "  MISSED");
    }
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    accuracy_kind kinds[ACCURACY_KINDS];
    carom_error error;
    if (!accuracy_kinds_create(kinds, &error)) {
        fprintf(stderr, "carom: %s\n", error.text);
        return 3;
    }
    if (!json)
        printf("accuracy: largest errors of %d poses a column, of lengths as shares of %.1f m; target %.0e\n", POSES,
               ACCURACY_SIZE, ACCURACY_BOUND);
    int passed_over = 0;
    for (posed_measure measure = POSED_GAP; measure <= POSED_RAY; measure++) {
        if (!json) print_heading(measure);
        for (int i = 0; i < ACCURACY_KINDS; i++)
            for (int k = i; k < ACCURACY_KINDS; k++)
                if (accuracy_has(i, k, measure)) run_pair(json, &kinds[i], &kinds[k], measure, &passed_over);
    }
    run_ties(json, kinds);
    if (!json) printf("\n%d poses were passed over because there is a shorter way out than 2 mm.\n", passed_over);
    accuracy_kinds_destroy(kinds);
    return 0;
}
