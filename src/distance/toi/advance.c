// SPDX-License-Identifier: MIT
#include "distance/toi/advance.h"

#include <math.h>

// Separations are evaluated at a tenth of what a query costs.
enum { SEPARATIONS = 100 };
// A direction that rotates is followed so far, rad: its limits grow with the way that the bodies go meanwhile.
static const double farthest_rotation = 1.0;
// A separation that has fallen to this share is not worth more evaluations before the next query.
static const double coarse = 0.05;

double crm_face(crm_approach *p, const carom_gap_witness *w, double time) {
    const crm_moving *around = crm_static_geometry_in(p);
    if (crm_is_container(around)) return w->gap - p->target;
    p->normal = w->normal;
    crm_rotate_with(p, around != NULL ? around->spin : crm_vec3_zero());
    p->since = time;
    return crm_separation(p, time);
}

// How much may be left at the end of a step from `left`: the gap there is of second order, and asked for again.
static double allowance(const crm_approach *p, double left) {
    return fmax(crm_gap_uncertainty(p, 0.0), left * fmin(coarse, coarse * left / p->size));
}

// The first zero along a direction that goes with the features, from a time before which there is no touch.
static crm_first_root follow(crm_approach *p, carom_vec3 spin, crm_first_root root, double allowed, double end) {
    crm_rotate_with(p, spin);
    double left = crm_separation(p, root.time), horizon = fmin(end, root.time + farthest_rotation / p->speed);
    if (left <= allowed) return root;
    crm_limited f = crm_along_direction(p, root.time, horizon);
    f.accept = allowed;
    root = crm_find_first_root(&f, root.time, left, horizon, SEPARATIONS);
    root.free = root.free && horizon == end;
    return root;
}

crm_first_root crm_advance(crm_approach *p, const carom_gap_witness *w, double left, double time, double end) {
    const crm_moving *around = crm_static_geometry_in(p);
    bool inside = crm_is_container(around);
    carom_vec3 spin = around != NULL ? crm_vec3_zero() : crm_spin_of_features(p, w);
    bool follows = crm_length_squared(spin) > 0.0;
    crm_limited f = inside ? crm_in_container(p, time) : crm_along_direction(p, time, end);
    f.accept = around != NULL ? crm_gap_uncertainty(p, 0.0) : follows ? coarse * left : allowance(p, left);
    crm_first_root root = crm_find_first_root(&f, time, left, end, inside ? p->limit - p->queries : SEPARATIONS);
    return follows && !root.free ? follow(p, spin, root, allowance(p, left), end) : root;
}
