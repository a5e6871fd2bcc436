// SPDX-License-Identifier: MIT
// Where the energy of flexible bodies goes under `lcp`: the lines of the ledger, and what they leave over.
#include <math.h>

#include "carom/model.h"
#include "carom/verdict.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const double gravity = 9.81;
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

static carom_body add_rigid(carom_model *model, const carom_shape_def *shape, carom_body_def def) {
    carom_body out = {-1};
    CHECK_INT(carom_model_add_shape(model, "shape", shape, &def.shape, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_body(model, &def, &out, NULL), CAROM_OK);
    return out;
}

static void add_ground(carom_model *model, carom_material material) {
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    def.material = material;
    (void)add_rigid(model, &shape, def);
}

static void add(carom_ledger *sum, const carom_ledger *own) {
    sum->conservative += own->conservative;
    sum->elastic += own->elastic;
    sum->viscosity += own->viscosity;
    sum->attachments += own->attachments;
    sum->integrator += own->integrator;
    sum->passive += own->passive;
    sum->friction += own->friction;
    sum->impacts += own->impacts;
    sum->stabilisation += own->stabilisation;
    sum->remainder += own->remainder;
}

static carom_ledger run(carom_state *state, int steps) {
    carom_ledger sum = {0};
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        add(&sum, &report.ledger);
    }
    return sum;
}

// ---- what the integrator takes

enum { CUBE_NODES = 27 };

// (theta - 1/2) |v1 - v0|^2_M + (2 theta - 1) (V(x0) - V(x1) + f(x1).(x0 - x1)) by the nodes before and after.
static double dissipation(const carom_flex_def *def, const double *mass, const carom_vec3 *x, const carom_vec3 *v,
                          double theta) {
    const carom_vec3 *x1 = x + CUBE_NODES, *v1 = v + CUBE_NODES;
    double before, after, sum = 0.0;
    carom_vec3 force[CUBE_NODES];
    CHECK_INT(carom_mesh_evaluate(def->mesh, &def->elastic, x, &before, NULL, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_mesh_evaluate(def->mesh, &def->elastic, x1, &after, force, NULL, NULL), CAROM_OK);
    double remainder = before - after;
    for (int n = 0; n < CUBE_NODES; n++) {
        sum += (theta - 0.5) * mass[n] * crm_length_squared(crm_sub(v1[n], v[n]));
        remainder += crm_dot(force[n], crm_sub(x[n], x1[n]));
    }
    return sum + (2.0 * theta - 1.0) * remainder;
}

// A cube that was stretched swings by itself: nothing else takes anything.
TEST(the_integrators_line_is_its_dissipation) {
    const double theta[3] = {1.0, 0.75, 0.55};
    for (int k = 0; k < 3; k++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_flex_def def = soft(1e5, (carom_material){-1});
        def.stretch = (carom_mat3){{1.1, 0.0, 0.0}, {0.0, 0.95, 0.0}, {0.0, 0.0, 1.0}};
        carom_flex flex = flexible_box(model, edges, 2, 1, &def);
        carom_method_def method = steps_of(1e-3, theta[k]);
        carom_state *state = flexible_state(model, &method);
        const carom_flex_def *own = carom_model_flex_def(model, flex);
        carom_vec3 x[2 * CUBE_NODES], v[2 * CUBE_NODES];
        double mass[CUBE_NODES], energy = world_energy(state);
        carom_mesh_masses(own->mesh, own->elastic.density, mass);
        for (int i = 0; i < 40; i++) {
            CHECK_INT(carom_state_get_nodes(state, flex, x, v, NULL), CAROM_OK);
            carom_ledger ledger = world_run(state, 1).ledger;
            CHECK_INT(carom_state_get_nodes(state, flex, x + CUBE_NODES, v + CUBE_NODES, NULL), CAROM_OK);
            double wanted = dissipation(own, mass, x, v, theta[k]);
            CHECK_NEAR(ledger.integrator, -wanted, 1e-8 * energy);
            CHECK_NEAR(ledger.remainder, 0.0, 1e-8 * energy);
            CHECK(ledger.integrator < 0.0);
        }
        world_destroy(state);
    }
}

// ---- contact

// What is left over is what keeps angular momentum, of next to nothing; friction takes its force times the way.
TEST(a_soft_cube_that_slides_on_soft_ground_closes_its_ledger) {
    const double theta[2] = {1.0, 0.6};
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        carom_flex_def def = soft(1e6, add_material(model, 0.3));
        carom_mesh *mesh = NULL;
        int32_t low[500];
        CHECK_INT(carom_mesh_create_box(crm_vec3(1.2, 0.5, 0.1), (const int[]){12, 6, 2}, 1, NULL, &mesh, NULL),
                  CAROM_OK);
        def.mesh = mesh;
        def.fixed = low;
        def.fixed_count = carom_mesh_nodes_in_box(mesh, crm_vec3(-9.0, -9.0, -9.0), crm_vec3(9.0, 9.0, -0.049), low);
        def.position = crm_vec3(0.0, 0.0, -0.05);
        CHECK_INT(carom_model_add_flex(model, &def, NULL, NULL), CAROM_OK);
        carom_mesh_destroy(mesh);
        def.fixed_count = 0;
        def.position = crm_vec3(-0.35, 0.013, 0.1);
        def.velocity = crm_vec3(1.0, 0.0, 0.0);
        (void)flexible_box(model, edges, 3, 1, &def);
        carom_method_def method = steps_of(4e-3, theta[k]);
        carom_state *state = flexible_state(model, &method);
        double energy = world_energy(state);
        carom_ledger sum = run(state, 150); // it stops after 0.34 s
        double lost = energy - world_energy(state);
        CHECK_NEAR(sum.friction, -4.0, 0.4); // 8 kg at 1 m/s
        CHECK_NEAR(sum.remainder, 0.0, 1e-4 * lost);
        CHECK_NEAR(lost, -(sum.friction + sum.impacts + sum.stabilisation + sum.integrator + sum.remainder),
                   1e-9 * lost);
        CHECK(sum.integrator < 0.0 && sum.integrator > -0.5);
        CHECK_NEAR(sum.passive, 0.0, 0.0);
        world_destroy(state);
    }
}

TEST(a_rigid_ball_on_a_soft_cube_closes_its_ledger) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    shape.sphere.radius = 0.1;
    carom_body_def ball = carom_body_def_default();
    ball.density = 800.0;
    ball.material = add_material(model, 0.4);
    ball.position = crm_vec3(0.35, 0.04, 0.03);
    ball.velocity = crm_vec3(-2.0, 0.3, 0.0);
    ball.spin = crm_vec3(0.0, 5.0, 20.0);
    (void)add_rigid(model, &shape, ball);
    carom_flex_def def = soft(2e5, ball.material);
    (void)flexible_box(model, edges, 3, 1, &def);
    carom_method_def method = steps_of(1e-3, 1.0);
    carom_state *state = flexible_state(model, &method);
    double energy = world_energy(state);
    carom_ledger sum = run(state, 200);
    CHECK_NEAR(sum.remainder, 0.0, 1e-3 * energy);
    CHECK(sum.friction < -0.05 && sum.integrator < -0.05);
    CHECK_NEAR(energy - world_energy(state),
               -(sum.friction + sum.impacts + sum.stabilisation + sum.integrator + sum.remainder), 1e-9 * energy);
    world_destroy(state);
}

// ---- viscosity, attachments

// A soft rod that hangs from a box and swings: what takes is its viscosity and the integrator, and what holds it
// nothing.
TEST(viscosity_and_attachments_have_their_lines) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def held = world_body_def(2.0, crm_vec3(0.1, 0.1, 0.1));
    carom_body box = world_add(model, &held);
    carom_mesh *mesh = NULL;
    int32_t upper[64];
    CHECK_INT(carom_mesh_create_box(crm_vec3(0.1, 0.1, 0.2), (const int[]){2, 2, 4}, 1, NULL, &mesh, NULL), CAROM_OK);
    int count = carom_mesh_nodes_in_box(mesh, crm_vec3(-9.0, -9.0, 0.099), crm_vec3(9.0, 9.0, 9.0), upper);
    carom_flex_attachment attachment = {box, count, upper};
    carom_flex_def def = soft(2e5, (carom_material){-1});
    def.mesh = mesh, def.position = crm_vec3(0.0, 0.0, -0.2);
    def.elastic.viscosity = 2e-3;
    def.attachments = &attachment, def.attachment_count = 1;
    def.velocity = crm_vec3(0.5, 0.0, 0.0);
    CHECK_INT(carom_model_add_flex(model, &def, NULL, NULL), CAROM_OK);
    carom_mesh_destroy(mesh);
    carom_method_def method = steps_of(1e-3, 1.0);
    carom_state *state = flexible_state(model, &method);
    carom_ledger sum = run(state, 100);
    CHECK(sum.viscosity < -1e-3);
    CHECK_NEAR(sum.passive, 0.0, 0.0);
    CHECK_NEAR(sum.stabilisation, 0.0, 0.0);
    CHECK(fabs(sum.attachments) < 1e-6 * fabs(sum.viscosity));
    CHECK(fabs(sum.remainder) < 1e-3 * fabs(sum.viscosity));
    world_destroy(state);
}

// ---- the verdict

// A cube that settles on an incline: implicit Euler takes half of what it falls by, and says so.
TEST(what_the_integrator_takes_is_no_loss_without_a_cause) {
    carom_model *model = world_model(crm_vec3(gravity * sin(0.3), 0.0, -gravity * cos(0.3)), 0.0);
    carom_flex_def def = soft(1e5, add_material(model, 0.6));
    add_ground(model, def.material);
    def.position = crm_vec3(0.0, 0.0, 0.1);
    (void)flexible_box(model, edges, 3, 1, &def);
    carom_method_def method = steps_of(4e-3, 1.0);
    carom_state *state = flexible_state(model, &method);
    carom_ledger sum = run(state, 200);
    carom_finding found[CAROM_RULE_COUNT];
    carom_state_findings(state, found);
    CHECK(sum.integrator < -0.3 * sum.conservative && sum.integrator > -sum.conservative);
    CHECK(found[CAROM_RULE_ENERGY_LOSS].value < 0.01);
    CHECK(found[CAROM_RULE_ENERGY_GAIN].value < 0.01);
    world_destroy(state);
}

TEST_MAIN(CASE(the_integrators_line_is_its_dissipation), CASE(a_soft_cube_that_slides_on_soft_ground_closes_its_ledger),
          CASE(a_rigid_ball_on_a_soft_cube_closes_its_ledger), CASE(viscosity_and_attachments_have_their_lines),
          CASE(what_the_integrator_takes_is_no_loss_without_a_cause))
