// SPDX-License-Identifier: MIT
// The Minkowski difference K_B - K_A of two cores, seen through its support function. Everything is in world axes and
// taken about the centres: a point of the difference is z = (b - centre_b) - (a - centre_a) + shift, where `shift` is
// the callers' (part of the line between the centres, or a displacement).
//
// Compiled once per instruction set: core_kernels_body.h.
#ifndef CRM_DISTANCE_DIFFERENCE_H
#define CRM_DISTANCE_DIFFERENCE_H

#include <stdalign.h>

#include "distance/side.h"
#include "math/quat.h"
#include "math/simd/quad.h"
#include "shape/support/support.h"

// How a core is asked for its farthest vertex.
typedef enum asking {
    ASK_FEW,   // both cores: at most 8 vertices, which stay in registers
    ASK_SCAN,  // all vertices, by components
    ASK_CLIMB, // along the edges of a polytope
    ASK_LIST,  // vertices without structure that are too many to be copied
} asking;

// Up to MOST_ROTATED vertices are rotated to world axes once instead of every direction to the core's frame: it pays
// from the second question on.
enum { MOST_FEW = 8, MOST_ROTATED = 32 };

typedef struct core {
    asking asking;
    bool rotated; // the list is in world axes and about the centre
    int padded_count;
    const double *x, *y, *z; // the list, by components, on 32-byte boundaries; not for ASK_LIST
    const crm_side *side;
} core;

typedef struct difference {
    core a, b;
    carom_vec3 shift;
    int supports;
    bool cold; // taken for many questions, without a guess
    alignas(32) double list_a[3][MOST_ROTATED], list_b[3][MOST_ROTATED];
} difference;

// A corner of the difference: vertex `a` of A and `b` of B.
typedef struct corner {
    carom_vec3 z;
    int a, b;
} corner;

// The same in every lane.
typedef struct spread_corner {
    quad x, y, z;
    int a, b;
} spread_corner;

// What crm_side_of gives for a box or polytope seen from its own centre, without the rest.
static inline void place_plain(const carom_view *view, crm_side *side) {
    const carom_shape *shape = view->shape;
    side->rotation = crm_quat_to_mat3(view->pose.attitude);
    side->local = shape->centre;
    side->centre = crm_add(view->pose.position, crm_mat3_apply(side->rotation, shape->centre));
    side->polytope = &shape->polytope;
    side->vertex_count = shape->polytope.vertex_count;
    side->vertex = shape->polytope.vertex;
    side->radius = 0.0;
    side->size = shape->bounding_radius;
}

// Vertices without structure, by components.
static inline void copy_list(core *c, double list[3][MOST_ROTATED]) {
    int count = c->side->vertex_count;
    c->padded_count = (count + CRM_SUPPORT_LANES - 1) & ~(CRM_SUPPORT_LANES - 1);
    for (int i = 0; i < c->padded_count; i++) {
        carom_vec3 v = c->side->vertex[i < count ? i : 0];
        list[0][i] = v.x, list[1][i] = v.y, list[2][i] = v.z;
    }
    c->x = list[0], c->y = list[1], c->z = list[2];
}

// Rotates the list to world axes, about the centre. `few`, a constant at every call: at most eight, a list of four is
// rotated twice; from the end, because it may be rotated in its own place.
QUAD_INLINE void rotate_list(bool few, core *c, double list[3][MOST_ROTATED]) {
    const carom_mat3 *r = &c->side->rotation;
    const carom_vec3 *centre = &c->side->local;
    quad cx = quad_fill(centre->x), cy = quad_fill(centre->y), cz = quad_fill(centre->z);
    quad xx = quad_fill(r->x.x), xy = quad_fill(r->x.y), xz = quad_fill(r->x.z);
    quad yx = quad_fill(r->y.x), yy = quad_fill(r->y.y), yz = quad_fill(r->y.z);
    quad zx = quad_fill(r->z.x), zy = quad_fill(r->z.y), zz = quad_fill(r->z.z);
    int second = c->padded_count > 4 ? 4 : 0, count = few ? 8 : c->padded_count;
#pragma GCC unroll 2
    for (int k = count - 4; k >= 0; k -= 4) {
        int i = few && k == 4 ? second : k;
        quad x = quad_load(c->x + i) - cx, y = quad_load(c->y + i) - cy, z = quad_load(c->z + i) - cz;
        quad_store(list[0] + k, (xx * x + yx * y) + zx * z);
        quad_store(list[1] + k, (xy * x + yy * y) + zy * z);
        quad_store(list[2] + k, (xz * x + yz * y) + zz * z);
    }
    c->x = list[0], c->y = list[1], c->z = list[2];
    c->rotated = true;
}

QUAD_INLINE void take_core(const crm_side *side, bool warm, core *c, double list[3][MOST_ROTATED]) {
    c->side = side;
    c->rotated = false;
    if (side->polytope != NULL) {
        c->padded_count = side->polytope->padded_count;
        c->x = side->polytope->x, c->y = side->polytope->y, c->z = side->polytope->z;
        c->asking = side->vertex_count < (warm ? CRM_CLIMB_WARM_FROM : CRM_CLIMB_COLD_FROM) ? ASK_SCAN : ASK_CLIMB;
    } else if (side->vertex_count <= MOST_ROTATED) {
        copy_list(c, list);
        c->asking = ASK_SCAN;
    } else {
        c->asking = ASK_LIST;
    }
}

// Fills all but `shift`. `warm`: a guess is at hand, so that few questions are to be expected.
QUAD_INLINE void take_difference(const crm_side *a, const crm_side *b, bool warm, difference *d) {
    bool few = a->vertex_count <= MOST_FEW && b->vertex_count <= MOST_FEW;
    d->supports = 0;
    d->cold = !warm || few;
    take_core(a, warm, &d->a, d->list_a);
    take_core(b, warm, &d->b, d->list_b);
    if (few) {
        d->a.asking = d->b.asking = ASK_FEW;
        rotate_list(true, &d->a, d->list_a);
        rotate_list(true, &d->b, d->list_b);
        return;
    }
    if (warm) return;
    if (d->a.asking == ASK_SCAN && d->a.padded_count <= MOST_ROTATED) rotate_list(false, &d->a, d->list_a);
    if (d->b.asking == ASK_SCAN && d->b.padded_count <= MOST_ROTATED) rotate_list(false, &d->b, d->list_b);
}

// How far the answers to questions may be from the lowest corner, m: none but for climbing.
static inline double support_slack(const difference *d) {
    double slack_a = d->a.asking == ASK_CLIMB ? d->a.side->polytope->slack : 0.0;
    return slack_a + (d->b.asking == ASK_CLIMB ? d->b.side->polytope->slack : 0.0);
}

// From the centre to a vertex.
static inline carom_vec3 arm(const core *c, int vertex) {
    if (c->rotated) return crm_vec3(c->x[vertex], c->y[vertex], c->z[vertex]);
    return crm_core_arm(c->side, vertex);
}

// The corner of two vertices.
static inline carom_vec3 corner_at(const difference *d, int a, int b) {
    return crm_add(crm_sub(arm(&d->b, b), arm(&d->a, a)), d->shift);
}

// ---- few vertices

QUAD_INLINE quad products(double list[3][MOST_ROTATED], int from, quad mx, quad my, quad mz) {
    quad x = quad_load(list[0] + from), y = quad_load(list[1] + from), z = quad_load(list[2] + from);
    return (mx * x + my * y) + mz * z;
}

// The farthest of up to eight vertices; of equal ones the first.
QUAD_INLINE int farthest_of_few(double list[3][MOST_ROTATED], quad mx, quad my, quad mz) {
    quad p = products(list, 0, mx, my, mz), q = products(list, 4, mx, my, mz);
    quad top = quad_larger(p, q);
    top = quad_larger(top, quad_halves(top));
    top = quad_larger(top, quad_pairs(top));
    return __builtin_ctz(quad_equal(p, top) | quad_equal(q, top) << 4 | 0x100u) & 7; // 0 where nothing is a number
}

// ---- any number

// The farthest vertex along (x, y, z), world axes. Not inlined, which would bury the way of few vertices in its text;
// its numbers come in registers, a struct would not.
static __attribute__((noinline)) int ask_core(const core *c, double x, double y, double z, int guess) {
    carom_vec3 d = {x, y, z};
    if (c->rotated) return scan(c->padded_count, c->x, c->y, c->z, d);
    carom_vec3 local = crm_mat3_apply_t(c->side->rotation, d);
    if (c->asking == ASK_SCAN) return scan(c->padded_count, c->x, c->y, c->z, local);
    if (c->asking == ASK_CLIMB) return crm_support_near(c->side->polytope, local, guess);
    return crm_core_support(c->side, d, guess);
}

// The corner that is *lowest* along `m`, which is the same in all lanes; `guess_a` and `guess_b` are vertices near it
// or -1. `few`, a constant at every call, tells how the difference is to be asked.
QUAD_INLINE spread_corner lowest_spread(bool few, difference *d, quad mx, quad my, quad mz, int guess_a, int guess_b) {
    d->supports++;
    if (few) {
        int a = farthest_of_few(d->list_a, mx, my, mz), b = farthest_of_few(d->list_b, -mx, -my, -mz);
        return (spread_corner){quad_fill(d->list_b[0][b]) - quad_fill(d->list_a[0][a]) + quad_fill(d->shift.x),
                               quad_fill(d->list_b[1][b]) - quad_fill(d->list_a[1][a]) + quad_fill(d->shift.y),
                               quad_fill(d->list_b[2][b]) - quad_fill(d->list_a[2][a]) + quad_fill(d->shift.z), a, b};
    }
    int a = ask_core(&d->a, mx[0], my[0], mz[0], guess_a), b = ask_core(&d->b, -mx[0], -my[0], -mz[0], guess_b);
    carom_vec3 z = corner_at(d, a, b);
    return (spread_corner){quad_fill(z.x), quad_fill(z.y), quad_fill(z.z), a, b};
}

// The same where it need not be fast.
static inline corner lowest(difference *d, carom_vec3 m, const corner *near) {
    bool few = d->a.asking == ASK_FEW;
    int guess_a = near != NULL ? near->a : -1, guess_b = near != NULL ? near->b : -1;
    quad mx = quad_fill(m.x), my = quad_fill(m.y), mz = quad_fill(m.z);
    spread_corner s = few ? lowest_spread(true, d, mx, my, mz, guess_a, guess_b)
                          : lowest_spread(false, d, mx, my, mz, guess_a, guess_b);
    return (corner){{s.x[0], s.y[0], s.z[0]}, s.a, s.b};
}

static inline bool same_pair(const corner *p, const corner *q) {
    return p->a == q->a && p->b == q->b;
}

#endif
