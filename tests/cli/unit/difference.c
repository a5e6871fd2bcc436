// SPDX-License-Identifier: MIT
// Differences of motions against closed forms.
#include "compare/difference.h"

#include <math.h>

#include "support/harness/check.h"

static carom_body_state rotated(double x, double angle) {
    return (carom_body_state){.position = {x, 0, 0}, .attitude = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)}};
}

TEST(attitudes_differ_by_the_angle_between_them) {
    static const double angles[] = {1e-12, 1e-6, 0.1, 1.0, 3.0};
    for (int i = 0; i < 5; i++) {
        carom_body_state a = rotated(0, 0.3), b = rotated(0, 0.3 + angles[i]), minus = b;
        minus.attitude = (carom_quat){-b.attitude.w, -b.attitude.x, -b.attitude.y, -b.attitude.z};
        CHECK_NEAR(difference_of(ATTITUDE, &a, &b), angles[i], 1e-15);
        CHECK_NEAR(difference_of(ATTITUDE, &b, &a), angles[i], 1e-15);
        CHECK_NEAR(difference_of(ATTITUDE, &a, &minus), angles[i], 1e-15); // the same attitude
        CHECK(!same_bits(ATTITUDE, &b, &minus) && difference_of(ATTITUDE, &b, &minus) == 0.0);
    }
    // More than half a rotation is less than half a rotation the other way.
    carom_body_state a = rotated(0, 0.0), b = rotated(0, 4.0);
    CHECK_NEAR(difference_of(ATTITUDE, &a, &b), 2.0 * acos(-1.0) - 4.0, 1e-15);
}

TEST(numbers_that_are_none_are_infinitely_far_unless_they_are_the_same) {
    carom_body_state a = rotated(1, 0), b = rotated(NAN, 0);
    CHECK(difference_of(POSITION, &a, &b) == INFINITY && difference_of(POSITION, &b, &a) == INFINITY);
    CHECK(difference_of(POSITION, &b, &b) == 0.0);
}

TEST(a_spread_keeps_the_largest_with_body_and_time) {
    carom_body_state a[2] = {rotated(0, 0), rotated(5, 0)}, b[2] = {rotated(1, 0), rotated(5, 0)};
    carom_body_state c[2] = {rotated(0.5, 0), rotated(2, 0.25)};
    spread s = {.size = {0}};
    widen(&s, 1.0, 2, a, b);
    CHECK(s.largest[POSITION] == 1.0 && s.body[POSITION] == 0 && s.time[POSITION] == 1.0);
    widen(&s, 2.0, 2, a, c);
    CHECK(s.largest[POSITION] == 3.0 && s.body[POSITION] == 1 && s.time[POSITION] == 2.0);
    widen(&s, 3.0, 2, a, b);
    CHECK(s.largest[POSITION] == 3.0 && s.time[POSITION] == 2.0);
    CHECK_NEAR(s.largest[ATTITUDE], 0.25, 1e-15);
    CHECK(s.size[POSITION] == 5.0 && s.largest[SPIN] == 0.0);
}

TEST_MAIN(CASE(attitudes_differ_by_the_angle_between_them),
          CASE(numbers_that_are_none_are_infinitely_far_unless_they_are_the_same),
          CASE(a_spread_keeps_the_largest_with_body_and_time))
