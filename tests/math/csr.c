// SPDX-License-Identifier: MIT
// Sparse rows: built from triplets, multiplied, transposed, refused.
#include "math/krylov/csr.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/dense/dense.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

enum { TERMS = 700, ROWS = 23, COLS = 31 };

static crm_triplet terms[TERMS];

// Random places, many of them repeated, some rows and columns empty.
static void fill_terms(crm_random *seed) {
    for (int k = 0; k < TERMS; k++) {
        int row = (int)crm_random_below(seed, ROWS), col = (int)crm_random_below(seed, COLS);
        terms[k] = (crm_triplet){row == 7 ? 8 : row, col == 0 ? 1 : col, random_signed(seed)};
    }
}

TEST(csr_build_agrees_with_a_dense_sum) {
    crm_random seed = {.seed = 1};
    crm_arena arena;
    crm_csr a;
    crm_arena_init(&arena, NULL);
    fill_terms(&seed);
    double dense[ROWS * COLS] = {0};
    bool present[ROWS * COLS] = {false};
    for (int k = 0; k < TERMS; k++) {
        // One sum in the given order: the same bits are expected.
        dense[terms[k].row + terms[k].col * ROWS] += terms[k].value;
        present[terms[k].row + terms[k].col * ROWS] = true;
    }
    CHECK_INT(crm_csr_build(ROWS, COLS, terms, TERMS, &arena, &a, NULL), CAROM_OK);
    CHECK_INT(crm_csr_check(&a, NULL), CAROM_OK);
    int count = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            double *entry = crm_csr_find(&a, i, j);
            if (!CHECK_INT(entry != NULL, present[i + j * ROWS])) continue;
            if (entry != NULL) CHECK_NEAR(*entry, dense[i + j * ROWS], 0.0);
            count += entry != NULL;
        }
    CHECK_INT(a.starts[ROWS], count);
    CHECK(crm_csr_find(&a, -1, 0) == NULL && crm_csr_find(&a, 0, -1) == NULL);
    CHECK(crm_csr_find(&a, ROWS, 0) == NULL && crm_csr_find(&a, 0, COLS) == NULL);

    double x[COLS], y[ROWS], wanted[COLS], back[COLS];
    fill_random(COLS, 1, x, COLS, &seed);
    crm_csr_multiply(&a, x, y);
    crm_dense_multiply_vector(ROWS, COLS, dense, ROWS, x, wanted);
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(y[i], wanted[i], 100 * DBL_EPSILON);
    crm_csr_multiply_transposed(&a, y, back);
    multiply_transposed(ROWS, COLS, dense, ROWS, y, wanted);
    for (int j = 0; j < COLS; j++) CHECK_NEAR(back[j], wanted[j], 1000 * DBL_EPSILON);
    crm_arena_free(&arena);
}

TEST(csr_adds_duplicates_in_the_given_order) {
    crm_arena arena;
    crm_csr a;
    crm_arena_init(&arena, NULL);
    // 1 + 1e16 - 1e16 is 0 from the left and 1 with the first two exchanged for the last.
    const crm_triplet one[] = {{0, 0, 1.0}, {1, 0, 5.0}, {0, 0, 1e16}, {0, 0, -1e16}};
    const crm_triplet two[] = {{0, 0, 1e16}, {1, 0, 5.0}, {0, 0, -1e16}, {0, 0, 1.0}};
    CHECK_INT(crm_csr_build(2, 1, one, 4, &arena, &a, NULL), CAROM_OK);
    CHECK_INT(a.starts[2], 2); // a sum of zero stays in the pattern
    CHECK_NEAR(*crm_csr_find(&a, 0, 0), 0.0, 0.0);
    CHECK_INT(crm_csr_build(2, 1, two, 4, &arena, &a, NULL), CAROM_OK);
    CHECK_NEAR(*crm_csr_find(&a, 0, 0), 1.0, 0.0);
    crm_arena_free(&arena);
}

TEST(csr_transpose_is_exact_and_its_own_inverse) {
    crm_random seed = {.seed = 2};
    crm_arena arena;
    crm_csr a, t, tt;
    crm_arena_init(&arena, NULL);
    fill_terms(&seed);
    CHECK_INT(crm_csr_build(ROWS, COLS, terms, TERMS, &arena, &a, NULL), CAROM_OK);
    CHECK_INT(crm_csr_transpose(&a, &arena, &t, NULL), CAROM_OK);
    CHECK_INT(crm_csr_check(&t, NULL), CAROM_OK);
    CHECK_INT(t.rows, COLS);
    CHECK_INT(t.cols, ROWS);
    for (int i = 0; i < ROWS; i++)
        for (int k = a.starts[i]; k < a.starts[i + 1]; k++) {
            double *entry = crm_csr_find(&t, a.columns[k], i);
            if (CHECK(entry != NULL)) CHECK_NEAR(*entry, a.values[k], 0.0);
        }
    CHECK_INT(crm_csr_transpose(&t, &arena, &tt, NULL), CAROM_OK);
    size_t count = (size_t)a.starts[ROWS];
    CHECK(memcmp(a.starts, tt.starts, (ROWS + 1) * sizeof(int)) == 0);
    CHECK(memcmp(a.columns, tt.columns, count * sizeof(int)) == 0);
    CHECK(memcmp(a.values, tt.values, count * sizeof(double)) == 0);
    // The transposed product adds in the same order either way.
    double x[ROWS], y[COLS], z[COLS];
    fill_random(ROWS, 1, x, ROWS, &seed);
    crm_csr_multiply_transposed(&a, x, y);
    crm_csr_multiply(&t, x, z);
    for (int j = 0; j < COLS; j++) CHECK_NEAR(y[j], z[j], 0.0);
    crm_arena_free(&arena);
}

TEST(csr_takes_empty_matrices) {
    crm_arena arena;
    crm_csr a, t;
    crm_arena_init(&arena, NULL);
    CHECK_INT(crm_csr_build(0, 0, NULL, 0, &arena, &a, NULL), CAROM_OK);
    CHECK_INT(crm_csr_build(3, 2, NULL, 0, &arena, &a, NULL), CAROM_OK);
    double x[] = {1.0, 2.0}, y[] = {7.0, 7.0, 7.0};
    crm_csr_multiply(&a, x, y);
    for (int i = 0; i < 3; i++) CHECK_NEAR(y[i], 0.0, 0.0);
    CHECK(crm_csr_find(&a, 1, 1) == NULL);
    CHECK_INT(crm_csr_transpose(&a, &arena, &t, NULL), CAROM_OK);
    CHECK_INT(crm_csr_check(&t, NULL), CAROM_OK);
    crm_arena_free(&arena);
}

TEST(csr_refuses_hostile_triplets) {
    crm_arena arena;
    crm_csr a = {.rows = -77};
    carom_error error;
    crm_arena_init(&arena, NULL);
    crm_triplet bad[] = {{0, 0, 1.0}, {1, 2, 2.0}, {2, 1, 3.0}};
#define REFUSED(m, n, count, sentence)                                                   \
    CHECK_INT(crm_csr_build(m, n, bad, count, &arena, &a, &error), CAROM_ERR_BAD_INPUT); \
    CHECK_CONTAINS(error.text, sentence);                                                \
    CHECK_INT(a.rows, -77)
    REFUSED(-1, 3, 3, "-1 rows");
    REFUSED(3, -2, 3, "-2 columns");
    REFUSED(3, 3, -3, "-3 triplets");
    REFUSED(2, 3, 3, "triplet 2 is at row 2, column 1 of a 2 x 3 matrix");
    REFUSED(3, 2, 3, "triplet 1 is at row 1, column 2 of a 3 x 2 matrix");
    REFUSED(0, 0, 3, "triplet 0");
    bad[1].row = -1;
    REFUSED(3, 3, 3, "triplet 1 is at row -1");
    bad[1] = (crm_triplet){1, INT_MIN, 1.0};
    REFUSED(3, 3, 3, "triplet 1 is at row 1, column -2147483648");
    bad[1] = (crm_triplet){1, 1, NAN};
    REFUSED(3, 3, 3, "triplet 1 (row 1, column 1) is");
    bad[1].value = -INFINITY;
    REFUSED(3, 3, 3, "must be finite");
    bad[1].value = bad[2].value = DBL_MAX;
    bad[2].row = bad[2].col = 1;
    REFUSED(3, 3, 3, "row 1, column 1 add up to inf");
#undef REFUSED
    CHECK_INT(crm_csr_build(3, 3, NULL, 3, &arena, &a, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(crm_csr_build(INT_MAX, 3, bad, 1, &arena, &a, &error), CAROM_ERR_TOO_LARGE);
    CHECK_INT(crm_csr_build(3, 3, bad, (ptrdiff_t)INT_MAX + 1, &arena, &a, &error), CAROM_ERR_TOO_LARGE);
    crm_arena_free(&arena);
}

TEST(csr_check_refuses_broken_matrices) {
    int starts[] = {0, 2, 3}, columns[] = {0, 2, 1};
    double values[] = {1.0, 2.0, 3.0};
    carom_error error;
    const crm_csr good = {.rows = 2, .cols = 3, .starts = starts, .columns = columns, .values = values};
    CHECK_INT(crm_csr_check(&good, &error), CAROM_OK);
    crm_csr bad = good;
    bad.rows = -1;
    CHECK_INT(crm_csr_check(&bad, &error), CAROM_ERR_BAD_INPUT);
    bad = good;
    bad.cols = 2;
    CHECK_INT(crm_csr_check(&bad, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "entry 1 is at row 0, column 2 of 2 x 2");
    columns[1] = 0;
    CHECK_INT(crm_csr_check(&good, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "must increase");
    columns[1] = 2;
    values[2] = NAN;
    CHECK_INT(crm_csr_check(&good, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "row 1, column 1");
    values[2] = 3.0;
    starts[1] = 4;
    CHECK_INT(crm_csr_check(&good, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "row 1 starts at entry 4 and ends at 3");
    starts[1] = 2;
    starts[0] = 1;
    CHECK_INT(crm_csr_check(&good, &error), CAROM_ERR_BAD_INPUT);
}

// Every allocation refused once: a clean refusal, nothing leaked, the output untouched.
TEST(csr_survives_a_lack_of_memory) {
    crm_random seed = {.seed = 3};
    fill_terms(&seed);
    for (int refused = 1; refused <= 8; refused++) {
        probe_allocator probe = {.refused_call = refused};
        carom_allocator hook = probe_allocator_hook(&probe);
        crm_arena arena;
        crm_csr a = {.rows = -77}, t = {.rows = -77};
        carom_error error;
        crm_arena_init(&arena, &hook);
        carom_status built = crm_csr_build(ROWS, COLS, terms, TERMS, &arena, &a, &error);
        if (built != CAROM_OK) {
            CHECK_INT(built, CAROM_ERR_NO_MEMORY);
            CHECK_CONTAINS(error.text, "sparse matrix");
            CHECK_INT(a.rows, -77);
        } else if (crm_csr_transpose(&a, &arena, &t, &error) != CAROM_OK) {
            CHECK_INT(error.status, CAROM_ERR_NO_MEMORY);
            CHECK_INT(t.rows, -77);
        }
        if (refused == 1) CHECK_INT(built, CAROM_ERR_NO_MEMORY);
        crm_arena_free(&arena);
        CHECK_INT(probe.live_blocks, 0);
    }
}

TEST_MAIN(CASE(csr_build_agrees_with_a_dense_sum), CASE(csr_adds_duplicates_in_the_given_order),
          CASE(csr_transpose_is_exact_and_its_own_inverse), CASE(csr_takes_empty_matrices),
          CASE(csr_refuses_hostile_triplets), CASE(csr_check_refuses_broken_matrices),
          CASE(csr_survives_a_lack_of_memory))
