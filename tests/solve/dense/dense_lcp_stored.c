// SPDX-License-Identifier: MIT
// Stored complementarity problems, solver by solver: those of tests/data (all of them in the folder that
// CAROM_REFERENCE names), and test problems of others in the folder `lcp` of the one that CAROM_PROBLEMS names.
#include <dirent.h>
#include <stdlib.h>

#include "reference/motion/oracle.h"
#include "solve/dense/dense_lcp_check.h"

static const carom_solver solvers[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_LEMKE, CAROM_SOLVER_MIN_MAP};
static const char *const names[] = {"auto", "lemke", "min-map"};

// A matrix and an offset with room for them; false when the matrix is absent.
static bool read_lcp(const json_t *object, const char *matrix, carom_dense_lcp *lcp, double **a, double **q) {
    int n = oracle_numbers(object, "q", NULL, 0);
    const json_t *value = json_object_get(object, matrix);
    *a = calloc((size_t)n * (size_t)n + 1, sizeof **a);
    *q = calloc((size_t)n + 1, sizeof **q);
    CHECK(*a != NULL && *q != NULL);
    oracle_numbers(object, "q", *q, n);
    *lcp = (carom_dense_lcp){n, *a, *q};
    if (json_is_array(value)) return CHECK_INT(oracle_numbers(object, matrix, *a, n * n), n * n);
    const json_t *i = json_object_get(value, "i"), *j = json_object_get(value, "j"), *v = json_object_get(value, "v");
    for (size_t k = 0; k < json_array_size(v); k++) {
        int row = (int)json_integer_value(json_array_get(i, k)), column = (int)json_integer_value(json_array_get(j, k));
        (*a)[row * n + column] = json_number_value(json_array_get(v, k));
    }
    return json_is_object(value);
}

static void run_file(const char *file) {
    json_t *oracle = oracle_open(file);
    int counts[3] = {0}, solvable = 0;
    long long pivots[3] = {0}, steps[3] = {0};
    for (int k = 0; k < oracle_count(oracle); k++) {
        oracle_case entry = oracle_at(oracle, k);
        const char *status = oracle_text(entry.expected, "status");
        carom_dense_lcp lcp;
        double *a, *q, z[512], proof[512];
        if (read_lcp(entry.input, "A", &lcp, &a, &q) && CHECK(lcp.size <= 512)) {
            solvable += strcmp(status, "solvable") == 0;
            for (int s = 0; s < 3; s++) {
                carom_dense_lcp_report report = solved_by(&lcp, solvers[s], 1e-12, z, proof);
                bool solved = report.outcome == CAROM_DENSE_LCP_SOLVED, good = true;
                if (solved) good &= CHECK(lcp_residual(&lcp, z) <= 1e-12) & CHECK_TEXT(status, "solvable");
                if (report.outcome == CAROM_DENSE_LCP_INFEASIBLE)
                    good &= CHECK(proves_infeasible(&lcp, proof)) & CHECK_TEXT(status, "infeasible");
                if (report.outcome == CAROM_DENSE_LCP_UNSOLVABLE) good &= CHECK_TEXT(status, "unsolvable");
                if (s < 2) good &= CHECK((strcmp(status, "solvable") == 0) == solved);
                if (s < 2)
                    good &=
                        CHECK((strcmp(status, "infeasible") == 0) == (report.outcome == CAROM_DENSE_LCP_INFEASIBLE));
                if (s == 0)
                    good &=
                        CHECK((strcmp(status, "unsolvable") == 0) == (report.outcome == CAROM_DENSE_LCP_UNSOLVABLE));
                if (!good) fprintf(stderr, "%s by %s\n", entry.id, names[s]);
                counts[s] += solved;
                pivots[s] += report.pivots;
                steps[s] += report.steps;
            }
        }
        free(a);
        free(q);
    }
    for (int s = 0; s < 3; s++)
        printf("%s: %s solves %d of %d, %lld pivots, %lld Newton steps\n", file, names[s], counts[s], solvable,
               pivots[s], steps[s]);
    json_decref(oracle);
}

TEST(reference_problems) {
    run_file("lcp.json");
}

TEST(reference_contact_problems) {
    run_file("lcp_contact.json");
}

// Those that are given with a solution have one.
TEST(problems_of_others) {
    const char *root = getenv("CAROM_PROBLEMS");
    char path[4096];
    snprintf(path, sizeof path, "%.3000s/lcp", root != NULL ? root : "");
    DIR *folder = root != NULL ? opendir(path) : NULL;
    if (folder == NULL) {
        printf("CAROM_PROBLEMS names no folder with one named lcp: nothing to do\n");
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strstr(entry->d_name, ".json") == NULL) continue;
        snprintf(path, sizeof path, "%.3000s/lcp/%.255s", root, entry->d_name);
        json_t *tree = json_load_file(path, 0, NULL);
        carom_dense_lcp lcp;
        double *a = NULL, *q = NULL, z[512];
        if (CHECK(tree != NULL) && read_lcp(tree, "M", &lcp, &a, &q) && CHECK(lcp.size <= 512)) {
            for (int s = 0; s < 3; s++) {
                carom_dense_lcp_report report = solved_by(&lcp, solvers[s], 1e-12, z, NULL);
                printf("%-32s %3d %-8s %-10s residual %.1e pivots %d steps %d\n", entry->d_name, lcp.size, names[s],
                       carom_dense_lcp_outcome_name(report.outcome), lcp_residual(&lcp, z), report.pivots,
                       report.steps);
            }
            if (oracle_has(tree, "z")) check_solved(&lcp, CAROM_SOLVER_AUTO, 1e-12, z, entry->d_name);
        }
        free(a);
        free(q);
        json_decref(tree);
    }
    closedir(folder);
}

TEST_MAIN(CASE(reference_problems), CASE(reference_contact_problems), CASE(problems_of_others))
