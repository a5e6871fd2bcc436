// SPDX-License-Identifier: MIT
// The collision phase: from poses to contacts, of 1,000 to 100,000 bodies in moving beds, beside Bullet and ODE on the
// same states in the same run.
//
// Times are of one step, medians over steps and rounds, carom and the peers in turns: processor time of one thread,
// wall time for two. What is neither broad nor narrow phase is the gathering of the list. Errors are found in the last
// step, on exact overlaps by separating axes and by the ellipsoids' reference: the largest error of a pair's best
// contact, m of bodies of about 1 m. Overlaps without any contact are counted in rows of their own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bed_exact.h"
#include "support/contact_cases.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/timing.h"
#include "worlds/bed_carom.h"
#include "worlds/bed_packing.h"

enum { MOST_ROUNDS = 3, ALL_BODIES = 1 << 30, THREADS = 2 };

// ---- what is measured

static const struct bed {
    const char *name;
    bench_bed_recipe recipe;
    bool boxes_only;
    int checked; // bodies whose pairs are checked; ellipsoids take the reference a while
} beds[] = {
    {"boxes 1:2", {.box_share = 1.0, .smallest = 1.0, .ratio = 2.0}, true, ALL_BODIES},
    {"bricks", {.bricks = true, .smallest = 1.0, .ratio = 1.0}, true, ALL_BODIES},
    {"ellipsoids 1:2", {.box_share = 0.0, .smallest = 1.0, .ratio = 2.0}, false, 1000},
    {"mixed 1:2", {.box_share = 0.5, .smallest = 1.0, .ratio = 2.0}, false, 1000},
    {"mixed 1:20", {.box_share = 0.5, .smallest = 0.5, .ratio = 20.0}, false, 1000},
};
enum { BEDS = sizeof beds / sizeof beds[0] };

static const struct size {
    int columns, rows; // of cells
    int steps, rounds;
    bool with_peers;
} sizes[] = {{1, 1, 30, 3, true}, {5, 2, 15, 3, true}, {10, 10, 4, 1, false}};
enum { SIZES = sizeof sizes / sizeof sizes[0], MIDDLE = 1, LARGEST = 2 };

static const struct peer {
    const char *name, *program, *engine;
    bool boxes_only;
    int family; // the fastest of a family is the one that counts
} peers[] = {
    {"Bullet double", "contact_bullet", "trees", false, 0},
    {"Bullet float", "contact_bullet_float", "trees", false, 0},
    {"ODE sweep and prune", "contact_ode", "sweep", true, 1},
    {"ODE hash space", "contact_ode", "hash", true, 1},
    {"ODE quad tree", "contact_ode", "quadtree", true, 1},
};
enum { PEERS = sizeof peers / sizeof peers[0], FAMILIES = 2 };

// Targets.
static const double least_ratio = 2.0;  // at 10,000 boxes, over the fastest of each family
static const double most_growth = 1.15; // exponent of the time from 10,000 to 100,000 bodies

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- rounds

typedef struct score {
    bench_bed_times rounds[MOST_ROUNDS];
    bench_bed_result result; // of all rounds; NAN when absent
    bench_bed_verdict verdict;
    bool present;
} score;

typedef struct contest {
    const struct bed *bed;
    const struct size *size;
    int count; // of bodies
    score carom, threaded, peers[PEERS];
    carom_contact_report report;
} contest;

static const char *scratch_path(const char *name) {
    static char path[2][BENCH_PATH_SIZE + 64];
    static int slot;
    slot = !slot;
    snprintf(path[slot], sizeof path[slot], "%s/%s", bench_scratch_folder(), name);
    return path[slot];
}

static void run_peer(int round, const bench_bed_list *overlaps, const struct peer *peer, const contest *c, score *s) {
    char answer[BENCH_PEER_ANSWER], steps[16];
    const char *bed = scratch_path("bed"), *contacts = scratch_path("contacts");
    if ((round > 0 && !s->present) || (peer->boxes_only && !c->bed->boxes_only)) return;
    snprintf(steps, sizeof steps, "%d", c->size->steps);
    const char *arguments[] = {bed, steps, peer->engine, contacts, NULL};
    s->present = bench_peer_run(peer->program, arguments, answer);
    if (!s->present) return;
    s->result = bench_bed_result_read(answer);
    s->rounds[round] = s->result.median;
    bench_bed_list found;
    if (round == 0 && bench_bed_list_read(contacts, &found)) {
        s->verdict = bench_bed_compare(overlaps, &found);
        bench_bed_list_free(&found);
    }
}

static void run_carom(int round, const bench_bed_list *overlaps, bench_bed_carom *carom, contest *c, score *s) {
    s->present = true;
    s->result = bench_bed_carom_run(carom, c->size->steps, &c->report);
    s->rounds[round] = s->result.median;
    if (round > 0) return;
    bench_bed_list found = {0};
    bench_bed_carom_list(carom, &found);
    s->verdict = bench_bed_compare(overlaps, &found);
    bench_bed_list_free(&found);
}

static void finish(int rounds, score *s) {
    if (s->present)
        s->result.median = bench_bed_median(s->rounds, rounds);
    else
        s->result.median = (bench_bed_times){NAN, NAN, NAN};
}

static void run_contest(const bench_bed *bed, contest *c) {
    const struct size *size = c->size;
    int last_step = BENCH_BED_WARM_STEPS + size->steps - 1;
    bench_bed_list overlaps = bench_bed_overlaps(bed, last_step * BENCH_BED_STEP, c->bed->checked);
    bench_bed_carom *one = bench_bed_carom_make(bed, 1), *several = bench_bed_carom_make(bed, THREADS);
    if (size->with_peers && !bench_bed_write(scratch_path("bed"), bed)) stop("cannot write a bed for the peers");
    for (int round = 0; round < size->rounds; round++) {
        run_carom(round, &overlaps, several, c, &c->threaded);
        run_carom(round, &overlaps, one, c, &c->carom);
        for (int p = 0; p < PEERS && size->with_peers; p++) run_peer(round, &overlaps, &peers[p], c, &c->peers[p]);
    }
    finish(size->rounds, &c->carom);
    finish(size->rounds, &c->threaded);
    for (int p = 0; p < PEERS; p++) finish(size->rounds, &c->peers[p]);
    bench_bed_carom_free(one);
    bench_bed_carom_free(several);
    bench_bed_list_free(&overlaps);
}

// ---- rows

static bench_row row_of(const contest *c, const char *what, const char *unit, double value) {
    static char name[96];
    snprintf(name, sizeof name, "%s, %d: %s", c->bed->name, c->count, what);
    bench_row row = bench_row_of("contact", name, unit);
    row.carom = value;
    return row;
}

// The fastest of a family; -1 when none is there.
static int best_of(const contest *c, int family) {
    int best = -1;
    for (int p = 0; p < PEERS; p++)
        if (peers[p].family == family && c->peers[p].present &&
            (best < 0 || c->peers[p].result.median.total < c->peers[best].result.median.total))
            best = p;
    return best;
}

static void print_together(bool json, const contest *c, int p, bool has_target) {
    bench_row row = row_of(c, "together", "ms", 1e3 * c->carom.result.median.total);
    row.error = c->carom.verdict.error;
    if (p >= 0) {
        row.peer = peers[p].name;
        row.peer_value = 1e3 * c->peers[p].result.median.total;
        row.peer_error = c->peers[p].verdict.error;
    }
    if (has_target) {
        row.target_kind = BENCH_RATIO_AT_LEAST;
        row.target = least_ratio;
    }
    bench_print_row(json, &row);
}

static void print_phases(bool json, const contest *c) {
    bench_row row = row_of(c, "broad", "ms", 1e3 * c->carom.result.median.broad);
    bench_print_row(json, &row);
    row = row_of(c, "narrow", "ms", 1e3 * c->carom.result.median.narrow);
    bench_print_row(json, &row);
    row = row_of(c, "together, 2 threads", "ms", 1e3 * c->threaded.result.median.total);
    row.error = c->threaded.verdict.error;
    bench_print_row(json, &row);
    row = row_of(c, "memory of a body", "bytes", (double)c->report.bytes / c->count);
    bench_print_row(json, &row);
}

static void print_missed(bool json, const contest *c, int p) {
    bench_row row = row_of(c, "overlaps missed", "", c->carom.verdict.missed);
    if (p >= 0) {
        row.peer = peers[p].name;
        row.peer_value = c->peers[p].verdict.missed;
    } else {
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = 0.0;
    }
    bench_print_row(json, &row);
}

static void print_counts(const contest *c) {
    const bench_bed_result *r = &c->carom.result;
    printf("    %lld pairs, %lld asked, %lld contacts, %d overlaps checked; %.0f ns a pair, %.0f ns a contact",
           (long long)r->pairs, (long long)c->report.asked, (long long)r->contacts, c->carom.verdict.overlaps,
           1e9 * r->median.total / (double)r->pairs, 1e9 * r->median.total / (double)r->contacts);
    for (int p = 0; p < PEERS; p++)
        if (c->peers[p].present)
            printf("\n    %s: %lld pairs, %lld contacts; broad %.3g ms, narrow %.3g ms", peers[p].name,
                   (long long)c->peers[p].result.pairs, (long long)c->peers[p].result.contacts,
                   1e3 * c->peers[p].result.median.broad, 1e3 * c->peers[p].result.median.narrow);
    printf("\n");
}

static void print_contest(bool json, const contest *c) {
    print_missed(json, c, -1);
    print_phases(json, c);
    if (!c->size->with_peers) print_together(json, c, -1, false);
    for (int family = 0; family < FAMILIES && c->size->with_peers; family++) {
        int best = best_of(c, family);
        bool has_target = c->bed->boxes_only && c->size == &sizes[MIDDLE];
        if (best >= 0 || has_target) print_together(json, c, best, has_target);
        for (int p = 0; p < PEERS; p++) {
            if (peers[p].family != family || !c->peers[p].present) continue;
            if (p != best) print_together(json, c, p, false);
            print_missed(json, c, p);
        }
    }
    if (!json) print_counts(c);
}

static void print_growth(bool json, const contest *middle, const contest *largest) {
    char name[96];
    snprintf(name, sizeof name, "%s, growth from %d to %d", largest->bed->name, middle->count, largest->count);
    bench_row row = bench_row_of("contact", name, "");
    row.carom = log(largest->carom.result.median.total / middle->carom.result.median.total) /
                log((double)largest->count / middle->count);
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = most_growth;
    bench_print_row(json, &row);
}

static void run_bed(bool json, const struct bed *bed, contest contests[SIZES]) {
    static bench_cell cell;
    if (!bench_cell_make(&bed->recipe, &cell)) stop("no memory for a bed");
    if (!json) printf("  %s: %.2f of the volume filled\n", bed->name, cell.packing);
    for (int s = 0; s < SIZES; s++) {
        bench_bed copies = bench_bed_of(&cell, sizes[s].columns, sizes[s].rows);
        if (copies.bodies == NULL) stop("no memory for a bed");
        contests[s] = (contest){.bed = bed, .size = &sizes[s], .count = copies.count};
        run_contest(&copies, &contests[s]);
        print_contest(json, &contests[s]);
        bench_bed_free(&copies);
    }
    print_growth(json, &contests[MIDDLE], &contests[LARGEST]);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    static contest contests[BEDS][SIZES];
    bench_print_heading(json, "contact: a step of the collision phase on moving beds, errors of depths in m of bodies "
                              "of about 1 m");
    for (int b = 0; b < BEDS; b++) run_bed(json, &beds[b], contests[b]);
    for (int p = 0; p < PEERS; p++)
        if (!contests[0][0].peers[p].present)
            fprintf(stderr, "carom: the peer %s is missing; 'make bench' installs and builds it\n", peers[p].name);
    return 0;
}
