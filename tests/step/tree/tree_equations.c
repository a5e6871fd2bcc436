// SPDX-License-Identifier: MIT
// The equations of trees from inside: moves against poses, the derivative against differences, the elimination against
// the product.
#include "step/tree/tree_equations.h"

#include <math.h>

#include "model/model_state.h"
#include "step/tree/tree_drive.h"
#include "step/tree/tree_newton.h"
#include "support/harness/check.h"
#include "support/model/jointed_pair.h"
#include "support/model/world.h"

// A tree with every sort of joint that leaves and blocks something, some the other way round, on bodies of all kinds:
// half of the joints driven, springs and charges across the tree and to the world.
typedef struct wild_tree {
    carom_model *model;
    carom_state *state;
    crm_tree_newton newton;
    crm_arena arena;
    crm_vec6 *active;
} wild_tree;

static carom_coordinate_def driven_coordinate(sampler *s) {
    carom_coordinate_def c = carom_coordinate_def_default();
    c.stiffness = sample_between(s, 1.0, 5.0);
    c.rest = sample_between(s, -0.5, 0.5);
    c.damping = sample_between(s, 0.1, 0.5);
    c.motor.kind = CAROM_MOTOR_POSITION;
    c.motor.target = sample_between(s, -0.5, 0.5);
    c.motor.stiffness = sample_between(s, 1.0, 3.0);
    c.motor.damping = sample_between(s, 0.1, 0.3);
    c.motor.max_force = sample_between(s, 0.5, 4.0);
    return c;
}

// A joint of the sort between frames that coincide where the bodies start but for random coordinates.
static void hang(sampler *s, carom_model *model, int sort, carom_body parent, carom_body_def *body, bool driven) {
    carom_joint_def def = sorted_joint_def(sort);
    bool reversed = body->kind != CAROM_BODY_POINT && sample_between(s, 0.0, 1.0) < 0.3;
    body->position = sample_vec3(s, 1.0);
    body->attitude = sample_attitude(s);
    if (body->kind == CAROM_BODY_POINT) body->attitude = crm_quat_identity();
    carom_body child = world_add(model, body);
    def.a = reversed ? child : parent;
    def.b = reversed ? parent : child;
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = body->kind == CAROM_BODY_POINT ? body->position : sample_vec3(s, 1.0);
    placing.axis = sample_unit(s);
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_place_joint(model, &placing, &def, &error), CAROM_OK);
    for (int k = 0; driven && k < def.linear_free + def.angular_free; k++) def.coordinate[k] = driven_coordinate(s);
    if (body->kind == CAROM_BODY_POINT)
        for (int k = def.linear_free; k < 6; k++) def.coordinate[k] = carom_coordinate_def_default();
    CHECK_INT(carom_model_add_joint(model, &def, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
}

static carom_body_def random_body(sampler *s) {
    carom_body_def def = world_body_def(
        sample_between(s, 0.5, 2.0),
        (carom_vec3){sample_between(s, 0.2, 0.3), sample_between(s, 0.2, 0.3), sample_between(s, 0.2, 0.3)});
    def.centre = sample_vec3(s, 0.2);
    def.velocity = sample_vec3(s, 1.0);
    def.spin = sample_vec3(s, 1.0);
    return def;
}

static void make_tree(sampler *s, bool pairs, wild_tree *t) {
    *t = (wild_tree){.model = world_model((carom_vec3){0.3, -0.2, -9.0}, 1.0)};
    carom_body_def root = random_body(s);
    world_add(t->model, &root);
    for (int sort = 0; sort < 15; sort++) {
        carom_body_def body = random_body(s);
        int parent = (int)sample_between(s, -1.0, carom_model_body_count(t->model) - 0.01);
        hang(s, t->model, sort, (carom_body){parent}, &body, sort % 2 == 1);
    }
    carom_body_def point = random_body(s);
    point.kind = CAROM_BODY_POINT;
    point.spin = point.centre = crm_vec3_zero();
    hang(s, t->model, 7, (carom_body){3}, &point, true);
    carom_body_def planar = random_body(s);
    planar.kind = CAROM_BODY_PLANAR;
    planar.velocity.z = planar.spin.x = planar.spin.y = 0.0;
    planar.centre = crm_vec3_zero();
    world_add(t->model, &planar);
    for (int p = 0; pairs && p < 2; p++) { // joints that block nothing: one between links, one to the world
        carom_joint_def spring_only = sorted_joint_def(15);
        spring_only.a = (carom_body){p == 0 ? 5 : 11};
        spring_only.b = (carom_body){p == 0 ? 2 : -1};
        spring_only.point_a = sample_vec3(s, 0.3);
        spring_only.attitude_b = sample_attitude(s);
        for (int k = 0; k < 6; k++) spring_only.coordinate[k] = driven_coordinate(s);
        CHECK_INT(carom_model_add_joint(t->model, &spring_only, NULL, NULL), CAROM_OK);
    }
    for (int p = 0; pairs && p < 6; p++) {
        carom_spring_def spring = carom_spring_def_default();
        spring.a = (carom_body){p == 0 ? -1 : 2 * p};
        spring.b = (carom_body){2 * p + 3};
        spring.point_a = sample_vec3(s, 0.3);
        spring.point_b = sample_vec3(s, 0.3);
        spring.stiffness = sample_between(s, 10.0, 50.0);
        spring.rest_length = 0.3;
        CHECK_INT(carom_model_add_spring(t->model, &spring, NULL), CAROM_OK);
    }
    t->state = world_state(t->model, CAROM_METHOD_VARIATIONAL, 0.01);
    crm_arena_init(&t->arena, NULL);
    t->active = CRM_ARENA_ZEROED(&t->arena, crm_vec6, t->model->bodies.count);
    carom_error error = {.text = ""};
    CHECK_INT(crm_tree_newton_create(t->model, &t->arena, &t->newton, &error), CAROM_OK);
}

static void free_tree(wild_tree *t) {
    crm_arena_free(&t->arena);
    world_destroy(t->state);
}

// Random changes of the size of a large step.
static void random_changes(sampler *s, wild_tree *t, double h) {
    crm_tree_equations *e = &t->newton.equations;
    const crm_tree_external external = {.active = t->active};
    crm_tree_equations_begin(e, t->state->motions, t->state->configs, &external, h);
    crm_tree_guess(t->model, t->state->motions, e->start, &e->system, h, t->newton.twist, t->newton.trial);
    double *w = t->newton.correction;
    for (int k = 0; k < t->model->graph.free_count; k++) w[k] = sample_between(s, -0.15, 0.15);
    crm_tree_correct(t->model, t->newton.trial, 1.0, w, t->newton.change);
    CHECK_INT(crm_tree_equations_evaluate(e, t->newton.change), -1);
}

TEST(moves_lead_to_the_poses_that_coordinates_give) {
    sampler s = {.seed = 41};
    for (int trial = 0; trial < 20; trial++) {
        wild_tree t;
        make_tree(&s, false, &t);
        random_changes(&s, &t, 0.05);
        const crm_tree_equations *e = &t.newton.equations;
        CHECK_INT(t.model->graph.closing_count, 0);
        crm_motion after[32];
        crm_joint_config configs[32];
        for (int b = 0; b < t.model->bodies.count; b++) after[b] = t.state->motions[b];
        for (int j = 0; j < t.model->joints.count; j++) configs[j] = t.state->configs[j];
        crm_tree_put(t.model, t.newton.change, configs, after);
        for (int i = 0; i < t.model->graph.link_count; i++) {
            const crm_tree_link *link = &t.model->graph.link[i];
            const crm_motion *from = &t.state->motions[link->body], *to = &after[link->body];
            CHECK_NEAR(crm_distance(crm_add(from->x, e->move[i].displacement), to->x), 0.0, 1e-14);
            if (t.model->bodies.items[link->body].kind != CAROM_BODY_POINT)
                CHECK_NEAR(crm_quat_angle(crm_quat_mul(e->move[i].rotation, from->q), to->q), 0.0, 1e-14);
            if (link->joint < 0) continue;
            const crm_joint *joint = &t.model->joints.items[link->joint];
            crm_joint_pose place = crm_joint_evaluate(joint, after);
            double linear, angular;
            crm_joint_drift(joint, &place, &linear, &angular);
            CHECK_NEAR(linear + angular, 0.0, 1e-14);
            crm_vec6 column[6];
            crm_joint_motion(joint, &place, link->reversed, column);
            for (int k = 0; k < link->free; k++) {
                crm_vec6 off = crm_vec6_sub(column[k], e->system.right[link->first + k]);
                CHECK_NEAR(sqrt(crm_vec6_dot(off, off)), 0.0, 1e-13);
            }
        }
        free_tree(&t);
    }
}

// Central differences of the residual: truncation and rounding together stay below 1e-7 of the largest entry of a row.
static void check_derivative(sampler *s, bool pairs) {
    enum { MOST = 96 };
    static const double step = 1e-5;
    wild_tree t;
    make_tree(s, pairs, &t);
    random_changes(s, &t, 0.05);
    crm_tree_equations *e = &t.newton.equations;
    int n = t.model->graph.free_count;
    CHECK(n <= MOST && e->crossed == pairs);
    crm_tree_equations_differentiate(e);
    static double exact[MOST][MOST];
    for (int k = 0; k < n; k++) {
        double unit[MOST] = {0.0};
        unit[k] = 1.0;
        crm_tree_equations_product(e, unit, exact[k]);
    }
    double worst = 0.0, largest = 0.0;
    for (int k = 0; k < n; k++) {
        double unit[MOST] = {0.0}, ahead[MOST];
        unit[k] = 1.0;
        crm_tree_correct(t.model, t.newton.change, -step, unit, t.newton.trial);
        crm_tree_equations_evaluate(e, t.newton.trial);
        for (int i = 0; i < n; i++) ahead[i] = e->residual[i];
        crm_tree_correct(t.model, t.newton.change, step, unit, t.newton.trial);
        crm_tree_equations_evaluate(e, t.newton.trial);
        for (int i = 0; i < n; i++) {
            worst = fmax(worst, fabs(exact[k][i] - 0.5 * (ahead[i] - e->residual[i]) / step));
            largest = fmax(largest, fabs(exact[k][i]));
        }
    }
    CHECK_NEAR(worst / largest, 0.0, 1e-8);
    free_tree(&t);
}

TEST(derivatives_agree_with_differences) {
    sampler s = {.seed = 43};
    for (int trial = 0; trial < 10; trial++) {
        check_derivative(&s, false);
        check_derivative(&s, true);
    }
}

TEST(elimination_solves_what_the_product_makes) {
    enum { MOST = 96 };
    sampler s = {.seed = 44};
    for (int trial = 0; trial < 10; trial++) {
        wild_tree t;
        make_tree(&s, false, &t);
        random_changes(&s, &t, 0.05);
        crm_tree_equations *e = &t.newton.equations;
        int n = t.model->graph.free_count;
        double w[MOST], b[MOST], x[MOST], back[MOST], size = 0.0, off = 0.0;
        for (int k = 0; k < n; k++) w[k] = sample_between(&s, -1.0, 1.0);
        crm_tree_equations_differentiate(e);
        crm_tree_equations_product(e, w, b);
        CHECK(crm_tree_factor(&e->system));
        crm_tree_solve(&e->system, t.newton.nothing, b, x, t.newton.twist);
        crm_tree_equations_differentiate(e);
        crm_tree_equations_product(e, x, back);
        for (int k = 0; k < n; k++) {
            off = fmax(off, fabs(back[k] - b[k]));
            size = fmax(size, fabs(b[k]));
            CHECK_NEAR(x[k], w[k], 1e-11);
        }
        CHECK_NEAR(off / size, 0.0, 1e-13);
        free_tree(&t);
    }
}

TEST(newton_converges_quadratically_to_rounding) {
    sampler s = {.seed = 45};
    for (int trial = 0; trial < 20; trial++) {
        wild_tree t;
        make_tree(&s, trial % 2 == 1, &t);
        const crm_tree_external external = {.active = t.active};
        crm_tree_equations_begin(&t.newton.equations, t.state->motions, t.state->configs, &external, 0.005);
        crm_tree_newton_report report;
        CHECK(crm_tree_newton_solve(&t.newton, 1e-13, 50, &report));
        CHECK(report.iterations <= 6);
        CHECK(report.residual <= 1e-13);
        free_tree(&t);
    }
}

// Large steps of wild mechanisms are made, in parts where need be, and keep their contract.
TEST(wild_mechanisms_are_stepped) {
    sampler s = {.seed = 47};
    for (int trial = 0; trial < 8; trial++) {
        wild_tree t;
        make_tree(&s, trial % 2 == 1, &t);
        carom_method_def def = carom_method_def_default();
        def.method = CAROM_METHOD_VARIATIONAL;
        def.step = trial % 4 < 2 ? 0.005 : 0.05;
        carom_state *state;
        CHECK_INT(carom_state_create(t.model, &def, &state, NULL), CAROM_OK);
        carom_step_report report = world_run(state, 50);
        CHECK_INT(report.outcome, CAROM_STEP_GOOD);
        CHECK_NEAR(report.momentum_balance, 0.0, 1e-13);
        carom_state_destroy(state);
        free_tree(&t);
    }
}

// A spring's force at both ends does the work of its potential: for one and the same coordinate value before and after,
// before = after = -gradient; and the force is the same whichever end a step starts from.
TEST(drives_are_the_same_forwards_and_backwards) {
    sampler s = {.seed = 46};
    for (int trial = 0; trial < 50; trial++) {
        carom_joint_def def = sorted_joint_def(4 * (trial % 3) + 3);
        for (int k = 0; k < def.linear_free + 3; k++) {
            def.coordinate[k].stiffness = sample_between(&s, 1.0, 5.0);
            def.coordinate[k].rest = sample_between(&s, -0.5, 0.5);
            def.coordinate[k].damping = 0.3;
        }
        carom_model *model = jointed_pair(&s, &def, PAIR_BOTH_MOVE);
        const crm_joint *joint = pair_joint(model);
        crm_joint_config start = pair_config(&s, joint), zero = {.rotation = crm_quat_identity()};
        double step[6], back[6];
        for (int k = 0; k < 6; k++) {
            step[k] = sample_between(&s, -0.3, 0.3);
            back[k] = -step[k];
        }
        crm_joint_config change = crm_joint_config_step(joint, &zero, step);
        crm_joint_config undo = crm_joint_config_step(joint, &zero, back);
        crm_joint_config end = crm_joint_config_after(&start, &change);
        crm_joint_drive forwards, backwards;
        crm_joint_drive_evaluate(model, 0, NULL, &start, &change, 0.1, &forwards);
        crm_joint_drive_evaluate(model, 0, NULL, &end, &undo, -0.1, &backwards);
        for (int k = 0; k < joint->free; k++) {
            CHECK_NEAR(forwards.before[k], backwards.after[k], 1e-12);
            CHECK_NEAR(forwards.after[k], backwards.before[k], 1e-12);
        }
        carom_model_destroy(model);
    }
}

TEST_MAIN(CASE(moves_lead_to_the_poses_that_coordinates_give), CASE(derivatives_agree_with_differences),
          CASE(elimination_solves_what_the_product_makes), CASE(newton_converges_quadratically_to_rounding),
          CASE(wild_mechanisms_are_stepped), CASE(drives_are_the_same_forwards_and_backwards))
