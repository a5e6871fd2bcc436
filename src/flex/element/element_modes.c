// SPDX-License-Identifier: MIT
// The lowest natural rates, by a block Krylov space of the inverse of A + s, A = M^-1/2 K M^-1/2, s far below all rates
// that are not zero: what A does in that space gives rates from above. How many eigenvalues of A are below a shift,
// told by the signs of its pivots, proves that none was passed over.
#include <float.h>
#include <string.h>

#include "base/fail.h"
#include "flex/element/element_modes.h"
#include "flex/element/element_rates.h"
#include "math/block/block_factor.h"
#include "math/dense/dense.h"
#include "math/dense/dense_eigen.h"

// Shares of the largest eigenvalue: the shift s, which keeps the factorization certain; below which an eigenvalue is
// rounding of zero; the residual's rounding.
static const double shift_share = 1e-9, zero_share = 1e-11, residual_share = 1e-13;

// Residual of a vector over its eigenvalue; the eigenvalue's error is its square.
static const double vector_accuracy = 1e-6;

// A vector of which less than this is outside the space is in it.
static const double dependent = 1e-8;

// The block has room for the six motions without strain of one piece, and for two equal frequencies.
enum { BLOCK = 8 };

typedef struct krylov {
    const crm_elastic *elastic;
    const bool *held;
    crm_block_matrix matrix;  // A
    crm_block_matrix shifted; // A + s, and what its factor is made of; held nodes have diagonals of their own
    crm_block_symbolic symbolic;
    crm_block_factor inverse, counter; // Cholesky of A + s; LDL^T of A less a shift
    double *solve_scratch;
    double largest; // eigenvalue of A
    int size, free; // numbers of a vector; those that are not held
    int most, count;
    unsigned seed;
    double *basis, *image;           // orthonormal, and A times it: columns (size * most)
    double *product;                 // basis^T image (most * most)
    double *values, *vectors, *work; // of the product (most, most^2, most^2)
    double *residual;                // (size)
} krylov;

// A + shift; of held nodes a diagonal that no shift reaches.
static void shift_matrix(krylov *k, double shift) {
    const crm_block_graph *graph = &k->matrix.graph;
    memcpy(k->shifted.edges, k->matrix.edges, (size_t)graph->edge_count * 9 * sizeof(double));
    memcpy(k->shifted.diagonal, k->matrix.diagonal, (size_t)graph->node_count * 9 * sizeof(double));
    for (int n = 0; n < graph->node_count; n++) {
        double *block = k->shifted.diagonal + k->shifted.node_block[n];
        double more = k->held[n] ? k->largest : shift;
        for (int i = 0; i < 3; i++) block[4 * i] += more;
    }
}

// ---- the space

static double *column(const krylov *k, double *list, int index) {
    return list + (ptrdiff_t)index * k->size;
}

// Takes the part in the space off, twice as rounding leaves some; false when nothing else is there.
static bool make_orthonormal(krylov *k, double *v) {
    double before = crm_dense_norm2(k->size, v);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < k->count; j++) {
            const double *q = column(k, k->basis, j);
            crm_dense_add_scaled(k->size, -crm_dense_dot(k->size, q, v), q, v);
        }
    double norm = crm_dense_norm2(k->size, v);
    if (!(norm > dependent * before)) return false;
    for (int i = 0; i < k->size; i++) v[i] /= norm;
    return true;
}

// Puts the vector at the space's end into it, if it is new.
static void accept_vector(krylov *k) {
    double *v = column(k, k->basis, k->count);
    if (!make_orthonormal(k, v) || !make_orthonormal(k, v)) return;
    double *image = column(k, k->image, k->count);
    crm_block_matrix_apply(&k->matrix, v, image);
    for (int j = 0; j <= k->count; j++) {
        double entry = crm_dense_dot(k->size, column(k, k->basis, j), image);
        k->product[j + (ptrdiff_t)k->count * k->most] = k->product[k->count + (ptrdiff_t)j * k->most] = entry;
    }
    k->count++;
}

static void add_random_block(krylov *k) {
    for (int i = 0; i < BLOCK && k->count < k->most; i++) {
        crm_elastic_random_vector(k->elastic, k->held, ++k->seed, column(k, k->basis, k->count));
        accept_vector(k);
    }
}

// The inverse of the vectors from `first` to `last`, which are the newest.
static void add_inverse_block(krylov *k, int first, int last) {
    for (int j = first; j < last && k->count < k->most; j++) {
        double *v = column(k, k->basis, k->count);
        memcpy(v, column(k, k->basis, j), (size_t)k->size * sizeof *v);
        crm_block_factor_solve(&k->inverse, 1, v, k->size, k->solve_scratch);
        accept_vector(k);
    }
}

// ---- what the space knows

static bool find_values(krylov *k) {
    for (int j = 0; j < k->count; j++)
        memcpy(k->work + (ptrdiff_t)j * k->count, k->product + (ptrdiff_t)j * k->most,
               (size_t)k->count * sizeof(double));
    return crm_symmetric_eigen(k->count, k->work, k->count, k->values, k->vectors);
}

static int count_zeros(const krylov *k) {
    int zeros = 0;
    while (zeros < k->count && k->values[zeros] < zero_share * k->largest) zeros++;
    return zeros;
}

// |A x - value x| of the space's vector `index`.
static double residual_of(krylov *k, int index) {
    memset(k->residual, 0, (size_t)k->size * sizeof *k->residual);
    for (int j = 0; j < k->count; j++) {
        double share = k->vectors[j + (ptrdiff_t)index * k->count];
        crm_dense_add_scaled(k->size, share, column(k, k->image, j), k->residual);
        crm_dense_add_scaled(k->size, -share * k->values[index], column(k, k->basis, j), k->residual);
    }
    return crm_dense_norm2(k->size, k->residual);
}

// Whether A has as many eigenvalues below the last one that is wanted as the space.
static bool none_missing(krylov *k, int last) {
    static const double below = 1e-6; // of the eigenvalue: equal ones are on the same side of the shift
    double shift = (1.0 - below) * k->values[last];
    crm_block_factor_report report;
    int found = 0;
    while (k->values[found] < shift) found++;
    shift_matrix(k, -shift);
    crm_block_factor_compute(&k->counter, &k->shifted, &report);
    return report.left_out == 0 && report.negative == found;
}

static bool is_found(krylov *k, int zeros, int count) {
    if (k->count == k->free) return true; // the space is everything
    if (zeros + count > k->count) return false;
    for (int i = zeros; i < zeros + count; i++) {
        double enough = vector_accuracy * k->values[i] + residual_share * k->largest;
        if (residual_of(k, i) > enough) return false;
    }
    return none_missing(k, zeros + count - 1);
}

static carom_status search(krylov *k, int count, int *zeros, carom_error *error) {
    crm_block_factor_report report;
    shift_matrix(k, shift_share * k->largest);
    crm_block_factor_compute(&k->inverse, &k->shifted, &report);
    add_random_block(k);
    for (int first = 0; k->count > 0;) {
        int last = k->count;
        add_inverse_block(k, first, last);
        first = last;
        bool full = k->count == k->most;
        if (!find_values(k)) break;
        *zeros = count_zeros(k);
        if (is_found(k, *zeros, count)) return CAROM_OK;
        if (full) break;
        // Everything that the inverse reaches is there, and something is missing: it needs other directions.
        if (k->count == last) add_random_block(k);
        if (k->count == last) break;
    }
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "the lowest %d natural frequencies are not sure in a space of %d vectors; ask for fewer", count,
                    k->count);
}

// ---- memory

static carom_status make_factors(krylov *k, crm_arena *arena, carom_error *error) {
    crm_arena scratch;
    crm_arena_init(&scratch, &arena->allocator);
    carom_status status = crm_block_analyse(&k->matrix.graph, NULL, arena, &scratch, &k->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&k->symbolic, CRM_BLOCK_CHOLESKY, arena, &k->inverse, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&k->symbolic, CRM_BLOCK_LDLT, arena, &k->counter, error);
    if (status != CAROM_OK) return status;
    k->solve_scratch = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&k->inverse));
    return k->solve_scratch != NULL ? CAROM_OK : crm_fail_memory(error, "natural frequencies", 0);
}

static carom_status make_space(krylov *k, int count, crm_arena *arena, carom_error *error) {
    int pieces = k->elastic->mesh->quality.pieces;
    ptrdiff_t most = 8 * (ptrdiff_t)count + 12 * (ptrdiff_t)pieces + 120;
    k->most = most < k->free ? (int)most : k->free;
    most = k->most;
    k->basis = CRM_ARENA_ARRAY(arena, double, most * k->size);
    k->image = CRM_ARENA_ARRAY(arena, double, most * k->size);
    k->product = CRM_ARENA_ARRAY(arena, double, most *most);
    k->values = CRM_ARENA_ARRAY(arena, double, most);
    k->vectors = CRM_ARENA_ARRAY(arena, double, most *most);
    k->work = CRM_ARENA_ARRAY(arena, double, most *most);
    k->residual = CRM_ARENA_ARRAY(arena, double, k->size);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "natural frequencies", 2 * (size_t)(most * k->size));
    return CAROM_OK;
}

static carom_status refuse_count(int count, int zeros, int all, carom_error *error) {
    return crm_refuse(error, "count is %d; the mesh has %d natural frequencies above its %d motions without strain",
                      count, all - zeros, zeros);
}

carom_status crm_elastic_modes(const crm_elastic *elastic, crm_node_view position, const bool *held, int count,
                               crm_arena *scratch, int *zeros, double *rates, carom_error *error) {
    const double rough = 1e-2;
    krylov k = {.elastic = elastic, .held = held, .size = 3 * elastic->mesh->node_count};
    for (int n = 0; n < elastic->mesh->node_count; n++) k.free += held[n] ? 0 : 3;
    *zeros = 0;
    if (count > k.free) return refuse_count(count, 0, k.free, error);
    double rate;
    carom_status status = crm_elastic_largest_rate(elastic, position, held, rough, scratch, &rate, error);
    k.largest = rate * rate;
    if (status == CAROM_OK) status = crm_elastic_scaled_stiffness(elastic, position, held, scratch, &k.matrix, error);
    if (status == CAROM_OK) status = crm_block_matrix_create(&elastic->graph, true, scratch, &k.shifted, error);
    if (status == CAROM_OK) status = make_factors(&k, scratch, error);
    if (status == CAROM_OK) status = make_space(&k, count, scratch, error);
    if (status == CAROM_OK && k.free > 0) status = search(&k, count, zeros, error);
    if (status != CAROM_OK) return status;
    if (*zeros + count > k.free) return refuse_count(count, *zeros, k.free, error);
    for (int i = 0; i < count; i++) rates[i] = sqrt(k.values[*zeros + i]);
    return CAROM_OK;
}
