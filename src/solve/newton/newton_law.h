// SPDX-License-Identifier: MIT
// What the blocks of all Newton methods are made of: projections onto the laws' sets with their derivatives, and De
// Saxce's term. In the scaled variables of newton_blocks.h.
#ifndef CRM_SOLVE_NEWTON_LAW_H
#define CRM_SOLVE_NEWTON_LAW_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/cone.h"
#include "solve/newton/newton_blocks.h"

// A symmetric matrix with the eigenvectors (1, t)/sqrt 2, (1, -t)/sqrt 2 and, in space, o = n x t: all that the
// projection onto a cone and the Nesterov-Todd scaling need. Kept as eigenvalues, because explicit inverses lose half
// of the digits.
typedef struct crm_spectrum {
    int rows;
    double t[2];
    double plus, minus, across;
} crm_spectrum;

static inline void crm_set_direction(int rows, const double *x, double norm, double t[2]) {
    t[0] = norm > 0.0 ? x[1] / norm : 1.0;
    t[1] = rows == 3 && norm > 0.0 ? x[2] / norm : 0.0;
}

static inline void crm_spectrum_matrix(const crm_spectrum *s, double *m) {
    double sum = 0.5 * (s->plus + s->minus), difference = 0.5 * (s->plus - s->minus);
    if (s->rows == 2) {
        m[0] = m[3] = sum;
        m[1] = m[2] = difference * s->t[0];
        return;
    }
    double x = s->t[0], y = s->t[1];
    m[0] = sum;
    m[1] = m[3] = difference * x;
    m[2] = m[6] = difference * y;
    m[4] = sum * x * x + s->across * y * y;
    m[5] = m[7] = (sum - s->across) * x * y;
    m[8] = sum * y * y + s->across * x * x;
}

static inline void crm_spectrum_apply(const crm_spectrum *s, const double *x, double *result) {
    double along = s->t[0] * x[1] + (s->rows == 3 ? s->t[1] * x[2] : 0.0);
    double across = s->rows == 3 ? s->t[0] * x[2] - s->t[1] * x[1] : 0.0;
    double plus = 0.5 * s->plus * (x[0] + along), minus = 0.5 * s->minus * (x[0] - along);
    result[0] = plus + minus;
    result[1] = (plus - minus) * s->t[0] - s->across * across * s->t[1];
    if (s->rows == 3) result[2] = (plus - minus) * s->t[1] + s->across * across * s->t[0];
}

// The smooth positive part of x with its derivative d and 1 - d, none of them by cancellation.
typedef struct crm_positive_part {
    double value, slope, rest;
} crm_positive_part;

static inline crm_positive_part crm_take_positive(double x, double smoothing) {
    if (smoothing <= 0.0) return (crm_positive_part){fmax(x, 0.0), x > 0.0 ? 1.0 : 0.0, x > 0.0 ? 0.0 : 1.0};
    double root = crm_hypot(x, 2.0 * smoothing), small = 2.0 * smoothing * smoothing / (root + fabs(x));
    double large = 0.5 * (root + fabs(x)), share = small / root, most = large / root;
    return x > 0.0 ? (crm_positive_part){large, most, share} : (crm_positive_part){small, share, most};
}

// The projection of one number onto [lower, upper].
static inline crm_positive_part crm_take_between(double x, double lower, double upper, double smoothing) {
    if (lower == -INFINITY && upper == INFINITY) return (crm_positive_part){x, 1.0, 0.0};
    if (lower == -INFINITY) {
        crm_positive_part above = crm_take_positive(upper - x, smoothing);
        return (crm_positive_part){upper - above.value, above.slope, above.rest};
    }
    crm_positive_part below = crm_take_positive(x - lower, smoothing);
    if (upper == INFINITY) return (crm_positive_part){lower + below.value, below.slope, below.rest};
    // lower + (x - lower)+ - (x - upper)+
    crm_positive_part above = crm_take_positive(x - upper, smoothing);
    double slope = below.slope - above.slope;
    if (smoothing > 0.0) slope = fmax(slope, 0.0);
    return (crm_positive_part){lower + below.value - above.value, slope, below.rest + above.slope};
}

// The first row of G beyond the identity, from y, whose tangential part is that of u + c r.
static inline void crm_dual_slope(const crm_newton_law *law, const double *y, double rounding, double *slope) {
    memset(slope, 0, CAROM_GROUP_ROWS * sizeof *slope);
    if (law->law != CAROM_LAW_CONE || law->shift == 0.0 || law->frictionless) return;
    double norm = crm_cone_slip(law->rows, y), root = rounding > 0.0 ? crm_hypot(norm, rounding) : norm;
    if (root <= DBL_MIN) return;
    for (int i = 1; i < law->rows; i++) slope[i] = law->shift * y[i] / root;
}

// De Saxce's term itself, from the tangential part of u + c r.
static inline double crm_dual_shift(const crm_newton_law *law, const double *y) {
    if (law->law != CAROM_LAW_CONE || law->shift == 0.0 || law->frictionless) return 0.0;
    return law->shift * crm_cone_slip(law->rows, y);
}

// matrix <- matrix G
static inline void crm_multiply_by_dual(int rows, const double *slope, double *matrix) {
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < rows; j++) matrix[i * rows + j] += matrix[i * rows] * slope[j];
}

// P and the spectra of D and I - D at z. Only cones with friction come here.
static inline void crm_project_onto_cone(int rows, const double *z, double smoothing, double *point, crm_spectrum *d,
                                         crm_spectrum *rest) {
    double norm = crm_cone_slip(rows, z);
    *d = (crm_spectrum){.rows = rows};
    crm_set_direction(rows, z, norm, d->t);
    *rest = *d;
    crm_positive_part plus = crm_take_positive(z[0] + norm, smoothing),
                      minus = crm_take_positive(z[0] - norm, smoothing);
    d->plus = plus.slope, rest->plus = plus.rest;
    d->minus = minus.slope, rest->minus = minus.rest;
    // (p(plus) - p(minus)) / (plus - minus)
    if (norm <= DBL_EPSILON * (fabs(z[0]) + smoothing)) {
        d->across = 0.5 * (plus.slope + minus.slope), rest->across = 0.5 * (plus.rest + minus.rest);
    } else if (smoothing <= 0.0) {
        double high = z[0] + norm, low = z[0] - norm;
        if (low >= 0.0)
            d->across = 1.0, rest->across = 0.0;
        else if (high <= 0.0)
            d->across = 0.0, rest->across = 1.0;
        else
            d->across = high / (high - low), rest->across = -low / (high - low);
    } else {
        double high = z[0] + norm, low = z[0] - norm, width = 2.0 * smoothing;
        double first = crm_hypot(high, width), second = crm_hypot(low, width), roots = first + second,
               sum = fabs(high + low);
        // The two are (1 +- sum / roots) / 2; the smaller one needs roots^2 - sum^2 without cancellation.
        double excess = high * low > 0.0
                            ? width * width * (high * high + low * low + width * width) / (first * second + high * low)
                            : first * second - high * low;
        double larger = 0.5 * (1.0 + sum / roots);
        double smaller = (width * width + excess) / (roots * (roots + sum));
        bool up = z[0] > 0.0;
        d->across = up ? larger : smaller, rest->across = up ? smaller : larger;
    }
    double sum = 0.5 * (plus.value + minus.value), difference = 0.5 * (plus.value - minus.value);
    point[0] = sum;
    point[1] = difference * d->t[0];
    if (rows == 3) point[2] = difference * d->t[1];
}

static inline bool crm_has_cone(const crm_newton_law *law) {
    return law->law == CAROM_LAW_CONE && !law->frictionless;
}

// Rows of a law with a cone to stay in. The interior point keeps y of these as an unknown of its own.
static inline bool crm_has_barrier(const crm_newton_law *law, int row) {
    return law->law == CAROM_LAW_UNILATERAL || (law->law == CAROM_LAW_CONE && (row == 0 || !law->frictionless));
}

static inline crm_positive_part crm_project_row(const crm_newton_law *law, int row, double z, double smoothing) {
    switch (law->law) {
    case CAROM_LAW_EQUALITY:
        return (crm_positive_part){z, 1.0, 0.0};
    case CAROM_LAW_BOX:
        return crm_take_between(z, law->lower, law->upper, smoothing);
    default:
        return row == 0 ? crm_take_positive(z, smoothing) : (crm_positive_part){0.0, 0.0, 1.0};
    }
}

// push = B^-1 c and stiffness = B^-1 A by elimination, for blocks that have no common eigenvectors.
void crm_block_solve(int rows, crm_newton_block *block);

// The block of a cone from its c, the spectra of A before De Saxce's term and of B before the compliance, and that
// term's `slope`.
void crm_cone_block(const crm_newton_law *law, const crm_spectrum *a, const crm_spectrum *b, const double *slope,
                    crm_newton_block *block);

// The block of a law whose rows know nothing of each other.
void crm_natural_rows(const crm_newton_law *law, const double *r, const double *y, double smoothing, double prox,
                      crm_newton_block *block);

#endif
