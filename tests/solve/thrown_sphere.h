// SPDX-License-Identifier: MIT
// One step of a sphere that is thrown along a floor, or into a corner of a floor and walls, with friction: small
// problems on which Newton's method on the min map is known to cycle, to find no descent and to meet singular matrices.
#ifndef TEST_SOLVE_THROWN_SPHERE_H
#define TEST_SOLVE_THROWN_SPHERE_H

#include <math.h>
#include <string.h>

#include "solve/dense/pyramid.h"
#include "support/harness/sample.h"

enum { MOST_WALLS = 3, MOST_SPHERE_ROWS = 3 * MOST_WALLS };

typedef struct thrown_sphere {
    int contacts, sides;
    carom_row_group groups[MOST_WALLS];
    double w[MOST_SPHERE_ROWS * MOST_SPHERE_ROWS], q[MOST_SPHERE_ROWS];
} thrown_sphere;

// Rows (n, t1, t2) of a wall's velocities by the sphere's six: the point -radius n moves with v + spin x (-radius n).
static inline void wall_rows(int wall, double radius, double rows[3][6]) {
    memset(rows, 0, 18 * sizeof(double));
    static const int axis[MOST_WALLS][3] = {{2, 0, 1}, {0, 1, 2}, {1, 2, 0}}; // n, t1, t2: a floor and two walls
    for (int s = 0; s < 3; s++) rows[s][axis[wall][s]] = 1.0;
    // spin x (-r n): along t1 = n x t2 ... with (n, t1, t2) right-handed: -r (spin x n) = -r (spin_t2 t1 - spin_t1 t2).
    rows[1][3 + axis[wall][2]] = -radius;
    rows[2][3 + axis[wall][1]] = radius;
}

// Speeds along the floor from slow to far faster than the fall, gaps open, touching and overlapping, steps from 1/1000
// to 1/20 s. Exact zeros (no spin, no gap, motion along an axis) are as likely as not: they make the ties.
//
// `wedged` asks for what the others leave out: overlap with walls whose friction can hold the sphere against any push.
// Their friction cones together are not pointed, and nothing says that there is a solution (docs/math.md 6.4).
static inline thrown_sphere throw_sphere(sampler *s, bool wedged) {
    thrown_sphere sphere = {.contacts = wedged ? 2 : 1 + (int)crm_random_below(s, MOST_WALLS)};
    sphere.sides = crm_random_below(s, 2) == 0 ? 4 : 8;
    static const double steps[] = {0.001, 0.01, 0.05};
    double step = steps[crm_random_below(s, 3)], mass = exp2(sample_between(s, -6.0, 6.0));
    double radius = sample_between(s, 0.1, 1.0), inertia = 0.4 * mass * radius * radius;
    double mu = crm_random_below(s, 8) == 0 ? 0.0 : sample_between(s, 0.05, 1.5);
    if (wedged) mu = sample_between(s, 1.05, 1.5);
    double speed = exp2(sample_between(s, -4.0, 5.0)), angle = sample_between(s, 0.0, 6.2831853);
    if (crm_random_below(s, 3) == 0) angle = 1.5707963267948966 * (double)crm_random_below(s, 4);
    double v[6] = {speed * cos(angle), speed * sin(angle), -sample_between(s, 0.0, 0.01)};
    if (crm_random_below(s, 3) == 0) v[2] = 0.0;
    bool spins = crm_random_below(s, 2) == 0;
    for (int i = 3; i < 6 && spins; i++) v[i] = sample_between(s, -3.0, 3.0);
    v[2] -= 9.81 * step;

    int n = 3 * sphere.contacts;
    double rows[MOST_SPHERE_ROWS][6];
    for (int c = 0; c < sphere.contacts; c++) {
        wall_rows(c, radius, rows + 3 * c);
        sphere.groups[c] = (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu};
    }
    for (int i = 0; i < n; i++) {
        sphere.q[i] = 0.0;
        for (int k = 0; k < 6; k++) sphere.q[i] += rows[i][k] * v[k];
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) sum += rows[i][k] * rows[j][k] / (k < 3 ? mass : inertia);
            sphere.w[i * n + j] = sum;
        }
    }
    for (int c = 0; c < sphere.contacts; c++) {
        bool pointed = sphere.contacts == 1 || mu < 0.7; // two walls: below 1; three: below 1 / sqrt(2)
        double gap = crm_random_below(s, 2) == 0 ? 0.0 : sample_between(s, pointed ? -0.001 : 0.0, 0.01);
        if (wedged) gap = -0.001;
        sphere.q[3 * c] += gap / step;
    }
    return sphere;
}

#endif
