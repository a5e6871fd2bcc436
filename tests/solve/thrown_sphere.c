// SPDX-License-Identifier: MIT
// Thrown spheres, thousands of them: the chain solves every one, Newton's method alone nearly so.
#include "solve/thrown_sphere.h"

#include <stdio.h>

#include "support/check.h"

enum { MOST_UNKNOWNS = 10 * MOST_WALLS };

// max |min(z, w)|, from the problem alone.
static double residual_of(const carom_lcp *lcp, const double *z) {
    double worst = 0.0;
    for (int i = 0; i < lcp->size; i++) {
        double w = lcp->offset[i];
        for (int j = 0; j < lcp->size; j++) w += lcp->matrix[i * lcp->size + j] * z[j];
        double least = fabs(fmin(z[i], w));
        if (!(least <= worst)) worst = least;
    }
    return worst;
}

static double scale_of(const carom_lcp *lcp, const double *z) {
    double scale = 1.0;
    for (int i = 0; i < lcp->size; i++) scale = fmax(scale, fmax(fabs(z[i]), fabs(lcp->offset[i])));
    return scale;
}

typedef struct tally {
    int solved;
    long long pivots, steps;
    double worst;
} tally;

static void count(tally *tally, const carom_lcp *lcp, carom_solver solver) {
    double z[MOST_UNKNOWNS];
    carom_lcp_report report;
    if (carom_lcp_solve(lcp, solver, 1e-12, NULL, z, NULL, &report, NULL) != CAROM_OK) return;
    double residual = residual_of(lcp, z) / scale_of(lcp, z);
    tally->pivots += report.pivots;
    tally->steps += report.steps;
    if (report.outcome != CAROM_LCP_SOLVED || !(residual <= 1e-10)) return;
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

TEST_MAIN(CASE(hundreds_of_throws_are_solved), LONG_CASE(ten_thousand_throws_are_solved))
