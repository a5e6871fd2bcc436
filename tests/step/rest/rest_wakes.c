// SPDX-License-Identifier: MIT
// Whatever begins to act wakes what rests in the very step in which it begins: callbacks, wrenches, motors of bodies
// that lean against it, bodies that fly in. What it does there is compared with a twin that never rested.
#include <math.h>
#include <string.h>

#include "carom/joint.h"
#include "step/lcp/lcp.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const double g = 9.81, h = 1.0 / 240.0;
enum { LOWER = 1, UPPER, MOST_BODIES = 8 };

// Two boxes of a kilogram, one on the other, on a floor: LOWER and UPPER. The model is open.
static carom_model *stack(void) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material material = touching_material(model, 0.6, 0.0);
    carom_model_shape box = touching_box(model, 0.2, 0.2, 0.2);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    touching_add(model, box, material, 1.0, crm_vec3(0.0, 0.0, 0.1));
    touching_add(model, box, material, 1.0, crm_vec3(0.0, 0.0, 0.3));
    return model;
}

static carom_state *state_of(carom_model *model, bool rest) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    method.step = h;
    method.lcp.rest = rest;
    return touching_state(model, &method);
}

static const crm_rest *rest_of(const carom_state *state) {
    const crm_lcp *lcp = state->method_data;
    return &lcp->rest;
}

static carom_step_report step_by(carom_state *state, const carom_input *input) {
    carom_step_report report = {0};
    carom_error error = {0};
    if (!CHECK_INT(carom_step(state->model, state, input, &report, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return report;
}

static bool run_to_rest(carom_state *state, const carom_input *input) {
    for (int i = 0; i < 400; i++) {
        step_by(state, input);
        if (crm_rests(rest_of(state), LOWER) && crm_rests(rest_of(state), UPPER)) return true;
    }
    return false;
}

static void catch_up(carom_state *other, const carom_state *state, const carom_input *input) {
    while (other->step_count < state->step_count) step_by(other, input);
}

// Whether the step that was made had its impulses from before.
typedef struct references {
    crm_rest_body bodies[MOST_BODIES];
} references;

static references references_of(const carom_state *state) {
    references now;
    memcpy(now.bodies, rest_of(state)->bodies, (size_t)state->model->bodies.count * sizeof *now.bodies);
    return now;
}

static bool took_over(const carom_state *state, const references *before, int body) {
    const crm_rest_body *now = &rest_of(state)->bodies[body];
    return now->island > 0 && memcmp(&before->bodies[body], now, sizeof *now) == 0;
}

static double upward(const carom_state *state, int body) {
    return world_body(state, body).velocity.z;
}

// ---- callbacks

static const double callback_starts = 1.0; // s
static const carom_vec3 callback_force = {0.0, 0.0, 30.0};

static int push_from_then_on(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user;
    if (sample->time > callback_starts - 0.5 * h) value->force = callback_force;
    return 0;
}

TEST(a_callback_that_begins_to_push_wakes_what_rests_in_that_step) {
    carom_model *model = stack();
    carom_callback_def callback = carom_callback_def_default();
    callback.body = (carom_body){UPPER};
    callback.function = push_from_then_on;
    CHECK_INT(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    carom_state *state = state_of(model, true);
    CHECK(run_to_rest(state, NULL));
    while (carom_state_time(state) < callback_starts - 0.5 * h) {
        references before = references_of(state);
        step_by(state, NULL);
        CHECK(took_over(state, &before, UPPER));
    }
    references before = references_of(state);
    step_by(state, NULL);
    CHECK(!took_over(state, &before, UPPER) && !took_over(state, &before, LOWER));
    // It flies off by the force less its weight, and the lower box stays.
    CHECK_NEAR(upward(state, UPPER), h * (callback_force.z - g), 1e-4 * g * h);
    CHECK_NEAR(upward(state, LOWER), 0.0, 1e-4 * g * h);
    world_destroy(state);
}

// ---- wrenches

TEST(a_wrench_that_begins_wakes_what_rests_in_that_step_and_one_that_ends_too) {
    carom_state *state = state_of(stack(), true);
    carom_wrench wrench = {.body = {UPPER}, .force = {0.0, 0.0, -5.0}};
    carom_input pressed = {.wrench_count = 1, .wrench = &wrench};
    const carom_input *inputs[] = {NULL, &pressed, NULL};
    const double pressure[] = {2.0 * g, 2.0 * g + 5.0, 2.0 * g};
    for (int k = 0; k < 3; k++) {
        references before = references_of(state);
        if (k > 0) {
            step_by(state, inputs[k]);
            CHECK(!took_over(state, &before, UPPER) && !took_over(state, &before, LOWER));
        }
        carom_wrench on_floor;
        CHECK(run_to_rest(state, inputs[k]));
        CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){0}, &on_floor, NULL), CAROM_OK);
        CHECK_NEAR(on_floor.force.z, -pressure[k], 1e-4 * pressure[k]);
    }
    world_destroy(state);
}

// ---- jointed bodies and their motors

// A box of half a kilogram on a vertical slider, on the stack or `above` it; its velocity motor holds it, or takes it
// where an input says.
static carom_body add_press(carom_model *model, double above, double max_force, carom_joint *joint) {
    carom_material material = touching_material(model, 0.6, 0.0);
    carom_body press =
        touching_add(model, touching_box(model, 0.1, 0.1, 0.1), material, 0.5, crm_vec3(0.0, 0.0, 0.45 + above));
    carom_joint_def def = joints_def(model, CAROM_JOINT_SLIDER, CAROM_WORLD, press, crm_vec3(0.0, 0.0, 0.45 + above),
                                     crm_vec3(0.0, 0.0, 1.0));
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.max_force = max_force;
    *joint = joints_add(model, &def);
    return press;
}

// A jointed body is solved in every step, and so is what touches it.
TEST(what_touches_a_jointed_body_does_not_rest_and_bears_it) {
    carom_model *model = stack();
    carom_joint joint;
    carom_body press = add_press(model, 0.0, 0.0, &joint);
    carom_state *state = state_of(model, true);
    for (int i = 0; i < 300; i++) {
        step_by(state, NULL);
        CHECK(!crm_rests(rest_of(state), LOWER) && !crm_rests(rest_of(state), UPPER));
        CHECK(!crm_rests(rest_of(state), press.index));
    }
    carom_wrench on_floor;
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){0}, &on_floor, NULL), CAROM_OK);
    CHECK_NEAR(on_floor.force.z, -2.5 * g, 1e-3 * g);
    CHECK_NEAR(world_body(state, UPPER).position.z, 0.3, 1e-5);
    world_destroy(state);
}

// Held a little above the stack the press leaves it at rest; a motor input takes it down, and the stack is awake in the
// step in which it is touched.
TEST(a_motor_that_moves_a_body_onto_what_rests_wakes_it_when_they_touch) {
    carom_model *model = stack();
    carom_joint joint;
    const double above = 0.01, speed = 0.2;
    carom_body press = add_press(model, above, 1e3, &joint);
    carom_state *state = state_of(model, true);
    CHECK(run_to_rest(state, NULL));
    CHECK_NEAR(world_body(state, press.index).position.z, 0.45 + above, 1e-9);
    carom_motor_input motor = {.joint = joint, .target_rate = -speed};
    carom_input down = {.motor_count = 1, .motor = &motor};
    bool met = false;
    for (int i = 0; i < 60 && !met; i++) {
        references before = references_of(state);
        double gap = world_body(state, press.index).position.z - 0.45;
        step_by(state, &down);
        met = gap < speed * h; // it comes to touch in this step
        if (met) CHECK(!took_over(state, &before, UPPER) && !took_over(state, &before, LOWER));
        if (gap > 3.0 * speed * h) CHECK(took_over(state, &before, UPPER) && took_over(state, &before, LOWER));
    }
    CHECK(met);
    // From then on the motor presses with what it takes to stop there: its largest force.
    for (int i = 0; i < 20; i++) step_by(state, &down);
    carom_wrench on_floor;
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){0}, &on_floor, NULL), CAROM_OK);
    CHECK_NEAR(on_floor.force.z, -(2.5 * g + 1e3), 1.0);
    world_destroy(state);
}

// A motor whose torque changes on a body that leans on nothing else: the stack does not notice.
TEST(a_jointed_body_that_touches_nothing_leaves_others_at_rest) {
    carom_model *model = stack();
    carom_joint joint;
    carom_body press = add_press(model, 0.5, 1e3, &joint);
    carom_state *state = state_of(model, true);
    CHECK(run_to_rest(state, NULL));
    carom_motor_input motor = {.joint = joint, .target_rate = 0.3};
    carom_input up = {.motor_count = 1, .motor = &motor};
    for (int i = 0; i < 40; i++) {
        references before = references_of(state);
        step_by(state, &up);
        CHECK(took_over(state, &before, UPPER) && took_over(state, &before, LOWER));
        CHECK_NEAR(upward(state, press.index), 0.3, 1e-6);
    }
    world_destroy(state);
}

// ---- bodies that fly in

// A fast ball from far away: within one step it comes from where no contact was listed to the stack, which must be
// awake in that step, and feel the impact as a stack does that never rested.
TEST(a_body_that_flies_in_pushes_in_the_step_in_which_it_arrives) {
    carom_model *model[2];
    carom_state *state[2];
    const double speed = 30.0;
    for (int k = 0; k < 2; k++) {
        model[k] = stack();
        carom_model_shape ball = touching_sphere(model[k], 0.05);
        carom_material material = touching_material(model[k], 0.6, 0.0);
        carom_body_def def = touching_def(model[k], ball, material, 0.5, crm_vec3(-40.0, 0.0, 0.3));
        def.velocity = crm_vec3(speed, 0.0, 0.0);
        carom_body thrown = world_add(model[k], &def);
        carom_wrench_def wrench = carom_wrench_def_default();
        wrench.body = thrown;
        wrench.force = crm_vec3(0.0, 0.0, 0.5 * g);
        CHECK_INT(carom_model_add_wrench(model[k], &wrench, NULL), CAROM_OK);
        state[k] = state_of(model[k], k == 0);
    }
    CHECK(run_to_rest(state[0], NULL));
    catch_up(state[1], state[0], NULL);
    bool met = false;
    for (int i = 0; i < 400 && !met; i++) {
        references before = references_of(state[0]);
        double gap = -0.15 - world_body(state[0], 3).position.x;
        step_by(state[0], NULL);
        step_by(state[1], NULL);
        met = gap <= speed * h;
        CHECK(met != took_over(state[0], &before, UPPER));
    }
    CHECK(met);
    for (int b = LOWER; b <= 3; b++) {
        carom_body_state rested = world_body(state[0], b), other = world_body(state[1], b);
        CHECK(crm_distance(rested.velocity, other.velocity) <= 1e-3 * speed);
    }
    CHECK(world_body(state[0], UPPER).velocity.x > 1.0);
    world_destroy(state[0]);
    world_destroy(state[1]);
}

// ---- restitution

// A ball that bounces a few times comes to rest, too: the bound has its rebound in it, and is kept. A force wakes it.
TEST(what_bounces_comes_to_rest_within_its_bound_and_wakes) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material material = touching_material(model, 0.6, 0.5);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 0.16));
    carom_state *state = state_of(model, true);
    bool bounced = false;
    int last = 0;
    for (int i = 0; i < 1200 && !crm_rests(rest_of(state), LOWER); i++, last = i) {
        step_by(state, NULL);
        bounced |= upward(state, LOWER) > 0.3;
    }
    CHECK(bounced && last < 1200);
    CHECK(rest_of(state)->islands[LOWER].restitution == 0.5);
    for (int i = 0; i < 20; i++) {
        references before = references_of(state);
        carom_step_report report = step_by(state, NULL);
        CHECK(took_over(state, &before, LOWER) && report.residual <= 1e-5);
    }
    carom_wrench lift = {.body = {LOWER}, .force = {0.0, 0.0, 3.0 * g}};
    carom_input input = {.wrench_count = 1, .wrench = &lift};
    step_by(state, &input);
    CHECK_NEAR(upward(state, LOWER), 2.0 * g * h, 1e-4 * g * h);
    world_destroy(state);
}

// What restitution e adds to the bound, docs/math.md 6.11: (1 + mu) (2 e |v| + 2 |V| + rebound) over the scale, with
// nothing else that changes.
TEST(the_bound_grows_by_the_rebound_of_what_moves) {
    const crm_rest_scale scale = {.step = h, .gravity = g * h, .tolerance = 1e-5};
    const double mu = 0.6, e = 0.5, start = 1e-9, end = 2e-9, rebound = 3e-9;
    crm_rest_island island = {.friction = mu, .radius = 1.0, .weight = 2.0};
    const crm_rest_motion motion = {.start = start, .speed = end};
    double without = crm_rest_bound(&island, &motion, &scale);
    island.restitution = e;
    island.rebound = rebound;
    double with = crm_rest_bound(&island, &motion, &scale), added = 2.0 * e * start + 2.0 * end + rebound;
    double wanted = (1.0 + mu) * added / scale.gravity / (1.0 - added / scale.gravity);
    CHECK(without == 0.0);
    CHECK_NEAR(with, wanted, 1e-6 * wanted);
}

TEST_MAIN(CASE(a_callback_that_begins_to_push_wakes_what_rests_in_that_step),
          CASE(a_wrench_that_begins_wakes_what_rests_in_that_step_and_one_that_ends_too),
          CASE(what_touches_a_jointed_body_does_not_rest_and_bears_it),
          CASE(a_motor_that_moves_a_body_onto_what_rests_wakes_it_when_they_touch),
          CASE(a_jointed_body_that_touches_nothing_leaves_others_at_rest),
          CASE(a_body_that_flies_in_pushes_in_the_step_in_which_it_arrives),
          CASE(what_bounces_comes_to_rest_within_its_bound_and_wakes),
          CASE(the_bound_grows_by_the_rebound_of_what_moves))
