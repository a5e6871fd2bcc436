// SPDX-License-Identifier: MIT
// Refactorization of block matrices from piles of bodies: Cholesky beside CHOLMOD, LDL^T and LU beside Cholesky.
// Carom and the peer take turns, so that a change in the machine's load meets both.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "math/block/block_factor.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/sparse_file.h"
#include "support/timing.h"
#include "worlds/pile.h"

enum { ROUNDS = 7, KINDS = 3, MOST_REPETITIONS = 2000 };

typedef struct pile_case {
    const char *name; // of the pile; the rows are called NAME, "NAME, LDL^T", "NAME, LU"
    int body_count, contact_count;
    int repetitions; // in each round
    bench_target target_kind;
    double target;
} pile_case;

static const pile_case cases[] = {
    // At most half of the time of the better of CHOLMOD's two methods.
    {"1000 bodies, 2500 contacts", 1000, 2500, 9, BENCH_RATIO_AT_LEAST, 2.0},
    {"1000 bodies, 960 contacts", 1000, 960, 51, BENCH_RATIO_AT_LEAST, 2.0},
    {"10 bodies, 20 contacts", 10, 20, 1001, BENCH_VALUE_AT_MOST, 10.0},
};

// LU does twice the arithmetic of Cholesky; a tenth more is allowed for what surrounds it.
static const double lu_per_cholesky = 2.2;

// One matrix with its factor of one kind.
typedef struct contestant {
    crm_block_matrix matrix;
    crm_block_factor factor;
    double seconds[ROUNDS];
    double error;
} contestant;

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static contestant enter(crm_block_factor_kind kind, const crm_block_matrix *matrix, const crm_block_symbolic *symbolic,
                        crm_arena *arena) {
    contestant result = {.matrix = *matrix};
    carom_error error;
    if (crm_block_factor_create(symbolic, kind, arena, &result.factor, &error) != CAROM_OK) stop(error.text);
    return result;
}

static double median_seconds(contestant *c, int repetitions) {
    static double seconds[MOST_REPETITIONS];
    crm_block_factor_report report;
    for (int i = 0; i < repetitions; i++) {
        double start = crm_clock_thread_seconds();
        crm_block_factor_compute(&c->factor, &c->matrix, &report);
        seconds[i] = crm_clock_thread_seconds() - start;
    }
    return bench_median(seconds, repetitions);
}

// Largest entry of A x - b over the largest of b.
static double residual(const contestant *c, const double *b, crm_arena *arena) {
    crm_mark mark = crm_arena_mark(arena);
    int n = c->matrix.scalar_count;
    double *x = CRM_ARENA_ARRAY(arena, double, n), *product = CRM_ARENA_ARRAY(arena, double, n);
    double *scratch = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&c->factor));
    if (x == NULL || product == NULL || scratch == NULL) stop("no memory for the residual");
    memcpy(x, b, (size_t)n * sizeof(double));
    crm_block_factor_solve(&c->factor, 1, x, n, scratch);
    crm_block_matrix_apply(&c->matrix, x, product);
    double largest = 0.0, scale = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(product[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    crm_arena_release(arena, mark);
    return largest / scale;
}

typedef struct peer_times {
    double simplicial[ROUNDS], supernodal[ROUNDS];
    double simplicial_error, supernodal_error;
    bool present;
} peer_times;

static void run_peer_round(const char *path, int repetitions, int round, peer_times *times) {
    char count[16], answer[BENCH_PEER_ANSWER];
    snprintf(count, sizeof count, "%d", repetitions);
    const char *arguments[] = {path, count, NULL};
    if (!times->present || !(times->present = bench_peer_run("cholmod", arguments, answer))) return;
    times->simplicial[round] = bench_peer_number(answer, "simplicial");
    times->supernodal[round] = bench_peer_number(answer, "supernodal");
    times->simplicial_error = bench_peer_number(answer, "simplicial_error");
    times->supernodal_error = bench_peer_number(answer, "supernodal_error");
}

static void print_cholesky_row(bool json, const pile_case *pile, contestant *cholesky, peer_times *times) {
    bench_row row = bench_row_of("cholesky", pile->name, "us");
    row.carom = 1e6 * bench_median(cholesky->seconds, ROUNDS);
    row.target_kind = pile->target_kind;
    row.target = pile->target;
    row.error = cholesky->error;
    if (times->present) {
        double simplicial = bench_median(times->simplicial, ROUNDS),
               supernodal = bench_median(times->supernodal, ROUNDS);
        bool simplicial_wins = simplicial < supernodal;
        row.peer = simplicial_wins ? "CHOLMOD simplicial" : "CHOLMOD supernodal";
        row.peer_value = 1e6 * (simplicial_wins ? simplicial : supernodal);
        row.peer_error = simplicial_wins ? times->simplicial_error : times->supernodal_error;
    }
    bench_print_row(json, &row);
}

// A row that compares one of our kinds with our Cholesky.
static void print_kind_row(bool json, const pile_case *pile, const char *kind, contestant *c, contestant *cholesky,
                           double most) {
    char name[96];
    snprintf(name, sizeof name, "%s, %s", pile->name, kind);
    bench_row row = bench_row_of("cholesky", name, "us");
    row.carom = 1e6 * bench_median(c->seconds, ROUNDS);
    row.peer = "carom's Cholesky";
    row.peer_value = 1e6 * bench_median(cholesky->seconds, ROUNDS);
    if (isfinite(most)) {
        row.target_kind = BENCH_RATIO_AT_LEAST;
        row.target = 1.0 / most;
    }
    row.error = c->error;
    row.peer_error = cholesky->error;
    bench_print_row(json, &row);
}

static void run_case(bool json, const pile_case *pile, const char *path) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    const uint64_t seed = 1;
    crm_block_matrix symmetric = bench_pile_matrix(pile->body_count, pile->contact_count, true, seed, &arena);
    crm_block_matrix unsymmetric = bench_pile_matrix(pile->body_count, pile->contact_count, false, seed, &arena);
    crm_block_symbolic symbolic;
    carom_error error;
    if (crm_block_analyse(&symmetric.graph, NULL, &arena, &scratch, &symbolic, &error) != CAROM_OK) stop(error.text);
    contestant kinds[KINDS] = {enter(CRM_BLOCK_CHOLESKY, &symmetric, &symbolic, &arena),
                               enter(CRM_BLOCK_LDLT, &symmetric, &symbolic, &arena),
                               enter(CRM_BLOCK_LU, &unsymmetric, &symbolic, &arena)};

    double *b = CRM_ARENA_ARRAY(&arena, double, symmetric.scalar_count);
    if (b == NULL) stop("no memory for the right-hand side");
    crm_random random = {.seed = seed, .stream = 1};
    for (int i = 0; i < symmetric.scalar_count; i++) b[i] = crm_random_between(&random, -1.0, 1.0);
    if (!bench_sparse_write(path, &symmetric, b)) stop("cannot write the matrix for the peer to the temporary folder");

    peer_times times = {.present = true};
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < KINDS; k++) kinds[k].seconds[round] = median_seconds(&kinds[k], pile->repetitions);
        run_peer_round(path, pile->repetitions, round, &times);
    }
    for (int k = 0; k < KINDS; k++) kinds[k].error = residual(&kinds[k], b, &arena);

    if (!json)
        printf("%s: %.3g Gflop, %s kernels\n", pile->name, 1e-9 * symbolic.flop_count, kinds[0].factor.kernels->name);
    print_cholesky_row(json, pile, &kinds[0], &times);
    print_kind_row(json, pile, "LDL^T", &kinds[1], &kinds[0], NAN);
    print_kind_row(json, pile, "LU", &kinds[2], &kinds[0], lu_per_cholesky);
    if (!times.present) fprintf(stderr, "carom: the peer CHOLMOD is missing; 'make bench' installs and builds it\n");
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

// However the program ends, the file for the peer goes.
static const char *matrix_path;

static void remove_matrix(void) {
    unlink(matrix_path);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    const char *folder = getenv("TMPDIR");
    static char path[4096];
    snprintf(path, sizeof path, "%.4000s/carom-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) stop("cannot make a file in the temporary folder; set TMPDIR to one that can be written");
    close(file);
    matrix_path = path;
    atexit(remove_matrix);
    bench_print_heading(json,
                        "cholesky: one numerical factorization, processor time of one thread, errors as residuals");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) run_case(json, &cases[i], path);
    return 0;
}
