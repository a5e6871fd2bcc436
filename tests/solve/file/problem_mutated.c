// SPDX-License-Identifier: MIT
// Mutated problem files: each is read or refused with a sentence, what is read is solved or refused, and nothing
// crashes or leaks. The mutations depend on a seed alone; a failure prints the file that caused it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/solve.h"
#include "support/harness/bounded_allocator.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { LONGEST = 2000, MOST_BYTES = 32 * 1024 * 1024, ROUNDS = 1200 };

static const char *const seeds[] = {
    "{\"kind\":\"bodies\",\"groups\":[{\"law\":\"cone\",\"rows\":2,\"mu\":0.5},{\"law\":\"equality\",\"rows\":2},"
    "{\"law\":\"box\",\"lower\":-1,\"upper\":2},{\"law\":\"unilateral\"}],\"w\":[0,0,0.1,0,0,-1],"
    "\"compliance\":[0,0,0,0.1,0,0],\"reference\":{\"r\":[1,0,0,0,0,1]},"
    "\"nodes\":[{\"mass\":[2,0,0,2],\"free\":[-1,3]},{\"mass\":[1],\"free\":[1]}],\"entries\":["
    "{\"group\":0,\"node\":0,\"rows\":[1,0,0,1]},{\"group\":1,\"node\":0,\"rows\":[1,2,3,4]},"
    "{\"group\":1,\"node\":1,\"rows\":[1,1]},{\"group\":2,\"node\":1,\"rows\":[1]},{\"group\":3,\"node\":1,\"rows\":[1]"
    "}]}",
    "{\"kind\":\"local\",\"dim\":3,\"nc\":2,\"mu\":[0.3,1],\"q\":[-1,0,2,-1,0,0],\"W\":{\"m\":6,\"n\":6,"
    "\"p\":[0,2,3,4,6,7,8],\"i\":[0,3,1,2,0,3,4,5],\"x\":[2,1,1,1,1,2,1,1]}}",
    "{\"kind\":\"global\",\"dim\":2,\"nc\":1,\"mu\":[0.5],\"M\":{\"m\":3,\"n\":3,\"p\":[0,1,2,3],\"i\":[0,1,2],"
    "\"x\":[2,2,1]},\"H\":{\"m\":3,\"n\":2,\"p\":[0,1,2],\"i\":[1,0],\"x\":[1,1]},\"f\":[0,-2,1],\"w\":[0,0]}",
    "{\"kind\":\"lcp\",\"M\":[[2,1,0],[1,2,-1],[0,1,2]],\"q\":[-5,-6,1],\"z\":[1,2,3]}",
};

typedef struct text {
    char bytes[LONGEST + 1];
    size_t size;
} text;

static void replace(text *t, size_t at, size_t cut, const char *put) {
    size_t size = strlen(put);
    if (cut > t->size - at) cut = t->size - at;
    if (t->size - cut + size > LONGEST) return;
    memmove(t->bytes + at + size, t->bytes + at + cut, t->size - at - cut);
    memcpy(t->bytes + at, put, size);
    t->size += size - cut;
}

static void swap_number(sampler *s, text *t) {
    static const char *const numbers[] = {"0",    "-1",   "1e308", "-1e308", "5e-324",     "2",          "7",
                                          "1e-9", "1e12", "null",  "\"a\"",  "2147483647", "4294967296", "300000000",
                                          "[]",   "{}",   "true",  "1.5",    "-0.0",       "1e150",      "1,2"};
    size_t at = (size_t)crm_random_below(s, t->size);
    while (at < t->size && strchr("0123456789", t->bytes[at]) == NULL) at++;
    size_t end = at;
    while (end < t->size && strchr("0123456789.e-+", t->bytes[end]) != NULL) end++;
    if (end > at) replace(t, at, end - at, numbers[crm_random_below(s, sizeof numbers / sizeof *numbers)]);
}

static void mutate(sampler *s, text *t) {
    if (t->size == 0) return;
    size_t at = (size_t)crm_random_below(s, t->size);
    static const char *const pieces[] = {"{", "}", "[", "]", ",", ":", "\"", "0", "9", "-", "e", "\xff"};
    switch (crm_random_below(s, 6)) {
    case 0:
        replace(t, at, 1, pieces[crm_random_below(s, sizeof pieces / sizeof *pieces)]);
        break;
    case 1:
        replace(t, at, 1 + (size_t)crm_random_below(s, 20), "");
        break;
    default:
        swap_number(s, t);
    }
}

// Few iterations: here it counts that everything ends, not where.
static bool solve_all(const carom_stored_problem *stored, carom_solver_state *state) {
    bool good = true;
    double r[LONGEST] = {0}; // a row takes at least one byte of the file
    carom_error error = {.text = ""};
    for (int solver = 0; solver < CAROM_SOLVER_COUNT; solver++) {
        carom_status status;
        if (stored->lcp != NULL) {
            carom_dense_lcp_report report;
            status = carom_dense_lcp_solve(stored->lcp, (carom_solver)solver, 1e-8, NULL, r, NULL, &report, &error);
        } else {
            carom_solve_options options = carom_solve_options_default();
            options.solver = (carom_solver)solver;
            options.iterations = 20;
            carom_solve_report report;
            status = carom_solve(state, &stored->problem, &options, r, NULL, &report, &error);
            if (status == CAROM_OK) good &= CHECK(!isnan(report.residual.residual));
        }
        good &= CHECK(status == CAROM_OK || error.text[0] != '\0');
    }
    return good;
}

TEST(mutated_files_are_solved_or_refused) {
    char path[] = "/tmp/carom_mutated_XXXXXX";
    int made = mkstemp(path), read = 0;
    CHECK(made >= 0);
    if (made >= 0) close(made);
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    sampler s = {.seed = 41};
    for (int round = 0; round < ROUNDS; round++) {
        text t = {.size = 0};
        replace(&t, 0, 0, seeds[round % (int)(sizeof seeds / sizeof *seeds)]);
        for (uint64_t n = 1 + crm_random_below(&s, 3); n > 0; n--) mutate(&s, &t);
        unlink(path); // a file that is cut to nothing and written again is flushed to the disk by some file systems
        FILE *file = fopen(path, "wb");
        fwrite(t.bytes, 1, t.size, file);
        fclose(file);
        bounded_allocator bounds = {.most = MOST_BYTES};
        carom_allocator hook = bounded_allocator_hook(&bounds);
        carom_stored_problem *stored;
        carom_error error = {.text = ""};
        carom_status status = carom_problem_read(path, &hook, &stored, &error);
        bool good =
            CHECK((status == CAROM_OK) == (stored != NULL)) & CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
        if (stored != NULL) good &= solve_all(stored, state);
        read += stored != NULL;
        carom_stored_problem_destroy(stored);
        good &= CHECK_INT((long long)bounds.used, 0);
        if (!good) fprintf(stderr, "round %d: %.*s\n", round, (int)t.size, t.bytes);
    }
    CHECK(read > ROUNDS / 20 && read < ROUNDS); // both ways are taken
    printf("%d of %d files are problems\n", read, ROUNDS);
    carom_solver_state_destroy(state);
    unlink(path);
}

TEST_MAIN(CASE(mutated_files_are_solved_or_refused))
