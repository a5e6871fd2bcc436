// SPDX-License-Identifier: MIT
// Two boxes and the axes that can keep them apart, as the same text for every instruction set.
//
// The ray's value in closed form. The difference B - A of two boxes is a polytope whose facets have the normals of A's
// or B's facets, or normals across an edge of each: 15 axes. For any n all of it lies in n.z >= psi(n), and it is the
// common part of these half-spaces for n among the 15, either way round. So lambda beta is in it when lambda n.beta >=
// psi(n) for all, and the line of centres, which passes through it, enters it at
//   t = max over axes, oriented to n.beta > 0, of psi(n) / n.beta.
// With c, from centre to centre, in place of beta it is rho = t / |c|. An axis that is no facet's normal does no harm,
// as its half-space holds all the same; nor does one that rounding has tilted, as long as psi is taken along the tilted
// one. No axis needs unit length.
#include <float.h>
#include <stddef.h>

#include "distance/features/feature_rules.h"
#include "distance/features/features.h"
#include "math/quat.h"
#include "math/simd/quad.h"

// Sine of an angle between edges, squared, below which what is across them is rounding alone. Then a facet axis is as
// good.
static const double parallel_square = 1e-30;

// A box as owner of facets; the other one is its guest. Own frame; the fourth lanes are 0.
typedef struct box_side {
    quad rotation[3];    // the guest's axes
    quad apart;          // from the own middle to the guest's, m
    quad towards;        // c, from the own centre to the guest's, m
    quad half;           // of the own edges, m
    carom_vec3 axis[3];  // world
    carom_vec3 position; // of the middle, world
    double size;         // no point is farther from the centre, m
} box_side;

// Axes by facets: lane k is along axis k of the owner.
typedef struct facet_axes {
    quad radius; // of both boxes along it, m
    quad gap;    // psi, n towards the guest
} facet_axes;

// Axes m = a_i x b_j; lane j. Not of unit length.
typedef struct cross_axes {
    quad square; // of the length
    quad apart;  // m.(from A's middle to B's)
    quad radius;
    quad towards; // m.c
    quad gap;     // psi, m oriented towards B
} cross_axes;

typedef struct box_pair {
    box_side side[2]; // A, B
    facet_axes facets[2];
    cross_axes crosses[3];  // by the edge of A
    double rho;             // t n.beta = rho n.c
    double centre_distance; // over |c|: 1, or 0 where the centres coincide and c is any direction
    double most[2];         // deficiency of facets of A, of B, m
    crm_feature_limits limits;
} box_pair;

QUAD_INLINE quad quad_of(carom_vec3 v) {
    return (quad){v.x, v.y, v.z, 0.0};
}

// The transposed matrix times v.
QUAD_INLINE quad rotated(const quad rows[3], carom_vec3 v) {
    return (rows[0] * quad_fill(v.x) + rows[1] * quad_fill(v.y)) + rows[2] * quad_fill(v.z);
}

QUAD_INLINE void rows_of(const carom_vec3 axis[3], quad rows[3]) {
    rows[0] = (quad){axis[0].x, axis[1].x, axis[2].x, 0.0};
    rows[1] = (quad){axis[0].y, axis[1].y, axis[2].y, 0.0};
    rows[2] = (quad){axis[0].z, axis[1].z, axis[2].z, 0.0};
}

QUAD_INLINE void transpose(const quad in[3], quad out[3]) {
    quad zero = quad_fill(0.0);
    quad even_01 = __builtin_shufflevector(in[0], in[1], 0, 4, 2, 6);
    quad odd_01 = __builtin_shufflevector(in[0], in[1], 1, 5, 3, 7);
    quad even_2 = __builtin_shufflevector(in[2], zero, 0, 4, 2, 6);
    quad odd_2 = __builtin_shufflevector(in[2], zero, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(even_01, even_2, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(odd_01, odd_2, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(even_01, even_2, 2, 3, 6, 7);
}

QUAD_INLINE void pose_box(const crm_posed_box *box, box_side *side) {
    side->axis[0] = box->axis[0];
    side->axis[1] = box->axis[1];
    side->axis[2] = box->axis[2];
    side->position = box->position;
    side->half = quad_of(box->half);
    side->size = box->size;
}

QUAD_INLINE void pose_boxes(const crm_posed_box *a, const crm_posed_box *b, box_pair *pair) {
    box_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    pose_box(a, of_a);
    pose_box(b, of_b);
    quad rows_a[3], rows_b[3];
    rows_of(of_a->axis, rows_a);
    rows_of(of_b->axis, rows_b);
    carom_vec3 d = crm_sub(of_b->position, of_a->position);
    of_a->apart = rotated(rows_a, d);
    of_b->apart = -rotated(rows_b, d);
    of_a->rotation[0] = rotated(rows_a, of_b->axis[0]);
    of_a->rotation[1] = rotated(rows_a, of_b->axis[1]);
    of_a->rotation[2] = rotated(rows_a, of_b->axis[2]);
    transpose(of_a->rotation, of_b->rotation);
}

QUAD_INLINE void measure_facets(const box_side *owner, const box_side *guest, facet_axes *out) {
    quad h = guest->half;
    out->radius = owner->half +
                  ((quad_abs(owner->rotation[0]) * quad_fill(h[0]) + quad_abs(owner->rotation[1]) * quad_fill(h[1])) +
                   quad_abs(owner->rotation[2]) * quad_fill(h[2]));
}

// With p and q the axes after i in turn, m has -R_qj along p and R_pj along q, R_ij = a_i.b_j. What B's other axes are
// along m is taken from these same numbers, so that all is known to rounding of the length of m, however short.
QUAD_INLINE void measure_crosses(const box_pair *pair, int i, cross_axes *out) {
    const box_side *a = &pair->side[0], *b = &pair->side[1];
    int p = (i + 1) % 3, q = (i + 2) % 3;
    quad rp = b->rotation[p], rq = b->rotation[q];
    quad on_next = rp * quad_next(rq) - rq * quad_next(rp), on_last = rp * quad_last(rq) - rq * quad_last(rp);
    out->square = rp * rp + rq * rq;
    out->apart = quad_fill(a->apart[q]) * rp - quad_fill(a->apart[p]) * rq;
    out->radius = (quad_fill(a->half[p]) * quad_abs(rq) + quad_fill(a->half[q]) * quad_abs(rp)) +
                  (quad_next(b->half) * quad_abs(on_next) + quad_last(b->half) * quad_abs(on_last));
}

// ---- apart

static inline double lane_of(const quad *a, int k) {
    return (*a)[k];
}

// Along a_i x b_j, of its length, world.
static inline carom_vec3 cross_axis(const box_pair *pair, int i, int j) {
    int p = (i + 1) % 3, q = (i + 2) % 3;
    const box_side *a = &pair->side[0], *b = &pair->side[1];
    return crm_sub(crm_scale(lane_of(&b->rotation[p], j), a->axis[q]),
                   crm_scale(lane_of(&b->rotation[q], j), a->axis[p]));
}

// Whether a facet of the owner has the boxes farther apart than `near`; the one with the widest gap.
QUAD_INLINE bool facet_is_between(const box_pair *pair, int owner, double near, crm_box_plane *plane) {
    quad gap = quad_abs(pair->side[owner].apart) - pair->facets[owner].radius;
    const quad_mask used = {-1, -1, -1, 0};
    unsigned held = quad_signs((quad)((gap > quad_fill(near)) & used));
    if (held == 0) return false;
    int best = __builtin_ctz(held);
    for (int k = best + 1; k < 3; k++)
        if (gap[k] > gap[best]) best = k;
    bool outward = (pair->side[owner].apart[best] < 0.0) == (owner == 1);
    carom_vec3 axis = pair->side[owner].axis[best];
    *plane = (crm_box_plane){outward ? axis : crm_negate(axis), gap[best], INFINITY};
    return true;
}

QUAD_INLINE bool cross_is_between(const box_pair *pair, int i, double near, crm_box_plane *plane) {
    const cross_axes *axes = &pair->crosses[i];
    quad gap = quad_abs(axes->apart) - axes->radius;
    quad_mask wide = (gap > quad_fill(0.0)) & (gap * gap > quad_fill(near * near) * axes->square);
    unsigned held = quad_signs((quad)(wide & (axes->square > quad_fill(parallel_square))));
    if (held == 0) return false;
    int j = __builtin_ctz(held);
    double scale = 1.0 / sqrt(axes->square[j]);
    carom_vec3 axis = cross_axis(pair, i, j);
    *plane = (crm_box_plane){crm_scale(axes->apart[j] < 0.0 ? -scale : scale, axis), gap[j] * scale, INFINITY};
    return true;
}

// ---- the ray

QUAD_INLINE quad facet_ratios(const box_side *owner, facet_axes *axes) {
    quad zero = quad_fill(0.0);
    quad along = quad_abs(owner->towards);
    axes->gap = quad_choose(owner->towards < zero, -owner->apart, owner->apart) - axes->radius;
    return quad_choose(along > zero, axes->gap / along, quad_fill(-INFINITY));
}

QUAD_INLINE quad cross_ratios(const box_pair *pair, int i, cross_axes *axes) {
    const box_side *a = &pair->side[0], *b = &pair->side[1];
    int p = (i + 1) % 3, q = (i + 2) % 3;
    quad zero = quad_fill(0.0);
    axes->towards = quad_fill(a->towards[q]) * b->rotation[p] - quad_fill(a->towards[p]) * b->rotation[q];
    quad along = quad_abs(axes->towards);
    axes->gap = quad_choose(axes->towards < zero, -axes->apart, axes->apart) - axes->radius;
    quad_mask used = (along > zero) & (axes->square > quad_fill(parallel_square));
    return quad_choose(used, axes->gap / along, quad_fill(-INFINITY));
}

// From the frame of a box to the world's, and back.
static inline carom_vec3 rotated_out(const box_side *side, carom_vec3 v) {
    return crm_madd(crm_madd(crm_scale(v.x, side->axis[0]), v.y, side->axis[1]), v.z, side->axis[2]);
}

QUAD_INLINE quad rotated_in(const box_side *side, carom_vec3 v) {
    quad rows[3];
    rows_of(side->axis, rows);
    return rotated(rows, v);
}

// Where to look from: the middles, or the centres.
QUAD_INLINE void look_from(const crm_posed_box *a, const crm_posed_box *b, box_pair *pair) {
    box_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    of_a->towards = of_a->apart;
    of_b->towards = of_b->apart;
    if (a->has_centre) {
        carom_vec3 c = a->centre, d = rotated_out(of_a, c);
        of_a->size += crm_length(c);
        of_a->towards -= quad_of(c);
        of_b->towards += rotated_in(of_b, d);
    }
    if (b->has_centre) {
        carom_vec3 c = b->centre, d = rotated_out(of_b, c);
        of_b->size += crm_length(c);
        of_b->towards -= quad_of(c);
        of_a->towards += rotated_in(of_a, d);
    }
}

// Centres closer than this share of the sizes and coordinates have no direction between them: then look along x.
static const double coincident = 1e-14;

QUAD_INLINE void look_along_x(box_pair *pair) {
    box_side *a = &pair->side[0], *b = &pair->side[1];
    a->towards = quad_of(crm_vec3(a->axis[0].x, a->axis[1].x, a->axis[2].x));
    b->towards = -quad_of(crm_vec3(b->axis[0].x, b->axis[1].x, b->axis[2].x));
    pair->centre_distance = 0.0;
}

// Sets rho and the limits; the plane of the ray.
QUAD_INLINE void find_value(const carom_feature_options *options, double plane_to, box_pair *pair,
                            crm_box_plane *plane) {
    const box_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    double size = of_a->size + of_b->size;
    double far = crm_max_component(crm_vec3_max(crm_vec3_abs(of_a->position), crm_vec3_abs(of_b->position)));
    carom_vec3 c = crm_vec3_abs(crm_vec3(of_a->towards[0], of_a->towards[1], of_a->towards[2]));
    double distance = c.x + c.y + c.z; // or more, by less than 1.8
    pair->centre_distance = 1.0;
    if (!(distance > coincident * (size + 2.0 * far))) look_along_x(pair);
    quad ratio[5] = {facet_ratios(&pair->side[0], &pair->facets[0]), facet_ratios(&pair->side[1], &pair->facets[1]),
                     cross_ratios(pair, 0, &pair->crosses[0]), cross_ratios(pair, 1, &pair->crosses[1]),
                     cross_ratios(pair, 2, &pair->crosses[2])};
    quad most = quad_larger(quad_larger(ratio[0], ratio[1]), quad_larger(quad_larger(ratio[2], ratio[3]), ratio[4]));
    most = quad_larger(most, quad_halves(most));
    most = quad_larger(most, quad_pairs(most));
    pair->rho = most[0];
    unsigned best = 0;
    for (int k = 0; k < 5; k++) best |= quad_equal(ratio[k], most) << (4 * k);
    int which = __builtin_ctz(best | 1u << 19), group = which / 4, k = which % 4;
    double along;
    if (group < 2) {
        const box_side *owner = &pair->side[group];
        double towards = lane_of(&owner->towards, k);
        bool outward = (towards < 0.0) == (group == 1); // seen from A
        along = fabs(towards);
        plane->normal = outward ? owner->axis[k] : crm_negate(owner->axis[k]);
        plane->gap = lane_of(&pair->facets[group].gap, k);
    } else {
        const cross_axes *axes = &pair->crosses[group - 2];
        double scale = 1.0 / sqrt(lane_of(&axes->square, k)), towards = lane_of(&axes->towards, k);
        along = scale * fabs(towards);
        plane->normal = crm_scale(towards < 0.0 ? -scale : scale, cross_axis(pair, group - 2, k));
        plane->gap = scale * lane_of(&axes->gap, k);
    }
    double accuracy = 16.0 * DBL_EPSILON * (distance + size * distance / along);
    plane->value = pair->rho * crm_length(crm_vec3(of_a->towards[0], of_a->towards[1], of_a->towards[2]));
    pair->limits = crm_feature_limits_of(options, size, far, plane_to, pair->rho, accuracy);
    pair->most[0] = crm_most_deficient(of_a->size, of_b->size, &pair->limits);
    pair->most[1] = crm_most_deficient(of_b->size, of_a->size, &pair->limits);
}
