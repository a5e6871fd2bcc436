// SPDX-License-Identifier: MIT
// The point of the difference that is nearest to the origin, for cores that are apart (Gilbert, Johnson and Keerthi).
//
// A simplex of up to three corners has the nearest point v; the lowest corner along v joins, and what does not carry
// the new nearest point leaves. v is the answer when no corner is lower: then <v/|v|, z> >= |v| for all of the
// difference, which proves it.

typedef struct simplex {
    int count; // 1 to 3
    corner c[3];
    double w[3];     // of the corners in v; all positive
    carom_vec3 v;    // nearest point of the simplex to the origin
    double distance; // |v|
} simplex;

// The nearest point of a segment; the end that carries nothing is dropped.
static inline void nearest_of_two(const corner *p, const corner *q, simplex *s) {
    carom_vec3 e = crm_sub(q->z, p->z);
    double square = crm_length_squared(e), t = -crm_dot(p->z, e);
    if (t <= 0.0 || square == 0.0) {
        *s = (simplex){.count = 1, .c = {*p}, .w = {1.0}, .v = p->z};
    } else if (t >= square) {
        *s = (simplex){.count = 1, .c = {*q}, .w = {1.0}, .v = q->z};
    } else {
        t /= square;
        carom_vec3 v = crm_madd(p->z, t, e);
        // Normal to the segment once more: near the origin, v has lost the digits that say so.
        v = crm_madd(v, -crm_dot(v, e) / square, e);
        *s = (simplex){.count = 2, .c = {*p, *q}, .w = {1.0 - t, t}, .v = v};
    }
    s->distance = crm_length(s->v);
}

static inline void nearest_of_thin(const corner *p, const corner *q, const corner *r, simplex *s) {
    const carom_vec3 z[3] = {p->z, q->z, r->z};
    double w[3];
    crm_triangle_foot(z, w);
    carom_vec3 m = crm_triangle_normal(z);
    double square = crm_length_squared(m);
    if (w[0] > 0.0 && w[1] > 0.0 && w[2] > 0.0 && square > 0.0) {
        *s = (simplex){.count = 3, .c = {*p, *q, *r}, .w = {w[0], w[1], w[2]}};
        s->v = crm_scale(crm_dot(m, p->z) / square, m);
        s->distance = fabs(crm_dot(m, p->z)) / sqrt(square);
        return;
    }
    simplex side;
    nearest_of_two(p, q, s);
    nearest_of_two(q, r, &side);
    if (side.distance < s->distance) *s = side;
    nearest_of_two(r, p, &side);
    if (side.distance < s->distance) *s = side;
}

// The nearest point of a triangle, by the signs that tell its region: a corner's, a side's or the inside's.
static inline void nearest_of_three(const corner *p, const corner *q, const corner *r, simplex *s) {
    carom_vec3 e = crm_sub(q->z, p->z), f = crm_sub(r->z, p->z), m = crm_cross(e, f);
    double square = crm_length_squared(m);
    if (crm_triangle_is_thin(m, e, f)) {
        nearest_of_thin(p, q, r, s);
        return;
    }
    // Barycentric coordinates of the origin's projection, times |m|^2.
    double wq = crm_dot(m, crm_cross(f, p->z)), wr = crm_dot(m, crm_cross(p->z, e)), wp = square - wq - wr;
    if (wp > 0.0 && wq > 0.0 && wr > 0.0) {
        double wide = 1.0 / square;
        *s = (simplex){.count = 3, .c = {*p, *q, *r}, .w = {wp * wide, wq * wide, wr * wide}};
        s->v = crm_scale(crm_dot(m, p->z) * wide, m);
        s->distance = fabs(crm_dot(m, p->z)) / sqrt(square);
        return;
    }
    // Outside: the nearest of the sides that the projection is beyond.
    simplex side;
    s->distance = HUGE_VAL;
    const corner *ends[3][2] = {{q, r}, {r, p}, {p, q}};
    double w[3] = {wp, wq, wr};
    for (int k = 0; k < 3; k++) {
        if (w[k] > 0.0) continue;
        nearest_of_two(ends[k][0], ends[k][1], &side);
        if (side.distance < s->distance) *s = side;
    }
}

static inline void nearest_with(const simplex *old, const corner *added, simplex *s) {
    if (old->count == 1) {
        nearest_of_two(&old->c[0], added, s);
    } else if (old->count == 2) {
        nearest_of_three(&old->c[0], &old->c[1], added, s);
    } else {
        simplex face;
        nearest_of_three(&old->c[0], &old->c[1], added, s);
        for (int k = 1; k < 3; k++) {
            nearest_of_three(&old->c[k], &old->c[(k + 1) % 3], added, &face);
            if (face.distance < s->distance) *s = face;
        }
    }
}

// True when the nearest point was found, and proved: `known` is how far below |v| the lowest corner is. `scale` is that
// of the coordinates. False: the cores overlap or touch, or rounding hides that they do not.
static inline bool find_nearest(difference *d, double scale, simplex *s, double *known) {
    const double slack = 4.0 * DBL_EPSILON * scale;
    int patience = 4;
    *known = HUGE_VAL; // nothing is proved unless a corner was asked for
    while (d->supports < SUPPORT_LIMIT) {
        if (s->distance <= slack) return false;
        corner w = lowest(d, s->v, &s->c[0]);
        *known = s->distance - crm_dot(s->v, w.z) / s->distance;
        bool repeated = false;
        for (int k = 0; k < s->count; k++) repeated |= same_pair(&s->c[k], &w);
        if (repeated || *known <= slack) break;
        simplex next;
        nearest_with(s, &w, &next);
        // The distance is stationary at the answer: a better direction may not show in it any more.
        if (!(next.distance < s->distance) && (patience-- == 0 || !(next.distance <= s->distance + slack))) break;
        *s = next;
    }
    // What separates leads from centre to centre. Where they touch, rounding may put v on the other side of its
    // triangle.
    if (!(crm_dot(s->v, d->shift) > 0.0)) return false;
    // The direction of v is known to rounding over the distance only; but it has to separate, or a simplex that happens
    // to pass close to the origin inside of the difference would do.
    double lost_digits = fmin(1.0 + scale / s->distance, 1e4); // beyond, the direction proves nothing
    return *known < s->distance && *known <= 16.0 * slack * lost_digits;
}
