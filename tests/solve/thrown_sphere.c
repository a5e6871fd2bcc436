// SPDX-License-Identifier: MIT
// Thrown spheres, thousands of them: the cascade solves every one, Newton's method alone nearly so.
#include "solve/thrown_sphere.h"

#include "solve/dense/dense_lcp_check.h"

enum { MOST_UNKNOWNS = 10 * MOST_WALLS };

typedef struct tally {
    int solved;
    long long pivots, steps;
    double worst;
} tally;

static void count(tally *tally, const carom_dense_lcp *lcp, carom_solver solver) {
    double z[MOST_UNKNOWNS];
    carom_dense_lcp_report report;
    if (carom_dense_lcp_solve(lcp, solver, 1e-12, NULL, z, NULL, &report, NULL) != CAROM_OK) return;
    double residual = lcp_residual(lcp, z);
    tally->pivots += report.pivots;
    tally->steps += report.steps;
    if (report.outcome != CAROM_DENSE_LCP_SOLVED || !(residual <= 1e-10)) return;
    tally->solved++;
    tally->worst = fmax(tally->worst, residual);
}

static void throw_many(int throws) {
    sampler s = {.seed = 61};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    tally automatic = {0}, newton = {0}, lemke = {0};
    for (int k = 0; k < throws; k++) {
        thrown_sphere sphere = throw_sphere(&s, false);
        crm_pyramid pyramid;
        if (!CHECK_INT(crm_pyramid_build(sphere.contacts, sphere.groups, sphere.w, sphere.q, sphere.sides, &arena,
                                         &pyramid, NULL),
                       CAROM_OK))
            break;
        count(&automatic, &pyramid.lcp, CAROM_SOLVER_AUTO);
        count(&newton, &pyramid.lcp, CAROM_SOLVER_MIN_MAP);
        count(&lemke, &pyramid.lcp, CAROM_SOLVER_LEMKE);
        crm_arena_reset(&arena);
    }
    crm_arena_free(&arena);
    printf(
        "of %d: auto %d (worst residual %.1e), min-map alone %d (%.2f steps each), lemke alone %d (%.2f pivots each)\n",
        throws, automatic.solved, automatic.worst, newton.solved, (double)newton.steps / throws, lemke.solved,
        (double)lemke.pivots / throws);
    CHECK_INT(automatic.solved, throws);
    CHECK_INT(lemke.solved, throws);
    CHECK(newton.solved >= throws - throws / 100);
}

TEST(hundreds_of_throws_are_solved) {
    throw_many(300);
}

TEST(ten_thousand_throws_are_solved) {
    throw_many(10000);
}

// Wedged and overlapping, some have no solution at all: every one is solved or proved to have none, and Lemke's method
// finds a solution of none of the latter.
TEST(wedged_spheres_are_solved_or_named) {
    sampler s = {.seed = 72};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    int solved = 0, named = 0;
    for (int k = 0; k < 100; k++) {
        thrown_sphere sphere = throw_sphere(&s, true);
        crm_pyramid pyramid;
        double z[MOST_UNKNOWNS];
        CHECK_INT(crm_pyramid_build(2, sphere.groups, sphere.w, sphere.q, 4, &arena, &pyramid, NULL), CAROM_OK);
        carom_dense_lcp_report report = solved_by(&pyramid.lcp, CAROM_SOLVER_AUTO, 1e-12, z, NULL);
        if (report.outcome == CAROM_DENSE_LCP_SOLVED) {
            solved++;
            // Not relative to z: on a ray z grows without a solution.
            CHECK(lcp_violation(&pyramid.lcp, z) <= 1e-9 * fmax(1.0, fabs(sphere.q[1])));
        } else if (CHECK_INT(report.outcome, CAROM_DENSE_LCP_UNSOLVABLE)) {
            named++;
            CHECK_INT(solved_by(&pyramid.lcp, CAROM_SOLVER_LEMKE, 1e-12, z, NULL).outcome, CAROM_DENSE_LCP_RAY);
        }
        crm_arena_reset(&arena);
    }
    crm_arena_free(&arena);
    printf("of 100 wedged: %d solved, %d proved to have no solution\n", solved, named);
    CHECK(solved > 10 && named > 10);
}

TEST_MAIN(CASE(wedged_spheres_are_solved_or_named), CASE(hundreds_of_throws_are_solved),
          LONG_CASE(ten_thousand_throws_are_solved))
