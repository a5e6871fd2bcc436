// SPDX-License-Identifier: MIT
// Distances, depths and centre rays of convex shapes beside libccd, FCL, Bullet and MuJoCo: the same pairs, exact
// values from slow references, carom and the peers in turns. A row with a target has the fastest peer that is accurate;
// the rows below it have every peer, whatever its error.
//
// Distance: pairs apart. Depth: pairs that overlap. Cold: unrelated pairs. Warm: pairs that move by 5 mm and 5 mrad
// between queries, everyone starting from what he found last, where he can. carom takes the first optimal answer, as
// the peers do, except in rows that say "settled" (its default).
//
// At the end, or with --overlap alone: the test of overlapping oriented simplices beside the ray, with operations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exact/pair_source.h"
#include "overlap/overlap_table.h"
#include "support/narrow_carom.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/timing.h"

enum { ROUNDS = 5 };

static const char bench_name[] = "distance";

// ---- what is measured

// How many times faster than the fastest accurate peer; 0: no target.
typedef struct targets {
    double distance, depth, warm;             // of the gap
    double ray_distance, ray_depth, ray_warm; // of the ray, against their distance and depth
    double batch;                             // ns a pair, of many gaps in one call
} targets;

// A peer with a larger error is no match, m; and what peers get that take a tolerance, the loosest with which they can
// be accurate. Of polytopes, where they end after finitely many steps, a tight one costs them nothing.
typedef struct demands {
    double accurate, distance_tolerance, depth_tolerance;
} demands;

static const struct solids {
    const char *name;
    bench_pair_recipe recipe;
    demands demands;
    targets targets;
} solids[] = {
    {"8 vertices", {BENCH_HULL, 8, 200, 1.36, 0.5, 4000, 200, 4000}, {1e-9, 1e-12, 1e-12}, {4, 4, 15, 6, 10, 20, 0}},
    {"32 vertices", {BENCH_HULL, 32, 200, 1.78, 0.5, 3000, 150, 3000}, {1e-9, 1e-12, 1e-12}, {4, 4, 15, 6, 10, 20, 0}},
    {"128 vertices", {BENCH_HULL, 128, 100, 1.93, 0.3, 1000, 50, 1000}, {1e-9, 1e-12, 1e-12}, {4, 4, 15, 6, 10, 20, 0}},
    // The slow references take 0.1 s a pair; nearly balls, most are surely in their state without them.
    {"1000 vertices", {BENCH_HULL, 1000, 20, 1.98, 0.3, 200, 10, 40}, {1e-9, 1e-12, 1e-12}, {0, 0, 0, 0, 0, 0, 0}},
    {"boxes", {BENCH_BOX, 0, 200, 1.0, 0.4, 4000, 200, 4000}, {1e-9, 1e-12, 1e-12}, {0, 0, 0, 0, 0, 0, 0}},
    {"ellipsoids",
     {BENCH_ELLIPSOID, 0, 1, 0.75, 0.35, 2000, 100, 2000},
     {1e-6, 1e-7, 1e-13},
     {20, 20, 0, 0, 0, 0, 120}},
};
enum { KINDS = sizeof solids / sizeof solids[0], SMALLEST = 0, LARGEST = 3 };

// From 8 to 1000 vertices the cost grows less than this.
static const double most_growth = 10.0;

static const struct setting {
    bench_pair_state state;
    bool moving;
    const char *name;
} settings[] = {
    {BENCH_APART, false, "distance cold"},    {BENCH_APART, true, "distance warm"},
    {BENCH_OVERLAPPING, false, "depth cold"}, {BENCH_OVERLAPPING, true, "depth warm"},
    {BENCH_TOUCHING, false, "touching cold"},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const struct peer {
    const char *name, *program, *method;
} peers[] = {
    {"Bullet double, GJK", "narrow_bullet", "pair detector"},
    {"Bullet double, EPA2", "narrow_bullet", "EPA2"},
    {"Bullet float, GJK", "narrow_bullet_float", "pair detector"},
    {"Bullet float, EPA2", "narrow_bullet_float", "EPA2"},
    {"FCL by libccd", "narrow_fcl", "by libccd"},
    {"FCL, own solver", "narrow_fcl", "own solver"},
    {"libccd GJK, EPA", "narrow_ccd", "GJK and EPA"},
    {"libccd MPR", "narrow_ccd", "MPR"},
    {"libccd GJK, yes or no", "narrow_ccd", "GJK, yes or no"},
    {"libccd MPR, yes or no", "narrow_ccd", "MPR, yes or no"},
    {"MuJoCo", "narrow_mujoco", "mj_collision"},
};
enum { PEERS = sizeof peers / sizeof peers[0] };

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- rounds

typedef struct score {
    bench_narrow_result result; // of the last round, except for the time
    double seconds[ROUNDS];
    bool absent; // a peer whose program is not there; noted at the first of its ways
    double mean_supports;
    int most_supports;
} score;

typedef struct contest {
    const struct solids *solids;
    const struct setting *setting;
    int pair_count;
    score carom[BENCH_CAROM_WAYS], peers[PEERS];
} contest;

static void run_peers(const char *path, int round, contest *c) {
    char answer[BENCH_PEER_ANSWER];
    const char *arguments[] = {path, NULL};
    for (int p = 0; p < PEERS; p++) {
        score *s = &c->peers[p];
        // The ways of one program stand together: it runs once for all of them.
        bool again = p > 0 && strcmp(peers[p].program, peers[p - 1].program) == 0;
        if (!again) s->absent = !bench_peer_run(peers[p].program, arguments, answer);
        if (s->absent) answer[0] = '\0';
        s->result = bench_narrow_read(answer, peers[p].method);
        s->seconds[round] = s->result.seconds;
    }
}

static void run_carom(bench_carom *carom, int round, contest *c) {
    for (int way = 0; way < BENCH_CAROM_WAYS; way++) {
        score *s = &c->carom[way];
        s->result = bench_carom_run(carom, (bench_carom_way)way);
        s->seconds[round] = s->result.missing == 0 ? s->result.seconds : NAN; // speed without an answer is none
        bench_carom_supports(carom, &s->mean_supports, &s->most_supports);
    }
}

static void run_contest(const bench_pair_set *set, const char *path, contest *c) {
    bench_carom *carom = bench_carom_make(set);
    if (carom == NULL || !bench_pairs_write(path, set)) stop("cannot make the pairs, or their file for the peers");
    c->pair_count = set->pair_count - set->track_count;
    for (int round = 0; round < ROUNDS; round++) {
        run_carom(carom, round, c);
        run_peers(path, round, c);
    }
    bench_carom_free(carom);
    for (int way = 0; way < BENCH_CAROM_WAYS; way++)
        c->carom[way].result.seconds = bench_median(c->carom[way].seconds, ROUNDS);
    for (int p = 0; p < PEERS; p++) c->peers[p].result.seconds = bench_median(c->peers[p].seconds, ROUNDS);
}

// ---- rows

// The fastest peer that is accurate on all pairs but one in a hundred, for which it may give no answer; -1: none.
static int best_peer(const contest *c) {
    int best = -1;
    for (int p = 0; p < PEERS; p++) {
        const bench_narrow_result *r = &c->peers[p].result;
        if (!(r->error < c->solids->demands.accurate) || 100 * r->missing > c->pair_count) continue;
        if (best < 0 || r->seconds < c->peers[best].result.seconds) best = p;
    }
    return best;
}

static bench_row row_of(const contest *c, bench_carom_way way, const char *name) {
    bench_row row = bench_row_of(bench_name, name, "ns");
    row.carom = 1e9 * c->carom[way].result.seconds;
    row.error = c->carom[way].result.error;
    return row;
}

static void set_peer(const contest *c, int p, bench_row *row) {
    if (p < 0) return;
    row->peer = peers[p].name;
    row->peer_value = 1e9 * c->peers[p].result.seconds;
    row->peer_error = c->peers[p].result.error;
}

static void set_target(bench_target kind, double target, bench_row *row) {
    if (target == 0.0) return;
    row->target_kind = kind;
    row->target = target;
}

// One way of carom's beside the fastest accurate peer; the row is called "SOLIDS, SETTING SUFFIX".
static void print_best(bool json, const contest *c, bench_carom_way way, const char *suffix, double target) {
    char name[96];
    snprintf(name, sizeof name, "%s, %s%s", c->solids->name, c->setting->name, suffix);
    bench_row row = row_of(c, way, name);
    set_peer(c, best_peer(c), &row);
    set_target(BENCH_RATIO_AT_LEAST, target, &row);
    bench_print_row(json, &row);
}

static void print_batch(bool json, const contest *c) {
    char name[96];
    snprintf(name, sizeof name, "%s, %s, batch", c->solids->name, c->setting->name);
    bench_row row = row_of(c, BENCH_CAROM_BATCH, name);
    bool has_target = !c->setting->moving && c->setting->state != BENCH_TOUCHING;
    set_target(BENCH_VALUE_AT_MOST, has_target ? c->solids->targets.batch : 0.0, &row);
    bench_print_row(json, &row);
}

static void print_every_peer(bool json, const contest *c) {
    char name[96];
    snprintf(name, sizeof name, "%s, %s", c->solids->name, c->setting->name);
    for (int p = 0; p < PEERS; p++) {
        if (p == best_peer(c) || isnan(c->peers[p].result.seconds)) continue;
        bench_row row = row_of(c, BENCH_CAROM_GAP, name);
        set_peer(c, p, &row);
        bench_print_row(json, &row);
    }
}

static void print_supports(const contest *c) {
    const score *gap = &c->carom[BENCH_CAROM_GAP], *ray = &c->carom[BENCH_CAROM_RAY];
    printf("    support points, mean and most: gap %.2f %d, ray %.2f %d", gap->mean_supports, gap->most_supports,
           ray->mean_supports, ray->most_supports);
    const char *before = "; no or a wrong answer:";
    for (int p = 0; p < PEERS; p++)
        if (c->peers[p].result.missing > 0) {
            printf("%s %s %d of %d", before, peers[p].name, c->peers[p].result.missing, c->pair_count);
            before = ",";
        }
    printf("\n");
}

static double gap_target(const contest *c) {
    const targets *t = &c->solids->targets;
    if (c->setting->state == BENCH_TOUCHING) return 0.0;
    if (c->setting->moving) return t->warm;
    return c->setting->state == BENCH_APART ? t->distance : t->depth;
}

static double ray_target(const contest *c) {
    const targets *t = &c->solids->targets;
    if (c->setting->state == BENCH_TOUCHING) return 0.0;
    if (c->setting->moving) return c->setting->state == BENCH_APART ? t->ray_warm : 0.0;
    return c->setting->state == BENCH_APART ? t->ray_distance : t->ray_depth;
}

static void print_contest(bool json, const contest *c) {
    print_best(json, c, BENCH_CAROM_GAP, "", gap_target(c));
    print_best(json, c, BENCH_CAROM_GAP_SETTLED, ", settled", 0.0);
    print_best(json, c, BENCH_CAROM_RAY, ": ray", ray_target(c));
    print_best(json, c, BENCH_CAROM_RAY_SETTLED, ": ray, settled", 0.0);
    if (c->solids->targets.batch > 0.0) print_batch(json, c);
    print_every_peer(json, c);
    if (!json) print_supports(c);
}

// ---- carom beside carom

// Does the ratio metric, which the ray finds, cost less than the Euclidean measure of the same pairs?
static void print_ratio_row(bool json, const contest *c) {
    char name[96];
    snprintf(name, sizeof name, "ratio metric, %s, %s", c->solids->name, c->setting->name);
    bench_row row = row_of(c, BENCH_CAROM_RAY, name);
    row.peer = c->setting->state == BENCH_OVERLAPPING ? "carom's depth" : "carom's distance";
    row.peer_value = 1e9 * c->carom[BENCH_CAROM_GAP].result.seconds;
    row.peer_error = c->carom[BENCH_CAROM_GAP].result.error;
    bench_print_row(json, &row);
}

static void print_growth_row(bool json, const contest *small, const contest *large, bench_carom_way way,
                             const char *what) {
    char name[96];
    snprintf(name, sizeof name, "1000 over 8 vertices, %s", what);
    bench_row row = bench_row_of(bench_name, name, "times");
    row.carom = large->carom[way].result.seconds / small->carom[way].result.seconds;
    row.error = large->carom[way].result.error;
    set_target(BENCH_VALUE_AT_MOST, most_growth, &row);
    bench_print_row(json, &row);
}

static void print_growth(bool json, contest contests[KINDS][SETTINGS]) {
    for (int s = 0; s < SETTINGS; s++) {
        if (settings[s].state == BENCH_TOUCHING) continue;
        char ray[64];
        snprintf(ray, sizeof ray, "%s: ray", settings[s].name);
        print_growth_row(json, &contests[SMALLEST][s], &contests[LARGEST][s], BENCH_CAROM_GAP, settings[s].name);
        print_growth_row(json, &contests[SMALLEST][s], &contests[LARGEST][s], BENCH_CAROM_RAY, ray);
    }
}

// However the program ends, the file for the peers goes.
static const char *pairs_path;

static void remove_pairs(void) {
    unlink(pairs_path);
}

static const char *make_pairs_file(void) {
    const char *folder = getenv("TMPDIR");
    static char path[4096];
    snprintf(path, sizeof path, "%.4000s/carom-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) stop("cannot make a file in the temporary folder; set TMPDIR to one that can be written");
    close(file);
    pairs_path = path;
    atexit(remove_pairs);
    return path;
}

int main(int argc, char **argv) {
    bool overlap_only = bench_take_option(&argc, argv, "--overlap"), json = bench_wants_json(argc, argv);
    if (overlap_only) {
        bench_print_overlaps(json, bench_name);
        return 0;
    }
    const char *path = make_pairs_file();
    static contest contests[KINDS][SETTINGS];
    bench_print_heading(json, "distance: one query, processor time of one thread, errors in m of bodies of about 1 m");
    for (int k = 0; k < KINDS; k++) {
        bench_pair_source *source = bench_source_make(&solids[k].recipe);
        if (source == NULL) stop("the exact distances do not accept the shapes");
        for (int s = 0; s < SETTINGS; s++) {
            contest *c = &contests[k][s];
            *c = (contest){.solids = &solids[k], .setting = &settings[s]};
            bench_pair_set set = bench_source_draw(source, settings[s].state, settings[s].moving);
            if (set.pairs == NULL) stop("no memory for the pairs");
            bool overlapping = settings[s].state == BENCH_OVERLAPPING;
            set.tolerance = overlapping ? solids[k].demands.depth_tolerance : solids[k].demands.distance_tolerance;
            run_contest(&set, path, c);
            print_contest(json, c);
            free(set.pairs);
        }
        bench_source_free(source);
    }
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SETTINGS; s++) print_ratio_row(json, &contests[k][s]);
    print_growth(json, contests);
    bench_print_overlaps(json, bench_name);
    for (int p = 0; p < PEERS; p++)
        if (contests[0][0].peers[p].absent)
            fprintf(stderr, "carom: the peer %s is missing; 'make bench' installs and builds it\n", peers[p].name);
    return 0;
}
