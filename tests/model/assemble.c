// SPDX-License-Identifier: MIT
// Joints that are nearly closed are closed by the smallest motion in the metric of the masses.
#include "model/mechanism/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"

enum { LINKS = 40 };

static carom_model *make_model(const carom_allocator *allocator) {
    carom_model *model = NULL;
    carom_model_def def = carom_model_def_default();
    def.allocator = allocator;
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    return model;
}

static void initial_motions(const carom_model *model, crm_motion *motions) {
    for (int b = 0; b < model->bodies.count; b++) motions[b] = crm_motion_initial(&model->bodies.items[b]);
}

// A floating chain of random bodies and joints of many kinds, closed at its initial poses.
static carom_model *random_chain(sampler *s, const carom_allocator *allocator) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_BALL,   CAROM_JOINT_HINGE,       CAROM_JOINT_UNIVERSAL,
                                             CAROM_JOINT_SLIDER, CAROM_JOINT_CYLINDRICAL, CAROM_JOINT_FIXED,
                                             CAROM_JOINT_PLANAR};
    carom_model *model = make_model(allocator);
    for (int i = 0; i < LINKS; i++) {
        carom_body_def body = carom_body_def_default();
        body.mass = sample_between(s, 0.2, 5.0);
        body.inertia = crm_mat3_diagonal(crm_scale(body.mass, crm_vec3(0.05, 0.06, 0.07)));
        body.position = (carom_vec3){1.0 * i, sample_between(s, -0.3, 0.3), 0.0};
        body.attitude = sample_attitude(s);
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
        if (i == 0) continue;
        carom_joint_def def = carom_joint_def_default();
        def.kind = kinds[i % 7];
        def.a = (carom_body){i - 1 + i % 2};
        def.b = (carom_body){i - i % 2};
        carom_joint_placing placing = {
            .struct_size = sizeof(carom_joint_placing), .point = {i - 0.5, 0.0, 0.0}, .axis = sample_unit(s)};
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

static void shake(sampler *s, int count, double size, crm_motion *motions) {
    for (int b = 0; b < count; b++) {
        motions[b].x = crm_add(motions[b].x, sample_vec3(s, size));
        motions[b].q = crm_quat_step(motions[b].q, sample_vec3(s, size), 1.0);
    }
}

static double largest_drift(const carom_model *model, const crm_motion *motions) {
    return crm_joints_worst(model, motions).share;
}

TEST(closed_joints_keep_their_bits) {
    sampler s = {.seed = 1};
    carom_model *model = random_chain(&s, NULL);
    crm_motion motions[LINKS], before[LINKS];
    initial_motions(model, motions);
    memcpy(before, motions, sizeof motions);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK(memcmp(before, motions, sizeof motions) == 0);
    CHECK_INT(report.iterations, 0);
    CHECK_TEXT(report.text, "");
    CHECK_INT(report.redundant_rows, 0);
    carom_model_destroy(model);
}

// Forces between bodies move no centre of mass and rotate nothing; so do displacements that are small in that metric.
TEST(closing_a_floating_chain_leaves_its_centre_of_mass) {
    sampler s = {.seed = 2};
    carom_model *model = random_chain(&s, NULL);
    crm_motion motions[LINKS], before[LINKS];
    initial_motions(model, motions);
    shake(&s, LINKS, 1e-4, motions);
    memcpy(before, motions, sizeof motions);
    CHECK(largest_drift(model, motions) > 1e-5);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK(largest_drift(model, motions) < 1e-12);
    CHECK(report.moved > 1e-5 && report.moved < 1e-2);
    CHECK_CONTAINS(report.text, "bodies were moved by up to");
    carom_vec3 sum = crm_vec3_zero();
    for (int b = 0; b < LINKS; b++)
        sum = crm_madd(sum, model->bodies.items[b].mass, crm_sub(motions[b].x, before[b].x));
    CHECK_NEAR(crm_length(sum), 0.0, 1e-12);
    carom_model_destroy(model);
}

static carom_joint_def rod(int a, int b, double length) {
    carom_joint_def def = carom_joint_def_default();
    def.name = "rod";
    def.kind = CAROM_JOINT_DISTANCE;
    def.a = (carom_body){a};
    def.b = (carom_body){b};
    def.length = length;
    return def;
}

static carom_model *two_points(double heavy, double light, double distance, double length) {
    carom_model *model = make_model(NULL);
    for (int i = 0; i < 2; i++) {
        carom_body_def body = carom_body_def_default();
        body.kind = CAROM_BODY_POINT;
        body.mass = i == 0 ? heavy : light;
        body.position.x = i * distance;
        body.velocity = (carom_vec3){2.0 * i, 1.0, 0.0};
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    carom_joint_def def = rod(0, 1, length);
    assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

// Each point goes its share by the other's mass, and so do the velocities along the rod.
TEST(light_bodies_move_more) {
    carom_model *model = two_points(3.0, 1.0, 1.0008, 1.0);
    crm_motion motions[2];
    initial_motions(model, motions);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK_NEAR(motions[0].x.x, 0.0002, 1e-11);
    CHECK_NEAR(motions[1].x.x, 1.0002, 1e-11);
    CHECK_NEAR(motions[0].p.x / 3.0, 0.5, 1e-9);
    CHECK_NEAR(motions[1].p.x, 0.5, 1e-9);
    CHECK_NEAR(motions[0].p.x + motions[1].p.x, 2.0, 1e-14);
    CHECK_NEAR(motions[1].p.y, 1.0, 1e-12);
    CHECK_NEAR(report.linear_gap, 0.0008, 1e-12);
    CHECK_NEAR(report.velocity_gap, 2.0, 1e-12);
    CHECK_CONTAINS(report.text, "joints were up to 0.0008 m and 0 rad apart (joint 'rod')");
    CHECK_CONTAINS(report.text, "velocities of up to 2 m/s or rad/s that joints block were taken away");
    carom_model_destroy(model);
}

// A bar of moment I on a hinge at distance l from its centre, given the centre's velocity only: what is left is
// w = m l v/(I + m l^2).
TEST(blocked_velocities_are_taken_away) {
    carom_model *model = make_model(NULL);
    carom_body_def body = carom_body_def_default();
    body.mass = 2.0;
    body.inertia = crm_mat3_diagonal(crm_vec3(0.3, 0.4, 0.5));
    body.position = (carom_vec3){0.7, 0.0, 0.0};
    body.velocity = (carom_vec3){0.4, 1.0, -2.0};
    assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_HINGE;
    def.a = (carom_body){-1};
    def.b = (carom_body){0};
    carom_joint_placing placing = carom_joint_placing_default();
    assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
    assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    crm_motion motion;
    initial_motions(model, &motion);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, &motion, &report, NULL), CAROM_OK);
    double spin = 2.0 * 0.7 * 1.0 / (0.5 + 2.0 * 0.49);
    CHECK_NEAR(motion.l.z, 0.5 * spin, 1e-12);
    CHECK_NEAR(motion.p.y, 2.0 * 0.7 * spin, 1e-12);
    CHECK_NEAR(fabs(motion.p.x) + fabs(motion.p.z) + fabs(motion.l.x) + fabs(motion.l.y), 0.0, 1e-11);
    CHECK_NEAR(motion.x.x, 0.7, 0.0);
    carom_model_destroy(model);
}

TEST(joints_far_apart_are_refused_by_name) {
    carom_model *model = two_points(1.0, 1.0, 2.0, 1.5);
    crm_motion motions[2], before[2];
    initial_motions(model, motions);
    memcpy(before, motions, sizeof motions);
    carom_assembly report;
    carom_error error = {.text = ""};
    CHECK_INT(crm_assemble(model, motions, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "joint 'rod' is 0.5 m apart, more than the 0.002 m that are closed without "
                           "asking; move its bodies or its points");
    CHECK(memcmp(before, motions, sizeof motions) == 0);
    carom_model_destroy(model);
}

// A point on two rods that together do not reach from wall to wall.
TEST(loops_that_do_not_fit_are_refused) {
    carom_model *model = make_model(NULL);
    carom_body_def body = carom_body_def_default();
    body.kind = CAROM_BODY_POINT;
    assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    for (int side = -1; side <= 1; side += 2) {
        carom_joint_def def = rod(-1, 0, 0.9998);
        def.name = NULL;
        def.point_a.x = side;
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    crm_motion motion, before;
    initial_motions(model, &motion);
    before = motion;
    carom_assembly report;
    carom_error error = {.text = ""};
    CHECK_INT(crm_assemble(model, &motion, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "joint 1 cannot be closed together with the others: 0.0004 m and 0 rad are left; look for "
                           "loops that do not fit");
    CHECK(memcmp(&before, &motion, sizeof motion) == 0);
    carom_model_destroy(model);
}

// A ring of hinges in a plane, shaken in it: its redundant rows do not keep it from closing.
TEST(redundant_loops_are_closed) {
    enum { SIDES = 6 };
    const double rotation = 2.0 * 3.14159265358979323846 / SIDES;
    carom_model *model = make_model(NULL);
    for (int i = 0; i < SIDES; i++) {
        carom_body_def body = carom_body_def_default();
        body.position = (carom_vec3){cos(i * rotation), sin(i * rotation), 0.0};
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    for (int i = 0; i < SIDES; i++) {
        carom_joint_def def = carom_joint_def_default();
        def.kind = CAROM_JOINT_HINGE;
        def.a = (carom_body){i};
        def.b = (carom_body){(i + 1) % SIDES};
        carom_joint_placing placing = carom_joint_placing_default();
        placing.point = (carom_vec3){cos((i + 0.5) * rotation), sin((i + 0.5) * rotation), 0.1};
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    crm_motion motions[SIDES];
    initial_motions(model, motions);
    sampler s = {.seed = 3};
    shake(&s, SIDES, 1e-4, motions);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK(largest_drift(model, motions) < 1e-12);
    CHECK_INT(report.redundant_rows, 3);
    CHECK_INT(model->graph.closing_count, 1);
    carom_model_destroy(model);
}

// Far from the origin coordinates are rounded more coarsely than joints are closed.
TEST(joints_far_from_the_origin_count_as_closed) {
    carom_model *model = make_model(NULL);
    for (int i = 0; i < 2; i++) {
        carom_body_def body = carom_body_def_default();
        body.position = (carom_vec3){1e6 / 3.0 + 0.1 * i, 2e6 / 7.0, 1e6};
        body.attitude = (carom_quat){0.3, 0.5, -0.2 * i, 0.7};
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_BALL;
    def.a = (carom_body){0};
    def.b = (carom_body){1};
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = (carom_vec3){1e6 / 3.0 + 0.05, 2e6 / 7.0 + 0.01, 1e6};
    assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
    assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    crm_motion motions[2];
    initial_motions(model, motions);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK_INT(report.iterations, 0);
    carom_model_destroy(model);
}

// Freezing and assembling with every allocation refused once: a status, nothing leaked, nothing moved.
TEST(lack_of_memory_is_reported_and_changes_nothing) {
    for (long long refused = 1;; refused++) {
        probe_allocator probe = {0};
        carom_allocator allocator = probe_allocator_hook(&probe);
        sampler s = {.seed = 4};
        carom_model *model = random_chain(&s, &allocator);
        carom_joint_def def = carom_joint_def_default();
        model->frozen = false; // one more joint, which closes a loop
        crm_joint_graph_free(&model->graph);
        def.kind = CAROM_JOINT_POINT_ON_PLANE;
        def.a = (carom_body){2};
        def.b = (carom_body){LINKS - 1};
        carom_joint_placing placing = carom_joint_placing_default();
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
        crm_motion motions[LINKS], before[LINKS];
        initial_motions(model, motions);
        shake(&s, LINKS, 1e-5, motions);
        memcpy(before, motions, sizeof motions);
        probe.refused_call = probe.calls + refused;
        carom_assembly report;
        carom_status status = carom_model_freeze(model, NULL);
        if (status == CAROM_OK) status = crm_assemble(model, motions, &report, NULL);
        if (status != CAROM_OK) {
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            CHECK(memcmp(before, motions, sizeof motions) == 0);
        }
        carom_model_destroy(model);
        CHECK_INT(probe.live_blocks, 0);
        if (status == CAROM_OK) {
            CHECK(refused > 8);
            return;
        }
    }
}

// A planar body on hinges about z, whose axes are off by a rounding: the rows that its kind blocks already must not
// make a large impulse of that rounding. Heavy and light bodies take turns.
TEST(planar_chains_are_closed_in_their_plane) {
    carom_model *model = make_model(NULL);
    for (int i = 0; i < LINKS; i++) {
        carom_body_def body = carom_body_def_default();
        body.kind = CAROM_BODY_PLANAR;
        body.mass = i % 2 == 0 ? 1.0 : 1e6;
        body.position.x = i;
        body.attitude = (carom_quat){cos(0.3 * i), 0.0, 0.0, sin(0.3 * i)};
        body.velocity = (carom_vec3){0.1, 1.0, 0.0};
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
        carom_joint_def def = carom_joint_def_default();
        def.kind = CAROM_JOINT_HINGE;
        def.a = (carom_body){i - 1};
        def.b = (carom_body){i};
        carom_joint_placing placing = {
            .struct_size = sizeof(carom_joint_placing), .point = {i - 0.5, 0.1, 0.0}, .axis = {1e-17, -2e-17, 1.0}};
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    CHECK_INT(model->graph.closing_count, 0);
    crm_motion motions[LINKS];
    initial_motions(model, motions);
    sampler s = {.seed = 6};
    for (int b = 0; b < LINKS; b++) motions[b].x.y += sample_between(&s, -1e-4, 1e-4);
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK(largest_drift(model, motions) < 1e-12);
    CHECK(report.moved < 1e-3);
    CHECK_NEAR(crm_joint_gaps_of(model, motions, 0.0).velocity, 0.0, 1e-10);
    for (int b = 0; b < LINKS; b++) {
        CHECK_NEAR(motions[b].x.z, 0.0, 0.0);
        CHECK_NEAR(fabs(motions[b].p.z) + fabs(motions[b].l.x) + fabs(motions[b].l.y), 0.0, 0.0);
    }
    carom_model_destroy(model);
}

// A first step from afar rotates bodies by more than the share by which joints were apart; it must not count as the
// end.
TEST(very_long_chains_are_closed) {
    enum { COUNT = 64000 };
    carom_model *model = make_model(NULL);
    for (int i = 0; i < COUNT; i++) {
        carom_body_def body = carom_body_def_default();
        body.position = (carom_vec3){i, 0.1 * (i % 3), 0.2 * (i % 5)};
        body.inertia = crm_mat3_diagonal(crm_vec3(0.1, 0.1, 0.1));
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
        carom_joint_def def = carom_joint_def_default();
        def.kind = i % 2 == 0 ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL;
        def.a = (carom_body){i - 1};
        def.b = (carom_body){i};
        carom_joint_placing placing = {
            .struct_size = sizeof(carom_joint_placing), .point = {i - 0.5, 0.0, 0.0}, .axis = {1.0, 2.0, 3.0}};
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
        assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
    }
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    crm_motion *motions = malloc(COUNT * sizeof *motions);
    assert_non_null(motions);
    initial_motions(model, motions);
    sampler s = {.seed = 5};
    for (int b = 0; b < COUNT; b++) motions[b].x = crm_add(motions[b].x, sample_vec3(&s, 5e-5));
    carom_assembly report;
    CHECK_INT(crm_assemble(model, motions, &report, NULL), CAROM_OK);
    CHECK(largest_drift(model, motions) < 1e-12);
    CHECK(report.moved < 2e-4);
    free(motions);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(closed_joints_keep_their_bits), CASE(lack_of_memory_is_reported_and_changes_nothing),
          CASE(closing_a_floating_chain_leaves_its_centre_of_mass), CASE(planar_chains_are_closed_in_their_plane),
          LONG_CASE(very_long_chains_are_closed), CASE(light_bodies_move_more), CASE(blocked_velocities_are_taken_away),
          CASE(joints_far_apart_are_refused_by_name), CASE(loops_that_do_not_fit_are_refused),
          CASE(redundant_loops_are_closed), CASE(joints_far_from_the_origin_count_as_closed))
