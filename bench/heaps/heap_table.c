// SPDX-License-Identifier: MIT
#include "heaps/heap_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/report.h"

// ---- one contest

static const bench_heap_result *bullet_10(const bench_heap_contest *c) {
    const bench_heap_result *r = &c->peers[BENCH_HEAP_BULLET_10];
    return r->steps > 0 ? r : NULL;
}

static void print_figure(const char *format, double value) {
    if (isfinite(value))
        printf(format, value);
    else
        printf(" %8s", "-");
}

static void print_row(const bench_heap_contest *c, const char *name, const bench_heap_result *r, bool own) {
    const bench_heap_result *peer = bullet_10(c);
    printf("  %-16s %8.3f %8.3f %8.2f", name, 1e3 * r->mean, 1e3 * r->median, 1e3 * r->worst);
    print_figure(" %8.2f", peer != NULL ? r->mean / peer->mean : NAN);
    print_figure(" %8.3f", own ? 1e3 * r->detection : NAN);
    print_figure(" %8.3f", own ? 1e3 * r->solving : NAN);
    printf(" %8.0f", r->contacts);
    print_figure(" %7.1f%%", own ? 100.0 * r->above / r->steps : NAN);
    print_figure(" %8.1e", r->overlap);
    print_figure(" %8.1e", r->residual);
    print_figure(" %8.1e", r->largest_residual);
    print_figure(" %8.1e", own ? r->largest_stated : NAN);
    print_figure(" %7.0f%%", own ? 100.0 * r->budget : NAN);
    printf(r->ended ? "\n" : "  cut after %d steps\n", r->steps);
}

static void print_number(const char *key, double value) {
    if (isfinite(value))
        printf(",\"%s\":%.6g", key, value);
    else
        printf(",\"%s\":null", key);
}

static void print_line(const bench_heap_contest *c, const char *name, const bench_heap_result *r, bool own) {
    const bench_heap_result *peer = bullet_10(c);
    printf("{\"bench\":\"heaps\",\"case\":\"%s, %s\",\"steps\":%d,\"ended\":%s", c->heap.name, name, r->steps,
           r->ended ? "true" : "false");
    print_number("mean_ms", 1e3 * r->mean);
    print_number("median_ms", 1e3 * r->median);
    print_number("worst_ms", 1e3 * r->worst);
    print_number("to_bullet", peer != NULL ? r->mean / peer->mean : NAN);
    print_number("detection_ms", own ? 1e3 * r->detection : NAN);
    print_number("solution_ms", own ? 1e3 * r->solving : NAN);
    print_number("contacts", r->contacts);
    print_number("above", own ? (double)r->above / r->steps : NAN);
    print_number("overlap", r->overlap);
    print_number("residual", r->residual);
    print_number("largest_residual", r->largest_residual);
    print_number("largest_stated", own ? r->largest_stated : NAN);
    print_number("budget", own ? r->budget : NAN);
    printf("}\n");
}

static void print_heading(const bench_heap_contest *c) {
    printf("%s: %d bodies, %d steps of %.3g s\n", c->heap.name, c->heap.body_count, c->steps, c->heap.method.step);
    printf("  %-16s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "ms a step", "mean", "median", "worst",
           "x Bullet", "of it", "of it", "contacts", "steps", "largest", "residual", "", "", "budget");
    printf("  %-16s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "", "", "", "10", "detect", "solve", "",
           "above", "overlap", "median", "largest", "stated", "taken");
}

void bench_heap_print_contest(bool json, const bench_heap_contest *c) {
    void (*print)(const bench_heap_contest *, const char *, const bench_heap_result *, bool) =
        json ? print_line : print_row;
    if (!json) print_heading(c);
    for (int i = 0; i < BENCH_HEAP_SETTINGS; i++)
        if (c->ours[i].steps > 0) print(c, bench_heap_setting_name(i), &c->ours[i], true);
    for (int p = 0; p < BENCH_HEAP_PEERS; p++) {
        char name[64];
        if (c->peers[p].steps == 0) continue;
        snprintf(name, sizeof name, "%s, x%d", bench_heap_peer_name(p), c->length[p]);
        print(c, name, &c->peers[p], false);
    }
    fflush(stdout);
}

// ---- all of them

static const char column_name[] = "granular-column";

void bench_heap_tally_add(bench_heap_tally *tally, const bench_heap_contest *contest, int setting) {
    const bench_heap_result *r = &contest->ours[setting], *peer = bullet_10(contest);
    if (r->steps == 0) return;
    tally->heaps++;
    tally->steps += r->steps;
    tally->above += r->above;
    tally->largest_above = fmax(tally->largest_above, (double)r->above / r->steps);
    tally->largest_stated = fmax(tally->largest_stated, r->largest_stated);
    tally->budget = fmax(tally->budget, r->budget);
    tally->cut |= !r->ended;
    if (peer == NULL) return;
    tally->compared++;
    tally->log_ratio += log(r->mean / peer->mean);
    tally->largest_ratio = fmax(tally->largest_ratio, r->mean / peer->mean);
    double overlap = r->overlap / contest->least_overlap[BENCH_HEAP_BULLET_10];
    bool column = strcmp(contest->heap.name, column_name) == 0;
    double *largest = column ? &tally->column_overlap : &tally->largest_overlap;
    *largest = fmax(*largest, overlap);
    tally->has_column |= column;
}

static void print_target(bool json, const char *name, const char *what, const char *unit, double value, double target) {
    char text[96];
    snprintf(text, sizeof text, "%s, %s", name, what);
    bench_row row = bench_row_of("heaps", text, unit);
    row.carom = value;
    row.target = target;
    row.target_kind = isnan(target) ? BENCH_NO_TARGET : BENCH_VALUE_AT_MOST;
    bench_print_row(json, &row);
}

// A run that was cut has met no target.
void bench_heap_print_tally(bool json, const char *name, const bench_heap_tally *t, bench_heap_targets targets) {
    if (t->heaps == 0) return;
    bool compared = t->compared == t->heaps && !t->cut;
    print_target(json, name, "mean of ratios", "x B10", compared ? exp(t->log_ratio / t->compared) : NAN, targets.mean);
    print_target(json, name, "largest ratio", "x B10", compared ? t->largest_ratio : NAN, targets.most);
    print_target(json, name, "overlap over Bullet's", "", compared ? t->largest_overlap : NAN, targets.overlap);
    if (t->has_column)
        print_target(json, name, "overlap of the column", "", compared ? t->column_overlap : NAN, targets.column);
    print_target(json, name, "steps above, of a heap", "%", 100.0 * t->largest_above, 100.0 * targets.above);
    print_target(json, name, "steps above, of all", "%", 100.0 * t->above / t->steps, 100.0 * targets.total);
    print_target(json, name, "budget taken by a step", "%", 100.0 * t->budget, 100.0);
    print_target(json, name, "largest residual stated", "", t->largest_stated, targets.stated);
}
