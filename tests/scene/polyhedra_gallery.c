// SPDX-License-Identifier: MIT
// What the scenes of polyhedra in contact claim of themselves: infeasibility of the second order, structures that
// stand, dominoes that fall, heaps that spread, a nut that rises. Full runs are those of `make gallery`; these are
// short.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"

typedef struct run {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    double sum; // of the infeasibilities of all steps: overlaps and errors of joints
    int steps;
} run;

static run begin(const char *name, int override_count, const char *const *overrides) {
    char file[512];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    run r = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = override_count;
    source.overrides = overrides;
    if (carom_scene_read(&source, NULL, &r.scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    r.model = carom_scene_model(r.scene);
    CHECK_INT(carom_scene_method(r.scene)->method, CAROM_METHOD_LCP);
    CHECK_INT(carom_state_create(r.model, carom_scene_method(r.scene), &r.state, &error), CAROM_OK);
    return r;
}

// Every step keeps its contract, which says too that friction only takes energy.
static void go(run *r, double until) {
    double step = carom_scene_method(r->scene)->step;
    carom_step_report report;
    while (carom_state_time(r->state) < until - 0.5 * step) {
        CHECK_INT(carom_step(r->model, r->state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(report.text, "");
            return;
        }
        r->sum += fmax(report.infeasibility, report.joint_drift);
        r->steps++;
    }
}

static void end(run *r) {
    carom_state_destroy(r->state);
    carom_scene_destroy(r->scene);
}

static carom_body_state body(const run *r, int index) {
    carom_body_state state = {0};
    CHECK_INT(carom_state_get_body(r->state, (carom_body){index}, &state, NULL), CAROM_OK);
    return state;
}

static carom_body_state named(const run *r, const char *name) {
    return body(r, carom_model_find_body(r->model, name).index);
}

// ---- infeasibility

// Mean over the steps of I = max(overlap, error of a joint); of dice also over throws.
static double mean_infeasibility(const char *name, double step, double gamma, double until, int throws) {
    double sum = 0.0;
    for (int i = 0; i < (throws > 0 ? throws : 1); i++) {
        char text[5][64];
        const char *overrides[5];
        snprintf(text[0], sizeof text[0], "method.step=%.17g", step);
        snprintf(text[1], sizeof text[1], "method.lcp.gamma=%g", gamma);
        for (int k = 0; k < 3; k++)
            snprintf(text[2 + k], sizeof text[0], "bodies[%d].repeat.random.seed=%d", 1 + k, 3 * i + k);
        for (int k = 0; k < 5; k++) overrides[k] = text[k];
        run r = begin(name, throws > 0 ? 5 : 2, overrides);
        go(&r, until);
        sum += r.sum / r.steps;
        end(&r);
    }
    return throws > 0 ? sum / throws : sum;
}

// The slope of log I over log h, by least squares.
static double slope(const char *name, double step, double gamma, double until, int throws, int halvings) {
    double x_mean = 0.5 * halvings, sum = 0.0, squares = 0.0;
    for (int i = 0; i <= halvings; i++) {
        double infeasibility = mean_infeasibility(name, ldexp(step, -i), gamma, until, throws);
        sum += (i - x_mean) * -log2(infeasibility);
        squares += (i - x_mean) * (i - x_mean);
    }
    return sum / squares;
}

// docs/math.md 6.2, the theorem on infeasibility: I <= C |v|^2 h^2 with full stabilisation. Without it errors of that
// size are added up over T/h steps: the slope is 1.
static void check_slopes(const char *name, double step, double until, int throws, int halvings) {
    CHECK_NEAR(slope(name, step, 1.0, until, throws, halvings), 2.0, 0.15);
}

static void check_drift(const char *name, double step, double until) {
    CHECK_NEAR(slope(name, step, 0.0, until, 0, 2), 1.0, 0.1);
    CHECK(mean_infeasibility(name, step, 0.0, until, 0) > 10.0 * mean_infeasibility(name, step, 1.0, until, 0));
}

TEST(infeasibility_falls_with_the_square_of_the_step) {
    check_slopes("balance", 0.01, 0.5, 0, 2);
    check_slopes("pyramid", 0.02, 0.5, 0, 2);
    check_slopes("setup", 0.01, 0.5, 0, 2);
}

TEST(without_stabilisation_joints_and_contacts_drift) {
    check_drift("balance", 0.01, 1.0);
    check_drift("pyramid", 0.02, 1.0);
    check_drift("setup", 0.01, 1.0);
}

TEST(infeasibility_falls_with_the_square_of_the_step_over_four_halvings) {
    check_slopes("balance", 0.01, 2.0, 0, 4);
    check_slopes("pyramid", 0.01, 2.0, 0, 4);
    check_slopes("setup", 0.01, 1.5, 0, 4);
}

TEST(infeasibility_of_dice_falls_with_the_square_of_the_step) {
    check_slopes("dice", 0.004, 1.0, 32, 4);
}

TEST(the_pyramid_stands_on_its_sledge) {
    run r = begin("pyramid", 0, NULL);
    carom_body_state sledge = named(&r, "sledge"), top = named(&r, "cube-2-0-0");
    double apart = crm_length(crm_sub(top.position, sledge.position));
    go(&r, 2.0);
    sledge = named(&r, "sledge"), top = named(&r, "cube-2-0-0");
    // It has gone to the other side, at the height where it was let go, and the cubes have slid by less than 1 % of
    // their size.
    CHECK_NEAR(crm_length(crm_sub(top.position, sledge.position)), apart, 0.01 * 0.3);
    end(&r);
}

// ---- what stands

// How far the farthest body has got, as a share of its size: its centre, and its corners by rotation.
static double creep(const run *r, const run *at_first) {
    double worst = 0.0;
    for (int b = 0; b < carom_model_body_count(r->model); b++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(r->model, (carom_body){b}, &def, NULL), CAROM_OK);
        if (def.kind == CAROM_BODY_FIXED) continue;
        double radius = carom_shape_bounding_radius(carom_model_get_shape(r->model, def.shape));
        carom_body_state now = body(r, b), then = body(at_first, b);
        carom_quat rotation = crm_quat_mul(now.attitude, crm_quat_conjugate(then.attitude));
        double angle = 2.0 * crm_length(crm_vec3(rotation.x, rotation.y, rotation.z));
        double moved = crm_length(crm_sub(now.position, then.position)) + radius * angle;
        worst = fmax(worst, moved / (2.0 * radius));
    }
    return worst;
}

static void check_stands(const char *name, double until) {
    run first = begin(name, 0, NULL), r = begin(name, 0, NULL);
    go(&r, until);
    CHECK(creep(&r, &first) < 1e-6);
    end(&r);
    end(&first);
}

TEST(arch_and_house_of_cards_stand) {
    check_stands("arch", 2.0);
    check_stands("card-house", 2.0);
}

TEST(arch_and_house_of_cards_stand_for_a_minute) {
    check_stands("arch", 60.0);
    check_stands("card-house", 60.0);
}

// With less friction they do not.
TEST(on_smooth_stones_they_fall) {
    static const char *const names[] = {"arch", "card-house"};
    static const char *const smooth[] = {"materials.stone.friction=0.1", "materials.card.friction=0.2"};
    for (int i = 0; i < 2; i++) {
        const char *const overrides[] = {smooth[i], "method.lcp.tolerance=1e-6"};
        run first = begin(names[i], 0, NULL), r = begin(names[i], 2, overrides);
        go(&r, 0.5);
        CHECK(creep(&r, &first) > 0.1);
        end(&r);
        end(&first);
    }
}

// ---- grains

// Mean square distance from the axis of the column, and mean height, of all bodies but the floor.
static void spread(const run *r, double *square, double *height) {
    int count = carom_model_body_count(r->model);
    *square = *height = 0.0;
    for (int b = 1; b < count; b++) {
        carom_vec3 x = body(r, b).position;
        *square += (x.x * x.x + x.y * x.y) / (count - 1);
        *height += x.z / (count - 1);
    }
}

TEST(the_column_spreads_to_a_heap) {
    run r = begin("granular-column", 0, NULL);
    double square, height, square_after, height_after;
    spread(&r, &square, &height);
    go(&r, carom_scene_until(r.scene));
    spread(&r, &square_after, &height_after);
    CHECK(square_after > 4.0 * square);
    CHECK(height_after < 0.4 * height);
    for (int b = 1; b < carom_model_body_count(r.model); b++) CHECK(body(&r, b).position.z > 0.02);
    end(&r);
}

// Cosine of the angle by which a body has fallen over.
static double upright(const run *r, const char *kind, int number) {
    char name[32];
    snprintf(name, sizeof name, "%s-%d", kind, number);
    return crm_quat_rotate(named(r, name).attitude, (carom_vec3){0, 0, 1}).z;
}

TEST(dominoes_fall_to_the_last_and_the_ball_gets_among_the_pins) {
    run r = begin("dominoes", 0, NULL);
    go(&r, 0.2);
    for (int i = 0; i < 36; i++) CHECK_NEAR(upright(&r, "domino", i), 1.0, 1e-6);
    go(&r, carom_scene_until(r.scene));
    for (int i = 0; i < 36; i++) CHECK(upright(&r, "domino", i) < 0.8);
    int fallen = 0;
    for (int i = 0; i < 10; i++) fallen += upright(&r, "pin", i) < 0.5;
    CHECK(fallen >= 5);
    end(&r);
}

// Height of the nut above the mean of the grains, as a mean over a second: four rounds of the crank.
static double nut_above_grains(run *r) {
    int nut = carom_model_find_body(r->model, "nut").index, count = carom_model_body_count(r->model);
    double step = carom_scene_method(r->scene)->step, sum = 0.0;
    int steps = (int)lround(1.0 / step);
    for (int i = 0; i < steps; i++) {
        go(r, carom_state_time(r->state) + step);
        double mean = 0.0;
        for (int b = nut + 1; b < count; b++) mean += body(r, b).position.y / (count - nut - 1);
        sum += body(r, nut).position.y - mean;
    }
    return sum / steps;
}

// From below the grains to above their mean, by more than its radius of 0.08 m.
TEST(the_nut_rises) {
    run r = begin("brazil-nut", 0, NULL);
    double first = nut_above_grains(&r);
    go(&r, 8.0);
    double last = nut_above_grains(&r);
    CHECK(first < 0.0 && last > 0.0);
    CHECK(last - first > 0.08);
    end(&r);
}

TEST(shaken_grains_keep_their_contract) {
    run r = begin("brazil-nut", 0, NULL);
    go(&r, 0.3);
    carom_joint_state crank;
    CHECK_INT(carom_state_get_joint(r.state, carom_model_find_joint(r.model, "drive"), &crank, NULL), CAROM_OK);
    CHECK_NEAR(crank.rate[0], 8.0 * acos(-1.0), 1e-5);
    end(&r);
}

TEST_MAIN(CASE(infeasibility_falls_with_the_square_of_the_step), CASE(without_stabilisation_joints_and_contacts_drift),
          LONG_CASE(infeasibility_falls_with_the_square_of_the_step_over_four_halvings),
          LONG_CASE(infeasibility_of_dice_falls_with_the_square_of_the_step), CASE(the_pyramid_stands_on_its_sledge),
          CASE(arch_and_house_of_cards_stand), LONG_CASE(arch_and_house_of_cards_stand_for_a_minute),
          CASE(on_smooth_stones_they_fall), CASE(dominoes_fall_to_the_last_and_the_ball_gets_among_the_pins),
          LONG_CASE(the_column_spreads_to_a_heap), CASE(shaken_grains_keep_their_contract), LONG_CASE(the_nut_rises))
