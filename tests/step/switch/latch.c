// SPDX-License-Identifier: MIT
// Joints that close when their frames meet and open under a load, under every method that has them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/saved_bytes.h"

static const carom_method methods[] = {CAROM_METHOD_LCP,    CAROM_METHOD_MULTIPLIER, CAROM_METHOD_VARIATIONAL,
                                       CAROM_METHOD_EXACT,  CAROM_METHOD_DCR,        CAROM_METHOD_REDUCED,
                                       CAROM_METHOD_NEWMARK};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

// Methods whose energies drift by their tolerance only, and those that swing about their own.
static bool integrates(carom_method method) {
    return method == CAROM_METHOD_MULTIPLIER || method == CAROM_METHOD_REDUCED;
}

// The only switch of the last step; NULL: there was none.
static const carom_joint_event *event_of(const carom_state *state) {
    int count;
    const carom_joint_event *events = carom_state_joint_events(state, &count);
    CHECK(count <= 1);
    return count > 0 ? events : NULL;
}

// ---- two cubes

typedef struct cubes {
    carom_model *model;
    carom_state *state;
    carom_body a, b;
} cubes;

static carom_body add_cube(carom_model *model, carom_vec3 place, carom_vec3 velocity, carom_vec3 spin) {
    carom_body_def def = world_body_def(2.0, crm_vec3(2.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0));
    def.position = place;
    def.velocity = velocity;
    def.spin = spin;
    return world_add(model, &def);
}

// Cubes of 1 m that fly at each other along x, a little aside, and latch face to face 0.1 m before they meet.
static carom_joint_def cube_latch(const cubes *c, carom_joint_kind kind) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = kind;
    def.a = c->a;
    def.b = c->b;
    def.point_a = crm_vec3(0.55, 0.0, 0.0);
    def.point_b = crm_vec3(-0.55, 0.0, 0.0);
    def.latch = (carom_latch_def){.on = true, .distance = 0.1, .angle = 0.2, .speed = INFINITY};
    return def;
}

static cubes fly(carom_method method, carom_joint_kind kind, double break_force, double break_moment) {
    cubes c = {.model = world_model(crm_vec3_zero(), 0.0)};
    c.a = add_cube(c.model, crm_vec3(-1.0, 0.0, 0.0), crm_vec3(1.0, 0.1, 0.0), crm_vec3(0.05, 0.02, 0.1));
    c.b = add_cube(c.model, crm_vec3(1.0, 0.04, 0.02), crm_vec3(-0.5, 0.05, -0.02), crm_vec3(-0.04, 0.03, 0.02));
    carom_joint_def def = cube_latch(&c, kind);
    def.break_force = break_force;
    def.break_moment = break_moment;
    joints_add(c.model, &def);
    c.state = world_state(c.model, method, 0.01);
    return c;
}

// The step in which they close: momenta as before, energy no more than before, and all that is gone in the ledger.
static void check_closing(const cubes *c, const carom_joint_event *event, double energy_before,
                          const carom_step_report *report) {
    double rounding = 1e-13 * energy_before, tolerance = 1e-9; // the second is what methods do in a step
    CHECK(event->closed && !event->failed && event->reason == CAROM_SWITCH_LATCH);
    CHECK(event->impact_energy <= 0.0);
    CHECK(event->impact_energy + event->projection_energy <= 0.0);
    CHECK(report->momentum_balance <= 1e-13);
    CHECK(report->joint_drift <= 1e-8);
    CHECK_NEAR(report->ledger.impacts, event->impact_energy, rounding);
    CHECK_NEAR(report->ledger.projection, event->projection_energy, tolerance);
    double change = report->energy.kinetic + report->energy.potential - energy_before;
    double lines = event->impact_energy + report->ledger.projection + report->ledger.remainder;
    CHECK_NEAR(change, lines, rounding);
    CHECK(world_energy(c->state) <= energy_before + tolerance);
}

TEST(two_cubes_latch_and_keep_their_momenta) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_FIXED,         CAROM_JOINT_HINGE,  CAROM_JOINT_UNIVERSAL,
                                             CAROM_JOINT_BALL,          CAROM_JOINT_SLIDER, CAROM_JOINT_CYLINDRICAL,
                                             CAROM_JOINT_POINT_ON_LINE, CAROM_JOINT_PLANAR, CAROM_JOINT_POINT_ON_PLANE};
    for (int m = 0; m < METHOD_COUNT; m++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            cubes c = fly(methods[m], kinds[k], INFINITY, INFINITY);
            carom_momentum first = carom_state_momentum(c.state);
            double energy = world_energy(c.state), size = 2.0 * 1.0 + 2.0 * 0.5, worst = 0.0; // of both momenta
            int events = 0;
            for (int i = 0; i < 100; i++) {
                carom_momentum before = carom_state_momentum(c.state);
                carom_step_report report = world_run(c.state, 1);
                const carom_joint_event *event = event_of(c.state);
                if (event != NULL) check_closing(&c, event, energy, &report), events++;
                energy = world_energy(c.state);
                carom_momentum now = carom_state_momentum(c.state);
                worst = fmax(worst, crm_distance(now.linear, before.linear));
                if (!integrates(methods[m])) worst = fmax(worst, crm_distance(now.angular, before.angular));
                CHECK_NEAR(crm_distance(now.angular, first.angular), 0.0, 1e-9);
            }
            CHECK_INT(events, 1);
            CHECK_NEAR(worst, 0.0, 1e-13 * size);
            CHECK(carom_state_joint_is_closed(c.state, (carom_joint){0}));
            world_destroy(c.state);
        }
    }
}

// A perfectly plastic impact of what moves along one line: the common velocity, and the loss 1/2 mu v^2.
TEST(a_central_latch_is_a_plastic_impact) {
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = {.model = world_model(crm_vec3_zero(), 0.0)};
        c.a = add_cube(c.model, crm_vec3(-1.0, 0.0, 0.0), crm_vec3(1.0, 0.0, 0.0), crm_vec3_zero());
        c.b = add_cube(c.model, crm_vec3(1.0, 0.0, 0.0), crm_vec3(-0.5, 0.0, 0.0), crm_vec3_zero());
        carom_joint_def def = cube_latch(&c, CAROM_JOINT_FIXED);
        joints_add(c.model, &def);
        c.state = world_state(c.model, methods[m], 0.01);
        world_run(c.state, 60);
        for (int b = 0; b < 2; b++) {
            carom_body_state body = world_body(c.state, b);
            CHECK_NEAR(crm_distance(body.velocity, crm_vec3(0.25, 0.0, 0.0)), 0.0, 1e-12);
        }
        CHECK_NEAR(world_body(c.state, 1).position.x - world_body(c.state, 0).position.x, 1.1, 1e-10);
        CHECK_NEAR(world_energy(c.state), 2.0 * 0.25 * 0.25, 1e-12);
        world_destroy(c.state);
    }
}

// ---- breaking

// Equal and opposite forces pull at both cubes, growing with time.
static carom_step_report pull(const cubes *c, double force) {
    carom_wrench wrenches[2] = {{c->a, {-force, 0.0, 0.0}, {0.0, 0.0, 0.0}},
                                {c->b, {force, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    carom_input input = {.wrench_count = 2, .wrench = wrenches};
    carom_step_report report;
    carom_error error = {0};
    CHECK_INT(carom_step(c->model, c->state, &input, &report, &error), CAROM_OK);
    CHECK_TEXT(report.text, "");
    return report;
}

// A resting pair with a latch that is closed from the start or by a command.
static cubes pair(carom_method method, double break_force, double break_moment) {
    cubes c = {.model = world_model(crm_vec3_zero(), 0.0)};
    c.a = add_cube(c.model, crm_vec3(-0.55, 0.0, 0.0), crm_vec3(0.1, 0.0, 0.0), crm_vec3_zero());
    c.b = add_cube(c.model, crm_vec3(0.55, 0.0, 0.0), crm_vec3(0.1, 0.0, 0.0), crm_vec3_zero());
    carom_joint_def def = cube_latch(&c, CAROM_JOINT_FIXED);
    def.latch.on = false;
    def.break_force = break_force;
    def.break_moment = break_moment;
    def.by_command = true;
    joints_add(c.model, &def);
    c.state = world_state(c.model, method, 0.01);
    return c;
}

TEST(a_joint_breaks_within_one_step_of_its_load) {
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = pair(methods[m], 10.0, INFINITY);
        for (int i = 0; i < 30; i++) {
            double force = 0.7 * i; // 9.8 N in the step that begins with 14 made, 10.5 N in the next one
            carom_step_report report = pull(&c, force);
            const carom_joint_event *event = event_of(c.state);
            CHECK(carom_state_joint_is_closed(c.state, (carom_joint){0}) == (i <= 15));
            if (!CHECK((event != NULL) == (i == 16)) || event == NULL) continue;
            CHECK(!event->closed && event->reason == CAROM_SWITCH_FORCE);
            CHECK_NEAR(event->force, 10.5, 1e-9);
            CHECK_INT(event->step, 16);
            CHECK_NEAR(report.ledger.impacts, 0.0, 1e-300);
        }
        CHECK(world_body(c.state, 1).velocity.x > 0.2);
        world_destroy(c.state);
    }
}

TEST(a_joint_breaks_by_its_moment) {
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = pair(methods[m], INFINITY, 4.0);
        for (int i = 0; i < 12; i++) {
            double torque = 0.6 * i; // half of it goes through the joint, as both cubes are alike... by d'Alembert
            carom_wrench wrenches[2] = {{c.a, {0.0, 0.0, 0.0}, {-torque, 0.0, 0.0}},
                                        {c.b, {0.0, 0.0, 0.0}, {torque, 0.0, 0.0}}};
            carom_input input = {.wrench_count = 2, .wrench = wrenches};
            carom_step_report report;
            CHECK_INT(carom_step(c.model, c.state, &input, &report, NULL), CAROM_OK);
            const carom_joint_event *event = event_of(c.state);
            CHECK((event != NULL) == (i == 8)); // 4.2 N m in the step before
            if (event != NULL) CHECK(event->reason == CAROM_SWITCH_MOMENT && event->moment > 4.0);
        }
        world_destroy(c.state);
    }
}

// A latch that broke stays open until its frames have parted and met again.
TEST(a_latch_that_broke_closes_after_it_has_parted) {
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = fly(methods[m], CAROM_JOINT_BALL, 5.0, INFINITY);
        int closed = 0, opened = 0;
        bool parted = false;
        for (int i = 0; i < 300; i++) {
            double apart = crm_distance(world_body(c.state, 1).position, world_body(c.state, 0).position);
            parted |= apart > 1.35;
            pull(&c, closed == 0 ? 0.0 : parted && opened == 1 ? -3.0 : 6.0);
            const carom_joint_event *event = event_of(c.state);
            if (event == NULL) continue;
            if (event->closed && opened == 1) CHECK(parted);
            if (!event->closed) parted = false;
            closed += event->closed;
            opened += !event->closed;
        }
        CHECK_INT(closed, 2);
        CHECK(opened >= 1);
        world_destroy(c.state);
    }
}

// ---- by command

static carom_status command(const cubes *c, bool close, carom_error *error) {
    carom_joint_switch s = {{0}, close};
    carom_input input = {.switch_count = 1, .joint_switch = &s};
    carom_step_report report;
    return carom_step(c->model, c->state, &input, &report, error);
}

TEST(joints_open_and_close_by_command) {
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = pair(methods[m], INFINITY, INFINITY);
        carom_error error;
        CHECK_INT(command(&c, false, &error), CAROM_OK);
        CHECK(!carom_state_joint_is_closed(c.state, (carom_joint){0}));
        const carom_joint_event *event = event_of(c.state);
        CHECK(event != NULL && event->reason == CAROM_SWITCH_COMMAND && !event->closed);
        CHECK_INT(command(&c, false, &error), CAROM_OK); // it is as asked for
        CHECK(event_of(c.state) == NULL);
        CHECK_INT(command(&c, true, &error), CAROM_OK);
        event = event_of(c.state);
        CHECK(event != NULL && event->reason == CAROM_SWITCH_COMMAND && event->closed);
        CHECK_INT(command(&c, false, &error), CAROM_OK);
        for (int i = 0; i < 20; i++) pull(&c, 10.0);
        uint64_t before = carom_state_hash(c.state);
        CHECK_INT(command(&c, true, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "joint 0 cannot close: it is ");
        CHECK(carom_state_hash(c.state) == before);
        world_destroy(c.state);
    }
}

// ---- saved and copied

// Every state on the way, loaded into a state of its own, goes on to the same bits, across closing and breaking.
TEST(runs_go_on_across_switches_to_the_same_bits) {
    enum { STEPS = 90, EVERY = 6 };
    for (int m = 0; m < METHOD_COUNT; m++) {
        cubes c = fly(methods[m], CAROM_JOINT_HINGE, 5.0, INFINITY);
        unsigned char *saved[STEPS / EVERY];
        size_t size[STEPS / EVERY];
        int switches = 0;
        for (int i = 0; i < STEPS; i++) {
            if (i % EVERY == 0) saved[i / EVERY] = saved_bytes_of(c.state, &size[i / EVERY]);
            pull(&c, i > 65 ? 6.0 : 0.0);
            switches += event_of(c.state) != NULL;
        }
        CHECK_INT(switches, 2);
        uint64_t end = carom_state_hash(c.state);
        carom_state *other;
        carom_error error;
        CHECK_INT(carom_state_create(c.model, carom_state_method(c.state), &other, &error), CAROM_OK);
        for (int k = STEPS / EVERY - 1; k >= 0; k--) {
            if (!CHECK_INT(carom_state_load(other, saved[k], size[k], &error), CAROM_OK)) break;
            cubes copy = c;
            copy.state = other;
            for (int i = EVERY * k; i < STEPS; i++) pull(&copy, i > 65 ? 6.0 : 0.0);
            CHECK(carom_state_hash(other) == end);
            free(saved[k]);
        }
        // A copy of a state with other joints closed.
        CHECK_INT(carom_state_copy(c.state, other, &error), CAROM_OK);
        CHECK(carom_state_hash(other) == end);
        carom_state_destroy(other);
        world_destroy(c.state);
    }
}

TEST(a_hostile_state_is_refused_and_changes_nothing) {
    cubes c = fly(CAROM_METHOD_LCP, CAROM_JOINT_HINGE, 5.0, INFINITY);
    carom_state *other;
    carom_error error;
    CHECK_INT(carom_state_create(c.model, carom_state_method(c.state), &other, &error), CAROM_OK);
    world_run(c.state, 60);
    size_t size;
    unsigned char *bytes = saved_bytes_of(c.state, &size);
    uint64_t before = carom_state_hash(other);
    size_t at = size; // of the joint's status, the first of the block
    for (size_t i = SAVED_HEADER; i + 8 <= size && at == size; i += 8) {
        int64_t value;
        memcpy(&value, bytes + i, sizeof value);
        if (value == 1) at = i;
    }
    if (!CHECK(at < size)) return;
    for (int64_t bad = -1; bad <= 3; bad++) {
        if (bad == 1) continue;
        memcpy(bytes + at, &bad, sizeof bad);
        saved_bytes_repair(bytes, size);
        CHECK_INT(carom_state_load(other, bytes, size, &error), CAROM_ERR_BAD_INPUT);
        CHECK(carom_state_hash(other) == before);
    }
    CHECK_INT(carom_state_load(other, bytes, at + 4, &error), CAROM_ERR_BAD_INPUT);
    free(bytes);
    carom_state_destroy(other);
    world_destroy(c.state);
}

TEST_MAIN(CASE(two_cubes_latch_and_keep_their_momenta), CASE(a_central_latch_is_a_plastic_impact),
          CASE(a_joint_breaks_within_one_step_of_its_load), CASE(a_joint_breaks_by_its_moment),
          CASE(a_latch_that_broke_closes_after_it_has_parted), CASE(joints_open_and_close_by_command),
          CASE(runs_go_on_across_switches_to_the_same_bits), CASE(a_hostile_state_is_refused_and_changes_nothing))
