// SPDX-License-Identifier: MIT
#include "support/geometry/moving_pairs.h"

#include <math.h>

#include "math/quat.h"
#include "shape/shape.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

static random_body sample_body(sampler *s, body_kind kind) {
    static const carom_shape_kind kinds[] = {[BODY_SPHERE] = CAROM_SHAPE_SPHERE,
                                             [BODY_ELLIPSOID] = CAROM_SHAPE_ELLIPSOID,
                                             [BODY_BOX] = CAROM_SHAPE_BOX,
                                             [BODY_CAPSULE] = CAROM_SHAPE_CAPSULE,
                                             [BODY_POLYTOPE] = CAROM_SHAPE_POLYTOPE,
                                             [BODY_HALF_SPACE] = CAROM_SHAPE_HALF_SPACE,
                                             [BODY_CONTAINER] = CAROM_SHAPE_CONTAINER};
    random_body b = {.size = INFINITY};
    if (kind == BODY_VERTICES) {
        for (int i = 0; i < 8; i++) b.vertex[i] = sample_vec3(s, 0.5);
        b.size = 0.87;
    } else if (kind == BODY_HALF_SPACE || kind == BODY_CONTAINER) {
        carom_shape_def def = carom_shape_def_default(kinds[kind]);
        if (kind == BODY_CONTAINER) def.container.radius = sample_between(s, 2.0, 4.0);
        carom_error error;
        if (carom_shape_create(&def, NULL, &b.shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    } else {
        b.shape = sample_shape(s, kinds[kind], 0.5, 4.0);
        b.size = b.shape->bounding_radius + crm_length(b.shape->centre);
    }
    return b;
}

static carom_view view_of(const random_body *b, carom_vec3 position, carom_quat attitude) {
    carom_view view = b->shape != NULL ? carom_view_of(b->shape, (carom_pose){position, attitude})
                                       : carom_view_of_vertices(8, b->vertex);
    view.pose = (carom_pose){position, attitude};
    return view;
}

// Right angles and a little more: faces, edges and axes are nearly parallel.
static carom_quat nearly_aligned(sampler *s, double angle) {
    carom_quat q = crm_quat_identity();
    const carom_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++)
        q = crm_quat_mul(crm_quat_from_axis_angle(axes[i], 0.5 * acos(-1.0) * (int)sample_between(s, 0.0, 4.0)), q);
    return crm_quat_normalised(crm_quat_mul(crm_quat_from_axis_angle(sample_unit(s), angle), q));
}

static carom_vec3 along_an_axis(sampler *s, double length, double aside) {
    carom_vec3 v = sample_vec3(s, aside);
    double signed_length = sample_between(s, 0.0, 1.0) < 0.5 ? length : -length;
    return crm_with_component(v, (int)sample_between(s, 0.0, 3.0), signed_length);
}

// B is moved towards A until it has the gap.
bool make_moving_pair(sampler *s, body_kind kind_a, body_kind kind_b, double share, bool aligned, moving_pair *t) {
    t->of_a = sample_body(s, kind_a);
    t->of_b = sample_body(s, kind_b);
    t->small = fmin(t->of_a.size, t->of_b.size);
    t->duration = 0.01;
    double r = share * t->small, h = t->duration, tilt = 2.0 * share;
    bool inside = kind_a == BODY_CONTAINER || kind_b == BODY_CONTAINER;
    carom_vec3 from = aligned ? along_an_axis(s, 4.0, 0.4) : crm_scale(4.0, sample_unit(s)), towards;
    if (kind_a == BODY_HALF_SPACE) from = crm_vec3(0.0, 0.0, 4.0);
    if (kind_b == BODY_HALF_SPACE) from = crm_vec3(0.0, 0.0, -4.0);
    if (inside) from = crm_scale(0.1, from);
    crm_normalise(from, &towards);
    if (!inside) towards = crm_negate(towards);
    carom_quat rotation_a = aligned ? nearly_aligned(s, tilt * sample_between(s, 0.0, 1.0)) : sample_attitude(s);
    carom_quat rotation_b = aligned ? nearly_aligned(s, tilt * sample_between(s, 0.0, 1.0)) : sample_attitude(s);
    if (kind_a == BODY_HALF_SPACE) rotation_a = crm_quat_identity();
    if (kind_b == BODY_HALF_SPACE) rotation_b = crm_quat_identity();
    t->a = (moving_body){.view = view_of(&t->of_a, crm_vec3_zero(), rotation_a)};
    t->b = (moving_body){.view = view_of(&t->of_b, from, rotation_b)};

    carom_toi_options until = carom_toi_options_default();
    until.duration = 8.0;
    until.gap = r * sample_between(s, 0.01, 1.0);
    carom_motion approach = {.velocity = towards};
    carom_toi_result near;
    carom_error error;
    if (carom_toi_find(&t->a.view, NULL, &t->b.view, &approach, &until, &near, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    if (near.outcome != CAROM_TOI_FOUND) return false;
    t->b.view.pose.position = crm_madd(from, near.time, towards);
    t->a.motion.velocity = crm_scale(0.25 * r / h, sample_unit(s));
    t->b.motion.velocity = crm_madd(crm_scale(0.25 * r / h, sample_unit(s)), -0.4 * r / h, near.at.normal);
    if (kind_a < BODY_HALF_SPACE) t->a.motion.spin = crm_scale(r / h / t->of_a.size, sample_unit(s));
    if (kind_b < BODY_HALF_SPACE) t->b.motion.spin = crm_scale(r / h / t->of_b.size, sample_unit(s));
    double rotated_a = kind_a < BODY_HALF_SPACE ? crm_length(t->a.motion.spin) * t->of_a.size : 0.0;
    double rotated_b = kind_b < BODY_HALF_SPACE ? crm_length(t->b.motion.spin) * t->of_b.size : 0.0;
    t->a.margin = h * (crm_length(t->a.motion.velocity) + rotated_a);
    t->b.margin = h * (crm_length(t->b.motion.velocity) + rotated_b);
    return true;
}

void free_moving_pair(moving_pair *t) {
    carom_shape_destroy(t->of_a.shape);
    carom_shape_destroy(t->of_b.shape);
}
