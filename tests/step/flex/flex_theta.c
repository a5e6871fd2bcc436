// SPDX-License-Identifier: MIT
// Flexible bodies under `lcp` with theta below 1: what vibrations lose, orders, momenta, contact, what is refused.
#include <math.h>
#include <stdlib.h>

#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const double gravity = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 edges = {0.2, 0.2, 0.2};

static carom_method_def steps_of(double step, double theta) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_LCP;
    def.step = step;
    def.lcp.tolerance = 1e-9;
    def.lcp.theta = theta;
    return def;
}

static carom_flex_def soft(double young, carom_material material) {
    carom_flex_def def = carom_flex_def_default();
    carom_elastic_from_young(young, 0.3, &def.elastic.lambda, &def.elastic.mu);
    def.material = material;
    return def;
}

static carom_material add_material(carom_model *model, double friction) {
    carom_material_def def = carom_material_def_default();
    carom_material out = {-1};
    def.friction = friction;
    CHECK_INT(carom_model_add_material(model, &def, &out, NULL), CAROM_OK);
    return out;
}

static void add_ground(carom_model *model, carom_material material) {
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    def.material = material;
    CHECK_INT(carom_model_add_shape(model, "ground", &shape, &def.shape, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_body(model, &def, NULL, NULL), CAROM_OK);
}

// ---- without contact

enum { BAR_NODES = 11 * 9 };

// A bar of 1 m whose ends begin to go apart, so that it swings along its axis.
static carom_state *swinging_bar(double step, double theta) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = soft(1e6, (carom_material){-1});
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_create_box(crm_vec3(1.0, 0.2, 0.2), (const int[]){10, 2, 2}, 1, NULL, &mesh, NULL), CAROM_OK);
    def.mesh = mesh;
    carom_flex flex;
    CHECK_INT(carom_model_add_flex(model, &def, &flex, NULL), CAROM_OK);
    carom_method_def method = steps_of(step, theta);
    carom_state *state = flexible_state(model, &method);
    carom_vec3 x[BAR_NODES], v[BAR_NODES];
    CHECK_INT(carom_mesh_node_count(mesh), BAR_NODES);
    CHECK_INT(carom_state_get_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    for (int n = 0; n < BAR_NODES; n++) v[n] = crm_vec3(0.01 * sin(pi * x[n].x), 0.0, 0.0);
    CHECK_INT(carom_state_set_nodes(state, flex, x, v, NULL), CAROM_OK);
    carom_mesh_destroy(mesh);
    return state;
}

// Of a swing of the rate w a step keeps (1 + (1 - theta)^2 (h w)^2) / (1 + theta^2 (h w)^2) of the energy: to first
// order in (h w)^2 it loses 2 theta - 1 times it.
TEST(vibrations_lose_two_theta_less_one) {
    const double theta[4] = {1.0, 0.8, 0.6, 0.51};
    double lost[4];
    for (int k = 0; k < 4; k++) {
        carom_state *state = swinging_bar(4e-4, theta[k]);
        double before = world_energy(state);
        (void)world_run(state, 200);
        lost[k] = -log(world_energy(state) / before);
        world_destroy(state);
    }
    CHECK(lost[0] > 0.1);
    for (int k = 1; k < 4; k++) CHECK_NEAR(lost[k] / lost[0], 2.0 * theta[k] - 1.0, 0.03);
}

static void end_of_swing(double step, double theta, carom_vec3 x[BAR_NODES]) {
    carom_state *state = swinging_bar(step, theta);
    (void)world_run(state, (int)lround(0.024 / step));
    CHECK_INT(carom_state_get_nodes(state, (carom_flex){0}, x, NULL, NULL), CAROM_OK);
    world_destroy(state);
}

static double distance(const carom_vec3 *a, const carom_vec3 *b) {
    double largest = 0.0;
    for (int n = 0; n < BAR_NODES; n++) largest = fmax(largest, crm_distance(a[n], b[n]));
    return largest;
}

// By differences of halved steps.
TEST(steps_stay_of_order_one) {
    const double theta[3] = {1.0, 0.75, 0.6};
    double coarse[3];
    for (int k = 0; k < 3; k++) {
        carom_vec3 x[3][BAR_NODES];
        for (int i = 0; i < 3; i++) end_of_swing(4e-4 / (1 << i), theta[k], x[i]);
        coarse[k] = distance(x[0], x[1]);
        double order = log2(coarse[k] / distance(x[1], x[2]));
        CHECK(order > 0.85 && order < 1.15);
    }
    CHECK(coarse[2] < 0.5 * coarse[0]);
}

// Rotations of a stiff body strain nothing: its energy is that of its motion alone.
TEST(a_tumbling_body_gains_no_energy_and_keeps_its_momenta) {
    const double young[3] = {1e5, 1e8, 2e11};
    for (int k = 0; k < 3; k++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_flex_def def = soft(young[k], (carom_material){-1});
        def.spin = crm_vec3(8.0, -3.0, 5.0);
        def.velocity = crm_vec3(3.0, 1.0, -2.0);
        (void)flexible_box(model, edges, 2, 1, &def);
        carom_method_def method = steps_of(4e-3, 0.6);
        method.lcp.tolerance = 1e-8;
        carom_state *state = flexible_state(model, &method);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state), start = energy;
        for (int i = 0; i < 200; i++) {
            carom_step_report report = world_run(state, 1);
            CHECK(world_energy(state) <= energy + 1e-5 * start);
            CHECK(report.momentum_balance <= 1e-12);
            energy = world_energy(state);
        }
        carom_momentum after = carom_state_momentum(state);
        CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12 * crm_length(before.linear));
        CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-12 * crm_length(before.angular));
        CHECK(energy > (young[k] > 1e6 ? 0.999 : 0.9) * start);
        world_destroy(state);
    }
}

// ---- with contact

typedef struct impact {
    double linear, angular; // changes of momenta
    double energy, parting; // left, of what there was; m/s
} impact;

// Two cubes that hit each other askew and with friction, in a frame that moves along.
static impact hit(double theta, double frame) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = soft(1e5, add_material(model, 0.4));
    def.position = crm_vec3(-0.12, 0.0, 0.0);
    def.velocity = crm_vec3(1.0, frame, 0.0);
    def.spin = crm_vec3(0.0, 0.0, 2.0);
    (void)flexible_box(model, edges, 3, 1, &def);
    def.position = crm_vec3(0.12, 0.06, 0.03);
    def.velocity = crm_vec3(-1.0, frame + 0.1, 0.0);
    carom_flex second = flexible_box(model, edges, 3, 1, &def);
    carom_method_def method = steps_of(1e-3, theta);
    carom_state *state = flexible_state(model, &method);
    carom_momentum before = carom_state_momentum(state), after;
    impact out = {.energy = world_energy(state)};
    double balance = 0.0;
    for (int i = 0; i < 120; i++) balance = fmax(balance, world_run(state, 1).momentum_balance);
    CHECK(balance <= 1e-12);
    after = carom_state_momentum(state);
    out.linear = crm_distance(before.linear, after.linear);
    out.angular = crm_distance(before.angular, after.angular);
    out.energy -= world_energy(state);
    carom_vec3 v[64];
    CHECK_INT(carom_state_get_nodes(state, second, NULL, v, NULL), CAROM_OK);
    for (int n = 0; n < 64; n++) out.parting += v[n].x / 64;
    world_destroy(state);
    return out;
}

// What one gains of angular momentum the other one loses, at rest and on a train.
TEST(bodies_that_touch_exchange_momenta_exactly) {
    const double theta[3] = {1.0, 0.75, 0.55};
    impact at_rest[3];
    for (int k = 0; k < 3; k++) {
        at_rest[k] = hit(theta[k], 0.0);
        impact moving = hit(theta[k], 20.0);
        CHECK_NEAR(at_rest[k].linear, 0.0, 1e-12);
        CHECK_NEAR(at_rest[k].angular, 0.0, 1e-13);
        CHECK_NEAR(moving.angular, 0.0, 1e-12 * 50.0); // 16 kg at 20 m/s, 0.15 m away
        CHECK_NEAR(moving.energy, at_rest[k].energy, 1e-5);
        CHECK_NEAR(moving.parting, at_rest[k].parting, 1e-5);
        if (k == 0) continue;
        CHECK(at_rest[k].energy < at_rest[k - 1].energy);
        CHECK(at_rest[k].parting > at_rest[k - 1].parting);
    }
}

TEST(a_dropped_spinning_cube_keeps_its_contract) {
    const double young[4] = {1e4, 1e6, 1e9, 2e11};
    for (int k = 0; k < 4; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        carom_flex_def def = soft(young[k], add_material(model, 0.5));
        add_ground(model, def.material);
        def.position = crm_vec3(0.0, 0.0, 0.3);
        def.attitude = (carom_quat){0.9, 0.2, 0.3, 0.1};
        def.spin = crm_vec3(6.0, -4.0, 3.0);
        (void)flexible_box(model, edges, 3, 1, &def);
        carom_method_def method = steps_of(4e-3, 0.6);
        method.lcp.tolerance = 1e-8;
        carom_state *state = flexible_state(model, &method);
        double energy = world_energy(state), start = energy;
        int iterations = 0;
        for (int i = 0; i < 150; i++) {
            carom_step_report report = world_run(state, 1); // good: none is missed or divided
            CHECK(report.residual <= 1e-8);
            CHECK(report.momentum_balance <= 1e-12);
            CHECK(report.least_determinant > 0.0);
            CHECK(world_energy(state) <= energy + 1e-8 * start);
            energy = world_energy(state);
            iterations += report.iterations;
        }
        CHECK(iterations <= 5 * 150);
        world_destroy(state);
    }
}

// It sticks, and slides with Coulomb's acceleration.
TEST(friction_is_that_of_the_end_of_the_step) {
    const double friction[2] = {0.6, 0.3};
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model(crm_vec3(gravity * sin(0.4), 0.0, -gravity * cos(0.4)), 0.0);
        carom_flex_def def = soft(1e6, add_material(model, friction[k]));
        add_ground(model, def.material);
        def.position = crm_vec3(0.0, 0.0, 0.1);
        carom_flex flex = flexible_box(model, edges, 2, 1, &def);
        carom_method_def method = steps_of(4e-3, 0.75);
        carom_state *state = flexible_state(model, &method);
        carom_vec3 v[27], x[27], before[27];
        double wanted = k == 0 ? 0.0 : gravity * (sin(0.4) - 0.3 * cos(0.4)), gained = 0.0;
        (void)world_run(state, 250);
        CHECK_INT(carom_state_get_nodes(state, flex, before, v, NULL), CAROM_OK);
        for (int n = 0; n < 27; n++) gained -= v[n].x / 27;
        (void)world_run(state, 100);
        CHECK_INT(carom_state_get_nodes(state, flex, x, v, NULL), CAROM_OK);
        for (int n = 0; n < 27; n++) gained += v[n].x / 27;
        CHECK_NEAR(gained / (100 * 4e-3), wanted, 2e-3 * gravity * sin(0.4));
        if (k == 0) CHECK(crm_distance(x[0], before[0]) < 1e-8);
        world_destroy(state);
    }
}

// ---- refused, saved

static void check_refused(carom_model *model, const char *why) {
    carom_method_def method = steps_of(4e-3, 0.7);
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "method.lcp.theta is 0.7");
    CHECK_CONTAINS(error.text, why);
    carom_state_destroy(state);
    carom_model_destroy(model);
}

TEST(what_would_not_keep_momenta_is_refused) {
    check_refused(world_model(crm_vec3_zero(), 0.0), "the model has none");
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = soft(1e5, (carom_material){-1});
    (void)flexible_box(model, edges, 2, 1, &def);
    carom_body_def ball = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    ball.name = "ball";
    (void)world_add(model, &ball);
    check_refused(model, "body 'ball' moves");
    model = world_model(crm_vec3_zero(), 0.0);
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = carom_model_flex_node(model, flex, 0);
    spring.b = carom_model_flex_node(model, flex, 26);
    spring.stiffness = 10.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    check_refused(model, "between nodes");
    carom_method_def method = steps_of(4e-3, 0.5);
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    model = world_model(crm_vec3_zero(), 0.0);
    (void)flexible_box(model, edges, 2, 1, &def);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "above 0.5");
    carom_model_destroy(model);
}

TEST(saved_states_go_on_to_the_same_bits) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = soft(1e5, add_material(model, 0.5));
    add_ground(model, def.material);
    def.position = crm_vec3(0.0, 0.0, 0.14);
    def.spin = crm_vec3(3.0, 2.0, 5.0);
    (void)flexible_box(model, edges, 3, 1, &def);
    carom_method_def method = steps_of(4e-3, 0.6);
    carom_state *state = flexible_state(model, &method), *other = NULL;
    (void)world_run(state, 40);
    CHECK_INT(carom_state_create(model, &method, &other, NULL), CAROM_OK);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, size, NULL), CAROM_OK);
    (void)world_run(state, 20);
    (void)world_run(other, 20);
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    free(bytes);
    carom_state_destroy(other);
    world_destroy(state);
}

TEST_MAIN(CASE(vibrations_lose_two_theta_less_one), CASE(steps_stay_of_order_one),
          CASE(a_tumbling_body_gains_no_energy_and_keeps_its_momenta), CASE(bodies_that_touch_exchange_momenta_exactly),
          CASE(a_dropped_spinning_cube_keeps_its_contract), CASE(friction_is_that_of_the_end_of_the_step),
          CASE(what_would_not_keep_momenta_is_refused), CASE(saved_states_go_on_to_the_same_bits))
