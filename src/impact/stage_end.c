// SPDX-License-Identifier: MIT
// Where along a piece a stage of the impact ends.
#include <math.h>

#include "impact/friction.h"

// ---- straight pieces: v is linear in p, the work quadratic

static double straight_goal(const crm_piece *piece, const crm_impact_state *start, crm_goal goal) {
    double t = INFINITY, left = goal.value;
    switch (goal.kind) {
    case CRM_GOAL_APPROACH:
        left -= start->approach;
        if (left <= 0.0 && piece->slope >= 0.0)
            t = 0.0;
        else if (piece->slope > 0.0)
            t = left / piece->slope;
        break;
    case CRM_GOAL_IMPULSE:
        t = fmax(0.0, left - start->normal);
        break;
    case CRM_GOAL_WORK: {
        // The smaller root of v t + slope t^2/2 = left, in the form that does not cancel.
        left = fmax(0.0, left - start->work);
        double discriminant = start->approach * start->approach + 2.0 * piece->slope * left;
        double sum = start->approach + sqrt(fmax(0.0, discriminant));
        if (left == 0.0)
            t = 0.0;
        else if (discriminant >= 0.0 && sum > 0.0)
            t = 2.0 * left / sum;
        break;
    }
    }
    return t <= piece->length ? t : INFINITY;
}

static double straight_fall(const crm_piece *piece, const crm_impact_state *start) {
    if (!(piece->slope < 0.0)) return INFINITY;
    double t = fmax(0.0, start->approach) / -piece->slope;
    return t <= piece->length ? t : INFINITY;
}

// ---- rotating pieces: polynomials in t

static double value_and_slope(const double *c, double t, double *slope) {
    double value = c[CRM_SLIDE_ORDER], d = 0.0;
    for (int k = CRM_SLIDE_ORDER - 1; k >= 0; k--) {
        d = d * t + value;
        value = value * t + c[k];
    }
    *slope = d;
    return value;
}

// The root of sign * (c(t) - level) that is negative at `low` and not at `high`: Newton's method kept between the two.
static double crossing(const double *c, double level, double sign, double low, double high) {
    double t = high, slope;
    for (int i = 0; i < 100; i++) {
        double value = sign * (value_and_slope(c, t, &slope) - level);
        slope *= sign;
        if (value < 0.0)
            low = t;
        else
            high = t;
        double next = slope != 0.0 ? t - value / slope : low;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == t || next == low || next == high) break;
        t = next;
    }
    return high;
}

// Where the slope of c, which has other signs at both ends, is zero: by halving, as only the place of an extremum is
// asked.
static double extremum(const double *c, double high) {
    double low = 0.0, first, middle;
    (void)value_and_slope(c, 0.0, &first);
    for (int i = 0; i < 50; i++) {
        double t = 0.5 * (low + high);
        (void)value_and_slope(c, t, &middle);
        if ((middle > 0.0) == (first > 0.0))
            low = t;
        else
            high = t;
    }
    return high;
}

// The first crossing of `level` upward (sign 1) or downward (-1). The slip of a piece rotates by less than half a right
// angle, so that v has one extremum on it at most.
static double rotating_cross(const crm_piece *piece, const double *c, double level, double sign) {
    double begin, end, length = piece->length;
    double last = sign * (value_and_slope(c, length, &end) - level);
    (void)value_and_slope(c, 0.0, &begin);
    if (sign * begin > 0.0 && sign * end < 0.0) { // it may cross, and come back
        double top = extremum(c, length), slope;
        if (sign * (value_and_slope(c, top, &slope) - level) >= 0.0) return crossing(c, level, sign, 0.0, top);
        return INFINITY;
    }
    if (!(last >= 0.0)) return INFINITY;
    // Away from the level first: begin where it comes back, as at the start it may be on the level itself.
    double low = sign * begin < 0.0 ? extremum(c, length) : 0.0;
    return crossing(c, level, sign, low, length);
}

double crm_piece_find_goal(const crm_piece *piece, const crm_impact_state *start, crm_goal goal) {
    if (!piece->rotating) return straight_goal(piece, start, goal);
    const double *c = goal.kind == CRM_GOAL_APPROACH  ? piece->approach
                      : goal.kind == CRM_GOAL_IMPULSE ? piece->normal
                                                      : piece->work;
    if (c[0] >= goal.value && c[1] >= 0.0) return 0.0;
    return rotating_cross(piece, c, goal.value, 1.0);
}

double crm_piece_fall(const crm_piece *piece, const crm_impact_state *start) {
    if (!piece->rotating) return straight_fall(piece, start);
    return rotating_cross(piece, piece->approach, 0.0, -1.0);
}
