// SPDX-License-Identifier: MIT
// Points (u, v, gap) below the surface that the outline spans: contacts that are nearer than those around them.
//
// The surface is the lower side of the convex hull of what is kept. How low it is over a place is asked by the simplex
// method: a triangle of kept points around the place, and whatever kept point lies farthest below the triangle's plane
// takes the place of a corner, until none does. The point that is farthest below the surface is kept, which lowers it,
// and so on; what has been found near enough once stays so. A place outside of the outline, by little, is asked about
// where the outline is nearest.
#include <math.h>
#include <string.h>

#include "contact/narrow/manifold_reduction.h"
#include "math/vec3.h"

enum { MOST_PASSES = 200 };

// Of the depth that counts: less is rounding.
static const double flat = 1e-8;
// A corner with a smaller share in the entering point cannot leave: the triangle would all but vanish.
static const double least_share = 1e-12;

static double along_side(const carom_vec3 *a, const carom_vec3 *b, const carom_vec3 *c) {
    double du = b->x - a->x, dv = b->y - a->y;
    double share = ((c->x - a->x) * du + (c->y - a->y) * dv) / (du * du + dv * dv);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

// ---- all on one plane: nearly always

// Whether no kept point is above a plane and no other one below it by more than half of what counts. The plane is that
// of three corners; outside of the outline it counts as high as where the outline is nearest.
static bool are_on_one_plane(const crm_support *s) {
    const carom_vec3 *a = &s->point[s->outline[0]], *b = &s->point[s->outline[s->outline_count / 3]],
                     *c = &s->point[s->outline[2 * s->outline_count / 3]];
    double whole = crm_support_area(a, b, c);
    if (!(whole > 0.0)) return false;
    double along_u = ((b->z - a->z) * (c->y - a->y) - (c->z - a->z) * (b->y - a->y)) / whole;
    double along_v = ((c->z - a->z) * (b->x - a->x) - (b->z - a->z) * (c->x - a->x)) / whole;
    double outside = s->standing_out * sqrt(along_u * along_u + along_v * along_v), half = 0.5 * s->depth;
    for (int i = 0; i < s->place_count; i++) {
        const carom_vec3 *p = &s->point[s->place[i]];
        double above = p->z - a->z - along_u * (p->x - a->x) - along_v * (p->y - a->y);
        if (!(s->keep[s->place[i]] ? above <= half : above >= outside - half)) return false;
    }
    return true;
}

// ---- over a line

// The height at a share of the way along the outline's two ends: the lowest chord of kept points around it.
static double height_over_line(const crm_support *s, double at) {
    const carom_vec3 *from = &s->point[s->outline[0]], *to = &s->point[s->outline[1]];
    double lowest = INFINITY;
    for (int i = 0; i < s->place_count; i++) {
        const carom_vec3 *p = &s->point[s->place[i]];
        double first = along_side(from, to, p);
        if (!s->keep[s->place[i]] || first > at) continue;
        for (int k = 0; k < s->place_count; k++) {
            const carom_vec3 *q = &s->point[s->place[k]];
            double last = along_side(from, to, q);
            if (!s->keep[s->place[k]] || last < at) continue;
            double height = last > first ? p->z + (at - first) / (last - first) * (q->z - p->z) : fmin(p->z, q->z);
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

// ---- over a polygon

// A triangle of points around (u, v): corners and weights.
typedef struct basis {
    int corner[3];
    double weight[3];
} basis;

static bool weigh(const crm_support *s, const int corner[3], const carom_vec3 *at, double weight[3]) {
    const carom_vec3 *a = &s->point[corner[0]], *b = &s->point[corner[1]], *c = &s->point[corner[2]];
    double whole = crm_support_area(a, b, c);
    if (whole == 0.0) return false;
    weight[0] = crm_support_area(at, b, c) / whole;
    weight[1] = crm_support_area(a, at, c) / whole;
    weight[2] = crm_support_area(a, b, at) / whole;
    return true;
}

static double mean_height(const crm_support *s, const int corner[3], const double weight[3]) {
    return weight[0] * s->point[corner[0]].z + weight[1] * s->point[corner[1]].z + weight[2] * s->point[corner[2]].z;
}

// The triangle of the outline's fan in which the place lies, or most nearly does: rounding may put it outside of all.
static bool first_basis(const crm_support *s, const carom_vec3 *at, basis *out) {
    double best = -INFINITY;
    for (int k = 1; k + 1 < s->outline_count && best < 0.0; k++) {
        basis tried = {.corner = {s->outline[0], s->outline[k], s->outline[k + 1]}};
        if (!weigh(s, tried.corner, at, tried.weight)) continue;
        double least = fmin(fmin(tried.weight[0], tried.weight[1]), tried.weight[2]);
        if (least > best) best = least, *out = tried;
    }
    return best > -INFINITY;
}

// Where the outline is nearest to a point outside of it; a point inside itself.
static carom_vec3 place_inside(const crm_support *s, const carom_vec3 *p) {
    carom_vec3 nearest = *p;
    double least = INFINITY;
    for (int k = 0; k < s->outline_count; k++) {
        const carom_vec3 *a = &s->point[s->outline[k]], *b = &s->point[s->outline[(k + 1) % s->outline_count]];
        if (crm_support_area(a, b, p) >= 0.0) continue;
        double share = along_side(a, b, p);
        carom_vec3 foot = {a->x + share * (b->x - a->x), a->y + share * (b->y - a->y), p->z};
        double square = (foot.x - p->x) * (foot.x - p->x) + (foot.y - p->y) * (foot.y - p->y);
        if (square < least) least = square, nearest = foot;
    }
    return nearest;
}

// A search that runs out of passes says that the surface is higher than it may be: then the point stays.
static double height_over_polygon(const crm_support *s, const carom_vec3 *at) {
    basis b;
    if (!first_basis(s, at, &b)) return INFINITY;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        // Entering: the kept point farthest below the plane of the triangle.
        double lowest = -flat * s->depth, share[3] = {0}, weight[3];
        int entering = -1;
        for (int i = 0; i < s->place_count; i++) {
            int p = s->place[i];
            if (!s->keep[p] || !weigh(s, b.corner, &s->point[p], weight)) continue;
            double above = s->point[p].z - mean_height(s, b.corner, weight);
            if (above < lowest) lowest = above, entering = p, memcpy(share, weight, sizeof share);
        }
        if (entering < 0) break;
        // Leaving: the corner whose weight runs out first.
        int leaving = -1;
        double least = INFINITY;
        for (int k = 0; k < 3; k++) {
            if (share[k] <= least_share) continue;
            double ratio = fmax(b.weight[k], 0.0) / share[k];
            if (ratio < least) least = ratio, leaving = k;
        }
        if (leaving < 0) break;
        int before = b.corner[leaving];
        b.corner[leaving] = entering;
        if (!weigh(s, b.corner, at, weight)) {
            b.corner[leaving] = before;
            break;
        }
        memcpy(b.weight, weight, sizeof weight);
    }
    return mean_height(s, b.corner, b.weight);
}

// ---- what stays

// How far a point is below the surface.
static double shortfall_of(const crm_support *s, int i) {
    const carom_vec3 *p = &s->point[i];
    if (s->outline_count == 2)
        return height_over_line(s, along_side(&s->point[s->outline[0]], &s->point[s->outline[1]], p)) - p->z;
    carom_vec3 inside = place_inside(s, p);
    return height_over_polygon(s, &inside) - p->z;
}

static bool comes_first(const crm_support *s, int one, int other) {
    double difference = s->shortfall[one] - s->shortfall[other];
    if (fabs(difference) > flat * s->depth) return difference > 0.0;
    const carom_vec3 *p = &s->point[s->place[one]], *q = &s->point[s->place[other]];
    return 0.8 * p->x + 0.6 * p->y > 0.8 * q->x + 0.6 * q->y;
}

void crm_keep_what_is_below(crm_support *s) {
    if (s->outline_count > 2 && are_on_one_plane(s)) return;
    for (int i = 0; i < s->place_count; i++)
        s->shortfall[i] = s->keep[s->place[i]] ? 0.0 : shortfall_of(s, s->place[i]);
    // The surface is lowered only: a former shortfall is no less than the present one. The largest is found anew, and
    // its point is kept when it is the largest still.
    int asked = -1;
    for (;;) {
        int first = -1;
        for (int i = 0; i < s->place_count; i++)
            if (s->shortfall[i] > s->depth && (first < 0 || comes_first(s, i, first))) first = i;
        if (first < 0) return;
        if (first == asked) {
            s->keep[s->place[first]] = true;
            s->shortfall[first] = 0.0;
            asked = -1;
        } else {
            s->shortfall[first] = shortfall_of(s, s->place[first]);
            asked = first;
        }
    }
}
