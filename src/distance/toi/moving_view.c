// SPDX-License-Identifier: MIT
// An ellipsoid's support function is h = sqrt(m.Qm), m = R^T n. With its smallest half-axis c and C = Q - c^2 it is
// sqrt(c^2 + m.Cm), as |m| = 1, and |m'|^2 + m.m'' = 0, so that
//     h'  = m.Cm'/h <= sqrt(m'.Cm'),    h'' = (m'.Cm' + m.Cm'')/h - (m.Cm')^2/h^3 >= m.Cm''/h >= -sqrt(m''.Cm''),
// by Cauchy-Schwarz and m.Cm <= h^2: round_lever = sqrt(a^2 - c^2) with the largest half-axis a. A ball has none.
#include "distance/toi/moving_view.h"

#include <math.h>

#include "math/quat.h"
#include "math/so3.h"

static void measure_core(crm_moving *m) {
    m->low = INFINITY;
    m->high = -INFINITY;
    for (int i = 0; i < m->side.vertex_count; i++) {
        carom_vec3 r = crm_add(m->arm, crm_mat3_apply(m->side.rotation, m->side.vertex[i]));
        double along = crm_dot(m->axis, r);
        m->low = fmin(m->low, along);
        m->high = fmax(m->high, along);
        m->radius = fmax(m->radius, crm_length(crm_cross(m->axis, r)));
        m->ball_radius = fmax(m->ball_radius, crm_length(r));
    }
}

static void measure_round(crm_moving *m) {
    m->round_radius = m->side.radius;
    if (m->side.roundness != CRM_ELLIPSOID) return;
    carom_vec3 h = m->side.half_axes;
    double least = fmin(h.x, fmin(h.y, h.z)), most = crm_max_component(h);
    m->round_radius = most;
    m->round_lever = sqrt((most - least) * (most + least));
}

void crm_moving_of(const carom_view *view, int part, carom_vec3 arm, carom_vec3 start, carom_vec3 velocity,
                   carom_vec3 spin, crm_moving *out) {
    *out = (crm_moving){.view = *view, .arm = arm, .start = start, .velocity = velocity, .spin = spin, .vertex = -1};
    out->view.has_centre = false;
    out->view.pose.attitude = crm_quat_normalised(view->pose.attitude);
    out->speed = crm_normalise(spin, &out->axis);
    if (crm_view_kind(view) == CAROM_SHAPE_COMPOUND) {
        const crm_part *p = &view->shape->part[part];
        out->arm = crm_add(arm, crm_quat_rotate(out->view.pose.attitude, p->pose.position));
        out->view.pose.attitude = crm_quat_mul(out->view.pose.attitude, p->pose.attitude);
        out->view.shape = p->shape;
    }
    if (!crm_is_bounded(out)) return;
    crm_side_of(&out->view, 0, CRM_FROM_INSIDE, &out->side);
    measure_core(out);
    measure_round(out);
}

carom_view crm_view_at(const crm_moving *m, double time) {
    carom_quat rotation = crm_so3_exp(crm_scale(time, m->spin));
    carom_view view = m->view;
    view.pose.position = crm_add(crm_madd(m->start, time, m->velocity), crm_quat_rotate(rotation, m->arm));
    view.pose.attitude = crm_quat_normalised(crm_quat_mul(rotation, m->view.pose.attitude));
    return view;
}

// The direction is rotated back rather than the body forth.
double crm_extent_along(crm_moving *m, carom_vec3 n, double time) {
    if (!crm_is_bounded(m)) return m->view.shape->offset;
    carom_vec3 back = m->speed > 0.0 ? crm_rotated(n, m->axis, -time * m->speed) : n;
    m->vertex = crm_core_support(&m->side, back, m->vertex);
    carom_vec3 farthest = crm_mat3_apply(m->side.rotation, m->side.vertex[m->vertex]);
    return crm_dot(back, crm_add(m->arm, farthest)) + crm_round_support(&m->side, back, NULL);
}

double crm_most_extent_along(crm_moving *m, carom_vec3 n) {
    if (m->speed == 0.0) return crm_extent_along(m, n, 0.0);
    if (!crm_is_bounded(m)) return INFINITY;
    double along = crm_dot(n, m->axis);
    return fmax(along * m->low, along * m->high) + crm_length(crm_cross(n, m->axis)) * m->radius + m->round_radius;
}
