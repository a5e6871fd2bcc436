// SPDX-License-Identifier: MIT
// First zeros of minima of waves and lines: found where dense sampling says, and none passed over.
#include "distance/toi/first_root.h"

#include <math.h>
#include <stddef.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { WAVES = 6 };
typedef struct waves {
    int count;
    double level, slope, height[WAVES], phase[WAVES], speed;
} waves;

static double lowest(void *context, double time) {
    const waves *w = context;
    double value = INFINITY;
    for (int i = 0; i < w->count; i++)
        value = fmin(value, w->level + w->slope * time + w->height[i] * cos(w->phase[i] + w->speed * time));
    return value;
}

static crm_limited limits_of(waves *w) {
    double height = 0.0;
    for (int i = 0; i < w->count; i++) height = fmax(height, fabs(w->height[i]));
    return (crm_limited){.value = lowest,
                         .context = w,
                         .fall = fmax(0.0, w->speed * height - w->slope),
                         .bend = w->speed * w->speed * height,
                         .accept = 1e-13};
}

TEST(first_zeros_of_waves_are_where_sampling_says) {
    sampler s = {.seed = 401};
    int frees = 0, evaluations = 0;
    for (int i = 0; i < 2000; i++) {
        waves w = {
            .count = 1 + i % WAVES, .level = sample_between(&s, 0.0, 3.0), .slope = sample_between(&s, -2.0, 1.0)};
        w.speed = sample_between(&s, 0.0, 20.0);
        for (int k = 0; k < w.count; k++) {
            w.height[k] = sample_between(&s, 0.0, 1.5);
            w.phase[k] = sample_between(&s, 0.0, 6.3);
        }
        crm_limited f = limits_of(&w);
        double start = lowest(&w, 0.0);
        if (start <= f.accept) continue;
        crm_first_root root = crm_find_first_root(&f, 0.0, start, 2.0, 10000);
        CHECK(root.free != root.found);
        frees += root.free;
        evaluations += root.evaluations;
        for (int k = 0; k < 500; k++) CHECK(lowest(&w, root.time * k / 500.0) > 0.0);
        if (root.free)
            CHECK_NEAR(root.time, 2.0, 0.0);
        else
            CHECK_NEAR(lowest(&w, root.time), 0.0, 1e-13);
    }
    CHECK(frees > 300 && frees < 1700);
    CHECK(evaluations < 2000 * 20);
}

// cos dips to -1 + 1 + depth: a tangent zero, or nearly one.
TEST(tangent_zeros_are_neither_missed_nor_invented) {
    const double pi = 3.14159265358979323846;
    for (double depth = -1e-3; depth < 2e-3; depth += 2e-3) {
        for (double scale = 1.0; scale > 1e-9; scale *= 0.1) {
            waves w = {.count = 1, .level = 1.0 + depth * scale, .height = {1.0}, .speed = 1.0};
            crm_limited f = limits_of(&w);
            crm_first_root root = crm_find_first_root(&f, 0.0, lowest(&w, 0.0), 6.0, 1000);
            CHECK(root.free == (depth > 0.0));
            if (root.found) CHECK_NEAR(root.time, pi - sqrt(-2.0 * depth * scale), 1e-4 * sqrt(scale));
        }
    }
}

TEST(limits_and_knowledge_save_evaluations) {
    waves w = {.count = 1, .level = 3.0, .slope = -1.0, .height = {0.0}};
    crm_limited f = limits_of(&w);
    crm_first_root root = crm_find_first_root(&f, 0.0, 3.0, 2.9, 10);
    CHECK(root.free && root.evaluations == 0 && root.time == 2.9);
    root = crm_find_first_root(&f, 0.0, 3.0, 4.0, 10);
    CHECK(root.found && root.evaluations == 1 && root.time == 3.0);
    w = (waves){.count = 1, .level = 1.5, .height = {1.0}, .speed = 1e4};
    f = limits_of(&w);
    root = crm_find_first_root(&f, 0.0, 2.5, 1.0, 50);
    CHECK(!root.free && !root.found && root.time > 0.0 && root.time < 1.0);
    CHECK(root.evaluations >= 50 && root.evaluations <= 51);
    f.clear = 1.0;
    CHECK(crm_find_first_root(&f, 0.0, 2.5, 1.0, 50).free);
}

TEST_MAIN(CASE(first_zeros_of_waves_are_where_sampling_says), CASE(tangent_zeros_are_neither_missed_nor_invented),
          CASE(limits_and_knowledge_save_evaluations))
