// SPDX-License-Identifier: MIT
// All alpha with <alpha, beta> = 1 that support the difference body at the pierced point are a polygon in that plane:
// a corner pierced gives an area, an edge a segment, a facet a point. With alpha = beta + u t1 + v t2 every vertex cuts
// it by a straight line. docs/math.md 3.6.
#include "distance/ties/pierced_face.h"

#include <float.h>

#include "distance/ties/normal_fan.h"

// A search for the nearest point of the polygon takes two to five rounds; cycles from rounding end here.
enum { MOST_ROUNDS = 60 };
// Of CRM_ACTIVE_TOLERANCE: a vertex moves the pierced point by its weight times its arm; less than this is rounding of
// the weights, which grows as triangles get thin.
static const double least_share = 1e-3;

double crm_active_distance(const crm_side *side, carom_vec3 anchor) {
    double plane = side->polytope != NULL ? side->polytope->tolerance : 0.0;
    return CRM_ACTIVE_TOLERANCE * side->size + plane + 4.0 * DBL_EPSILON * crm_max_component(crm_vec3_abs(anchor));
}

carom_vec3 crm_touch_anchor(const crm_side *side, const carom_touch *touch) {
    carom_vec3 sum = crm_vec3_zero();
    double total = 0.0;
    int count = crm_touch_listed(touch);
    for (int k = 0; k < count; k++)
        if (touch->weights[k] > CRM_WEIGHT_TOLERANCE) total += touch->weights[k];
    for (int k = 0; k < count; k++)
        if (touch->weights[k] > CRM_WEIGHT_TOLERANCE)
            sum = crm_madd(sum, touch->weights[k] / total, side->vertex[touch->vertices[k]]);
    return sum;
}

// The cut that `p` violates most, by distance from the supporting plane and not by that from the line: long arms have
// the small errors.
static bool most_violated(const crm_fan *f, crm_fan_point p, crm_cut *worst) {
    double least = -CRM_SLACK_TOLERANCE * (1.0 + fabs(p.u) + fabs(p.v));
    bool found = false;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->side[side]->vertex_count; i++) {
            crm_cut c = crm_cut_of(f, side, i);
            double s = crm_cut_slack(c, p);
            if (s < least && crm_cut_is_distinct(f, side, c)) {
                least = s;
                *worst = c;
                found = true;
            }
        }
    return found;
}

static bool holds(crm_cut c, crm_fan_point p) {
    return crm_cut_slack(c, p) >= -CRM_SLACK_TOLERANCE * (1.0 + fabs(p.u) + fabs(p.v));
}

// The point nearest to `target` under a new cut and the at most two that held it so far: it lies on the new one, at the
// foot of the target or where an old one meets it. False when rounding leaves none.
static bool restore(crm_fan_point target, crm_cut worst, crm_cut kept[2], int *count, crm_fan_point *p) {
    double square = worst.x * worst.x + worst.y * worst.y;
    if (!(square > 0.0)) return false;
    double back = crm_cut_slack(worst, target) / square;
    crm_fan_point foot = {target.u - back * worst.x, target.v - back * worst.y};
    bool fits = true;
    for (int k = 0; k < *count; k++) fits = fits && holds(kept[k], foot);
    if (fits) {
        kept[0] = worst;
        *count = 1;
        *p = foot;
        return true;
    }
    int partner = -1;
    for (int k = 0; k < *count; k++) {
        double determinant = worst.x * kept[k].y - worst.y * kept[k].x;
        if (determinant == 0.0) continue;
        crm_fan_point meeting = {(worst.y * kept[k].h - worst.h * kept[k].y) / determinant,
                                 (worst.h * kept[k].x - worst.x * kept[k].h) / determinant};
        if (*count == 2 && !holds(kept[1 - k], meeting)) continue;
        if (partner >= 0 && crm_fan_square_between(meeting, target) >= crm_fan_square_between(*p, target)) continue;
        partner = k;
        *p = meeting;
    }
    if (partner < 0) return false;
    kept[0] = kept[partner];
    kept[1] = worst;
    *count = 2;
    return true;
}

// The point of the polygon nearest to `target`: cut by cut, the distance growing each time. False, with `p` left alone,
// when rounding has the last word.
static bool nearest(const crm_fan *f, crm_fan_point target, crm_fan_point *p) {
    crm_cut kept[2], worst = {0.0, 0.0, 0.0};
    int count = 0;
    crm_fan_point q = target;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!most_violated(f, q, &worst)) {
            *p = q;
            return true;
        }
        if (!restore(target, worst, kept, &count, &q)) return false;
    }
    return false;
}

// The arm that both normals leave in the supporting plane: that of an edge on which both facets meet.
static crm_cut edge_between(const crm_fan *f, crm_fan_point p, crm_fan_point q) {
    crm_cut best = {0.0, 0.0, 0.0};
    double least = INFINITY;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->side[side]->vertex_count; i++) {
            crm_cut c = crm_cut_of(f, side, i);
            if (!crm_cut_is_distinct(f, side, c)) continue;
            double slope = (fabs(crm_cut_slack(c, p)) + fabs(crm_cut_slack(c, q))) / sqrt(crm_cut_square(c));
            if (slope >= least) continue;
            least = slope;
            best = c;
        }
    return best;
}

// Any point of the polygon away from `p`, or `p` itself: three targets around it, of which at least one is not held
// back by the cuts through `p` alone.
static crm_fan_point another_point(const crm_fan *f, crm_fan_point p) {
    static const crm_fan_point ways[3] = {{1.0, 0.0}, {-0.5, 0.866025403784438647}, {-0.5, -0.866025403784438647}};
    crm_fan_point farthest = p, q;
    for (int k = 0; k < 3; k++)
        if (nearest(f, crm_fan_along(p, crm_fan_size(p), ways[k]), &q) &&
            crm_fan_square_between(q, p) > crm_fan_square_between(farthest, p))
            farthest = q;
    return farthest;
}

// The polygon when the touches span an edge: a segment, on which `p` lies. Gives the dimension of the face.
static int least_on_edge(const crm_fan *f, crm_cut edge, crm_fan_point *p) {
    double length = sqrt(edge.x * edge.x + edge.y * edge.y), low, high;
    if (!(length > 0.0)) return 2;
    // A triangle as thin as rounding leaves alpha at an angle to its own edge.
    double off = crm_cut_slack(edge, *p) / (length * length);
    *p = (crm_fan_point){p->u - off * edge.x, p->v - off * edge.y};
    crm_fan_point d = {-edge.y / length, edge.x / length};
    crm_fan_span(f, *p, d, &low, &high);
    if (high - low <= CRM_NORMAL_TOLERANCE * crm_fan_size(*p)) return 2;
    double best = -(p->u * d.u + p->v * d.v);
    best = best < low ? low : best > high ? high : best;
    *p = crm_fan_along(*p, best, d);
    return 1;
}

// The polygon when the touches are a corner each, whose difference need not be a corner.
static int least_on_corner(const crm_fan *f, crm_cut *edge, crm_fan_point *p) {
    crm_fan_point shortest = *p;
    if (!nearest(f, (crm_fan_point){0.0, 0.0}, &shortest)) shortest = *p;
    crm_fan_point other = another_point(f, shortest);
    double length = sqrt(crm_fan_square_between(other, shortest)), low, high;
    if (length <= CRM_NORMAL_TOLERANCE * crm_fan_size(shortest)) return 2;
    crm_fan_point middle = {0.5 * (other.u + shortest.u), 0.5 * (other.v + shortest.v)};
    crm_fan_point across = {-(other.v - shortest.v) / length, (other.u - shortest.u) / length};
    crm_fan_span(f, middle, across, &low, &high);
    *p = shortest;
    if (high - low > CRM_NORMAL_TOLERANCE * crm_fan_size(shortest)) return 0;
    *edge = edge_between(f, shortest, other);
    return 1;
}

// Of an arm in units of the tolerance.
static bool is_apart(carom_vec3 arm, double weight) {
    double length = crm_length(arm);
    return length > 1.0 && weight * length > least_share;
}

// How many dimensions the weighted vertices of both touches span; `edge` gets the longest arm among them, world axes,
// of any length, zero when they span none. The touches have at least one vertex with weight each.
static int span_of(const crm_side *a, const crm_side *b, const carom_touch *touch_a, const carom_touch *touch_b,
                   carom_vec3 *edge) {
    const crm_side *side[2] = {a, b};
    const carom_touch *touch[2] = {touch_a, touch_b};
    carom_vec3 arm[2 * CAROM_TOUCH_VERTICES];
    double weight[2 * CAROM_TOUCH_VERTICES];
    int count = 0, longest = -1;
    for (int k = 0; k < 2; k++) {
        carom_vec3 anchor = crm_touch_anchor(side[k], touch[k]);
        double tolerance = crm_active_distance(side[k], anchor);
        if (!(tolerance > 0.0)) continue;
        for (int i = 0; i < crm_touch_listed(touch[k]); i++) {
            // In units of the tolerance, so that bodies of different sizes compare.
            carom_vec3 local = crm_sub(side[k]->vertex[touch[k]->vertices[i]], anchor);
            weight[count] = touch[k]->weights[i];
            arm[count] = crm_scale(1.0 / tolerance, crm_mat3_apply(side[k]->rotation, local));
            if (!(weight[count] > CRM_WEIGHT_TOLERANCE) || !is_apart(arm[count], weight[count])) continue;
            if (longest < 0 || crm_length_squared(arm[count]) > crm_length_squared(arm[longest])) longest = count;
            count++;
        }
    }
    *edge = longest < 0 ? crm_vec3_zero() : arm[longest];
    if (longest < 0) return 0;
    carom_vec3 d;
    crm_normalise(*edge, &d);
    for (int i = 0; i < count; i++)
        if (is_apart(crm_madd(arm[i], -crm_dot(arm[i], d), d), weight[i])) return 2;
    return 1;
}

// The distance that rounding may make, or more where a vertex of the touches is farther off, as the normal of a
// triangle as thin as rounding may leave it.
static void set_off_plane(const crm_side *a, const crm_side *b, const carom_touch *touch_a, const carom_touch *touch_b,
                          crm_pierced_face *face) {
    const crm_side *side[2] = {a, b};
    const carom_touch *touch[2] = {touch_a, touch_b};
    for (int k = 0; k < 2; k++) {
        face->off_plane[k] = crm_active_distance(side[k], face->anchor[k]);
        for (int i = 0; i < crm_touch_listed(touch[k]); i++) {
            if (!(touch[k]->weights[i] > CRM_WEIGHT_TOLERANCE)) continue;
            carom_vec3 local = crm_sub(side[k]->vertex[touch[k]->vertices[i]], face->anchor[k]);
            carom_vec3 off = crm_mat3_apply(side[k]->rotation, local);
            for (int m = 0; m < face->dimension; m++) off = crm_madd(off, -crm_dot(face->axis[m], off), face->axis[m]);
            double distance = 1.01 * crm_length(off);
            if (distance > face->off_plane[k]) face->off_plane[k] = distance;
        }
    }
}

void crm_find_pierced_face(const crm_side *a, const crm_side *b, carom_vec3 beta, const carom_touch *touch_a,
                           const carom_touch *touch_b, carom_vec3 *alpha, crm_pierced_face *face) {
    carom_vec3 t1, t2, arm;
    crm_tangents(beta, &t1, &t2);
    int span = span_of(a, b, touch_a, touch_b, &arm);
    face->dimension = 2;
    if (span < 2) {
        crm_fan f = crm_fan_make(a, b, beta, face->anchor);
        crm_fan_point p = {crm_dot(*alpha, t1), crm_dot(*alpha, t2)};
        crm_cut edge = {crm_dot(arm, beta), crm_dot(arm, t1), crm_dot(arm, t2)};
        face->dimension = span == 1 ? least_on_edge(&f, edge, &p) : least_on_corner(&f, &edge, &p);
        if (face->dimension < 2) *alpha = crm_madd(crm_madd(beta, p.u, t1), p.v, t2);
        if (face->dimension == 1)
            crm_normalise(crm_madd(crm_madd(crm_scale(edge.h, beta), edge.x, t1), edge.y, t2), &face->axis[0]);
    }
    if (face->dimension == 2) {
        crm_normalise(*alpha, &face->axis[2]);
        crm_tangents(face->axis[2], &face->axis[0], &face->axis[1]);
    }
    set_off_plane(a, b, touch_a, touch_b, face);
}
