// SPDX-License-Identifier: MIT
// A facet pierced has one alpha, an edge a segment of them, a corner a polygon: what all cuts leave of a large square.
// Corners are kept as the meetings of two cuts, never as points between others, so that no error adds up.
#include "distance/ties/optimal_alphas.h"

#include "distance/ties/normal_fan.h"

// Corners while it is being cut, which can be more than are left in the end.
enum { MOST_CORNERS = 4 * CAROM_OPTIMA_ALPHAS };

// An alpha longer than this belongs to a difference body that beta all but passes by.
static const double longest = 1e7;

// Its corners in order, counter-clockwise, each with the cut along which the next one is reached.
typedef struct polygon {
    int count;
    bool overflowed; // some cuts were left out
    crm_fan_point point[MOST_CORNERS];
    crm_cut edge[MOST_CORNERS];
} polygon;

static void add_corner(polygon *p, crm_fan_point point, crm_cut edge) {
    if (p->count == MOST_CORNERS) {
        p->overflowed = true;
        return;
    }
    p->point[p->count] = point;
    p->edge[p->count++] = edge;
}

static void begin_square(polygon *p) {
    p->count = 0;
    p->overflowed = false;
    add_corner(p, (crm_fan_point){-longest, -longest}, (crm_cut){longest, 0.0, 1.0});
    add_corner(p, (crm_fan_point){longest, -longest}, (crm_cut){longest, -1.0, 0.0});
    add_corner(p, (crm_fan_point){longest, longest}, (crm_cut){longest, 0.0, -1.0});
    add_corner(p, (crm_fan_point){-longest, longest}, (crm_cut){longest, 1.0, 0.0});
}

// Where two lines meet that are known to: one passes between two points of the other.
static crm_fan_point meeting(crm_cut c, crm_cut d) {
    double determinant = c.x * d.y - c.y * d.x;
    return (crm_fan_point){(c.y * d.h - c.h * d.y) / determinant, (c.h * d.x - c.x * d.h) / determinant};
}

// On which side of the cut a point is: 1 inside, 0 on it, -1 outside.
static int side_of(crm_cut c, crm_fan_point p) {
    double slack = crm_cut_slack(c, p), allowance = CRM_SLACK_TOLERANCE * crm_fan_size(p);
    return slack > allowance ? 1 : slack < -allowance ? -1 : 0;
}

// What a cut leaves. A point on it stays where it is.
static void cut_polygon(polygon *p, crm_cut c) {
    int side[MOST_CORNERS];
    bool inside = false, outside = false;
    for (int k = 0; k < p->count; k++) {
        side[k] = side_of(c, p->point[k]);
        inside |= side[k] > 0;
        outside |= side[k] < 0;
    }
    if (!outside || !inside) return; // nothing to take away, or rounding: one optimal alpha is known
    polygon old = *p;
    p->count = 0;
    for (int k = 0; k < old.count; k++) {
        int next = k + 1 < old.count ? k + 1 : 0;
        if (side[k] >= 0) add_corner(p, old.point[k], side[k] == 0 && side[next] < 0 ? c : old.edge[k]);
        if (side[k] * side[next] < 0) add_corner(p, meeting(old.edge[k], c), side[k] > 0 ? c : old.edge[k]);
    }
}

// Takes out the corner `k` where its neighbours leave nothing of it: the same point, or one on the line between them.
static bool is_corner(const polygon *p, int k) {
    crm_fan_point before = p->point[(k + p->count - 1) % p->count], here = p->point[k];
    crm_fan_point after = p->point[(k + 1) % p->count];
    double near = CRM_NORMAL_TOLERANCE * crm_fan_size(here), u = after.u - before.u, v = after.v - before.v;
    if (crm_fan_square_between(before, here) <= near * near) return false;
    double length = sqrt(u * u + v * v), area = u * (here.v - before.v) - v * (here.u - before.u);
    return fabs(area) > near * length;
}

static void drop_false_corners(polygon *p) {
    for (int k = 0; k < p->count && p->count > 2;) {
        if (is_corner(p, k)) {
            k++;
            continue;
        }
        for (int i = k; i + 1 < p->count; i++) p->point[i] = p->point[i + 1];
        p->count--;
        k = k > 0 ? k - 1 : 0; // its neighbour may have become one
    }
}

static bool supports(const crm_fan *f, crm_fan_point p) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->side[side]->vertex_count; i++) {
            crm_cut c = crm_cut_of(f, side, i);
            if (crm_cut_is_distinct(f, side, c) && side_of(c, p) < 0) return false;
        }
    return true;
}

// In the plane, as vectors.
typedef struct plane {
    carom_vec3 beta, t1, t2;
} plane;

static void add_alpha(const plane *s, crm_fan_point p, carom_ray_optima *out) {
    if (fmax(fabs(p.u), fabs(p.v)) >= 0.5 * longest || out->alpha_count == CAROM_OPTIMA_ALPHAS) {
        out->alphas_all = false;
        return;
    }
    out->alphas[out->alpha_count++] = crm_madd(crm_madd(s->beta, p.u, s->t1), p.v, s->t2);
}

static void list_segment(const crm_fan *f, const plane *s, crm_fan_point p, carom_vec3 edge, carom_ray_optima *out) {
    crm_fan_point d = {-crm_dot(edge, s->t2), crm_dot(edge, s->t1)};
    double length = sqrt(d.u * d.u + d.v * d.v), low, high;
    d = (crm_fan_point){d.u / length, d.v / length}; // a pierced edge is not along beta
    crm_fan_span(f, p, d, &low, &high);
    add_alpha(s, crm_fan_along(p, fmax(low, -2.0 * longest), d), out);
    add_alpha(s, crm_fan_along(p, fmin(high, 2.0 * longest), d), out);
}

static void list_polygon(const crm_fan *f, const plane *s, carom_ray_optima *out) {
    polygon p;
    begin_square(&p);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->side[side]->vertex_count; i++) {
            crm_cut c = crm_cut_of(f, side, i);
            if (crm_cut_is_distinct(f, side, c)) cut_polygon(&p, c);
        }
    drop_false_corners(&p);
    if (p.overflowed) out->alphas_all = false;
    for (int k = 0; k < p.count; k++)
        if (!p.overflowed || supports(f, p.point[k])) add_alpha(s, p.point[k], out);
}

void crm_list_alphas(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_vec3 alpha,
                     const crm_pierced_face *face, carom_ray_optima *out) {
    plane s = {.beta = beta};
    crm_tangents(beta, &s.t1, &s.t2);
    crm_fan f = crm_fan_make(a, b, beta, face->anchor);
    out->alpha_count = 0;
    out->alphas_all = true;
    if (face->dimension == 1)
        list_segment(&f, &s, (crm_fan_point){crm_dot(alpha, s.t1), crm_dot(alpha, s.t2)}, face->axis[0], out);
    if (face->dimension == 0) list_polygon(&f, &s, out);
    if (out->alpha_count == 0) out->alphas[out->alpha_count++] = alpha;
}
