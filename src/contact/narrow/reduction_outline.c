// SPDX-License-Identifier: MIT
// The outline of points (u, v): a convex polygon of some of them that all others are inside of, or outside by less than
// a tolerance.
//
// It starts with two points far apart, and puts the farthest point outside of a side between its ends until none is
// outside by more. So what is left out is near the polygon that is left, however many corners in a row are left out.
// Where to start and which of equals to take is told by the points alone, beyond rounding: a disc at rest keeps the
// same corners from step to step.
#include <math.h>
#include <string.h>

#include "contact/narrow/manifold_reduction.h"
#include "math/vec3.h"

// Of the diameter: what a corner may be outside of the outline. Moments at which a body tips are right to this share.
static const double of_diameter = 5e-3;
// Of the width, across the diameter, where that is less: the edge of a card stays a rectangle.
static const double of_width = 0.05;
// Of the diameter: what is narrower is a line.
static const double narrow = 1e-4;
// Of squared distances: those this near are equal.
static const double equal_square = 1e-9;

// Along a direction that is no axis of symmetry of the frame.
static double rank(const carom_vec3 *p) {
    return 0.8 * p->x + 0.6 * p->y;
}

static double square_between(const carom_vec3 *a, const carom_vec3 *b) {
    return (b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y);
}

static int first_by_rank(const crm_support *s) {
    int best = s->place[0];
    for (int i = 1; i < s->place_count; i++)
        if (rank(&s->point[s->place[i]]) > rank(&s->point[best])) best = s->place[i];
    return best;
}

// Of several as far the first by rank.
static int farthest_from(const crm_support *s, int from) {
    int best = from;
    double most = 0.0;
    for (int i = 0; i < s->place_count; i++) {
        int other = s->place[i];
        double square = square_between(&s->point[from], &s->point[other]);
        if (square < (1.0 - equal_square) * most) continue;
        if (square > (1.0 + equal_square) * most || rank(&s->point[other]) > rank(&s->point[best]))
            most = square, best = other;
    }
    return best;
}

// The extent across the way from a to b.
static double width_across(const crm_support *s, const carom_vec3 *a, const carom_vec3 *b, double length) {
    double least = 0.0, most = 0.0;
    for (int i = 0; i < s->place_count; i++) {
        double twice = crm_support_area(a, b, &s->point[s->place[i]]);
        least = twice < least ? twice : least;
        most = twice > most ? twice : most;
    }
    return (most - least) / length;
}

// The point farthest to the right of the way from a to b, by more than what may stand out, or -1. Of several on a
// parallel the last one along the way: those between are no corners.
static int farthest_right(const crm_support *s, int from, int to) {
    const carom_vec3 *a = &s->point[from], *b = &s->point[to];
    double du = b->x - a->x, dv = b->y - a->y, length = sqrt(du * du + dv * dv), most = 0.0;
    for (int i = 0; i < s->place_count; i++) {
        double right = -crm_support_area(a, b, &s->point[s->place[i]]);
        most = right > most ? right : most;
    }
    if (most <= s->standing_out * length) return -1;
    double farthest = -INFINITY;
    int best = -1;
    for (int i = 0; i < s->place_count; i++) {
        const carom_vec3 *c = &s->point[s->place[i]];
        double along = (c->x - a->x) * du + (c->y - a->y) * dv;
        if (-crm_support_area(a, b, c) < most - s->rounding * length || along <= farthest) continue;
        farthest = along;
        best = s->place[i];
    }
    return best;
}

void crm_find_support_outline(crm_support *s) {
    s->outline[0] = farthest_from(s, first_by_rank(s));
    s->outline[1] = farthest_from(s, s->outline[0]);
    s->outline_count = 2;
    const carom_vec3 *a = &s->point[s->outline[0]], *b = &s->point[s->outline[1]];
    double diameter = sqrt(square_between(a, b)), width = width_across(s, a, b, diameter);
    s->standing_out = of_diameter * diameter;
    if (width > narrow * diameter) s->standing_out = fmin(s->standing_out, of_width * width);
    s->standing_out = fmax(s->standing_out, s->rounding);
    for (int k = 0; k < s->outline_count && s->outline_count < s->place_count;) {
        int next = farthest_right(s, s->outline[k], s->outline[(k + 1) % s->outline_count]);
        if (next < 0) {
            k++;
            continue;
        }
        memmove(s->outline + k + 2, s->outline + k + 1, (size_t)(s->outline_count - k - 1) * sizeof *s->outline);
        s->outline[k + 1] = next;
        s->outline_count++;
    }
    for (int k = 0; k < s->outline_count; k++) s->keep[s->outline[k]] = true;
}
