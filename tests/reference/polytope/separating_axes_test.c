// SPDX-License-Identifier: MIT
// Signed distances by enumeration: closed forms, and that moving by the distance makes the bodies touch.
#include "reference/polytope/separating_axes.h"

#include "reference/motion/case_check.h"
#include "reference/polytope/hull.h"
#include "reference/polytope/polytope_cases.h"

static axes_result distance_of(const polytope *a, const polytope *b) {
    axes_result r = {0};
    CHECK(separating_axes_distance(a->count, a->vertices, b->count, b->vertices, &r));
    return r;
}

TEST(hulls_of_boxes_have_six_faces) {
    polytope box = make_box(1, 2, 3, 0.5, 0.25, 2);
    hull h;
    CHECK(hull_build(box.count, box.vertices, 1e-9L, &h));
    CHECK_INT(h.facet_count, 6);
    CHECK_INT(h.edge_count, 12);
}

TEST(boxes_have_known_distances) {
    polytope still = make_box(0, 0, 0, 1, 1, 1), above = make_box(0.3, -0.2, 2.5, 1, 1, 1);
    polytope beside = make_box(3, 4, 0.5, 1, 1, 1), corner = make_box(3, 3, 3, 1, 1, 1),
             inside = make_box(0.5, 0, 0, 1, 1, 1);
    axes_result r = distance_of(&still, &above);
    CHECK_NEAR(r.distance, 0.5, 1e-16);
    CHECK_NEAR(r.normal[2], 1.0, 1e-16);
    CHECK_INT(axes_feature_dimension(r.feature1), 2);
    r = distance_of(&still, &beside);
    CHECK_NEAR(r.distance, sqrt(5.0), 1e-15);
    CHECK_INT(axes_feature_dimension(r.feature1), 1);
    r = distance_of(&still, &corner);
    CHECK_NEAR(r.distance, sqrt(3.0), 1e-15);
    CHECK_INT(axes_feature_dimension(r.feature2), 0);
    r = distance_of(&still, &inside);
    CHECK_NEAR(r.distance, -1.5, 1e-16);
    CHECK_NEAR(r.normal[0], 1.0, 1e-16);
    CHECK_INT(r.equal_normals, 1);
    // In the middle of each other all six ways out are as long, and the points are symmetric.
    r = distance_of(&still, &still);
    CHECK_NEAR(r.distance, -2.0, 1e-16);
    CHECK_INT(r.equal_normals, 6);
    for (int i = 0; i < 3; i++) CHECK_NEAR(r.point1[i], -r.point2[i], 1e-15);
}

// point2 - point1 = distance normal, and body 2 shifted back by it touches.
TEST(shifting_by_the_distance_makes_bodies_touch) {
    sampler s = {.seed = 1};
    int apart = 0;
    double worst = 0.0;
    for (int i = 0; i < 300; i++) {
        polytope a = sample_polytope(&s, 4 + i % 9, 0.7), b = sample_polytope(&s, 4 + i % 13, 0.7);
        axes_result r = distance_of(&a, &b);
        apart += r.distance > 0.0;
        wide3 n = wide3_read(r.normal);
        wide3 step = wide3_along(wide3_sub(wide3_read(r.point2), wide3_read(r.point1)), -r.distance, n);
        note_error(&worst, (double)wide3_norm(step));
        polytope moved = shift_polytope(&b, wide3_scale(-r.distance, n));
        note_error(&worst, fabs(distance_of(&a, &moved).distance));
    }
    CHECK(apart > 50 && apart < 250);
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("%d of 300 apart, worst %.2g\n", apart, worst);
}

TEST(swapping_and_moving_both_changes_nothing) {
    sampler s = {.seed = 2};
    double worst = 0.0;
    for (int i = 0; i < 150; i++) {
        polytope a = sample_polytope(&s, 4 + i % 9, 0.7), b = sample_polytope(&s, 4 + i % 13, 0.7);
        carom_quat q = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 3.0);
        const double rotation[4] = {q.w, q.x, q.y, q.z};
        wide3 to = {shift.x, shift.y, shift.z};
        polytope far_a = move_polytope(&a, rotation, (wide3){0, 0, 0}, to),
                 far_b = move_polytope(&b, rotation, (wide3){0, 0, 0}, to);
        axes_result r = distance_of(&a, &b), swapped = distance_of(&b, &a), far = distance_of(&far_a, &far_b);
        note_error(&worst, fabs(r.distance - swapped.distance));
        note_error(&worst, fabs(r.distance - far.distance));
        double rotated[3];
        wide3_write(wide_rotate(wide_rotation_of(rotation), wide3_read(r.normal)), rotated);
        if (fabs(r.distance) > 1e-3) note_error(&worst, 1e-3 * gap3(rotated, far.normal));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("worst %.2g\n", worst);
}

// Whatever the direction, the gap between support planes is at most the distance: nothing was overlooked.
TEST(no_direction_does_better) {
    sampler s = {.seed = 3};
    for (int i = 0; i < 100; i++) {
        polytope a = sample_polytope(&s, 4 + i % 9, 0.5), b = sample_polytope(&s, 4 + i % 13, 0.5);
        axes_result r = distance_of(&a, &b);
        for (int k = 0; k < 2000; k++) {
            carom_vec3 u = sample_unit(&s);
            double low = INFINITY, high = -INFINITY;
            for (int v = 0; v < a.count; v++)
                high = fmax(high, a.vertices[3 * v] * u.x + a.vertices[3 * v + 1] * u.y + a.vertices[3 * v + 2] * u.z);
            for (int v = 0; v < b.count; v++)
                low = fmin(low, b.vertices[3 * v] * u.x + b.vertices[3 * v + 1] * u.y + b.vertices[3 * v + 2] * u.z);
            CHECK(low - high <= r.distance + 1e-14);
        }
    }
}

TEST_MAIN(CASE(hulls_of_boxes_have_six_faces), CASE(boxes_have_known_distances),
          CASE(shifting_by_the_distance_makes_bodies_touch), CASE(swapping_and_moving_both_changes_nothing),
          CASE(no_direction_does_better))
