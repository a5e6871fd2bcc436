// SPDX-License-Identifier: MIT
// Flexible bodies under the explicit member of newmark: momenta, order, limit, refusals.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const carom_vec3 edges = {0.2, 0.2, 0.2};

static carom_method_def explicit_steps(double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.step = step;
    return def;
}

// A tumbling cube that is stretched at the start.
static carom_flex_def tumbling(void) {
    carom_flex_def def = flexible_soft();
    def.name = "cube";
    def.velocity = crm_vec3(0.3, -0.2, 0.1);
    def.spin = crm_vec3(2.0, -3.0, 4.0);
    def.stretch = (carom_mat3){{1.2, 0.0, 0.0}, {0.0, 0.95, 0.0}, {0.0, 0.1, 1.0}};
    def.attitude = (carom_quat){0.8, 0.0, 0.6, 0.0};
    def.position = crm_vec3(0.5, 0.1, -0.3);
    return def;
}

TEST(momenta_stay) {
    for (int order = 1; order <= 2; order++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_flex_def def = tumbling();
        flexible_box(model, edges, 2, order, &def);
        carom_method_def method = explicit_steps(order == 1 ? 2e-3 : 1e-3);
        carom_state *state = flexible_state(model, &method);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state);
        carom_step_report report = world_run(state, 400);
        carom_momentum after = carom_state_momentum(state);
        CHECK_NEAR(crm_length(crm_sub(after.linear, before.linear)), 0.0, 1e-13 * crm_length(before.linear));
        CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, 1e-12 * crm_length(before.angular));
        CHECK(report.momentum_balance <= 1e-12);
        CHECK_NEAR(world_energy(state), energy, 2e-2 * energy);
        CHECK(report.least_determinant > 0.5 && report.least_determinant < 1.0);
        CHECK(report.elastic_energy > 0.0 && report.elastic_energy < report.energy.potential * (1.0 + 1e-12));
        CHECK(report.flex_limit_share > 0.2 && report.flex_limit_share < 0.9);
        world_destroy(state);
    }
}

// ---- order

static void positions_after(double time, int steps, double viscosity, carom_vec3 *out) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    def.elastic.viscosity = viscosity;
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(time / steps);
    carom_state *state = flexible_state(model, &method);
    world_run(state, steps);
    carom_state_get_nodes(state, flex, out, NULL, NULL);
    world_destroy(state);
}

static double difference(const carom_vec3 *a, const carom_vec3 *b, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += crm_length_squared(crm_sub(a[i], b[i]));
    return sqrt(sum);
}

// The differences of three halvings; of first order in what viscosity is taken late by.
static double order_of(double viscosity) {
    enum { NODES = 27 };
    carom_vec3 x[3][NODES];
    for (int k = 0; k < 3; k++) positions_after(0.05, 100 << k, viscosity, x[k]);
    return log2(difference(x[0], x[1], NODES) / difference(x[1], x[2], NODES));
}

TEST(it_is_of_order_two) {
    CHECK_NEAR(order_of(0.0), 2.0, 0.1);
    CHECK(order_of(2e-3) > 0.9);
}

// ---- the limit

TEST(steps_beyond_the_limit_are_refused_with_the_number) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(1e-3);
    carom_state *state = flexible_state(model, &method);
    double limit = carom_flex_limit(state), stable = carom_state_stable_step(state);
    CHECK_NEAR(stable, 0.9 * limit, 0.01 * limit);
    carom_state_destroy(state);
    carom_error error = {.text = ""};
    method.step = 1.02 * stable;
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "flexible body 'cube'");
    CHECK_CONTAINS(error.text, "unstable beyond steps of 0.00");
    method.potential.beta = 0.25; // stable at any step
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_OK);
    CHECK(isinf(carom_state_stable_step(state)));
    world_destroy(state);
}

// What has become stiffer since the start: the step is broken, and says so.
TEST(a_limit_that_shrinks_breaks_steps) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = flexible_soft();
    def.name = "cube";
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(1e-3);
    carom_state *state = flexible_state(model, &method);
    method.step = 0.99 * carom_state_stable_step(state);
    carom_state_destroy(state);
    carom_state_create(model, &method, &state, NULL);
    world_run(state, 256);
    carom_vec3 x[27];
    carom_state_get_nodes(state, flex, x, NULL, NULL);
    for (int n = 0; n < 27; n++) x[n] = crm_scale(0.5, x[n]);
    CHECK_INT(carom_state_set_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK(report.flex_limit_share > 1.0);
    CHECK_INT(report.outcome, CAROM_STEP_BROKEN);
    CHECK_CONTAINS(report.text, "stable for flexible body 'cube'");
    world_destroy(state);
}

TEST(an_element_that_turns_inside_out_stops_the_run) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = flexible_soft();
    def.name = "cube";
    carom_flex flex = flexible_box(model, edges, 1, 1, &def);
    carom_method_def method = explicit_steps(5e-3);
    carom_state *state = flexible_state(model, &method);
    carom_vec3 v[8];
    carom_state_get_nodes(state, flex, NULL, v, NULL);
    v[7] = crm_vec3(-80.0, -80.0, -80.0);
    CHECK_INT(carom_state_set_nodes(state, flex, NULL, v, NULL), CAROM_OK);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "of 'cube' is in element");
    CHECK_CONTAINS(report.text, "turned inside out");
    world_destroy(state);
}

// ---- other members, viscosity

// Beyond the limit the implicit member keeps the momenta, and swings of a bounded energy.
TEST(implicit_members_go_beyond_the_limit) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    def.stretch = (carom_mat3){{1.02, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(1e-2);
    method.potential.beta = 0.25;
    method.tolerance = 1e-11;
    carom_state *state = flexible_state(model, &method);
    CHECK(method.step > carom_flex_limit(state));
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state);
    carom_step_report report = world_run(state, 30);
    CHECK(report.iterations > 0 && report.iterations < 8);
    CHECK_NEAR(crm_length(crm_sub(report.momentum.linear, before.linear)), 0.0, 1e-12 * crm_length(before.linear));
    CHECK_NEAR(world_energy(state), energy, 0.1 * energy);
    world_destroy(state);
}

TEST(viscosity_is_a_line_of_the_ledger) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = tumbling();
    def.elastic.viscosity = 2e-3;
    flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(5e-4);
    carom_state *state = flexible_state(model, &method);
    double energy = world_energy(state), lost = 0.0, elastic = 0.0, first = carom_state_energy(state).potential;
    carom_momentum before = carom_state_momentum(state);
    for (int i = 0; i < 600; i++) {
        carom_step_report report = world_run(state, 1);
        lost += report.ledger.viscosity;
        elastic += report.ledger.elastic;
        CHECK_NEAR(report.ledger.passive, 0.0, 0.0);
        CHECK_NEAR(report.ledger.conservative, 0.0, 1e-15 * energy);
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, 1e-12 * crm_length(before.angular));
    CHECK_NEAR(elastic, first - carom_state_energy(state).potential, 1e-12 * energy);
    CHECK_NEAR(world_energy(state) - energy, lost, 2e-2 * energy);
    CHECK(lost < -0.2 * energy);
    world_destroy(state);
}

// ---- attachments

// A free body with a cube attached by four of its nodes.
static carom_state *attached_state(double step, carom_flex *flex, int32_t nodes[4]) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def body = world_body_def(1.5, crm_vec3(0.01, 0.02, 0.015));
    body.position = crm_vec3(0.1, 0.0, -0.2);
    body.centre = crm_vec3(0.02, 0.0, 0.01);
    body.attitude = (carom_quat){0.6, 0.0, 0.8, 0.0};
    body.velocity = crm_vec3(0.1, 0.2, 0.0);
    body.spin = crm_vec3(3.0, -2.0, 4.0);
    carom_body id = world_add(model, &body);
    carom_flex_def def = flexible_soft();
    def.name = "pad";
    carom_flex_attachment attachment = {id, 4, nodes};
    def.attachments = &attachment, def.attachment_count = 1;
    def.velocity = crm_vec3(0.1, 0.2, 0.0);
    carom_mesh *mesh = NULL;
    const int cells[3] = {1, 1, 1};
    carom_mesh_create_box(edges, cells, 1, NULL, &mesh, NULL);
    int32_t found[8];
    int count = carom_mesh_nodes_in_box(mesh, crm_vec3(-1.0, -1.0, -1.0), crm_vec3(1.0, 1.0, -0.09), found);
    CHECK_INT(count, 4);
    memcpy(nodes, found, 4 * sizeof *nodes);
    carom_mesh_destroy(mesh);
    *flex = flexible_box(model, edges, 1, 1, &def);
    carom_method_def method = explicit_steps(step);
    return flexible_state(model, &method);
}

TEST(attached_nodes_go_with_their_body) {
    carom_flex flex;
    int32_t nodes[4];
    carom_state *state = attached_state(1e-3, &flex, nodes);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state), swing = 0.0;
    carom_vec3 x[8], v[8], first[4];
    for (int i = 0; i < 2000; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK_NEAR(report.ledger.attachments, 0.0, 0.0);
        swing = fmax(swing, fabs(report.energy.kinetic + report.energy.potential - energy));
        carom_body_state body = world_body(state, 0);
        carom_state_get_nodes(state, flex, x, v, NULL);
        for (int k = 0; k < 4; k++) {
            carom_vec3 arm = crm_sub(x[nodes[k]], body.position);
            carom_vec3 velocity = crm_add(body.velocity, crm_cross(body.spin, arm));
            CHECK_NEAR(crm_length(crm_sub(v[nodes[k]], velocity)), 0.0, 1e-13);
            carom_vec3 at = crm_quat_rotate_inverse(body.attitude, arm);
            if (i == 0) first[k] = at;
            CHECK_NEAR(crm_length(crm_sub(at, first[k])), 0.0, 1e-13);
        }
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_length(crm_sub(after.linear, before.linear)), 0.0, 1e-12 * crm_length(before.linear));
    CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, 1e-12 * crm_length(before.angular));
    CHECK(swing < 2e-2 * energy);
    CHECK(carom_state_energy(state).potential > 1e-3 * energy); // the cube swings
    world_destroy(state);
}

TEST(attachments_are_of_order_two) {
    carom_body_state end[3];
    for (int k = 0; k < 3; k++) {
        carom_flex flex;
        int32_t nodes[4];
        carom_state *state = attached_state(1e-3 / (1 << k), &flex, nodes);
        world_run(state, 200 << k);
        end[k] = world_body(state, 0);
        world_destroy(state);
    }
    double coarse = crm_length(crm_sub(end[0].position, end[1].position)),
           fine = crm_length(crm_sub(end[1].position, end[2].position));
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.15);
}

// ---- bits, memory

TEST(a_saved_state_goes_on_to_the_same_bits) {
    uint64_t hash[2];
    double share[2];
    for (int k = 0; k < 2; k++) {
        carom_flex flex;
        int32_t nodes[4];
        carom_state *state = attached_state(1e-3, &flex, nodes);
        world_run(state, 300);
        if (k == 1) {
            size_t size = carom_state_size(state);
            void *bytes = malloc(size);
            carom_state_save(state, bytes);
            carom_state *other = NULL;
            carom_state_create(carom_state_model(state), carom_state_method(state), &other, NULL);
            CHECK_INT(carom_state_load(other, bytes, size, NULL), CAROM_OK);
            free(bytes);
            carom_state_destroy(state);
            state = other;
        }
        share[k] = world_run(state, 10).flex_limit_share;
        hash[k] = carom_state_hash(state);
        world_destroy(state);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(share[0] == share[1]);
}

TEST(nothing_is_allocated_once_warm) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_model_def model_def = carom_model_def_default();
    model_def.allocator = &hook;
    carom_model *model = NULL;
    CHECK_INT(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    carom_flex_def def = tumbling();
    flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = explicit_steps(1e-3);
    carom_state *state = flexible_state(model, &method);
    world_run(state, 260);
    long long calls = probe.calls;
    world_run(state, 300);
    CHECK_INT(probe.calls, calls);
    world_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
}

TEST_MAIN(CASE(momenta_stay), CASE(it_is_of_order_two), CASE(steps_beyond_the_limit_are_refused_with_the_number),
          CASE(a_limit_that_shrinks_breaks_steps), CASE(an_element_that_turns_inside_out_stops_the_run),
          CASE(implicit_members_go_beyond_the_limit), CASE(viscosity_is_a_line_of_the_ledger),
          CASE(attached_nodes_go_with_their_body), CASE(attachments_are_of_order_two),
          CASE(a_saved_state_goes_on_to_the_same_bits), CASE(nothing_is_allocated_once_warm))
