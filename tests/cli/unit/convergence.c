// SPDX-License-Identifier: MIT
// Orders and errors from differences that are made with a known order and error.
#include "study/convergence.h"

#include <math.h>

#include "support/harness/check.h"

enum { ROWS = 6 };

// x_h = c h^p with h = 2^-i has the limit 0: its value is its error.
static void make_differences(double order, double *value, double *difference) {
    for (int i = 0; i < ROWS; i++) value[i] = 3.0 * exp2(-order * i);
    for (int i = 0; i + 1 < ROWS; i++) difference[i] = value[i] - value[i + 1];
    difference[ROWS - 1] = NAN;
}

TEST(pure_powers_give_their_order_and_error) {
    static const double orders[] = {0.75, 1.0, 2.0, 4.0};
    for (int k = 0; k < 4; k++) {
        double value[ROWS], difference[ROWS], error[ROWS];
        bool steady;
        make_differences(orders[k], value, difference);
        CHECK_NEAR(final_order(difference, ROWS, 0.0, &steady), orders[k], 1e-12);
        CHECK(steady);
        CHECK_NEAR(observed_order(value[1], value[2], 0.0), orders[k], 1e-12); // errors against a reference
        estimate_errors(difference, ROWS, 0.0, error);
        for (int i = 0; i < ROWS; i++) CHECK_NEAR(error[i] / value[i], 1.0, 1e-12);
    }
}

TEST(rounding_gives_no_order) {
    double difference[ROWS] = {1e-2, 2.5e-3, 1e-15, 3e-15, 2e-15, NAN}, error[ROWS];
    CHECK(isnan(observed_order(2.5e-3, 1e-15, 1e-14)));
    CHECK(isnan(observed_order(1e-15, 3e-15, 1e-14)));
    CHECK_NEAR(final_order(difference, ROWS, 1e-14, NULL), 2.0, 1e-12);
    // The finest run is as exact as rounding lets it be.
    estimate_errors(difference, ROWS, 1e-14, error);
    CHECK_NEAR(error[ROWS - 1], 2e-15, 0.0);
    CHECK(isnan(observed_order(0.0, 0.0, 0.0)));
}

TEST(what_is_not_known_stays_so) {
    // The run of row 1 stopped: neither it nor the row above has a difference.
    double difference[ROWS] = {NAN, NAN, 4e-3, 1e-3, 2.5e-4, NAN}, error[ROWS];
    CHECK_NEAR(final_order(difference, ROWS, 0.0, NULL), 2.0, 1e-12);
    estimate_errors(difference, ROWS, 0.0, error);
    CHECK(isnan(error[0]) && isnan(error[1]));
    CHECK_NEAR(error[2], 4e-3 * 4.0 / 3.0, 1e-15);
    double one[1] = {NAN}, two[2] = {1e-3, NAN};
    CHECK(isnan(final_order(one, 1, 0.0, NULL)) && isnan(final_order(two, 2, 0.0, NULL)));
    estimate_errors(one, 1, 0.0, error);
    CHECK(isnan(error[0]));
    estimate_errors(two, 2, 0.0, error); // a difference without an order
    CHECK(isnan(error[0]) && isnan(error[1]));
}

TEST(orders_that_change_are_not_steady_and_give_no_errors) {
    double rising[4] = {1.0, 0.8, 0.2, NAN}, flat[4] = {1.0, 0.95, 0.9, NAN}, error[4];
    bool steady = true;
    CHECK_NEAR(final_order(rising, 4, 0.0, &steady), 2.0, 1e-12);
    CHECK(!steady);
    estimate_errors(rising, 4, 0.0, error);
    CHECK(isnan(error[0]) && isnan(error[3]));
    steady = true;
    final_order(flat, 4, 0.0, &steady);
    CHECK(!steady);
    // One order alone is believed.
    final_order(rising + 1, 3, 0.0, &steady);
    CHECK(steady);
}

TEST_MAIN(CASE(pure_powers_give_their_order_and_error), CASE(rounding_gives_no_order), CASE(what_is_not_known_stays_so),
          CASE(orders_that_change_are_not_steady_and_give_no_errors))
