// SPDX-License-Identifier: MIT
// Random scenes whose joints latch, break and are opened by command, under every method that has such joints: bodies of
// all kinds that fly at each other, free or with one that is fixed, with springs between them.
//
//     CAROM_SEEDS=n build/tests/test_step_random_switches    n seeds a method, and how many joints switched
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/saved_bytes.h"

enum { MOST_BODIES = 7 };

typedef struct scene {
    carom_model *model;
    carom_state *state;
    int bodies, joints;
    bool free;      // nothing holds it: P and L stay
    double kinetic; // at the start, J
} scene;

static carom_vec3 random_vec3(crm_random *random, double size) {
    double x = crm_random_between(random, -size, size), y = crm_random_between(random, -size, size);
    return crm_vec3(x, y, crm_random_between(random, -size, size));
}

static carom_quat random_quat(crm_random *random, double size) {
    carom_vec3 v = random_vec3(random, size);
    return crm_quat_normalised((carom_quat){1.0, v.x, v.y, v.z});
}

// Bodies on a sphere of 1 m that fly to its middle.
static void add_bodies(scene *s, crm_random *random, bool shapes) {
    carom_model_shape shape = shapes ? touching_sphere(s->model, 0.1) : (carom_model_shape){-1};
    for (int b = 0; b < s->bodies; b++) {
        carom_vec3 way, place = random_vec3(random, 1.0);
        if (crm_normalise(place, &way) == 0.0) way = crm_vec3(1.0, 0.0, 0.0);
        double mass = crm_random_between(random, 0.5, 3.0), moment = 0.05 * mass;
        carom_body_def def = world_body_def(mass, crm_vec3(moment, 1.2 * moment, 0.9 * moment));
        def.shape = shape;
        def.position = way;
        def.attitude = random_quat(random, 0.1);
        def.velocity = crm_add(crm_scale(-1.5, way), random_vec3(random, 0.2));
        def.spin = random_vec3(random, 0.5);
        if (b == 0 && !s->free) {
            def.kind = CAROM_BODY_FIXED;
            def.position = def.velocity = def.spin = crm_vec3_zero();
        }
        world_add(s->model, &def);
    }
}

// A tree of latches: every body to one before it. Some break, and some of those that do not are closed from the start.
static void add_latches(scene *s, crm_random *random) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_FIXED, CAROM_JOINT_HINGE,  CAROM_JOINT_UNIVERSAL,
                                             CAROM_JOINT_BALL,  CAROM_JOINT_SLIDER, CAROM_JOINT_CYLINDRICAL};
    for (int b = 1; b < s->bodies; b++) {
        carom_joint_def def = carom_joint_def_default();
        def.kind = kinds[crm_random_below(random, 6)];
        def.a.index = (int)crm_random_below(random, (uint64_t)b);
        def.b.index = b;
        def.point_a = random_vec3(random, 0.15);
        def.point_b = random_vec3(random, 0.15);
        def.attitude_a = random_quat(random, 0.05);
        def.attitude_b = random_quat(random, 0.05);
        def.latch = (carom_latch_def){.on = true, .distance = 0.15, .angle = 0.6, .speed = INFINITY};
        if (crm_random_below(random, 2) == 0) def.break_force = crm_random_between(random, 0.5, 5.0);
        if (crm_random_below(random, 3) == 0) def.break_moment = crm_random_between(random, 0.05, 1.0);
        joints_add(s->model, &def);
    }
    s->joints = s->bodies - 1;
}

static void add_springs(scene *s, crm_random *random) {
    for (int k = 0; k < 2; k++) {
        carom_spring_def def = carom_spring_def_default();
        def.a.index = (int)crm_random_below(random, (uint64_t)s->bodies);
        def.b.index = (def.a.index + 1) % s->bodies;
        def.stiffness = 5.0;
        carom_error error = {0};
        if (carom_model_add_spring(s->model, &def, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    }
}

static scene make(carom_method method, uint64_t seed, bool shapes) {
    crm_random random = {.seed = seed, .stream = 77};
    scene s = {.model = world_model(crm_vec3_zero(), 0.0), .free = seed % 3 != 0};
    s.bodies = 3 + (int)crm_random_below(&random, MOST_BODIES - 2);
    add_bodies(&s, &random, shapes);
    add_latches(&s, &random);
    // Those of lcp, which it takes at the end of the step, change L at the order of the method.
    if (seed % 4 == 1 && s.free && method != CAROM_METHOD_LCP) add_springs(&s, &random);
    s.state = world_state(s.model, method, 0.01);
    s.kinetic = carom_state_energy(s.state).kinetic;
    return s;
}

// A joint is opened by command now and then; the same in every run of a seed.
static carom_status step(const scene *s, carom_state *state, uint64_t seed, carom_step_report *report,
                         carom_error *error) {
    int64_t count = carom_state_step_count(state);
    carom_joint_switch command = {{(int)((uint64_t)count / 40 + seed) % s->joints}, false};
    carom_input input = {.switch_count = count % 40 == 39, .joint_switch = &command};
    return carom_step(s->model, state, &input, report, error);
}

static double sum_of(const carom_ledger *l) {
    return l->conservative + l->elastic + l->viscosity + l->attachments + l->passive + l->active + l->limits +
           l->friction + l->impacts + l->stabilisation + l->projection + l->remainder;
}

typedef struct tally {
    int closed, opened, failed;
} tally;

static void check_events(const scene *s, tally *tally) {
    int count;
    const carom_joint_event *events = carom_state_joint_events(s->state, &count);
    for (int i = 0; i < count; i++) {
        CHECK(events[i].impact_energy <= 1e-14 * s->kinetic);
        CHECK(events[i].failed || carom_state_joint_is_closed(s->state, events[i].joint) == events[i].closed);
        tally->closed += events[i].closed;
        tally->failed += events[i].failed;
        tally->opened += !events[i].closed && !events[i].failed;
    }
}

// The whole scene, and from a state on its way again to the same bits.
static void run(carom_method method, uint64_t seed, bool shapes, tally *tally) {
    enum { STEPS = 160, SAVED_AT = 70 };
    scene s = make(method, seed, shapes);
    bool integrates = method == CAROM_METHOD_MULTIPLIER || method == CAROM_METHOD_REDUCED;
    carom_momentum first = carom_state_momentum(s.state);
    double kinetic = s.kinetic, size = sqrt(2.0 * s.kinetic * 3.0 * s.bodies); // of all momenta, kg m/s
    unsigned char *saved = NULL;
    size_t bytes = 0;
    carom_step_report report;
    carom_error error;
    for (int i = 0; i < STEPS; i++) {
        if (i == SAVED_AT) saved = saved_bytes_of(s.state, &bytes);
        if (!CHECK_INT(step(&s, s.state, seed, &report, &error), CAROM_OK)) break;
        if (!shapes && !CHECK_TEXT(report.text, "")) break;
        if (!CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE)) break;
        check_events(&s, tally);
        first.angular = crm_add(first.angular, report.projection_momentum); // of dcr's own, which it tells
        if (!CHECK_NEAR(report.energy.kinetic - kinetic, sum_of(&report.ledger), 1e-11 * s.kinetic)) break;
        kinetic = report.energy.kinetic;
        CHECK(report.joint_drift <= 1e-6);
    }
    carom_momentum last = carom_state_momentum(s.state);
    double allowed = (integrates ? 1e-7 : 1e-11) * size;
    if (s.free) CHECK_NEAR(crm_distance(last.linear, first.linear), 0.0, allowed);
    if (s.free) CHECK_NEAR(crm_distance(last.angular, first.angular), 0.0, allowed);
    uint64_t end = carom_state_hash(s.state);
    carom_state *other;
    CHECK_INT(carom_state_create(s.model, carom_state_method(s.state), &other, &error), CAROM_OK);
    if (saved != NULL && CHECK_INT(carom_state_load(other, saved, bytes, &error), CAROM_OK)) {
        for (int64_t i = carom_state_step_count(other); i < carom_state_step_count(s.state); i++)
            CHECK_INT(step(&s, other, seed, &report, &error), CAROM_OK);
        CHECK(carom_state_hash(other) == end);
    }
    free(saved);
    carom_state_destroy(other);
    world_destroy(s.state);
}

static void run_seeds(carom_method method, bool shapes) {
    const char *wanted = getenv("CAROM_SEEDS");
    int seeds = wanted != NULL ? atoi(wanted) : 100;
    tally tally = {0};
    for (int seed = 0; seed < seeds; seed++) run(method, (uint64_t)seed, shapes, &tally);
    if (wanted != NULL)
        printf("%s%s: %d closed, %d opened, %d could not close\n", carom_method_name(method), shapes ? ", shapes" : "",
               tally.closed, tally.opened, tally.failed);
    CHECK(tally.closed > seeds / 2 && tally.opened > seeds / 4);
}

TEST(random_latches_of_lcp) {
    run_seeds(CAROM_METHOD_LCP, false);
}

TEST(random_latches_of_multiplier) {
    run_seeds(CAROM_METHOD_MULTIPLIER, false);
}

TEST(random_latches_of_reduced) {
    run_seeds(CAROM_METHOD_REDUCED, false);
}

TEST(random_latches_of_variational) {
    run_seeds(CAROM_METHOD_VARIATIONAL, false);
}

TEST(random_latches_of_exact) {
    run_seeds(CAROM_METHOD_EXACT, false);
}

TEST(random_latches_of_dcr) {
    run_seeds(CAROM_METHOD_DCR, false);
}

TEST(random_latches_of_newmark) {
    run_seeds(CAROM_METHOD_NEWMARK, false);
}

TEST(random_latches_with_contacts) {
    run_seeds(CAROM_METHOD_LCP, true);
    run_seeds(CAROM_METHOD_DCR, true);
}

TEST_MAIN(CASE(random_latches_of_lcp), CASE(random_latches_of_multiplier), CASE(random_latches_of_reduced),
          CASE(random_latches_of_variational), CASE(random_latches_of_exact), CASE(random_latches_of_dcr),
          CASE(random_latches_of_newmark), CASE(random_latches_with_contacts))
