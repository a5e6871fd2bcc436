// SPDX-License-Identifier: MIT
// The frontal factorization against LAPACK: inertia by eigenvalues, solutions by residuals, on random sparse matrices of
// any inertia, among them those of optimality conditions, whose diagonals are half zeros.
#include "math/frontal/front_factor.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "support/algebra/lapack.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

typedef struct sparse {
    int size, count;
    int row[4000], column[4000], group[200];
    double value[4000];
} sparse;

static void add_entry(sparse *a, int row, int column, double value) {
    for (int e = 0; e < a->count; e++) {
        if (a->row[e] != row || a->column[e] != column) continue;
        a->value[e] += value;
        return;
    }
    a->row[a->count] = row;
    a->column[a->count] = column;
    a->value[a->count++] = value;
}

static void add_symmetric(sparse *a, int i, int j, double value) {
    if ((i + j) % 2 == 0)
        add_entry(a, i > j ? i : j, i > j ? j : i, value);
    else
        add_entry(a, i > j ? j : i, i > j ? i : j, value); // either triangle
}

// Every unknown a group of its own.
static void random_matrix(sparse *a, int size, int couplings, crm_random *random) {
    *a = (sparse){.size = size};
    for (int i = 0; i < size; i++) {
        a->group[i] = i;
        if (crm_random_below(random, 3) > 0) add_symmetric(a, i, i, crm_random_normal(random));
    }
    for (int k = 0; k < couplings; k++) {
        int i = (int)crm_random_below(random, (uint64_t)size), j = (int)crm_random_below(random, (uint64_t)size);
        add_symmetric(a, i, j, crm_random_normal(random));
    }
}

// [H A^T; A 0] with H often zero: `rows` of the unknowns are rows, grouped with an unknown that they contain.
static void random_conditions(sparse *a, int unknowns, int rows, crm_random *random) {
    *a = (sparse){.size = unknowns + rows};
    for (int i = 0; i < unknowns; i++) {
        a->group[i] = i;
        if (i % 3 > 0 || i >= rows) add_symmetric(a, i, i, crm_random_between(random, 0.5, 2.0) * (i % 5 == 0 ? -1.0 : 1.0));
    }
    for (int r = 0; r < rows; r++) {
        a->group[unknowns + r] = r;
        add_symmetric(a, unknowns + r, r, crm_random_between(random, 0.5, 2.0));
        for (int k = 0; k < 3; k++)
            add_symmetric(a, unknowns + r, (int)crm_random_below(random, (uint64_t)unknowns), crm_random_normal(random));
    }
}

static double *dense_of(const sparse *a, crm_arena *arena) {
    double *dense = CRM_ARENA_ZEROED(arena, double, (ptrdiff_t)a->size * a->size);
    for (int e = 0; e < a->count; e++) {
        dense[a->row[e] + (ptrdiff_t)a->size * a->column[e]] = a->value[e];
        dense[a->column[e] + (ptrdiff_t)a->size * a->row[e]] = a->value[e];
    }
    return dense;
}

// False for matrices that are as good as singular.
static bool count_signs(const sparse *a, int *positive, int *negative, crm_arena *arena) {
    double *dense = dense_of(a, arena), *eigenvalue = CRM_ARENA_ARRAY(arena, double, a->size), work[4000];
    int info, length = 4000;
    dsyev_("N", "L", &a->size, dense, &a->size, eigenvalue, work, &length, &info);
    assert_int_equal(info, 0);
    *positive = *negative = 0;
    for (int i = 0; i < a->size; i++) {
        *positive += eigenvalue[i] > 1e-7;
        *negative += eigenvalue[i] < -1e-7;
    }
    return *positive + *negative == a->size;
}

static int group_count(const sparse *a) {
    int most = 0;
    for (int i = 0; i < a->size; i++)
        if (a->group[i] >= most) most = a->group[i] + 1;
    return most;
}

typedef struct solver {
    crm_arena arena, scratch;
    crm_front_symbolic symbolic;
    crm_front_factor factor;
    crm_front_report report;
} solver;

static carom_status factor(solver *s, const sparse *a, const crm_front_kernels *kernels) {
    static const int stage[200];
    crm_front_pattern pattern = {a->size, a->count, a->row, a->column, group_count(a), a->group, stage};
    carom_status status = crm_front_analyse(&pattern, &s->arena, &s->scratch, &s->symbolic, NULL);
    if (status == CAROM_OK) status = crm_front_factor_create(&s->symbolic, &s->arena, &s->factor, NULL);
    if (status != CAROM_OK) return status;
    if (kernels != NULL) s->factor.kernels = kernels;
    return crm_front_factor_compute(&s->factor, a->value, &s->report, NULL);
}

static void begin(solver *s) {
    crm_arena_init(&s->arena, NULL);
    crm_arena_init(&s->scratch, NULL);
}

static void reset(solver *s) {
    crm_arena_reset(&s->arena);
    crm_arena_reset(&s->scratch);
}

static void end(solver *s) {
    crm_arena_free(&s->arena);
    crm_arena_free(&s->scratch);
}

// |A x - b| / (|A| |x| + |b|)
static double backward_error(const sparse *a, const double *x, const double *b) {
    double rest[200] = {0}, norm[200] = {0}, largest = 0.0, size = 0.0, right = 0.0, wrong = 0.0;
    for (int e = 0; e < a->count; e++) {
        int i = a->row[e], j = a->column[e];
        rest[i] += a->value[e] * x[j];
        norm[i] += fabs(a->value[e]);
        if (i == j) continue;
        rest[j] += a->value[e] * x[i];
        norm[j] += fabs(a->value[e]);
    }
    for (int i = 0; i < a->size; i++) {
        largest = fmax(largest, norm[i]);
        size = fmax(size, fabs(x[i]));
        right = fmax(right, fabs(b[i]));
        wrong = fmax(wrong, fabs(rest[i] - b[i]));
    }
    return wrong / (largest * size + right);
}

static bool agrees(solver *s, const sparse *a, double tolerance, crm_random *random, crm_arena *arena) {
    int positive, negative;
    if (!count_signs(a, &positive, &negative, arena)) return true;
    assert_int_equal(factor(s, a, NULL), CAROM_OK);
    double b[200], x[200];
    for (int i = 0; i < a->size; i++) x[i] = b[i] = crm_random_normal(random);
    crm_front_factor_solve(&s->factor, x);
    bool good = CHECK(s->report.finite);
    good = CHECK_INT(s->report.positive, positive) && good;
    good = CHECK_INT(s->report.negative, negative) && good;
    good = CHECK_INT(s->report.zero, 0) && good;
    return CHECK_NEAR(backward_error(a, x, b), 0.0, tolerance) && good;
}

static void run(bool conditions, int trials, double tolerance, uint64_t seed) {
    solver s;
    begin(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = seed};
    static sparse a;
    for (int trial = 0; trial < trials; trial++) {
        reset(&s);
        crm_arena_reset(&arena);
        int size = 1 + (int)crm_random_below(&random, trial % 10 == 0 ? 120 : 30);
        if (conditions)
            random_conditions(&a, size, size / 2, &random);
        else
            random_matrix(&a, size, (1 + trial % 6) * size, &random);
        if (!agrees(&s, &a, tolerance, &random, &arena)) break;
    }
    end(&s);
    crm_arena_free(&arena);
}

TEST(random_matrices_have_their_inertia_and_solutions) {
    run(false, 400, 1e-9, 1);
}

TEST(matrices_of_optimality_conditions_have_their_inertia_and_solutions) {
    run(true, 400, 1e-9, 2);
}

// Without groups zeros stand alone, and pivots have to be put off.
TEST(pivots_are_put_off_where_a_zero_stands_alone) {
    solver s;
    begin(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 3};
    static sparse a;
    int put_off = 0;
    for (int trial = 0; trial < 200; trial++) {
        reset(&s);
        crm_arena_reset(&arena);
        random_conditions(&a, 120, 60, &random);
        for (int i = 0; i < a.size; i++) a.group[i] = i;
        if (!agrees(&s, &a, 1e-9, &random, &arena)) break;
        put_off += s.report.put_off;
    }
    CHECK(put_off > 50);
    end(&s);
    crm_arena_free(&arena);
}

// Diagonals from 1 to 1e12, as barriers make them.
TEST(badly_scaled_matrices_keep_small_backward_errors) {
    solver s;
    begin(&s);
    crm_random random = {.seed = 4};
    static sparse a;
    for (int trial = 0; trial < 200; trial++) {
        reset(&s);
        random_conditions(&a, 60, 25, &random);
        for (int i = 0; i < 60; i += 2) add_symmetric(&a, i, i, pow(10.0, (double)crm_random_below(&random, 13)));
        assert_int_equal(factor(&s, &a, NULL), CAROM_OK);
        double b[200], x[200];
        for (int i = 0; i < a.size; i++) x[i] = b[i] = crm_random_normal(&random);
        crm_front_factor_solve(&s.factor, x);
        if (!CHECK_INT(s.report.zero, 0) || !CHECK_NEAR(backward_error(&a, x, b), 0.0, 1e-10)) break;
    }
    end(&s);
}

TEST(every_kernel_gives_the_same_bits) {
    solver first, other;
    begin(&first);
    begin(&other);
    crm_random random = {.seed = 5};
    static sparse a;
    for (int trial = 0; trial < 50; trial++) {
        reset(&first);
        reset(&other);
        random_conditions(&a, 100, 60, &random);
        assert_int_equal(factor(&first, &a, crm_front_kernels_variant(0)), CAROM_OK);
        double b[200], x[200];
        for (int i = 0; i < a.size; i++) x[i] = b[i] = crm_random_normal(&random);
        crm_front_factor_solve(&first.factor, x);
        for (int v = 1; crm_front_kernels_variant(v) != NULL; v++) {
            double y[200];
            memcpy(y, b, sizeof y);
            assert_int_equal(factor(&other, &a, crm_front_kernels_variant(v)), CAROM_OK);
            crm_front_factor_solve(&other.factor, y);
            if (!CHECK(memcmp(x, y, (size_t)a.size * sizeof *x) == 0)) break;
        }
    }
    end(&first);
    end(&other);
}

// A row that stands there twice: one pivot is rounding, and the right-hand side is in the range.
TEST(zeros_are_left_out_and_consistent_systems_solved) {
    solver s;
    begin(&s);
    sparse a = {.size = 5, .group = {0, 1, 2, 3, 4}};
    add_symmetric(&a, 0, 0, 2.0);
    add_symmetric(&a, 1, 1, 1.0);
    add_symmetric(&a, 3, 0, 1.0);
    add_symmetric(&a, 4, 0, 1.0);
    assert_int_equal(factor(&s, &a, NULL), CAROM_OK);
    CHECK_INT(s.report.zero, 2); // the doubled row, and unknown 2, which nothing contains
    CHECK_INT(s.report.positive, 2);
    CHECK_INT(s.report.negative, 1);
    double b[5] = {3.0, 5.0, 0.0, 1.0, 1.0}, x[5];
    memcpy(x, b, sizeof x);
    crm_front_factor_solve(&s.factor, x);
    CHECK_NEAR(backward_error(&a, x, b), 0.0, 1e-15);
    a.value[0] = NAN;
    assert_int_equal(factor(&s, &a, NULL), CAROM_OK);
    CHECK(!s.report.finite);
    end(&s);
}

TEST(refused_memory_is_told_and_a_second_computation_allocates_nothing) {
    crm_random random = {.seed = 6};
    static sparse a;
    random_conditions(&a, 60, 30, &random);
    for (int i = 0; i < a.size; i++) a.group[i] = i;
    for (int limit = 0; limit < 200; limit++) {
        probe_allocator probe = {.refused_call = limit + 1};
        carom_allocator hook = probe_allocator_hook(&probe);
        solver s;
        crm_arena_init(&s.arena, &hook);
        crm_arena_init(&s.scratch, &hook);
        carom_status status = factor(&s, &a, NULL);
        bool done = status == CAROM_OK;
        CHECK(done || status == CAROM_ERR_NO_MEMORY);
        if (done) {
            long long before = probe.calls;
            assert_int_equal(crm_front_factor_compute(&s.factor, a.value, &s.report, NULL), CAROM_OK);
            CHECK_INT(probe.calls, before);
        }
        end(&s);
        if (done) return;
    }
    CHECK(false);
}

TEST_MAIN(CASE(random_matrices_have_their_inertia_and_solutions),
          CASE(matrices_of_optimality_conditions_have_their_inertia_and_solutions),
          CASE(pivots_are_put_off_where_a_zero_stands_alone), CASE(badly_scaled_matrices_keep_small_backward_errors),
          CASE(every_kernel_gives_the_same_bits), CASE(zeros_are_left_out_and_consistent_systems_solved),
          CASE(refused_memory_is_told_and_a_second_computation_allocates_nothing))
