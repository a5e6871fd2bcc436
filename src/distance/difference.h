// SPDX-License-Identifier: MIT
// The Minkowski difference K_B - K_A of two cores, seen through its support function. Everything is in the frame of A
// and taken about the centres: a point of the difference is z = R (b - centre_b) - (a - centre_a) + shift, where
// `shift` is the callers' (part of the line between the centres, or a displacement).
//
// Compiled once per instruction set: see kernels_body.h for what the including file has defined.
#ifndef CRM_DISTANCE_DIFFERENCE_H
#define CRM_DISTANCE_DIFFERENCE_H

#include <stdalign.h>

#include "distance/side.h"
#include "shape/support.h"

// A corner of the difference: vertex `a` of A and `b` of B.
typedef struct corner {
    carom_vec3 z;
    int a, b;
} corner;

// How a side is asked for its farthest vertex.
typedef enum asking { ASK_SCAN, ASK_CLIMB, ASK_LIST } asking;

// Up to this many vertices, those of B are turned to A's frame once instead of every direction to B's: it pays from the
// second question on.
enum { MOST_TURNED = 32 };

typedef struct core {
    asking asking;
    int padded_count;
    const double *x, *y, *z; // ASK_SCAN
    const crm_polytope *polytope;
    int vertex_count;
    const carom_vec3 *vertex;
    carom_vec3 centre;
} core;

typedef struct difference {
    core a, b;
    bool turned;         // B's vertices are in A's frame and about its centre
    carom_mat3 rotation; // B to A
    carom_vec3 shift;
    int supports;
    alignas(32) double list_a[3][MOST_TURNED], list_b[3][MOST_TURNED];
} difference;

static inline int padded(int count) {
    return (count + CRM_SUPPORT_LANES - 1) & ~(CRM_SUPPORT_LANES - 1);
}

// Vertices without structure are copied into lists by components, if they are few.
static inline void take_list(core *c, double list[3][MOST_TURNED]) {
    c->padded_count = padded(c->vertex_count);
    for (int i = 0; i < c->padded_count; i++) {
        carom_vec3 v = c->vertex[i < c->vertex_count ? i : 0];
        list[0][i] = v.x, list[1][i] = v.y, list[2][i] = v.z;
    }
    c->x = list[0], c->y = list[1], c->z = list[2];
    c->asking = ASK_SCAN;
}

static inline void take_core(const crm_side *side, bool warm, core *c, double list[3][MOST_TURNED]) {
    c->vertex_count = side->vertex_count;
    c->vertex = side->vertex;
    c->centre = side->local;
    c->polytope = side->polytope;
    if (side->polytope != NULL) {
        c->padded_count = side->polytope->padded_count;
        c->x = side->polytope->x, c->y = side->polytope->y, c->z = side->polytope->z;
        c->asking = side->vertex_count < (warm ? CRM_CLIMB_WARM_FROM : CRM_CLIMB_COLD_FROM) ? ASK_SCAN : ASK_CLIMB;
    } else if (side->vertex_count <= MOST_TURNED) {
        take_list(c, list);
    } else {
        c->asking = ASK_LIST;
    }
}

// Turns B's list into A's frame, about the centre.
static inline void turn_b(difference *d) {
    lanes r[3][3] = {{fill(d->rotation.x.x), fill(d->rotation.y.x), fill(d->rotation.z.x)},
                     {fill(d->rotation.x.y), fill(d->rotation.y.y), fill(d->rotation.z.y)},
                     {fill(d->rotation.x.z), fill(d->rotation.y.z), fill(d->rotation.z.z)}};
    lanes cx = fill(d->b.centre.x), cy = fill(d->b.centre.y), cz = fill(d->b.centre.z);
    for (int i = 0; i < d->b.padded_count; i += LANES) {
        lanes x = load(d->b.x + i) - cx, y = load(d->b.y + i) - cy, z = load(d->b.z + i) - cz;
        for (int k = 0; k < 3; k++) store(d->list_b[k] + i, (r[k][0] * x + r[k][1] * y) + r[k][2] * z);
    }
    d->b.x = d->list_b[0], d->b.y = d->list_b[1], d->b.z = d->list_b[2];
    d->turned = true;
}

// Fills all but `shift`. `warm`: a guess is at hand, so that few questions are to be expected.
static inline void take_difference(const crm_side *a, const crm_side *b, bool warm, difference *d) {
    d->rotation = crm_mat3_mul_tn(a->rotation, b->rotation);
    d->supports = 0;
    d->turned = false;
    take_core(a, warm, &d->a, d->list_a);
    take_core(b, warm, &d->b, d->list_b);
    if (!warm && d->b.asking == ASK_SCAN && d->b.padded_count <= MOST_TURNED) turn_b(d);
}

static inline int farthest_listed(const core *c, carom_vec3 d) {
    int best = 0;
    double largest = crm_dot(d, c->vertex[0]);
    for (int i = 1; i < c->vertex_count; i++) {
        double product = crm_dot(d, c->vertex[i]);
        if (product > largest) {
            largest = product;
            best = i;
        }
    }
    return best;
}

static inline int ask_core(const core *c, carom_vec3 d, int guess) {
    if (c->asking == ASK_SCAN) return scan(c->padded_count, c->x, c->y, c->z, d);
    if (c->asking == ASK_CLIMB) return crm_support_climb(c->polytope, d, guess);
    return farthest_listed(c, d);
}

// The corner of two vertices.
static inline carom_vec3 corner_at(const difference *d, int a, int b) {
    carom_vec3 from = crm_sub(crm_sub(d->a.vertex[a], d->a.centre), d->shift);
    if (d->turned) return crm_sub(crm_vec3(d->b.x[b], d->b.y[b], d->b.z[b]), from);
    return crm_sub(crm_mat3_apply(d->rotation, crm_sub(d->b.vertex[b], d->b.centre)), from);
}

// The corner that is *lowest* along `m`; `near` holds a guess.
static inline corner lowest(difference *d, carom_vec3 m, const corner *near) {
    corner c;
    carom_vec3 n = crm_negate(m);
    c.a = ask_core(&d->a, m, near != NULL ? near->a : -1);
    c.b = ask_core(&d->b, d->turned ? n : crm_mat3_apply_t(d->rotation, n), near != NULL ? near->b : -1);
    c.z = corner_at(d, c.a, c.b);
    d->supports++;
    return c;
}

static inline bool same_pair(const corner *p, const corner *q) {
    return p->a == q->a && p->b == q->b;
}

#endif
