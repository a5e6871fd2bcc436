// SPDX-License-Identifier: MIT
// The blocks of the interior point.
#include <math.h>
#include <string.h>

#include "solve/newton/newton_law.h"

enum { N = CAROM_GROUP_ROWS };

static void interior_rows(const crm_newton_law *law, const double *r, const double *y, const double *value,
                          double target, double prox, crm_newton_block *block) {
    crm_natural_rows(law, r, value, sqrt(target), prox, block);
    if (!crm_has_barrier(law, 0)) return;
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
static crm_spectrum scaling_spectrum(int rows, const double *r, const double *y) {
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
    crm_spectrum v = {.rows = rows, .plus = ratio * high * high, .minus = ratio / (high * high), .across = ratio};
    crm_set_direction(rows, point, norm, v.t);
    return v;
}

void crm_interior_block(const crm_newton_law *law, const double *u, const double *r, const double *y, double target,
                        double prox, double rounding, crm_newton_block *block) {
    int rows = law->rows;
    double value[N] = {0}, slope[N];
    crm_dual_value(law, u, r, rounding, value);
    if (!crm_has_cone(law)) {
        interior_rows(law, r, y, value, target, prox, block);
        return;
    }
    crm_dual_slope(law, value, rounding, slope);
    crm_spectrum v = scaling_spectrum(rows, r, y), a = v, share = v, b = v;
    // Divided by I + V, so that neither A nor B can be large.
    a.plus = v.plus / (1 + v.plus), a.minus = v.minus / (1 + v.minus), a.across = v.across / (1 + v.across);
    share.plus = 1 / (1 + v.plus), share.minus = 1 / (1 + v.minus), share.across = 1 / (1 + v.across);
    double det = determinant(crm_cone_slip(rows, y), y), towards[3] = {0}, gap[3] = {0}, first[3], second[3];
    for (int i = 0; i < rows; i++) {
        towards[i] = target * (i == 0 ? y[0] : -y[i]) / det - r[i];
        gap[i] = value[i] - y[i];
    }
    crm_spectrum_apply(&share, towards, first);
    crm_spectrum_apply(&a, gap, second);
    for (int i = 0; i < rows; i++) block->c[i] = first[i] - second[i];
    b.plus = share.plus + prox * a.plus, b.minus = share.minus + prox * a.minus;
    b.across = share.across + prox * a.across;
    crm_cone_block(law, &a, &b, slope, block);
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
    if (!crm_has_cone(law)) {
        if (!crm_has_barrier(law, 0)) return;
        double add = (target - dr[0] * dy[0]) / (r[0] + y[0]);
        block->c[0] += add;
        block->push[0] += add / block->b[0];
        return;
    }
    // In the scaled space both vectors are l = V^1/2 y = V^-1/2 r; what the first direction left out is a o b.
    crm_spectrum v = scaling_spectrum(rows, r, y), root = v, inverse = v, back = v;
    root.plus = sqrt(v.plus), root.minus = sqrt(v.minus), root.across = sqrt(v.across);
    inverse.plus = 1 / root.plus, inverse.minus = 1 / root.minus, inverse.across = 1 / root.across;
    back.plus = root.plus / (1 + v.plus), back.minus = root.minus / (1 + v.minus);
    back.across = root.across / (1 + v.across);
    double l[3], a[3], b[3], t[3] = {target}, x[3], add[3], more[N];
    crm_spectrum_apply(&root, y, l);
    crm_spectrum_apply(&inverse, dr, a);
    crm_spectrum_apply(&root, dy, b);
    for (int i = 0; i < rows; i++) t[0] -= a[i] * b[i];
    for (int i = 1; i < rows; i++) t[i] = -(a[0] * b[i] + b[0] * a[i]);
    divide_arrow(rows, l, t, x);
    crm_spectrum_apply(&back, x, add);
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
    crm_dual_slope(law, value, rounding, slope);
    double change[N];
    for (int i = 0; i < law->rows; i++) change[i] = du[i] + law->compliance[i] * dr[i];
    for (int i = 0; i < law->rows; i++) dy[i] = change[i] + prox * dr[i] + value[i] - y[i];
    for (int i = 1; i < law->rows; i++) dy[0] += slope[i] * change[i];
}

// The largest t <= 1 with x + t dx in the cone.
static double cone_step_length(int rows, const double *x, const double *dx) {
    double a = dx[0] * dx[0], b = x[0] * dx[0], c = determinant(crm_cone_slip(rows, x), x);
    for (int i = 1; i < rows; i++) a -= dx[i] * dx[i], b -= x[i] * dx[i];
    // det(x + t dx) = c + 2 b t + a t^2, and the first component must not change sign before.
    double longest = dx[0] < 0.0 ? fmin(1.0, -x[0] / dx[0]) : 1.0;
    double discriminant = b * b - a * c;
    if (b >= 0.0 && a >= 0.0) return longest;
    if (discriminant < 0.0) return longest;
    double root = c / (sqrt(discriminant) - b); // the smaller positive root: c / (-b + sqrt)
    return root > 0.0 ? fmin(longest, root) : longest;
}

double crm_interior_step_length(const crm_newton_law *law, const double *x, const double *dx) {
    if (crm_has_cone(law)) return cone_step_length(law->rows, x, dx);
    if (!crm_has_barrier(law, 0)) return 1.0;
    return dx[0] < 0.0 ? fmin(1.0, -x[0] / dx[0]) : 1.0;
}
