// SPDX-License-Identifier: MIT
// Flexible bodies under variational: the energy-momentum step keeps energy and momenta at steps far beyond the explicit
// limit, is of order 2, and loses what viscosity takes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/tools.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const carom_vec3 edges = {0.2, 0.2, 0.2};

static carom_method_def variational(double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_VARIATIONAL;
    def.step = step;
    return def;
}

// A tumbling cube that is stretched at the start.
static carom_flex_def tumbling(void) {
    carom_flex_def def = flexible_soft();
    def.name = "cube";
    def.velocity = crm_vec3(0.3, -0.2, 0.1);
    def.spin = crm_vec3(2.0, -3.0, 4.0);
    def.stretch = (carom_mat3){{1.2, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return def;
}

static carom_state *tumbling_state(const carom_method_def *method, int cells, int order) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    flexible_box(model, edges, cells, order, &def);
    return flexible_state(model, method);
}

static double limit_of(int cells, int order) {
    carom_method_def method = variational(1e-3);
    carom_state *state = tumbling_state(&method, cells, order);
    double limit = carom_flex_limit(state);
    world_destroy(state);
    return limit;
}

// ---- energy and angular momentum, to 1e-8 over the run

static void tumble(int steps) {
    carom_method_def method = variational(10.0 * limit_of(3, 1));
    carom_state *state = tumbling_state(&method, 3, 1);
    double energy = world_energy(state), worst_energy = 0.0, worst_l = 0.0, worst_p = 0.0, balance = 0.0;
    carom_momentum first = carom_state_momentum(state);
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_error error = {.text = ""};
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK)) break;
        CHECK_TEXT(report.text, "");
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD) || !CHECK_INT(report.substeps, 1)) break;
        worst_energy = fmax(worst_energy, fabs(report.energy.kinetic + report.energy.potential - energy));
        worst_p = fmax(worst_p, crm_length(crm_sub(report.momentum.linear, first.linear)));
        worst_l = fmax(worst_l, crm_length(crm_sub(report.momentum.angular, first.angular)));
        balance = fmax(balance, report.elastic_balance);
        CHECK(report.iterations <= 20);
        CHECK(report.factorizations >= report.iterations && report.halvings >= 0);
        CHECK(report.least_determinant > 0.3);
    }
    CHECK_NEAR(worst_energy, 0.0, 1e-8 * energy);
    CHECK_NEAR(worst_l, 0.0, 1e-8 * crm_length(first.angular));
    CHECK_NEAR(worst_p, 0.0, 1e-12 * crm_length(first.linear));
    CHECK(balance <= 1e-10);
    world_destroy(state);
}

TEST(energy_and_momenta_stay_at_ten_times_the_limit) {
    tumble(300);
}

TEST(energy_and_momenta_stay_for_ten_thousand_steps) {
    tumble(10000);
}

// Swings that are too violent for some steps as a whole: what is divided keeps its balance, and all momenta.
TEST(divided_steps_keep_momenta_and_energy) {
    carom_method_def method = variational(10.0 * limit_of(3, 1));
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    def.stretch = (carom_mat3){{1.2, 0.0, 0.0}, {0.0, 1.2, 0.0}, {0.0, 0.0, 1.2}};
    flexible_box(model, edges, 3, 1, &def);
    carom_state *state = flexible_state(model, &method);
    carom_momentum first = carom_state_momentum(state);
    double energy = world_energy(state);
    int divided = 0;
    for (int i = 0; i < 150; i++) {
        carom_step_report report = world_run(state, 1);
        divided += report.substeps > 1;
        CHECK(report.momentum_balance <= 1e-12);
        CHECK(report.elastic_balance <= 1e-10);
    }
    CHECK(divided > 0);
    carom_momentum last = carom_state_momentum(state);
    CHECK_NEAR(crm_length(crm_sub(last.angular, first.angular)), 0.0, 1e-10 * crm_length(first.angular));
    CHECK_NEAR(world_energy(state), energy, 1e-9 * energy);
    world_destroy(state);
}

// ---- order

static void positions_after(double time, int steps, carom_vec3 *out) {
    carom_method_def method = variational(time / steps);
    carom_state *state = tumbling_state(&method, 2, 1);
    world_run(state, steps);
    carom_state_get_nodes(state, (carom_flex){0}, out, NULL, NULL);
    world_destroy(state);
}

static double difference(const carom_vec3 *a, const carom_vec3 *b, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += crm_length_squared(crm_sub(a[i], b[i]));
    return sqrt(sum);
}

TEST(it_is_of_order_two) {
    enum { NODES = 27, LEVELS = 4 };
    carom_vec3 x[LEVELS][NODES];
    double time = 0.05;
    for (int k = 0; k < LEVELS; k++) positions_after(time, 50 << k, x[k]);
    for (int k = 0; k + 2 < LEVELS; k++) {
        double order = log2(difference(x[k], x[k + 1], NODES) / difference(x[k + 1], x[k + 2], NODES));
        CHECK_NEAR(order, 2.0, 0.15);
    }
}

// ---- viscosity, weight, what holds

TEST(viscosity_takes_what_the_ledger_says) {
    carom_method_def method = variational(2e-3);
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    def.elastic.viscosity = 5e-3;
    flexible_box(model, edges, 2, 1, &def);
    carom_state *state = flexible_state(model, &method);
    double energy = world_energy(state), lost = 0.0;
    carom_momentum first = carom_state_momentum(state);
    for (int i = 0; i < 200; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK(report.ledger.viscosity <= 0.0);
        CHECK_NEAR(report.ledger.passive, 0.0, 0.0);
        lost += report.ledger.viscosity;
    }
    CHECK_NEAR(world_energy(state) - energy, lost, 1e-9 * energy);
    CHECK(lost < -0.1 * energy);
    carom_momentum last = carom_state_momentum(state);
    CHECK_NEAR(crm_length(crm_sub(last.angular, first.angular)), 0.0, 1e-10 * crm_length(first.angular));
    world_destroy(state);
}

// A bar under its weight, held at one end: energy, and the work of a load.
TEST(weight_and_loads_do_work_on_what_is_held) {
    carom_method_def method = variational(1e-2);
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_flex_def def = flexible_soft();
    def.elastic.lambda *= 10.0, def.elastic.mu *= 10.0;
    const int32_t fixed[] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
    def.fixed = fixed, def.fixed_count = 9;
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_wrench_def load = carom_wrench_def_default();
    load.body = carom_model_flex_node(model, flex, 26);
    load.force = crm_vec3(0.1, 0.2, -0.3);
    CHECK_INT(carom_model_add_wrench(model, &load, NULL), CAROM_OK);
    carom_state *state = flexible_state(model, &method);
    double energy = world_energy(state), work = 0.0;
    carom_vec3 still[27], now[27];
    carom_state_get_nodes(state, flex, still, NULL, NULL);
    for (int i = 0; i < 100; i++) {
        carom_step_report report = world_run(state, 1);
        work += report.ledger.active;
        CHECK(report.elastic_balance <= 1e-10);
    }
    carom_state_get_nodes(state, flex, now, NULL, NULL);
    CHECK_NEAR(crm_dot(load.force, crm_sub(now[26], still[26])), work, 1e-12);
    CHECK_NEAR(world_energy(state) - energy, work, 1e-10 * fabs(energy) + 1e-10 * work);
    for (int i = 0; i < 9; i++) CHECK_NEAR(crm_length(crm_sub(now[fixed[i]], still[fixed[i]])), 0.0, 0.0);
    CHECK(crm_length(crm_sub(now[26], still[26])) > 1e-3);
    world_destroy(state);
}

// ---- what is beside, refused, saved

TEST(what_couples_them_is_refused_by_name) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = carom_model_flex_node(model, flex, 5);
    spring.b = (carom_body){-1};
    spring.stiffness = 10.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = variational(1e-3);
    carom_error error = {.text = ""};
    carom_state *state = NULL;
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "a spring acts on node 5 of 'cube'");
    carom_model_destroy(model);
}

// A rigid body beside it moves as if it were alone, to the bit; bits do not depend on threads; a saved state goes on.
TEST(bits_stay) {
    carom_method_def method = variational(5e-3);
    uint64_t hash[3];
    carom_body_state beside[2];
    for (int k = 0; k < 4; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -1.0), 0.0);
        carom_body_def top = world_body_def(2.0, crm_vec3(0.3, 0.4, 0.6));
        top.spin = crm_vec3(1.0, 2.0, 3.0);
        world_add(model, &top);
        carom_flex_def def = tumbling();
        if (k < 3) flexible_box(model, edges, 2, 2, &def);
        method.threads = k == 1 ? 2 : 1;
        carom_state *state = flexible_state(model, &method);
        world_run(state, 10);
        if (k == 2) {
            size_t size = carom_state_size(state);
            void *bytes = malloc(size);
            carom_state_save(state, bytes);
            carom_state *other = flexible_state(model, &method);
            CHECK_INT(carom_state_load(other, bytes, size, NULL), CAROM_OK);
            free(bytes);
            carom_state_destroy(state);
            state = other;
        }
        world_run(state, 10);
        if (k < 3) hash[k] = carom_state_hash(state);
        if (k % 3 == 0) beside[k / 3] = world_body(state, 0);
        world_destroy(state);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
    CHECK(memcmp(&beside[0], &beside[1], sizeof beside[0]) == 0);
}

TEST(nothing_is_allocated_once_warm) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_model_def model_def = carom_model_def_default();
    model_def.allocator = &hook;
    carom_model *model = NULL;
    CHECK_INT(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    carom_flex_def def = tumbling();
    def.elastic.viscosity = 1e-3;
    flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = variational(5e-3);
    carom_state *state = flexible_state(model, &method);
    world_run(state, 2);
    long long calls = probe.calls;
    world_run(state, 20);
    CHECK_INT(probe.calls, calls);
    world_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
}

TEST_MAIN(CASE(energy_and_momenta_stay_at_ten_times_the_limit),
          LONG_CASE(energy_and_momenta_stay_for_ten_thousand_steps), CASE(divided_steps_keep_momenta_and_energy),
          CASE(it_is_of_order_two), CASE(viscosity_takes_what_the_ledger_says),
          CASE(weight_and_loads_do_work_on_what_is_held), CASE(what_couples_them_is_refused_by_name), CASE(bits_stay),
          CASE(nothing_is_allocated_once_warm))
