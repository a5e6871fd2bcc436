// SPDX-License-Identifier: MIT
#include "math/block/tile_factor.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// With n a constant the loops over a tile of 6 or 3 are unrolled.
#define INLINED static inline __attribute__((always_inline))
#define CALL_WITH_CONSTANT_SIZE(function, n, ...) \
    do {                                          \
        if ((n) == 6)                             \
            function(6, __VA_ARGS__);             \
        else if ((n) == 3)                        \
            function(3, __VA_ARGS__);             \
        else                                      \
            function(n, __VA_ARGS__);             \
    } while (0)

// The error analysis from one scalar on. `probing` is a constant at every call, so that code without probes has no
// trace of them.
INLINED crm_pivot_errors errors_from(const crm_pivot_errors *errors, int scalar, bool probing) {
    return (crm_pivot_errors){errors->magnitude + scalar, errors->inherited + scalar,    errors->uncertainty + scalar,
                              errors->row_probe + scalar, errors->column_probe + scalar, probing};
}

// Up to AT_ONCE entries, whose sums stay in registers.
enum { AT_ONCE = 6 };

INLINED void add_terms_of_some(int count, int n, int depth, const double *left, const double *right,
                               crm_pivot_errors source, crm_pivot_errors target) {
    double terms[AT_ONCE] = {0}, weighted[AT_ONCE] = {0};
    for (int k = 0; k < depth; k++) {
        for (int i = 0; i < count; i++) {
            double term = fabs(left[i + (ptrdiff_t)n * k] * right[i + (ptrdiff_t)n * k]);
            terms[i] += term;
            weighted[i] += term * source.uncertainty[k];
        }
    }
    for (int i = 0; i < count; i++) {
        target.magnitude[i] += terms[i];
        target.inherited[i] += weighted[i];
    }
}

INLINED void add_terms(int n, int depth, const double *left, const double *right, crm_pivot_errors source,
                       crm_pivot_errors target) {
    for (int first = 0; first < n; first += AT_ONCE)
        add_terms_of_some(n - first < AT_ONCE ? n - first : AT_ONCE, n, depth, left + first, right + first, source,
                          errors_from(&target, first, false));
}

// sum += A p, A: n x depth
static void add_to_probe(int n, int depth, const double *a, const double *p, double *sum) {
    for (int k = 0; k < depth; k++)
        for (int i = 0; i < n; i++) sum[i] += a[i + (ptrdiff_t)n * k] * p[k];
}

void crm_pivot_errors_add(int n, int depth, const double *left, const double *right, const crm_pivot_errors *errors,
                          int from, int to) {
    crm_pivot_errors source = errors_from(errors, from, false), target = errors_from(errors, to, false);
    CALL_WITH_CONSTANT_SIZE(add_terms, n, depth, left, right, source, target);
    if (!errors->probing) return;
    add_to_probe(n, depth, left, source.row_probe, target.row_probe);
    if (source.column_probe != source.row_probe)
        add_to_probe(n, depth, right, source.column_probe, target.column_probe);
}

// The next entry of a probe: what the earlier ones make of it, and a rounding error with the sign that adds up. `size`
// is the root of the magnitude.
static double next_of_probe(double sum, double size) {
    const double root_of_epsilon = 0x1p-26;
    return -(sum + copysign(root_of_epsilon * size, sum));
}

// A probe is one sample of a sum with random signs: by chance it can be much smaller than the typical size. This
// margin on its square keeps the estimate on the safe side in all but one of some hundred cases.
static const double probe_margin = 1000.0;

// Estimated error of pivot j; `magnitude` is what cancels in it, `probed` the product of its probes.
INLINED double pivot_error(double magnitude, double probed, int j, crm_pivot_errors errors) {
    double error = DBL_EPSILON * magnitude + errors.inherited[j];
    if (errors.probing && probe_margin * fabs(probed) < error) error = probe_margin * fabs(probed);
    return error + DBL_MIN; // numbers below DBL_MIN have lost their digits
}

// Decides about pivot j of a tile and counts it; true when it is kept. `size` is what must stand out of the error.
INLINED bool keep_pivot(double pivot, double size, double error, double magnitude, int j, crm_pivot_errors errors,
                        int scalar, crm_pivot_tally *tally) {
    tally->negative += pivot < -tally->certainty * error;
    if (size > tally->certainty * error) { // never for infinity or NaN: then the error is one too
        double uncertainty = error / size;
        // Nothing is inherited where all pivots are kept: in a long chain that would grow beyond all bounds.
        errors.uncertainty[j] = tally->certainty > 0.0 ? uncertainty : 0.0;
        tally->kept++;
        if (uncertainty > tally->largest_uncertainty) tally->largest_uncertainty = uncertainty;
        return true;
    }
    errors.uncertainty[j] = 0.0;
    if (tally->left_out++ == 0) tally->first_left_out = scalar + j;
    if (!isfinite(pivot)) tally->finite = false;
    // No probe comes out smaller than this.
    if (size > tally->certainty * probe_margin * DBL_EPSILON * magnitude) tally->doubtful++;
    return false;
}

INLINED void inherit(int i, double term, double uncertainty, crm_pivot_errors errors) {
    errors.magnitude[i] += fabs(term);
    errors.inherited[i] += fabs(term) * uncertainty;
}

INLINED void cholesky(int n, double *t, double *reciprocal, crm_pivot_errors errors, int scalar,
                      crm_pivot_tally *tally) {
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j, magnitude = errors.magnitude[j];
        double y = errors.probing ? next_of_probe(errors.row_probe[j], sqrt(magnitude)) : 0.0;
        double error = pivot_error(magnitude, y * y, j, errors);
        // Not its magnitude: below zero it is no pivot of a semidefinite matrix, whatever its size.
        bool keep = keep_pivot(column[j], column[j], error, magnitude, j, errors, scalar, tally);
        column[j] = keep ? sqrt(column[j]) : 0.0;
        reciprocal[j] = keep ? 1.0 / column[j] : 0.0;
        for (int i = j + 1; i < n; i++) {
            column[i] *= reciprocal[j];
            inherit(i, column[i] * column[i], errors.uncertainty[j], errors);
        }
        for (int l = j + 1; l < n; l++)
            for (int i = l; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * column[l];
        if (!errors.probing) continue;
        errors.row_probe[j] = y * reciprocal[j];
        for (int i = j + 1; i < n; i++) errors.row_probe[i] += column[i] * errors.row_probe[j];
    }
}

void crm_tile_cholesky(int n, double *t, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                       crm_pivot_tally *tally) {
    if (errors->probing)
        cholesky(n, t, reciprocal, errors_from(errors, scalar, true), scalar, tally);
    else
        CALL_WITH_CONSTANT_SIZE(cholesky, n, t, reciprocal, errors_from(errors, scalar, false), scalar, tally);
}

INLINED void ldlt(int n, double *t, double *pivot, double *reciprocal, crm_pivot_errors errors, int scalar,
                  crm_pivot_tally *tally) {
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j, magnitude = errors.magnitude[j];
        double y = errors.probing ? next_of_probe(errors.row_probe[j], sqrt(magnitude)) : 0.0;
        double error = pivot_error(magnitude, y * y, j, errors);
        bool keep = keep_pivot(column[j], fabs(column[j]), error, magnitude, j, errors, scalar, tally);
        pivot[j] = keep ? column[j] : 0.0;
        reciprocal[j] = keep ? 1.0 / column[j] : 0.0;
        column[j] = 1.0;
        for (int l = j + 1; l < n; l++) {
            double factor = column[l] * reciprocal[j];
            for (int i = l; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * factor;
            inherit(l, column[l] * factor, errors.uncertainty[j], errors);
        }
        for (int i = j + 1; i < n; i++) column[i] *= reciprocal[j];
        if (!errors.probing) continue;
        errors.row_probe[j] = keep ? y : 0.0;
        for (int i = j + 1; i < n; i++) errors.row_probe[i] += column[i] * errors.row_probe[j];
    }
}

void crm_tile_ldlt(int n, double *t, double *pivot, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                   crm_pivot_tally *tally) {
    if (errors->probing)
        ldlt(n, t, pivot, reciprocal, errors_from(errors, scalar, true), scalar, tally);
    else
        CALL_WITH_CONSTANT_SIZE(ldlt, n, t, pivot, reciprocal, errors_from(errors, scalar, false), scalar, tally);
}

// Of the rows from j on the one to eliminate with: row j itself unless another entry of the column is much larger. Rows
// are compared relative to their sizes. An exchange spoils what symmetry a block has, and with it the diagonal error
// analysis, so that it is made for the sake of stability only; each entry may grow by 1 + much_larger per step.
INLINED int choose_row(int n, int j, const double *column, const double *row_size) {
    const double much_larger = 4.0;
    int best = j;
    double largest = 0.0;
    for (int i = j; i < n; i++) {
        double size = row_size[i] > 0.0 ? fabs(column[i]) / row_size[i] : 0.0;
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return fabs(column[j]) * much_larger >= largest * row_size[j] ? j : best;
}

INLINED double share_of(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

// Rows a and b change places. Errors follow relative to the natural size of the entries, the larger one for both.
INLINED void exchange_rows(int n, double *t, int *row_taken, double *row_size, const double *column_size,
                           crm_pivot_errors errors, int a, int b) {
    double *inherited = errors.inherited;
    double relative_a = share_of(inherited[a], row_size[a] * column_size[a]);
    double relative_b = share_of(inherited[b], row_size[b] * column_size[b]);
    double relative = relative_a > relative_b ? relative_a : relative_b;
    int taken = row_taken[a];
    row_taken[a] = row_taken[b];
    row_taken[b] = taken;
    double size = row_size[a];
    row_size[a] = row_size[b];
    row_size[b] = size;
    double probe_sum = errors.row_probe[a];
    errors.row_probe[a] = errors.row_probe[b];
    errors.row_probe[b] = probe_sum;
    inherited[a] = relative * row_size[a] * column_size[a];
    inherited[b] = relative * row_size[b] * column_size[b];
    for (ptrdiff_t l = 0; l < n; l++) {
        double entry = t[a + n * l];
        t[a + n * l] = t[b + n * l];
        t[b + n * l] = entry;
    }
}

// Largest entry of each row relative to the sizes of the columns, and at least `least`; columns of size zero are
// skipped.
INLINED void measure_rows(int n, const double *t, const double *least, const double *column_size, double *row_size) {
    for (int i = 0; i < n; i++) row_size[i] = least[i];
    for (int l = 0; l < n; l++) {
        if (!(column_size[l] > 0.0)) continue;
        double reciprocal = 1.0 / column_size[l];
        for (int i = 0; i < n; i++) {
            double size = fabs(t[i + (ptrdiff_t)n * l]) * reciprocal;
            if (size > row_size[i]) row_size[i] = size;
        }
    }
}

// Sizes of rows and columns such that row_size[i] * column_size[l] is the natural size of entry (i, l). Units are
// usually those of a congruence (row i and column i scale alike), so that the root of what stands, or cancelled, on the
// diagonal measures both. A column without a diagonal entry is measured by its entries, and its row by its own.
INLINED void measure(int n, const double *t, const double *magnitude, double *row_size, double *column_size) {
    bool measured = true;
    for (int l = 0; l < n; l++) {
        column_size[l] = sqrt(magnitude[l]);
        if (!(column_size[l] > 0.0)) measured = false;
    }
    measure_rows(n, t, column_size, column_size, row_size);
    if (measured) return;
    for (int l = 0; l < n; l++) {
        if (column_size[l] > 0.0) continue;
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            double size = row_size[i] > 0.0 ? fabs(t[i + (ptrdiff_t)n * l]) / row_size[i] : 0.0;
            if (size > largest) largest = size;
        }
        column_size[l] = largest > 0.0 ? largest : 1.0;
    }
    for (int i = 0; i < n; i++) row_size[i] = sqrt(magnitude[i]);
    measure_rows(n, t, row_size, column_size, row_size);
}

INLINED void lu(int n, double *t, int *row_taken, double *reciprocal, crm_pivot_errors errors, int scalar,
                double *scratch, crm_pivot_tally *tally) {
    double *row_size = scratch, *column_size = scratch + n;
    measure(n, t, errors.magnitude, row_size, column_size);
    for (int i = 0; i < n; i++) row_taken[i] = i;
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j;
        int row = choose_row(n, j, column, row_size);
        if (row != j) exchange_rows(n, t, row_taken, row_size, column_size, errors, row, j);
        double magnitude = row_size[j] * column_size[j], y = 0.0, w = 0.0;
        if (errors.probing) {
            y = next_of_probe(errors.row_probe[j], row_size[j]);
            w = next_of_probe(errors.column_probe[j], column_size[j]);
        }
        double error = pivot_error(magnitude, y * w, j, errors);
        bool keep = keep_pivot(column[j], fabs(column[j]), error, magnitude, j, errors, scalar, tally);
        reciprocal[j] = keep ? 1.0 / column[j] : 0.0;
        for (int i = j + 1; i < n; i++) column[i] *= reciprocal[j];
        for (int l = j + 1; l < n; l++) {
            double factor = t[j + (ptrdiff_t)n * l];
            for (int i = j + 1; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * factor;
            errors.inherited[l] += fabs(column[l] * factor) * errors.uncertainty[j];
        }
        if (!errors.probing) continue;
        errors.row_probe[j] = keep ? y : 0.0;
        errors.column_probe[j] = w * reciprocal[j];
        for (int i = j + 1; i < n; i++) {
            errors.row_probe[i] += column[i] * errors.row_probe[j];
            errors.column_probe[i] += t[j + (ptrdiff_t)n * i] * errors.column_probe[j];
        }
    }
}

void crm_tile_lu(int n, double *t, int *row_taken, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                 double *scratch, crm_pivot_tally *tally) {
    if (errors->probing)
        lu(n, t, row_taken, reciprocal, errors_from(errors, scalar, true), scalar, scratch, tally);
    else
        CALL_WITH_CONSTANT_SIZE(lu, n, t, row_taken, reciprocal, errors_from(errors, scalar, false), scalar, scratch,
                                tally);
}
