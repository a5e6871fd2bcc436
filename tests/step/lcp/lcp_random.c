// SPDX-License-Identifier: MIT
// lcp on random scenes: whatever there is, every step is finite, keeps its contract or says why not, and friction takes
// energy only.
#include <math.h>
#include <stdio.h>

#include "support/harness/check.h"
#include "support/scene/random_scene.h"

typedef struct tally {
    int64_t steps, broken;
    double worst_residual;
} tally;

static bool step_is_sound(const carom_state *state, const carom_step_report *report, uint64_t seed) {
    bool finite = isfinite(report->energy.kinetic) && isfinite(report->energy.potential);
    bool named = report->outcome == CAROM_STEP_GOOD || report->text[0] != '\0';
    // The energies of the scene are some hundreds of joules: rounding is below this.
    bool takes = report->friction_work <= 1e-12 * (report->energy.kinetic + fabs(report->energy.potential));
    if (finite && named && takes && report->outcome != CAROM_STEP_IMPOSSIBLE) return true;
    fprintf(stderr, "scene %d, step %lld: energy %g J, friction work %g J, residual %g: %s\n", (int)seed,
            (long long)carom_state_step_count(state), report->energy.kinetic, report->friction_work, report->residual,
            report->text);
    return false;
}

static void run_scene(uint64_t seed, int steps, tally *sum) {
    carom_method_def method = touching_method(0.005, 1e-6);
    carom_state *state = touching_state(random_scene(seed), &method);
    carom_step_report report;
    carom_error error = {0};
    for (int i = 0; i < steps; i++) {
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK)) break;
        if (!CHECK(step_is_sound(state, &report, seed))) break;
        sum->steps++;
        if (report.outcome == CAROM_STEP_GOOD) continue;
        sum->broken++;
        sum->worst_residual = fmax(sum->worst_residual, report.residual);
    }
    world_destroy(state);
}

static void run_scenes(uint64_t first, int scenes, int steps) {
    tally sum = {0};
    for (int i = 0; i < scenes; i++) run_scene(first + (uint64_t)i, steps, &sum);
    // At least 99.9 % of all steps keep their contract.
    CHECK(1000 * sum.broken <= sum.steps);
    if (sum.broken > 0)
        fprintf(stderr, "%lld of %lld steps broken, worst residual %g\n", (long long)sum.broken, (long long)sum.steps,
                sum.worst_residual);
}

TEST(random_scenes_keep_their_contract) {
    run_scenes(0, 6, 60);
}

TEST(a_hundred_random_scenes_keep_their_contract) {
    run_scenes(0, 100, 1000);
}

static void same_bits(uint64_t seed, int steps) {
    carom_method_def method = touching_method(0.005, 1e-6);
    carom_state *one = touching_state(random_scene(seed), &method);
    method.threads = 2;
    carom_state *two = touching_state(random_scene(seed), &method);
    carom_step_report report;
    carom_error error = {0};
    for (int i = 0; i < steps; i++) {
        CHECK_INT(carom_step(carom_state_model(one), one, NULL, &report, &error), CAROM_OK);
        CHECK_INT(carom_step(carom_state_model(two), two, NULL, &report, &error), CAROM_OK);
    }
    CHECK(carom_state_hash(one) == carom_state_hash(two));
    world_destroy(one);
    world_destroy(two);
}

TEST(random_scenes_have_the_same_bits_for_any_threads) {
    for (uint64_t seed = 0; seed < 4; seed++) same_bits(seed, 60);
}

TEST(a_hundred_random_scenes_have_the_same_bits_for_any_threads) {
    for (uint64_t seed = 0; seed < 100; seed++) same_bits(seed, 100);
}

TEST_MAIN(CASE(random_scenes_keep_their_contract), LONG_CASE(a_hundred_random_scenes_keep_their_contract),
          CASE(random_scenes_have_the_same_bits_for_any_threads),
          LONG_CASE(a_hundred_random_scenes_have_the_same_bits_for_any_threads))
