// SPDX-License-Identifier: MIT
// An elastic cube falls on a floor, flat or on a corner: `lcp` with its residual at 1e-8 beside Bullet's deformable
// bodies, in rounds of ten steps. Times are means over the run, with the detection of contacts. Errors are the deepest
// node seen, m; beside them, what else both cubes look like.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flex/flex_tables.h"
#include "support/peer.h"
#include "support/report.h"
#include "worlds/soft_cube_carom.h"

// The least ratio of times.
static const double least_ratio = 4.0;

// Bullet's own damping is a viscosity of 0.01 s; without any it takes fewer iterations. Its neo-Hookean elements last
// for substeps alone: as many as they need.
static const struct contest {
    bench_cube_kind kind;
    int substeps; // of Bullet's
} contests[] = {
    {{"corotated", 0.01, 8, false}, 1},   {{"corotated", 0.01, 8, true}, 1}, {{"corotated", 0.01, 12, false}, 1},
    {{"corotated", 0.01, 12, true}, 1},   {{"corotated", 0.0, 8, false}, 1}, {{"corotated", 0.0, 8, true}, 1},
    {{"corotated", 0.0, 12, false}, 1},   {{"corotated", 0.0, 12, true}, 1}, {{"neo_hookean", 0.0, 8, false}, 2},
    {{"neo_hookean", 0.0, 12, false}, 4},
};
enum { CONTESTS = sizeof contests / sizeof contests[0] };

typedef struct rounds {
    bench_cube_carom carom;
    bench_cube_result ours, theirs;
    bench_peer peer;
    bool present;
} rounds;

static bool start_peer(const struct contest *contest, bench_peer *peer) {
    char viscosity[32], cells[16], substeps[16];
    snprintf(viscosity, sizeof viscosity, "%g", contest->kind.viscosity);
    snprintf(cells, sizeof cells, "%d", contest->kind.cells);
    snprintf(substeps, sizeof substeps, "%d", contest->substeps);
    const char *arguments[] = {
        contest->kind.model, viscosity, cells, contest->kind.on_corner ? "corner" : "flat", substeps, NULL};
    return bench_peer_start("soft_bullet", arguments, peer);
}

static void run(const struct contest *contest, rounds *t) {
    char answer[BENCH_PEER_ANSWER], steps[16];
    bench_cube cube = bench_cube_make(contest->kind);
    *t = (rounds){.carom = bench_cube_carom_make(&cube)};
    bench_cube_engine engine = {&t->carom, bench_cube_carom_step, bench_cube_carom_read};
    t->present = start_peer(contest, &t->peer);
    snprintf(steps, sizeof steps, "%d", BENCH_CUBE_STRIDE);
    for (int i = 0; i < BENCH_CUBE_STEPS; i += BENCH_CUBE_STRIDE) {
        bench_cube_advance(&cube, &engine, BENCH_CUBE_STRIDE, &t->ours);
        if (t->present) t->present = bench_peer_ask(&t->peer, steps, answer);
    }
    if (t->present) {
        t->theirs = bench_cube_read(answer);
        t->present = bench_peer_end(&t->peer, answer);
    }
    bench_cube_free(&cube);
}

static void print_details(const char *name, const bench_cube_result *r) {
    printf("  %-8s height %.4f m, energy %6.2f J at the end, rises by %7.1e J, stretches to %.2f, J down to %.2g", name,
           r->height, r->energy, r->energy_rise, r->stretch, r->determinant);
}

static void print_contest(bool json, const struct contest *contest, rounds *t) {
    char name[96];
    int side = contest->kind.cells + 1;
    snprintf(name, sizeof name, "%d nodes, %s%s, %s", side * side * side,
             strcmp(contest->kind.model, "corotated") == 0 ? "corotated" : "neo-Hookean",
             contest->kind.viscosity > 0.0 ? " viscous" : "", contest->kind.on_corner ? "corner" : "flat");
    bench_row row = bench_row_of("flex", name, "ms");
    row.carom = 1e3 * t->ours.seconds;
    row.error = t->ours.overlap;
    row.peer = contest->substeps == 1 ? "Bullet" : contest->substeps == 2 ? "Bullet, 2 substeps" : "Bullet, 4 substeps";
    if (t->present) {
        row.peer_value = 1e3 * t->theirs.seconds;
        row.peer_error = t->theirs.overlap;
    }
    row.target_kind = BENCH_RATIO_AT_LEAST;
    row.target = least_ratio;
    bench_print_row(json, &row);
    if (json) return;
    print_details("carom", &t->ours);
    printf("; residual %.1e at most, %.2f iterations, %d steps missed\n", t->carom.residual,
           (double)t->carom.iterations / BENCH_CUBE_STEPS, t->carom.broken_steps);
    if (!t->present) return;
    print_details("Bullet", &t->theirs);
    putchar('\n');
}

void bench_flex_cubes(bool json) {
    bench_print_heading(json, "An elastic cube falls on a floor: steps of 4 ms, errors as the deepest node, m");
    if (!bench_peer_built("soft_bullet"))
        fprintf(stderr, "carom: the peer Bullet is missing; 'make bench' installs and builds it\n");
    for (int c = 0; c < CONTESTS; c++) {
        rounds t;
        run(&contests[c], &t);
        print_contest(json, &contests[c], &t);
        bench_cube_carom_free(&t.carom);
    }
}
