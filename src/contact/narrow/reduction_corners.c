// SPDX-License-Identifier: MIT
// The corners of the lower convex hull of points (u, v, gap).
//
// First the outline: the convex polygon around all (u, v). Its corners stay. Every other point is asked whether the
// surface that the rest spans passes below it, by the simplex method: a triangle of points around its (u, v), and
// whatever point lies farthest below the triangle's plane takes the place of a corner, until none does. A point that is
// left out is left out of what follows; one on which the search runs out of passes stays, which is always right.
#include <math.h>
#include <string.h>

#include "contact/narrow/manifold_reduction.h"
#include "math/vec3.h"

enum { FEW = 64, MOST_PASSES = 200 };

static const double same_place = 1e-9; // of the size
static const double same_gap = 1e-12;  // of the size
// A corner with a smaller share in the entering point cannot leave: the triangle would all but vanish.
static const double least_share = 1e-12;

typedef struct hull {
    const carom_vec3 *point;
    int count;
    bool *keep;
    int *order;   // the points that are in one place each; of points on a line along it
    int *outline; // counter-clockwise
    int outline_count;
    double place, gap; // tolerances, m
} hull;

// Twice the area of the triangle a, b, c: positive counter-clockwise.
static double area(const carom_vec3 *a, const carom_vec3 *b, const carom_vec3 *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// ---- the outline

// Of several in one place the one with the least gap stays, of equal gaps the first. Returns how many places there are.
static int drop_twins(hull *h) {
    int left = 0;
    for (int i = 0; i < h->count; i++) {
        int k = 0;
        for (; k < left; k++) {
            const carom_vec3 *other = &h->point[h->order[k]];
            if (fabs(h->point[i].x - other->x) <= h->place && fabs(h->point[i].y - other->y) <= h->place) break;
        }
        if (k == left) {
            h->order[left++] = i;
            continue;
        }
        bool lower = h->point[i].z < h->point[h->order[k]].z - h->gap;
        h->keep[lower ? h->order[k] : i] = false;
        if (lower) h->order[k] = i;
    }
    return left;
}

static int farthest_from(const hull *h, int count, int from) {
    int best = from;
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        const carom_vec3 *a = &h->point[from], *b = &h->point[h->order[i]];
        double square = (b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y);
        if (square > most) most = square, best = h->order[i];
    }
    return best;
}

// The point farthest to the right of the way from a to b, by more than the tolerance, or -1. Of several on a parallel
// the last one along the way: those between are no corners.
static int farthest_right(const hull *h, int count, int from, int to) {
    const carom_vec3 *a = &h->point[from], *b = &h->point[to];
    double du = b->x - a->x, dv = b->y - a->y, slack = h->place * sqrt(du * du + dv * dv), most = 0.0;
    for (int i = 0; i < count; i++) {
        double right = -area(a, b, &h->point[h->order[i]]);
        most = right > most ? right : most;
    }
    if (most <= slack) return -1;
    double farthest = -INFINITY;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const carom_vec3 *c = &h->point[h->order[i]];
        double along = (c->x - a->x) * du + (c->y - a->y) * dv;
        if (-area(a, b, c) < most - slack || along <= farthest) continue;
        farthest = along;
        best = h->order[i];
    }
    return best;
}

// Starts with two corners, and puts the farthest point outside of a side between its ends until there is none.
static void find_outline(hull *h, int count) {
    h->outline[0] = farthest_from(h, count, h->order[0]);
    h->outline[1] = farthest_from(h, count, h->outline[0]);
    h->outline_count = 2;
    for (int k = 0; k < h->outline_count && h->outline_count < count;) {
        int next = farthest_right(h, count, h->outline[k], h->outline[(k + 1) % h->outline_count]);
        if (next < 0) {
            k++;
            continue;
        }
        memmove(h->outline + k + 2, h->outline + k + 1, (size_t)(h->outline_count - k - 1) * sizeof *h->outline);
        h->outline[k + 1] = next;
        h->outline_count++;
    }
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

// The triangle of the outline's fan in which the point lies, or most nearly does: it is outside of no side by more than
// the tolerance.
static bool first_basis(const hull *h, const carom_vec3 *at, basis *out) {
    double best = -INFINITY;
    for (int k = 1; k + 1 < h->outline_count && best < 0.0; k++) {
        basis tried = {.corner = {h->outline[0], h->outline[k], h->outline[k + 1]}};
        if (!weigh(h, tried.corner, at, tried.weight)) continue;
        double least = tried.weight[0] < tried.weight[1] ? tried.weight[0] : tried.weight[1];
        least = tried.weight[2] < least ? tried.weight[2] : least;
        if (least > best) best = least, *out = tried;
    }
    return best > -INFINITY;
}

// Whether point `asked`, inside of the outline, lies on or above what the others that stay span.
static bool is_implied(const hull *h, int count, int asked) {
    const carom_vec3 *at = &h->point[asked];
    basis b;
    if (!first_basis(h, at, &b)) return false;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
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

static double along_line(const hull *h, int from, int to, int point) {
    const carom_vec3 *a = &h->point[from], *b = &h->point[to], *c = &h->point[point];
    return (c->x - a->x) * (b->x - a->x) + (c->y - a->y) * (b->y - a->y);
}

// The lower chain over the line between the outline's two ends.
static void keep_lower_chain(hull *h, int count) {
    int from = h->outline[0], to = h->outline[1];
    for (int i = 1; i < count; i++) { // by insertion
        int moved = h->order[i], k = i;
        double along = along_line(h, from, to, moved);
        for (; k > 0 && along_line(h, from, to, h->order[k - 1]) > along; k--) h->order[k] = h->order[k - 1];
        h->order[k] = moved;
    }
    int m = 0;
    for (int i = 0; i < count; i++) {
        double last = along_line(h, from, to, h->order[i]);
        while (m >= 2) {
            const carom_vec3 *p = &h->point[h->outline[m - 2]], *q = &h->point[h->outline[m - 1]];
            double first = along_line(h, from, to, h->outline[m - 2]);
            double share = (along_line(h, from, to, h->outline[m - 1]) - first) / (last - first);
            if (q->z < p->z + share * (h->point[h->order[i]].z - p->z) - h->gap) break; // below the chord: a corner
            h->keep[h->outline[--m]] = false;
        }
        h->outline[m++] = h->order[i];
    }
}

static void find_corners(hull *h, bool twins_only) {
    for (int i = 0; i < h->count; i++) h->keep[i] = true;
    int count = drop_twins(h);
    if (count < 3 || twins_only) return;
    find_outline(h, count);
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

bool crm_keep_lower_hull(int count, const carom_vec3 *points, double size, bool twins_only, crm_arena *scratch,
                         bool *keep) {
    crm_mark mark = crm_arena_mark(scratch);
    int few[2 * FEW], *numbers = few;
    if (count > FEW) numbers = CRM_ARENA_ARRAY(scratch, int, 2 * (ptrdiff_t)count);
    if (numbers == NULL) return false;
    hull h = {.point = points,
              .count = count,
              .keep = keep,
              .order = numbers,
              .outline = numbers + count,
              .place = same_place * size,
              .gap = same_gap * size};
    find_corners(&h, twins_only);
    crm_arena_release(scratch, mark);
    return true;
}
