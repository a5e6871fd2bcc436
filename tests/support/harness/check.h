// SPDX-License-Identifier: MIT
// Checks that print both values and carry on, on top of cmocka.
//
// A test file looks like this; the build finds the names in CASE(...) and LONG_CASE(...) and gives each to CTest:
//
//     #include "support/check.h"
//     TEST(cross_product_is_normal_to_both) { CHECK_NEAR(dot(a, cross(a, b)), 0.0, 1e-15); }
//     TEST_MAIN(CASE(cross_product_is_normal_to_both))
//
// LONG_CASE marks a case that runs in the release build only, not under the sanitizers.
#ifndef TEST_SUPPORT_CHECK_H
#define TEST_SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void check_begin(void);
void check_end(void); // fails the running test when a check has failed since check_begin
bool check_true(bool condition, const char *text, const char *file, int line);
bool check_near(double got, double wanted, double tolerance, const char *text, const char *file, int line);
bool check_int(long long got, long long wanted, const char *text, const char *file, int line);
bool check_text(const char *got, const char *wanted, const char *text, const char *file, int line);
bool check_contains(const char *got, const char *part, const char *text, const char *file, int line);
int run_chosen_tests(const struct CMUnitTest *tests, size_t count, int argc, char **argv);

// Each gives true when it holds, so that a loop can stop at its first failure.
#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
// |got - wanted| <= tolerance; fails for NaN.
#define CHECK_NEAR(got, wanted, tolerance) check_near((got), (wanted), (tolerance), #got, __FILE__, __LINE__)
#define CHECK_INT(got, wanted) check_int((long long)(got), (long long)(wanted), #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, wanted) check_text((got), (wanted), #got, __FILE__, __LINE__)
#define CHECK_CONTAINS(got, part) check_contains((got), (part), #got, __FILE__, __LINE__)

#define TEST(name)                   \
    static void name##_body(void);   \
    static void name(void **state) { \
        (void)state;                 \
        check_begin();               \
        name##_body();               \
        check_end();                 \
    }                                \
    static void name##_body(void)

#define CASE(name) cmocka_unit_test(name)
#define LONG_CASE(name) cmocka_unit_test(name)
#define TEST_MAIN(...)                                                              \
    int main(int argc, char **argv) {                                               \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                            \
        return run_chosen_tests(tests, sizeof tests / sizeof tests[0], argc, argv); \
    }

#endif
