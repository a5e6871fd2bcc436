// SPDX-License-Identifier: MIT
// A convex shape, a convex part of a compound, or static geometry, on the way: where it is at a time, how far it
// extends along a direction then, and how far it can ever extend.
#ifndef CRM_DISTANCE_MOVING_VIEW_H
#define CRM_DISTANCE_MOVING_VIEW_H

#include "carom/time_of_impact.h"
#include "distance/side.h"

// About the *pivot*, the position of the body's pose or another point of the body, it only rotates. All vectors have
// the axes of the world.
typedef struct crm_moving {
    carom_view view;       // of the part alone; its attitude is that at time 0
    carom_vec3 arm;        // from the pivot to the part's position at time 0, m
    carom_vec3 start;      // of the pivot, m
    carom_vec3 velocity;   // of the pivot, m/s
    carom_vec3 spin, axis; // rad/s; unit, or zero at rest
    double speed;          // |spin|, rad/s

    // Bounded parts. The core stays in a cylinder about the axis through the pivot, and in a ball about the pivot.
    crm_side side; // at time 0; not to be copied
    int vertex;    // of the core, the last that was farthest
    double low, high, radius, ball_radius;
    // The round part's support function is at most `round_radius`. Its value at a unit vector m has rates of at most
    // |dm/dt| round_lever, and second ones of at least -|d^2m/dt^2| round_lever. See moving_view.c.
    double round_radius, round_lever;
} crm_moving;

// Part number `part` of a view that has been checked, its pivot starting from `start`. The view's position is at `arm`
// from the pivot, m.
void crm_moving_of(const carom_view *view, int part, carom_vec3 arm, carom_vec3 start, carom_vec3 velocity,
                   carom_vec3 spin, crm_moving *out);

// A vector rotated by an angle about a unit axis, or a zero one.
static inline carom_vec3 crm_rotated(carom_vec3 v, carom_vec3 axis, double angle) {
    double c = cos(angle);
    carom_vec3 rotated = crm_madd(crm_scale(c, v), sin(angle), crm_cross(axis, v));
    return crm_madd(rotated, (1.0 - c) * crm_dot(axis, v), axis);
}

// The part at a time.
carom_view crm_view_at(const crm_moving *m, double time);

// How far the part extends beyond its pivot along the unit vector n at a time, m; of a half-space n is its normal then.
double crm_extent_along(crm_moving *m, carom_vec3 n, double time);
// No less than that at any time; infinite for static geometry that rotates.
double crm_most_extent_along(crm_moving *m, carom_vec3 n);

static inline bool crm_is_bounded(const crm_moving *m) {
    carom_shape_kind kind = crm_view_kind(&m->view);
    return kind != CAROM_SHAPE_HALF_SPACE && kind != CAROM_SHAPE_CONTAINER;
}

#endif
