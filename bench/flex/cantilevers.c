// SPDX-License-Identifier: MIT
// Where a cantilever hangs: `start` "equilibrium" beside CalculiX at a tolerance of 1e-8 and at its own. Times are from
// the mesh to the solution, CalculiX's with the reading of its file; errors the largest displacement that is off from
// carom's, over the largest one. CalculiX prints seven digits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "carom/carom.h"
#include "flex/flex_tables.h"
#include "math/vec3.h"
#include "support/contact_cases.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/timing.h"
#include "worlds/cantilever.h"

enum { ROUNDS = 3 };

// The least ratio of times, and the largest difference of displacements.
static const double least_ratio = 2.0, most_difference = 1e-7;

static const struct variant {
    const char *name, *tolerance;
} variants[] = {{"CalculiX, 1e-8", "1e-8"}, {"CalculiX", NULL}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static void require(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) stop(error->text);
}

// Into `displacements` (nodes); processor time, s.
static double solve(const bench_cantilever *c, carom_vec3 *displacements) {
    carom_error error;
    carom_model *model;
    carom_state *state;
    carom_flex beam;
    double start = crm_clock_thread_seconds();
    carom_model_def def = carom_model_def_default();
    def.gravity = (carom_vec3){0.0, 0.0, -BENCH_CANTILEVER_GRAVITY};
    require(carom_model_create(&def, &model, &error), &error);
    carom_flex_def flex = carom_flex_def_default();
    flex.mesh = c->mesh;
    flex.elastic = c->elastic;
    flex.fixed = c->held;
    flex.fixed_count = c->held_count;
    flex.start = CAROM_FLEX_START_EQUILIBRIUM;
    require(carom_model_add_flex(model, &flex, &beam, &error), &error);
    require(carom_model_freeze(model, &error), &error);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    require(carom_state_create(model, &method, &state, &error), &error);
    double seconds = crm_clock_thread_seconds() - start;
    require(carom_state_get_nodes(state, beam, displacements, NULL, &error), &error);
    for (int n = 0; n < carom_mesh_node_count(c->mesh); n++)
        displacements[n] = crm_sub(displacements[n], carom_mesh_nodes(c->mesh)[n]);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return seconds;
}

// ---- the peer

typedef struct score {
    double seconds[ROUNDS];
    double difference;
    int iterations;
    bool present;
} score;

static double find_difference(int nodes, const carom_vec3 *displacements) {
    char path[1024];
    snprintf(path, sizeof path, "%.900s/displacements", bench_scratch_folder());
    FILE *file = fopen(path, "rb");
    double worst = 0.0, largest = 0.0;
    int n = 0;
    for (carom_vec3 u; file != NULL && n < nodes && fread(&u, sizeof u, 1, file) == 1; n++) {
        worst = fmax(worst, crm_distance(u, displacements[n]));
        largest = fmax(largest, crm_length(displacements[n]));
    }
    if (file != NULL) fclose(file);
    return n == nodes ? worst / largest : NAN;
}

static void run_peer(const struct variant *variant, int round, int nodes, const carom_vec3 *displacements, score *s) {
    const char *arguments[] = {bench_scratch_folder(), variant->tolerance, NULL};
    char answer[BENCH_PEER_ANSWER];
    if (round > 0 && !s->present) return;
    s->present = bench_peer_run("cantilever_ccx", arguments, answer);
    if (!s->present) return;
    s->seconds[round] = bench_peer_number(answer, "seconds");
    s->iterations = (int)bench_peer_number(answer, "iterations");
    s->difference = find_difference(nodes, displacements);
}

// ---- rows

static void print_rows(bool json, int nodes, double *seconds, score *scores) {
    char name[64];
    snprintf(name, sizeof name, "%d nodes, where it hangs", nodes);
    bench_row row = bench_row_of("flex", name, "ms");
    row.carom = 1e3 * bench_median(seconds, ROUNDS);
    for (int v = 0; v < VARIANTS; v++) {
        row.peer = variants[v].name;
        row.peer_value = scores[v].present ? 1e3 * bench_median(scores[v].seconds, ROUNDS) : NAN;
        row.peer_error = scores[v].present ? scores[v].difference : NAN;
        row.target_kind = v == 0 ? BENCH_RATIO_AT_LEAST : BENCH_NO_TARGET;
        row.target = v == 0 ? least_ratio : NAN;
        bench_print_row(json, &row);
    }
    bench_row difference = bench_row_of("flex", "its displacements, from CalculiX's at 1e-8", "");
    difference.carom = scores[0].present ? scores[0].difference : NAN;
    difference.target_kind = BENCH_VALUE_AT_MOST;
    difference.target = most_difference;
    bench_print_row(json, &difference);
    if (!json && scores[0].present && scores[1].present)
        printf("  CalculiX took %d iterations of Newton's method at 1e-8 and %d at its own tolerance\n",
               scores[0].iterations, scores[1].iterations);
}

void bench_flex_cantilevers(bool json) {
    bench_print_heading(json, "A cantilever of elements with ten nodes, Saint-Venant's and Kirchhoff's material");
    bench_cantilever cantilever = bench_cantilever_make();
    int nodes = carom_mesh_node_count(cantilever.mesh);
    carom_vec3 *displacements = malloc(sizeof *displacements * (size_t)nodes);
    double seconds[ROUNDS];
    score scores[VARIANTS] = {{.present = false}};
    if (displacements == NULL) stop("no memory");
    for (int round = 0; round < ROUNDS; round++) {
        seconds[round] = solve(&cantilever, displacements);
        for (int v = 0; v < VARIANTS; v++) run_peer(&variants[v], round, nodes, displacements, &scores[v]);
    }
    if (!scores[0].present)
        fprintf(stderr, "carom: the peer CalculiX is missing; 'make bench' installs it and builds its driver\n");
    print_rows(json, nodes, seconds, scores);
    free(displacements);
    bench_cantilever_free(&cantilever);
}
