// SPDX-License-Identifier: MIT
#include "math/order.h"
#include "support/harness/check.h"

TEST(the_larger_and_the_smaller_of_numbers) {
    CHECK_NEAR(crm_larger(1.0, 2.0), 2.0, 0.0);
    CHECK_NEAR(crm_larger(2.0, 1.0), 2.0, 0.0);
    CHECK_NEAR(crm_smaller(1.0, 2.0), 1.0, 0.0);
    CHECK_NEAR(crm_smaller(2.0, 1.0), 1.0, 0.0);
    CHECK(crm_smaller(2.0, -INFINITY) == -INFINITY);
}

TEST(of_a_number_and_nan_the_number) {
    CHECK_NEAR(crm_larger(NAN, 2.0), 2.0, 0.0);
    CHECK_NEAR(crm_larger(2.0, NAN), 2.0, 0.0);
    CHECK_NEAR(crm_smaller(NAN, 2.0), 2.0, 0.0);
    CHECK_NEAR(crm_smaller(2.0, NAN), 2.0, 0.0);
    CHECK(isnan(crm_larger(NAN, NAN)));
    CHECK(isnan(crm_smaller(NAN, NAN)));
}

TEST(of_two_zeros_the_first) {
    CHECK(signbit(crm_larger(-0.0, 0.0)));
    CHECK(!signbit(crm_larger(0.0, -0.0)));
    CHECK(signbit(crm_smaller(-0.0, 0.0)));
    CHECK(!signbit(crm_smaller(0.0, -0.0)));
}

TEST_MAIN(CASE(the_larger_and_the_smaller_of_numbers), CASE(of_a_number_and_nan_the_number),
          CASE(of_two_zeros_the_first))
