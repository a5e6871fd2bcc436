// SPDX-License-Identifier: MIT
// Conjugate gradients and GMRES: exact termination, convergence bounds, and every way in which they can fail.
#include "math/krylov/krylov.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"
#include "math/krylov/csr.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

enum { LARGEST = 400 };

// A dense matrix as an operator. `calls` counts products; the result contains a NaN at call `spoil_at` and, unless
// `once`, ever after.
typedef struct dense_operator {
    int n, calls, spoil_at;
    bool once;
    double a[LARGEST * 60];
} dense_operator;

static dense_operator matrix;

static void apply_dense(void *context, const double *x, double *y) {
    dense_operator *d = context;
    crm_dense_multiply_vector(d->n, d->n, d->a, d->n, x, y);
    d->calls++;
    if (d->spoil_at > 0 && (d->once ? d->calls == d->spoil_at : d->calls >= d->spoil_at)) y[d->n / 2] = NAN;
}

static crm_operator start_dense(int n) {
    matrix.n = n;
    matrix.calls = matrix.spoil_at = 0;
    matrix.once = false;
    return (crm_operator){apply_dense, &matrix, n};
}

// diag(d) as an operator.
typedef struct diagonal {
    int n;
    double d[LARGEST];
} diagonal;

static void apply_diagonal(void *context, const double *x, double *y) {
    const diagonal *d = context;
    for (int i = 0; i < d->n; i++) y[i] = d->d[i] * x[i];
}

typedef carom_status (*solver)(const crm_operator *, const crm_operator *, const double *, double *,
                               const crm_krylov_settings *, crm_arena *, crm_krylov_report *, carom_error *);

// Runs one solver with its own arena.
static crm_krylov_report run(solver solve, const crm_operator *a, const crm_operator *m, const double *b, double *x,
                             const crm_krylov_settings *settings) {
    crm_arena arena;
    crm_krylov_report report = {0};
    crm_krylov_settings defaults = crm_krylov_settings_default();
    crm_arena_init(&arena, NULL);
    CHECK_INT(solve(a, m, b, x, settings ? settings : &defaults, &arena, &report, NULL), CAROM_OK);
    crm_arena_free(&arena);
    return report;
}

static double residual_norm(const crm_operator *a, const double *b, const double *x) {
    static double r[LARGEST];
    a->apply(a->context, x, r);
    for (int i = 0; i < a->size; i++) r[i] = b[i] - r[i];
    return crm_dense_norm2(a->size, r);
}

// The report must tell the truth about the x that is returned, whatever the outcome.
#define CHECK_HONEST(a, b, x, report) CHECK_NEAR(residual_norm(&(a), b, x), (report).residual, 0.0)

TEST(krylov_takes_trivial_systems) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    diagonal d = {3, {1.0, 2.0, 4.0}};
    crm_operator a = {apply_diagonal, &d, 3};
    for (int s = 0; s < 2; s++) {
        // Zero right-hand side: zero, whatever the start.
        double b[3] = {0, 0, 0}, x[3] = {5, 6, NAN};
        crm_krylov_report report = run(solvers[s], &a, NULL, b, x, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        CHECK_INT(report.iterations, 0);
        CHECK_NEAR(crm_dense_norm2(3, x), 0.0, 0.0);
        CHECK_NEAR(report.residual, 0.0, 0.0);
        // A start that is the answer.
        double c[3] = {1, 2, 4}, y[3] = {1, 1, 1};
        report = run(solvers[s], &a, NULL, c, y, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        CHECK_INT(report.iterations, 0);
        // Nothing at all.
        crm_operator empty = {apply_diagonal, &d, 0};
        report = run(solvers[s], &empty, NULL, b, x, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        // No iterations allowed: the start comes back, with its residual.
        crm_krylov_settings none = crm_krylov_settings_default();
        none.iteration_limit = 0;
        double z[3] = {1, 1, 0};
        report = run(solvers[s], &a, NULL, c, z, &none);
        CHECK_INT(report.outcome, CRM_KRYLOV_ITERATION_LIMIT);
        CHECK_NEAR(report.residual, 4.0, 0.0);
        CHECK_NEAR(z[0] + z[1] + z[2], 2.0, 0.0);
        // A wide absolute tolerance is met by the start.
        none.absolute_tolerance = 4.0;
        report = run(solvers[s], &a, NULL, c, z, &none);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
    }
}

// k different eigenvalues: both methods end after k steps in exact arithmetic.
TEST(krylov_ends_after_as_many_steps_as_eigenvalues) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 1};
    for (int k = 1; k <= 8; k++)
        for (int s = 0; s < 2; s++) {
            diagonal d = {.n = 200};
            double b[LARGEST], x[LARGEST] = {0};
            for (int i = 0; i < d.n; i++) d.d[i] = 1.0 + i % k;
            crm_operator a = {apply_diagonal, &d, d.n};
            fill_random(d.n, 1, b, d.n, &seed);
            crm_krylov_report report = run(solvers[s], &a, NULL, b, x, NULL);
            CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
            CHECK_INT(report.iterations, k);
            CHECK_HONEST(a, b, x, report);
            for (int i = 0; i < d.n; i++) CHECK_NEAR(x[i], b[i] / d.d[i], 1e-9);
        }
}

// |x - x_k|_A <= 2 ((sqrt(c) - 1) / (sqrt(c) + 1))^k |x|_A for condition number c (Saad, eq. 6.128). In the residual
// norm, with |r| <= sqrt(largest) |e|_A and |e|_A <= |r| / sqrt(smallest), another factor sqrt(c).
TEST(cg_keeps_its_convergence_bound) {
    crm_random seed = {.seed = 2};
    static const double conditions[] = {2.0, 10.0, 100.0, 1e4};
    for (size_t c = 0; c < sizeof conditions / sizeof conditions[0]; c++) {
        diagonal d = {.n = LARGEST};
        double b[LARGEST], x[LARGEST];
        for (int i = 0; i < d.n; i++) d.d[i] = 1.0 + (conditions[c] - 1.0) * i / (d.n - 1.0);
        crm_operator a = {apply_diagonal, &d, d.n};
        fill_random(d.n, 1, b, d.n, &seed);
        double root = sqrt(conditions[c]), rate = (root - 1) / (root + 1);
        for (int steps = 1; steps < 200; steps *= 2) {
            double bound = 2 * root * pow(rate, steps) * crm_dense_norm2(d.n, b);
            crm_krylov_settings settings = crm_krylov_settings_default();
            settings.iteration_limit = steps;
            settings.tolerance = 1e-14;
            memset(x, 0, sizeof x);
            crm_krylov_report report = run(crm_cg, &a, NULL, b, x, &settings);
            CHECK(report.residual <= fmax(bound, report.target));
            CHECK_HONEST(a, b, x, report);
            if (report.outcome != CRM_KRYLOV_CONVERGED) CHECK_INT(report.iterations, steps);
        }
    }
}

// A random matrix of order n is solved after n steps at the latest; not before, as its minimal polynomial has degree n.
TEST(gmres_ends_after_n_steps) {
    crm_random seed = {.seed = 3};
    for (int n = 1; n <= 60; n += n < 10 ? 1 : 7) {
        crm_operator a = start_dense(n);
        double b[LARGEST], x[LARGEST] = {0};
        fill_random(n, n, matrix.a, n, &seed);
        fill_random(n, 1, b, n, &seed);
        crm_krylov_settings settings = crm_krylov_settings_default();
        settings.restart = n + 10;
        crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, &settings);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        CHECK_INT(report.iterations, n);
        CHECK_HONEST(a, b, x, report);
    }
}

// Without a preconditioner the operator sees the basis itself.
typedef struct recorder {
    diagonal d;
    int calls;
    double seen[60][60];
} recorder;

static void apply_and_record(void *context, const double *x, double *y) {
    recorder *r = context;
    if (r->calls < 60) memcpy(r->seen[r->calls++], x, sizeof(double) * (size_t)r->d.n);
    apply_diagonal(&r->d, x, y);
}

// Eigenvalues over eight decades: one pass of Gram-Schmidt would leave inner products near 1e-9.
TEST(gmres_basis_is_orthonormal) {
    crm_random seed = {.seed = 14};
    static recorder r = {.d = {.n = 40}};
    for (int i = 0; i < r.d.n; i++) r.d.d[i] = pow(10.0, -8.0 * i / (r.d.n - 1));
    crm_operator a = {apply_and_record, &r, r.d.n};
    double b[LARGEST], x[LARGEST] = {0}, worst = 0.0;
    fill_random(r.d.n, 1, b, r.d.n, &seed);
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.iteration_limit = 35;
    settings.tolerance = 1e-14;
    crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, &settings);
    CHECK(report.iterations >= 30);
    for (int i = 1; i <= report.iterations; i++) // the first product measures the start
        for (int j = 1; j <= report.iterations; j++)
            worst = fmax(worst, fabs(crm_dense_dot(r.d.n, r.seen[i], r.seen[j]) - (i == j)));
    CHECK_NEAR(worst, 0.0, 1e-14);
}

// The cyclic shift: no progress at all until step n, and none ever with a shorter cycle.
TEST(gmres_notices_that_it_stalls) {
    int n = 20;
    crm_operator a = start_dense(n);
    memset(matrix.a, 0, sizeof matrix.a);
    for (int j = 0; j < n; j++) matrix.a[(j + 1) % n + j * n] = 1.0;
    double b[LARGEST] = {1.0}, x[LARGEST] = {0};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.restart = n - 1;
    crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, &settings);
    CHECK_INT(report.outcome, CRM_KRYLOV_STAGNATED);
    CHECK_NEAR(report.residual, 1.0, 1e-14);
    CHECK_HONEST(a, b, x, report);
    settings.restart = n;
    report = run(crm_gmres, &a, NULL, b, x, &settings);
    CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
    CHECK_INT(report.iterations, n);
    CHECK_NEAR(x[n - 1], 1.0, 1e-14);
}

// Convection and diffusion on a line, upwind differences: unsymmetric, positive definite, so that every cycle
// progresses.
static crm_operator convection(int n, crm_arena *arena, crm_csr *csr) {
    static crm_triplet terms[3 * LARGEST];
    int count = 0;
    for (int i = 0; i < n; i++) {
        terms[count++] = (crm_triplet){i, i, 2.5};
        if (i > 0) terms[count++] = (crm_triplet){i, i - 1, -1.5};
        if (i + 1 < n) terms[count++] = (crm_triplet){i, i + 1, -1.0};
    }
    CHECK_INT(crm_csr_build(n, n, terms, count, arena, csr, NULL), CAROM_OK);
    return (crm_operator){crm_csr_apply, csr, n};
}

TEST(gmres_restarts_until_it_converges) {
    crm_arena arena;
    crm_csr csr;
    crm_arena_init(&arena, NULL);
    crm_operator a = convection(100, &arena, &csr);
    crm_random seed = {.seed = 4};
    double b[LARGEST], last = INFINITY;
    fill_random(100, 1, b, 100, &seed);
    for (int limit = 50; limit <= 3200; limit *= 2) {
        double x[LARGEST] = {0};
        crm_krylov_settings settings = crm_krylov_settings_default();
        settings.restart = 8;
        settings.iteration_limit = limit;
        crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, &settings);
        CHECK_HONEST(a, b, x, report);
        CHECK(report.residual <= last);
        last = report.residual;
        if (limit == 50) {
            CHECK_INT(report.outcome, CRM_KRYLOV_ITERATION_LIMIT);
            CHECK_INT(report.iterations, 50);
            CHECK_INT(report.restarts, 6);
        }
    }
    CHECK(last <= 1e-10 * crm_dense_norm2(100, b));
    crm_arena_free(&arena);
}

// GMRES minimises |b - A x|: no worse than CG on the same Krylov space, and equal to the least-squares optimum, which
// is zero gradient along the space's last direction; here simply: monotone in the number of steps, and below CG.
TEST(gmres_residual_is_below_that_of_cg) {
    crm_random seed = {.seed = 5};
    diagonal d = {.n = 100};
    double b[LARGEST];
    for (int i = 0; i < d.n; i++) d.d[i] = 1.0 + i * i;
    crm_operator a = {apply_diagonal, &d, d.n};
    fill_random(d.n, 1, b, d.n, &seed);
    int rises = 0;
    double before = INFINITY, cg_before = INFINITY;
    for (int steps = 1; steps <= 50; steps++) {
        crm_krylov_settings settings = crm_krylov_settings_default();
        settings.iteration_limit = steps;
        double x[LARGEST] = {0}, y[LARGEST] = {0};
        crm_krylov_report cg = run(crm_cg, &a, NULL, b, x, &settings);
        crm_krylov_report gmres = run(crm_gmres, &a, NULL, b, y, &settings);
        CHECK(gmres.residual <= cg.residual * (1 + 1e-10));
        CHECK(gmres.residual <= before * (1 + 1e-10));
        CHECK(cg.residual <= cg.last_residual);
        CHECK(cg.residual <= cg_before * (1 + 1e-10)); // the best iterate, though CG's residuals rise in between
        rises += cg.last_residual > cg.residual * (1 + 1e-3);
        cg_before = cg.residual;
        CHECK_HONEST(a, b, x, cg);
        CHECK_HONEST(a, b, y, gmres);
        before = gmres.residual;
    }
    CHECK(rises > 0); // or the test above proves nothing
}

TEST(preconditioners_do_their_work) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 6};
    int n = 60;
    crm_operator a = start_dense(n);
    fill_semidefinite(n, n, 1.0, matrix.a, n, &seed);
    for (int i = 0; i < n; i++) // badly scaled: Jacobi mends it
        for (int j = 0; j < n; j++) matrix.a[i + j * n] *= pow(10.0, (i % 3) - 1) * pow(10.0, (j % 3) - 1);
    diagonal jacobi = {.n = n};
    for (int i = 0; i < n; i++) jacobi.d[i] = 1.0 / matrix.a[i + i * n];
    crm_operator m = {apply_diagonal, &jacobi, n};
    double b[LARGEST];
    fill_random(n, 1, b, n, &seed);
    for (int s = 0; s < 2; s++) {
        double x[LARGEST] = {0}, y[LARGEST] = {0};
        crm_krylov_settings settings = crm_krylov_settings_default();
        settings.restart = n;
        settings.iteration_limit = 100;
        crm_krylov_report plain = run(solvers[s], &a, NULL, b, x, &settings);
        crm_krylov_report better = run(solvers[s], &a, &m, b, y, &settings);
        CHECK(plain.outcome != CRM_KRYLOV_CONVERGED || plain.iterations > better.iterations);
        CHECK_INT(better.outcome, CRM_KRYLOV_CONVERGED);
        CHECK_HONEST(a, b, y, better);
    }
    // The exact inverse needs one step.
    diagonal d = {.n = n}, inverse = {.n = n};
    for (int i = 0; i < n; i++) inverse.d[i] = 1.0 / (d.d[i] = 1.0 + i);
    crm_operator known = {apply_diagonal, &d, n}, exact = {apply_diagonal, &inverse, n};
    for (int s = 0; s < 2; s++) {
        double x[LARGEST] = {0};
        crm_krylov_report report = run(solvers[s], &known, &exact, b, x, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        CHECK_INT(report.iterations, 1);
    }
}

// A preconditioner that is another one at every call.
typedef struct moody {
    diagonal base;
    int calls;
} moody;

static void apply_moody(void *context, const double *x, double *y) {
    moody *m = context;
    m->calls++;
    for (int i = 0; i < m->base.n; i++) y[i] = x[i] * m->base.d[i] * (1.0 + 0.5 * sin((double)(m->calls * (i + 1))));
}

TEST(flexible_gmres_allows_a_changing_preconditioner) {
    crm_random seed = {.seed = 7};
    diagonal d = {.n = 60};
    moody m = {.base = {.n = 60}};
    for (int i = 0; i < d.n; i++) m.base.d[i] = 1.0 / (d.d[i] = 1.0 + i * i);
    crm_operator a = {apply_diagonal, &d, d.n}, changing = {apply_moody, &m, d.n};
    double b[LARGEST], x[LARGEST] = {0}, y[LARGEST] = {0};
    fill_random(d.n, 1, b, d.n, &seed);
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.iteration_limit = 50;
    crm_krylov_report rigid = run(crm_gmres, &a, &changing, b, x, &settings);
    settings.flexible = true;
    m.calls = 0;
    crm_krylov_report flexible = run(crm_gmres, &a, &changing, b, y, &settings);
    CHECK_INT(flexible.outcome, CRM_KRYLOV_CONVERGED);
    CHECK(rigid.outcome != CRM_KRYLOV_CONVERGED); // or this test proves nothing
    CHECK_HONEST(a, b, x, rigid);
    CHECK_HONEST(a, b, y, flexible);
    // With a constant preconditioner both are the same method.
    crm_operator constant = {apply_diagonal, &m.base, d.n};
    d.d[3] = 7.0;
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    flexible = run(crm_gmres, &a, &constant, b, y, &settings);
    settings.flexible = false;
    rigid = run(crm_gmres, &a, &constant, b, x, &settings);
    CHECK_INT(flexible.iterations, rigid.iterations);
    CHECK_NEAR(largest_difference(d.n, 1, x, d.n, y, d.n), 0.0, 1e-10);
}

// Singular but consistent: solved. Singular and inconsistent: reported, with the best iterate.
TEST(krylov_solves_singular_consistent_systems) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 8};
    int n = 50, rank = 20;
    for (int s = 0; s < 2; s++) {
        crm_operator a = start_dense(n);
        fill_semidefinite(n, rank, 0.0, matrix.a, n, &seed);
        double wanted[LARGEST], b[LARGEST], x[LARGEST] = {0};
        fill_random(n, 1, wanted, n, &seed);
        a.apply(a.context, wanted, b);
        crm_krylov_report report = run(solvers[s], &a, NULL, b, x, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
        CHECK(report.iterations <= 2 * rank);
        CHECK_HONEST(a, b, x, report);

        // Inconsistent: b has a part that A cannot reach; the best residual is that part's norm.
        diagonal d = {.n = n};
        for (int i = 0; i < n; i++) d.d[i] = i < rank ? 1.0 + i % 3 : 0.0;
        for (int i = 0; i < n; i++) b[i] = 1.0;
        memset(x, 0, sizeof x);
        crm_operator singular = {apply_diagonal, &d, n};
        report = run(solvers[s], &singular, NULL, b, x, NULL);
        CHECK(report.outcome != CRM_KRYLOV_CONVERGED && report.outcome != CRM_KRYLOV_NOT_FINITE);
        CHECK_HONEST(singular, b, x, report);
        CHECK(report.residual <= sqrt(50.0) && report.residual >= sqrt(30.0) * (1 - 1e-12));
        if (s == 1) {
            CHECK_INT(report.outcome, CRM_KRYLOV_BREAKDOWN);
            CHECK_NEAR(report.residual, sqrt(30.0), 1e-12);
        }
    }
    // A = 0: the start is as good as anything.
    diagonal zero = {.n = 4};
    crm_operator nothing = {apply_diagonal, &zero, 4};
    for (int s = 0; s < 2; s++) {
        double b[4] = {1, 2, 3, 4}, x[4] = {0};
        crm_krylov_report report = run(solvers[s], &nothing, NULL, b, x, NULL);
        CHECK_INT(report.outcome, CRM_KRYLOV_BREAKDOWN);
        CHECK_NEAR(report.residual, sqrt(30.0), 1e-15);
        CHECK_NEAR(crm_dense_norm2(4, x), 0.0, 0.0);
    }
    // Nilpotent: [0 1; 0 0] x = (1, 0) is consistent, but GMRES breaks down at once (Brown and Walker 1997).
    crm_operator nilpotent = start_dense(2);
    memset(matrix.a, 0, sizeof matrix.a);
    matrix.a[2] = 1.0;
    double b[2] = {1, 0}, x[2] = {0};
    crm_krylov_report report = run(crm_gmres, &nilpotent, NULL, b, x, NULL);
    CHECK_INT(report.outcome, CRM_KRYLOV_BREAKDOWN);
    CHECK_NEAR(report.residual, 1.0, 0.0);
}

// An inconsistent system whose eigenvalues are graded over eight decades: the least-squares residual is reached all the
// same.
TEST(gmres_finds_the_least_squares_residual_of_graded_singular_systems) {
    int n = 50;
    for (int kinds = 2; kinds <= 6; kinds++)
        for (int decades = 1; decades * (kinds - 1) <= 8; decades++) {
            diagonal d = {.n = n};
            double b[LARGEST], x[LARGEST] = {0};
            for (int i = 0; i < n; i++) d.d[i] = i < 20 ? pow(10.0, -decades * (i % kinds)) : 0.0, b[i] = 1.0;
            crm_operator a = {apply_diagonal, &d, n};
            crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, NULL);
            CHECK(report.outcome == CRM_KRYLOV_BREAKDOWN || report.outcome == CRM_KRYLOV_STAGNATED);
            CHECK(report.iterations <= 3 * (kinds + 1));
            CHECK_NEAR(report.residual, sqrt(30.0), 1e-13);
        }
}

// Unsymmetric, singular, graded over many decades: coefficients become too large to be summed, and the cycle must fall
// back on fewer columns. More steps allowed must never mean a much worse answer.
TEST(gmres_answer_does_not_get_worse_with_more_steps) {
    crm_random seed = {.seed = 13};
    int n = 24;
    for (int repeat = 0; repeat < 200; repeat++) {
        crm_operator a = start_dense(n);
        fill_rank(n, n, 4 + repeat % 20, matrix.a, n, &seed);
        double base = pow(10.0, 0.3 * random_signed(&seed)), b[LARGEST], before = INFINITY;
        grade(n, n, matrix.a, n, base, repeat % 2 ? base : 1.0 / base);
        fill_random(n, 1, b, n, &seed);
        for (int steps = 1; steps <= n; steps++) {
            crm_krylov_settings settings = crm_krylov_settings_default();
            settings.iteration_limit = steps;
            double x[LARGEST] = {0};
            crm_krylov_report report = run(crm_gmres, &a, NULL, b, x, &settings);
            CHECK_HONEST(a, b, x, report);
            if (!CHECK(report.residual <= 1.5 * before)) break;
            before = report.residual;
        }
    }
}

TEST(cg_reports_indefinite_operators_and_returns_its_best) {
    diagonal d = {.n = 40};
    double b[LARGEST], x[LARGEST] = {0};
    for (int i = 0; i < d.n; i++) d.d[i] = i == 17 ? -0.5 : 1.0 + i, b[i] = i == 17 ? 1e-2 : 1.0;
    crm_operator a = {apply_diagonal, &d, d.n};
    crm_krylov_report report = run(crm_cg, &a, NULL, b, x, NULL);
    CHECK_INT(report.outcome, CRM_KRYLOV_INDEFINITE);
    CHECK(report.iterations > 1 && report.residual < crm_dense_norm2(d.n, b) &&
          report.residual <= report.last_residual);
    CHECK_HONEST(a, b, x, report);
    // The same of the preconditioner.
    diagonal positive = {.n = 40};
    for (int i = 0; i < 40; i++) positive.d[i] = 2.0, b[i] = i == 17;
    crm_operator good = {apply_diagonal, &positive, 40};
    memset(x, 0, sizeof x);
    report = run(crm_cg, &good, &a, b, x, NULL);
    CHECK_INT(report.outcome, CRM_KRYLOV_INDEFINITE);
    // GMRES takes the operator as it is.
    memset(x, 0, sizeof x);
    for (int i = 0; i < d.n; i++) b[i] = 1.0;
    report = run(crm_gmres, &a, NULL, b, x, NULL);
    CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
}

// NaN from the n-th product on, in b, in x: an outcome, and x is the best finite iterate known so far.
TEST(krylov_reports_what_is_not_finite) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 9};
    int n = 30;
    for (int s = 0; s < 2; s++) {
        for (int spoil = 1; spoil <= 12; spoil++) {
            crm_operator a = start_dense(n);
            fill_semidefinite(n, n, 1.0, matrix.a, n, &seed);
            double b[LARGEST], x[LARGEST] = {0};
            fill_random(n, 1, b, n, &seed);
            crm_krylov_settings settings = crm_krylov_settings_default();
            settings.restart = 3;
            settings.tolerance = 1e-14;
            matrix.spoil_at = spoil;
            crm_krylov_report report = run(solvers[s], &a, NULL, b, x, &settings);
            matrix.spoil_at = 0;
            CHECK_INT(report.outcome, CRM_KRYLOV_NOT_FINITE);
            CHECK(crm_dense_is_finite(n, 1, x, n));
            if (spoil == 1)
                CHECK(isnan(report.residual));
            else
                CHECK_HONEST(a, b, x, report);
            if (spoil > 1) CHECK(report.residual <= crm_dense_norm2(n, b));

            // A passing fault does not lose the part of the work that was done before it.
            matrix.calls = 0;
            matrix.spoil_at = spoil;
            matrix.once = true;
            memset(x, 0, sizeof x);
            settings.restart = 20;
            report = run(solvers[s], &a, NULL, b, x, &settings);
            CHECK_INT(report.outcome, CRM_KRYLOV_NOT_FINITE);
            if (s == 1 && spoil > 2) CHECK(report.residual < crm_dense_norm2(n, b)); // CG's may rise
        }
        diagonal d = {3, {1.0, 2.0, 3.0}};
        crm_operator a = {apply_diagonal, &d, 3};
        double good[3] = {1, 1, 1}, bad[3] = {1, NAN, 1}, x[3] = {0, 0, 0};
        CHECK_INT(run(solvers[s], &a, NULL, bad, x, NULL).outcome, CRM_KRYLOV_NOT_FINITE);
        CHECK_NEAR(crm_dense_norm2(3, x), 0.0, 0.0);
        bad[1] = INFINITY;
        CHECK_INT(run(solvers[s], &a, NULL, bad, x, NULL).outcome, CRM_KRYLOV_NOT_FINITE);
        CHECK_INT(run(solvers[s], &a, NULL, good, bad, NULL).outcome, CRM_KRYLOV_NOT_FINITE);
        diagonal spoiled = {3, {1.0, NAN, 1.0}};
        crm_operator m = {apply_diagonal, &spoiled, 3};
        CHECK_INT(run(solvers[s], &a, &m, good, x, NULL).outcome, CRM_KRYLOV_NOT_FINITE);
        CHECK_NEAR(crm_dense_norm2(3, x), 0.0, 0.0);
    }
}

// An impossible tolerance ends in round-off, not in the iteration limit, and with a residual near eps |A||x|.
TEST(krylov_stops_at_round_off) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 10};
    int n = 40;
    for (int s = 0; s < 2; s++) {
        crm_operator a = start_dense(n);
        fill_semidefinite(n, n, 0.5, matrix.a, n, &seed);
        double b[LARGEST], x[LARGEST] = {0};
        fill_random(n, 1, b, n, &seed);
        crm_krylov_settings settings = crm_krylov_settings_default();
        settings.tolerance = 0.0;
        settings.iteration_limit = 100000;
        crm_krylov_report report = run(solvers[s], &a, NULL, b, x, &settings);
        CHECK(report.outcome == CRM_KRYLOV_STAGNATED || report.outcome == CRM_KRYLOV_CONVERGED);
        CHECK(report.iterations < 20 * n);
        CHECK(report.residual <= n * DBL_EPSILON * norm1(n, n, matrix.a, n) * crm_dense_norm2(n, x));
        CHECK_HONEST(a, b, x, report);
    }
}

// Vectors of any scale: powers of two change nothing but the exponent.
TEST(krylov_scales_exactly) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 11};
    int n = 30;
    crm_operator a = start_dense(n);
    fill_semidefinite(n, n, 0.5, matrix.a, n, &seed);
    double b[LARGEST], scaled[LARGEST];
    fill_random(n, 1, b, n, &seed);
    for (int s = 0; s < 2; s++) {
        double x[LARGEST] = {0};
        crm_krylov_report plain = run(solvers[s], &a, NULL, b, x, NULL);
        for (int exponent = -900; exponent <= 900; exponent += 300) {
            double y[LARGEST] = {0};
            for (int i = 0; i < n; i++) scaled[i] = ldexp(b[i], exponent);
            crm_krylov_report report = run(solvers[s], &a, NULL, scaled, y, NULL);
            CHECK_INT(report.outcome, CRM_KRYLOV_CONVERGED);
            CHECK_INT(report.iterations, plain.iterations);
            for (int i = 0; i < n; i++) CHECK_NEAR(ldexp(y[i], -exponent), x[i], 1e-12 * fabs(x[i]));
        }
    }
}

TEST(krylov_refuses_senseless_input) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    diagonal d = {3, {1.0, 2.0, 3.0}};
    crm_arena arena;
    crm_krylov_report report;
    carom_error error;
    double b[3] = {1, 1, 1}, x[3] = {0};
    crm_arena_init(&arena, NULL);
    for (int s = 0; s < 2; s++) {
        crm_operator a = {apply_diagonal, &d, -1}, m = {apply_diagonal, &d, 2};
        crm_krylov_settings settings = crm_krylov_settings_default();
#define REFUSED(preconditioner, sentence)                                                                     \
    CHECK_INT(solvers[s](&a, preconditioner, b, x, &settings, &arena, &report, &error), CAROM_ERR_BAD_INPUT); \
    CHECK_CONTAINS(error.text, sentence)
        REFUSED(NULL, "size -1");
        a.size = 3;
        REFUSED(&m, "preconditioner of size 2");
        settings.tolerance = NAN;
        REFUSED(NULL, "nan");
        settings.tolerance = -1.0;
        REFUSED(NULL, "-1 (relative)");
        settings = crm_krylov_settings_default();
        settings.iteration_limit = -1;
        REFUSED(NULL, "iteration limit is -1");
        settings = crm_krylov_settings_default();
        settings.restart = 0;
        REFUSED(NULL, "restart is 0");
#undef REFUSED
    }
    crm_arena_free(&arena);
}

TEST(krylov_allocates_nothing_once_warm_and_survives_a_lack_of_memory) {
    static const solver solvers[] = {crm_cg, crm_gmres};
    crm_random seed = {.seed = 12};
    diagonal d = {.n = LARGEST}, inverse = {.n = LARGEST};
    for (int i = 0; i < d.n; i++) inverse.d[i] = 1.0 / (d.d[i] = 1.0 + i % 9), inverse.d[i] += i % 2;
    crm_operator a = {apply_diagonal, &d, d.n}, m = {apply_diagonal, &inverse, d.n};
    crm_krylov_settings settings = crm_krylov_settings_default();
    double b[LARGEST], x[LARGEST];
    fill_random(d.n, 1, b, d.n, &seed);
    for (int s = 0; s < 2; s++)
        for (int refused = 0; refused < 12; refused++) {
            probe_allocator probe = {.refused_call = refused};
            carom_allocator hook = probe_allocator_hook(&probe);
            crm_arena arena;
            crm_krylov_report report;
            carom_error error;
            crm_arena_init(&arena, &hook);
            memset(x, 0, sizeof x);
            carom_status status = solvers[s](&a, &m, b, x, &settings, &arena, &report, &error);
            if (status != CAROM_OK) {
                CHECK_INT(status, CAROM_ERR_NO_MEMORY);
                CHECK_NEAR(crm_dense_norm2(d.n, x), 0.0, 0.0);
            }
            CHECK_INT(status == CAROM_ERR_NO_MEMORY, refused > 0 && probe.calls >= refused);
            if (refused == 0) {
                crm_arena_reset(&arena);
                long long calls = probe.calls;
                memset(x, 0, sizeof x);
                CHECK_INT(solvers[s](&a, &m, b, x, &settings, &arena, &report, &error), CAROM_OK);
                CHECK_INT(probe.calls, calls);
                // And gives back what it takes, also without a reset.
                long long bytes = probe.live_bytes;
                for (int repeat = 0; repeat < 50; repeat++) {
                    memset(x, 0, sizeof x);
                    CHECK_INT(solvers[s](&a, &m, b, x, &settings, &arena, &report, &error), CAROM_OK);
                }
                CHECK(probe.live_bytes <= 3 * bytes);
            }
            crm_arena_free(&arena);
            CHECK_INT(probe.live_blocks, 0);
        }
}

TEST_MAIN(CASE(krylov_takes_trivial_systems), CASE(krylov_ends_after_as_many_steps_as_eigenvalues),
          CASE(cg_keeps_its_convergence_bound), CASE(gmres_ends_after_n_steps), CASE(gmres_basis_is_orthonormal),
          CASE(gmres_notices_that_it_stalls), CASE(gmres_restarts_until_it_converges),
          CASE(gmres_residual_is_below_that_of_cg), CASE(preconditioners_do_their_work),
          CASE(flexible_gmres_allows_a_changing_preconditioner), CASE(krylov_solves_singular_consistent_systems),
          CASE(gmres_finds_the_least_squares_residual_of_graded_singular_systems),
          CASE(gmres_answer_does_not_get_worse_with_more_steps),
          CASE(cg_reports_indefinite_operators_and_returns_its_best), CASE(krylov_reports_what_is_not_finite),
          CASE(krylov_stops_at_round_off), CASE(krylov_scales_exactly), CASE(krylov_refuses_senseless_input),
          CASE(krylov_allocates_nothing_once_warm_and_survives_a_lack_of_memory))
