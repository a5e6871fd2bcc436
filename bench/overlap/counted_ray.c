// SPDX-License-Identifier: MIT
#include "overlap/counted_ray.h"

#include <float.h>
#include <math.h>

enum { MOST_ITERATIONS = 1000 };

// Of |m| times the size: a support point lower than this only is rounding.
static const double gain_tolerance = 1e-14;

// Differences z = (b - x_B) - (a - x_A) and the line through the origin along beta.
typedef struct search {
    const bench_surface *a, *b;
    carom_vec3 beta;
    int64_t *flops;
} search;

typedef struct corner {
    carom_vec3 z;
    int a, b;
} corner;

static carom_vec3 arm(const search *s, const bench_surface *of, int vertex) {
    return bench_apply(s->flops, &of->rotation, of->vertices[vertex]);
}

static int farthest(const search *s, const bench_surface *of, carom_vec3 d) {
    carom_vec3 local = bench_apply_t(s->flops, &of->rotation, d);
    double most = -INFINITY;
    int best = 0;
    for (int k = 0; k < of->vertex_count; k++) {
        double along = bench_dot(s->flops, local, of->vertices[k]);
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

static corner corner_at(const search *s, int a, int b) {
    return (corner){bench_sub(s->flops, arm(s, s->b, b), arm(s, s->a, a)), a, b};
}

static corner lowest(const search *s, carom_vec3 m) {
    return corner_at(s, farthest(s, s->a, m), farthest(s, s->b, crm_negate(m)));
}

// beta.(p x q): on which side of the plane of both and the origin the line passes.
static double side(const search *s, carom_vec3 p, carom_vec3 q) {
    return bench_dot(s->flops, s->beta, bench_cross(s->flops, p, q));
}

static void swap(corner *p, corner *q) {
    corner t = *p;
    *p = *q;
    *q = t;
}

// Three corners around the line, with sides that are all positive. False when it passes by, which centres exclude.
static bool surround(const search *s, corner c[3]) {
    c[0] = lowest(s, s->beta);
    carom_vec3 m = bench_cross(s->flops, s->beta, c[0].z); // looks at right angles to the line, past the first corner
    c[1] = lowest(s, m);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        // The plane of the first two and the origin, seen from the side where the third must be.
        m = bench_cross(s->flops, c[0].z, c[1].z);
        if (bench_dot(s->flops, m, s->beta) < 0.0) {
            swap(&c[0], &c[1]);
            m = crm_negate(m);
        }
        // Against beta from here is the far side of this plane: what is beyond both other planes closes the triangle.
        c[2] = lowest(s, m);
        double second = side(s, c[1].z, c[2].z), third = side(s, c[2].z, c[0].z);
        if (second > 0.0 && third > 0.0) return true;
        if (second <= 0.0)
            c[0] = c[2];
        else
            c[1] = c[2];
    }
    return false;
}

// Down the triangles to the lowest; gives <m, z> / <m, beta> of the last one.
static double descend(const search *s, corner c[3]) {
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        carom_vec3 p = bench_sub(s->flops, c[1].z, c[0].z);
        carom_vec3 m = bench_cross(s->flops, p, bench_sub(s->flops, c[2].z, c[0].z));
        double along = bench_dot(s->flops, m, s->beta), level = bench_dot(s->flops, m, c[0].z);
        corner n = lowest(s, m);
        bench_count(s->flops, 1);
        double gain = level - bench_dot(s->flops, m, n.z);
        if (gain <= gain_tolerance * (fabs(level) + crm_length(m))) {
            bench_count(s->flops, 1);
            return level / along;
        }
        // The sides of the new corner with the three old ones say in which of the new triangles the line is.
        double t[3];
        for (int i = 0; i < 3; i++) t[i] = side(s, n.z, c[i].z);
        int leaves = t[0] >= 0.0 && t[1] < 0.0 ? 2 : t[1] >= 0.0 && t[2] < 0.0 ? 0 : 1;
        c[leaves] = n;
    }
    return NAN;
}

// The last triangle again, where the line still passes through it.
static bool recall(const search *s, const bench_basis *basis, corner c[3]) {
    if (!basis->known) return false;
    for (int k = 0; k < 3; k++) c[k] = corner_at(s, basis->a[k], basis->b[k]);
    for (int k = 0; k < 3; k++)
        if (!(side(s, c[k].z, c[(k + 1) % 3].z) > 0.0)) return false;
    return true;
}

double bench_counted_ray(const bench_surface *a, const bench_surface *b, bench_basis *basis, int64_t *flops) {
    carom_vec3 apart = bench_sub(flops, b->position, a->position);
    double distance = sqrt(bench_dot(flops, apart, apart));
    search s = {a, b, crm_scale(1.0 / distance, apart), flops};
    bench_count(flops, 5); // the root, its reciprocal and three products
    corner c[3];
    if (!recall(&s, basis, c) && !surround(&s, c)) return NAN;
    double value = descend(&s, c);
    basis->known = true;
    for (int k = 0; k < 3; k++) basis->a[k] = c[k].a, basis->b[k] = c[k].b;
    bench_count(flops, 1);
    return distance + value;
}
