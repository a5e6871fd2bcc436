// SPDX-License-Identifier: MIT
// When two moving shapes first touch: pair by pair of convex parts, each within the time that those before have left.
//
// From a time with a positive gap the bodies stay apart until the separation of that time has its first zero
// (advance.h); there the gap is asked again.
#include "carom/time_of_impact.h"

#include <math.h>

#include "base/fail.h"
#include "distance/measure.h"
#include "distance/toi/advance.h"
#include "distance/toi/toi_of_parts.h"
#include "math/quat.h"

// Over the duration, rad.
static const double most_rotation = 1e9;

// ---- input

carom_toi_options carom_toi_options_default(void) {
    return (carom_toi_options){
        .struct_size = sizeof(carom_toi_options), .duration = 1.0, .gap = 0.0, .tolerance = 1e-12, .iterations = 200};
}

static carom_status check_options(const carom_toi_options *o, carom_error *error) {
    if (!(o->duration >= 0.0) || !isfinite(o->duration))
        return crm_refuse(error, "duration is %g s, must be finite and not negative", o->duration);
    if (!(o->gap >= 0.0 && o->gap <= CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error, "gap is %g m, must be between 0 and 1e9 m", o->gap);
    if (!(o->tolerance >= 0.0 && o->tolerance <= 1.0))
        return crm_refuse(error, "tolerance is %g, must be between 0 and 1", o->tolerance);
    if (o->iterations < 1) return crm_refuse(error, "iterations is %d, must be at least 1", o->iterations);
    return CAROM_OK;
}

static carom_status check_motion(const carom_view *view, const carom_motion *motion, double duration, const char *name,
                                 carom_error *error) {
    carom_vec3 v = motion->velocity, w = motion->spin, end = crm_madd(view->pose.position, duration, v);
    if (!crm_vec3_finite(v) || !(crm_length_squared(end) <= CAROM_SHAPE_MOST_SIZE * CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error,
                          "motion of view %s: velocity is (%g, %g, %g) m/s, must be finite and end within 1e9 m of the "
                          "origin after %g s",
                          name, v.x, v.y, v.z, duration);
    if (!crm_vec3_finite(w) || !(duration * crm_safe_length(w) <= most_rotation))
        return crm_refuse(
            error,
            "motion of view %s: spin is (%g, %g, %g) rad/s, must be finite and rotate by at most 1e9 rad in "
            "%g s",
            name, w.x, w.y, w.z, duration);
    return CAROM_OK;
}

// ---- the search

// From a time within the tolerance to one that is right to rounding, when that is one step away.
static double polish(crm_approach *p, const carom_gap_witness *w, double left, double time, double end) {
    if (left <= crm_gap_uncertainty(p, time) || p->queries >= p->limit) return time;
    crm_first_root root = crm_advance(p, w, left, time, end);
    return root.found && crm_gap_at(p, root.time).gap < w->gap ? root.time : time;
}

// The first touch in [0, *time], which it replaces.
static carom_toi_outcome search_pair(crm_approach *p, double *time) {
    double end = *time;
    *time = 0.0;
    while (p->queries < p->limit) {
        carom_gap_witness w = crm_gap_at(p, *time);
        double least = crm_gap_uncertainty(p, *time), left = crm_face(p, &w, *time);
        if (w.gap <= p->target + p->tolerance + least || left <= least) {
            if (*time == 0.0) return CAROM_TOI_AT_START;
            *time = polish(p, &w, left, *time, end);
            return CAROM_TOI_FOUND;
        }
        if (*time >= end) return CAROM_TOI_NONE;
        crm_first_root root = crm_advance(p, &w, left, *time, end);
        bool stuck = !(root.time > *time);
        *time = root.time;
        if (root.free) return CAROM_TOI_NONE;
        if (stuck) break;
    }
    return CAROM_TOI_UNDECIDED;
}

static carom_view moved_view(const carom_view *view, const carom_motion *motion, double time) {
    carom_view moved = *view;
    moved.pose.position = crm_madd(view->pose.position, time, motion->velocity);
    moved.pose.attitude = crm_quat_step(view->pose.attitude, motion->spin, time);
    return moved;
}

// The first touch of two parts before *time, which it replaces.
static carom_status search_part(const carom_view *a, const carom_motion *motion_a, int part_a, const carom_view *b,
                                const carom_motion *motion_b, int part_b, const carom_toi_options *options,
                                carom_toi_result *out, carom_error *error) {
    crm_approach p = {.target = options->gap, .limit = options->iterations, .error = error};
    crm_approach_of(&p, a, motion_a, part_a, b, motion_b, part_b);
    p.tolerance = options->tolerance * p.size;
    carom_toi_outcome outcome = search_pair(&p, &out->time);
    out->iterations += p.queries;
    if (p.status == CAROM_OK && outcome != CAROM_TOI_NONE) out->outcome = outcome;
    return p.status;
}

static carom_status search_parts(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                                 const carom_motion *motion_b, const carom_toi_options *options, carom_toi_result *out,
                                 carom_error *error) {
    int count_a = crm_part_count(a), count_b = crm_part_count(b);
    carom_status status = CAROM_OK;
    for (int k = 0; k < count_a * count_b && out->outcome != CAROM_TOI_AT_START && status == CAROM_OK; k++)
        status = search_part(a, motion_a, k / count_b, b, motion_b, k % count_b, options, out, error);
    return status;
}

static carom_status check_input(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                                const carom_motion *motion_b, const carom_toi_options *options, carom_error *error) {
    carom_status status = CRM_CHECK_STRUCT(options, carom_toi_options, error);
    if (status == CAROM_OK) status = crm_check_pair(a, b, error);
    if (status == CAROM_OK) status = check_options(options, error);
    if (status == CAROM_OK) status = check_motion(a, motion_a, options->duration, "A", error);
    if (status == CAROM_OK) status = check_motion(b, motion_b, options->duration, "B", error);
    return status;
}

carom_status crm_toi_of_parts(const carom_view *a, const carom_motion *motion_a, int part_a, const carom_view *b,
                              const carom_motion *motion_b, int part_b, const carom_toi_options *options,
                              carom_toi_result *out, carom_error *error) {
    *out = (carom_toi_result){.outcome = CAROM_TOI_NONE};
    carom_status status = check_input(a, motion_a, b, motion_b, options, error);
    if (status != CAROM_OK) return status;
    carom_toi_result found = {.outcome = CAROM_TOI_NONE, .time = options->duration};
    status = search_part(a, motion_a, part_a, b, motion_b, part_b, options, &found, error);
    if (status != CAROM_OK) return status;
    crm_moving of_a, of_b;
    crm_moving_of(a, part_a, crm_vec3_zero(), a->pose.position, motion_a->velocity, motion_a->spin, &of_a);
    crm_moving_of(b, part_b, crm_vec3_zero(), b->pose.position, motion_b->velocity, motion_b->spin, &of_b);
    carom_view end_a = crm_view_at(&of_a, found.time), end_b = crm_view_at(&of_b, found.time);
    status = carom_gap_find(&end_a, &end_b, NULL, NULL, &found.at, error);
    if (status == CAROM_OK) *out = found;
    return status;
}

carom_status carom_toi_find(const carom_view *a, const carom_motion *motion_a, const carom_view *b,
                            const carom_motion *motion_b, const carom_toi_options *options, carom_toi_result *out,
                            carom_error *error) {
    CRM_NEED(a, error);
    CRM_NEED(b, error);
    CRM_NEED(out, error);
    const carom_motion rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const carom_toi_options usual = carom_toi_options_default();
    if (motion_a == NULL) motion_a = &rest;
    if (motion_b == NULL) motion_b = &rest;
    if (options == NULL) options = &usual;
    *out = (carom_toi_result){.outcome = CAROM_TOI_NONE};
    carom_status status = check_input(a, motion_a, b, motion_b, options, error);
    if (status != CAROM_OK) return status;
    carom_toi_result found = {.outcome = CAROM_TOI_NONE, .time = options->duration};
    status = search_parts(a, motion_a, b, motion_b, options, &found, error);
    if (status != CAROM_OK) return status;
    carom_view end_a = moved_view(a, motion_a, found.time), end_b = moved_view(b, motion_b, found.time);
    status = carom_gap_find(&end_a, &end_b, NULL, NULL, &found.at, error);
    if (status == CAROM_OK) *out = found;
    return status;
}
