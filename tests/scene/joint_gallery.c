// SPDX-License-Identifier: MIT
// What the scenes with joints claim of themselves.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"

typedef struct run {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    carom_step_report report;
    double largest_drift;
} run;

static run begin(const char *name) {
    char file[512];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    run r = {0};
    carom_scene_messages *messages;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = file},
                                    NULL, &r.scene, &messages, &error),
                   CAROM_OK))
        CHECK_TEXT(error.text, "");
    carom_scene_messages_destroy(messages);
    r.model = carom_scene_model(r.scene);
    CHECK_INT(carom_scene_method(r.scene)->method, CAROM_METHOD_MULTIPLIER);
    CHECK_INT(carom_state_create(r.model, carom_scene_method(r.scene), &r.state, &error), CAROM_OK);
    return r;
}

static void go(run *r, double until) {
    double step = carom_scene_method(r->scene)->step;
    while (carom_state_time(r->state) < until - 0.5 * step) {
        CHECK_INT(carom_step(r->model, r->state, NULL, &r->report, NULL), CAROM_OK);
        if (!CHECK_INT(r->report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(r->report.text, "");
            return;
        }
        r->largest_drift = fmax(r->largest_drift, r->report.joint_drift);
    }
}

static void end(run *r) {
    carom_state_destroy(r->state);
    carom_scene_destroy(r->scene);
}

static double energy(const run *r) {
    carom_energy e = carom_state_energy(r->state);
    return e.kinetic + e.potential;
}

static carom_body_state body(const run *r, const char *name) {
    carom_body_state state = {0};
    CHECK_INT(carom_state_get_body(r->state, carom_model_find_body(r->model, name), &state, NULL), CAROM_OK);
    return state;
}

static carom_joint_state joint(const run *r, const char *name) {
    carom_joint_state state = {0};
    CHECK_INT(carom_state_get_joint(r->state, carom_model_find_joint(r->model, name), &state, NULL), CAROM_OK);
    return state;
}

// Common centre of mass, and the angular momentum about it.
static carom_vec3 centre(const run *r, double *mass) {
    carom_vec3 sum = crm_vec3_zero();
    *mass = 0.0;
    for (int b = 0; b < carom_model_body_count(r->model); b++) {
        carom_body_def def;
        carom_body_state state;
        carom_model_get_body(r->model, (carom_body){b}, &def, NULL);
        carom_state_get_body(r->state, (carom_body){b}, &state, NULL);
        sum = crm_madd(sum, def.mass, state.position);
        *mass += def.mass;
    }
    return crm_scale(1.0 / *mass, sum);
}

static carom_vec3 own_momentum(const run *r) {
    double mass;
    carom_momentum momentum = carom_state_momentum(r->state);
    return crm_sub(momentum.angular, crm_cross(centre(r, &mass), momentum.linear));
}

// Two that fall freely.
TEST(joined_bodies_fall_as_one) {
    static const struct {
        const char *name;
        carom_vec3 gravity;
    } scenes[] = {{"two-blocks", {0.0, 0.0, -9.81}}, {"two-link-planar", {0.0, -9.81, 0.0}}};
    for (int i = 0; i < 2; i++) {
        run r = begin(scenes[i].name);
        double mass, first_energy = energy(&r);
        carom_vec3 x = centre(&r, &mass), l = own_momentum(&r);
        carom_vec3 v = crm_scale(1.0 / mass, carom_state_momentum(r.state).linear);
        go(&r, 2.0);
        carom_vec3 wanted = crm_madd(crm_madd(x, 2.0, v), 2.0, scenes[i].gravity);
        CHECK_NEAR(crm_length(crm_sub(centre(&r, &mass), wanted)), 0.0, 1e-12);
        CHECK_NEAR(crm_length(crm_sub(own_momentum(&r), l)), 0.0, 1e-10);
        CHECK_NEAR(energy(&r) / first_energy, 1.0, 1e-10);
        CHECK(r.largest_drift < 1e-14);
        end(&r);
    }
}

TEST(chain_and_tree_keep_energy_and_joints) {
    static const char *const names[] = {"five-link-chain", "tree-and-loop"};
    for (int i = 0; i < 2; i++) {
        run r = begin(names[i]);
        carom_state_destroy(r.state);
        carom_method_def def = *carom_scene_method(r.scene);
        def.integrator = CAROM_INTEGRATOR_DP54;
        CHECK_INT(carom_state_create(r.model, &def, &r.state, NULL), CAROM_OK);
        double first = energy(&r);
        go(&r, 1.5);
        CHECK_NEAR(energy(&r), first, 1e-7);
        CHECK(r.largest_drift < 1e-13);
        CHECK_INT(r.report.redundant_rows, 0);
        end(&r);
    }
}

TEST(heavy_top_precesses_steadily) {
    run r = begin("heavy-top");
    double height = body(&r, "top").position.z, w = 5.779145812971757;
    go(&r, 1.0);
    carom_vec3 x = body(&r, "top").position;
    CHECK_NEAR(x.z, height, 1e-9);
    CHECK_NEAR(remainder(atan2(x.y, x.x) - w, 2.0 * acos(-1.0)), 0.0, 1e-7);
    carom_joint_state tip = joint(&r, "tip");
    // Steady: the tip bears the weight and what keeps the centre of mass on its circle.
    CHECK_NEAR(tip.end_force.z, 0.5 * 9.81, 1e-7);
    CHECK_NEAR(hypot(tip.end_force.x, tip.end_force.y), 0.5 * w * w * hypot(x.x, x.y), 1e-7);
    end(&r);
}

TEST(four_bar_comes_back_after_every_rotation) {
    run r = begin("four-bar");
    carom_body_state start = body(&r, "rocker");
    CHECK_INT(carom_state_assembly(r.state)->redundant_rows, 3);
    go(&r, 0.5);
    // Half a rotation on, the crank points down: the rocker's end is on both circles again.
    carom_vec3 pin = joint(&r, "rocker-pin").point;
    CHECK_NEAR(hypot(pin.x - 0.0, pin.z + 0.3), 0.9, 1e-10);
    CHECK_NEAR(hypot(pin.x - 1.0, pin.z), 0.7, 1e-10);
    CHECK(crm_length(crm_sub(body(&r, "rocker").position, start.position)) > 0.02);
    go(&r, 1.0);
    CHECK_NEAR(crm_length(crm_sub(body(&r, "rocker").position, start.position)), 0.0, 1e-9);
    CHECK_NEAR(joint(&r, "drive").coordinate[0], 2.0 * acos(-1.0), 1e-9);
    CHECK_INT(r.report.redundant_rows, 3);
    CHECK(r.largest_drift < 1e-12);
    end(&r);
}

// With error control inside of it the step of the scene, which is that of methods without, may be longer.
static void lengthen_step(run *r, double step) {
    carom_method_def def = *carom_scene_method(r->scene);
    def.step = step;
    carom_state_destroy(r->state);
    CHECK_INT(carom_state_create(r->model, &def, &r->state, NULL), CAROM_OK);
}

static void check_zoo(double until) {
    run r = begin("joint-zoo");
    lengthen_step(&r, 0.02);
    double first = energy(&r);
    go(&r, until);
    CHECK(r.largest_drift < 1e-8);
    CHECK_NEAR(energy(&r) / first, 1.0, 1e-6);
    for (int j = 0; j < carom_model_joint_count(r.model); j++) {
        carom_joint_state state;
        CHECK_INT(carom_state_get_joint(r.state, (carom_joint){j}, &state, NULL), CAROM_OK);
        CHECK(state.linear_drift < 1e-8 && state.angular_drift < 1e-8);
    }
    end(&r);
}

TEST(joint_zoo_blocks_what_it_should) {
    check_zoo(2.0);
}

// Without projection or feedback drift shows every error of rows and their velocity products.
TEST(joint_zoo_hardly_drifts_without_stabilisation) {
    run r = begin("joint-zoo");
    carom_state_destroy(r.state);
    carom_method_def def = *carom_scene_method(r.scene);
    def.stabilisation = CAROM_STABILISATION_BAUMGARTE;
    def.baumgarte_alpha = def.baumgarte_beta = 0.0;
    def.relative_tolerance = def.absolute_tolerance = 1e-11;
    CHECK_INT(carom_state_create(r.model, &def, &r.state, NULL), CAROM_OK);
    go(&r, 0.5);
    CHECK(r.largest_drift < 1e-9);
    end(&r);
}

TEST(joint_zoo_blocks_what_it_should_for_a_minute) {
    check_zoo(60.0);
}

TEST_MAIN(CASE(joined_bodies_fall_as_one), CASE(chain_and_tree_keep_energy_and_joints),
          CASE(heavy_top_precesses_steadily), CASE(four_bar_comes_back_after_every_rotation),
          CASE(joint_zoo_blocks_what_it_should), CASE(joint_zoo_hardly_drifts_without_stabilisation),
          LONG_CASE(joint_zoo_blocks_what_it_should_for_a_minute))
