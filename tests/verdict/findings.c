// SPDX-License-Identifier: MIT
// What computes for itself can find something: frames of right runs, in which nothing is found, are changed by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "verdict/independent/independent.h"

#define FLOOR "'f': {'kind': 'half_space', 'normal': [0, 0, 1]}"

// A scene under `lcp`, in which nothing is wrong.
static followed_run right_run(const char *text) {
    verdict_case c = {.name = "right", .method = "lcp", .text = scene_text("%s", text)};
    followed_run run = follow(&c, 1.0, false);
    free(c.text);
    assert_false(run.refused);
    CHECK(find_wrong(&run).what == NULL);
    return run;
}

typedef void finder(const followed_run *run, const physics *p, finding *f);

static void check_found(followed_run *run, finder *look, const char *what) {
    finding f = {0};
    physics p = physics_of(run);
    look(run, &p, &f);
    physics_free(&p);
    CHECK(find_wrong(run).what != NULL);
    if (CHECK(f.what != NULL)) CHECK_CONTAINS(f.what, what);
    followed_run_free(run);
}

static followed_run pendulum(void) {
    return right_run("{'carom': 1, 'until': 0.5, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 1,"
                     "'inertia': [0.1, 0.1, 0.1], 'position': [1, 0, 0]}], 'joints': [{'kind': 'hinge', 'a': 'world',"
                     "'b': 'a', 'point': [0, 0, 0], 'axis': [0, 1, 0]}]}");
}

static followed_run sliding_box(const char *friction) {
    char text[1024];
    snprintf(text, sizeof text,
             "{'carom': 1, 'until': 0.3, 'method': {'step': 0.002}, 'materials': {'m': {'friction': %s}},"
             "'shapes': {'b': {'kind': 'box', 'size': [0.4, 0.4, 0.1]}, " FLOOR "}, 'bodies': ["
             "{'name': 'b', 'shape': 'b', 'mass': 1, 'position': [0, 0, 0.05], 'velocity': [3, 0, 0], 'material': 'm'},"
             "{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}]}",
             friction);
    return right_run(text);
}

static followed_run rolling_ball(void) {
    return right_run("{'carom': 1, 'until': 0.2, 'method': {'step': 0.002}, 'materials': {'m': {'friction': 0}},"
                     "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR
                     "}, 'bodies': [{'name': 'b', 'shape': 's',"
                     "'mass': 1, 'position': [0, 0, 0.1], 'velocity': [1, 0, 0], 'spin': [0, 0, 1], 'material': 'm'},"
                     "{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}]}");
}

static carom_body_state *frame(followed_run *run, int64_t i) {
    return &run->body[i * run->bodies];
}

TEST(energy_that_grows_or_goes_is_found) {
    followed_run run = pendulum();
    for (int64_t i = run.frames / 2; i < run.frames; i++) {
        frame(&run, i)->velocity = crm_scale(1.2, frame(&run, i)->velocity);
        frame(&run, i)->spin = crm_scale(1.2, frame(&run, i)->spin);
    }
    check_found(&run, find_energy, "energy grew");
    run = pendulum();
    for (int64_t i = run.frames / 2; i < run.frames; i++) {
        frame(&run, i)->velocity = crm_scale(0.3, frame(&run, i)->velocity);
        frame(&run, i)->spin = crm_scale(0.3, frame(&run, i)->spin);
    }
    check_found(&run, find_energy, "energy was lost");
}

TEST(open_joints_are_found) {
    followed_run run = pendulum();
    frame(&run, run.frames / 2)->position = crm_scale(1.006, frame(&run, run.frames / 2)->position);
    check_found(&run, find_open_joints, "joint open");
    run = pendulum();
    carom_quat *attitude = &frame(&run, run.frames / 2)->attitude;
    attitude->x += 0.005;
    check_found(&run, find_open_joints, "joint open, rad");
}

TEST(numbers_that_are_none_are_found) {
    followed_run run = pendulum();
    frame(&run, 7)->spin.x = NAN;
    CHECK_TEXT(find_wrong(&run).what, "a number that is none");
    followed_run_free(&run);
}

TEST(overlaps_and_passes_are_found) {
    followed_run run = sliding_box("0.3");
    for (int64_t i = 40; i < 60; i++) frame(&run, i)->position.z -= 0.04;
    check_found(&run, find_overlaps, "overlap, of the smaller size");
    run = right_run("{'carom': 1, 'until': 0.1, 'gravity': [0, 0, 0], 'method': {'step': 0.01}, 'shapes': {'s':"
                    "{'kind': 'sphere', 'radius': 0.1}, 'w': {'kind': 'box', 'size': [0.1, 2, 2]}}, 'bodies': ["
                    "{'name': 'b', 'shape': 's', 'mass': 1, 'position': [-1, 0, 0]},"
                    "{'name': 'w', 'kind': 'fixed', 'shape': 'w'}]}");
    for (int64_t i = 5; i < run.frames; i++) frame(&run, i)->position.x = 1.0;
    check_found(&run, find_passes, "went through");
}

TEST(friction_that_is_not_coulombs_is_found) {
    followed_run run = sliding_box("0.3");
    for (int64_t i = 0; i < run.contact_end[run.frames - 1]; i++)
        for (int k = 0; k < 2; k++) run.contact[i].tangent_impulse[k] *= 1.02;
    check_found(&run, find_friction, "outside the cone");
    run = sliding_box("0.3");
    for (int64_t i = 0; i < run.contact_end[run.frames - 1]; i++) {
        double *r = run.contact[i].tangent_impulse, first = r[0];
        r[0] = cos(0.4) * r[0] - sin(0.4) * r[1];
        r[1] = sin(0.4) * first + cos(0.4) * r[1];
    }
    check_found(&run, find_friction, "across the slip");
    run = sliding_box("0.3");
    for (int64_t i = 0; i < run.contact_end[run.frames - 1]; i++) run.contact[i].gap = 0.1;
    check_found(&run, find_friction, "across a gap");
}

TEST(creep_and_spin_of_smooth_balls_are_found) {
    followed_run run = rolling_ball();
    for (int64_t i = run.frames / 2; i < run.frames; i++) frame(&run, i)->spin.x += 0.1;
    check_found(&run, find_smooth_spin, "spin of a smooth ball");
    run = rolling_ball();
    for (int64_t i = 0; i < run.frames; i++) {
        frame(&run, i)->velocity = crm_vec3_zero();
        frame(&run, i)->position.y += 1e-4 * (double)i;
    }
    check_found(&run, find_unexplained, "no velocity explains");
}

TEST(other_ends_are_told_apart) {
    followed_run run = pendulum(), other = pendulum();
    CHECK(difference_at_end(&run, &other) == 0.0);
    frame(&other, other.frames - 1)->position.x += 0.1;
    CHECK(difference_at_end(&run, &other) > 1.0);
    followed_run_free(&run);
    followed_run_free(&other);
}

TEST_MAIN(CASE(energy_that_grows_or_goes_is_found), CASE(open_joints_are_found), CASE(numbers_that_are_none_are_found),
          CASE(overlaps_and_passes_are_found), CASE(friction_that_is_not_coulombs_is_found),
          CASE(creep_and_spin_of_smooth_balls_are_found), CASE(other_ends_are_told_apart))
