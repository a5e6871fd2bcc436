// SPDX-License-Identifier: MIT
// Forces of the input that go with their bodies, under every method: against what the rows of the interval say, and
// against the same forces given to the model, by `reduced` with an error of 1e-12. Impulses between steps.
#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "math/spatial.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

// ---- worlds with two or three bodies, and forces on all of them

typedef enum world_kind {
    BY_THEMSELVES, // one of each kind
    WITH_DRAG,
    SPRUNG,
    IN_A_TREE,
    WORLD_KINDS
} world_kind;

static carom_body add_body(carom_model *model, double x, carom_body_kind kind) {
    carom_body_def def = world_body_def(1.0 + 0.2 * x, crm_vec3(0.4, 0.6, 0.9));
    def.kind = kind;
    def.position = crm_vec3(x, 0.1 * x, 0.0);
    def.velocity = crm_vec3(0.3, -0.5, kind == CAROM_BODY_PLANAR ? 0.0 : 0.2 * x);
    if (kind == CAROM_BODY_PLANAR) def.spin.z = 0.9;
    if (kind == CAROM_BODY_FREE) {
        def.spin = crm_vec3(1.0, -0.7, 0.4 + 0.1 * x);
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.6, 0.0, 0.8), 0.5 + x);
        def.centre = crm_vec3(0.05, -0.02, 0.03);
        def.inertia.x.y = def.inertia.y.x = 0.07;
    }
    return world_add(model, &def);
}

enum { MOST_BODIES = 4, MOST_FORCES = 6 };

typedef struct forces {
    carom_body_wrench item[MOST_FORCES];
    int count;
} forces;

static void add_force(forces *list, carom_body body, bool in_body_axes, bool at_origin) {
    carom_body_wrench wrench = {.body = body,
                                .point = at_origin ? crm_vec3_zero() : crm_vec3(0.2, -0.1, 0.3),
                                .force = crm_vec3(0.7, -0.4, 1.1),
                                .torque = crm_vec3(-0.3, 0.5, 0.2),
                                .in_body_axes = in_body_axes};
    list->item[list->count++] = wrench;
}

static carom_model *make_world(world_kind kind, forces *list) {
    carom_model *model = world_model(crm_vec3(0.2, -0.1, -0.5), 0.0);
    *list = (forces){.count = 0};
    if (kind == IN_A_TREE) {
        carom_body last = CAROM_WORLD;
        for (int i = 0; i < 3; i++) {
            carom_body_def def = world_body_def(1.0 + 0.2 * i, crm_vec3(0.4, 0.6, 0.9));
            def.position = crm_vec3(i + 0.5, 0.0, 0.0);
            carom_body body = world_add(model, &def);
            carom_joint_def joint = joints_def(model, i == 0 ? CAROM_JOINT_BALL : CAROM_JOINT_HINGE, last, body,
                                               crm_vec3(i, 0.0, 0.0), crm_vec3(0.0, 0.6, 0.8));
            joints_add(model, &joint);
            add_force(list, body, i != 1, false);
            last = body;
        }
        return model;
    }
    carom_body a = add_body(model, 0.0, CAROM_BODY_FREE), b = add_body(model, 2.0, CAROM_BODY_FREE);
    add_force(list, a, true, false);
    add_force(list, b, false, false);
    add_force(list, b, true, false);
    if (kind == BY_THEMSELVES) {
        add_force(list, add_body(model, 4.0, CAROM_BODY_PLANAR), true, false);
        add_force(list, add_body(model, 6.0, CAROM_BODY_POINT), true, true);
    }
    for (int i = 0; kind == WITH_DRAG && i < 2; i++) {
        carom_drag_def drag = carom_drag_def_default();
        drag.body = i == 0 ? a : b;
        drag.linear = 0.4, drag.quadratic = 0.3, drag.angular = 0.25;
        CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
    }
    if (kind == SPRUNG) {
        carom_spring_def spring = carom_spring_def_default();
        spring.a = a, spring.b = b;
        spring.point_a = crm_vec3(0.3, 0.1, -0.2), spring.point_b = crm_vec3(-0.1, 0.2, 0.4);
        spring.stiffness = 6.0, spring.rest_length = 0.8;
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    return model;
}

// The same with the forces in the model.
static carom_model *make_forced_world(world_kind kind) {
    forces list;
    carom_model *model = make_world(kind, &list);
    for (int i = 0; i < list.count; i++) {
        carom_wrench_def def = carom_wrench_def_default();
        def.body = list.item[i].body;
        def.point = list.item[i].point;
        def.force = list.item[i].force;
        def.torque = list.item[i].torque;
        def.in_body_axes = list.item[i].in_body_axes;
        CHECK_INT(carom_model_add_wrench(model, &def, NULL), CAROM_OK);
    }
    return model;
}

// ---- the rows

static carom_vec3 in_world(carom_quat attitude, const carom_body_wrench *w, carom_vec3 v) {
    return w->in_body_axes ? crm_quat_rotate(attitude, v) : v;
}

// Force, and moment about the centre of mass, at an attitude.
static crm_vec6 wrench_at(const carom_model *model, const carom_body_wrench *w, carom_quat attitude) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, w->body, &def, NULL), CAROM_OK);
    carom_vec3 force = in_world(attitude, w, w->force);
    carom_vec3 arm = crm_quat_rotate(attitude, crm_sub(w->point, def.centre));
    return crm_vec6_of(force, crm_add(in_world(attitude, w, w->torque), crm_cross(arm, force)));
}

static carom_vec3 angular_momentum(const carom_model *model, int body, const carom_body_state *at) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, (carom_body){body}, &def, NULL), CAROM_OK);
    carom_vec3 spin = crm_quat_rotate_inverse(at->attitude, at->spin);
    return crm_quat_rotate(at->attitude, crm_mat3_apply(def.inertia, spin));
}

static carom_vec3 momentum(const carom_model *model, int body, const carom_body_state *at) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, (carom_body){body}, &def, NULL), CAROM_OK);
    carom_vec3 arm = crm_quat_rotate(at->attitude, def.centre);
    return crm_scale(def.mass, crm_add(at->velocity, crm_cross(at->spin, arm)));
}

TEST(half_of_the_impulse_acts_at_either_end_of_a_variational_step) {
    const double h = 0.2;
    forces list;
    carom_model *model = make_world(BY_THEMSELVES, &list);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, h);
    const carom_input input = {.body_wrench_count = list.count, .body_wrench = list.item};
    for (int step = 0; step < 5; step++) {
        carom_body_state from[MOST_BODIES], to[MOST_BODIES];
        carom_step_report report;
        for (int b = 0; b < MOST_BODIES; b++) from[b] = world_body(state, b);
        CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) printf("%s\n", report.text);
        CHECK_NEAR(report.momentum_balance, 0.0, 2e-15);
        for (int b = 0; b < MOST_BODIES; b++) to[b] = world_body(state, b);
        for (int b = 0; b < 2; b++) { // the free ones
            crm_vec6 before = crm_vec6_zero(), after = crm_vec6_zero();
            for (int i = 0; i < list.count; i++) {
                if (list.item[i].body.index != b) continue;
                before = crm_vec6_madd(before, 0.5 * h, wrench_at(model, &list.item[i], from[b].attitude));
                after = crm_vec6_madd(after, 0.5 * h, wrench_at(model, &list.item[i], to[b].attitude));
            }
            carom_vec3 weight = crm_scale((1.0 + 0.4 * b) * h, crm_vec3(0.2, -0.1, -0.5));
            carom_vec3 gained = crm_sub(momentum(model, b, &to[b]), momentum(model, b, &from[b]));
            CHECK_NEAR(crm_distance(gained, crm_add(weight, crm_add(before.linear, after.linear))), 0.0, 1e-15);
            gained = crm_sub(angular_momentum(model, b, &to[b]), angular_momentum(model, b, &from[b]));
            CHECK_NEAR(crm_distance(gained, crm_add(before.angular, after.angular)), 0.0, 2e-15);
        }
    }
    world_destroy(state);
}

// ---- all methods

typedef struct errors {
    double pose, velocity;
} errors;

static errors errors_of(world_kind kind, const carom_method_def *method, double time, int steps,
                        const carom_body_state *wanted) {
    forces list;
    carom_model *model = make_world(kind, &list);
    carom_method_def def = *method;
    def.step = time / steps;
    carom_state *state = joints_state(model, &def);
    const carom_input input = {.body_wrench_count = list.count, .body_wrench = list.item};
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
        if (CHECK_INT(report.outcome, CAROM_STEP_GOOD)) continue;
        printf("%s: %s\n", carom_method_name(def.method), report.text);
        break;
    }
    errors e = {0.0, 0.0};
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state got = world_body(state, b);
        e.pose = fmax(e.pose, crm_distance(got.position, wanted[b].position));
        e.pose = fmax(e.pose, crm_quat_angle(got.attitude, wanted[b].attitude));
        e.velocity = fmax(e.velocity, crm_distance(got.velocity, wanted[b].velocity));
        e.velocity = fmax(e.velocity, crm_distance(got.spin, wanted[b].spin));
    }
    world_destroy(state);
    return e;
}

static int order_of(carom_method method) {
    switch (method) {
    case CAROM_METHOD_VARIATIONAL:
    case CAROM_METHOD_POTENTIAL:
    case CAROM_METHOD_NEWMARK:
    case CAROM_METHOD_EXACT:
    case CAROM_METHOD_DCR:
        return 2;
    case CAROM_METHOD_MULTIPLIER:
    case CAROM_METHOD_REDUCED:
    case CAROM_METHOD_IMPULSE: // by events; the joints of the tree have it in fixed steps
        return 5;
    default:
        return 1;
    }
}

static void check_method(world_kind kind, carom_method method, const carom_body_state *wanted, double time) {
    carom_method_def def = carom_method_def_default();
    def.method = method;
    forces list;
    carom_model *model = make_world(kind, &list);
    bool supported = carom_method_supports(model, &def, NULL) == CAROM_OK;
    carom_model_destroy(model);
    if (!supported) return;
    int order = method == CAROM_METHOD_IMPULSE && kind == IN_A_TREE ? 1 : order_of(method);
    int steps = order == 1 ? 400 : 80;
    errors coarse = errors_of(kind, &def, time, steps, wanted), fine = errors_of(kind, &def, time, 2 * steps, wanted);
    if (order == 5) {
        CHECK(fine.pose < 1e-7 && fine.velocity < 1e-7);
        return;
    }
    bool right = CHECK_NEAR(log2(coarse.pose / fine.pose), order, 0.15);
    right = CHECK_NEAR(log2(coarse.velocity / fine.velocity), order, 0.15) && right;
    if (!right) printf("%s, world %d: %g then %g\n", carom_method_name(method), kind, coarse.pose, fine.pose);
}

TEST(all_methods_follow_the_body_at_their_order) {
    const double time = 0.8;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        carom_method_def best = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, time, 1e-12);
        carom_state *state = joints_state(make_forced_world((world_kind)kind), &best);
        world_run(state, 1);
        carom_body_state wanted[MOST_BODIES];
        for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) wanted[b] = world_body(state, b);
        world_destroy(state);
        for (int method = 0; method < CAROM_METHOD_COUNT; method++)
            check_method((world_kind)kind, (carom_method)method, wanted, time);
    }
}

TEST(a_fixed_body_takes_nothing) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    def.kind = CAROM_BODY_FIXED;
    carom_body body = world_add(model, &def);
    forces list = {.count = 0};
    add_force(&list, body, true, false);
    const carom_input input = {.body_wrench_count = 1, .body_wrench = list.item};
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
    CHECK_NEAR(crm_length(report.momentum.linear) + crm_length(report.momentum.angular), 0.0, 0.0);
    world_destroy(state);
}

TEST(impossible_forces_are_refused) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body body = add_body(model, 0.0, CAROM_BODY_FREE);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    uint64_t hash = carom_state_hash(state);
    carom_body_wrench wrench = {.body = {1}};
    const carom_input input = {.body_wrench_count = 1, .body_wrench = &wrench};
    carom_step_report report;
    carom_error error;
    CHECK_INT(carom_step(model, state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "input body wrench: there is no body 1; the model has 1 bodies");
    wrench.body = body;
    wrench.point.y = INFINITY;
    CHECK_INT(carom_step(model, state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "input body wrench 0: point, force and torque must be finite");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

// ---- impulses between steps

TEST(an_impulse_changes_the_momenta_by_itself) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body free = add_body(model, 1.0, CAROM_BODY_FREE), planar = add_body(model, 3.0, CAROM_BODY_PLANAR);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    carom_body_state before[2] = {world_body(state, 0), world_body(state, 1)};
    carom_vec3 impulse = crm_vec3(0.25, -0.5, 1.0), couple = crm_vec3(-0.125, 0.5, 0.25);
    CHECK_INT(carom_state_apply_impulse(state, free, impulse, couple, NULL), CAROM_OK);
    CHECK_INT(carom_state_apply_impulse(state, planar, impulse, couple, NULL), CAROM_OK);
    carom_body_state after[2] = {world_body(state, 0), world_body(state, 1)};
    carom_vec3 p = crm_sub(momentum(model, 0, &after[0]), momentum(model, 0, &before[0]));
    carom_vec3 l = crm_sub(angular_momentum(model, 0, &after[0]), angular_momentum(model, 0, &before[0]));
    CHECK_NEAR(crm_distance(p, impulse), 0.0, 1e-15);
    CHECK_NEAR(crm_distance(l, couple), 0.0, 1e-15);
    CHECK_NEAR(crm_distance(after[0].position, before[0].position), 0.0, 0.0);
    p = crm_sub(after[1].velocity, before[1].velocity);
    CHECK_NEAR(crm_distance(crm_scale(1.6, p), crm_vec3(0.25, -0.5, 0.0)), 0.0, 1e-15);
    CHECK_NEAR(after[1].spin.z - before[1].spin.z, 0.25 / 0.9, 1e-15);
    CHECK_INT(world_run(state, 3).outcome, CAROM_STEP_GOOD);
    carom_error error;
    uint64_t hash = carom_state_hash(state);
    CHECK_INT(carom_state_apply_impulse(state, (carom_body){2}, impulse, couple, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "apply impulse: there is no body 2; the model has 2 bodies");
    impulse.x = NAN;
    CHECK_INT(carom_state_apply_impulse(state, free, impulse, couple, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "apply impulse: impulse and couple must be finite");
    impulse.x = 1e150;
    CHECK_INT(carom_state_apply_impulse(state, free, impulse, couple, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "too much to compute with");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

TEST_MAIN(CASE(half_of_the_impulse_acts_at_either_end_of_a_variational_step),
          CASE(all_methods_follow_the_body_at_their_order), CASE(a_fixed_body_takes_nothing),
          CASE(impossible_forces_are_refused), CASE(an_impulse_changes_the_momenta_by_itself))
