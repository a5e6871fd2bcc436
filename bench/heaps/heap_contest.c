// SPDX-License-Identifier: MIT
#include "heaps/heap_contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "heaps/heap_carom.h"
#include "support/peer.h"

// Steps of one engine before the next one goes on.
enum { STEPS_A_ROUND = 8 };

// ---- the contestants

static const struct setting {
    const char *name;
    carom_accuracy accuracy;
    double tolerance; // 0: as the accuracy has it
} settings[BENCH_HEAP_SETTINGS] = {
    [BENCH_HEAP_SWEEPS] = {"20 sweeps", CAROM_ACCURACY_FAST, 0.0},
    [BENCH_HEAP_DEFAULT] = {"default", CAROM_ACCURACY_DEFAULT, 0.0},
    [BENCH_HEAP_FINE] = {"1e-6", CAROM_ACCURACY_DEFAULT, 1e-6},
    [BENCH_HEAP_PRECISE] = {"1e-8", CAROM_ACCURACY_PRECISE, 0.0},
};

// Bullet's lengths suit bodies of a metre.
static const int lengths[] = {1, 20};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static const struct peer {
    const char *name, *iterations;
} peers[BENCH_HEAP_PEERS] = {
    [BENCH_HEAP_BULLET_10] = {"Bullet, 10", "10"},
    [BENCH_HEAP_BULLET_50] = {"Bullet, 50", "50"},
};
static const char program[] = "heap_bullet";

const char *bench_heap_setting_name(int setting) {
    return settings[setting].name;
}

const char *bench_heap_peer_name(int peer) {
    return peers[peer].name;
}

bool bench_heap_peers_built(void) {
    return bench_peer_built(program);
}

// ---- one of each

typedef struct own_run {
    bench_heap_carom carom;
    bench_heap_run run;
    bool on;
} own_run;

typedef struct peer_run {
    bench_peer peer;
    bool started, on;
} peer_run;

static carom_lcp_def settings_of(const bench_heap *heap, int setting) {
    carom_lcp_def lcp = heap->method.lcp;
    lcp.accuracy = settings[setting].accuracy;
    lcp.tolerance = settings[setting].tolerance;
    lcp.budget = 0.0; // as the accuracy has it
    return lcp;
}

static void begin_own(const bench_heap_contest *contest, int setting, double limit, own_run *own) {
    carom_lcp_def lcp = settings_of(&contest->heap, setting);
    own->carom = bench_heap_carom_make(&contest->heap, &lcp);
    own->run = bench_heap_run_begin(&contest->heap, bench_heap_carom_engine(&own->carom), contest->steps, limit);
    own->on = true;
}

static void end_own(bench_heap_contest *contest, int setting, own_run *own) {
    contest->tolerance[setting] = own->carom.tolerance;
    contest->ours[setting] = bench_heap_run_end(&own->run);
    bench_heap_carom_conclude(&own->carom, &contest->ours[setting]);
    bench_heap_carom_free(&own->carom);
}

static void begin_peer(const bench_heap_contest *contest, const char *source, int peer, int length, double limit,
                       peer_run *run) {
    char metre[16], steps[16], seconds[32];
    snprintf(metre, sizeof metre, "%d", length);
    snprintf(steps, sizeof steps, "%d", contest->steps);
    snprintf(seconds, sizeof seconds, "%g", limit);
    const char *arguments[] = {source, peers[peer].iterations, metre, steps, seconds, NULL};
    run->started = run->on = contest->heap.common && bench_peer_start(program, arguments, &run->peer);
}

static void end_peer(bench_heap_contest *contest, int peer, int length, peer_run *run) {
    char answer[BENCH_PEER_ANSWER];
    if (!run->started || !bench_peer_end(&run->peer, answer)) return;
    bench_heap_result result = bench_heap_read(answer), *best = &contest->peers[peer];
    if (!result.ended) return;
    bool first = best->steps == 0;
    if (first || result.overlap < contest->least_overlap[peer]) contest->least_overlap[peer] = result.overlap;
    if (!first && best->mean <= result.mean) return;
    *best = result;
    contest->length[peer] = length;
}

static bool go_on(int count, own_run *own, peer_run others[BENCH_HEAP_PEERS][LENGTHS]) {
    char answer[BENCH_PEER_ANSWER], steps[16];
    bool any = false;
    snprintf(steps, sizeof steps, "%d", STEPS_A_ROUND);
    for (int i = 0; i < count; i++) {
        own[i].on = own[i].on && bench_heap_run_on(&own[i].run, STEPS_A_ROUND);
        any |= own[i].on;
    }
    for (int p = 0; p < BENCH_HEAP_PEERS; p++) {
        for (int l = 0; l < LENGTHS; l++) {
            peer_run *run = &others[p][l];
            run->on = run->on && bench_peer_ask(&run->peer, steps, answer) && strcmp(answer, "on") == 0;
            any |= run->on;
        }
    }
    return any;
}

bool bench_heap_contest_run(const char *source, int count, int most_steps, double limit, bench_heap_contest *out) {
    own_run own[BENCH_HEAP_SETTINGS];
    peer_run others[BENCH_HEAP_PEERS][LENGTHS];
    *out = (bench_heap_contest){.steps = 0};
    if (!bench_heap_open(source, &out->heap)) return false;
    out->steps = out->heap.steps < most_steps ? out->heap.steps : most_steps;
    for (int i = 0; i < count; i++) begin_own(out, i, limit, &own[i]);
    for (int p = 0; p < BENCH_HEAP_PEERS; p++)
        for (int l = 0; l < LENGTHS; l++) begin_peer(out, source, p, lengths[l], limit, &others[p][l]);
    while (go_on(count, own, others)) continue;
    for (int i = 0; i < count; i++) end_own(out, i, &own[i]);
    for (int p = 0; p < BENCH_HEAP_PEERS; p++)
        for (int l = 0; l < LENGTHS; l++) end_peer(out, p, lengths[l], &others[p][l]);
    return true;
}
