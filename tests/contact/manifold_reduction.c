// SPDX-License-Identifier: MIT
#include "contact/narrow/manifold_reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

// ---- by brute force (Caratheodory): the lowest point over (u, v) of the hull of some points is a mean of at most
// three

// The least gap over `at` among all triangles, edges and points of the marked ones, `skip` left out.
static double lowest_over(int count, const carom_vec3 *p, const bool *use, int skip, carom_vec3 at) {
    const double slack = 1e-9;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        if (!use[i] || i == skip) continue;
        if (hypot(p[i].x - at.x, p[i].y - at.y) <= slack) least = fmin(least, p[i].z);
        for (int j = i + 1; j < count; j++) {
            if (!use[j] || j == skip) continue;
            double du = p[j].x - p[i].x, dv = p[j].y - p[i].y, square = du * du + dv * dv;
            double s = ((at.x - p[i].x) * du + (at.y - p[i].y) * dv) / square;
            double off = fabs((at.x - p[i].x) * dv - (at.y - p[i].y) * du) / sqrt(square);
            if (off <= slack && s >= -slack && s <= 1.0 + slack) least = fmin(least, p[i].z + s * (p[j].z - p[i].z));
            for (int k = j + 1; k < count; k++) {
                if (!use[k] || k == skip) continue;
                double eu = p[k].x - p[i].x, ev = p[k].y - p[i].y, whole = du * ev - dv * eu;
                if (fabs(whole) <= 1e-7) continue;
                double au = at.x - p[i].x, av = at.y - p[i].y;
                double b = (au * ev - av * eu) / whole, c = (du * av - dv * au) / whole;
                if (b < -slack || c < -slack || b + c > 1.0 + slack) continue;
                least = fmin(least, p[i].z + b * (p[j].z - p[i].z) + c * (p[k].z - p[i].z));
            }
        }
    }
    return least;
}

// How far outside of the hull of the marked ones (u, v) is, and the nearest place of the hull. By all segments, and all
// triangles that may hold it.
static double distance_to_hull(int count, const carom_vec3 *p, const bool *use, carom_vec3 at, carom_vec3 *nearest) {
    *nearest = at;
    if (lowest_over(count, p, use, -1, at) < INFINITY) return 0.0;
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            if (!use[i] || !use[j]) continue;
            double du = p[j].x - p[i].x, dv = p[j].y - p[i].y, square = du * du + dv * dv;
            double t = square > 0.0 ? ((at.x - p[i].x) * du + (at.y - p[i].y) * dv) / square : 0.0;
            t = fmin(1.0, fmax(0.0, t));
            double off = hypot(p[i].x + t * du - at.x, p[i].y + t * dv - at.y);
            if (off < least) least = off, *nearest = crm_vec3(p[i].x + t * du, p[i].y + t * dv, at.z);
        }
    return least;
}

static double diameter_of(int count, const carom_vec3 *p) {
    double most = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) most = fmax(most, hypot(p[i].x - p[j].x, p[i].y - p[j].y));
    return most;
}

// Every point that goes is at most 0.5 % of the diameter outside of those that stay, and at most 1e-4 below the surface
// that they span; none that stays is a mean of the others with gaps no larger.
static bool check_corners(int count, const carom_vec3 *points) {
    bool keep[80], all[80];
    crm_arena scratch;
    crm_arena_init(&scratch, NULL);
    bool good = CHECK(crm_keep_support_points(count, points, 1.0, false, &scratch, keep));
    double diameter = diameter_of(count, points);
    for (int i = 0; i < count; i++) all[i] = true;
    for (int i = 0; i < count && good; i++) {
        if (keep[i]) {
            good = CHECK(lowest_over(count, points, all, i, points[i]) > points[i].z - 1e-8);
            continue;
        }
        carom_vec3 at;
        good = CHECK(distance_to_hull(count, points, keep, points[i], &at) <= 0.005 * diameter + 1e-9) &&
               CHECK(lowest_over(count, points, keep, i, at) <= points[i].z + 1e-4 + 1e-8);
    }
    crm_arena_free(&scratch);
    return good;
}

TEST(what_goes_is_near_what_stays_and_what_stays_is_a_corner) {
    sampler s = {.seed = 71};
    carom_vec3 points[80];
    for (int trial = 0; trial < 400; trial++) {
        int count = 1 + (int)sample_between(&s, 0.0, trial % 20 == 0 ? 79.0 : 15.0);
        int kind = trial % 5;
        for (int i = 0; i < count; i++) {
            points[i] = sample_vec3(&s, 1.0);
            if (kind == 1) points[i].z = 0.3 * points[i].x - 0.2 * points[i].y + 0.1; // tilted flat
            if (kind == 2) points[i].z = 0.0;
            if (kind == 3) points[i].z = points[i].x * points[i].x + points[i].y * points[i].y; // all stay
            if (kind == 4)
                points[i] = crm_vec3(floor(3.0 * points[i].x), floor(3.0 * points[i].y), floor(3.0 * points[i].z));
        }
        if (!check_corners(count, points)) print_error("trial %d, %d points\n", trial, count);
    }
}

TEST(collinear_points_keep_their_lower_chain) {
    sampler s = {.seed = 72};
    for (int trial = 0; trial < 200; trial++) {
        carom_vec3 points[12], from = sample_vec3(&s, 1.0), along = sample_vec3(&s, 1.0);
        int count = 2 + (int)sample_between(&s, 0.0, 10.0);
        for (int i = 0; i < count; i++) {
            double t = trial % 2 ? floor(sample_between(&s, -4.0, 4.0)) : sample_between(&s, -4.0, 4.0);
            points[i] = crm_madd(from, t, along);
            points[i].z = trial % 3 == 0 ? t * t : trial % 3 == 1 ? 0.5 * t : sample_between(&s, 0.0, 1.0);
        }
        if (!check_corners(count, points)) print_error("trial %d\n", trial);
    }
}

static int kept_of(int count, const carom_vec3 *points, bool *keep) {
    crm_arena scratch;
    crm_arena_init(&scratch, NULL);
    CHECK(crm_keep_support_points(count, points, 1.0, false, &scratch, keep));
    crm_arena_free(&scratch);
    int kept = 0;
    for (int i = 0; i < count; i++) kept += keep[i];
    return kept;
}

TEST(grid_of_equal_gaps_leaves_its_corners) {
    carom_vec3 points[200];
    bool keep[200];
    sampler s = {.seed = 73};
    for (int i = 0; i < 169; i++) points[i] = crm_vec3(i % 13 * 0.1, i / 13 * 0.1, 1e-15 * sample_between(&s, -1, 1));
    CHECK_INT(kept_of(169, points, keep), 4);
    CHECK(keep[0] && keep[12] && keep[156] && keep[168]);
}

// Points of a rectangle's sides that rounding moves off them, in any frame.
TEST(sides_that_rounding_bends_keep_no_more_than_their_corners) {
    sampler s = {.seed = 75};
    for (int trial = 0; trial < 300; trial++) {
        carom_vec3 points[20];
        bool keep[20];
        double angle = trial % 3 == 0 ? 0.0 : sample_between(&s, 0.0, 6.3), c = cos(angle), d = sin(angle);
        for (int i = 0; i < 20; i++) {
            double t = i < 4 ? 0.0 : sample_between(&s, 0.0, 1.0), u = 0.8 * (i % 4 == 0   ? t
                                                                              : i % 4 == 1 ? 1.0
                                                                              : i % 4 == 2 ? 1.0 - t
                                                                                           : 0.0);
            double v = i % 4 == 0 ? 0.0 : i % 4 == 1 ? t : i % 4 == 2 ? 1.0 : 1.0 - t;
            double noise = 3e-16 * floor(sample_between(&s, -2.0, 3.0));
            points[i] = crm_vec3(c * u - d * v + noise, d * u + c * v - noise, noise);
        }
        if (!CHECK_INT(kept_of(20, points, keep), 4) || !CHECK(keep[0] && keep[1] && keep[2] && keep[3])) break;
    }
}

// All corners of a face stay, however it is turned; of a disc as many as it takes to be within 0.5 % of it.
TEST(corners_of_regular_polygons_stay) {
    for (int n = 3; n <= 64; n++)
        for (int k = 0; k < 24; k++) {
            carom_vec3 points[65];
            bool keep[65];
            for (int i = 0; i < n; i++) {
                double angle = 6.283185307179586 * i / n + 0.017 * k;
                points[i] = crm_vec3(cos(angle), sin(angle), 1e-15 * (i % 3));
            }
            points[n] = crm_vec3(0.1, -0.2, 0.0);
            int kept = kept_of(n + 1, points, keep);
            if (n <= 24)
                CHECK_INT(kept, n);
            else
                CHECK(kept >= 22 && kept <= n);
            CHECK(!keep[n]);
        }
}

// The edge of a card, and of sheets as thin as a thousandth, stays a rectangle: on a line nothing stands.
TEST(thin_edges_keep_both_sides) {
    const double width[] = {7e-3, 4e-3, 1e-3};
    for (int k = 0; k < 3; k++) {
        bool keep[8];
        carom_vec3 points[8];
        for (int i = 0; i < 8; i++) points[i] = crm_vec3(i / 2 / 3.0, i % 2 * width[k], 0.0);
        CHECK_INT(kept_of(8, points, keep), 4);
        CHECK(keep[0] && keep[1] && keep[6] && keep[7]);
    }
}

// Nearer by more than 1e-4 than the surface around it: stays, wherever it is. By less: goes.
TEST(nearer_points_stay) {
    for (int k = 0; k < 2; k++) {
        bool keep[7];
        double below = k == 0 ? 0.9e-4 : 1.1e-4, tilt = 0.03;
        carom_vec3 points[7] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.4, 0.7, 0}, {0.5, -0.001, 0}};
        points[6] = crm_vec3(0.2, 0.2, 0.0); // far above
        for (int i = 0; i < 6; i++) points[i].z = tilt * points[i].x + (i > 3 ? -below : 0.0);
        points[6].z = 1.0;
        CHECK_INT(kept_of(7, points, keep), k == 0 ? 4 : 6);
        CHECK(keep[4] == (k == 1) && keep[5] == (k == 1) && !keep[6]);
    }
}

TEST(the_lowest_of_several_in_one_place_stays) {
    bool keep[5];
    const carom_vec3 points[] = {{0.2, 0.1, 3.0}, {0.2, 0.1, 1.0}, {0.2, 0.1, 2.0}, {0.2, 0.1, 1.0}, {0.2, 0.1, 5.0}};
    CHECK_INT(kept_of(5, points, keep), 1);
    CHECK(keep[1]);
    CHECK_INT(kept_of(1, points, keep), 1);
}

TEST(order_does_not_matter) {
    sampler s = {.seed = 74};
    for (int trial = 0; trial < 100; trial++) {
        carom_vec3 points[20], rotated[20];
        bool keep[20], keep_rotated[20];
        int count = 3 + trial % 17, shift = 1 + trial % 3;
        for (int i = 0; i < count; i++)
            points[i] = crm_scale(0.25, crm_vec3(floor(sample_between(&s, 0, 5)), floor(sample_between(&s, 0, 5)), 0));
        for (int i = 0; i < count; i++) points[i].z = 0.01 * i; // no two alike
        for (int i = 0; i < count; i++) rotated[(i + shift) % count] = points[i];
        kept_of(count, points, keep);
        kept_of(count, rotated, keep_rotated);
        for (int i = 0; i < count; i++) CHECK(keep[i] == keep_rotated[(i + shift) % count]);
    }
}

// ---- contacts

TEST(contacts_of_different_normals_do_not_reduce_each_other) {
    carom_contact contacts[10];
    crm_arena scratch;
    crm_arena_init(&scratch, NULL);
    for (int i = 0; i < 10; i++) { // five in a row along two normals; the middle ones go
        contacts[i] = (carom_contact){.feature_a = i, .normal = i % 2 ? crm_vec3(0, 0, 1) : crm_vec3(0, 0.6, 0.8)};
        contacts[i].point_a = crm_vec3(i / 2, 0, 0);
    }
    CHECK_INT(crm_reduce_manifold(10, contacts, 1.0, false, &scratch), 4);
    CHECK_INT(contacts[0].feature_a, 0);
    CHECK_INT(contacts[1].feature_a, 1);
    CHECK_INT(contacts[2].feature_a, 8);
    CHECK_INT(contacts[3].feature_a, 9);
    for (int i = 0; i < 10; i++) {
        contacts[i] = (carom_contact){.kind = i == 4 ? CAROM_CONTACT_KIND_CONTINUOUS : CAROM_CONTACT_KIND_EDGES,
                                      .normal = {0, 0, 1}};
        contacts[i].point_a = crm_vec3(i / 2, 0, 0);
    }
    carom_contact all[10];
    memcpy(all, contacts, sizeof all);
    CHECK_INT(crm_reduce_manifold(10, all, 1.0, true, &scratch), 6); // five places, and the continuous one
    CHECK_INT(crm_reduce_manifold(10, contacts, 1.0, false, &scratch), 3);
    crm_arena_free(&scratch);
}

// One contact between four, along a normal that is off theirs: goes up to 2.5 degrees.
TEST(normals_within_two_and_a_half_degrees_are_taken_together) {
    crm_arena scratch;
    crm_arena_init(&scratch, NULL);
    for (int k = 0; k < 2; k++) {
        double angle = (k == 0 ? 2.4 : 2.6) * 3.14159265358979323846 / 180.0;
        carom_contact contacts[5];
        for (int i = 0; i < 5; i++) {
            contacts[i] = (carom_contact){.feature_a = i, .normal = {0, 0, 1}};
            contacts[i].point_a = contacts[i].point_b = i < 4 ? crm_vec3(i % 2, i / 2, 0) : crm_vec3(0.4, 0.3, 0);
        }
        contacts[4].normal = crm_vec3(0, sin(angle), cos(angle));
        CHECK_INT(crm_reduce_manifold(5, contacts, 1.0, false, &scratch), k == 0 ? 4 : 5);
    }
    crm_arena_free(&scratch);
}

TEST_MAIN(CASE(what_goes_is_near_what_stays_and_what_stays_is_a_corner), CASE(collinear_points_keep_their_lower_chain),
          CASE(grid_of_equal_gaps_leaves_its_corners), CASE(sides_that_rounding_bends_keep_no_more_than_their_corners),
          CASE(corners_of_regular_polygons_stay), CASE(thin_edges_keep_both_sides), CASE(nearer_points_stay),
          CASE(the_lowest_of_several_in_one_place_stays), CASE(order_does_not_matter),
          CASE(contacts_of_different_normals_do_not_reduce_each_other),
          CASE(normals_within_two_and_a_half_degrees_are_taken_together))
