// SPDX-License-Identifier: MIT
// A gap that was seen is a target: conservative advancement (advance.h) proves that no other one on the way is lower by
// more than the accuracy, or finds one that is. That one is followed down to a local minimum, which is the next target,
// and the proof goes on from where it was: what is behind it stays proved. Bodies that cannot come within `enough` are
// not looked at, and other pairs of parts have what those before have left of it.
#include "distance/toi/least_gap.h"

#include <math.h>

#include "distance/measure.h"
#include "distance/toi/advance.h"

// Of the way down to a minimum: queries, and the share of the accuracy that its tangents must promise to go on.
enum { LOOKS = 40 };
static const double worth = 0.25;
// So many minima of a pair of parts are followed down; those that are found after them make the accuracy twice as
// coarse each, so that a gap with ripples ends with a poor bound rather than late.
enum { DESCENTS = 20 };

// A gap, and how fast it changes.
typedef struct place {
    double time, gap, slope;
    carom_gap_witness witness;
} place;

// ---- how it changes

static carom_vec3 velocity_at(const crm_moving *m, double time, carom_vec3 point) {
    carom_vec3 arm = crm_sub(point, crm_madd(m->start, time, m->velocity));
    return crm_add(m->velocity, crm_cross(m->spin, arm));
}

static place look(crm_approach *p, double time) {
    place at = {.time = time, .witness = crm_gap_at(p, time)};
    carom_vec3 of_b = velocity_at(&p->b, time, at.witness.point_b), of_a = velocity_at(&p->a, time, at.witness.point_a);
    at.gap = at.witness.gap;
    at.slope = crm_dot(at.witness.normal, crm_sub(of_b, of_a));
    return at;
}

static void note(const place *at, crm_least_gap *out, int part_a, int part_b) {
    if (!(at->gap < out->seen)) return;
    out->seen = at->gap;
    out->time = at->time;
    out->part_a = part_a;
    out->part_b = part_b;
}

// No point of the two gets nearer than this, whatever they are otherwise: by the pivots' ways and balls about them.
static double far_bound(const crm_approach *p, double duration) {
    if (crm_static_geometry_in(p) != NULL) return -INFINITY;
    double speed = crm_length_squared(p->velocity);
    double nearest = speed > 0.0 ? -crm_dot(p->offset, p->velocity) / speed : 0.0;
    carom_vec3 offset = crm_madd(p->offset, fmin(fmax(nearest, 0.0), duration), p->velocity);
    double balls = p->a.ball_radius + p->a.round_radius + p->b.ball_radius + p->b.round_radius;
    return crm_length(offset) - balls - crm_gap_uncertainty(p, duration);
}

// How fast the gap can fall at most.
static double fastest(const crm_approach *p) {
    return crm_length(p->velocity) + p->a.speed * (p->a.ball_radius + p->a.round_radius) +
           p->b.speed * (p->b.ball_radius + p->b.round_radius);
}

// ---- down to a local minimum

// How far behind `low` the tangents meet, s: between both places where the gap is convex. NAN: they do not.
static double tangents_meet(const place *low, const place *high) {
    double way = high->time - low->time;
    if (!(high->slope > 0.0)) return NAN;
    double x = (high->gap - low->gap - way * high->slope) / (low->slope - high->slope);
    return x > 0.0 && x < way ? x : NAN;
}

// Where to look next between a place where the gap falls and one where it rises or is higher: by turns where the
// tangents meet (exact of kinks), where the slope is zero on a line (of smooth ones), and halfway.
static double next_look(const place *low, const place *high, int i) {
    double way = high->time - low->time, x = 0.5 * way;
    if (high->slope > 0.0 && i % 3 == 0) x = tangents_meet(low, high);
    if (high->slope > 0.0 && i % 3 == 1) x = way * low->slope / (low->slope - high->slope);
    if (!(x > 0.0 && x < way)) x = 0.5 * way;
    return low->time + x;
}

// What the tangents leave at their least below the lower of both places: nothing is below that where the gap is convex.
static double promise(const place *low, const place *high) {
    double x = tangents_meet(low, high);
    return isnan(x) ? INFINITY : fmin(low->gap, high->gap) - (low->gap + x * low->slope);
}

static void descend(crm_approach *p, place low, place high, double accuracy, crm_least_gap *out, int part_a,
                    int part_b) {
    if (!(low.slope < 0.0) || !(high.slope > 0.0 || high.gap >= low.gap)) return;
    for (int i = 0; i < LOOKS && p->queries < p->limit; i++) {
        if (!(promise(&low, &high) > worth * accuracy)) return;
        double time = next_look(&low, &high, i);
        if (!(time > low.time && time < high.time)) return;
        place at = look(p, time);
        note(&at, out, part_a, part_b);
        if (at.slope < 0.0 && at.gap <= low.gap)
            low = at;
        else
            high = at;
    }
}

// ---- the proof

// The lowest target that was asked for, which no gap of this pair of parts is below.
static double prove(crm_approach *p, place at, const place *end, const crm_least_gap_options *o, crm_least_gap *out,
                    int part_a, int part_b) {
    double accuracy = fmax(o->accuracy, 4.0 * crm_gap_uncertainty(p, o->duration)), proved = INFINITY;
    int descents = 0;
    for (;;) {
        // Roundings of a normal that proves less than its gap are allowed for.
        double least = crm_gap_uncertainty(p, at.time);
        p->target = fmin(out->seen - accuracy, o->enough);
        double left = crm_face(p, &at.witness, at.time);
        if (left <= least) {
            p->target += left - accuracy;
            left = crm_face(p, &at.witness, at.time);
        }
        proved = fmin(proved, p->target);
        if (at.time >= o->duration) return proved;
        crm_first_root root = crm_advance(p, &at.witness, left, at.time, o->duration);
        if (root.free || p->status != CAROM_OK) return proved;
        if (!(root.time > at.time) || p->queries >= p->limit)
            return fmin(proved, at.gap - fastest(p) * (o->duration - at.time) - least);
        at = look(p, root.time);
        bool lower = at.gap < out->seen;
        note(&at, out, part_a, part_b);
        if (!lower) continue;
        descend(p, at, *end, accuracy, out, part_a, part_b);
        if (++descents > DESCENTS) accuracy *= 2.0;
    }
}

static carom_status search_parts(const crm_way *a, int part_a, const crm_way *b, int part_b,
                                 const crm_least_gap_options *options, crm_least_gap *out, carom_error *error) {
    crm_least_gap_options o = *options;
    crm_approach p = {.limit = o.limit, .error = error};
    crm_approach_about(&p, &a->view, a->pivot, &a->motion, part_a, &b->view, b->pivot, &b->motion, part_b);
    double bound = far_bound(&p, o.duration);
    if (bound >= fmin(o.enough, out->seen)) {
        out->gap = fmin(out->gap, bound);
        return CAROM_OK;
    }
    place start = look(&p, 0.0), end = look(&p, o.duration);
    note(&start, out, part_a, part_b);
    note(&end, out, part_a, part_b);
    if (fmin(start.gap, end.gap) < o.enough) descend(&p, start, end, o.accuracy, out, part_a, part_b);
    out->gap = fmin(out->gap, prove(&p, start, &end, &o, out, part_a, part_b));
    out->queries += p.queries;
    return p.status;
}

carom_status crm_least_gap_find(const crm_way *a, const crm_way *b, const crm_least_gap_options *options,
                                crm_least_gap *out, carom_error *error) {
    *out = (crm_least_gap){.gap = INFINITY, .seen = INFINITY};
    carom_status status = crm_check_pair(&a->view, &b->view, error);
    int count_a = crm_part_count(&a->view), count_b = crm_part_count(&b->view);
    for (int k = 0; k < count_a * count_b && status == CAROM_OK; k++)
        status = search_parts(a, k / count_b, b, k % count_b, options, out, error);
    return status;
}
