// SPDX-License-Identifier: MIT
// The corners of the lower convex hull of points (u, v, gap).
//
// First the outline: the convex polygon around all (u, v). Its corners stay. Every other point is asked whether the
// surface that the rest spans passes below it, by the simplex method: a triangle of points around its (u, v), and
// whatever point lies farthest below the triangle's plane takes the place of a corner, until none does. A point that is
// left out is left out of what follows; one on which the search runs out of turns stays, which is always right.
#include <math.h>
#include <string.h>

#include "contact/thinning.h"
#include "math/vec3.h"

enum { FEW = 64, MOST_TURNS = 200 };

static const double same_place = 1e-9; // of the size
static const double same_gap = 1e-12;  // of the size
// A corner with a smaller share in the entering point cannot leave: the triangle would all but vanish.
static const double least_share = 1e-12;

typedef struct hull {
    const carom_vec3 *point;
    int count;
    bool *keep;
    int *order;   // points by u, then v, then gap
    int *outline; // counter-clockwise
    int outline_count;
    double place, gap; // tolerances, m
} hull;

// Twice the area of the triangle a, b, c: positive counter-clockwise.
static double area(const carom_vec3 *a, const carom_vec3 *b, const carom_vec3 *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// ---- the outline

static bool comes_before(const carom_vec3 *a, const carom_vec3 *b) {
    if (a->x != b->x) return a->x < b->x;
    return a->y != b->y ? a->y < b->y : a->z < b->z;
}

// Merging from the bottom up, in order; equal ones stay as they are.
static void sort(const carom_vec3 *point, int count, int *order, int *spare) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int width = 1; width < count; width *= 2) {
        for (int low = 0; low < count; low += 2 * width) {
            int middle = low + width < count ? low + width : count,
                high = middle + width < count ? middle + width : count;
            int left = low, right = middle;
            for (int k = low; k < high; k++) {
                bool take_left =
                    left < middle && (right == high || !comes_before(&point[order[right]], &point[order[left]]));
                spare[k] = take_left ? order[left++] : order[right++];
            }
        }
        memcpy(order, spare, (size_t)count * sizeof *order);
    }
}

// Of several in one place the one with the least gap stays, of equal gaps the first.
static int drop_twins(hull *h) {
    int left = 0;
    for (int i = 0; i < h->count; i++) {
        int point = h->order[i];
        bool twin = false;
        for (int k = left - 1; k >= 0 && !twin; k--) {
            int other = h->order[k];
            double du = h->point[point].x - h->point[other].x, dv = h->point[point].y - h->point[other].y;
            if (du > h->place) break;
            twin = fabs(dv) <= h->place;
            if (!twin) continue;
            double above = h->point[point].z - h->point[other].z;
            bool better = above < -h->gap || (above <= h->gap && point < other);
            h->keep[better ? other : point] = false;
            if (better) h->order[k] = point;
        }
        if (!twin) h->order[left++] = point;
    }
    return left;
}

// Whether b lies within the tolerance of the line a c, or outside of it: then it is no corner.
static bool is_no_corner(const hull *h, const carom_vec3 *a, const carom_vec3 *b, const carom_vec3 *c) {
    return area(a, b, c) <= h->place * hypot(c->x - a->x, c->y - a->y);
}

// Half of the outline, by the monotone chain (Andrew 1979), from the first point of the order to the last one.
static int chain(const hull *h, int count, bool forward, int *out) {
    int m = 0;
    for (int i = 0; i < count; i++) {
        int point = h->order[forward ? i : count - 1 - i];
        while (m >= 2 && is_no_corner(h, &h->point[out[m - 2]], &h->point[out[m - 1]], &h->point[point])) m--;
        out[m++] = point;
    }
    return m - 1; // the last one begins the other half
}

// ---- is a point above the surface of the others?

// A triangle of points around (u, v): corners and weights.
typedef struct basis {
    int corner[3];
    double weight[3];
} basis;

static bool weigh(const hull *h, const int corner[3], const carom_vec3 *at, double weight[3]) {
    const carom_vec3 *a = &h->point[corner[0]], *b = &h->point[corner[1]], *c = &h->point[corner[2]];
    double whole = area(a, b, c);
    if (whole == 0.0) return false;
    weight[0] = area(at, b, c) / whole;
    weight[1] = area(a, at, c) / whole;
    weight[2] = area(a, b, at) / whole;
    return true;
}

// The triangle of the outline's fan in which the point lies most surely.
static bool first_basis(const hull *h, const carom_vec3 *at, basis *out) {
    double best = -INFINITY;
    for (int k = 1; k + 1 < h->outline_count; k++) {
        basis tried = {.corner = {h->outline[0], h->outline[k], h->outline[k + 1]}};
        if (!weigh(h, tried.corner, at, tried.weight)) continue;
        double least = fmin(tried.weight[0], fmin(tried.weight[1], tried.weight[2]));
        if (least > best) best = least, *out = tried;
    }
    return best > -INFINITY;
}

// Many corners that were each dropped as being on a line may be off the outline by more: those stay.
static bool is_outside(const hull *h, const carom_vec3 *at) {
    for (int k = 0; k < h->outline_count; k++) {
        const carom_vec3 *a = &h->point[h->outline[k]], *b = &h->point[h->outline[(k + 1) % h->outline_count]];
        if (area(a, b, at) < -2.0 * h->place * hypot(b->x - a->x, b->y - a->y)) return true;
    }
    return false;
}

// Whether point `asked`, inside of the outline, lies on or above what the others that stay span.
static bool is_implied(const hull *h, int count, int asked) {
    const carom_vec3 *at = &h->point[asked];
    basis b;
    if (is_outside(h, at) || !first_basis(h, at, &b)) return false;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double height = b.weight[0] * h->point[b.corner[0]].z + b.weight[1] * h->point[b.corner[1]].z +
                        b.weight[2] * h->point[b.corner[2]].z;
        if (height <= at->z + h->gap) return true;
        // Entering: the point farthest below the plane of the triangle.
        double lowest = -h->gap, share[3] = {0}, weight[3];
        int entering = -1;
        for (int i = 0; i < count; i++) {
            int point = h->order[i];
            if (point == asked || !h->keep[point] || !weigh(h, b.corner, &h->point[point], weight)) continue;
            double above =
                h->point[point].z - (weight[0] * h->point[b.corner[0]].z + weight[1] * h->point[b.corner[1]].z +
                                     weight[2] * h->point[b.corner[2]].z);
            if (above < lowest) lowest = above, entering = point, memcpy(share, weight, sizeof share);
        }
        if (entering < 0) return false; // the plane is below all of them and above the one that is asked about
        // Leaving: the corner whose weight runs out first.
        int leaving = -1;
        double least = INFINITY;
        for (int k = 0; k < 3; k++) {
            if (share[k] <= least_share) continue;
            double ratio = fmax(b.weight[k], 0.0) / share[k];
            if (ratio < least) least = ratio, leaving = k;
        }
        if (leaving < 0) return false;
        b.corner[leaving] = entering;
        if (!weigh(h, b.corner, at, b.weight)) return false;
    }
    return false;
}

// ---- all on one line

// The lower chain over the line of the outline's two ends.
static void keep_lower_chain(hull *h, int count) {
    const carom_vec3 *a = &h->point[h->order[0]], *b = &h->point[h->order[count - 1]];
    double du = b->x - a->x, dv = b->y - a->y, length = hypot(du, dv);
    int m = 0;
    for (int i = 0; i < count; i++) {
        const carom_vec3 *c = &h->point[h->order[i]];
        double along = ((c->x - a->x) * du + (c->y - a->y) * dv) / length;
        while (m >= 2) {
            const carom_vec3 *p = &h->point[h->outline[m - 2]], *q = &h->point[h->outline[m - 1]];
            double from = ((p->x - a->x) * du + (p->y - a->y) * dv) / length;
            double middle = ((q->x - a->x) * du + (q->y - a->y) * dv) / length;
            double share = along > from ? (middle - from) / (along - from) : 1.0;
            if (q->z < p->z + share * (c->z - p->z) - h->gap) break; // below the chord: a corner
            h->keep[h->outline[--m]] = false;
        }
        h->outline[m++] = h->order[i];
    }
}

static void find_corners(hull *h, bool twins_only, int *spare) {
    for (int i = 0; i < h->count; i++) h->keep[i] = true;
    sort(h->point, h->count, h->order, spare);
    int count = drop_twins(h);
    if (count < 2 || twins_only) return;
    h->outline_count = chain(h, count, true, h->outline);
    h->outline_count += chain(h, count, false, h->outline + h->outline_count);
    if (h->outline_count < 3) {
        keep_lower_chain(h, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        int point = h->order[i];
        bool corner = false;
        for (int k = 0; k < h->outline_count; k++) corner |= h->outline[k] == point;
        if (!corner && is_implied(h, count, point)) h->keep[point] = false;
    }
}

bool crm_lower_corners(int count, const carom_vec3 *points, double size, bool twins_only, crm_arena *scratch,
                       bool *keep) {
    crm_mark mark = crm_arena_mark(scratch);
    int few[4 * FEW], *numbers = few;
    if (count > FEW) numbers = CRM_ARENA_ARRAY(scratch, int, 4 * (ptrdiff_t)count);
    if (numbers == NULL) return false;
    hull h = {.point = points,
              .count = count,
              .keep = keep,
              .order = numbers,
              .outline = numbers + count, // the two chains have two points more than there are at most
              .place = same_place * size,
              .gap = same_gap * size};
    find_corners(&h, twins_only, numbers + 3 * count);
    crm_arena_release(scratch, mark);
    return true;
}
