// SPDX-License-Identifier: MIT
// When the next collision is. A time of impact along constant twists from here to where the rest of the step would end
// guesses it, so that no touch in between is passed over; the root of the gap on the curve of variational steps is then
// found between a substep that ends apart and one that ends overlapping. What overlaps where that substep ends has
// touched before: its root comes first.
#include <math.h>

#include "step/exact/exact.h"

// Evaluations of a gap's root, and of the way forward to an overlap.
enum { MOST_EVALUATIONS = 100, MOST_EXTENSIONS = 30 };
// Two that part are followed from where they are this far apart, as a share of the size: times of impact take gaps of
// some 1e-12 for touch.
static const double toi_start = 1e-9;
// A root within this share of a step from its start is there.
static const double shortest_bracket = 1e-14;
// An overlap of less than this share of the size is rounding.
static const double largest_rounding = 1e-10;
// A way bends aside by a parabola's height, which lies in its middle; this much more where it is none. And the first
// time of a graze, as a share of the substep, of two that are that close already.
static const double bend_factor = 1.25, first_graze = 1e-3;
// The shortest substep that is tried where a longer one has no solution, as a share.
static const double shortest = 1.0 / 1024.0;

// What counts as no gap: nothing, or the overlap that roundings have left at the start of the substep.
static double touch_level(const crm_exact_pair *pair) {
    return fmin(pair->now.gap, 0.0);
}

// ---- guesses

// Two that touch now and do not approach: when they come back, by any of their features.
static double expect_return(crm_exact *x, crm_exact_pair *pair, double length) {
    double resolution = crm_exact_resolution(pair, x->motions);
    double rate = crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions);
    double apart = fmax(toi_start * pair->size, 2.0 * CRM_EXACT_TOUCH * resolution);
    double s = fmax(4.0 * CRM_EXACT_TOUCH * resolution / fmax(rate, 1e-300), 1e-9 * length);
    for (; s < length; s *= 4.0) {
        double gap = crm_exact_measure_between(x, pair, s, length).gap - touch_level(pair);
        if (gap < -resolution) return s;
        if (gap > apart) return crm_exact_time_of_impact(x, pair, s, length, 0.0);
    }
    double last = crm_exact_measure_between(x, pair, length, length).gap - touch_level(pair);
    return last < -resolution ? length : INFINITY;
}

// Two that are apart: when they touch on the way by constant twists; where they do not, when they come so close that
// they may touch on the true one.
static double expect_touch(crm_exact *x, crm_exact_pair *pair, double length) {
    double bend = bend_factor * (x->bend[pair->a] + x->bend[pair->b]);
    double near = crm_exact_time_of_impact(x, pair, 0.0, length, bend);
    if (!isfinite(near)) return INFINITY;
    double touch = crm_exact_time_of_impact(x, pair, near, length, 0.0);
    pair->grazes = !isfinite(touch);
    return pair->grazes ? fmax(near, first_graze * length) : touch;
}

static double expect(crm_exact *x, crm_exact_pair *pair, double length) {
    bool touches = pair->now.gap <= CRM_EXACT_TOUCH * crm_exact_resolution(pair, x->motions);
    pair->grazes = false;
    return touches ? expect_return(x, pair, length) : expect_touch(x, pair, length);
}

// ---- roots

// The gap of a pair beyond its touch at the end of a substep of length s, which is then on trial.
static bool gap_at(crm_exact *x, crm_exact_pair *pair, double s, carom_step_report *report, double *gap) {
    if (!crm_exact_flow_pair(x, pair, s, report)) return false;
    pair->trial = crm_exact_measure(x, pair, x->trial);
    *gap = pair->trial.gap - touch_level(pair);
    return true;
}

// Whether the substep on trial ends where the two touch and approach each other. Two that touched before and part by
// one of their features may come together by another one, next to it.
static bool touches_and_closes(const crm_exact *x, const crm_exact_pair *pair, double resolution) {
    return fabs(pair->trial.gap - touch_level(pair)) <= resolution &&
           crm_exact_rate(x, &pair->trial, pair->a, pair->b, x->trial) < 0.0;
}

// Length of a substep that ends at the touch: apart after `low`, overlapping after `high`. Regula falsi, where one end
// that stays too long counts half (Illinois), and halves when that is slow.
static double root_between(crm_exact *x, crm_exact_pair *pair, double low, double gap_low, double high, double gap_high,
                           carom_step_report *report) {
    double resolution = crm_exact_resolution(pair, x->motions);
    gap_low = fmax(gap_low, resolution);
    int side = 0;
    double least = shortest_bracket * x->state->method.step;
    for (int i = 0; i < MOST_EVALUATIONS && high - low > 1e-16 * high && high > least; i++) {
        double s = i % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * gap_low / (gap_low - gap_high), gap;
        if (!(s > low && s < high)) s = 0.5 * (low + high);
        if (!gap_at(x, pair, s, report, &gap) || isnan(gap)) return high;
        if (touches_and_closes(x, pair, resolution)) return s;
        if (gap >= -resolution) {
            low = s, gap_low = fmax(gap, resolution);
            if (side == 1) gap_high *= 0.5;
            side = 1;
        } else {
            high = s, gap_high = gap;
            if (side == -1) gap_low *= 0.5;
            side = -1;
        }
    }
    return high;
}

// The root near a guess; INFINITY when the pair only comes close.
static double root_near(crm_exact *x, crm_exact_pair *pair, double guess, double length, carom_step_report *report) {
    double resolution = crm_exact_resolution(pair, x->motions), low = 0.0, s = guess;
    double gap_low = pair->now.gap - touch_level(pair);
    for (int i = 0; i < MOST_EXTENSIONS; i++) {
        double gap;
        if (!gap_at(x, pair, s, report, &gap) || isnan(gap)) return INFINITY;
        if (touches_and_closes(x, pair, resolution)) return s;
        if (gap < -resolution) return root_between(x, pair, low, gap_low, s, gap, report);
        if (s >= length) return INFINITY;
        low = s, gap_low = gap;
        double rate = crm_exact_rate(x, &pair->trial, pair->a, pair->b, x->trial);
        if (pair->grazes && rate >= 0.0) return INFINITY;
        double ahead = rate < 0.0 ? -1.1 * gap / rate : 0.1 * (length - s);
        s = fmin(length, s + fmax(ahead, 1e-9 * length));
    }
    return INFINITY;
}

// ---- the substep

// Whether two are so far apart that the substep on trial cannot make them touch; then with the gap that is left at
// least.
static bool stays_apart(const crm_exact *x, crm_exact_pair *pair, double resolution) {
    double least = pair->now.gap - x->moved[pair->a] - x->moved[pair->b];
    if (!(least > 2.0 * CRM_EXACT_TOUCH * resolution)) return false;
    pair->trial = pair->now;
    pair->trial.gap = least;
    return true;
}

// Measures all pairs of the cluster at the end of the substep on trial; the one that overlaps most, or -1.
static int measure_trial(crm_exact *x) {
    int worst = -1;
    double most = 1.0;
    for (int i = 0; i < x->member_count; i++) x->moved[x->member[i]] = crm_exact_travel(x, x->member[i]);
    for (int i = 0; i < x->mine.count && !crm_state_interrupted(x->state); i++) {
        crm_exact_pair *pair = &x->pairs.items[x->mine.items[i]];
        double resolution = crm_exact_resolution(pair, x->trial);
        if (stays_apart(x, pair, resolution)) continue;
        pair->trial = crm_exact_measure(x, pair, x->trial);
        double overlap = (touch_level(pair) - pair->trial.gap) / (2.0 * resolution);
        if (!(overlap > most)) continue;
        most = overlap;
        worst = x->mine.items[i];
    }
    return worst;
}

static double refuse_substep(const crm_exact *x, double s, carom_step_report *report) {
    crm_step_impossible(x->model, x->member[0], report,
                        "or what moves with it has no step after t = %g s, not even of %.2g s; make method.step of %g "
                        "s smaller",
                        carom_state_time(x->state), s, x->state->method.step);
    return 0.0;
}

// A substep as a trial, and how far its ways lie beside those by constant twists. Without a solution halfway that is
// not known, and nothing is assumed.
static bool try_substep(crm_exact *x, double s, carom_step_report *report) {
    if (x->mine.count == 0) return crm_exact_flow(x, s, report);
    bool known = crm_exact_flow(x, 0.5 * s, report);
    for (int i = 0; i < x->member_count && known; i++) x->middle[x->member[i]] = crm_exact_end(x, x->member[i]);
    if (!crm_exact_flow(x, s, report)) return false;
    for (int i = 0; i < x->member_count; i++) x->bend[x->member[i]] = known ? crm_exact_bend(x, x->member[i], s) : 0.0;
    return true;
}

// The longest substep that has a solution, as a trial.
static double try_length(crm_exact *x, double length, carom_step_report *report) {
    for (double s = length; s >= shortest * length; s *= 0.5)
        if (try_substep(x, s, report)) return s;
    return refuse_substep(x, shortest * length, report);
}

// The first of the pairs' expected touches that is one. Those expected on a longer way may lie beyond this substep.
static double first_touch(crm_exact *x, double length, carom_step_report *report) {
    for (int tries = 0; tries < x->mine.count && !crm_state_interrupted(x->state); tries++) {
        crm_exact_pair *first = NULL;
        for (int i = 0; i < x->mine.count; i++) {
            crm_exact_pair *pair = &x->pairs.items[x->mine.items[i]];
            if (isfinite(pair->expected) && (first == NULL || pair->expected < first->expected)) first = pair;
        }
        if (first == NULL) return length;
        double s = root_near(x, first, fmin(first->expected, length), length, report);
        if (isfinite(s)) return s;
        first->expected = INFINITY;
    }
    return length;
}

static double refuse_pair(const crm_exact *x, const crm_exact_pair *pair, double gap, carom_step_report *report) {
    char other[CRM_BODY_TEXT];
    crm_step_impossible(x->model, pair->a, report,
                        "and %s have no time of touch in the step after t = %g s, and would overlap by %.2g m; make "
                        "method.step of %g s smaller",
                        crm_body_text(x->model, pair->b, other), carom_state_time(x->state), -gap,
                        x->state->method.step);
    return 0.0;
}

double crm_exact_next_substep(crm_exact *x, double length, carom_step_report *report) {
    double s = try_length(x, length, report);
    if (s == 0.0 || x->mine.count == 0) return s;
    bool shorter = s < length;
    length = s;
    for (int i = 0; i < x->mine.count; i++) {
        crm_exact_pair *pair = &x->pairs.items[x->mine.items[i]];
        if (crm_state_interrupted(x->state)) return 0.0;
        bool known = !pair->expect_anew && !x->deflected[pair->a] && !x->deflected[pair->b];
        if (!known) pair->expected = expect(x, pair, length);
        pair->expect_anew = shorter; // nothing is known of later
    }
    s = first_touch(x, length, report);
    crm_exact_pair *pair = NULL;
    for (int i = 0; i < MOST_EVALUATIONS; i++) {
        if (crm_state_interrupted(x->state)) return 0.0;
        if (!crm_exact_flow(x, s, report)) return refuse_substep(x, s, report);
        int worst = measure_trial(x);
        if (worst < 0) return s;
        pair = &x->pairs.items[worst];
        crm_contact_point touch = pair->trial;
        double level = touch_level(pair);
        double before = root_between(x, pair, 0.0, pair->now.gap - level, s, touch.gap - level, report);
        if (before < s) {
            s = before;
            continue;
        }
        if (touch.gap < -largest_rounding * pair->size) return refuse_pair(x, pair, touch.gap, report);
        if (!crm_exact_flow(x, s, report)) return refuse_substep(x, s, report);
        measure_trial(x);
        return s;
    }
    return refuse_pair(x, pair, pair->trial.gap, report);
}
