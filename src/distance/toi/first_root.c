// SPDX-License-Identifier: MIT
#include "distance/toi/first_root.h"

#include <float.h>
#include <math.h>

typedef struct search {
    const crm_limited *f;
    double end;
    double time, value;  // no zero before; the value is positive
    double wall, behind; // a later time with a value that is not positive; infinite: none is known
    double slope;        // how fast the value fell on the last way, 0: unknown
    int evaluations;
} search;

static double evaluate(search *s, double time) {
    s->evaluations++;
    return s->f->value(s->f->context, time);
}

// How far ahead to look next. With the same value there the parabola is just positive. Near the zero the way to it by
// the last slope is shorter: twice that leaves the zero in between, so that the secant over it is as good as Newton.
static double trial(const search *s) {
    double way = s->f->bend > 0.0 ? sqrt(8.0 * s->value / s->f->bend) : INFINITY;
    if (s->slope > 0.0) way = fmin(way, 2.0 * s->value / s->slope);
    return fmin(s->time + way, fmin(s->end, s->wall));
}

// How far the parabola proves the way to a time `way` ahead to be free: `way` itself when it is positive all along.
static double proven(const search *s, double way, double ahead) {
    double bend = s->f->bend, b = 0.5 * bend * way + (s->value - ahead) / way;
    double square = b * b - 2.0 * bend * s->value;
    double x = b <= 0.0 || square < 0.0 ? way : 2.0 * s->value / (b + sqrt(square));
    if (s->f->fall > 0.0) x = fmax(x, s->value / s->f->fall);
    return fmin(x, way);
}

static bool is_stuck(const search *s, double next) {
    return next - s->time <= 2.0 * DBL_EPSILON * s->time;
}

crm_first_root crm_find_first_root(const crm_limited *f, double start, double at_start, double end, int limit) {
    search s = {.f = f, .end = end, .time = start, .value = at_start, .wall = INFINITY};
    if (f->clear >= end || (end - start) * f->fall < at_start) return (crm_first_root){.time = end, .free = true};
    double blind = fmax(f->clear, start + at_start / f->fall); // the fall is not zero here
    s.time = fmin(blind, end);
    s.value = evaluate(&s, s.time);
    while (s.value > f->accept && s.time < end && s.evaluations < limit) {
        double look = trial(&s), way = look - s.time;
        if (is_stuck(&s, look)) return (crm_first_root){s.time, false, true, s.evaluations};
        double ahead = look == s.wall ? s.behind : evaluate(&s, look);
        if (ahead <= 0.0) {
            s.wall = look;
            s.behind = ahead;
        }
        double step = proven(&s, way, ahead);
        s.slope = fmax((s.value - ahead) / way, 0.0);
        if (step >= way && ahead > 0.0) {
            s.time = look;
            s.value = ahead;
            continue;
        }
        if (is_stuck(&s, s.time + step)) return (crm_first_root){s.time, false, true, s.evaluations};
        s.time += step;
        s.value = evaluate(&s, s.time);
    }
    bool found = s.value <= f->accept;
    return (crm_first_root){s.time, !found && s.time >= end, found, s.evaluations};
}
