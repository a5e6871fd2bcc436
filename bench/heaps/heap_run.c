// SPDX-License-Identifier: MIT
#include "heaps/heap_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "support/peer.h"
#include "support/timing.h"

// Overlaps are looked at in every so many steps: exact distances of all pairs cost as much as a step.
enum { STEPS_PER_OVERLAP = 4 };
// A body that is this far away was thrown out, m.
static const double lost = 1e6;

bench_heap_run bench_heap_run_begin(const bench_heap *heap, bench_heap_engine engine, int steps, double limit) {
    size_t bodies = (size_t)heap->body_count;
    bench_heap_run run = {.heap = heap, .engine = engine, .steps = steps, .limit = limit, .alive = true};
    run.seconds = bench_heap_memory((size_t)steps, sizeof *run.seconds);
    run.residuals = bench_heap_memory((size_t)steps, sizeof *run.residuals);
    run.before = bench_heap_memory(bodies, sizeof *run.before);
    run.view.before = run.before;
    run.view.after = bench_heap_memory(bodies, sizeof *run.view.after);
    run.view.velocity = bench_heap_memory(bodies, sizeof *run.view.velocity);
    run.view.spin = bench_heap_memory(bodies, sizeof *run.view.spin);
    run.view.joints = bench_heap_memory((size_t)heap->joint_count, sizeof *run.view.joints);
    run.overlaps = bench_heap_overlaps_create(heap);
    engine.read(engine.engine, 0, &run.view);
    return run;
}

static bool all_there(const bench_heap_run *run) {
    for (int i = 0; i < run->heap->body_count; i++) {
        carom_vec3 x = run->view.after[i].pose.position;
        if (!(fabs(x.x) < lost && fabs(x.y) < lost && fabs(x.z) < lost)) return false; // not so for NaN either
    }
    return true;
}

static void measure(bench_heap_run *run) {
    run->contacts += run->view.contact_count;
    run->residuals[run->made - 1] = run->heap->common ? bench_heap_residual(run->heap, &run->view) : NAN;
    if (run->made % STEPS_PER_OVERLAP == 0 || run->made == run->steps)
        run->overlap = fmax(run->overlap, bench_heap_overlap(run->overlaps, run->view.after));
}

bool bench_heap_run_on(bench_heap_run *run, int steps) {
    for (int i = 0; i < steps && run->alive && run->made < run->steps; i++) {
        memcpy(run->before, run->view.after, (size_t)run->heap->body_count * sizeof *run->before);
        run->view.contact_count = 0;
        double start = crm_clock_thread_seconds();
        run->alive = run->engine.step(run->engine.engine);
        double seconds = crm_clock_thread_seconds() - start;
        if (!run->alive) break;
        run->seconds[run->made++] = seconds;
        run->spent += seconds;
        run->engine.read(run->engine.engine, run->made, &run->view);
        run->alive = all_there(run) && run->spent < run->limit;
        if (all_there(run)) measure(run);
    }
    return run->alive && run->made < run->steps;
}

bench_heap_result bench_heap_run_end(bench_heap_run *run) {
    bench_heap_result result = {.steps = run->made,
                                .ended = run->made == run->steps,
                                .mean = run->spent / run->made,
                                .contacts = run->contacts / run->made,
                                .overlap = run->overlap};
    for (int i = 0; i < run->made; i++) {
        result.worst = fmax(result.worst, run->seconds[i]);
        result.largest_residual = fmax(result.largest_residual, run->residuals[i]);
    }
    result.median = run->made > 0 ? bench_median(run->seconds, run->made) : NAN;
    result.residual = run->made > 0 ? bench_median(run->residuals, run->made) : NAN;
    bench_heap_overlaps_destroy(run->overlaps);
    free(run->seconds), free(run->residuals), free(run->before);
    free(run->view.after), free(run->view.velocity), free(run->view.spin), free(run->view.joints);
    free(run->view.contacts);
    return result;
}

bench_heap_contact *bench_heap_add_contact(bench_heap_view *view) {
    if (view->contact_count == view->contact_room) {
        view->contact_room = 2 * view->contact_room + 64;
        view->contacts = realloc(view->contacts, (size_t)view->contact_room * sizeof *view->contacts);
        if (view->contacts == NULL) bench_heap_memory((size_t)-1, 1); // ends the program
    }
    return &view->contacts[view->contact_count++];
}

// ---- as a line

void bench_heap_print(const bench_heap_result *r) {
    printf("{\"steps\":%d,\"ended\":%d,\"mean\":%.9g,\"median\":%.9g,\"worst\":%.9g,\"contacts\":%.9g,"
           "\"overlap\":%.9g,\"residual\":%.9g,\"largest_residual\":%.9g}\n",
           r->steps, r->ended, r->mean, r->median, r->worst, r->contacts, r->overlap, r->residual, r->largest_residual);
}

bench_heap_result bench_heap_read(const char *line) {
    return (bench_heap_result){.steps = (int)bench_peer_number(line, "steps"),
                               .ended = bench_peer_number(line, "ended") > 0.0,
                               .mean = bench_peer_number(line, "mean"),
                               .median = bench_peer_number(line, "median"),
                               .worst = bench_peer_number(line, "worst"),
                               .contacts = bench_peer_number(line, "contacts"),
                               .overlap = bench_peer_number(line, "overlap"),
                               .residual = bench_peer_number(line, "residual"),
                               .largest_residual = bench_peer_number(line, "largest_residual")};
}
