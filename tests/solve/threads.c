// SPDX-License-Identifier: MIT
// Islands on several threads: the same bits for any number of them, no allocation once warm, any refusal said.
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/problem/contact_problem.h"

enum { TOWERS = 12, MOST_BOXES = 5 };

// Towers of 1 to 5 boxes side by side, pushed differently: an island each, some that stick and some that slide. One box
// more touches nothing.
static void add_tower(contact_problem *p, sampler *s, int boxes) {
    int below = -1;
    double mu = sample_between(s, 0.1, 0.8);
    for (int k = 0; k < boxes; k++) {
        double mass = sample_between(s, 0.5, 3.0), push = sample_between(s, 0.0, 0.2);
        int box = add_body(p, mass, mass / 6, crm_vec3(push, 0.5 * push, -0.0981), crm_vec3_zero());
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 - 0.5, y = corner / 2 - 0.5;
            add_contact(p, below, box, crm_vec3(x, y, 0.5), crm_vec3(x, y, -0.5), crm_vec3(0, 0, 1), mu);
        }
        below = box;
    }
}

static contact_problem *many_towers(void) {
    contact_problem *p = contact_problem_create();
    sampler s = {.seed = 31};
    for (int t = 0; t < TOWERS; t++) add_tower(p, &s, 1 + t % MOST_BOXES);
    add_body(p, 1, 1, crm_vec3(1, 2, 3), crm_vec3(4, 5, 6));
    return p;
}

static const carom_solver methods[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_GAUSS_SEIDEL, CAROM_SOLVER_SEMISMOOTH};

TEST(same_bits_for_any_number_of_threads) {
    contact_problem *p = many_towers();
    size_t rows = sizeof(double) * (size_t)p->rows, velocities = sizeof(double) * (size_t)p->velocities;
    double *r = malloc(rows), *v = malloc(velocities), *one_r = malloc(rows), *one_v = malloc(velocities);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        carom_solve_report one;
        for (int threads = 1; threads <= 5; threads++) {
            carom_solver_state *state;
            carom_solve_options options = carom_solve_options_default();
            carom_solve_report report;
            options.solver = methods[m];
            options.threads = threads;
            CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
            for (int again = 0; again < 2; again++) {
                CHECK_INT(carom_solve(state, &p->problem, &options, r, v, &report, NULL), CAROM_OK);
                if (methods[m] == CAROM_SOLVER_AUTO) CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET);
                CHECK_INT(report.islands, TOWERS);
                if (threads == 1 && again == 0) {
                    memcpy(one_r, r, rows);
                    memcpy(one_v, v, velocities);
                    one = report;
                }
                CHECK(memcmp(r, one_r, rows) == 0 && memcmp(v, one_v, velocities) == 0);
                CHECK_INT(report.iterations, one.iterations);
                CHECK_INT(report.factorizations, one.factorizations);
                CHECK(memcmp(&report.residual.residual, &one.residual.residual, sizeof(double)) == 0);
                CHECK_TEXT(report.tried, one.tried);
            }
            carom_solver_state_destroy(state);
        }
    }
    for (int i = 0; i < 6; i++) CHECK_NEAR(one_v[p->velocities - 6 + i], i + 1, 0);
    free(r), free(v), free(one_r), free(one_v);
    contact_problem_destroy(p);
}

// However many islands are never met, all of them together take what they may, and the same for any number of threads.
TEST(islands_share_the_work) {
    static const carom_solver named[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_GAUSS_SEIDEL, CAROM_SOLVER_SEMISMOOTH,
                                         CAROM_SOLVER_SMOOTHING, CAROM_SOLVER_INTERIOR};
    contact_problem *p = many_towers();
    size_t rows = sizeof(double) * (size_t)p->rows;
    double *r = calloc(1, rows), *one_r = malloc(rows), in_any_case = 1500.0 * p->problem.group_count, most = 0.0;
    for (int m = 0; m < 10; m++) {
        carom_solve_options options = carom_solve_options_default();
        options.solver = named[m / 2];
        options.warm = m % 2 == 1;
        options.tolerance = 1e-30;
        for (options.work = 1e3; options.work < 1e9; options.work *= 10.0) {
            carom_solve_report one = {0};
            for (options.threads = 1; options.threads <= 3; options.threads++) {
                carom_solver_state *state;
                carom_solve_report report;
                CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
                memset(r, 0, rows);
                CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &report, NULL), CAROM_OK);
                carom_solver_state_destroy(state);
                CHECK(report.work <= (options.work > in_any_case ? options.work : in_any_case));
                if (report.work > 0.9 * options.work && report.work > 2.0 * in_any_case) most = report.work;
                if (options.threads == 1) memcpy(one_r, r, rows), one = report;
                CHECK(memcmp(r, one_r, rows) == 0 && report.work == one.work);
            }
        }
    }
    CHECK(most > 0.0); // it can be used up
    free(r), free(one_r);
    contact_problem_destroy(p);
}

TEST(no_allocation_once_warm) {
    contact_problem *p = many_towers();
    double *r = malloc(sizeof(double) * (size_t)p->rows), *u = malloc(sizeof(double) * (size_t)p->rows);
    for (int threads = 1; threads <= 3; threads++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_solver_state *state;
        carom_solve_options options = carom_solve_options_default();
        carom_residual_report residual;
        options.threads = threads;
        CHECK_INT(carom_solver_state_create(&hook, &state, NULL), CAROM_OK);
        for (int first = 0; first < 4; first++) {
            options.warm = first % 2 == 1;
            CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
        }
        long long calls = probe.calls;
        for (int again = 0; again < 20; again++) {
            options.warm = again % 2 == 1;
            CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
            CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, r, u, &residual, NULL), CAROM_OK);
        }
        CHECK_INT(probe.calls, calls);
        carom_solver_state_destroy(state);
        CHECK_INT(probe.live_blocks, 0);
    }
    free(r), free(u);
    contact_problem_destroy(p);
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    contact_problem *p = many_towers();
    double *r = malloc(sizeof(double) * (size_t)p->rows);
    bool refused = true;
    for (int n = 1; refused; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_solver_state *state;
        carom_solve_options options = carom_solve_options_default();
        carom_error error = {0};
        options.threads = 3;
        carom_status status = carom_solver_state_create(&hook, &state, &error);
        if (status == CAROM_OK) status = carom_solve(state, &p->problem, &options, r, NULL, NULL, &error);
        refused = probe.calls >= n;
        // A refusal may pass unseen where the memory was only to save a later call the asking.
        CHECK(status == CAROM_OK || (status == CAROM_ERR_NO_MEMORY && error.text[0] != '\0'));
        CHECK(refused || status == CAROM_OK);
        carom_solver_state_destroy(state);
        CHECK_INT(probe.live_blocks, 0);
    }
    free(r);
    contact_problem_destroy(p);
}

TEST(misuse_is_refused) {
    contact_problem *p = many_towers();
    double *r = malloc(sizeof(double) * (size_t)p->rows);
    carom_solver_state *state;
    carom_error error;
    carom_solve_options options = carom_solve_options_default();
    options.threads = 1000000;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "threads is 1000000, must be 1 to 1024");
    options.threads = 1;
    CHECK_INT(carom_solve(NULL, &p->problem, &options, r, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "the solver's state is missing; carom_solver_state_create makes one");
    CHECK_INT(carom_solve(state, &p->problem, &options, NULL, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK(strstr(error.text, "impulse is missing, must have ") == error.text);
    carom_solver_state_destroy(state);
    free(r);
    contact_problem_destroy(p);
}

// One large island and many small ones: the threads that get the small ones are given as much memory as the other has,
// and must not outbid it.
TEST(memory_follows_the_largest_island) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    options.threads = 2;
    contact_problem *p = contact_problem_create();
    sampler s = {.seed = 32};
    add_tower(p, &s, 30);
    for (int t = 0; t < TOWERS; t++) add_tower(p, &s, 1);
    double *r = calloc((size_t)p->rows, sizeof *r);
    CHECK_INT(carom_solver_state_create(&hook, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
    long long once = probe.live_bytes;
    for (int i = 0; i < 30; i++) CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
    CHECK(probe.live_bytes < 4 * once);
    carom_solver_state_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
    free(r);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(same_bits_for_any_number_of_threads), CASE(islands_share_the_work), CASE(no_allocation_once_warm),
          CASE(any_refused_allocation_is_said_and_leaks_nothing), CASE(memory_follows_the_largest_island),
          CASE(misuse_is_refused))
