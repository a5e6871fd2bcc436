// SPDX-License-Identifier: MIT
// What steps that vary must not change, under every method, on random scenes with contact: a list of one length gives
// the bits of `step`, a run that goes on from a saved state or a copy ends at the same bits wherever the steps change,
// and momenta are kept as well as with equal steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/saved_bytes.h"
#include "support/scene/structure_scene.h"

enum { STEPS = 48, SEEDS = 3 };

typedef struct subject {
    carom_method method;
    bool crowd; // random_scene: heaps with joints and drives; else structure_scene
    bool continuous;
    carom_impulse_variant variant;
    bool joints;
    double share; // of a structure scene's own time that a step takes
} subject;

static const subject subjects[] = {
    {.method = CAROM_METHOD_VARIATIONAL, .joints = true, .share = 0.02},
    {.method = CAROM_METHOD_EULER, .share = 0.01},
    {.method = CAROM_METHOD_MULTIPLIER, .joints = true, .share = 0.02},
    {.method = CAROM_METHOD_REDUCED, .joints = true, .share = 0.02},
    {.method = CAROM_METHOD_LCP, .crowd = true},
    {.method = CAROM_METHOD_LCP, .crowd = true, .continuous = true},
    {.method = CAROM_METHOD_IMPULSE, .crowd = true, .variant = CAROM_IMPULSE_FIXED},
    {.method = CAROM_METHOD_IMPULSE, .share = 0.05, .variant = CAROM_IMPULSE_EVENTS},
    {.method = CAROM_METHOD_PENALTY, .share = 0.005},
    {.method = CAROM_METHOD_POTENTIAL, .share = 0.001},
    {.method = CAROM_METHOD_NEWMARK, .share = 0.001},
    {.method = CAROM_METHOD_EXACT, .share = 0.02},
    {.method = CAROM_METHOD_DCR, .share = 0.02},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static carom_model *freeze(carom_model *model) {
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_model_freeze(model, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return model;
}

static carom_model *make_model(const subject *of, uint64_t seed, double *step) {
    if (of->crowd) {
        *step = 1.0 / 240.0;
        return freeze(random_scene(seed));
    }
    structure_scene_def def = {.seed = seed, .gravity = true, .room = !of->joints, .joints = of->joints};
    def.materials = of->method == CAROM_METHOD_PENALTY || of->method == CAROM_METHOD_IMPULSE;
    structure_scene scene = structure_scene_make(&def);
    *step = of->share * scene.time;
    return freeze(scene.model);
}

static carom_method_def method_of(const subject *of, double step) {
    carom_method_def def = carom_method_def_default();
    def.method = of->method;
    def.step = step;
    def.lcp.continuous = of->continuous;
    def.impulse.variant = of->variant;
    if (of->method == CAROM_METHOD_POTENTIAL || of->method == CAROM_METHOD_NEWMARK) def.potential.overlap = 0.9;
    return def;
}

static bool make_step(carom_state *state, double h) {
    carom_step_report report;
    carom_error error = {.text = ""};
    carom_status status = h > 0.0 ? carom_step_by(carom_state_model(state), state, NULL, h, &report, &error)
                                  : carom_step(carom_state_model(state), state, NULL, &report, &error);
    if (!CHECK_INT(status, CAROM_OK)) CHECK_TEXT(error.text, "");
    return report.outcome != CAROM_STEP_IMPOSSIBLE;
}

static bool same_bodies(const carom_state *a, const carom_state *b) {
    for (int i = 0; i < carom_model_body_count(carom_state_model(a)); i++) {
        carom_body_state of_a = world_body(a, i), of_b = world_body(b, i);
        if (memcmp(&of_a, &of_b, sizeof of_a) != 0) return false;
    }
    double time_a = carom_state_time(a), time_b = carom_state_time(b);
    return memcmp(&time_a, &time_b, sizeof time_a) == 0;
}

static carom_state *state_of(const carom_model *model, const carom_method_def *def) {
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_state_create(model, def, &state, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return state;
}

// ---- one length

static void check_one_length(const subject *of, uint64_t seed) {
    double h;
    carom_model *model = make_model(of, seed, &h);
    carom_method_def plain = method_of(of, h), listed = plain;
    carom_step_piece pieces[2] = {{10 * h, h}, {35 * h, h}};
    listed.piece_count = 2;
    listed.piece = pieces;
    carom_state *a = state_of(model, &plain), *b = state_of(model, &listed), *c = state_of(model, &plain);
    for (int i = 0; i < STEPS && a != NULL && b != NULL && c != NULL; i++) {
        bool made = make_step(a, 0.0);
        CHECK(make_step(b, 0.0) == made && make_step(c, h) == made);
        if (!CHECK(same_bodies(a, b)) || !CHECK_INT(carom_state_hash(c) == carom_state_hash(a), 1) || !made) break;
    }
    carom_state_destroy(b);
    carom_state_destroy(c);
    carom_state_destroy(a);
    carom_model_destroy(model);
}

TEST(a_list_of_one_length_gives_the_bits_of_the_step) {
    for (int i = 0; i < SUBJECTS; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) check_one_length(&subjects[i], seed);
}

// ---- going on

// Lengths of steps: pieces of one to five, ratios of neighbours up to 4.
static void random_steps(uint64_t seed, double longest, double *out) {
    sampler s = {.seed = seed};
    double step = 0.5 * longest;
    for (int i = 0, left = 0; i < STEPS; i++, left--) {
        if (left <= 0) {
            step = fmin(longest, fmax(0.1 * longest, step * pow(4.0, sample_between(&s, -1.0, 1.0))));
            left = 1 + (int)sample_between(&s, 0.0, 5.0);
        }
        out[i] = step;
    }
}

// From step `from` on: by a saved state, or by a copy.
static uint64_t go_on(const carom_model *model, const carom_method_def *def, const carom_state *at, const double *h,
                      int from, bool copied) {
    carom_error error = {.text = ""};
    carom_state *state = state_of(model, def);
    if (state == NULL) return 0;
    make_step(state, 0.7 * def->step); // it has been elsewhere
    carom_status status;
    if (copied) {
        status = carom_state_copy(at, state, &error);
    } else {
        size_t size = carom_state_size(at);
        void *bytes = malloc(size);
        carom_state_save(at, bytes);
        status = carom_state_load(state, bytes, size, &error);
        free(bytes);
    }
    if (!CHECK_INT(status, CAROM_OK)) CHECK_TEXT(error.text, "");
    CHECK(carom_state_hash(state) == carom_state_hash(at));
    for (int i = from; i < STEPS; i++)
        if (!make_step(state, h[i])) break;
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    return hash;
}

static void check_going_on(const subject *of, uint64_t seed) {
    double longest, h[STEPS];
    carom_model *model = make_model(of, seed, &longest);
    carom_method_def def = method_of(of, longest);
    random_steps(seed, longest, h);
    carom_state *state = state_of(model, &def), *at = state_of(model, &def);
    for (int from = 0; from < STEPS && state != NULL && at != NULL; from += 11) {
        carom_error error;
        carom_state *whole = state_of(model, &def);
        CHECK_INT(carom_state_copy(state, at, &error), CAROM_OK);
        CHECK_INT(carom_state_copy(state, whole, &error), CAROM_OK);
        for (int i = from; i < STEPS; i++)
            if (!make_step(whole, h[i])) break;
        CHECK(go_on(model, &def, at, h, from, false) == carom_state_hash(whole));
        CHECK(go_on(model, &def, at, h, from, true) == carom_state_hash(whole));
        carom_state_destroy(whole);
        for (int i = from; i < from + 11 && i < STEPS; i++) make_step(state, h[i]);
    }
    carom_state_destroy(state);
    carom_state_destroy(at);
    carom_model_destroy(model);
}

TEST(a_run_goes_on_to_the_same_bits_wherever_steps_change) {
    for (int i = 0; i < SUBJECTS; i++) check_going_on(&subjects[i], 2);
}

// ---- momenta

// The largest balance of momenta over a run by equal steps, or by a list.
static double worst_balance(const subject *of, uint64_t seed, bool varied, int *broken) {
    double longest, h[STEPS], worst = 0.0;
    carom_model *model = make_model(of, seed, &longest);
    carom_method_def def = method_of(of, longest);
    random_steps(seed, longest, h);
    carom_state *state = state_of(model, &def);
    for (int i = 0; i < STEPS && state != NULL; i++) {
        carom_step_report report;
        carom_error error = {.text = ""};
        CHECK_INT(carom_step_by(model, state, NULL, varied ? h[i] : 0.4 * longest, &report, &error), CAROM_OK);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
        worst = fmax(worst, report.momentum_balance);
        *broken += report.outcome == CAROM_STEP_BROKEN;
    }
    carom_state_destroy(state);
    carom_model_destroy(model);
    return worst;
}

TEST(momenta_are_kept_as_with_equal_steps) {
    for (int i = 0; i < SUBJECTS; i++) {
        int broken = 0, broken_equal = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            double equal = worst_balance(&subjects[i], seed, false, &broken_equal);
            double varied = worst_balance(&subjects[i], seed, true, &broken);
            carom_method_def def = method_of(&subjects[i], 1.0);
            double promised = carom_method_contract(&def).momentum_balance;
            if (!CHECK(varied <= fmax(promised, 4.0 * equal))) CHECK_NEAR(varied, equal, 0.0);
        }
        CHECK(broken <= broken_equal + 1);
    }
}

// ---- what is refused

TEST(lengths_that_are_no_lengths_are_refused) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def body = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    world_add(model, &body);
    carom_state *state = world_state(model, CAROM_METHOD_LCP, 0.01);
    const double wrong[] = {0.0, -1.0, INFINITY, NAN};
    carom_step_report report;
    carom_error error;
    for (int i = 0; i < 4; i++) {
        CHECK_INT(carom_step_by(model, state, NULL, wrong[i], &report, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "must be positive and finite");
    }
    CHECK_INT(carom_step_by(model, state, NULL, 1e3, &report, &error), CAROM_OK);
    CHECK_INT(carom_step_by(model, state, NULL, 1e-15, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "does not move a time");
    world_destroy(state);
}

TEST(pieces_that_are_out_of_order_are_refused) {
    carom_method_def def = carom_method_def_default();
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_step_piece pieces[2] = {{0.5, 0.1}, {0.5, 0.1}};
    carom_error error;
    def.piece = pieces;
    def.piece_count = 2;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "method.steps[1]: until is 0.5 s");
    pieces[1] = (carom_step_piece){1.0, 0.0};
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "method.steps[1]: step is 0 s");
    pieces[1] = (carom_step_piece){1e300, 1e-300};
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "give a longer step");
    def.piece = NULL;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    def.piece_count = -1;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    carom_model_destroy(model);
}

TEST(a_proposed_stiffness_bears_no_longer_step) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
    carom_model_shape ball = touching_sphere(model, 0.5);
    for (int i = 0; i < 2; i++) {
        carom_body_def body = touching_def(model, ball, (carom_material){-1}, 1.0, crm_vec3(2.0 * i, 0.0, 0.0));
        world_add(model, &body);
    }
    carom_step_piece piece = {0.1, 0.02};
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_POTENTIAL;
    def.step = 0.005;
    def.piece = &piece;
    def.piece_count = 1;
    carom_state *state = joints_state(model, &def);
    carom_step_report report;
    carom_error error;
    double stiffness = carom_state_contact_stiffness(state, (carom_body){0}, (carom_body){1});
    carom_method_def long_steps = def;
    long_steps.step = 0.02;
    long_steps.piece_count = 0;
    carom_state *other = state_of(carom_state_model(state), &long_steps);
    CHECK(carom_state_contact_stiffness(other, (carom_body){0}, (carom_body){1}) == stiffness);
    carom_state_destroy(other);
    CHECK_INT(carom_step_by(model, state, NULL, 0.001, &report, &error), CAROM_OK);
    CHECK(carom_state_contact_stiffness(state, (carom_body){0}, (carom_body){1}) == stiffness);
    CHECK_INT(carom_step_by(model, state, NULL, 0.02, &report, &error), CAROM_OK);
    CHECK_INT(carom_step_by(model, state, NULL, 0.03, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "longer than 0.02 s");
    world_destroy(state);
}

// ---- times

TEST(a_piece_ends_where_it_says_and_lists_go_on_from_anywhere) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def body = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    world_add(model, &body);
    carom_step_piece pieces[] = {{0.105, 0.01}, {0.2, 0.05}};
    carom_method_def def = carom_method_def_default();
    def.step = 0.1;
    def.piece = pieces;
    def.piece_count = 2;
    CHECK_INT(carom_method_step_count(&def, 0.0), 0);
    CHECK_INT(carom_method_step_count(&def, 0.001), 1);
    CHECK_INT(carom_method_step_count(&def, 0.105), 11);
    CHECK_INT(carom_method_step_count(&def, 0.2), 13);
    CHECK_INT(carom_method_step_count(&def, 0.45), 16);
    carom_state *state = joints_state(model, &def);
    carom_step_report report;
    carom_error error;
    CHECK_NEAR(carom_state_next_step(state), 0.105 / 11.0, 1e-17);
    CHECK_INT(carom_step_by(model, state, NULL, 0.1, &report, &error), CAROM_OK);
    CHECK_NEAR(carom_state_next_step(state), 0.005, 1e-16);
    CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_NEAR(carom_state_time(state), 0.105, 1e-16);
    CHECK_NEAR(carom_state_next_step(state), 0.0475, 1e-16);
    CHECK_INT(carom_step_by(model, state, NULL, 0.0475, &report, &error), CAROM_OK);
    CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_NEAR(carom_state_time(state), 0.2, 1e-16);
    CHECK(carom_state_next_step(state) == 0.1);
    CHECK_NEAR(world_body(state, 0).position.z, -0.5 * 9.81 * 0.04, 1e-14); // a parabola, by lcp
    world_destroy(state);
}

TEST(a_damaged_clock_is_refused) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def body = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    world_add(model, &body);
    carom_state *state = world_state(model, CAROM_METHOD_LCP, 0.01);
    carom_step_piece piece = {0.1, 0.02};
    carom_method_def def = carom_method_def_default();
    def.step = 0.01;
    def.piece = &piece;
    def.piece_count = 1;
    carom_state *other = joints_state(model, &def);
    carom_error error;
    size_t size = carom_state_size(other);
    unsigned char *bytes = malloc(size);
    carom_state_save(other, bytes);
    CHECK_INT(carom_state_load(state, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "other method.steps");
    CHECK_INT(carom_state_copy(other, state, &error), CAROM_ERR_BAD_INPUT);
    free(bytes);
    bytes = saved_bytes_of(state, &size);
    const double wrong[][2] = {{NAN, 0.01}, {-1.0, 0.01}, {0.5, 0.01}, {0.0, 0.0}, {0.0, -0.01}, {0.0, INFINITY}};
    for (int i = 0; i < 6; i++) { // time without steps, and lengths that are none
        memcpy(bytes + SAVED_CLOCK, &wrong[i][0], sizeof(double));
        memcpy(bytes + SAVED_CLOCK + 16, &wrong[i][1], sizeof(double));
        saved_bytes_repair(bytes, size);
        CHECK_INT(carom_state_load(state, bytes, size, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "its time cannot be");
    }
    free(bytes);
    carom_state_destroy(other);
    world_destroy(state);
}

// ---- what rests, and what is fast

TEST(a_stack_rests_while_steps_vary) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material rough = touching_material(model, 0.5, 0.0);
    carom_model_shape box = touching_box(model, 1.0, 1.0, 1.0);
    carom_body_def floor = touching_def(model, touching_box(model, 9.0, 9.0, 1.0), rough, 1.0, crm_vec3(0, 0, -0.5));
    floor.kind = CAROM_BODY_FIXED;
    world_add(model, &floor);
    for (int i = 0; i < 5; i++) {
        carom_body_def one = touching_def(model, box, rough, 1.0 + i, crm_vec3(0.02 * i, 0.0, 0.5 + i));
        world_add(model, &one);
    }
    carom_state *state = world_state(model, CAROM_METHOD_LCP, 1.0 / 120.0);
    double h[STEPS];
    for (uint64_t round = 0; round < 6; round++) {
        random_steps(round, 1.0 / 60.0, h);
        for (int i = 0; i < STEPS; i++) { // every length for a while, so that the stack comes to rest by it
            carom_step_report report;
            carom_error error;
            CHECK_INT(carom_step_by(model, state, NULL, h[i - i % 12], &report, &error), CAROM_OK);
            CHECK_INT(report.outcome, CAROM_STEP_GOOD);
            CHECK(report.infeasibility <= 1e-6 && report.energy.kinetic <= 1e-8);
        }
    }
    for (int i = 0; i < 5; i++)
        CHECK(crm_distance(world_body(state, i + 1).position, crm_vec3(0.02 * i, 0.0, 0.5 + i)) <= 1e-5);
    world_destroy(state);
}

// A thin wall that the ball does not reach in the step that its contacts are first listed for.
TEST(a_fast_ball_meets_a_wall_in_a_longer_step) {
    for (int i = 0; i < 8; i++) {
        double longer = 1.1 + 0.4 * i;
        carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
        carom_material plastic = touching_material(model, 0.0, 0.0);
        carom_body_def wall =
            touching_def(model, touching_box(model, 0.01, 4.0, 4.0), plastic, 1.0, crm_vec3(0.455, 0.0, 0.0));
        wall.kind = CAROM_BODY_FIXED;
        carom_body_def ball = touching_def(model, touching_sphere(model, 0.05), plastic, 1.0, crm_vec3(0, 0, 0));
        ball.velocity = crm_vec3(100.0, 0.0, 0.0);
        world_add(model, &wall);
        carom_body fast = world_add(model, &ball);
        carom_error error;
        CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
        carom_method_def def = carom_method_def_default();
        def.step = 1e-3;
        def.lcp.continuous = true;
        carom_state *state = state_of(model, &def);
        for (int k = 0; k < 3; k++) make_step(state, 1e-3); // 0.1 m are left
        for (int k = 0; k < 6; k++) make_step(state, longer * 1e-3);
        CHECK_NEAR(world_body(state, fast.index).position.x, 0.4, 1e-4);
        carom_state_destroy(state);
        carom_model_destroy(model);
    }
}

// A plate that tumbles towards a wall: where it will hit depends on how long it is on its way.
TEST(contacts_on_the_way_are_those_of_the_step_that_is_made) {
    for (int i = 0; i < 6; i++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
        carom_material plastic = touching_material(model, 0.0, 0.0);
        carom_body_def wall =
            touching_def(model, touching_box(model, 0.01, 4.0, 4.0), plastic, 1.0, crm_vec3(0.43 + 0.01 * i, 0.0, 0.0));
        wall.kind = CAROM_BODY_FIXED;
        carom_body_def plate =
            touching_def(model, touching_box(model, 0.02, 0.2, 0.2), plastic, 1.0, crm_vec3(0.0, 0.0, 0.0));
        plate.velocity = crm_vec3(100.0, 0.0, 0.0);
        plate.spin = crm_vec3(0.0, 150.0, 90.0);
        world_add(model, &wall);
        carom_body fast = world_add(model, &plate);
        carom_error error;
        CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
        carom_method_def def = carom_method_def_default();
        def.step = 1e-3;
        def.lcp.continuous = true;
        carom_state *a = state_of(model, &def), *b = state_of(model, &def);
        for (int k = 0; k < 2; k++) make_step(a, 1e-3);
        carom_body_state at = world_body(a, fast.index);
        CHECK_INT(carom_state_set_body(b, fast, &at, &error), CAROM_OK); // knows no list
        make_step(a, 1.4e-3);
        make_step(b, 1.4e-3);
        carom_body_state of_a = world_body(a, fast.index), of_b = world_body(b, fast.index);
        CHECK(crm_distance(of_a.position, of_b.position) <= 1e-7);
        CHECK(crm_distance(of_a.velocity, of_b.velocity) <= 1e-4);
        CHECK(crm_distance(of_a.spin, of_b.spin) <= 1e-3);
        carom_state_destroy(a);
        carom_state_destroy(b);
        carom_model_destroy(model);
    }
}

TEST_MAIN(CASE(contacts_on_the_way_are_those_of_the_step_that_is_made), CASE(a_stack_rests_while_steps_vary),
          CASE(a_fast_ball_meets_a_wall_in_a_longer_step), CASE(a_list_of_one_length_gives_the_bits_of_the_step),
          CASE(a_run_goes_on_to_the_same_bits_wherever_steps_change), CASE(momenta_are_kept_as_with_equal_steps),
          CASE(lengths_that_are_no_lengths_are_refused), CASE(pieces_that_are_out_of_order_are_refused),
          CASE(a_proposed_stiffness_bears_no_longer_step),
          CASE(a_piece_ends_where_it_says_and_lists_go_on_from_anywhere), CASE(a_damaged_clock_is_refused))
