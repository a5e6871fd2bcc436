// SPDX-License-Identifier: MIT
// When two moving shapes first touch: pair by pair of convex parts, each within the time that those before have left.
//
// Along a unit vector n the *separation* of convex bodies is s(t) = n.(x_b - x_a) - h_a(n, t) - h_b(-n, t), with their
// pivots x and their reaches h; it is never more than the gap, and equal to it where n is the gap's normal. So from a
// time with a positive gap the bodies stay apart until s, along the normal of that time, has its first zero, which
// first_root.h finds with no chance to pass over it. There the gap is asked again. As s touches the gap from below, the
// times converge like Newton's method where the bodies approach, and like its halving where they just graze.
//
// The limits of s. A vertex r about the pivot, or a point of the round part, adds n.r(t), and
//   n at rest     n.r' = r.(n x w),  n.r'' = w x (w x r).n :     fall |n x w| radius,   bend |w| |n x w| radius
//   n turns, w_n  m = R^T n:  |m'| <= |w_n - w|,  |m''| <= |w_n - w| (|w| + |w_n x n|):  times the reach
//                 n.d, d = x_b - x_a:  fall |d'| + |w_n x n| |d|,  bend |w_n x n| (2 |d'| + |w_n| |d|)
// The normal of a half-space turns with it. For bounded bodies any direction will do: one at rest sees far, one that
// goes with the features that are next to each other sees well. Both are tried. In a container the gap itself has such
// limits: it is R less the largest u.d + h(u, t) over all unit vectors u, each at rest.
#include "carom/time_of_impact.h"

#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "distance/first_root.h"
#include "distance/measure.h"
#include "distance/moving.h"
#include "math/quat.h"

// Positions and turns are known to some units in the last place.
static const double rounding = 8.0 * DBL_EPSILON;
// Separations are evaluated at a tenth of what a query costs.
enum { SEPARATIONS = 100 };
// Edges with a smaller sine between them have no common normal worth following.
static const double parallel_sine = 1e-3;
// A direction that turns is followed so far, rad: its limits grow with the way that the bodies go meanwhile.
static const double farthest_turn = 1.0;
// A separation that has fallen to this share is not worth more evaluations before the next query.
static const double coarse = 0.05;
// Over the duration, rad.
static const double most_turn = 1e9;

// ---- input

carom_impact_options carom_impact_options_default(void) {
    return (carom_impact_options){.duration = 1.0, .gap = 0.0, .tolerance = 1e-12, .iterations = 200};
}

static carom_status check_options(const carom_impact_options *o, carom_error *error) {
    if (!(o->duration >= 0.0) || !isfinite(o->duration))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "duration is %g s, must be finite and not negative", o->duration);
    if (!(o->gap >= 0.0 && o->gap <= CAROM_SHAPE_MOST_SIZE))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "gap is %g m, must be between 0 and 1e9 m", o->gap);
    if (!(o->tolerance >= 0.0 && o->tolerance <= 1.0))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "tolerance is %g, must be between 0 and 1", o->tolerance);
    if (o->iterations < 1)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "iterations is %d, must be at least 1", o->iterations);
    return CAROM_OK;
}

static carom_status check_motion(const carom_view *view, const carom_motion *motion, double duration, const char *name,
                                 carom_error *error) {
    carom_vec3 v = motion->velocity, w = motion->spin, end = crm_madd(view->pose.position, duration, v);
    if (!crm_vec3_finite(v) || !(crm_length_squared(end) <= CAROM_SHAPE_MOST_SIZE * CAROM_SHAPE_MOST_SIZE))
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "motion of view %s: velocity is (%g, %g, %g) m/s, must be finite and end within 1e9 m of the "
                        "origin after %g s",
                        name, v.x, v.y, v.z, duration);
    if (!crm_vec3_finite(w) || !(duration * crm_safe_length(w) <= most_turn))
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "motion of view %s: spin is (%g, %g, %g) rad/s, must be finite and turn by at most 1e9 rad in "
                        "%g s",
                        name, w.x, w.y, w.z, duration);
    return CAROM_OK;
}

// ---- one pair of convex parts, or one part and its surroundings

typedef struct pair {
    crm_moving a, b;
    carom_vec3 offset, velocity; // of B's pivot from A's at time 0, m, and how it moves, m/s
    double size;                 // of the bodies, m
    double target, tolerance;    // m
    carom_distance_cache cache;
    int queries, limit;
    // Along which direction the separation is taken: `normal` at the time `since`, turning with `spin`.
    carom_vec3 normal, spin, axis;
    double since, speed;
    carom_status status;
    carom_error *error;
} pair;

static carom_gap_witness find_gap_at(pair *p, double time) {
    carom_view a = crm_view_at(&p->a, time), b = crm_view_at(&p->b, time);
    carom_distance_options options = {.any_solution = true};
    carom_gap_witness w;
    carom_status status = carom_find_gap(&a, &b, &options, &p->cache, &w, p->error);
    if (p->status == CAROM_OK) p->status = status;
    p->queries++;
    return w;
}

static carom_vec3 offset_at(const pair *p, double time) {
    return crm_madd(p->offset, time, p->velocity);
}

// What rounding makes of the gap at a time, m.
static double uncertainty(const pair *p, double time) {
    double turned = p->a.speed * (p->a.reach + p->a.round_reach) + p->b.speed * (p->b.reach + p->b.round_reach);
    return rounding * (p->size + crm_length(p->offset) + time * (crm_length(p->velocity) + turned));
}

static const crm_moving *surroundings_of(const pair *p) {
    return !crm_is_bounded(&p->a) ? &p->a : !crm_is_bounded(&p->b) ? &p->b : NULL;
}

static bool is_container(const crm_moving *m) {
    return m != NULL && m->view.shape->kind == CAROM_SHAPE_CONTAINER;
}

// ---- along a direction

static double separation(void *context, double time) {
    pair *p = context;
    carom_vec3 n = p->speed > 0.0 ? crm_turned(p->normal, p->axis, (time - p->since) * p->speed) : p->normal;
    return crm_dot(n, offset_at(p, time)) - crm_reach_along(&p->a, n, time) -
           crm_reach_along(&p->b, crm_negate(n), time) - p->target;
}

static void turn_with(pair *p, carom_vec3 spin) {
    p->spin = spin;
    p->speed = crm_normalise(spin, &p->axis);
}

static void limit_turning(const pair *p, const crm_moving *m, crm_limited *f) {
    if (!crm_is_bounded(m)) return;
    if (p->speed > 0.0) {
        double relative = crm_distance(p->spin, m->spin), reach = m->reach + m->round_turn;
        f->fall += relative * reach;
        f->bend += relative * (m->speed + crm_length(crm_cross(p->spin, p->normal))) * reach;
    } else {
        double fall = crm_length(crm_cross(p->normal, m->spin)) * (m->radius + m->round_turn);
        f->fall += fall;
        f->bend += m->speed * fall;
    }
}

// How many directions the features have that the witness lies on: 0 of a corner, 1 of an edge, 2 of a facet.
static int dimension(const carom_touch *touch) {
    return touch->vertex_count > 3 ? 2 : touch->vertex_count > 1 ? touch->vertex_count - 1 : 0;
}

static carom_vec3 edge_of(const crm_moving *m, const carom_touch *touch, double time) {
    const carom_vec3 *v = m->side.vertex;
    carom_vec3 edge = crm_mat3_apply(m->side.rotation, crm_sub(v[touch->vertices[1]], v[touch->vertices[0]]));
    return crm_turned(edge, m->axis, time * m->speed);
}

// The spin of a direction that stays normal to an edge of A and one of B: n'.e = -n.e' = -n.(w x e) for both. With
// e_a x e_b = c n that is n' = (r_a (e_b x n) + r_b (n x e_a))/c. The spin about n itself is free: the mean.
static carom_vec3 spin_of_edges(const pair *p, const carom_gap_witness *w) {
    carom_vec3 n = p->normal, a = edge_of(&p->a, &w->a, p->since), b = edge_of(&p->b, &w->b, p->since);
    double c = crm_dot(n, crm_cross(a, b));
    if (fabs(c) <= parallel_sine * crm_length(a) * crm_length(b)) return p->a.spin;
    double rate_a = crm_dot(n, crm_cross(a, p->a.spin)), rate_b = crm_dot(n, crm_cross(b, p->b.spin));
    carom_vec3 change = crm_scale(1.0 / c, crm_madd(crm_scale(rate_a, crm_cross(b, n)), rate_b, crm_cross(n, a)));
    double about = 0.5 * crm_dot(n, crm_add(p->a.spin, p->b.spin));
    return crm_madd(crm_cross(n, change), about, n);
}

// How the normal turns, to first order. A direction at rest leaves a facet or edge that turns as fast as that turns,
// and the separation along it falls for that; along one that goes with them it falls as the gap does.
static carom_vec3 spin_of_features(const pair *p, const carom_gap_witness *w) {
    int of_a = dimension(&w->a), of_b = dimension(&w->b);
    if (of_a == 0 && of_b == 0) return crm_vec3_zero();
    if (of_a == 1 && of_b == 1) return spin_of_edges(p, w);
    return of_a >= of_b ? p->a.spin : p->b.spin;
}

static crm_limited along_direction(pair *p, double time, double end) {
    crm_limited f = {.value = separation, .context = p, .clear = time};
    carom_vec3 n = p->normal;
    double approach = -crm_dot(n, p->velocity);
    if (p->speed > 0.0) {
        double speed = crm_length(p->velocity), sway = crm_length(crm_cross(p->spin, n));
        double distance = fmax(crm_length(offset_at(p, time)), crm_length(offset_at(p, end)));
        f.fall = speed + sway * distance;
        f.bend = sway * (2.0 * speed + p->speed * distance);
    } else {
        f.fall = approach;
        // However they turn: until what they sweep meets.
        double apart = crm_dot(n, offset_at(p, time)) - crm_most_reach_along(&p->a, n) -
                       crm_most_reach_along(&p->b, crm_negate(n)) - p->target;
        if (apart > 0.0) f.clear = approach > 0.0 ? time + apart / approach : INFINITY;
    }
    limit_turning(p, &p->a, &f);
    limit_turning(p, &p->b, &f);
    f.fall = fmax(f.fall, 0.0);
    return f;
}

// ---- in a container

static double room(void *context, double time) {
    pair *p = context;
    return find_gap_at(p, time).gap - p->target;
}

// When |offset + t velocity| first is `distance` after `time`: `time` when it is more by then.
static double leaving_time(const pair *p, double time, double distance) {
    carom_vec3 d = offset_at(p, time), v = p->velocity;
    double square = crm_length_squared(v), along = crm_dot(d, v);
    double left = (distance - crm_length(d)) * (distance + crm_length(d));
    if (!(distance > 0.0 && left > 0.0)) return time;
    if (square == 0.0) return INFINITY;
    double root = sqrt(along * along + square * left);
    return time + (along > 0.0 ? left / (along + root) : (root - along) / square);
}

static crm_limited in_container(pair *p, double time) {
    const crm_moving *around = surroundings_of(p), *body = around == &p->a ? &p->b : &p->a;
    double turning = body->speed * (body->radius + body->round_turn);
    double clearance = around->view.shape->radius - p->target - body->reach - body->round_reach;
    return (crm_limited){.value = room,
                         .context = p,
                         .fall = crm_length(p->velocity) + turning,
                         .bend = body->speed * turning,
                         .clear = leaving_time(p, time, clearance)};
}

// ---- the search

// Turns to the normal of a gap. What is proved to be left above the target: of the gap all but the error of its normal.
static double face(pair *p, const carom_gap_witness *w, double time) {
    const crm_moving *around = surroundings_of(p);
    if (is_container(around)) return w->gap - p->target;
    p->normal = w->normal;
    turn_with(p, around != NULL ? around->spin : crm_vec3_zero());
    p->since = time;
    return separation(p, time);
}

// How much may be left at the end of a step from `left`: the gap there is of second order, and asked for again.
static double allowance(const pair *p, double left) {
    return fmax(uncertainty(p, 0.0), left * fmin(coarse, coarse * left / p->size));
}

// The first zero along a direction that goes with the features, from a time before which there is no touch.
static crm_first_root follow(pair *p, carom_vec3 spin, crm_first_root root, double allowed, double end) {
    turn_with(p, spin);
    double left = separation(p, root.time), horizon = fmin(end, root.time + farthest_turn / p->speed);
    if (left <= allowed) return root;
    crm_limited f = along_direction(p, root.time, horizon);
    f.accept = allowed;
    root = crm_find_first_root(&f, root.time, left, horizon, SEPARATIONS);
    root.free = root.free && horizon == end;
    return root;
}

// Until when the bodies stay apart for sure, from a time when that much is left of the gap.
static crm_first_root advance(pair *p, const carom_gap_witness *w, double left, double time, double end) {
    const crm_moving *around = surroundings_of(p);
    bool inside = is_container(around);
    carom_vec3 spin = around != NULL ? crm_vec3_zero() : spin_of_features(p, w);
    bool follows = crm_length_squared(spin) > 0.0;
    crm_limited f = inside ? in_container(p, time) : along_direction(p, time, end);
    f.accept = around != NULL ? uncertainty(p, 0.0) : follows ? coarse * left : allowance(p, left);
    crm_first_root root = crm_find_first_root(&f, time, left, end, inside ? p->limit - p->queries : SEPARATIONS);
    return follows && !root.free ? follow(p, spin, root, allowance(p, left), end) : root;
}

// From a time within the tolerance to one that is right to rounding, when that is one step away.
static double polish(pair *p, const carom_gap_witness *w, double left, double time, double end) {
    if (left <= uncertainty(p, time) || p->queries >= p->limit) return time;
    crm_first_root root = advance(p, w, left, time, end);
    return root.found && find_gap_at(p, root.time).gap < w->gap ? root.time : time;
}

// The first touch in [0, *time], which it replaces.
static carom_impact_outcome search_pair(pair *p, double *time) {
    double end = *time;
    *time = 0.0;
    while (p->queries < p->limit) {
        carom_gap_witness w = find_gap_at(p, *time);
        double least = uncertainty(p, *time), left = face(p, &w, *time);
        if (w.gap <= p->target + p->tolerance + least || left <= least) {
            if (*time == 0.0) return CAROM_IMPACT_AT_START;
            *time = polish(p, &w, left, *time, end);
            return CAROM_IMPACT_FOUND;
        }
        if (*time >= end) return CAROM_IMPACT_NONE;
        crm_first_root root = advance(p, &w, left, *time, end);
        bool stuck = !(root.time > *time);
        *time = root.time;
        if (root.free) return CAROM_IMPACT_NONE;
        if (stuck) break;
    }
    return CAROM_IMPACT_UNDECIDED;
}

static carom_view moved_view(const carom_view *view, const carom_motion *motion, double time) {
    carom_view moved = *view;
    moved.pose.position = crm_madd(view->pose.position, time, motion->velocity);
    moved.pose.attitude = crm_quat_step(view->pose.attitude, motion->spin, time);
    return moved;
}

// The pivots are half of their distance to either side of the origin, where most digits are left.
static void prepare(pair *p, const carom_view *a, const carom_motion *motion_a, int part_a, const carom_view *b,
                    const carom_motion *motion_b, int part_b) {
    p->offset = crm_sub(b->pose.position, a->pose.position);
    p->velocity = crm_sub(motion_b->velocity, motion_a->velocity);
    crm_moving_of(a, part_a, crm_scale(-0.5, p->offset), crm_scale(-0.5, p->velocity), motion_a->spin, &p->a);
    crm_moving_of(b, part_b, crm_scale(0.5, p->offset), crm_scale(0.5, p->velocity), motion_b->spin, &p->b);
    const crm_moving *around = surroundings_of(p);
    p->size = (around == &p->a ? 0.0 : p->a.side.size) + (around == &p->b ? 0.0 : p->b.side.size);
    if (is_container(around)) p->size += around->view.shape->radius;
}

static carom_status search_parts(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                                 const carom_motion *motion_b, const carom_impact_options *options,
                                 carom_impact_time *out, carom_error *error) {
    int count_a = crm_part_count(a), count_b = crm_part_count(b);
    for (int k = 0; k < count_a * count_b && out->outcome != CAROM_IMPACT_AT_START; k++) {
        pair p = {.target = options->gap, .limit = options->iterations, .error = error};
        prepare(&p, a, motion_a, k / count_b, b, motion_b, k % count_b);
        p.tolerance = options->tolerance * p.size;
        carom_impact_outcome outcome = search_pair(&p, &out->time);
        out->iterations += p.queries;
        if (p.status != CAROM_OK) return p.status;
        if (outcome != CAROM_IMPACT_NONE) out->outcome = outcome;
    }
    return CAROM_OK;
}

carom_status carom_time_of_impact(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                                  const carom_motion *motion_b, const carom_impact_options *options,
                                  carom_impact_time *out, carom_error *error) {
    const carom_motion rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const carom_impact_options usual = carom_impact_options_default();
    if (motion_a == NULL) motion_a = &rest;
    if (motion_b == NULL) motion_b = &rest;
    if (options == NULL) options = &usual;
    *out = (carom_impact_time){.outcome = CAROM_IMPACT_NONE};
    carom_status status = crm_check_pair(a, b, error);
    if (status == CAROM_OK) status = check_options(options, error);
    if (status == CAROM_OK) status = check_motion(a, motion_a, options->duration, "A", error);
    if (status == CAROM_OK) status = check_motion(b, motion_b, options->duration, "B", error);
    if (status != CAROM_OK) return status;
    carom_impact_time found = {.outcome = CAROM_IMPACT_NONE, .time = options->duration};
    status = search_parts(a, motion_a, b, motion_b, options, &found, error);
    if (status != CAROM_OK) return status;
    carom_view end_a = moved_view(a, motion_a, found.time), end_b = moved_view(b, motion_b, found.time);
    status = carom_find_gap(&end_a, &end_b, NULL, NULL, &found.at, error);
    if (status == CAROM_OK) *out = found;
    return status;
}
