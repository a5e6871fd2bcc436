// SPDX-License-Identifier: MIT
#include "solve/sweeps/group_solve.h"

#include <float.h>
#include <math.h>

#include "math/dense/dense_lu.h"
#include "solve/cone.h"

double crm_row_solve(const carom_row_group *group, double a, double b, double r) {
    bool box = group->law == CAROM_LAW_BOX;
    double lower = box ? group->lower : 0.0, upper = box ? group->upper : INFINITY;
    if (a > 0.0) {
        r = -b / a;
        return r < lower ? lower : r > upper ? upper : r;
    }
    double bound = b > 0.0 ? lower : b < 0.0 ? upper : r;
    return isfinite(bound) ? bound : r;
}

// ---- exact Coulomb friction
//
// A contact that pushes has u'_n = 0, which gives r_n = -(b_n + A_nt r_t) / A_nn and leaves, in the tangent plane,
// u'_t = S r_t + c with S = A_tt - A_tn A_nt / A_nn, c = b_t - A_tn b_n / A_nn. It sticks when -S^-1 c lies in the
// cone. Otherwise u'_t = -lambda r_t with lambda > 0, so r_t = -(S + lambda)^-1 c =: y, and |y| = mu r_n is one
// equation for lambda. psi = mu r_n / |y| - 1 is below 0 at 0, above at infinity, and linear where S is a multiple of
// the identity.

typedef struct slide {
    double mu, normal, coupling[2]; // normal = -b_n / A_nn, coupling = A_nt / A_nn
    double s00, s01, s10, s11;
    double c[2];
} slide;

typedef struct slide_point {
    double y[2], size, pressure; // r_t, |r_t|, r_n
    double scale;                // 1 / det(S + lambda)
} slide_point;

static slide_point slide_at(const slide *s, double lambda) {
    slide_point p;
    double a = s->s00 + lambda, d = s->s11 + lambda;
    p.scale = 1.0 / (a * d - s->s01 * s->s10);
    p.y[0] = -p.scale * (d * s->c[0] - s->s01 * s->c[1]);
    p.y[1] = -p.scale * (a * s->c[1] - s->s10 * s->c[0]);
    p.size = sqrt(p.y[0] * p.y[0] + p.y[1] * p.y[1]);
    p.pressure = s->normal - (s->coupling[0] * p.y[0] + s->coupling[1] * p.y[1]);
    return p;
}

// d psi / d lambda, by dy / dlambda = -(S + lambda)^-1 y.
static double slide_slope(const slide *s, double lambda, const slide_point *p) {
    double a = s->s00 + lambda, d = s->s11 + lambda;
    double dy0 = -p->scale * (d * p->y[0] - s->s01 * p->y[1]), dy1 = -p->scale * (a * p->y[1] - s->s10 * p->y[0]);
    double pressure_slope = -(s->coupling[0] * dy0 + s->coupling[1] * dy1);
    double size_slope = (p->y[0] * dy0 + p->y[1] * dy1) / p->size;
    return s->mu * (pressure_slope - p->pressure * size_slope / p->size) / p->size;
}

// Newton's method on psi, kept inside what is known to hold the root. 100 halvings reach the spacing of doubles from
// any bracket that doubling has found.
static double slide_root(const slide *s, double start, slide_point *at) {
    enum { MOST = 100 };
    const double enough = 4.0 * DBL_EPSILON; // of |r_t| / (mu r_n) - 1: rounding of psi itself
    double unit = s->s00 + s->s11, low = 0.0, high = INFINITY, lambda = start > 0.0 ? start : 0.0;
    for (int k = 0; k < MOST; k++) {
        *at = slide_at(s, lambda);
        double psi = s->mu * at->pressure / at->size - 1.0;
        if (fabs(psi) <= enough) break;
        if (psi < 0.0)
            low = lambda;
        else
            high = lambda;
        double next = lambda - psi / slide_slope(s, lambda, at);
        if (!(next > low && next < high)) next = isfinite(high) ? 0.5 * (low + high) : 2.0 * low + unit;
        if (next == low || next == high) break;
        lambda = next;
    }
    return lambda;
}

static void friction_solve(double mu, const double a[9], const double b[3], double r[3], double *multiplier) {
    double normal = -b[0] / a[0];
    slide s = {.mu = mu, .normal = normal, .coupling = {a[1] / a[0], a[2] / a[0]}};
    s.s00 = a[4] - a[3] * s.coupling[0];
    s.s01 = a[5] - a[3] * s.coupling[1];
    s.s10 = a[7] - a[6] * s.coupling[0];
    s.s11 = a[8] - a[6] * s.coupling[1];
    s.c[0] = b[1] + a[3] * normal;
    s.c[1] = b[2] + a[6] * normal;
    // What rounding has left of a semidefinite S is no stiffness.
    double least = 4.0 * DBL_EPSILON * (a[4] + a[8]);
    if (!(s.s00 * s.s11 - s.s01 * s.s10 > least * (s.s00 + s.s11))) {
        s.s00 += least;
        s.s11 += least;
    }
    slide_point p = slide_at(&s, 0.0);
    double start = *multiplier;
    *multiplier = 0.0;
    if (s.c[0] == 0.0 && s.c[1] == 0.0) {
        r[0] = normal;
        r[1] = r[2] = 0.0;
    } else if (p.size <= mu * p.pressure) {
        r[0] = p.pressure;
        r[1] = p.y[0];
        r[2] = p.y[1];
    } else {
        *multiplier = slide_root(&s, start, &p);
        double factor = mu * p.pressure / p.size; // onto the cone exactly; 1 but for rounding
        r[0] = p.pressure;
        r[1] = factor * p.y[0];
        r[2] = factor * p.y[1];
    }
}

// ---- relaxed: minimise r^T A r / 2 + b^T r over K
//
// On the surface of K the gradient is along the surface's normal: (A + lambda J) r = -b, J = diag(-mu^2, 1, 1), with
// |r_t| = mu r_n. The matrix is singular at one lambda_0 > 0, where its null vector z lies inside the cone; r passes
// through infinity along z there. So the root lies below lambda_0 when z b < 0 and above it when z b > 0, and the
// angle of r against the axis changes sides of the cone exactly once there.

static bool shifted_solve(double mu, const double a[9], double lambda, const double b[3], double r[3]) {
    double m[9];
    int pivots[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m[i + 3 * j] = a[3 * i + j]; // by columns
        r[i] = -b[i];
    }
    m[0] -= mu * mu * lambda;
    m[4] += lambda;
    m[8] += lambda;
    crm_lu_report report = crm_lu_factor(3, m, 3, pivots);
    crm_lu_solve(3, m, 3, pivots, 1, r, 3);
    double determinant = m[0] * m[4] * m[8];
    for (int i = 0; i < 3; i++) determinant = pivots[i] != i ? -determinant : determinant;
    return report.singular_pivots == 0 && determinant > 0.0;
}

// Angle of r against the cone's surface, 0 on it, negative inside.
static double surface_angle(double mu, const double r[3]) {
    return atan2(hypot(r[1], r[2]), mu * r[0]) - atan2(1.0, 1.0);
}

static void relaxed_solve(double mu, const double a[9], const double b[3], double r[3]) {
    enum { HALVINGS = 200 }; // at most: they end when no double is left between the ends
    const double none[3] = {0.0, 0.0, 0.0};
    if (b[0] >= mu * hypot(b[1], b[2])) {
        r[0] = r[1] = r[2] = 0.0;
        return;
    }
    shifted_solve(mu, a, 0.0, b, r);
    if (hypot(r[1], r[2]) <= mu * r[0]) return;
    double low = 0.0, high = a[0] / (mu * mu), unused[3];
    for (int k = 0; k < HALVINGS && 0.5 * (low + high) > low && 0.5 * (low + high) < high; k++) {
        double middle = 0.5 * (low + high);
        if (shifted_solve(mu, a, middle, none, unused))
            low = middle;
        else
            high = middle;
    }
    // At `low` the matrix is almost singular, so any solve with it gives z but for a factor.
    const double some[3] = {-1.0, 0.0, 0.0};
    double z[3];
    shifted_solve(mu, a, low, some, z);
    bool below = (z[0] * b[0] + z[1] * b[1] + z[2] * b[2]) * z[0] < 0.0;
    double outside, inside; // ends of the bracket: r(lambda) outside and inside of the cone
    if (below) {
        outside = 0.0;
        inside = low;
    } else {
        inside = high;
        outside = 2.0 * high;
        for (int k = 0; k < HALVINGS; k++, outside *= 2.0) {
            shifted_solve(mu, a, outside, b, r);
            if (surface_angle(mu, r) > 0.0) break;
        }
    }
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (outside + inside);
        if (middle == outside || middle == inside) break;
        shifted_solve(mu, a, middle, b, r);
        if (surface_angle(mu, r) > 0.0)
            outside = middle;
        else
            inside = middle;
    }
    shifted_solve(mu, a, inside, b, r);
    crm_cone_project(mu, 3, r, r);
}

void crm_cone_solve(const carom_row_group *group, const double *a, const double *b, double *r, double *multiplier) {
    double mu = group->friction, pushed[3];
    if (!(a[0] > 0.0) || mu == 0.0) {
        r[0] = a[0] > 0.0 && b[0] < 0.0 ? -b[0] / a[0] : 0.0;
        for (int k = 1; k < group->rows; k++) r[k] = 0.0;
        *multiplier = 0.0;
        return;
    }
    if (!group->relaxed && b[0] >= 0.0) {
        for (int k = 0; k < group->rows; k++) r[k] = 0.0;
        *multiplier = 0.0;
        return;
    }
    // A planar cone is a spatial one whose second direction nothing pushes.
    const double planar[9] = {a[0], a[1], 0.0, a[2], a[3], 0.0, 0.0, 0.0, a[3] > 0.0 ? a[3] : a[0]};
    const double planar_b[3] = {b[0], b[1], 0.0};
    const double *block = group->rows == 2 ? planar : a, *free = group->rows == 2 ? planar_b : b;
    if (group->relaxed) {
        *multiplier = 0.0;
        relaxed_solve(mu, block, free, pushed);
    } else {
        friction_solve(mu, block, free, pushed, multiplier);
    }
    for (int k = 0; k < group->rows; k++) r[k] = pushed[k];
}
