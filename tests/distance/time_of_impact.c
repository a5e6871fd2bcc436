// SPDX-License-Identifier: MIT
// First touches: closed forms, dense sampling of the gap, invariance.
#include "carom/time_of_impact.h"

#include <float.h>
#include <math.h>

#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

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

static carom_motion moving(carom_vec3 velocity, carom_vec3 spin) {
    return (carom_motion){velocity, spin};
}

static carom_toi_options lasting(double duration) {
    carom_toi_options options = carom_toi_options_default();
    options.duration = duration;
    return options;
}

static carom_toi_result impact(const carom_view *a, carom_motion motion_a, const carom_view *b, carom_motion motion_b,
                               const carom_toi_options *options) {
    carom_toi_result found;
    carom_error error = {0};
    if (carom_toi_find(a, &motion_a, b, &motion_b, options, &found, &error) != CAROM_OK) fail_msg("%s", error.text);
    return found;
}

static carom_view at_time(carom_view view, carom_motion motion, double time) {
    view.pose.position = crm_madd(view.pose.position, time, motion.velocity);
    view.pose.attitude = crm_quat_step(view.pose.attitude, motion.spin, time);
    return view;
}

static double gap_at(const carom_view *a, carom_motion motion_a, const carom_view *b, carom_motion motion_b,
                     double time) {
    carom_view a_then = at_time(*a, motion_a, time), b_then = at_time(*b, motion_b, time);
    carom_gap_witness w;
    CHECK_INT(carom_gap_find(&a_then, &b_then, NULL, NULL, &w, NULL), CAROM_OK);
    return w.gap;
}

// No touch before, and one then, as far as sampling can see.
static bool check_by_sampling(const carom_view *a, carom_motion motion_a, const carom_view *b, carom_motion motion_b,
                              const carom_toi_options *options, const carom_toi_result *found, int samples,
                              double tolerance) {
    bool good = CHECK(found->time >= 0.0 && found->time <= options->duration);
    for (int i = 0; i < samples && found->time > 0.0; i++) {
        double time = found->time * i / samples;
        good = good && CHECK(gap_at(a, motion_a, b, motion_b, time) > options->gap - tolerance);
    }
    double gap = gap_at(a, motion_a, b, motion_b, found->time);
    good &= CHECK_NEAR(found->at.gap, gap, tolerance);
    if (found->outcome == CAROM_TOI_FOUND) good &= CHECK_NEAR(gap, options->gap, tolerance);
    if (found->outcome == CAROM_TOI_NONE) good &= CHECK(gap > options->gap && found->time == options->duration);
    if (found->outcome == CAROM_TOI_AT_START) good &= CHECK(gap <= options->gap + tolerance && found->time == 0.0);
    return good;
}

// How fast the witness points approach, m/s.
static double approach_speed(const carom_view *a, carom_motion motion_a, const carom_view *b, carom_motion motion_b,
                             const carom_toi_result *found) {
    carom_view a_then = at_time(*a, motion_a, found->time), b_then = at_time(*b, motion_b, found->time);
    carom_vec3 of_a =
        crm_add(motion_a.velocity, crm_cross(motion_a.spin, crm_sub(found->at.point_a, a_then.pose.position)));
    carom_vec3 of_b =
        crm_add(motion_b.velocity, crm_cross(motion_b.spin, crm_sub(found->at.point_b, b_then.pose.position)));
    return crm_dot(found->at.normal, crm_sub(of_a, of_b));
}

static const carom_vec3 zero = {0.0, 0.0, 0.0};

// ---- closed forms

// |offset + t velocity| = r_a + r_b + gap.
TEST(spheres_meet_when_their_centres_are_that_close) {
    sampler s = {.seed = 411};
    int met = 0;
    for (int i = 0; i < 1000; i++) {
        double r = sample_between(&s, 0.1, 1.0), q = sample_between(&s, 0.1, 1.0);
        carom_shape *ball = sphere_of(r), *other = sphere_of(q);
        carom_view a = sample_view(&s, ball, sample_vec3(&s, 3.0)), b = sample_view(&s, other, sample_vec3(&s, 3.0));
        carom_motion of_a = moving(sample_vec3(&s, 0.5), sample_vec3(&s, 50.0));
        carom_vec3 towards = crm_sub(a.pose.position, b.pose.position);
        carom_motion of_b = moving(crm_add(towards, sample_vec3(&s, 0.5)), sample_vec3(&s, 50.0));
        carom_toi_options options = lasting(2.0);
        options.gap = i % 2 == 0 ? 0.0 : 0.05;
        carom_toi_result found = impact(&a, of_a, &b, of_b, &options);
        carom_vec3 d = crm_sub(b.pose.position, a.pose.position), v = crm_sub(of_b.velocity, of_a.velocity);
        double sum = r + q + options.gap, along = crm_dot(d, v), square = crm_length_squared(v);
        double left = crm_length_squared(d) - sum * sum, root = along * along - square * left;
        double time = left / (-along + sqrt(fmax(root, 0.0)));
        if (left <= 0.0) {
            CHECK_INT(found.outcome, CAROM_TOI_AT_START);
        } else if (root < 0.0 || along >= 0.0 || time > 2.0) {
            CHECK_INT(found.outcome, CAROM_TOI_NONE);
        } else {
            CHECK_INT(found.outcome, CAROM_TOI_FOUND);
            CHECK_NEAR(found.time, time, 1e-11 / fmin(1.0, sqrt(root)));
            met++;
        }
        CHECK(found.iterations <= 30);
        carom_shape_destroy(ball);
        carom_shape_destroy(other);
    }
    CHECK(met > 100);
}

TEST(spheres_fall_on_floors_and_floors_rotate_up_to_spheres) {
    carom_shape *ball = sphere_of(0.5), *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.25);
    carom_view a = place(floor, 0.0, 0.0, 1.0), b = place(ball, 3.0, 4.0, 7.75);
    carom_toi_options options = lasting(5.0);
    carom_toi_result found =
        impact(&a, moving(crm_vec3(9.0, 0.0, 1.0), zero), &b, moving(crm_vec3(1.0, 2.0, -3.0), zero), &options);
    CHECK_INT(found.outcome, CAROM_TOI_FOUND);
    CHECK_NEAR(found.time, 1.5, 1e-14);
    CHECK_INT(found.iterations, 2);
    CHECK_NEAR(crm_distance(found.at.point_b, crm_vec3(4.5, 7.0, 2.75)), 0.0, 1e-13);
    // n = (sin wt, 0, cos wt) about the pivot: gap = 4 cos wt - 3 sin wt - 0.75 = 5 cos(wt + atan(3/4)) - 0.75.
    a = place(floor, 0.0, 0.0, 0.0);
    b = place(ball, -3.0, 100.0, 4.0);
    carom_motion rotating = moving(zero, crm_vec3(0.0, 0.7, 0.0));
    for (int swapped = 0; swapped < 2; swapped++) {
        found = swapped ? impact(&b, moving(zero, zero), &a, rotating, &options)
                        : impact(&a, rotating, &b, moving(zero, zero), &options);
        CHECK_INT(found.outcome, CAROM_TOI_FOUND);
        CHECK_NEAR(found.time, (acos(0.75 / 5.0) - atan(0.75)) / 0.7, 1e-12);
    }
    // Above the floor, about the same pivot: nothing changes, whatever both do together.
    const carom_vec3 above[] = {{0.0, 0.0, 0.26}, {1.0, 0.0, 0.27}, {0.0, 1.0, 0.28}};
    b = carom_view_of_vertices(3, above);
    rotating = moving(crm_vec3(1.0, 2.0, 3.0), crm_vec3(3.0, 30.0, 300.0));
    found = impact(&a, rotating, &b, rotating, &options);
    CHECK_INT(found.outcome, CAROM_TOI_NONE);
    CHECK_INT(found.iterations, 1);
    carom_shape_destroy(ball);
    carom_shape_destroy(floor);
}

// Height of the lowest corner of a box that falls and rotates, in long double.
static long double lowest_corner(carom_vec3 half, carom_quat q, double height, carom_motion m, long double t) {
    long double w[3] = {m.spin.x, m.spin.y, m.spin.z}, speed = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    long double k[3] = {w[0] / speed, w[1] / speed, w[2] / speed}, lowest = INFINITY;
    for (int i = 0; i < 8; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        carom_vec3 r = crm_quat_rotate(q, corner);
        long double c = cosl(speed * t), along = k[0] * r.x + k[1] * r.y + k[2] * r.z;
        // Rodrigues, the z component.
        long double z = r.z * c + (k[0] * r.y - k[1] * r.x) * sinl(speed * t) + k[2] * along * (1.0L - c);
        lowest = fminl(lowest, z);
    }
    return height + m.velocity.z * t + lowest;
}

TEST(corners_of_tumbling_boxes_hit_the_floor) {
    sampler s = {.seed = 412};
    carom_shape *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0);
    carom_view a = place(floor, 0.0, 0.0, 0.0);
    carom_toi_options options = lasting(2.0);
    int met = 0, iterations = 0;
    for (int i = 0; i < 400; i++) {
        carom_vec3 half = {sample_between(&s, 0.1, 1.0), sample_between(&s, 0.1, 1.0), sample_between(&s, 0.1, 1.0)};
        carom_shape *box = box_of(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
        double height = sample_between(&s, 0.5, 3.0);
        carom_view b = sample_view(&s, box, crm_vec3(0.1, 0.2, height));
        carom_motion m = moving(crm_vec3(1.0, 1.0, sample_between(&s, -2.0, 0.5)), sample_vec3(&s, i % 3 ? 3.0 : 30.0));
        carom_quat q = b.pose.attitude;
        if (lowest_corner(half, q, height, m, 0.0L) <= 1e-9L) {
            carom_shape_destroy(box);
            continue;
        }
        carom_toi_result found = impact(&a, moving(zero, zero), &b, m, &options);
        double speed = approach_speed(&a, moving(zero, zero), &b, m, &found);
        carom_shape_destroy(box);
        iterations += found.iterations;
        long double before = 0.0L, after = 0.0L;
        while (after < 2.0L && lowest_corner(half, q, height, m, after) > 0.0L) {
            before = after;
            after += 1.0L / 4096.0L;
        }
        CHECK(found.outcome == (after < 2.0L ? CAROM_TOI_FOUND : CAROM_TOI_NONE));
        if (after >= 2.0L) continue;
        for (int k = 0; k < 80; k++) {
            long double middle = 0.5L * (before + after);
            if (lowest_corner(half, q, height, m, middle) > 0.0L)
                before = middle;
            else
                after = middle;
        }
        CHECK_NEAR(found.time, (double)before, 1e-13 / fmin(1.0, 0.1 * speed));
        met++;
    }
    CHECK(met > 100);
    CHECK(iterations < 5 * 400);
    carom_shape_destroy(floor);
}

// A needle rotates about z; a thin plate lies along the radius at the angle `theta` from 0.9 m outwards. The needle's
// side meets the plate's inner edge first: 0.9 sin(alpha) - e cos(alpha) = h at the angle alpha before theta.
TEST(spinning_needle_hits_a_thin_plate) {
    const double h = 0.005, e = 0.0005, theta = 2.0, inner = 0.9;
    carom_shape *needle = box_of(2.0, 2.0 * h, 2.0 * h), *plate = box_of(0.6, 2.0 * e, 1.0);
    carom_quat rotation = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), theta);
    carom_view a = place(needle, 0.0, 0.0, 0.0);
    carom_view b = moved_view(place(plate, inner + 0.3, 0.0, 0.0), rotation, zero);
    double alpha = atan2(e, inner) + asin(h / hypot(inner, e));
    for (double speed = 0.1; speed < 2e6; speed *= 10.0) {
        carom_toi_options options = lasting(3.0 / speed);
        carom_toi_result found = impact(&a, moving(zero, crm_vec3(0.0, 0.0, speed)), &b, moving(zero, zero), &options);
        CHECK_INT(found.outcome, CAROM_TOI_FOUND);
        CHECK_NEAR(found.time * speed, theta - alpha, 1e-12);
        // Beyond the needle's end: nothing, after however many revolutions.
        carom_view beyond = moved_view(place(plate, 1.31, 0.0, 0.0), rotation, zero);
        options = lasting(500.0 / speed);
        found = impact(&a, moving(zero, crm_vec3(0.0, 0.0, speed)), &beyond, moving(zero, zero), &options);
        CHECK_INT(found.outcome, CAROM_TOI_NONE);
        CHECK(found.iterations <= 60);
    }
    carom_shape_destroy(needle);
    carom_shape_destroy(plate);
}

// Equal ellipsoids side by side are spheres after a stretch.
TEST(parallel_ellipsoids_are_stretched_spheres) {
    sampler s = {.seed = 413};
    int met = 0;
    for (int i = 0; i < 500; i++) {
        carom_vec3 half = {sample_between(&s, 0.1, 1.0), sample_between(&s, 0.1, 1.0), sample_between(&s, 0.1, 1.0)};
        carom_shape *egg = ellipsoid_of(half.x, half.y, half.z);
        carom_vec3 d = sample_vec3(&s, 2.0), v = crm_add(crm_scale(-1.0, d), sample_vec3(&s, 0.5));
        carom_quat rotation = sample_attitude(&s);
        carom_view a = moved_view(place(egg, 0.0, 0.0, 0.0), rotation, zero);
        carom_view b = moved_view(place(egg, d.x, d.y, d.z), rotation, zero);
        carom_motion of_b = moving(crm_quat_rotate(rotation, v), zero);
        carom_toi_options options = lasting(2.0);
        carom_vec3 inverse = {1.0 / half.x, 1.0 / half.y, 1.0 / half.z};
        d = crm_vec3_mul(inverse, d);
        v = crm_vec3_mul(inverse, v);
        double along = crm_dot(d, v), square = crm_length_squared(v), left = crm_length_squared(d) - 4.0;
        double root = along * along - square * left;
        if (left > 1e-6 && root > 1e-3) {
            carom_toi_result found = impact(&a, moving(zero, zero), &b, of_b, &options);
            CHECK_INT(found.outcome, CAROM_TOI_FOUND);
            CHECK_NEAR(found.time, left / (-along + sqrt(root)), 1e-11);
            met++;
        }
        carom_shape_destroy(egg);
    }
    CHECK(met > 200);
}

TEST(bodies_reach_the_wall_of_a_container) {
    carom_shape *hollow = container_of(4.0), *ball = sphere_of(1.0), *box = box_of(2.0, 4.0, 0.5);
    carom_view around = place(hollow, 1.0, 0.0, 0.0), b = place(ball, 1.0, 0.0, 0.0);
    carom_toi_options options = lasting(4.0);
    // From the centre, which has no normal, and off it: |(0, 1.8, 0) + t (2, 0, 0)| = 3.
    carom_motion m = moving(crm_vec3(2.0, 0.0, 0.0), crm_vec3(100.0, 0.0, 0.0));
    carom_toi_result found = impact(&around, moving(zero, zero), &b, m, &options);
    CHECK_INT(found.outcome, CAROM_TOI_FOUND);
    CHECK_NEAR(found.time, 1.5, 1e-13);
    b.pose.position.y = 1.8;
    found = impact(&b, m, &around, moving(zero, crm_vec3(5.0, 5.0, 5.0)), &options);
    CHECK_NEAR(found.time, 1.2, 1e-13);
    CHECK_NEAR(crm_distance(found.at.normal, crm_vec3(0.8, 0.6, 0.0)), 0.0, 1e-12);
    // A box that rotates about z beside the centre: a corner at the angle w t + atan(2) is outermost on the x axis.
    b = place(box, 2.9, 0.0, 0.0);
    m = moving(zero, crm_vec3(0.0, 0.0, -0.25));
    found = impact(&around, moving(zero, zero), &b, m, &options);
    // (1.9 + sqrt5 cos f)^2 + 5 sin^2 f + 1/16 = 16
    double f = acos((16.0 - 5.0 - 0.0625 - 1.9 * 1.9) / (2.0 * 1.9 * sqrt(5.0)));
    CHECK_INT(found.outcome, CAROM_TOI_FOUND);
    CHECK_NEAR(found.time, (atan(2.0) - f) / 0.25, 1e-12);
    // In the middle it may rotate for ever.
    b = place(box, 1.0, 0.0, 0.0);
    m.spin = crm_vec3(1e7, 2e7, 3e7);
    found = impact(&around, moving(zero, zero), &b, m, &options);
    CHECK_INT(found.outcome, CAROM_TOI_NONE);
    CHECK_INT(found.iterations, 1);
    carom_shape_destroy(hollow);
    carom_shape_destroy(ball);
    carom_shape_destroy(box);
}

// A bullet through a thin plate, at any speed and size.
TEST(fast_small_and_huge_bodies_are_stopped) {
    for (double size = 1e-6; size < 1e5; size *= 100.0) {
        carom_shape *bullet = sphere_of(0.01 * size), *plate = box_of(0.001 * size, 5.0 * size, 5.0 * size);
        carom_view a = place(bullet, 0.0, 0.3 * size, 0.0), b = place(plate, 100.0 * size, 0.0, 0.0);
        for (double speed = 1e-6; speed < 2e6; speed *= 1e3) {
            carom_toi_options options = lasting(1e3 * size / speed);
            carom_motion m = moving(crm_vec3(speed, 0.0, 0.0), crm_vec3(speed / size, 0.0, 0.0));
            carom_toi_result found = impact(&a, m, &b, moving(zero, zero), &options);
            CHECK_INT(found.outcome, CAROM_TOI_FOUND);
            CHECK_NEAR(found.time * speed / size, 100.0 - 0.0105, 1e-12);
            CHECK(found.iterations <= 3);
        }
        carom_shape_destroy(bullet);
        carom_shape_destroy(plate);
    }
}

// ---- limits

TEST(bodies_that_rest_or_recede_need_one_query) {
    carom_shape *box = box_of(1.0, 1.0, 1.0), *egg = ellipsoid_of(0.5, 0.3, 0.2);
    carom_view a = place(box, 0.0, 0.0, 0.0), b = place(egg, 1.5, 0.2, 0.0);
    carom_toi_options options = lasting(1e6);
    carom_toi_result found;
    CHECK_INT(carom_toi_find(&a, NULL, &b, NULL, &options, &found, NULL), CAROM_OK);
    CHECK_INT(found.outcome, CAROM_TOI_NONE);
    CHECK_INT(found.iterations, 1);
    CHECK_NEAR(found.time, 1e6, 0.0);
    CHECK_NEAR(found.at.gap, 0.5, 1e-13);
    found = impact(&a, moving(zero, zero), &b, moving(crm_vec3(1.0, 0.0, 0.0), zero), &options);
    CHECK_INT(found.outcome, CAROM_TOI_NONE);
    CHECK_INT(found.iterations, 1);
    options.duration = 0.0;
    found = impact(&a, moving(zero, zero), &b, moving(crm_vec3(-1e6, 0.0, 0.0), crm_vec3(1.0, 2.0, 3.0)), &options);
    CHECK_INT(found.outcome, CAROM_TOI_NONE);
    CHECK_NEAR(found.time, 0.0, 0.0);
    // Overlapping, or nearer than the target, at the start: even when they leave.
    options = lasting(1.0);
    options.gap = 0.6;
    found = impact(&a, moving(zero, zero), &b, moving(crm_vec3(1.0, 0.0, 0.0), zero), &options);
    CHECK_INT(found.outcome, CAROM_TOI_AT_START);
    options.gap = 0.0;
    b.pose.position.x = 0.7;
    found = impact(&a, moving(zero, zero), &b, moving(crm_vec3(1.0, 0.0, 0.0), zero), &options);
    CHECK_INT(found.outcome, CAROM_TOI_AT_START);
    CHECK_NEAR(found.time, 0.0, 0.0);
    CHECK_NEAR(found.at.gap, -0.3, 1e-12);
    // The defaults: a second.
    b.pose.position.x = 1.75;
    carom_motion m = moving(crm_vec3(-1.0, 0.0, 0.0), zero);
    CHECK_INT(carom_toi_find(&a, NULL, &b, &m, NULL, &found, NULL), CAROM_OK);
    CHECK_NEAR(found.time, 0.75, 1e-12);
    carom_shape_destroy(box);
    carom_shape_destroy(egg);
}

// Passing at a distance of depth below, or above, touching.
TEST(grazing_passes_are_told_from_touches) {
    carom_shape *ball = sphere_of(0.5), *egg = ellipsoid_of(0.5, 0.5, 0.25), *box = box_of(1.0, 1.0, 1.0);
    carom_shape *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0);
    carom_toi_options options = lasting(4.0);
    for (double depth = 1e-10; depth < 1e-2; depth *= 10.0) {
        for (int touching = 0; touching < 2; touching++) {
            double miss = touching ? -depth : depth;
            carom_toi_outcome wanted = touching ? CAROM_TOI_FOUND : CAROM_TOI_NONE;
            carom_view a = place(ball, 0.0, 0.0, 0.0), b = place(ball, -2.0, 1.0 + miss, 0.0);
            carom_motion m = moving(crm_vec3(1.0, 0.0, 0.0), zero);
            carom_toi_result found = impact(&a, moving(zero, zero), &b, m, &options);
            CHECK_INT(found.outcome, wanted);
            if (touching) CHECK_NEAR(found.time, 2.0 - sqrt(1.0 - (1.0 + miss) * (1.0 + miss)), 1e-12 / sqrt(depth));
            CHECK(found.iterations < 40);
            a.shape = b.shape = egg;
            found = impact(&a, moving(zero, zero), &b, m, &options);
            CHECK_INT(found.outcome, wanted);
            CHECK(found.iterations < 40);
            // The corner of a box that rotates about y swings down to sqrt(1/2) below its centre.
            a = place(floor, 0.0, 0.0, 0.0);
            b = place(box, 0.0, 0.0, sqrt(0.5) + miss);
            found = impact(&a, moving(zero, zero), &b, moving(zero, crm_vec3(0.0, 0.2, 0.0)), &options);
            CHECK_INT(found.outcome, wanted);
            if (touching)
                CHECK_NEAR(found.time * 0.2, 0.78539816339744831 - acos((sqrt(0.5) + miss) / sqrt(0.5)),
                           1e-12 / sqrt(depth));
        }
    }
    carom_shape_destroy(ball);
    carom_shape_destroy(egg);
    carom_shape_destroy(box);
    carom_shape_destroy(floor);
}

TEST(too_few_iterations_leave_a_safe_time) {
    sampler s = {.seed = 414};
    int undecided = 0;
    for (int i = 0; i < 100; i++) {
        carom_shape *egg = ellipsoid_of(1.0, 0.3, 0.2), *box = box_of(1.0, 0.5, 0.2), *hollow = container_of(4.0);
        carom_view a = sample_view(&s, i % 2 ? egg : hollow, zero);
        carom_view b = sample_view(&s, box, crm_vec3(i % 2 ? 3.0 : 1.0, 0.1, 0.2));
        carom_motion of_a = moving(crm_vec3(1.0, 0.0, 0.0), sample_vec3(&s, 3.0));
        carom_motion of_b = moving(crm_vec3(i % 2 ? -1.0 : 2.0, 0.0, 0.0), sample_vec3(&s, 3.0));
        carom_toi_options options = lasting(4.0);
        carom_toi_result exact = impact(&a, of_a, &b, of_b, &options), last = {.time = 0.0};
        CHECK(exact.outcome != CAROM_TOI_UNDECIDED);
        for (options.iterations = 1; options.iterations < 8; options.iterations++) {
            carom_toi_result found = impact(&a, of_a, &b, of_b, &options);
            CHECK(found.iterations <= options.iterations + 2);
            CHECK(found.time <= exact.time + 1e-9 && found.time >= last.time);
            if (found.outcome == CAROM_TOI_UNDECIDED)
                undecided++;
            else
                CHECK_INT(found.outcome, exact.outcome);
            last = found;
        }
        carom_shape_destroy(egg);
        carom_shape_destroy(box);
        carom_shape_destroy(hollow);
    }
    CHECK(undecided > 100);
}

TEST(bad_input_gets_one_sentence) {
    carom_shape *ball = sphere_of(0.5), *floor = half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.0);
    carom_view a = place(ball, 0.0, 0.0, 0.0), b = place(ball, 3.0, 0.0, 0.0), plane = place(floor, 0.0, 0.0, 0.0);
    enum { SIZE = sizeof(carom_toi_options) };
    const struct {
        carom_motion motion;
        carom_toi_options options;
        const char *sentence;
    } cases[] = {
        {{{NAN, 0, 0}, {0, 0, 0}}, {SIZE, 1, 0, 0, 10}, "motion of view B: velocity is (nan, 0, 0) m/s"},
        {{{1e10, 0, 0}, {0, 0, 0}}, {SIZE, 1, 0, 0, 10}, "must be finite and end within 1e9 m of the origin after 1 s"},
        {{{0, 0, 0}, {0, INFINITY, 0}}, {SIZE, 0, 0, 0, 10}, "motion of view B: spin is (0, inf, 0) rad/s"},
        {{{0, 0, 0}, {0, 0, 1e9}}, {SIZE, 2, 0, 0, 10}, "must be finite and rotate by at most 1e9 rad in 2 s"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, -1, 0, 0, 10}, "duration is -1 s, must be finite and not negative"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, NAN, 0, 0, 10}, "duration is nan s"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, INFINITY, 0, 0, 10}, "duration is inf s"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, 1, -0.1, 0, 10}, "gap is -0.1 m, must be between 0 and 1e9 m"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, 1, NAN, 0, 10}, "gap is nan m"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, 1, 0, NAN, 10}, "tolerance is nan, must be between 0 and 1"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, 1, 0, -1, 10}, "tolerance is -1"},
        {{{0, 0, 0}, {0, 0, 0}}, {SIZE, 1, 0, 0, 0}, "iterations is 0, must be at least 1"},
    };
    carom_toi_result found;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_error error = {0};
        CHECK_INT(carom_toi_find(&a, NULL, &b, &cases[i].motion, &cases[i].options, &found, &error),
                  CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, cases[i].sentence);
        CHECK(found.time == 0.0 && found.iterations == 0);
    }
    carom_error error = {0};
    CHECK_INT(carom_toi_find(&plane, NULL, &plane, NULL, NULL, &found, &error), CAROM_ERR_UNSUPPORTED);
    b.pose.attitude.w = 2.0;
    CHECK_INT(carom_toi_find(&a, NULL, &b, NULL, NULL, &found, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "view B: pose.attitude");
    carom_shape_destroy(ball);
    carom_shape_destroy(floor);
}

// ---- all pairs

enum { KINDS = 9 };

static carom_shape *sample_compound(sampler *s) {
    carom_compound_part parts[3];
    carom_shape_def defs[3];
    for (int i = 0; i < 3; i++) {
        static const carom_shape_kind kinds[] = {CAROM_SHAPE_BOX, CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CAPSULE};
        defs[i] = carom_shape_def_default(kinds[i]);
        parts[i] = carom_compound_part_default();
        parts[i].shape = &defs[i];
        parts[i].pose.position = sample_vec3(s, 0.7);
        parts[i].pose.attitude = sample_attitude(s);
    }
    defs[0].box.size = crm_vec3(0.2, 1.0, 0.5);
    defs[1].ellipsoid.half_axes = crm_vec3(0.2, 0.6, 0.4);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){3, parts};
    return make(&def);
}

static const carom_vec3 sheet[] = {{-1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, 1.0, 0.0}, {-1.0, 1.0, 0.0}};

// Kinds 0 to 6 are bounded: convex shapes, a compound, four points without a shape; 7 and 8 are static geometry.
static carom_view sample_any(sampler *s, int kind, carom_vec3 position) {
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CAPSULE,
                                             CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
    if (kind < 5) return sample_view(s, sample_shape(s, kinds[kind], 1.0, 20.0), position);
    if (kind == 5) return sample_view(s, sample_compound(s), position);
    if (kind == 7) return sample_view(s, half_space_of(crm_vec3(0.0, 0.0, 1.0), 0.2), position);
    if (kind == 8) return sample_view(s, container_of(5.0), position);
    carom_view view = carom_view_of_vertices(4, sheet);
    view.pose = (carom_pose){.position = position, .attitude = sample_attitude(s)};
    return view;
}

typedef struct random_pair {
    carom_view a, b;
    carom_motion of_a, of_b;
    carom_toi_options options;
} random_pair;

static random_pair sample_pair(sampler *s, int number) {
    int kind_a = number % KINDS, kind_b = number / KINDS % KINDS;
    if (kind_a > 6 && kind_b > 6) kind_a = number % 7;
    bool inside = kind_a == 8 || kind_b == 8;
    carom_vec3 x = sample_vec3(s, 1.0), d = crm_scale(inside ? 1.0 : 4.0, sample_unit(s));
    double spin = number % 4 == 0 ? 0.0 : number % 4 == 1 ? 20.0 : 2.0;
    random_pair p = {.options = lasting(2.0)};
    p.a = sample_any(s, kind_a, x);
    p.b = sample_any(s, kind_b, crm_add(x, d));
    p.of_a = moving(sample_vec3(s, 1.0), sample_vec3(s, spin));
    p.of_b = moving(crm_add(crm_scale(inside ? 1.0 : -0.7, d), sample_vec3(s, 1.0)), sample_vec3(s, spin));
    p.options.gap = number % 5 == 0 ? 0.1 : 0.0;
    return p;
}

static void destroy_pair(random_pair *p) {
    carom_shape_destroy((carom_shape *)p->a.shape);
    carom_shape_destroy((carom_shape *)p->b.shape);
}

// Of bounded convex bodies: the others need as many iterations as they have parts, or ask for more gaps.
static bool is_one_convex_pair(int number) {
    int kind_a = number % KINDS, kind_b = number / KINDS % KINDS;
    return kind_a != 5 && kind_b != 5 && kind_a < 7 && kind_b < 7;
}

static void check_random_pairs(int first, int count, int samples, uint64_t seed) {
    sampler s = {.seed = seed};
    int outcomes[4] = {0}, most = 0;
    for (int i = first; i < first + count; i++) {
        random_pair p = sample_pair(&s, i);
        carom_toi_result found = impact(&p.a, p.of_a, &p.b, p.of_b, &p.options);
        outcomes[found.outcome]++;
        if (is_one_convex_pair(i) && found.iterations > most) most = found.iterations;
        if (!check_by_sampling(&p.a, p.of_a, &p.b, p.of_b, &p.options, &found, samples, 2e-11))
            fail_msg("pair %d: outcome %d at %.17g after %d", i, found.outcome, found.time, found.iterations);
        destroy_pair(&p);
    }
    CHECK(outcomes[CAROM_TOI_FOUND] > count / 3);
    CHECK(outcomes[CAROM_TOI_NONE] > count / 20);
    CHECK(outcomes[CAROM_TOI_AT_START] > count / 100);
    CHECK_INT(outcomes[CAROM_TOI_UNDECIDED], 0);
    CHECK(most <= 30);
}

TEST(random_pairs_touch_where_sampling_says) {
    check_random_pairs(0, 600, 40, 415);
}

TEST(many_random_pairs_touch_where_sampling_says) {
    check_random_pairs(0, 6000, 200, 416);
}

TEST(time_does_not_depend_on_place_order_or_clock) {
    sampler s = {.seed = 417};
    for (int i = 0; i < 600; i++) {
        random_pair p = sample_pair(&s, i);
        carom_toi_result found = impact(&p.a, p.of_a, &p.b, p.of_b, &p.options);
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 10.0), drift = sample_vec3(&s, 5.0);
        // At the touch the time is as uncertain as the gap over the speed of approach.
        double speed = approach_speed(&p.a, p.of_a, &p.b, p.of_b, &found);
        double close = found.outcome == CAROM_TOI_FOUND ? 1e-11 / fmin(1.0, 0.1 * fmax(speed, 1e-6)) : 0.0;
        carom_toi_result swapped = impact(&p.b, p.of_b, &p.a, p.of_a, &p.options);
        CHECK_INT(swapped.outcome, found.outcome);
        CHECK_NEAR(swapped.time, found.time, close);
        carom_view a = moved_view(p.a, rotation, shift), b = moved_view(p.b, rotation, shift);
        carom_motion of_a =
            moving(crm_add(drift, crm_quat_rotate(rotation, p.of_a.velocity)), crm_quat_rotate(rotation, p.of_a.spin));
        carom_motion of_b =
            moving(crm_add(drift, crm_quat_rotate(rotation, p.of_b.velocity)), crm_quat_rotate(rotation, p.of_b.spin));
        carom_toi_result moved = impact(&a, of_a, &b, of_b, &p.options);
        CHECK_INT(moved.outcome, found.outcome);
        CHECK_NEAR(moved.time, found.time, close);
        // A clock that runs eight times as fast: the same bits.
        carom_motion slow_a = moving(crm_scale(0.125, p.of_a.velocity), crm_scale(0.125, p.of_a.spin));
        carom_motion slow_b = moving(crm_scale(0.125, p.of_b.velocity), crm_scale(0.125, p.of_b.spin));
        carom_toi_options longer = p.options;
        longer.duration *= 8.0;
        carom_toi_result slow = impact(&p.a, slow_a, &p.b, slow_b, &longer);
        CHECK_INT(slow.outcome, found.outcome);
        CHECK_NEAR(slow.time, 8.0 * found.time, 0.0);
        destroy_pair(&p);
    }
}

TEST_MAIN(CASE(spheres_meet_when_their_centres_are_that_close),
          CASE(spheres_fall_on_floors_and_floors_rotate_up_to_spheres), CASE(corners_of_tumbling_boxes_hit_the_floor),
          CASE(spinning_needle_hits_a_thin_plate), CASE(parallel_ellipsoids_are_stretched_spheres),
          CASE(bodies_reach_the_wall_of_a_container), CASE(fast_small_and_huge_bodies_are_stopped),
          CASE(bodies_that_rest_or_recede_need_one_query), CASE(grazing_passes_are_told_from_touches),
          CASE(too_few_iterations_leave_a_safe_time), CASE(bad_input_gets_one_sentence),
          CASE(random_pairs_touch_where_sampling_says), LONG_CASE(many_random_pairs_touch_where_sampling_says),
          CASE(time_does_not_depend_on_place_order_or_clock))
