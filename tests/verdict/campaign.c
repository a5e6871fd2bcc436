// SPDX-License-Identifier: MIT
// Verdicts held against computations that share nothing with them: no run that is wrong is green, and runs that are
// right are. `make verdicts` runs all cases and prints who missed what; the short cases take some of every kind.
#include <stdio.h>

#include "support/harness/check.h"
#include "verdict/run/evaluation.h"
#include "verdict/run/tally.h"

static const int least_wrong = 150;           // runs that are wrong, in the whole campaign
static const int least_right = 200;           // runs that are right
static const double least_green_share = 0.95; // of those
static const double slow = 3.0;               // s of processor time that no case takes

static void print_case(const char *mark, const verdict_case *c, const evaluation *e) {
    printf("%-10s %-14s %-36s %-11s %5.2f s  ", mark, c->kind, c->name, c->method, e->seconds);
    if (e->found.what != NULL) printf("%s: %.3g; ", e->found.what, e->found.value);
    if (e->difference > 1.0) printf("%.2g times 2 %% off at half the step; ", e->difference);
    printf("%s: %s\n", carom_colour_name(e->colour), e->sentence);
    fflush(stdout);
}

static const char *const outcome_names[OUTCOME_COUNT] = {"not green", "agreed", "truncation", "missed"};

// Every `stride`-th case; with 1 all of them, each in a line.
static tally run_wrong(int stride) {
    case_list list = wrong_cases();
    tally t = {0};
    for (int i = 0; i < list.count; i += stride) {
        evaluation e = evaluate_wrong(&list.of[i]);
        tally_add(&t, &list.of[i], &e);
        if (stride == 1 || e.outcome == OUTCOME_MISSED) print_case(outcome_names[e.outcome], &list.of[i], &e);
        if (e.seconds > slow) print_case("slow", &list.of[i], &e);
    }
    tally_print(&t);
    printf("wrong or doubtful: %d runs, %d of them wrong; %d not green, %d truncation only, %d missed\n", t.all.runs,
           t.all.wrong, t.all.of[OUTCOME_SEEN], t.all.of[OUTCOME_TRUNCATION], t.all.of[OUTCOME_MISSED]);
    case_list_free(&list);
    return t;
}

static tally run_right(int stride) {
    case_list list = right_cases();
    tally t = {0};
    for (int i = 0; i < list.count; i += stride) {
        evaluation e = evaluate_right(&list.of[i]);
        tally_add(&t, &list.of[i], &e);
        if (stride == 1 || e.outcome == OUTCOME_SEEN) print_case(outcome_names[e.outcome], &list.of[i], &e);
        if (e.found.what != NULL) print_case("found", &list.of[i], &e);
        if (e.seconds > slow) print_case("slow", &list.of[i], &e);
        if (!CHECK(e.end_error <= 1.0)) print_case("elsewhere", &list.of[i], &e);
    }
    tally_print(&t);
    printf("right: %d of %d runs are green, %.1f %%; in %d something was found from frames\n", t.all.of[OUTCOME_AGREED],
           t.all.runs, 100.0 * t.all.of[OUTCOME_AGREED] / t.all.runs, t.all.wrong);
    case_list_free(&list);
    return t;
}

static void check_wrong(int stride) {
    tally t = run_wrong(stride);
    CHECK_INT(t.all.of[OUTCOME_MISSED], 0);
    CHECK(stride > 1 || t.all.wrong >= least_wrong);
}

static void check_right(int stride) {
    tally t = run_right(stride);
    CHECK(t.all.of[OUTCOME_AGREED] >= least_green_share * t.all.runs);
    CHECK(t.all.wrong <= (1.0 - least_green_share) * t.all.runs); // what computes for itself alarms no more
    CHECK(stride > 1 || t.all.runs >= least_right);
}

TEST(some_wrong_runs_are_not_green) {
    check_wrong(3);
}

TEST(some_right_runs_are_green) {
    check_right(2);
}

TEST(no_wrong_run_is_green) {
    check_wrong(1);
}

TEST(right_runs_are_green) {
    check_right(1);
}

// Right by definition: an eighth of the step leads to the same place.
TEST(random_runs_agree_with_an_eighth_of_the_step) {
    case_list list = {0};
    add_random(&list);
    for (int i = 0; i < list.count; i++) {
        followed_run run = follow(&list.of[i], 1.0, false), finer = follow(&list.of[i], 0.125, false);
        double difference = difference_at_end(&run, &finer);
        if (!CHECK(difference <= 1.0)) printf("%s, %s: %g\n", list.of[i].name, list.of[i].method, difference);
        followed_run_free(&run);
        followed_run_free(&finer);
    }
    case_list_free(&list);
}

TEST_MAIN(CASE(some_wrong_runs_are_not_green), CASE(some_right_runs_are_green), LONG_CASE(no_wrong_run_is_green),
          LONG_CASE(right_runs_are_green), LONG_CASE(random_runs_agree_with_an_eighth_of_the_step))
