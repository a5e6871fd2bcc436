// SPDX-License-Identifier: MIT
// Bodies against half-spaces and inside containers: closed forms, support functions in long double, symmetry.
#include "distance/static_geometry.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "reference/polytope/convex_body.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CAPSULE,
                                         CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
enum { KINDS = 5 };

static carom_shape *make(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static carom_shape *half_space_of(carom_vec3 normal, double offset) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space = (carom_half_space){normal, offset};
    return make(&def);
}

static carom_shape *container_of(double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    def.container.radius = radius;
    return make(&def);
}

static carom_gap_witness gap_to(const carom_view *around, const carom_view *body, bool is_a, bool break_ties) {
    crm_side side;
    crm_side_of(body, 0, CRM_FROM_INSIDE, &side);
    crm_static_geometry s = crm_static_geometry_of(around->shape, &around->pose, is_a);
    carom_gap_witness w;
    if (carom_shape_get_kind(around->shape) == CAROM_SHAPE_HALF_SPACE)
        crm_half_space_gap(&s, &side, break_ties, &w);
    else
        crm_container_gap(&s, &side, &w);
    return w;
}

// What both orders must agree on, and what the points promise.
static void check_orders(const carom_gap_witness *first, const carom_gap_witness *second, double size) {
    CHECK_NEAR(second->gap, first->gap, 0.0);
    CHECK_NEAR(crm_distance(second->normal, crm_negate(first->normal)), 0.0, 0.0);
    CHECK_NEAR(crm_distance(second->point_a, first->point_b), 0.0, 0.0);
    CHECK_NEAR(crm_distance(second->point_b, first->point_a), 0.0, 0.0);
    CHECK_NEAR(crm_distance(crm_sub(first->point_b, first->point_a), crm_scale(first->gap, first->normal)), 0.0,
               1e-14 * size);
    CHECK_INT(first->a.vertex_count, 0);
    CHECK_INT(second->b.vertex_count, 0);
    CHECK_INT(first->b.vertex_count, second->a.vertex_count);
}

TEST(half_spaces_see_the_support_function) {
    sampler s = {.seed = 91};
    for (int i = 0; i < 1000; i++) {
        carom_shape *shape = sample_shape(&s, kinds[i % KINDS], 1.0, 100.0);
        carom_shape *floor = half_space_of(sample_unit(&s), sample_between(&s, -1.0, 1.0));
        carom_view body = sample_view(&s, shape, sample_vec3(&s, 3.0)),
                   plane = sample_view(&s, floor, sample_vec3(&s, 3.0));
        carom_gap_witness w = gap_to(&plane, &body, true, true), swapped = gap_to(&plane, &body, false, true);
        check_orders(&w, &swapped, 10.0);
        carom_shape_def def;
        carom_shape_get_def(floor, &def);
        carom_vec3 n = crm_quat_rotate(plane.pose.attitude, def.half_space.normal);
        CHECK_NEAR(crm_distance(w.normal, n), 0.0, 1e-14);
        convex_body wide_body = convex_body_of(&body);
        wide lowest = -convex_body_support(&wide_body, (wide3){-n.x, -n.y, -n.z});
        double offset = def.half_space.offset + crm_dot(n, plane.pose.position);
        CHECK_NEAR(w.gap, (double)lowest - offset, 1e-14 * 10.0);
        CHECK_NEAR(crm_dot(n, w.point_a), offset, 1e-14 * 10.0);
        CHECK(convex_body_excess(&wide_body, &w.b, w.point_b) <= 1e-14L * 10.0L);
        CHECK(w.normal_unique && w.points_unique && w.global && w.accuracy < 1e-13);
        convex_body_free(&wide_body);
        carom_shape_destroy(shape);
        carom_shape_destroy(floor);
    }
}

// Flat on the floor, rotated about the vertical: the mean of what lies on it, with equal weights.
TEST(bodies_that_lie_on_a_floor_are_held_in_their_middle) {
    carom_shape *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0), *box = box_of(2.0, 1.0, 0.5);
    carom_shape *capsule = capsule_of(0.2, 1.0);
    carom_view plane = place(floor, 5.0, 5.0, 0.0);
    for (int i = 0; i < 40; i++) {
        carom_view body = place(box, 1.0, 2.0, 0.3);
        body.pose.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.37 * i);
        carom_gap_witness w = gap_to(&plane, &body, true, true);
        CHECK_NEAR(w.gap, 0.05, 1e-15);
        CHECK_NEAR(crm_distance(w.point_b, crm_vec3(1.0, 2.0, 0.05)), 0.0, 1e-14);
        CHECK_INT(w.b.vertex_count, 4);
        for (int k = 0; k < 4; k++) CHECK_NEAR(w.b.weights[k], 0.25, 1e-15);
        CHECK(!w.points_unique && w.normal_unique);
        CHECK_INT(gap_to(&plane, &body, true, false).b.vertex_count, 1);
        body.pose.attitude = crm_quat_mul(body.pose.attitude, crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.3));
        w = gap_to(&plane, &body, true, true); // on an edge of length 2
        CHECK_INT(w.b.vertex_count, 2);
        CHECK(!w.points_unique);
        body = place(capsule, -1.0, 0.0, 1.0);
        body.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.37 * i),
                                          crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 1.5707963267948966));
        w = gap_to(&plane, &body, true, true);
        CHECK_NEAR(w.gap, 0.8, 1e-15);
        CHECK_NEAR(crm_distance(w.point_b, crm_vec3(-1.0, 0.0, 0.8)), 0.0, 1e-14);
        CHECK(!w.points_unique);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
    carom_shape_destroy(capsule);
}

// Askew by less than what ties are told by, 1e-9 of the size: held in the middle as if it were level, but the gap is
// that of the lowest corner, the points are one over the other, and no corner is below the plane through the body's
// point.
TEST(bodies_that_stand_nearly_level_keep_their_gap) {
    sampler s = {.seed = 95};
    carom_shape *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0), *box = box_of(2.0, 2.0, 2.0);
    carom_shape *hollow = container_of(4.0);
    carom_view plane = place(floor, 0.0, 0.0, 0.0), around = place(hollow, 0.0, 0.0, 0.0);
    for (int i = 0; i < 100; i++) {
        bool tie = i % 2 == 0;
        double askew = pow(10.0, tie ? sample_between(&s, -13.0, -9.5) : sample_between(&s, -8.5, -5.0));
        carom_view body = place(box, 0.5, 0.25, 1.5);
        body.pose.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), askew);
        carom_gap_witness w = gap_to(&plane, &body, true, true), one = gap_to(&plane, &body, true, false);
        CHECK_INT(w.b.vertex_count, tie ? 4 : 2);
        CHECK(!w.points_unique && w.gap == one.gap);
        CHECK_NEAR(w.gap, 1.5 - cos(askew) - sin(askew), 1e-15);
        CHECK_NEAR(w.point_b.z, w.gap, 1e-15);
        CHECK_NEAR(crm_distance(crm_sub(w.point_b, w.point_a), crm_scale(w.gap, w.normal)), 0.0, 1e-15);
        CHECK_NEAR(w.point_b.y, tie ? 0.25 : -0.75, 2.0 * askew);
        // In a container the corners on one side are farther out.
        body.pose.position = crm_vec3(0.0, 0.0, 1.0);
        w = gap_to(&around, &body, true, true);
        double far = sqrt(3.0 + 1.0 + 2.0 * (cos(askew) + sin(askew))); // |corner|^2 + 1 + 2 z of the highest corner
        CHECK_NEAR(w.gap, 4.0 - far, 1e-14);
        CHECK_NEAR(crm_distance(crm_sub(w.point_b, w.point_a), crm_scale(w.gap, w.normal)), 0.0, 1e-14);
        CHECK(!w.normal_unique && w.points_unique);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
    carom_shape_destroy(hollow);
}

// A direction along or into the half-space is refused, whether the body is apart or not: the normal is all there is.
TEST(directions_that_do_not_leave_a_half_space_miss) {
    sampler s = {.seed = 96};
    carom_shape *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0), *ball = sphere_of(0.5);
    for (int i = 0; i < 100; i++) {
        carom_view plane = sample_view(&s, floor, sample_vec3(&s, 2.0)), body = place(ball, 0.0, 0.0, 0.0);
        carom_vec3 up = crm_quat_rotate(plane.pose.attitude, crm_vec3(0.0, 0.0, 1.0));
        body.pose.position = crm_madd(plane.pose.position, sample_between(&s, -1.0, 2.0), up);
        bool is_a = i % 2 == 0;
        carom_vec3 normal = is_a ? up : crm_negate(up), d = sample_unit(&s);
        double along = crm_dot(d, normal);
        carom_distance_options options = carom_distance_options_default();
        options.has_direction = true;
        options.direction = crm_scale(3.0, along > 0.0 ? crm_madd(d, -2.0 * along, normal) : d);
        carom_ray_witness w;
        CHECK_INT(carom_ray_find(is_a ? &plane : &body, is_a ? &body : &plane, &options, NULL, &w, NULL), CAROM_OK);
        CHECK_INT(w.outcome, CAROM_RAY_MISSES);
        CHECK_NEAR(crm_distance(w.normal, normal), 0.0, 1e-15);
        CHECK_NEAR(crm_distance(w.beta, crm_scale(1.0 / 3.0, options.direction)), 0.0, 1e-14);
        CHECK(isnan(w.value) && isnan(w.plane_gap) && isnan(w.rho));
        options.direction = crm_negate(options.direction);
        CHECK_INT(carom_ray_find(is_a ? &plane : &body, is_a ? &body : &plane, &options, NULL, &w, NULL), CAROM_OK);
        CHECK_INT(w.outcome, CAROM_RAY_MEETS);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(ball);
}

TEST(rays_to_half_spaces_run_along_the_normal_or_a_given_direction) {
    sampler s = {.seed = 92};
    for (int i = 0; i < 300; i++) {
        carom_shape *shape = sample_shape(&s, kinds[i % KINDS], 1.0, 10.0);
        carom_shape *floor = half_space_of(sample_unit(&s), 0.3);
        carom_view body = sample_view(&s, shape, sample_vec3(&s, 3.0)), plane = place(floor, 0.0, 0.0, 0.0);
        bool is_a = i % 2 == 0;
        crm_side side;
        crm_side_of(&body, 0, CRM_FROM_VIEW, &side);
        crm_static_geometry around = crm_static_geometry_of(floor, &plane.pose, is_a);
        carom_gap_witness gap = gap_to(&plane, &body, is_a, true);
        carom_ray_witness w;
        CHECK(crm_half_space_ray(&around, &side, NULL, true, &w));
        CHECK_INT(w.outcome, CAROM_RAY_MEETS);
        CHECK_NEAR(w.value, gap.gap, 0.0);
        CHECK_NEAR(crm_distance(w.alpha, gap.normal), 0.0, 0.0);
        CHECK_NEAR(crm_distance(w.point_a, gap.point_a) + crm_distance(w.point_b, gap.point_b), 0.0, 1e-14);
        carom_vec3 beta = sample_unit(&s);
        bool towards = crm_dot(beta, gap.normal) > 0.0;
        CHECK(crm_half_space_ray(&around, &side, &beta, true, &w) == towards);
        if (towards) {
            // Moved by the value along the direction, the body just touches.
            carom_view touching = body;
            touching.pose.position = crm_madd(body.pose.position, is_a ? -w.value : w.value, beta);
            CHECK_NEAR(gap_to(&plane, &touching, is_a, true).gap, 0.0, 1e-14 * (1.0 + fabs(w.value)));
            CHECK_NEAR(crm_distance(crm_sub(w.point_b, w.point_a), crm_scale(w.value, beta)), 0.0,
                       1e-14 * (1.0 + fabs(w.value)));
            CHECK_NEAR(crm_dot(w.alpha, beta), 1.0, 1e-14);
        }
        carom_shape_destroy(shape);
        carom_shape_destroy(floor);
    }
}

// The farthest point by trying all vertices, and directions.
TEST(containers_keep_the_farthest_point) {
    sampler s = {.seed = 93};
    for (int i = 0; i < 600; i++) {
        carom_shape *shape = sample_shape(&s, kinds[i % KINDS], 1.0, 10.0), *hollow = container_of(2.0);
        carom_view around = sample_view(&s, hollow, sample_vec3(&s, 3.0));
        carom_view body = sample_view(&s, shape, crm_add(around.pose.position, sample_vec3(&s, 1.0)));
        carom_gap_witness swapped = gap_to(&around, &body, false, true), w = gap_to(&around, &body, true, true);
        check_orders(&w, &swapped, 10.0);
        convex_body wide_body = convex_body_of(&body);
        CHECK(convex_body_excess(&wide_body, &w.b, w.point_b) <= 1e-13L);
        CHECK_NEAR(crm_distance(w.point_a, around.pose.position), 2.0, 1e-14);
        CHECK_NEAR(2.0 - crm_distance(w.point_b, around.pose.position), w.gap, 1e-14);
        CHECK_NEAR(crm_distance(crm_madd(around.pose.position, -2.0, w.normal), w.point_a), 0.0, 1e-14);
        // The body lies in the ball of radius 2 - gap: its support function is nowhere larger.
        for (int k = 0; k < 200; k++) {
            carom_vec3 u = sample_unit(&s);
            wide support = convex_body_support(&wide_body, (wide3){u.x, u.y, u.z});
            CHECK((double)support - crm_dot(u, around.pose.position) <= 2.0 - w.gap + 1e-14);
        }
        CHECK(w.normal_unique && w.global);
        convex_body_free(&wide_body);
        carom_shape_destroy(shape);
        carom_shape_destroy(hollow);
    }
}

TEST(symmetric_bodies_in_containers_are_not_unique) {
    carom_shape *hollow = container_of(3.0), *ball = sphere_of(1.0), *box = box_of(2.0, 2.0, 1.0);
    carom_shape *capsule = capsule_of(0.5, 2.0), *egg = ellipsoid_of(1.0, 0.5, 0.25);
    carom_view around = place(hollow, 1.0, 0.0, 0.0), body = place(ball, 1.0, 0.0, 0.0);
    const carom_shape *shapes[] = {ball, box, capsule, egg};
    const double gaps[] = {2.0, 3.0 - 1.5, 1.5, 2.0};
    for (int i = 0; i < 4; i++) {
        body.shape = shapes[i];
        carom_gap_witness w = gap_to(&around, &body, false, true);
        CHECK_NEAR(w.gap, gaps[i], 1e-14);
        CHECK_NEAR(crm_length(w.normal), 1.0, 1e-14);
        CHECK(!w.normal_unique && w.points_unique); // each of the normals has its one point
    }
    body = place(ball, 1.0, 1.5, 0.0);
    carom_gap_witness w = gap_to(&around, &body, false, true);
    CHECK_NEAR(w.gap, 0.5, 1e-15);
    CHECK_NEAR(crm_distance(w.normal, crm_vec3(0.0, 1.0, 0.0)), 0.0, 1e-15);
    CHECK(w.normal_unique);
    body = place(box, 1.0, 0.0, 3.0); // pokes through by half a face
    w = gap_to(&around, &body, false, true);
    CHECK_NEAR(w.gap, 3.0 - sqrt(12.25 + 2.0), 1e-14);
    CHECK(!w.normal_unique);
    CHECK_INT(w.a.vertex_count, 1);
    carom_shape_destroy(hollow);
    carom_shape_destroy(ball);
    carom_shape_destroy(box);
    carom_shape_destroy(capsule);
    carom_shape_destroy(egg);
}

// The contact row is the gradient: with respect to the body and to the static geometry.
TEST(gradient_is_the_normal_at_the_points) {
    sampler s = {.seed = 94};
    const double h = 1e-6;
    for (int i = 0; i < 300; i++) {
        carom_shape *shape = sample_shape(&s, kinds[i % KINDS], 1.0, 3.0);
        carom_shape *around_shape = i % 2 == 0 ? half_space_of(sample_unit(&s), 0.2) : container_of(3.0);
        carom_view around = sample_view(&s, around_shape, crm_vec3_zero());
        carom_view body = sample_view(&s, shape, sample_vec3(&s, 1.0));
        carom_gap_witness w = gap_to(&around, &body, true, true);
        carom_vec3 axis = sample_unit(&s);
        carom_view up = body, down = body;
        up.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, h), body.pose.attitude);
        down.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, -h), body.pose.attitude);
        double slope = (gap_to(&around, &up, true, true).gap - gap_to(&around, &down, true, true).gap) / (2.0 * h);
        CHECK_NEAR(slope, crm_dot(axis, crm_cross(crm_sub(w.point_b, body.pose.position), w.normal)), 1e-7);
        up = down = around;
        up.pose.position = crm_scale(h, axis);
        down.pose.position = crm_scale(-h, axis);
        slope = (gap_to(&up, &body, true, true).gap - gap_to(&down, &body, true, true).gap) / (2.0 * h);
        CHECK_NEAR(slope, -crm_dot(axis, w.normal), 1e-7);
        carom_shape_destroy(shape);
        carom_shape_destroy(around_shape);
    }
}

TEST_MAIN(CASE(half_spaces_see_the_support_function), CASE(bodies_that_lie_on_a_floor_are_held_in_their_middle),
          CASE(bodies_that_stand_nearly_level_keep_their_gap), CASE(directions_that_do_not_leave_a_half_space_miss),
          CASE(rays_to_half_spaces_run_along_the_normal_or_a_given_direction), CASE(containers_keep_the_farthest_point),
          CASE(symmetric_bodies_in_containers_are_not_unique), CASE(gradient_is_the_normal_at_the_points))
