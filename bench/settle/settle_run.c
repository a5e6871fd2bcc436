// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "settle/settle.h"
#include "support/peer.h"
#include "support/timing.h"

enum { LAST_STEPS = 100, STEPS_PER_LAST_SAMPLE = 5, STEPS_PER_SAMPLE = 50 };
// A body that is this far from its start was thrown out, m.
static const double lost = 1e6;

static void read_all(const bench_settle_scene *scene, const bench_settle_engine *engine, bench_settle_state *states) {
    for (int i = 0; i < scene->count; i++) engine->read(engine->engine, i, &states[i]);
}

// After `made` of `steps` steps, where one is due.
static bool take_sample(const bench_settle_scene *scene, const bench_settle_engine *engine, int made, int steps,
                        bench_settle_result *result) {
    bench_settle_state states[BENCH_SETTLE_BODIES] = {0};
    bool last = made > steps - LAST_STEPS;
    if (made % (last ? STEPS_PER_LAST_SAMPLE : STEPS_PER_SAMPLE) != 0) return true;
    read_all(scene, engine, states);
    if (!(bench_settle_displacement(scene, states) < lost)) return false; // not so for NaN either
    double overlap = bench_settle_overlap(scene, states);
    result->most_overlap = fmax(result->most_overlap, overlap);
    if (last) result->overlap = fmax(result->overlap, overlap);
    return true;
}

bench_settle_result bench_settle_run(const bench_settle_scene *scene, const bench_settle_engine *engine, int steps,
                                     double limit) {
    bench_settle_result result = {.overlap = NAN, .kinetic_energy = NAN};
    double seconds[BENCH_SETTLE_MOST_STEPS], sum = 0.0;
    int made = 0;
    for (bool alive = true; alive && made < steps && sum < limit;) {
        double start = crm_clock_thread_seconds();
        alive = engine->step(engine->engine);
        seconds[made] = crm_clock_thread_seconds() - start;
        if (!alive) break;
        sum += seconds[made++];
        alive = take_sample(scene, engine, made, steps, &result);
    }
    bench_settle_state states[BENCH_SETTLE_BODIES] = {0};
    read_all(scene, engine, states);
    result.displacement = bench_settle_displacement(scene, states);
    result.steps = made;
    if (made < steps) result.overlap = NAN;
    if (made == steps) result.kinetic_energy = bench_settle_kinetic_energy(scene, states);
    result.seconds = sum / made;
    result.median_seconds = made > 0 ? bench_median(seconds, made) : NAN;
    return result;
}

void bench_settle_print(const bench_settle_result *result) {
    printf("{\"steps\":%d,\"seconds\":%.9g,\"median_seconds\":%.9g,\"overlap\":%.9g,\"most_overlap\":%.9g,"
           "\"kinetic_energy\":%.9g,\"displacement\":%.9g}\n",
           result->steps, result->seconds, result->median_seconds, result->overlap, result->most_overlap,
           result->kinetic_energy, result->displacement);
}

bench_settle_result bench_settle_read(const char *line) {
    return (bench_settle_result){.steps = (int)bench_peer_number(line, "steps"),
                                 .seconds = bench_peer_number(line, "seconds"),
                                 .median_seconds = bench_peer_number(line, "median_seconds"),
                                 .overlap = bench_peer_number(line, "overlap"),
                                 .most_overlap = bench_peer_number(line, "most_overlap"),
                                 .kinetic_energy = bench_peer_number(line, "kinetic_energy"),
                                 .displacement = bench_peer_number(line, "displacement")};
}
