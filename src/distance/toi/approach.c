// SPDX-License-Identifier: MIT
// The limits of a separation s = n.(x_b - x_a) - h_a(n, t) - h_b(-n, t), with the pivots x and the extents h. A vertex
// r about the pivot, or a point of the round part, adds n.r(t), and
//   n at rest     n.r' = r.(n x w),  n.r'' = w x (w x r).n :     fall |n x w| radius,   bend |w| |n x w| radius
//   n rotates, w_n m = R^T n:  |m'| <= |w_n - w|,  |m''| <= |w_n - w| (|w| + |w_n x n|):  times the extent
//                 n.d, d = x_b - x_a:  fall |d'| + |w_n x n| |d|,  bend |w_n x n| (2 |d'| + |w_n| |d|)
// The normal of a half-space rotates with it. For bounded bodies any direction will do: one at rest sees far, one that
// goes with the features that are next to each other sees well. Both are tried. In a container the gap itself has such
// limits: it is R less the largest u.d + h(u, t) over all unit vectors u, each at rest.
#include "distance/toi/approach.h"

#include <float.h>
#include <math.h>

// Positions and rotations are known to some units in the last place.
static const double rounding = 8.0 * DBL_EPSILON;
// Edges with a smaller sine between them have no common normal worth following.
static const double parallel_sine = 1e-3;

// The pivots are half of their distance to either side of the origin, where most digits are left.
void crm_approach_about(crm_approach *p, const carom_view *a, carom_vec3 pivot_a, const carom_motion *motion_a,
                        int part_a, const carom_view *b, carom_vec3 pivot_b, const carom_motion *motion_b, int part_b) {
    carom_vec3 arm_a = crm_sub(a->pose.position, pivot_a), arm_b = crm_sub(b->pose.position, pivot_b);
    p->offset = crm_sub(pivot_b, pivot_a);
    p->velocity = crm_sub(motion_b->velocity, motion_a->velocity);
    crm_moving_of(a, part_a, arm_a, crm_scale(-0.5, p->offset), crm_scale(-0.5, p->velocity), motion_a->spin, &p->a);
    crm_moving_of(b, part_b, arm_b, crm_scale(0.5, p->offset), crm_scale(0.5, p->velocity), motion_b->spin, &p->b);
    const crm_moving *around = crm_static_geometry_in(p);
    p->size = (around == &p->a ? 0.0 : p->a.side.size) + (around == &p->b ? 0.0 : p->b.side.size);
    if (crm_is_container(around)) p->size += around->view.shape->radius;
}

void crm_approach_of(crm_approach *p, const carom_view *a, const carom_motion *motion_a, int part_a,
                     const carom_view *b, const carom_motion *motion_b, int part_b) {
    crm_approach_about(p, a, a->pose.position, motion_a, part_a, b, b->pose.position, motion_b, part_b);
}

carom_gap_witness crm_gap_at(crm_approach *p, double time) {
    carom_view a = crm_view_at(&p->a, time), b = crm_view_at(&p->b, time);
    carom_distance_options options = {.struct_size = sizeof(carom_distance_options), .any_solution = true};
    carom_gap_witness w;
    carom_status status = carom_gap_find(&a, &b, &options, &p->cache, &w, p->error);
    if (p->status == CAROM_OK) p->status = status;
    p->queries++;
    return w;
}

static carom_vec3 offset_at(const crm_approach *p, double time) {
    return crm_madd(p->offset, time, p->velocity);
}

double crm_gap_uncertainty(const crm_approach *p, double time) {
    double rotating =
        p->a.speed * (p->a.ball_radius + p->a.round_radius) + p->b.speed * (p->b.ball_radius + p->b.round_radius);
    return rounding * (p->size + crm_length(p->offset) + time * (crm_length(p->velocity) + rotating));
}

// ---- along a direction

double crm_separation(void *context, double time) {
    crm_approach *p = context;
    carom_vec3 n = p->speed > 0.0 ? crm_rotated(p->normal, p->axis, (time - p->since) * p->speed) : p->normal;
    return crm_dot(n, offset_at(p, time)) - crm_extent_along(&p->a, n, time) -
           crm_extent_along(&p->b, crm_negate(n), time) - p->target;
}

void crm_rotate_with(crm_approach *p, carom_vec3 spin) {
    p->spin = spin;
    p->speed = crm_normalise(spin, &p->axis);
}

static void limit_rotation(const crm_approach *p, const crm_moving *m, crm_limited *f) {
    if (!crm_is_bounded(m)) return;
    if (p->speed > 0.0) {
        double relative = crm_distance(p->spin, m->spin), lever = m->ball_radius + m->round_lever;
        f->fall += relative * lever;
        f->bend += relative * (m->speed + crm_length(crm_cross(p->spin, p->normal))) * lever;
    } else {
        double fall = crm_length(crm_cross(p->normal, m->spin)) * (m->radius + m->round_lever);
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
    return crm_rotated(edge, m->axis, time * m->speed);
}

// The spin of a direction that stays normal to an edge of A and one of B: n'.e = -n.e' = -n.(w x e) for both. With
// e_a x e_b = c n that is n' = (r_a (e_b x n) + r_b (n x e_a))/c. The spin about n itself is free: the mean.
static carom_vec3 spin_of_edges(const crm_approach *p, const carom_gap_witness *w) {
    carom_vec3 n = p->normal, a = edge_of(&p->a, &w->a, p->since), b = edge_of(&p->b, &w->b, p->since);
    double c = crm_dot(n, crm_cross(a, b));
    if (fabs(c) <= parallel_sine * crm_length(a) * crm_length(b)) return p->a.spin;
    double rate_a = crm_dot(n, crm_cross(a, p->a.spin)), rate_b = crm_dot(n, crm_cross(b, p->b.spin));
    carom_vec3 change = crm_scale(1.0 / c, crm_madd(crm_scale(rate_a, crm_cross(b, n)), rate_b, crm_cross(n, a)));
    double about = 0.5 * crm_dot(n, crm_add(p->a.spin, p->b.spin));
    return crm_madd(crm_cross(n, change), about, n);
}

carom_vec3 crm_spin_of_features(const crm_approach *p, const carom_gap_witness *w) {
    int of_a = dimension(&w->a), of_b = dimension(&w->b);
    if (of_a == 0 && of_b == 0) return crm_vec3_zero();
    if (of_a == 1 && of_b == 1) return spin_of_edges(p, w);
    return of_a >= of_b ? p->a.spin : p->b.spin;
}

crm_limited crm_along_direction(crm_approach *p, double time, double end) {
    crm_limited f = {.value = crm_separation, .context = p, .clear = time};
    carom_vec3 n = p->normal;
    double approach = -crm_dot(n, p->velocity);
    if (p->speed > 0.0) {
        double speed = crm_length(p->velocity), sway = crm_length(crm_cross(p->spin, n));
        double distance = fmax(crm_length(offset_at(p, time)), crm_length(offset_at(p, end)));
        f.fall = speed + sway * distance;
        f.bend = sway * (2.0 * speed + p->speed * distance);
    } else {
        f.fall = approach;
        // However they rotate: until what they pass through meets.
        double apart = crm_dot(n, offset_at(p, time)) - crm_most_extent_along(&p->a, n) -
                       crm_most_extent_along(&p->b, crm_negate(n)) - p->target;
        if (apart > 0.0) f.clear = approach > 0.0 ? time + apart / approach : INFINITY;
    }
    limit_rotation(p, &p->a, &f);
    limit_rotation(p, &p->b, &f);
    f.fall = fmax(f.fall, 0.0);
    return f;
}

// ---- in a container

static double room(void *context, double time) {
    crm_approach *p = context;
    return crm_gap_at(p, time).gap - p->target;
}

// When |offset + t velocity| first is `distance` after `time`: `time` when it is more by then.
static double leaving_time(const crm_approach *p, double time, double distance) {
    carom_vec3 d = offset_at(p, time), v = p->velocity;
    double square = crm_length_squared(v), along = crm_dot(d, v);
    double left = (distance - crm_length(d)) * (distance + crm_length(d));
    if (!(distance > 0.0 && left > 0.0)) return time;
    if (square == 0.0) return INFINITY;
    double root = sqrt(along * along + square * left);
    return time + (along > 0.0 ? left / (along + root) : (root - along) / square);
}

crm_limited crm_in_container(crm_approach *p, double time) {
    const crm_moving *around = crm_static_geometry_in(p), *body = around == &p->a ? &p->b : &p->a;
    double by_rotation = body->speed * (body->radius + body->round_lever);
    double clearance = around->view.shape->radius - p->target - body->ball_radius - body->round_radius;
    return (crm_limited){.value = room,
                         .context = p,
                         .fall = crm_length(p->velocity) + by_rotation,
                         .bend = body->speed * by_rotation,
                         .clear = leaving_time(p, time, clearance)};
}
