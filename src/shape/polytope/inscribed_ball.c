// SPDX-License-Identifier: MIT
// Chebyshev's centre: maximise r over (x, r) subject to n_i.x + r <= d_i. Four unknowns, so four half-spaces decide;
// they start as the walls of a huge tetrahedron, and the half-space that is violated most replaces the one whose
// multiplier runs out first (the simplex method on the dual problem, whose multipliers l >= 0 have sum l_k n_k = 0 and
// sum l_k = 1). Every exchange makes the ball smaller.
#include "shape/polytope/inscribed_ball.h"

#include <math.h>

#include "math/dense/dense_lu.h"
#include "math/vec3.h"

typedef struct program {
    int count;
    const carom_vec3 *normal;
    const double *offset;
    double bound;
    double blur; // see offset_at
} program;

// Numbers from -1 down are the four walls.
static carom_vec3 normal_at(const program *p, int i) {
    const double c = 0.57735026918962576451; // 1/sqrt(3)
    static const int sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    if (i >= 0) return p->normal[i];
    const int *s = sign[-1 - i];
    return crm_vec3(c * s[0], c * s[1], c * s[2]);
}

// Equal multipliers could make the exchanges go round in a circle; offsets that are moved by different tiny amounts
// (multiples of the golden ratio, modulo 1) have none.
static double offset_at(const program *p, int i) {
    if (i < 0) return p->bound;
    double golden = 0.6180339887498949 * (i + 1);
    return p->offset[i] + p->blur * (golden - floor(golden));
}

// Columns (n_k, 1) of the four that decide.
static bool factor_basis(const program *p, const int basis[4], double lu[16], int pivots[4]) {
    for (int k = 0; k < 4; k++) {
        carom_vec3 n = normal_at(p, basis[k]);
        lu[4 * k] = n.x, lu[4 * k + 1] = n.y, lu[4 * k + 2] = n.z, lu[4 * k + 3] = 1.0;
    }
    crm_lu_report report = crm_lu_factor(4, lu, 4, pivots);
    return report.finite && report.singular_pivots == 0;
}

static int most_violated(const program *p, const double x[4], double *violation) {
    int worst = -1;
    *violation = 0.0;
    for (int i = 0; i < p->count; i++) {
        double room = offset_at(p, i) - crm_dot(p->normal[i], crm_vec3(x[0], x[1], x[2])) - x[3];
        if (room < *violation) {
            *violation = room;
            worst = i;
        }
    }
    return worst;
}

// Which of the four the entering one replaces. Its share must be more than rounding, or the four that are left would
// not decide (two pairs of parallel walls); the shares add up to 1, so that one is large.
static int leaving(const double multiplier[4], const double column[4]) {
    const double least_share = 1e-9;
    int out = -1;
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        if (!(column[k] > least_share)) continue;
        double ratio = fmax(multiplier[k], 0.0) / column[k];
        if (ratio < least) {
            least = ratio;
            out = k;
        }
    }
    return out;
}

static double room_around(const program *p, carom_vec3 x) {
    double room = HUGE_VAL;
    for (int i = 0; i < p->count; i++) room = fmin(room, p->offset[i] - crm_dot(p->normal[i], x));
    return room;
}

crm_ball crm_inscribed_ball(int count, const carom_vec3 *normal, const double *offset, double bound) {
    // Of the largest offset: far below what a solid's thickness may be, far above rounding.
    const double relative_blur = 1e-13, enough = 1e-12;
    const double least_multiplier = 1e-9; // of a wall that holds the ball, rather than one that is left over
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(offset[i]));
    program p = {count, normal, offset, bound, relative_blur * largest};
    int basis[4] = {-1, -2, -3, -4}, pivots[4];
    double lu[16], x[4] = {0}, multiplier[4] = {0};
    const int most = 100 + 4 * (count < 1000000 ? count : 1000000); // exchanges; some ten times what was ever seen
    for (int step = 0; step < most; step++) {
        if (!factor_basis(&p, basis, lu, pivots)) break;
        for (int k = 0; k < 4; k++) x[k] = offset_at(&p, basis[k]), multiplier[k] = k == 3;
        crm_lu_solve_transposed(4, lu, 4, pivots, 1, x, 4);
        crm_lu_solve(4, lu, 4, pivots, 1, multiplier, 4);
        double violation;
        int entering = most_violated(&p, x, &violation);
        if (entering < 0 || -violation <= enough * largest) break;
        carom_vec3 n = normal[entering];
        double column[4] = {n.x, n.y, n.z, 1.0};
        crm_lu_solve(4, lu, 4, pivots, 1, column, 4);
        int out = leaving(multiplier, column);
        if (out < 0) break;
        basis[out] = entering;
    }
    crm_ball ball = {.centre = crm_vec3(x[0], x[1], x[2])};
    for (int k = 0; k < 4; k++) ball.endless |= basis[k] < 0 && multiplier[k] > least_multiplier;
    ball.radius = room_around(&p, ball.centre);
    return ball;
}
