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

#define FINE "{\"tolerance\": 1e-6}"
#define FINEST "{\"tolerance\": 1e-8}"
#define TIGHT "{\"tolerance\": 1e-6, \"budget\": 0.02}" // so little that it is used up

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

static double run(carom_state *state, int steps, double budget, const char *name) {
    double worst = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK)) break;
        double share = share_taken(state);
        worst = fmax(worst, share);
        if (CHECK(share <= 1.0) && CHECK(share == 0.0 || allows(state, budget))) continue;
        fprintf(stderr, "%s, step %d: %g times its budget for %d contacts\n", name, i + 1, share, report.contacts);
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
        char name[64];
        snprintf(name, sizeof name, "%s, %s", heaps[i], settings);
        worst = fmax(worst, run(h.state, whole() ? all : steps, budget, name));
        heap_end(&h);
    }
    return worst;
}

TEST(heaps_stay_within_the_default_budget) {
    CHECK(run_heaps("{}", 0.25, 30) > 0.0);
    CHECK(run_heaps("{\"accuracy\": \"fast\"}", 0.25, 30) > 0.0);
    CHECK(run_heaps(FINE, 0.25, 30) > 0.0);
    CHECK(run_heaps(FINEST, 0.25, 20) > 0.0);
}

// The count can tell: a budget that is too small is used up, and no more.
TEST(a_small_budget_is_used_up) {
    CHECK(run_heaps(TIGHT, 0.02, 10) > 0.5);
}

// ---- random scenes

static void run_random(double tolerance, int scenes, int steps) {
    for (int seed = 0; seed < (whole() ? 100 : scenes); seed++) {
        carom_method_def method = carom_method_def_default();
        method.step = 0.005;
        method.lcp.tolerance = tolerance;
        char name[64];
        snprintf(name, sizeof name, "random scene %d, tolerance %g", seed, tolerance);
        carom_state *state = touching_state(random_scene((uint64_t)seed), &method);
        run(state, whole() ? 1000 : steps, 0.25, name);
        world_destroy(state);
    }
}

TEST(random_scenes_stay_within_their_budget) {
    run_random(0.0, 10, 60);
    run_random(1e-6, 10, 60);
    run_random(1e-8, 5, 60);
}

TEST_MAIN(CASE(heaps_stay_within_the_default_budget), CASE(a_small_budget_is_used_up),
          CASE(random_scenes_stay_within_their_budget))
