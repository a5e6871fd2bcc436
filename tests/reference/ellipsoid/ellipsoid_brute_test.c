// SPDX-License-Identifier: MIT
// The dense search for the distance of ellipsoids, and the ball method, against stored cases and each other.
#include "reference/ellipsoid/ellipsoid_brute.h"

#include "reference/ellipsoid/ellipsoid_cases.h"
#include "reference/motion/ball_method.h"

typedef struct worst_errors {
    double distance, normal, points, ball;
    int several, apart, ball_iterations;
} worst_errors;

static double case_size(const ellipsoid *e1, const ellipsoid *e2) {
    double size = fmax(ellipsoid_size(e1), ellipsoid_size(e2));
    return fmax(1.0, fmax(size, distance_between(e1->centre, e2->centre)));
}

// Apart by more than the certificate can see, the ball method must find the same points.
static void check_ball(const oracle_case *c, const ellipsoid *e1, const ellipsoid *e2, const ellipsoid_result *r,
                       double size, worst_errors *worst) {
    ball_result ball;
    ball_method_distance(e1, e2, 1e-14, 3000000, &ball);
    if (r->distance < -1e-9 * size) {
        CHECK(ball.status != BALL_CONVERGED);
        return;
    }
    if (r->distance < 1e-6 * size) return;
    worst->apart++;
    CHECK_INT(ball.status, BALL_CONVERGED);
    if (ball.iterations > worst->ball_iterations) worst->ball_iterations = ball.iterations;
    case_error(c->id, "ball method", fabs(ball.distance - oracle_number(c->expected, "distance")), 1e-12 * size,
               &worst->ball);
}

static void check_case(const json_t *file, const oracle_case *c, worst_errors *worst) {
    const json_t *e = c->expected;
    ellipsoid e1 = read_ellipsoid(c->input, "c1", "a1", "q1"), e2 = read_ellipsoid(c->input, "c2", "a2", "q2");
    double size = case_size(&e1, &e2);
    ellipsoid_result r;
    ellipsoid_brute_distance(&e1, &e2, 1000, &r);
    case_error(c->id, "distance", fabs(r.distance - oracle_number(e, "distance")),
               size * oracle_tolerance(file, "distance"), &worst->distance);
    worst->several += r.maxima > 1;
    if (oracle_bool(e, "normal_unique")) {
        double normal = fmax(oracle_tolerance(file, "normal"), 1e-14 * size * oracle_number(e, "normal_sensitivity"));
        double point = fmax(oracle_tolerance(file, "points"), 1e-14 * size * oracle_number(e, "point_sensitivity"));
        case_error(c->id, "normal", oracle_gap(e, "normal", r.normal, 3), normal, &worst->normal);
        case_error(c->id, "point 1", oracle_gap(e, "point1", r.point1, 3), size * point, &worst->points);
        case_error(c->id, "point 2", oracle_gap(e, "point2", r.point2, 3), size * point, &worst->points);
    }
    if (!CHECK(r.normal_unique == oracle_bool(e, "normal_unique"))) fprintf(stderr, "%s\n", c->id);
    check_ball(c, &e1, &e2, &r, size, worst);
}

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ellipsoid_ellipsoid.json");
    worst_errors worst = {0};
    int count = oracle_count(file);
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        check_case(file, &c, &worst);
    }
    CHECK(count > 0 && worst.several > 0);
    print_message("%d cases, %d of them with several maxima\n", count, worst.several);
    print_message("worst: distance %.2g, normal %.2g, points %.2g; ball method on %d: %.2g, at most %d iterations\n",
                  worst.distance, worst.normal, worst.points, worst.apart, worst.ball, worst.ball_iterations);
    json_decref(file);
}

TEST(balls_are_exact) {
    sampler s = {.seed = 1};
    for (int i = 0; i < 20; i++) {
        ellipsoid a = sample_ellipsoid(&s, 1.0, 1.5), b = sample_ellipsoid(&s, 1.0, 1.5);
        ellipsoid_result r;
        for (int k = 0; k < 3; k++) b.axes[k] = 0.5;
        ellipsoid_brute_distance(&a, &b, 100, &r);
        CHECK_NEAR(r.distance, distance_between(a.centre, b.centre) - 1.5, 1e-15);
        CHECK_INT(r.maxima, 1);
    }
}

static ellipsoid moved(const ellipsoid *e, const double *q, wide3 shift) {
    ellipsoid m = *e;
    const double *p = e->attitude;
    wide3_write(wide3_add(wide_rotate(wide_rotation_of(q), wide3_read(e->centre)), shift), m.centre);
    m.attitude[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
    m.attitude[1] = q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
    m.attitude[2] = q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1];
    m.attitude[3] = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
    return m;
}

TEST(swapping_and_moving_both_changes_nothing) {
    sampler s = {.seed = 2};
    double worst = 0.0;
    for (int i = 0; i < 40; i++) {
        ellipsoid a = sample_ellipsoid(&s, 10.0, 1.0), b = sample_ellipsoid(&s, 10.0, 1.0);
        carom_quat q = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        const double rotation[4] = {q.w, q.x, q.y, q.z};
        wide3 to = {shift.x, shift.y, shift.z};
        ellipsoid far_a = moved(&a, rotation, to), far_b = moved(&b, rotation, to);
        ellipsoid_result r, swapped, far;
        ellipsoid_brute_distance(&a, &b, 300, &r);
        ellipsoid_brute_distance(&b, &a, 300, &swapped);
        ellipsoid_brute_distance(&far_a, &far_b, 300, &far);
        note_error(&worst, fmax(fabs(r.distance - swapped.distance), fabs(r.distance - far.distance)));
        CHECK_INT(r.maxima, swapped.maxima);
        double back[3];
        for (int k = 0; k < 3; k++) back[k] = -swapped.normal[k];
        note_error(&worst, distance_between(back, r.normal));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("worst %.2g\n", worst);
}

// No direction separates more; and a local depth not above a_min^2/a_max of one body plus that of the other is the
// global one, because a ball of that radius rolls inside the difference.
TEST(no_direction_does_better_and_shallow_depths_are_global) {
    sampler s = {.seed = 3};
    int overlapping = 0, several = 0, certified = 0;
    for (int i = 0; i < 60; i++) {
        ellipsoid a = sample_ellipsoid(&s, 10.0, 0.6), b = sample_ellipsoid(&s, 10.0, 0.6);
        wide_ellipsoid wa = ellipsoid_read(&a), wb = ellipsoid_read(&b);
        wide la = ellipsoid_least_axis(&wa), lb = ellipsoid_least_axis(&wb);
        wide shallow = la * la / ellipsoid_largest_axis(&wa) + lb * lb / ellipsoid_largest_axis(&wb);
        ellipsoid_result r;
        ellipsoid_brute_distance(&a, &b, 500, &r);
        for (int k = 0; k < 1000; k++) {
            carom_vec3 u = sample_unit(&s);
            const double n[3] = {u.x, u.y, u.z};
            CHECK(ellipsoid_plane_separation(&a, &b, n) <= r.distance + 1e-15);
        }
        if (r.distance > 0.0) continue;
        overlapping++;
        several += r.maxima > 1;
        certified += -r.distance <= shallow;
        for (int k = 1; k < r.maxima; k++) CHECK(-r.maximum[k] > shallow);
    }
    CHECK(overlapping > 20 && several > 5 && certified > 3);
    print_message("%d overlapping, %d with several maxima, %d certified\n", overlapping, several, certified);
}

TEST(ball_method_agrees_and_sees_overlap) {
    sampler s = {.seed = 4};
    int apart = 0, met = 0;
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        ellipsoid a = sample_ellipsoid(&s, 5.0, 0.9), b = sample_ellipsoid(&s, 5.0, 0.9);
        ellipsoid_result r;
        ball_result ball;
        ellipsoid_brute_distance(&a, &b, 100, &r);
        ball_method_distance(&a, &b, 1e-14, 100000, &ball);
        CHECK((r.distance > 0.0) == (ball.status == BALL_CONVERGED));
        met += ball.status == BALL_OVERLAP;
        if (ball.status != BALL_CONVERGED) continue;
        apart++;
        note_error(&worst, fabs(ball.distance - r.distance));
    }
    CHECK(apart > 10 && met > 10);
    CHECK_NEAR(worst, 0.0, 1e-13);
    print_message("%d apart, %d met a common point, worst %.2g\n", apart, met, worst);
}

TEST_MAIN(CASE(stored_cases_agree), CASE(balls_are_exact), CASE(swapping_and_moving_both_changes_nothing),
          CASE(no_direction_does_better_and_shallow_depths_are_global), CASE(ball_method_agrees_and_sees_overlap))
