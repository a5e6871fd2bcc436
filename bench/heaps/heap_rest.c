// SPDX-License-Identifier: MIT
#include "heaps/heap_rest.h"

#include <math.h>

#include "base/clock.h"
#include "heaps/heap_carom.h"

// Steps that are timed as a whole, and as many behind them with clocks inside.
enum { TIMED = 120 };

bench_heap_rest bench_heap_at_rest(const char *file) {
    bench_heap heap;
    bench_heap_rest out = {NAN, NAN, NAN, NAN, NAN};
    if (!bench_heap_open(file, &heap)) return out;
    bench_heap_carom carom = bench_heap_carom_make(&heap, &heap.method.lcp);
    bench_heap_engine engine = bench_heap_carom_engine(&carom);
    bool alive = true;
    double contacts = 0.0;
    for (int i = 0; alive && i < heap.steps; i++) alive = engine.step(engine.engine);
    double start = crm_clock_thread_seconds();
    for (int i = 0; alive && i < TIMED; i++) {
        alive = engine.step(engine.engine);
        contacts += carom.report.contacts;
    }
    double seconds = crm_clock_thread_seconds() - start;
    carom_state_time_phases(carom.state, true);
    for (int i = 0; alive && i < TIMED; i++) alive = engine.step(engine.engine);
    carom_step_phases phases = carom_state_phases(carom.state);
    if (alive) {
        double share = seconds / (TIMED * phases.total);
        out = (bench_heap_rest){seconds / TIMED, contacts / TIMED, share * phases.detection, share * phases.solution,
                                share * (phases.total - phases.detection - phases.solution)};
    }
    bench_heap_carom_free(&carom);
    bench_heap_close(&heap);
    return out;
}
