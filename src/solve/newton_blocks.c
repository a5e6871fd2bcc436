// SPDX-License-Identifier: MIT
#include "solve/newton_blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/dense_lu.h"
#include "solve/cone.h"

enum { N = CAROM_GROUP_ROWS };

// A symmetric matrix with the eigenvectors (1, t)/sqrt 2, (1, -t)/sqrt 2 and, in space, o = n x t: all that the
// projection onto a cone and the Nesterov-Todd scaling need. Kept as eigenvalues, because explicit inverses lose half
// of the digits.
typedef struct spectrum {
    int rows;
    double t[2];
    double plus, minus, across;
} spectrum;

int crm_newton_block_size(int rows) {
    return 4 * rows * rows + 2 * rows;
}

crm_newton_block crm_newton_block_place(int rows, double *numbers) {
    int square = rows * rows;
    return (crm_newton_block){.a = numbers,
                              .b = numbers + square,
                              .stiffness = numbers + 2 * square,
                              .inverse = numbers + 3 * square,
                              .c = numbers + 4 * square,
                              .push = numbers + 4 * square + rows};
}

static void set_direction(int rows, const double *x, double norm, double t[2]) {
    t[0] = norm > 0.0 ? x[1] / norm : 1.0;
    t[1] = rows == 3 && norm > 0.0 ? x[2] / norm : 0.0;
}

static void spectrum_matrix(const spectrum *s, double *m) {
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

static void spectrum_apply(const spectrum *s, const double *x, double *result) {
    double along = s->t[0] * x[1] + (s->rows == 3 ? s->t[1] * x[2] : 0.0);
    double across = s->rows == 3 ? s->t[0] * x[2] - s->t[1] * x[1] : 0.0;
    double plus = 0.5 * s->plus * (x[0] + along), minus = 0.5 * s->minus * (x[0] - along);
    result[0] = plus + minus;
    result[1] = (plus - minus) * s->t[0] - s->across * across * s->t[1];
    if (s->rows == 3) result[2] = (plus - minus) * s->t[1] + s->across * across * s->t[0];
}

// The smooth positive part of x with its derivative d and 1 - d, none of them by cancellation.
typedef struct positive_part {
    double value, slope, rest;
} positive_part;

static positive_part take_positive(double x, double smoothing) {
    if (smoothing <= 0.0) return (positive_part){fmax(x, 0.0), x > 0.0 ? 1.0 : 0.0, x > 0.0 ? 0.0 : 1.0};
    double root = crm_hypot(x, 2.0 * smoothing), small = 2.0 * smoothing * smoothing / (root + fabs(x));
    double large = 0.5 * (root + fabs(x)), share = small / root, most = large / root;
    return x > 0.0 ? (positive_part){large, most, share} : (positive_part){small, share, most};
}

// The projection of one number onto [lower, upper].
static positive_part take_between(double x, double lower, double upper, double smoothing) {
    if (lower == -INFINITY && upper == INFINITY) return (positive_part){x, 1.0, 0.0};
    if (lower == -INFINITY) {
        positive_part above = take_positive(upper - x, smoothing);
        return (positive_part){upper - above.value, above.slope, above.rest};
    }
    positive_part below = take_positive(x - lower, smoothing);
    if (upper == INFINITY) return (positive_part){lower + below.value, below.slope, below.rest};
    // lower + (x - lower)+ - (x - upper)+
    positive_part above = take_positive(x - upper, smoothing);
    double slope = below.slope - above.slope;
    if (smoothing > 0.0) slope = fmax(slope, 0.0);
    return (positive_part){lower + below.value - above.value, slope, below.rest + above.slope};
}

void crm_dual_value(const crm_newton_law *law, const double *u, const double *r, double rounding, double *y) {
    for (int i = 0; i < law->rows; i++) y[i] = u[i] + law->compliance[i] * r[i];
    if (law->law != CAROM_LAW_CONE || law->shift == 0.0 || law->frictionless) return;
    double norm = crm_cone_slip(law->rows, y);
    y[0] += law->shift * (rounding > 0.0 ? norm * norm / (crm_hypot(norm, rounding) + rounding) : norm);
}

// The first row of G beyond the identity, from y, whose tangential part is that of u + c r.
static void dual_slope(const crm_newton_law *law, const double *y, double rounding, double *slope) {
    memset(slope, 0, N * sizeof *slope);
    if (law->law != CAROM_LAW_CONE || law->shift == 0.0 || law->frictionless) return;
    double norm = crm_cone_slip(law->rows, y), root = rounding > 0.0 ? crm_hypot(norm, rounding) : norm;
    if (root <= DBL_MIN) return;
    for (int i = 1; i < law->rows; i++) slope[i] = law->shift * y[i] / root;
}

// matrix <- matrix G
static void multiply_by_dual(int rows, const double *slope, double *matrix) {
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < rows; j++) matrix[i * rows + j] += matrix[i * rows] * slope[j];
}

// P and the spectra of D and I - D at z. Only cones with friction come here.
static void project_cone(int rows, const double *z, double smoothing, double *point, spectrum *d, spectrum *rest) {
    double norm = crm_cone_slip(rows, z);
    *d = (spectrum){.rows = rows};
    set_direction(rows, z, norm, d->t);
    *rest = *d;
    positive_part plus = take_positive(z[0] + norm, smoothing), minus = take_positive(z[0] - norm, smoothing);
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

static bool is_cone(const crm_newton_law *law) {
    return law->law == CAROM_LAW_CONE && !law->frictionless;
}

// Rows of a law with a cone to stay in. The interior point keeps y of these as an unknown of its own.
static bool has_barrier(const crm_newton_law *law, int row) {
    return law->law == CAROM_LAW_UNILATERAL || (law->law == CAROM_LAW_CONE && (row == 0 || !law->frictionless));
}

static positive_part project_row(const crm_newton_law *law, int row, double z, double smoothing) {
    switch (law->law) {
    case CAROM_LAW_EQUALITY:
        return (positive_part){z, 1.0, 0.0};
    case CAROM_LAW_BOX:
        return take_between(z, law->lower, law->upper, smoothing);
    default:
        return row == 0 ? take_positive(z, smoothing) : (positive_part){0.0, 0.0, 1.0};
    }
}

// r - P(r - y) for the standard cone, the projection itself. Line searches ask for nothing else.
static void cone_map(const crm_newton_law *law, const double *u, const double *r, double *value) {
    double y[3], z[3], point[3];
    for (int i = 0; i < law->rows; i++) y[i] = u[i] + law->compliance[i] * r[i];
    if (law->shift > 0.0) y[0] += law->shift * crm_cone_slip(law->rows, y);
    for (int i = 0; i < law->rows; i++) z[i] = r[i] - y[i];
    crm_cone_project(1.0, law->rows, z, point);
    for (int i = 0; i < law->rows; i++) value[i] = r[i] - point[i];
}

void crm_natural_map(const crm_newton_law *law, const double *u, const double *r, double smoothing, double *value) {
    if (smoothing <= 0.0 && is_cone(law)) {
        cone_map(law, u, r, value);
        return;
    }
    double y[N] = {0}, z[N] = {0}, point[N] = {0};
    crm_dual_value(law, u, r, law->round_off * smoothing, y);
    for (int i = 0; i < law->rows; i++) z[i] = r[i] - y[i];
    if (is_cone(law)) {
        spectrum d, rest;
        project_cone(law->rows, z, smoothing, point, &d, &rest);
        for (int i = 0; i < law->rows; i++) value[i] = r[i] - point[i];
        return;
    }
    for (int i = 0; i < law->rows; i++) {
        if (law->law == CAROM_LAW_EQUALITY)
            value[i] = y[i];
        else
            value[i] = r[i] - project_row(law, i, z[i], smoothing).value;
    }
}

// push = B^-1 c and stiffness = B^-1 A by elimination, for blocks that have no common eigenvectors.
static void solve_block(int rows, crm_newton_block *block) {
    double lu[N * N], x[N * (2 * N + 1)] = {0};
    int pivots[N], square = rows * rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            lu[i + j * rows] = block->b[i * rows + j];
            x[i + j * rows] = block->a[i * rows + j];
        }
        x[square + i + i * rows] = 1.0;
        x[2 * square + i] = block->c[i];
    }
    crm_lu_factor(rows, lu, rows, pivots);
    crm_lu_solve(rows, lu, rows, pivots, 2 * rows + 1, x, rows);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            block->stiffness[i * rows + j] = x[i + j * rows];
            block->inverse[i * rows + j] = x[square + i + j * rows];
        }
        block->push[i] = x[2 * square + i];
    }
}

void crm_newton_block_clear(int rows, crm_newton_block *block) {
    memset(block->a, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->b, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->stiffness, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->inverse, 0, sizeof(double) * (size_t)(rows * rows));
}

static void natural_rows(const crm_newton_law *law, const double *r, const double *y, double smoothing, double prox,
                         crm_newton_block *block) {
    crm_newton_block_clear(law->rows, block);
    for (int i = 0; i < law->rows; i++) {
        int diagonal = i * law->rows + i;
        positive_part p = project_row(law, i, r[i] - y[i], smoothing);
        block->c[i] = law->law == CAROM_LAW_EQUALITY ? -y[i] : p.value - r[i];
        block->a[diagonal] = p.slope;
        block->b[diagonal] = p.rest + p.slope * (law->compliance[i] + prox);
        block->stiffness[diagonal] = block->a[diagonal] / block->b[diagonal];
        block->inverse[diagonal] = 1.0 / block->b[diagonal];
        block->push[i] = block->c[i] / block->b[diagonal];
    }
}

void crm_natural_block(const crm_newton_law *law, const double *u, const double *r, double smoothing, double prox,
                       crm_newton_block *block) {
    double y[N] = {0};
    crm_dual_value(law, u, r, law->round_off * smoothing, y);
    if (!is_cone(law)) {
        natural_rows(law, r, y, smoothing, prox, block);
        return;
    }
    int rows = law->rows;
    double z[3] = {0}, point[3] = {0}, slope[N];
    spectrum d, rest;
    for (int i = 0; i < rows; i++) z[i] = r[i] - y[i];
    project_cone(rows, z, smoothing, point, &d, &rest);
    for (int i = 0; i < rows; i++) block->c[i] = point[i] - r[i];
    dual_slope(law, y, law->round_off * smoothing, slope);
    spectrum_matrix(&d, block->a);
    spectrum b = rest;
    b.plus += prox * d.plus, b.minus += prox * d.minus, b.across += prox * d.across;
    spectrum_matrix(&b, block->b);
    multiply_by_dual(rows, slope, block->a);
    if (law->compliant) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) block->b[i * rows + j] += block->a[i * rows + j] * law->compliance[j];
        solve_block(rows, block);
        return;
    }
    spectrum stiffness = b, inverse = b;
    stiffness.plus = d.plus / b.plus, stiffness.minus = d.minus / b.minus, stiffness.across = d.across / b.across;
    inverse.plus = 1.0 / b.plus, inverse.minus = 1.0 / b.minus, inverse.across = 1.0 / b.across;
    spectrum_matrix(&stiffness, block->stiffness);
    multiply_by_dual(rows, slope, block->stiffness);
    spectrum_apply(&inverse, block->c, block->push);
    spectrum_matrix(&inverse, block->inverse);
}

// ---- the path of zeros

// Derivative of the smooth positive part with respect to its width.
static double widening(double x, double smoothing) {
    return 2.0 * smoothing / crm_hypot(x, 2.0 * smoothing);
}

void crm_natural_path(const crm_newton_law *law, const double *u, const double *r, double smoothing, double width_rate,
                      double shift_rate, crm_newton_block *block) {
    int rows = law->rows;
    double y[N] = {0}, rounding = law->round_off * smoothing;
    crm_dual_value(law, u, r, rounding, y);
    if (is_cone(law)) {
        double z[3] = {0}, point[3] = {0}, change[3] = {0}, norm = crm_cone_slip(rows, y),
               root = crm_hypot(norm, rounding);
        spectrum d, rest;
        for (int i = 0; i < rows; i++) z[i] = r[i] - y[i];
        project_cone(rows, z, smoothing, point, &d, &rest);
        // y's first component is u_n + shift (root - rounding).
        change[0] = norm > 0.0 ? -shift_rate * norm * norm / (root + rounding) : 0.0;
        if (root > 0.0) change[0] += law->shift * law->round_off * width_rate * (1.0 - rounding / root);
        spectrum_apply(&d, change, block->c);
        double span = crm_cone_slip(rows, z);
        double plus = widening(z[0] + span, smoothing), minus = widening(z[0] - span, smoothing);
        block->c[0] += 0.5 * (plus + minus) * width_rate;
        block->c[1] += 0.5 * (plus - minus) * d.t[0] * width_rate;
        if (rows == 3) block->c[2] += 0.5 * (plus - minus) * d.t[1] * width_rate;
    } else {
        for (int i = 0; i < rows; i++) {
            double x = r[i] - y[i], rate = 0.0;
            if (has_barrier(law, i)) rate = widening(x, smoothing);
            if (law->law == CAROM_LAW_BOX && law->lower > -INFINITY) rate += widening(x - law->lower, smoothing);
            if (law->law == CAROM_LAW_BOX && law->upper < INFINITY) rate -= widening(x - law->upper, smoothing);
            block->c[i] = rate * width_rate;
        }
    }
    for (int i = 0; i < rows; i++) {
        block->push[i] = 0.0;
        for (int j = 0; j < rows; j++) block->push[i] += block->inverse[i * rows + j] * block->c[j];
    }
}

// ---- proximal point

bool crm_proximal_knows(const crm_newton_law *law) {
    return !is_cone(law) || !law->compliant;
}

// r(u) and, when they are wanted, the spectra or slopes of its derivative times -prox.
static void proximal_point(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                           double *point, spectrum *d, double *slope) {
    double z[N] = {0};
    if (is_cone(law)) {
        spectrum rest;
        for (int i = 0; i < law->rows; i++) z[i] = centre[i] - (u[i] + (i == 0 ? shift : 0.0)) / prox;
        project_cone(law->rows, z, 0.0, point, d, &rest);
        return;
    }
    for (int i = 0; i < law->rows; i++) {
        positive_part p = project_row(law, i, (prox * centre[i] - u[i]) / (prox + law->compliance[i]), 0.0);
        point[i] = p.value;
        slope[i] = p.slope;
    }
}

void crm_proximal_point(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        double *point) {
    spectrum d;
    double slope[N];
    proximal_point(law, u, shift, centre, prox, point, &d, slope);
}

void crm_proximal_block(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        const double *r, crm_newton_block *block) {
    int rows = law->rows;
    double point[N] = {0}, slope[N];
    spectrum d = {.rows = rows};
    crm_newton_block_clear(rows, block);
    proximal_point(law, u, shift, centre, prox, point, &d, slope);
    if (is_cone(law)) spectrum_matrix(&d, block->a);
    for (int i = 0; i < rows; i++) {
        double weight = prox + law->compliance[i];
        if (!is_cone(law)) block->a[i * rows + i] = slope[i];
        block->b[i * rows + i] = weight;
        block->c[i] = weight * (point[i] - r[i]);
        block->push[i] = point[i] - r[i];
        block->inverse[i * rows + i] = 1.0 / weight;
        for (int j = 0; j < rows; j++) block->stiffness[i * rows + j] = block->a[i * rows + j] / weight;
    }
}

// ---- interior point

static void interior_rows(const crm_newton_law *law, const double *r, const double *y, const double *value,
                          double target, double prox, crm_newton_block *block) {
    natural_rows(law, r, value, sqrt(target), prox, block);
    if (!has_barrier(law, 0)) return;
    // r + dr + (r / y) (y + dy) = r + target / y, divided by 1 + r / y; the other rows are as they were.
    double sum = r[0] + y[0], slope = r[0] / sum, rest = y[0] / sum;
    block->a[0] = slope;
    block->b[0] = rest + slope * (law->compliance[0] + prox);
    block->c[0] = rest * (target / y[0] - r[0]) - slope * (value[0] - y[0]);
    block->stiffness[0] = block->a[0] / block->b[0];
    block->inverse[0] = 1.0 / block->b[0];
    block->push[0] = block->c[0] / block->b[0];
}

// The product of the two eigenvalues of a vector in a cone.
static double determinant(double norm, const double *x) {
    return (x[0] - norm) * (x[0] + norm);
}

// V with V y = r: the square of the Nesterov-Todd point.
static spectrum scaling_spectrum(int rows, const double *r, const double *y) {
    double det_r = determinant(crm_cone_slip(rows, r), r), det_y = determinant(crm_cone_slip(rows, y), y);
    double root_r = sqrt(det_r), root_y = sqrt(det_y), point[3] = {r[0] / root_r + y[0] / root_y};
    for (int i = 1; i < rows; i++) point[i] = r[i] / root_r - y[i] / root_y;
    double norm = crm_cone_slip(rows, point);
    // The point is made to have determinant 1, so its eigenvalues are reciprocal.
    double det = point[0] * point[0] - norm * norm, cosine = 1.0;
    for (int i = 0; i < rows; i++)
        cosine += (i == 0 ? r[0] / root_r * (y[0] / root_y) : r[i] / root_r * (y[i] / root_y));
    det = fmax(2.0 * cosine, det);
    double high = (point[0] + norm) / sqrt(det), ratio = root_r / root_y;
    spectrum v = {.rows = rows, .plus = ratio * high * high, .minus = ratio / (high * high), .across = ratio};
    set_direction(rows, point, norm, v.t);
    return v;
}

void crm_interior_block(const crm_newton_law *law, const double *u, const double *r, const double *y, double target,
                        double prox, double rounding, crm_newton_block *block) {
    int rows = law->rows;
    double value[N] = {0}, slope[N];
    crm_dual_value(law, u, r, rounding, value);
    if (!is_cone(law)) {
        interior_rows(law, r, y, value, target, prox, block);
        return;
    }
    dual_slope(law, value, rounding, slope);
    spectrum v = scaling_spectrum(rows, r, y), a = v, share = v, b = v, inverse = v, stiffness = v;
    // Divided by I + V, so that neither A nor B can be large.
    a.plus = v.plus / (1 + v.plus), a.minus = v.minus / (1 + v.minus), a.across = v.across / (1 + v.across);
    share.plus = 1 / (1 + v.plus), share.minus = 1 / (1 + v.minus), share.across = 1 / (1 + v.across);
    double det = determinant(crm_cone_slip(rows, y), y), towards[3] = {0}, gap[3] = {0}, first[3], second[3];
    for (int i = 0; i < rows; i++) {
        towards[i] = target * (i == 0 ? y[0] : -y[i]) / det - r[i];
        gap[i] = value[i] - y[i];
    }
    spectrum_apply(&share, towards, first);
    spectrum_apply(&a, gap, second);
    for (int i = 0; i < rows; i++) block->c[i] = first[i] - second[i];
    b.plus = share.plus + prox * a.plus, b.minus = share.minus + prox * a.minus;
    b.across = share.across + prox * a.across;
    spectrum_matrix(&a, block->a);
    spectrum_matrix(&b, block->b);
    multiply_by_dual(rows, slope, block->a);
    if (law->compliant) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) block->b[i * rows + j] += block->a[i * rows + j] * law->compliance[j];
        solve_block(rows, block);
        return;
    }
    stiffness.plus = a.plus / b.plus, stiffness.minus = a.minus / b.minus, stiffness.across = a.across / b.across;
    inverse.plus = 1.0 / b.plus, inverse.minus = 1.0 / b.minus, inverse.across = 1.0 / b.across;
    spectrum_matrix(&stiffness, block->stiffness);
    multiply_by_dual(rows, slope, block->stiffness);
    spectrum_apply(&inverse, block->c, block->push);
    spectrum_matrix(&inverse, block->inverse);
}

// x with l o x = t in the cone's algebra: l_0 x_0 + l_t.x_t = t_0, l_0 x_t + x_0 l_t = t_t.
static void divide_arrow(int rows, const double *l, const double *t, double *x) {
    double along = 0.0, det = determinant(crm_cone_slip(rows, l), l);
    for (int i = 1; i < rows; i++) along += l[i] * t[i];
    x[0] = (l[0] * t[0] - along) / det;
    for (int i = 1; i < rows; i++) x[i] = (t[i] - x[0] * l[i]) / l[0];
}

void crm_interior_correct(const crm_newton_law *law, const double *r, const double *y, double target, const double *dr,
                          const double *dy, crm_newton_block *block) {
    int rows = law->rows;
    if (!is_cone(law)) {
        if (!has_barrier(law, 0)) return;
        double add = (target - dr[0] * dy[0]) / (r[0] + y[0]);
        block->c[0] += add;
        block->push[0] += add / block->b[0];
        return;
    }
    // In the scaled space both vectors are l = V^1/2 y = V^-1/2 r; what the first direction left out is a o b.
    spectrum v = scaling_spectrum(rows, r, y), root = v, inverse = v, back = v;
    root.plus = sqrt(v.plus), root.minus = sqrt(v.minus), root.across = sqrt(v.across);
    inverse.plus = 1 / root.plus, inverse.minus = 1 / root.minus, inverse.across = 1 / root.across;
    back.plus = root.plus / (1 + v.plus), back.minus = root.minus / (1 + v.minus);
    back.across = root.across / (1 + v.across);
    double l[3], a[3], b[3], t[3] = {target}, x[3], add[3], more[N];
    spectrum_apply(&root, y, l);
    spectrum_apply(&inverse, dr, a);
    spectrum_apply(&root, dy, b);
    for (int i = 0; i < rows; i++) t[0] -= a[i] * b[i];
    for (int i = 1; i < rows; i++) t[i] = -(a[0] * b[i] + b[0] * a[i]);
    divide_arrow(rows, l, t, x);
    spectrum_apply(&back, x, add);
    for (int i = 0; i < rows; i++) {
        block->c[i] += add[i];
        more[i] = 0.0;
        for (int j = 0; j < rows; j++) more[i] += block->inverse[i * rows + j] * add[j];
        block->push[i] += more[i];
    }
}

void crm_interior_dual_step(const crm_newton_law *law, const double *u, const double *r, const double *y, double prox,
                            double rounding, const double *du, const double *dr, double *dy) {
    double value[N] = {0}, slope[N];
    crm_dual_value(law, u, r, rounding, value);
    dual_slope(law, value, rounding, slope);
    double change[N];
    for (int i = 0; i < law->rows; i++) change[i] = du[i] + law->compliance[i] * dr[i];
    for (int i = 0; i < law->rows; i++) dy[i] = change[i] + prox * dr[i] + value[i] - y[i];
    for (int i = 1; i < law->rows; i++) dy[0] += slope[i] * change[i];
}

// The largest t <= 1 with x + t dx in the cone.
static double reach_cone(int rows, const double *x, const double *dx) {
    double a = dx[0] * dx[0], b = x[0] * dx[0], c = determinant(crm_cone_slip(rows, x), x);
    for (int i = 1; i < rows; i++) a -= dx[i] * dx[i], b -= x[i] * dx[i];
    // det(x + t dx) = c + 2 b t + a t^2, and the first component must not change sign before.
    double reach = dx[0] < 0.0 ? fmin(1.0, -x[0] / dx[0]) : 1.0;
    double discriminant = b * b - a * c;
    if (b >= 0.0 && a >= 0.0) return reach;
    if (discriminant < 0.0) return reach;
    double root = c / (sqrt(discriminant) - b); // the smaller positive root: c / (-b + sqrt)
    return root > 0.0 ? fmin(reach, root) : reach;
}

double crm_interior_reach(const crm_newton_law *law, const double *x, const double *dx) {
    if (is_cone(law)) return reach_cone(law->rows, x, dx);
    if (!has_barrier(law, 0)) return 1.0;
    return dx[0] < 0.0 ? fmin(1.0, -x[0] / dx[0]) : 1.0;
}
