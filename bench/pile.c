// SPDX-License-Identifier: MIT
// A heap of 1,000 cubes, a wall of 210 and 1,000 ellipsoids in a box come to rest: cost and error of `lcp` at several
// settings beside ODE and Bullet at theirs, all from the same states and measured by the same code (support/settle.h).
//
// Times are of one step, mean over the run, processor time of one thread, with the contacts' detection. Errors are the
// largest overlap in the last 100 steps. A run ends at a limit of processor time; what did not come to its end has a
// time, but no error, and meets no target.
//
//   carom bench pile [--quick] [--json]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "settle/settle_carom.h"
#include "support/peer.h"
#include "support/report.h"

// ---- targets

// `default` overlaps by no more than this, m, ...
static const double default_overlap = 1e-6;
// ... in the time of the most accurate peer, and `precise` in ten times that.
static const double default_ratio = 1.0, precise_ratio = 0.1;
// The certificate, with its energy ledger and its rules, takes no more of the time of `default`, %.
static const double certificate_percent = 5.0;
// For every peer some setting costs no more and has this share of its overlap.
static const double overlap_share = 0.1;

// ---- the contestants

static const char *const scene_names[] = {"pile", "wall", "ellipsoids"};
enum { SCENES = sizeof scene_names / sizeof scene_names[0] };

static const struct own {
    const char *name;
    double tolerance;
    carom_solver solver;
    int iterations;
} own[] = {
    {"default", 1e-6, CAROM_SOLVER_AUTO, 0},
    {"precise", 1e-8, CAROM_SOLVER_AUTO, 0},
    {"tolerance 1e-4", 1e-4, CAROM_SOLVER_AUTO, 0},
    {"tolerance 1e-3", 1e-3, CAROM_SOLVER_AUTO, 0},
    {"50 sweeps", 1e-6, CAROM_SOLVER_GAUSS_SEIDEL, 50},
    {"10 sweeps", 1e-6, CAROM_SOLVER_GAUSS_SEIDEL, 10},
};
enum { OWN = sizeof own / sizeof own[0], DEFAULT = 0, PRECISE = 1 };

static const struct peer {
    const char *name, *program, *iterations;
    bool boxes_only;
} peers[] = {
    {"ODE, 20 iterations", "pile_ode", "20", true},         {"ODE, 50 iterations", "pile_ode", "50", true},
    {"Bullet float, 10", "pile_bullet_float", "10", false}, {"Bullet float, 50", "pile_bullet_float", "50", false},
    {"Bullet double, 10", "pile_bullet", "10", false},      {"Bullet double, 50", "pile_bullet", "50", false},
};
enum { PEERS = sizeof peers / sizeof peers[0] };

// From the same states, by the same code, but on another machine (AMD EPYC, about 2.45 GHz, November 2026) and not
// built here: MuJoCo 3.12.1, Jolt 5.5.1 and Box3D 0.1.0, the last two in single precision, with ellipsoids as
// polytopes of 42 corners inside of them. Their times have no target.
static const struct reference {
    const char *scene, *name;
    double milliseconds, overlap, kinetic_energy;
} references[] = {
    {"pile", "Box3D, 1 substep*", 1.45, 6.0e-3, 3.5e-2},
    {"pile", "Box3D, 8 substeps*", 3.11, 6.3e-3, 5.4e-3},
    {"pile", "Jolt*", 1.72, 2.3e-3, 2.21},
    {"pile", "Jolt, 30+4, slop 1mm*", 3.52, 1.7e-3, 0.602},
    {"pile", "MuJoCo, Newton*", 13.8, 3.0e-4, 6.9e-5},
    {"pile", "MuJoCo, stiff*", 27.4, 1.1e-3, 0.167},
    {"wall", "Box3D, 1 substep*", 0.336, 3.5e-3, 7.8e-8},
    {"wall", "Box3D, 8 substeps*", 1.16, 1.51e-2, 8.4e-5},
    {"wall", "Jolt*", 0.909, 3.1e-4, 8.1e-5},
    {"wall", "Jolt, 30+4, slop 1mm*", 2.06, 8.6e-5, 4.4e-7},
    {"wall", "MuJoCo, Newton*", 11.6, 2.9e-4, 1.7e-7},
    {"wall", "MuJoCo, stiff*", 16.4, 5.5e-6, 1.4e-13},
    {"ellipsoids", "Box3D, 4 substeps*", 6.46, 5.69e-2, 2889.0},
    {"ellipsoids", "Jolt*", 10.5, 5.03e-2, 1082.0},
    {"ellipsoids", "MuJoCo, CG, stiff*", 29.0, 5.8e-3, 1905.0},
};
enum { REFERENCES = sizeof references / sizeof references[0] };

// ---- runs

static const double limit = 15.0, quick_limit = 5.0; // of processor time, s

typedef struct contest {
    bench_settle_scene scene;
    int steps;
    double limit;
    bool json;
    bench_settle_result ours[OWN], others[PEERS]; // no steps: absent
    double certificate[OWN];                      // its share of the time of steps
} contest;

static double milliseconds(const bench_settle_result *r) {
    return 1e3 * r->seconds;
}

static bool arrived(const contest *c, const bench_settle_result *r) {
    return r->steps == c->steps;
}

// A figure, or a dash where there is none.
static void print_figure(const char *before, double value, const char *after) {
    if (isfinite(value))
        printf("%s%8.1e%s", before, value, after);
    else
        printf("%s%8s%s", before, "-", after);
}

static void print_result(const contest *c, const char *name, const bench_settle_result *r) {
    if (c->json) return;
    printf("  %-24s %8.2f ms, median %8.2f", name, milliseconds(r), 1e3 * r->median_seconds);
    print_figure(", overlap ", r->overlap, " m");
    print_figure(", in the run ", r->most_overlap, "");
    print_figure(", left ", r->kinetic_energy, " J");
    print_figure(", moved ", r->displacement, " m");
    if (!arrived(c, r)) printf(", ended at step %d of %d", r->steps, c->steps);
}

static void run_own(contest *c, int i) {
    carom_lcp_def settings = carom_method_def_default().lcp;
    settings.tolerance = own[i].tolerance;
    settings.solver = own[i].solver;
    settings.iterations = own[i].iterations;
    bench_settle_carom carom = bench_settle_carom_make(&c->scene, &settings);
    bench_settle_engine engine = {&carom, bench_settle_carom_step, bench_settle_carom_read};
    c->ours[i] = bench_settle_run(&c->scene, &engine, c->steps, c->limit);
    print_result(c, own[i].name, &c->ours[i]);
    if (!c->json && carom.broken_steps > 0)
        printf(", contract missed in %d steps, residual %.1e at most", carom.broken_steps, carom.residual);
    c->certificate[i] = carom.phases.certificate / carom.phases.total;
    if (!c->json) printf(", certificate %.1f %%\n", 100.0 * c->certificate[i]);
    fflush(stdout);
    bench_settle_carom_free(&carom);
}

static void run_peer(contest *c, int p) {
    char answer[BENCH_PEER_ANSWER], steps[16], seconds[32];
    snprintf(steps, sizeof steps, "%d", c->steps);
    snprintf(seconds, sizeof seconds, "%g", c->limit);
    const char *arguments[] = {c->scene.name, peers[p].iterations, steps, seconds, NULL};
    c->others[p] = (bench_settle_result){0};
    if (peers[p].boxes_only && !c->scene.bodies[0].is_box) return;
    if (!bench_peer_run(peers[p].program, arguments, answer)) {
        fprintf(stderr, "carom: the peer %s is missing; 'make bench' installs and builds it\n", peers[p].name);
        return;
    }
    c->others[p] = bench_settle_read(answer);
    print_result(c, peers[p].name, &c->others[p]);
    if (!c->json) putchar('\n');
}

// ---- rows

static bench_row row_of(const contest *c, const char *what, const char *unit) {
    static char name[96];
    snprintf(name, sizeof name, "%s, %s", c->scene.name, what);
    return bench_row_of("pile", name, unit);
}

static void set_own(const contest *c, const bench_settle_result *r, bench_row *row) {
    if (!arrived(c, r)) return;
    row->carom = milliseconds(r);
    row->error = r->overlap;
}

// The one with the least overlap; NULL when none came to its end.
static const bench_settle_result *most_accurate(const contest *c, const char **name) {
    const bench_settle_result *best = NULL;
    for (int p = 0; p < PEERS; p++) {
        const bench_settle_result *r = &c->others[p];
        if (!arrived(c, r) || (best != NULL && best->overlap <= r->overlap)) continue;
        best = r;
        *name = peers[p].name;
    }
    return best;
}

static void print_time_row(const contest *c, int i, double target) {
    const char *name = NULL;
    const bench_settle_result *peer = most_accurate(c, &name);
    bench_row row = row_of(c, own[i].name, "ms");
    set_own(c, &c->ours[i], &row);
    row.peer = name;
    if (peer != NULL) row.peer_value = milliseconds(peer), row.peer_error = peer->overlap;
    row.target_kind = isnan(target) ? BENCH_NO_TARGET : BENCH_RATIO_AT_LEAST;
    row.target = target;
    bench_print_row(c->json, &row);
}

static void print_overlap_row(const contest *c) {
    bench_row row = row_of(c, "default, overlap", "m");
    row.carom = c->ours[DEFAULT].overlap;
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = default_overlap;
    bench_print_row(c->json, &row);
}

static void print_certificate_row(const contest *c) {
    bench_row row = row_of(c, "default, certificate", "%");
    row.carom = 100.0 * c->certificate[DEFAULT];
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = certificate_percent;
    bench_print_row(c->json, &row);
}

// Energies do not depend on the machine, so that those from elsewhere count too: but only for runs of the same length.
static void print_energy_row(const contest *c) {
    bench_row row = row_of(c, "default, energy left", "J");
    row.carom = c->ours[DEFAULT].kinetic_energy;
    row.peer_value = INFINITY;
    for (int p = 0; p < PEERS; p++) {
        if (!arrived(c, &c->others[p]) || !(c->others[p].kinetic_energy < row.peer_value)) continue;
        row.peer_value = c->others[p].kinetic_energy;
        row.peer = peers[p].name;
    }
    for (int i = 0; i < REFERENCES && c->steps == c->scene.steps; i++) {
        if (strcmp(references[i].scene, c->scene.name) != 0 || !(references[i].kinetic_energy < row.peer_value))
            continue;
        row.peer_value = references[i].kinetic_energy;
        row.peer = references[i].name;
    }
    if (row.peer == NULL) row.peer_value = NAN;
    row.target_kind = BENCH_RATIO_AT_LEAST;
    row.target = 1.0;
    bench_print_row(c->json, &row);
}

// The cheapest of our settings with a tenth of this overlap.
static void print_curve_row(const contest *c, const char *peer, double cost, double overlap, bench_target target) {
    const bench_settle_result *best = NULL;
    const char *name = "no setting";
    for (int i = 0; i < OWN; i++) {
        const bench_settle_result *r = &c->ours[i];
        if (!(r->overlap <= overlap_share * overlap) || (best != NULL && best->seconds <= r->seconds)) continue;
        best = r;
        name = own[i].name;
    }
    char what[64];
    snprintf(what, sizeof what, "a tenth of it: %s", name);
    bench_row row = row_of(c, what, "ms");
    if (best != NULL) set_own(c, best, &row);
    row.peer = peer;
    row.peer_value = cost;
    row.peer_error = overlap;
    row.target_kind = target;
    row.target = target == BENCH_NO_TARGET ? NAN : 1.0;
    bench_print_row(c->json, &row);
}

static void print_rows(const contest *c) {
    print_time_row(c, DEFAULT, default_ratio);
    print_overlap_row(c);
    print_certificate_row(c);
    print_energy_row(c);
    print_time_row(c, PRECISE, precise_ratio);
    for (int i = PRECISE + 1; i < OWN; i++) print_time_row(c, i, NAN);
    for (int p = 0; p < PEERS; p++) {
        const bench_settle_result *r = &c->others[p];
        if (arrived(c, r)) print_curve_row(c, peers[p].name, milliseconds(r), r->overlap, BENCH_RATIO_AT_LEAST);
    }
    for (int i = 0; i < REFERENCES && c->steps == c->scene.steps; i++) {
        const struct reference *r = &references[i];
        if (strcmp(r->scene, c->scene.name) == 0)
            print_curve_row(c, r->name, r->milliseconds, r->overlap, BENCH_NO_TARGET);
    }
}

int main(int argc, char **argv) {
    static contest c;
    bool quick = bench_take_option(&argc, argv, "--quick");
    c.json = bench_wants_json(argc, argv);
    c.limit = quick ? quick_limit : limit;
    for (int s = 0; s < SCENES; s++) {
        bench_settle_make(scene_names[s], &c.scene);
        c.steps = quick ? c.scene.steps / 4 : c.scene.steps;
        char title[256];
        snprintf(title, sizeof title,
                 "pile: %d bodies settle (%s), processor time of one thread a step, errors as the "
                 "largest overlap in the last 100 of %d steps, m",
                 c.scene.count, c.scene.name, c.steps);
        for (int i = 0; i < OWN; i++) run_own(&c, i);
        for (int p = 0; p < PEERS; p++) run_peer(&c, p);
        bench_print_heading(c.json, title);
        print_rows(&c);
    }
    if (!c.json) printf("* measured elsewhere, on an AMD EPYC of about 2.45 GHz, not in this run\n");
    return 0;
}
