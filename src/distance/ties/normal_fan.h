// SPDX-License-Identifier: MIT
// The plane <alpha, beta> = 1 and the lines by which vertices cut it: what all optimal alphas are found in.
//
// alpha = beta + u t1 + v t2 (crm_tangents of beta) supports the difference body at the pierced point when every
// vertex leaves it: h + x u + y v >= 0. docs/math.md 3.6.
#ifndef CRM_DISTANCE_NORMAL_FAN_H
#define CRM_DISTANCE_NORMAL_FAN_H

#include "distance/side.h"

// Of the size of a body: a vertex may lie this far beyond a supporting plane, which is rounding.
#define CRM_SLACK_TOLERANCE 1e-12
// Relative to |alpha|: normals that differ less are the same.
#define CRM_NORMAL_TOLERANCE 1e-9

// A vertex as seen from its side's anchor, in units of the body's size and along beta, t1, t2; of A reversed. What
// it leaves to alpha = (1, u, v) is h + x u + y v >= 0.
typedef struct crm_cut {
    double h, x, y;
} crm_cut;

typedef struct crm_fan {
    const crm_side *side[2];
    carom_vec3 anchor[2], axes[2][3]; // frames of the views; the axes are scaled and, for A, reversed
    double tolerance[2];              // crm_active_distance in units of the body's size
} crm_fan;

typedef struct crm_fan_point {
    double u, v;
} crm_fan_point;

// `anchor`: of A and B, frames of the views, the points whose difference is pierced.
crm_fan crm_fan_make(const crm_side *a, const crm_side *b, carom_vec3 beta, const carom_vec3 anchor[2]);

// How far the polygon extends from its point `p` along the unit vector `d`, backwards and forwards; infinite where
// nothing cuts it.
void crm_fan_span(const crm_fan *fan, crm_fan_point p, crm_fan_point d, double *low, double *high);

static inline crm_cut crm_cut_of(const crm_fan *f, int side, int vertex) {
    carom_vec3 arm = crm_sub(f->side[side]->vertex[vertex], f->anchor[side]);
    return (crm_cut){crm_dot(f->axes[side][0], arm), crm_dot(f->axes[side][1], arm), crm_dot(f->axes[side][2], arm)};
}

static inline double crm_cut_slack(crm_cut c, crm_fan_point p) {
    return c.h + c.x * p.u + c.y * p.v;
}

static inline double crm_cut_square(crm_cut c) {
    return c.h * c.h + c.x * c.x + c.y * c.y;
}

// A vertex at the anchor cuts nothing.
static inline bool crm_cut_is_distinct(const crm_fan *f, int side, crm_cut c) {
    return crm_cut_square(c) > f->tolerance[side] * f->tolerance[side];
}

static inline double crm_fan_square_between(crm_fan_point a, crm_fan_point b) {
    return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
}

static inline double crm_fan_size(crm_fan_point p) {
    return 1.0 + fabs(p.u) + fabs(p.v);
}

static inline crm_fan_point crm_fan_along(crm_fan_point p, double s, crm_fan_point d) {
    return (crm_fan_point){p.u + s * d.u, p.v + s * d.v};
}

#endif
