// SPDX-License-Identifier: MIT
// What velocities add to the accelerations of touching points. With the velocities of bodies kept,
//
//   u' = w_b x (p' - v_b) - w_a x (p' - v_a),   (n.u)' = n.u' + n'.u
//
// p' being how fast the place of the touch goes (not a point of a body: where bodies roll it wanders over both), and n'
// how fast its normal rotates.
#include <math.h>

#include "math/quat.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

typedef struct geometry_rate {
    carom_vec3 point, normal; // derivatives
} geometry_rate;

static carom_vec3 velocity_at(const crm_motion *m, crm_vec6 twist, carom_vec3 point) {
    return crm_add(twist.linear, crm_cross(twist.angular, crm_sub(point, m->x)));
}

// The middle of the two points, from the one on the body whose outside `outward` leads to: `outward` away from the
// other body, its derivative, and how fast the point goes.
static geometry_rate in_middle(const crm_touch *t, bool body_is_a, carom_vec3 outward, carom_vec3 rotation_rate,
                               carom_vec3 point_rate) {
    double opening = crm_dot(t->geometry.normal, t->velocity);
    carom_vec3 rate = crm_madd(crm_madd(point_rate, -0.5 * opening, outward), -0.5 * t->geometry.gap, rotation_rate);
    return (geometry_rate){rate, body_is_a ? crm_negate(rotation_rate) : rotation_rate};
}

static geometry_rate of_ball(const crm_impulse_events *e, const crm_touch *t) {
    int ball = t->ball_in_a ? t->a : t->b, other = t->ball_in_a ? t->b : t->a;
    const crm_motion *m = &e->motions[ball], *o = &e->motions[other];
    carom_vec3 outward = t->ball_in_a ? crm_negate(t->geometry.normal) : t->geometry.normal;
    carom_vec3 centre = crm_add(m->x, crm_quat_rotate(m->q, t->ball_in_a ? t->at_a : t->at_b));
    carom_vec3 centre_rate = velocity_at(m, e->twist[ball], centre), rotation_rate;
    if (t->kind == CRM_TOUCH_PLANE) {
        rotation_rate = crm_cross(e->twist[other].angular, outward);
    } else {
        carom_vec3 middle = crm_add(o->x, crm_quat_rotate(o->q, t->ball_in_a ? t->at_b : t->at_a));
        carom_vec3 way = crm_sub(velocity_at(o, e->twist[other], middle), centre_rate);
        double distance = crm_distance(middle, centre);
        rotation_rate = distance > 0.0 ? crm_scale(1.0 / distance, crm_madd(way, -crm_dot(way, outward), outward))
                                       : crm_vec3_zero();
    }
    return in_middle(t, t->ball_in_a, outward, rotation_rate, crm_madd(centre_rate, -t->radius, rotation_rate));
}

static const carom_shape *shape_of(const crm_impulse_events *e, int body) {
    return e->model->shapes.items[e->model->bodies.items[body].def.shape.index].shape;
}

// docs/math.md 4.3: k = x - Q n/h, h = sqrt(n.Q n), with Q' = [w]x Q - Q [w]x.
static geometry_rate of_ellipsoid(const crm_impulse_events *e, const crm_touch *t, bool ellipsoid_is_a) {
    int body = ellipsoid_is_a ? t->a : t->b, plane = ellipsoid_is_a ? t->b : t->a;
    const crm_motion *m = &e->motions[body];
    carom_vec3 outward = ellipsoid_is_a ? crm_negate(t->geometry.normal) : t->geometry.normal;
    carom_vec3 rotation_rate = crm_cross(e->twist[plane].angular, outward), spin = e->twist[body].angular;
    carom_body_state own = crm_motion_to_body_state(&e->model->bodies.items[body], m);
    carom_vec3 a = shape_of(e, body)->half_axes, squares = crm_vec3_mul(a, a);
    carom_vec3 seen = crm_sub(rotation_rate, crm_cross(spin, outward)); // how n rotates, seen from the body
    carom_vec3 qn =
        crm_quat_rotate(own.attitude, crm_vec3_mul(squares, crm_quat_rotate_inverse(own.attitude, outward)));
    carom_vec3 qn_rate =
        crm_quat_rotate(own.attitude, crm_vec3_mul(squares, crm_quat_rotate_inverse(own.attitude, seen)));
    double h = sqrt(crm_dot(outward, qn)), h_rate = crm_dot(qn, seen) / h;
    carom_vec3 rate = velocity_at(m, e->twist[body], own.position);
    rate = crm_madd(rate, -1.0 / h, crm_add(crm_cross(spin, qn), qn_rate));
    return in_middle(t, ellipsoid_is_a, outward, rotation_rate, crm_madd(rate, h_rate / (h * h), qn));
}

// ---- by differences

static crm_motion moved(const crm_motion *m, crm_vec6 twist, double time) {
    crm_motion out = *m;
    out.x = crm_madd(m->x, time, twist.linear);
    out.q = crm_quat_step(m->q, twist.angular, time);
    return out;
}

// Over four places, exact to the fourth order. A rotation of this many rad, or as much of the size, leaves 1e-13 wrong
// by truncation and 1e-12 by rounding.
static const double difference_angle = 5e-4;

static geometry_rate by_differences(const crm_impulse_events *e, const crm_touch *t) {
    const crm_motion *a = &e->motions[t->a], *b = &e->motions[t->b];
    crm_vec6 twist_a = e->twist[t->a], twist_b = e->twist[t->b];
    double size = INFINITY; // of the body that the touch is nearer to the centre of
    if (e->model->graph.link_of_body[t->a] >= 0) size = fmin(size, crm_distance(t->geometry.point, a->x));
    if (e->model->graph.link_of_body[t->b] >= 0) size = fmin(size, crm_distance(t->geometry.point, b->x));
    double rotation_rate = fmax(crm_length(twist_a.angular), crm_length(twist_b.angular));
    double sliding = size > 0.0 ? crm_distance(twist_a.linear, twist_b.linear) / size : 0.0;
    geometry_rate rate = {crm_vec3_zero(), crm_vec3_zero()};
    if (!(rotation_rate + sliding > 0.0)) return rate;
    double step = difference_angle / (rotation_rate + sliding);
    static const double weight[2] = {8.0 / 12.0, -1.0 / 12.0};
    crm_touch trial = *t; // its cache is another one
    for (int k = 0; k < 2; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double time = sign * (k + 1) * step, factor = sign * weight[k] / step;
            crm_motion at_a = moved(a, twist_a, time), at_b = moved(b, twist_b, time);
            crm_contact_point geometry = crm_touch_evaluate(e->model, &trial, &at_a, &at_b);
            rate.point = crm_madd(rate.point, factor, geometry.point);
            rate.normal = crm_madd(rate.normal, factor, geometry.normal);
        }
    }
    return rate;
}

static geometry_rate rate_of(const crm_impulse_events *e, const crm_touch *t) {
    if (t->kind == CRM_TOUCH_PLANE || t->kind == CRM_TOUCH_WALL) return of_ball(e, t);
    carom_shape_kind a = shape_of(e, t->a)->kind, b = shape_of(e, t->b)->kind;
    if (a == CAROM_SHAPE_ELLIPSOID && b == CAROM_SHAPE_HALF_SPACE) return of_ellipsoid(e, t, true);
    if (b == CAROM_SHAPE_ELLIPSOID && a == CAROM_SHAPE_HALF_SPACE) return of_ellipsoid(e, t, false);
    return by_differences(e, t);
}

void crm_touch_products(const crm_impulse_events *e, const crm_touch *t, double *normal, carom_vec3 *velocity) {
    geometry_rate rate = rate_of(e, t);
    crm_vec6 a = e->twist[t->a], b = e->twist[t->b];
    *velocity = crm_sub(crm_cross(b.angular, crm_sub(rate.point, b.linear)),
                        crm_cross(a.angular, crm_sub(rate.point, a.linear)));
    *normal = crm_dot(t->geometry.normal, *velocity) + crm_dot(rate.normal, t->velocity);
}
