// SPDX-License-Identifier: MIT
// Edges of one box on edges of the other (feature_rules.h): nine classes by direction, a_i and b_j, each of four edges
// by four with one normal. Edges of A stand in the lanes.
//
// An edge is counted by the signs of its two other coordinates, those along the axes after its own in turn: lane or
// number s has bit 0 for the first of them and bit 1 for the second.
#include "distance/box/box_corners_body.h"

// A class that may have contacts, along the unit normal n from A to B.
typedef struct edge_class {
    int i, j;        // directions
    unsigned met;    // bit 4 b + a: edge b of B on edge a of A
    unsigned at_end; // the same: near an end of one
    double along;    // n.c > 0, m
    double n_a[2];   // n along the two axes after i of A; none along i
    double n_b[2];   // n along the two axes after j of B
    // By 4 b + a: places of the points on the edges, from their middles, and the gap, m.
    _Alignas(32) double on_a[16], on_b[16], gap[16];
} edge_class;

// Directions whose edges are not parallel and whose normal is not too deficient: bit 4 i + j.
QUAD_INLINE unsigned near_classes(const box_pair *pair) {
    const crm_feature_limits *limits = &pair->limits;
    double most = pair->most[0] > pair->most[1] ? pair->most[0] : pair->most[1];
    quad zero = quad_fill(0.0),
         least = quad_fill(limits->square_sine > parallel_square ? limits->square_sine : parallel_square);
    unsigned near = 0;
    for (int i = 0; i < 3; i++) {
        const cross_axes *axes = &pair->crosses[i];
        quad along = quad_abs(axes->towards), deficiency = quad_fill(pair->rho) * along - axes->gap;
        quad_mask low = (deficiency <= zero) | (deficiency * deficiency <= quad_fill(most * most) * axes->square);
        near |= quad_signs((quad)(low & (along > zero) & (axes->square >= least))) << (4 * i);
    }
    return near;
}

// Of a box along `up`, which has these parts along the two axes across an edge: how far it extends over each of its
// four edges, but no more than the steepest way up from there times `size`, that of the other box.
QUAD_INLINE quad edge_lifts(double up_p, double up_q, double half_p, double half_q, double size) {
    quad rise_p = quad_fill(fabs(up_p)) - by_x(up_p), rise_q = quad_fill(fabs(up_q)) - by_y(up_q); // 0 or twice
    quad lift = quad_fill(half_p) * rise_p + quad_fill(half_q) * rise_q;
    // One way up is along an axis; of two the steepest is along `up` itself.
    quad_mask both = (rise_p > quad_fill(0.0)) & (rise_q > quad_fill(0.0));
    quad slope = quad_choose(both, quad_fill(1.0), quad_fill(0.5) * quad_larger(rise_p, rise_q));
    quad limited = quad_fill(size) * slope;
    return quad_choose(limited < lift, limited, lift);
}

// Parts along p and q, the axes across an edge, for each of its signs: r.(o + s h).
QUAD_INLINE quad by_signs(double o_p, double o_q, double along_p, double along_q) {
    return by_x(along_p) + by_y(along_q) + quad_fill(o_p + o_q);
}

// The points of a class. With delta from A's edge to B's, middle to middle, and the unknowns x, y from the middles:
// delta = x a_i - y b_j + gap n. Across, seen from a_i, with R_ij = a_i.b_j,
//   y = -(delta_p R_pj + delta_q R_qj) / sin^2,   x = delta_i + y R_ij,   gap = n_p delta_p + n_q delta_q.
// y and the gap are sums of a part by A's edge and one by B's.
QUAD_INLINE void meet_edges(const box_pair *pair, int i, int j, edge_class *out) {
    const box_side *a = &pair->side[0], *b = &pair->side[1];
    const crm_feature_limits *limits = &pair->limits;
    int p = (i + 1) % 3, q = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
    double square = lane_of(&pair->crosses[i].square, j), towards = lane_of(&pair->crosses[i].towards, j);
    double scale = (towards < 0.0 ? -1.0 : 1.0) / sqrt(square), inverse = scale * scale;
    double rp = lane_of(&b->rotation[p], j), rq = lane_of(&b->rotation[q], j), np = -scale * rq, nq = scale * rp;
    double rpk = lane_of(&b->rotation[p], k), rqk = lane_of(&b->rotation[q], k);
    double rpl = lane_of(&b->rotation[p], l), rql = lane_of(&b->rotation[q], l);
    double nk = np * rpk + nq * rqk, nl = np * rpl + nq * rql;
    double half_i = lane_of(&a->half, i), half_p = lane_of(&a->half, p), half_q = lane_of(&a->half, q);
    double half_j = lane_of(&b->half, j), half_k = lane_of(&b->half, k), half_l = lane_of(&b->half, l);
    double along = fabs(scale * towards), up = -inverse * rp, uq = -inverse * rq; // of y
    double apart_p = lane_of(&a->apart, p), apart_q = lane_of(&a->apart, q);

    quad lift_a = edge_lifts(np, nq, half_p, half_q, b->size);
    quad y_a = -(by_x(half_p * up) + by_y(half_q * uq)), gap_a = -(by_x(half_p * np) + by_y(half_q * nq));
    _Alignas(32) double lift_b[4], y_b[4], gap_b[4], x_b[4];
    quad_store(lift_b, edge_lifts(-nk, -nl, half_k, half_l, a->size));
    quad_store(y_b,
               by_signs(apart_p * up, apart_q * uq, half_k * (rpk * up + rqk * uq), half_l * (rpl * up + rql * uq)));
    quad_store(gap_b, by_signs(apart_p * np, apart_q * nq, half_k * nk, half_l * nl));
    quad_store(x_b, by_signs(lane_of(&a->apart, i), 0.0, half_k * lane_of(&b->rotation[i], k),
                             half_l * lane_of(&b->rotation[i], l)));

    quad tolerance = quad_fill(limits->tolerance), place = quad_fill(limits->place),
         wanted = quad_fill(pair->rho * along);
    quad whole_x = quad_fill(half_i), whole_y = quad_fill(half_j), margin = quad_fill(limits->margin);
    quad ri = quad_fill(lane_of(&b->rotation[i], j));
    unsigned met = 0, at_end = 0;
    for (unsigned low_b = quad_signs((quad)(quad_load(lift_b) <= tolerance)); low_b != 0; low_b &= low_b - 1) {
        int s = __builtin_ctz(low_b);
        quad y = y_a + quad_fill(y_b[s]), gap = gap_a + quad_fill(gap_b[s]), x = quad_fill(x_b[s]) + y * ri;
        quad off_x = quad_abs(x) - whole_x, off_y = quad_abs(y) - whole_y;
        quad_mask low = (lift_a + quad_fill(lift_b[s]) <= tolerance) & (quad_abs(gap - wanted) <= tolerance);
        low &= quad_larger(off_x, off_y) <= margin;
        quad_mask end = (quad_abs(off_x) <= place) | (quad_abs(off_y) <= place);
        met |= quad_signs((quad)low) << (4 * s);
        at_end |= quad_signs((quad)end) << (4 * s);
        quad_store(out->on_a + 4 * s, x);
        quad_store(out->on_b + 4 * s, y);
        quad_store(out->gap + 4 * s, gap);
    }
    out->met = met;
    out->at_end = at_end;
    out->i = i;
    out->j = j;
    out->along = along;
    out->n_a[0] = np;
    out->n_a[1] = nq;
    out->n_b[0] = nk;
    out->n_b[1] = nl;
}
