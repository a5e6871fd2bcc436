// SPDX-License-Identifier: MIT
// Openings of joints from the poses of their bodies, over the size of the smaller one.
#include <math.h>

#include "math/quat.h"
#include "verdict/independent/independent.h"

static const double most_open = 5e-3; // of the size; rad

// Arm of the joint or twice the radius of gyration, m; infinite for what cannot move.
static double joined_size(const physics *p, int body, carom_vec3 point) {
    if (!can_move(p, body)) return INFINITY;
    const carom_body_def *def = &p->body[body];
    double gyration = def->kind == CAROM_BODY_POINT ? 0.0 : sqrt(0.5 * crm_mat3_trace(def->inertia) / def->mass);
    double size = fmax(crm_distance(point, def->centre), 2.0 * gyration);
    return size > 0.0 ? size : INFINITY;
}

static carom_quat axes_of(const carom_body_state *frame, int body, carom_quat attitude) {
    return body < 0 ? attitude : crm_quat_mul(frame[body].attitude, attitude);
}

static double linear_opening(const carom_joint_def *j, carom_vec3 d) {
    if (j->kind == CAROM_JOINT_DISTANCE) return fabs(crm_length(d) - j->length);
    switch (j->linear_free) {
    case 0:
        return crm_length(d);
    case 1:
        return hypot(d.x, d.y);
    case 2:
        return fabs(d.z);
    default:
        return 0.0;
    }
}

// Of B's axes as A sees them.
static double angular_opening(const carom_joint_def *j, carom_mat3 b) {
    switch (j->kind == CAROM_JOINT_DISTANCE ? 3 : j->angular_free) {
    case 0:
        return acos(fmin(1.0, fmax(-1.0, 0.5 * (crm_mat3_trace(b) - 1.0))));
    case 1:
        return acos(fmin(1.0, fmax(-1.0, b.z.z)));
    case 2:
        return fabs(asin(fmin(1.0, fmax(-1.0, b.x.z))));
    default:
        return 0.0;
    }
}

void find_open_joints(const followed_run *run, const physics *p, finding *f) {
    for (int k = 0; k < run->joints; k++) {
        const carom_joint_def *j = &p->joint[k];
        double size = fmin(joined_size(p, j->a.index, j->point_a), joined_size(p, j->b.index, j->point_b));
        if (j->kind == CAROM_JOINT_DISTANCE) size = j->length;
        for (int64_t i = 0; i < run->frames; i++) {
            const carom_body_state *frame = frame_of(run, i);
            carom_quat a = axes_of(frame, j->a.index, j->attitude_a), b = axes_of(frame, j->b.index, j->attitude_b);
            carom_vec3 d = crm_sub(place_of(frame, j->b.index, j->point_b), place_of(frame, j->a.index, j->point_a));
            d = crm_quat_rotate_inverse(a, d);
            find(f, "joint open, of the smaller size", linear_opening(j, d) / size, most_open);
            carom_mat3 seen = crm_quat_to_mat3(crm_quat_mul(crm_quat_conjugate(a), b));
            find(f, "joint open, rad", angular_opening(j, seen), most_open);
        }
    }
}
