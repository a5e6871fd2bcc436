// SPDX-License-Identifier: MIT
// Corners of one box on facets of the other (feature_rules.h), four corners a vector. Corner c has the bits of c as
// signs of its coordinates x, y, z, from the lowest on.
//
// A box makes the rules simple. Going down by d from a corner with the signs s, its body extends lower along axis i
// where s_i d_i < 0, by 2 h_i |d_i|: these sum up to the lift. The steepest way there has the sine of their root sum
// square of d_i.
#include "distance/box/box_axes_body.h"

// Corners that meet facet k, for the facet towards the guest.
typedef struct facet_corners {
    unsigned met; // bit c
    _Alignas(32) double gap[8];
} facet_corners;

// -h, +h by the sign of x or y of corners 0 to 3.
QUAD_INLINE quad by_x(double h) {
    return quad_fill(h) * (quad){-1.0, 1.0, -1.0, 1.0};
}

QUAD_INLINE quad by_y(double h) {
    return quad_fill(h) * (quad){-1.0, -1.0, 1.0, 1.0};
}

// Facets of the owner that are not too deficient, by bits.
QUAD_INLINE unsigned near_facets(const box_pair *pair, int owner) {
    quad along = quad_abs(pair->side[owner].towards), most = quad_fill(pair->most[owner]);
    quad deficiency = quad_fill(pair->rho) * along - pair->facets[owner].gap;
    return quad_signs((quad)((along > quad_fill(0.0)) & (deficiency <= most)));
}

// What sticks out of |x| <= h.
QUAD_INLINE quad beyond(quad x, double h) {
    return quad_larger(quad_abs(x) - quad_fill(h), quad_fill(0.0));
}

// Four corners, at these places in the owner's frame, on facet k. `signs` are of their coordinates in the guest's
// frame.
QUAD_INLINE unsigned four_on_facet(const box_pair *pair, int owner, int k, const quad at[3], const quad signs[3],
                                   double *gap) {
    const box_side *o = &pair->side[owner], *g = &pair->side[1 - owner];
    const crm_feature_limits *limits = &pair->limits;
    double towards = o->towards[k], side = towards < 0.0 ? -1.0 : 1.0;
    quad tolerance = quad_fill(limits->tolerance), phi = at[k] * quad_fill(side) - quad_fill(o->half[k]);
    quad_mask met = quad_abs(phi - quad_fill(pair->rho * fabs(towards))) <= tolerance;
    int p = (k + 1) % 3, q = (k + 2) % 3;
    quad off_p = beyond(at[p], o->half[p]), off_q = beyond(at[q], o->half[q]);
    met &= off_p * off_p + off_q * off_q <= quad_fill(limits->margin * limits->margin);
    quad lift = quad_fill(0.0), slope = quad_fill(0.0);
    for (int i = 0; i < 3; i++) {
        double down = -side * o->rotation[i][k];
        quad rise = quad_fill(fabs(down)) - signs[i] * quad_fill(down); // 0 or twice |d_i|
        lift += quad_fill(g->half[i]) * rise;
        slope += rise * rise;
    }
    met &= (lift <= tolerance) | (quad_fill(0.25 * o->size * o->size) * slope <= tolerance * tolerance);
    quad_store(gap, phi);
    return quad_signs((quad)met);
}

// Fills those of `facets`.
QUAD_INLINE void meet_corners(const box_pair *pair, int owner, unsigned facets, facet_corners out[3]) {
    const box_side *o = &pair->side[owner], *g = &pair->side[1 - owner];
    quad low[3], high[3];
    for (int k = 0; k < 3; k++) out[k].met = 0;
    if (facets == 0) return;
    for (int k = 0; k < 3; k++) {
        quad middle =
            quad_fill(o->apart[k]) + by_x(g->half[0] * o->rotation[0][k]) + by_y(g->half[1] * o->rotation[1][k]);
        quad up = quad_fill(g->half[2] * o->rotation[2][k]);
        low[k] = middle - up;
        high[k] = middle + up;
    }
    const quad signs_low[3] = {by_x(1.0), by_y(1.0), quad_fill(-1.0)},
               signs_high[3] = {by_x(1.0), by_y(1.0), quad_fill(1.0)};
    for (int k = 0; k < 3; k++)
        if (facets >> k & 1)
            out[k].met = four_on_facet(pair, owner, k, low, signs_low, out[k].gap) |
                         four_on_facet(pair, owner, k, high, signs_high, out[k].gap + 4) << 4;
}
