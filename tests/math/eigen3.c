// SPDX-License-Identifier: MIT
// Symmetric eigenproblems against LAPACK, and against Jacobi in long double where LAPACK is too coarse.
#include "math/eigen3.h"

#include <float.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

void dsyev_(const char *job, const char *triangle, const int *n, double *a, const int *lda, double *w, double *work,
            const int *work_size, int *info, size_t job_length, size_t triangle_length);

static carom_vec3 lapack_values(carom_mat3 a) {
    double e[9] = {a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z}, w[3], work[64];
    int n = 3, size = 64, info = 0;
    dsyev_("N", "L", &n, e, &n, w, work, &size, &info, 1, 1);
    CHECK_INT(info, 0);
    return crm_vec3(w[0], w[1], w[2]);
}

static carom_mat3 symmetric(carom_mat3 a) {
    return crm_mat3_scale(0.5, crm_mat3_add(a, crm_mat3_transpose(a)));
}

// Largest of: residual A V - V D, distance of V from a rotation, distance of the values from LAPACK's; all relative to
// the largest eigenvalue.
static double decomposition_error(carom_mat3 a) {
    carom_vec3 d;
    carom_mat3 v;
    if (!CHECK(crm_eigen3(a, &d, &v))) return 1.0;
    CHECK(d.x <= d.y && d.y <= d.z);
    CHECK(determinant(v) > 0.0);
    double size = fmax(fabs(d.x), fabs(d.z));
    double residual = mat3_gap(crm_mat3_mul(a, v), crm_mat3_mul(v, crm_mat3_diagonal(d))) / size;
    double rotation = mat3_gap(crm_mat3_mul_tn(v, v), crm_mat3_identity());
    return fmax(fmax(residual, rotation), vec3_gap(d, lapack_values(a)) / size);
}

// 1e-14 is about 45 roundings: 4 or 5 sweeps of 3 rotations, and LAPACK's own error.
static const double accuracy = 1e-14;

TEST(random_matrices_agree_with_lapack) {
    sampler s = {.seed = 1};
    double worst = 0.0;
    for (int i = 0; i < 100000; i++) worst = fmax(worst, decomposition_error(symmetric(sample_mat3(&s, 1.0))));
    CHECK_NEAR(worst, 0.0, accuracy);
    print_message("worst error %.2g\n", worst);
}

TEST(clustered_and_graded_spectra_agree_with_lapack) {
    sampler s = {.seed = 2};
    double worst = 0.0;
    for (int i = 0; i < 100000; i++) {
        double gap = pow(10.0, -sample_between(&s, 0.0, 17.0)), grade = pow(10.0, -sample_between(&s, 0.0, 40.0));
        const carom_vec3 spectra[] = {
            {1.0, 1.0 + gap, 1.0 - gap}, {1.0, 1.0, gap}, {1.0, gap, gap},        {1.0, -1.0 + gap, gap},
            {1.0, gap, gap * grade},     {0.0, 0.0, 1.0}, {-1.0, gap, 1.0 + gap}, {2.0, 2.0, 2.0},
        };
        carom_mat3 r = crm_quat_to_mat3(sample_attitude(&s));
        worst = fmax(worst, decomposition_error(crm_congruence_diagonal(r, spectra[i % 8])));
    }
    CHECK_NEAR(worst, 0.0, accuracy);
    print_message("worst error %.2g\n", worst);
}

// A power of two times A has the same vectors to the last bit, and that power times the values.
TEST(size_changes_nothing) {
    sampler s = {.seed = 3};
    for (int exponent = -1000; exponent <= 1020; exponent += 20)
        for (int i = 0; i < 50; i++) {
            carom_mat3 a = symmetric(sample_mat3(&s, 1.0)), v, scaled_v;
            carom_vec3 d, scaled_d;
            CHECK(crm_eigen3(a, &d, &v));
            CHECK(crm_eigen3(crm_mat3_scale(ldexp(1.0, exponent), a), &scaled_d, &scaled_v));
            CHECK_NEAR(mat3_gap(v, scaled_v), 0.0, 0.0);
            scaled_d =
                crm_vec3(ldexp(scaled_d.x, -exponent), ldexp(scaled_d.y, -exponent), ldexp(scaled_d.z, -exponent));
            CHECK_NEAR(vec3_gap(d, scaled_d), 0.0, 0.0);
        }
}

// At the ends of the range: entries whose differences overflow, and whole numbers of the smallest subnormal, where
// values may be off by the final rounding only.
TEST(the_ends_of_the_range_are_reached) {
    sampler s = {.seed = 5};
    for (int i = 0; i < 2000; i++) {
        carom_mat3 a = symmetric(sample_mat3(&s, 1.0)), v, scaled_v;
        carom_vec3 d, scaled_d;
        a = crm_mat3_add(a, crm_mat3_diagonal(crm_vec3(5.0, -5.0, 0.0)));
        CHECK(crm_eigen3(a, &d, &v));
        CHECK(crm_eigen3(crm_mat3_scale(0x1p+1021, a), &scaled_d, &scaled_v));
        CHECK_NEAR(mat3_gap(v, scaled_v), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_scale(0x1p-1021, scaled_d), d), 0.0, 0.0);

        carom_vec3 *columns[3] = {&a.x, &a.y, &a.z};
        for (int k = 0; k < 3; k++)
            *columns[k] = crm_vec3(rint(99.0 * columns[k]->x), rint(99.0 * columns[k]->y), rint(99.0 * columns[k]->z));
        CHECK(crm_eigen3(a, &d, &v));
        CHECK(crm_eigen3(crm_mat3_scale(0x1p-1074, a), &scaled_d, &scaled_v));
        CHECK_NEAR(mat3_gap(v, scaled_v), 0.0, 1e-14);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(ldexp(crm_component(scaled_d, k), 1074), crm_component(d, k), 0.5 + 1e-10);
    }
}

TEST(diagonal_matrices_are_exact) {
    const double entries[] = {-1e300, -2.0, -1e-310, 0.0, 3e-320, 1e-200, 1.0, 1.0 + DBL_EPSILON, 1e308};
    int count = sizeof entries / sizeof entries[0];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (int k = 0; k < count; k++) {
                carom_vec3 in = crm_vec3(entries[i], entries[j], entries[k]), d;
                carom_mat3 v;
                CHECK(crm_eigen3(crm_mat3_diagonal(in), &d, &v));
                CHECK(d.x <= d.y && d.y <= d.z);
                // V permutes: taking the values back gives the entries bit for bit
                CHECK_NEAR(determinant(v), 1.0, 0.0);
                carom_mat3 squares =
                    crm_mat3_columns(crm_vec3_mul(v.x, v.x), crm_vec3_mul(v.y, v.y), crm_vec3_mul(v.z, v.z));
                CHECK_NEAR(vec3_gap(crm_mat3_apply(squares, crm_scale(1e-10, d)), crm_scale(1e-10, in)), 0.0, 0.0);
                if (i <= j && j <= k) CHECK_NEAR(mat3_gap(v, crm_mat3_identity()), 0.0, 0.0);
            }
}

// Jacobi in long double with rotations until nothing changes: the reference for small values of graded matrices.
static void reference_values(long double a[3][3], long double d[3]) {
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0.0L) continue;
                long double z = (a[q][q] - a[p][p]) / (2.0L * a[p][q]);
                long double t = (z >= 0.0L ? 1.0L : -1.0L) / (fabsl(z) + sqrtl(1.0L + z * z));
                long double c = 1.0L / sqrtl(1.0L + t * t), s = t * c;
                int r = 3 - p - q;
                long double rp = a[r][p], rq = a[r][q];
                a[p][p] -= t * a[p][q];
                a[q][q] += t * a[p][q];
                a[p][q] = a[q][p] = 0.0L;
                a[r][p] = a[p][r] = c * rp - s * rq;
                a[r][q] = a[q][r] = s * rp + c * rq;
            }
    for (int k = 0; k < 3; k++) d[k] = a[k][k];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (d[k] > d[k + 1]) {
                long double t = d[k];
                d[k] = d[k + 1];
                d[k + 1] = t;
            }
}

// D B D with B positive definite of moderate condition (here below 100) determines its eigenvalues to roundings times
// that condition, however graded D is; 2e-14 allows 100 roundings. LAPACK's QL loses the small ones altogether.
TEST(graded_positive_definite_matrices_keep_relative_accuracy) {
    sampler s = {.seed = 4};
    double worst = 0.0;
    for (int i = 0; i < 100000; i++) {
        carom_mat3 r = crm_quat_to_mat3(sample_attitude(&s));
        carom_mat3 b =
            crm_congruence_diagonal(r, crm_vec3(1.0, sample_between(&s, 0.03, 1.0), sample_between(&s, 0.03, 1.0)));
        double range = i % 2 ? 3.0 : 40.0;
        carom_mat3 grade = crm_mat3_diagonal(crm_vec3(pow(10.0, -sample_between(&s, 0.0, range)),
                                                      pow(10.0, -sample_between(&s, 0.0, range)),
                                                      pow(10.0, -sample_between(&s, 0.0, range))));
        carom_mat3 a = crm_congruence(grade, b), v;
        carom_vec3 d;
        CHECK(crm_eigen3(a, &d, &v));
        long double full[3][3] = {{a.x.x, a.x.y, a.x.z}, {a.x.y, a.y.y, a.y.z}, {a.x.z, a.y.z, a.z.z}}, wanted[3];
        reference_values(full, wanted);
        for (int k = 0; k < 3; k++) worst = fmax(worst, (double)fabsl((crm_component(d, k) - wanted[k]) / wanted[k]));
    }
    CHECK_NEAR(worst, 0.0, 2e-14);
    print_message("worst relative error %.2g\n", worst);
}

TEST(only_the_lower_triangle_is_read_and_bad_input_refused) {
    carom_mat3 a = crm_mat3_columns(crm_vec3(2, 1, 0), crm_vec3(1, 2, 0), crm_vec3(0, 0, 5)), v;
    carom_vec3 d;
    a.y.x = a.z.x = a.z.y = NAN; // above the diagonal
    CHECK(crm_eigen3(a, &d, &v));
    CHECK_NEAR(vec3_gap(d, crm_vec3(1, 3, 5)), 0.0, 4.0 * DBL_EPSILON);
    a.x.z = INFINITY;
    CHECK(!crm_eigen3(a, &d, &v));
    CHECK_NEAR(mat3_gap(v, crm_mat3_identity()) + crm_length(d), 0.0, 0.0);
    CHECK(crm_eigen3(crm_mat3_zero(), &d, &v));
    CHECK_NEAR(crm_length(d), 0.0, 0.0);
    // zero diagonal: the relative test never stops a rotation early
    carom_mat3 off = crm_mat3_columns(crm_vec3(0, 1, 0), crm_vec3(1, 0, 1e-200), crm_vec3(0, 1e-200, 0));
    CHECK(crm_eigen3(off, &d, &v));
    CHECK_NEAR(vec3_gap(d, crm_vec3(-1, 0, 1)), 0.0, 4.0 * DBL_EPSILON);
}

TEST_MAIN(CASE(random_matrices_agree_with_lapack), CASE(clustered_and_graded_spectra_agree_with_lapack),
          CASE(size_changes_nothing), CASE(the_ends_of_the_range_are_reached), CASE(diagonal_matrices_are_exact),
          CASE(graded_positive_definite_matrices_keep_relative_accuracy),
          CASE(only_the_lower_triangle_is_read_and_bad_input_refused))
