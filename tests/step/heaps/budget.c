// SPDX-License-Identifier: MIT
// No step takes more work than its budget, whatever the heap, the tolerance and the random scene. Work is counted in
// units of the solver, not timed. A few steps of each here; all of them by
//
//     CAROM_WHOLE=1 build/tests/test_step_budget
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/scene/heap.h"
#include "support/scene/random_scene.h"

static bool whole(void) {
    return getenv("CAROM_WHOLE") != NULL;
}

// The share of its budget that the last step took: nothing where impulses were taken over.
static double share_taken(const carom_state *state) {
    carom_step_work work = carom_state_work(state);
    return work.taken > 0.0 ? work.taken / work.allowed : 0.0;
}

// Twenty contacts are counted at least.
static bool allows(const carom_state *state, double budget) {
    return carom_state_work(state).allowed >= budget * 20.0 * 1e6 * (1.0 - 1e-12);
}

// What is not met is said, with a residual that is one. Where bodies are thrown out of space, as nothing holds joints
// together for want of work, the step is refused.
static bool is_told(const carom_state *state, const carom_step_report *report) {
    double bound = carom_method_contract(carom_state_method(state)).residual;
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return report->text[0] != '\0';
    return isfinite(report->residual) && (report->residual <= bound || report->outcome != CAROM_STEP_GOOD);
}

static double run(carom_state *state, int steps, double budget, const char *name) {
    double worst = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK)) break;
        double share = share_taken(state);
        worst = fmax(worst, share);
        bool kept =
            CHECK(share <= 1.0) && CHECK(share == 0.0 || allows(state, budget)) && CHECK(is_told(state, &report));
        if (kept && report.outcome != CAROM_STEP_IMPOSSIBLE) continue;
        if (!kept)
            fprintf(stderr, "%s, step %d: %g times its budget for %d contacts, residual %g: %s\n", name, i + 1, share,
                    report.contacts, report.residual, report.text);
        break;
    }
    if (whole()) printf("%s: %.3f of the budget at most\n", name, worst);
    return worst;
}

// ---- heaps

static const char *const heaps[] = {"bricks",    "cards",   "cubes",  "dominoes", "galton",
                                    "hourglass", "magnets", "rubble", "sledges",  "granular-column"};
enum { heap_count = sizeof heaps / sizeof heaps[0] };

static double run_heaps(const char *settings, double budget, int steps) {
    double worst = 0.0;
    for (int i = 0; i < heap_count; i++) {
        heap h = heap_begin(heaps[i], settings, 1);
        int all = (int)lround(carom_scene_until(h.scene) / carom_scene_method(h.scene)->step);
        char name[96];
        snprintf(name, sizeof name, "%s, %s", heaps[i], settings);
        worst = fmax(worst, run(h.state, whole() ? all : steps, budget, name));
        heap_end(&h);
    }
    return worst;
}

#define FAST "\"accuracy\": \"fast\""
#define EVERYDAY "\"accuracy\": \"default\""
#define FINE "\"tolerance\": 1e-6"
#define FINEST "\"tolerance\": 1e-8"
#define PRECISE "\"accuracy\": \"precise\""

TEST(heaps_stay_within_the_default_budget) {
    CHECK(run_heaps("{" EVERYDAY "}", 0.25, 30) > 0.0);
    CHECK(run_heaps("{" FAST "}", 0.25, 30) > 0.0);
    CHECK(run_heaps("{" FINE "}", 0.25, 30) > 0.0);
    CHECK(run_heaps("{" FINEST "}", 0.25, 10) > 0.0);
    CHECK(run_heaps("{" PRECISE "}", 20.0, 4) > 0.0);
}

// Budgets that are used up, and no more; of those below the least the least.
TEST(heaps_stay_within_any_budget) {
    static const char *const tolerance[] = {FAST, EVERYDAY, FINE, FINEST, PRECISE};
    static const double budget[] = {1e-9, 0.002, 0.01, 0.05};
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++)
        for (size_t k = 0; k < sizeof budget / sizeof *budget; k++) {
            char settings[96];
            snprintf(settings, sizeof settings, "{%s, \"budget\": %g}", tolerance[i], budget[k]);
            double worst = run_heaps(settings, budget[k], 20);
            CHECK(worst > (i == 0 || budget[k] > 0.02 ? 0.0 : 0.5)); // the count can tell
        }
}

// From 1 on the general solvers have all of it, named ones whatever there is.
TEST(general_solvers_stay_within_any_budget) {
    CHECK(run_heaps("{" FINE ", \"budget\": 1}", 1.0, 4) > 0.0);
    CHECK(run_heaps("{\"solver\": \"gauss-seidel\", \"budget\": 1e-9}", 1e-9, 4) > 0.1);
    CHECK(run_heaps("{\"solver\": \"smoothing\", \"budget\": 0.1}", 0.1, 4) > 0.1);
    CHECK(run_heaps("{\"solver\": \"interior\", \"budget\": 0.05}", 0.05, 4) > 0.1);
}

// ---- random scenes

static void run_random(double tolerance, double budget, int scenes, int steps) {
    for (int seed = 0; seed < (whole() ? 100 : scenes); seed++) {
        carom_method_def method = carom_method_def_default();
        method.step = 0.005;
        method.lcp.tolerance = tolerance;
        method.lcp.budget = budget;
        if (seed % 3 == 1) method.lcp.restitution = CAROM_RESTITUTION_POISSON;
        char name[96];
        snprintf(name, sizeof name, "random scene %d, tolerance %g, budget %g", seed, tolerance, budget);
        carom_state *state = touching_state(random_scene((uint64_t)seed), &method);
        run(state, whole() ? 1000 : steps, budget > 0.0 ? budget : 0.25, name);
        world_destroy(state);
    }
}

TEST(random_scenes_stay_within_the_default_budget) {
    run_random(0.0, 0.0, 10, 60);
    run_random(1e-6, 0.0, 10, 60);
    run_random(1e-8, 0.0, 5, 60);
}

TEST(a_hundred_random_scenes_stay_within_any_budget) {
    static const double tolerance[] = {0.0, 1e-6, 1e-8}, budget[] = {1e-9, 0.01, 0.05, 1.0};
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++)
        for (size_t k = 0; k < sizeof budget / sizeof *budget; k++) run_random(tolerance[i], budget[k], 100, 10);
}

TEST_MAIN(CASE(heaps_stay_within_the_default_budget), CASE(heaps_stay_within_any_budget),
          CASE(general_solvers_stay_within_any_budget), CASE(random_scenes_stay_within_the_default_budget),
          CASE(a_hundred_random_scenes_stay_within_any_budget))
