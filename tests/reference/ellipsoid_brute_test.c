// SPDX-License-Identifier: MIT
// The dense search for the distance of ellipsoids, and the ball method, against stored cases and each other.
#include "reference/ellipsoid_brute.h"

#include "reference/ball_method.h"
#include "reference/ellipsoid_cases.h"

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
    judge_error(c->id, "ball method", fabs(ball.distance - oracle_number(c->expected, "distance")), 1e-12 * size,
                &worst->ball);
}

static void check_case(const json_t *file, const oracle_case *c, worst_errors *worst) {
    const json_t *e = c->expected;
    ellipsoid e1 = read_ellipsoid(c->input, "c1", "a1", "q1"), e2 = read_ellipsoid(c->input, "c2", "a2", "q2");
    double size = case_size(&e1, &e2);
    ellipsoid_result r;
    ellipsoid_brute_distance(&e1, &e2, 1000, &r);
    judge_error(c->id, "distance", fabs(r.distance - oracle_number(e, "distance")),
                size * oracle_tolerance(file, "distance"), &worst->distance);
    worst->several += r.maxima > 1;
    if (oracle_bool(e, "normal_unique")) {
        double normal = fmax(oracle_tolerance(file, "normal"), 1e-14 * size * oracle_number(e, "normal_sensitivity"));
        double point = fmax(oracle_tolerance(file, "points"), 1e-14 * size * oracle_number(e, "point_sensitivity"));
        judge_error(c->id, "normal", oracle_gap(e, "normal", r.normal, 3), normal, &worst->normal);
        judge_error(c->id, "point 1", oracle_gap(e, "point1", r.point1, 3), size * point, &worst->points);
        judge_error(c->id, "point 2", oracle_gap(e, "point2", r.point2, 3), size * point, &worst->points);
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

TEST_MAIN(CASE(stored_cases_agree))
