// SPDX-License-Identifier: MIT
// Flexible bodies under `lcp`: implicit steps with contacts, friction and attachments in one problem.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/certificate.h"
#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const double gravity = 9.81;
static const carom_vec3 edges = {0.2, 0.2, 0.2};

static carom_method_def implicit_steps(double step, double tolerance) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_LCP;
    def.step = step;
    def.lcp.tolerance = tolerance;
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
    carom_error error = {.text = ""};
    char name[32];
    snprintf(name, sizeof name, "shape %d", carom_model_shape_count(model));
    if (carom_model_add_shape(model, name, shape, &def.shape, &error) != CAROM_OK ||
        carom_model_add_body(model, &def, &out, &error) != CAROM_OK)
        CHECK_TEXT(error.text, "");
    return out;
}

static carom_body add_ground(carom_model *model, double friction) {
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    def.material = add_material(model, friction);
    return add_rigid(model, &shape, def);
}

static carom_flex_def cube_of(double young, carom_material material) {
    carom_flex_def def = carom_flex_def_default();
    carom_elastic_from_young(young, 0.3, &def.elastic.lambda, &def.elastic.mu);
    def.material = material;
    def.name = "cube";
    return def;
}

// Mean over the nodes.
static void middle(const carom_state *state, carom_flex flex, int count, carom_vec3 *position, carom_vec3 *velocity) {
    carom_vec3 x[2000], v[2000];
    *position = *velocity = crm_vec3_zero();
    CHECK(count <= 2000);
    CHECK_INT(carom_state_get_nodes(state, flex, x, v, NULL), CAROM_OK);
    for (int n = 0; n < count; n++) {
        *position = crm_madd(*position, 1.0 / count, x[n]);
        *velocity = crm_madd(*velocity, 1.0 / count, v[n]);
    }
}

// ---- on an incline

typedef struct incline {
    carom_state *state;
    carom_flex flex;
    int nodes;
} incline;

static incline make_incline(double angle, double friction, double young) {
    incline out = {.nodes = 27};
    carom_model *model = world_model(crm_vec3(gravity * sin(angle), 0.0, -gravity * cos(angle)), 0.0);
    (void)add_ground(model, friction);
    carom_flex_def def = cube_of(young, add_material(model, friction));
    def.position = crm_vec3(0.0, 0.0, 0.1);
    out.flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(4e-3, 1e-8);
    out.state = flexible_state(model, &method);
    return out;
}

// It sticks: what errors of velocities leave in 10 s is less than 1e-7 m.
TEST(a_sticking_cube_does_not_creep) {
    incline i = make_incline(0.3, 0.5, 1e5);
    carom_vec3 before, after, v;
    (void)world_run(i.state, 1000);
    middle(i.state, i.flex, i.nodes, &before, &v);
    carom_step_report report = world_run(i.state, 500);
    middle(i.state, i.flex, i.nodes, &after, &v);
    CHECK(crm_distance(before, after) < 2e-8); // in 2 s
    CHECK(report.residual <= 1e-8);
    CHECK_INT(report.contacts, 9);
    world_destroy(i.state);
}

TEST(a_sliding_cube_has_coulombs_acceleration) {
    const double young[2] = {1e5, 1e7};
    for (int k = 0; k < 2; k++) {
        incline i = make_incline(0.5, 0.3, young[k]);
        carom_vec3 x, before, after;
        (void)world_run(i.state, 100);
        middle(i.state, i.flex, i.nodes, &x, &before);
        (void)world_run(i.state, 100);
        middle(i.state, i.flex, i.nodes, &x, &after);
        double wanted = gravity * (sin(0.5) - 0.3 * cos(0.5));
        CHECK_NEAR((after.x - before.x) / (100 * 4e-3), wanted, 2e-3 * wanted);
        world_destroy(i.state);
    }
}

// ---- thrown

// From far below the explicit limit of steps to two thousand of it.
TEST(a_dropped_spinning_cube_of_any_stiffness_keeps_its_contract) {
    const double young[5] = {1e4, 1e5, 1e7, 1e9, 2e11};
    for (int k = 0; k < 5; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        (void)add_ground(model, 0.5);
        carom_flex_def def = cube_of(young[k], add_material(model, 0.5));
        def.position = crm_vec3(0.0, 0.0, 0.3);
        def.attitude = (carom_quat){0.9, 0.2, 0.3, 0.1};
        def.spin = crm_vec3(6.0, -4.0, 3.0);
        (void)flexible_box(model, edges, 4, 1, &def);
        carom_method_def method = implicit_steps(4e-3, 1e-8);
        carom_state *state = flexible_state(model, &method);
        int iterations = 0, touched = 0;
        double residual = 0.0, balance = 0.0, least = 1.0;
        for (int i = 0; i < 200; i++) {
            carom_step_report report = world_run(state, 1); // good: no step is missed or divided
            iterations += report.iterations;
            touched += report.contacts > 0;
            residual = fmax(residual, report.residual);
            balance = fmax(balance, report.momentum_balance);
            least = fmin(least, report.least_determinant);
        }
        CHECK(iterations <= 5 * 200);
        CHECK(residual <= 1e-8);
        CHECK(balance <= 1e-12);
        CHECK(least > 0.0);
        CHECK(touched > 40);
        world_destroy(state);
    }
}

// Its corner is crushed to nothing, of the one material, whose elements may be inverted then, and to a third of its
// volume, of the other, whose stiffness has negative eigenvalues there. No step is missed, and both come back.
TEST(a_crushed_corner_comes_back) {
    const carom_elastic_model models[2] = {CAROM_ELASTIC_COROTATED, CAROM_ELASTIC_NEO_HOOKEAN};
    const double crushed[2] = {0.01, 0.45};
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        (void)add_ground(model, 0.5);
        carom_flex_def def = cube_of(1e5, add_material(model, 0.5));
        def.elastic.model = models[k];
        def.attitude = crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.7),
                                    crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), -0.5));
        def.position = crm_vec3(0.0, 0.0, 0.381);
        (void)flexible_box(model, edges, 5, 1, &def);
        carom_method_def method = implicit_steps(4e-3, 1e-8);
        carom_state *state = flexible_state(model, &method);
        double least = 1.0;
        carom_step_report report = {0};
        for (int i = 0; i < 90; i++) {
            report = world_run(state, 1);
            least = fmin(least, report.least_determinant);
        }
        CHECK(least < crushed[k]);
        CHECK(report.least_determinant > 0.6);
        world_destroy(state);
    }
}

TEST(a_free_body_keeps_its_momenta) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = cube_of(1e5, (carom_material){-1});
    def.spin = crm_vec3(8.0, -3.0, 5.0);
    def.velocity = crm_vec3(0.3, 0.1, -0.2);
    def.stretch = (carom_mat3){{1.2, 0.0, 0.0}, {0.0, 0.9, 0.0}, {0.0, 0.0, 1.0}};
    (void)flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(5e-3, 1e-9);
    carom_state *state = flexible_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    carom_step_report report = world_run(state, 300);
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12 * crm_length(before.linear));
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-12 * crm_length(before.angular));
    CHECK(report.momentum_balance <= 1e-13);
    world_destroy(state);
}

// ---- with rigid bodies

// Two that hit each other far from everything, off their centres and with friction.
TEST(a_rigid_ball_and_a_soft_cube_exchange_momenta) {
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
    carom_flex_def def = cube_of(2e5, ball.material);
    (void)flexible_box(model, edges, 4, 1, &def);
    carom_method_def method = implicit_steps(1e-3, 1e-8);
    carom_state *state = flexible_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state), balance = 0.0;
    int contacts = 0;
    for (int i = 0; i < 300; i++) {
        carom_step_report report = world_run(state, 1);
        balance = fmax(balance, report.momentum_balance);
        contacts += report.contacts > 0;
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK(contacts > 5);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12 * crm_length(before.linear));
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-11 * crm_length(before.angular));
    CHECK(balance <= 1e-12);
    CHECK(world_body(state, 0).velocity.x > -1.0); // it came back, or nearly
    CHECK(world_energy(state) < energy);
    world_destroy(state);
}

// All kinds of shapes carry the cube's weight, under it or, moving, on it.
TEST(shapes_of_all_kinds_carry_weight) {
    for (int kind = 0; kind < 6; kind++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        static const carom_shape_kind kinds[6] = {CAROM_SHAPE_BOX,       CAROM_SHAPE_SPHERE,   CAROM_SHAPE_CAPSULE,
                                                  CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_POLYTOPE, CAROM_SHAPE_COMPOUND};
        static const carom_vec3 wedge[6] = {{-1.0, -1.0, -0.5}, {1.0, -1.0, -0.5}, {1.0, 1.0, -0.5},
                                            {-1.0, 1.0, -0.5},  {-1.0, 0.0, 0.0},  {1.0, 0.0, 0.0}};
        carom_shape_def shape = carom_shape_def_default(kinds[kind]);
        carom_compound_part parts[2] = {{.density = 1.0, .pose = {.attitude = {1, 0, 0, 0}}},
                                        {.density = 1.0, .pose = {.attitude = {1, 0, 0, 0}}}};
        carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX);
        box.box.size = crm_vec3(0.5, 1.0, 0.2);
        double top = 0.0;
        if (kind == 0) shape.box.size = crm_vec3(1.0, 1.0, 0.2), top = 0.1;
        if (kind == 1) shape.sphere.radius = 2.0, top = 2.0;
        if (kind == 2) shape.capsule.radius = 0.5, shape.capsule.length = 4.0, top = 0.5;
        if (kind == 3) shape.ellipsoid.half_axes = crm_vec3(2.0, 3.0, 1.0), top = 1.0;
        if (kind == 4) shape.polytope.vertices = wedge, shape.polytope.vertex_count = 6, top = 0.0;
        if (kind == 5) {
            for (int p = 0; p < 2; p++) parts[p].shape = &box, parts[p].pose.position.x = p == 0 ? -0.25 : 0.25;
            shape.compound.parts = parts, shape.compound.part_count = 2, top = 0.1;
        }
        carom_body_def def = carom_body_def_default();
        def.kind = CAROM_BODY_FIXED;
        def.material = add_material(model, 0.6);
        if (kind == 2) def.attitude = (carom_quat){sqrt(0.5), 0.0, sqrt(0.5), 0.0}; // along x
        (void)add_rigid(model, &shape, def);
        carom_flex_def soft = cube_of(1e6, def.material);
        soft.position = crm_vec3(0.0, 0.0, top + 0.1);
        (void)flexible_box(model, edges, 2, 1, &soft);
        carom_method_def method = implicit_steps(5e-3, 1e-8);
        carom_state *state = flexible_state(model, &method);
        (void)world_run(state, 600);
        int count;
        const carom_contact_state *table = carom_state_contacts(state, &count);
        double up = 0.0;
        for (int i = 0; i < count; i++) {
            int node;
            double side = carom_model_body_flex(model, table[i].b, &node).index >= 0 ? 1.0 : -1.0;
            up += side * table[i].normal_impulse * table[i].normal.z;
            // Friction counts where normals lean.
            carom_vec3 t = table[i].tangent, s = crm_cross(table[i].normal, t);
            up += side * (table[i].tangent_impulse[0] * t.z + table[i].tangent_impulse[1] * s.z);
        }
        double weight = 0.008 * 1000.0 * gravity * 5e-3;
        CHECK_NEAR(up, weight, 5e-3 * weight); // it may still rock a little
        world_destroy(state);
    }
}

// A soft rod between two rigid boxes that fly apart and rotate: nodes stay where they are fixed, momenta as they are.
TEST(attachments_hold) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_BOX);
    shape.box.size = edges;
    carom_body bodies[2];
    for (int k = 0; k < 2; k++) {
        carom_body_def def = carom_body_def_default();
        def.density = 500.0;
        def.position = crm_vec3(k == 0 ? -0.2 : 0.2, 0.0, 0.0);
        def.velocity = crm_vec3(k == 0 ? -0.2 : 0.2, k == 0 ? 0.5 : -0.3, 0.1);
        def.spin = crm_vec3(k == 0 ? 3.0 : -3.0, 0.0, 1.0);
        def.groups = 2, def.meets = 2;
        bodies[k] = add_rigid(model, &shape, def);
    }
    carom_mesh *mesh = NULL;
    const int cells[3] = {4, 2, 2};
    CHECK_INT(carom_mesh_create_box(crm_vec3(0.2, 0.1, 0.1), cells, 1, NULL, &mesh, NULL), CAROM_OK);
    int32_t low[64], high[64];
    int lows = carom_mesh_nodes_in_box(mesh, crm_vec3(-0.101, -1.0, -1.0), crm_vec3(-0.099, 1.0, 1.0), low);
    int highs = carom_mesh_nodes_in_box(mesh, crm_vec3(0.099, -1.0, -1.0), crm_vec3(0.101, 1.0, 1.0), high);
    CHECK_INT(lows, 9);
    CHECK_INT(highs, 9);
    carom_flex_attachment attachments[2] = {{bodies[0], lows, low}, {bodies[1], highs, high}};
    carom_flex_def def = cube_of(1e5, (carom_material){-1});
    def.mesh = mesh;
    def.attachments = attachments;
    def.attachment_count = 2;
    carom_flex flex;
    CHECK_INT(carom_model_add_flex(model, &def, &flex, NULL), CAROM_OK);
    carom_method_def method = implicit_steps(2e-3, 1e-9);
    carom_state *state = flexible_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    carom_step_report report = world_run(state, 300);
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-11);
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-9);
    CHECK(report.momentum_balance <= 1e-11);
    carom_vec3 x[200];
    CHECK_INT(carom_state_get_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    const carom_vec3 *rest = carom_mesh_nodes(mesh);
    for (int k = 0; k < 2; k++) {
        carom_body_state at = world_body(state, bodies[k].index);
        for (int i = 0; i < 9; i++) {
            int n = k == 0 ? low[i] : high[i];
            carom_vec3 arm = crm_sub(rest[n], crm_vec3(k == 0 ? -0.2 : 0.2, 0.0, 0.0));
            CHECK(crm_distance(x[n], crm_add(at.position, crm_quat_rotate(at.attitude, arm))) < 2e-5);
        }
    }
    carom_mesh_destroy(mesh);
    world_destroy(state);
}

// Nodes lie within the ball that carries one of them, their skins in it: it touches none, and nothing happens.
TEST(what_carries_nodes_does_not_touch_them) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    shape.sphere.radius = 0.1;
    carom_body_def ball = carom_body_def_default();
    ball.density = 800.0;
    ball.position = crm_vec3(0.0, 0.0, 0.15);
    carom_body carrier = add_rigid(model, &shape, ball);
    const int32_t node = 26;
    const carom_flex_attachment attachment = {carrier, 1, &node};
    carom_flex_def def = cube_of(1e5, (carom_material){-1});
    def.skin = 0.01;
    def.attachments = &attachment;
    def.attachment_count = 1;
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(2e-3, 1e-8);
    carom_state *state = flexible_state(model, &method);
    carom_step_report report = world_run(state, 5);
    carom_vec3 middle_now, velocity;
    middle(state, flex, 27, &middle_now, &velocity);
    CHECK_INT(report.contacts, 0);
    CHECK_NEAR(crm_length(velocity), 0.0, 1e-12);
    world_destroy(state);
}

// ---- what certificates say

// Stiffness makes the rounding floor; a factor lasts for many iterations.
TEST(certificates_tell_how_steps_were_solved) {
    const double young[3] = {1e4, 1e8, 2e11};
    double floor[3];
    for (int k = 0; k < 3; k++) {
        incline i = make_incline(0.5, 0.3, young[k]);
        carom_summary summary = carom_summary_begin(i.state);
        for (int n = 0; n < 60; n++) {
            carom_step_report report = world_run(i.state, 1);
            CHECK(report.factorizations >= 0 && report.factorizations <= report.iterations + 1);
            CHECK_INT(report.inverted_elements, 0);
            carom_summary_add(&summary, &report);
        }
        CHECK(summary.factorizations_sum >= 1 && summary.factorizations_sum < 60);
        CHECK_INT(summary.most_inverted_elements, 0);
        CHECK_INT(summary.halved_steps, 0);
        floor[k] = summary.largest_residual_floor;
        world_destroy(i.state);
    }
    CHECK(floor[0] > 0.0 && floor[0] < 1e-11);
    CHECK(floor[1] > 100.0 * floor[0] && floor[2] > 100.0 * floor[1]);
}

// A corner that was pushed through its cube comes back.
TEST(inverted_elements_are_counted) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = cube_of(1e5, (carom_material){-1});
    def.elastic.model = CAROM_ELASTIC_COROTATED;
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(2e-3, 1e-8);
    carom_state *state = flexible_state(model, &method);
    carom_vec3 x[27];
    CHECK_INT(carom_state_get_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    x[0] = crm_vec3(0.02, 0.02, 0.02);
    CHECK_INT(carom_state_set_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    carom_step_report report = world_run(state, 1);
    CHECK(report.inverted_elements >= 1);
    CHECK(report.least_determinant < 0.0);
    report = world_run(state, 100);
    CHECK_INT(report.inverted_elements, 0);
    world_destroy(state);
}

// ---- equilibrium

// A cantilever that begins where it hangs stays there, and is where steps without its inertia's help take it.
TEST(what_begins_in_equilibrium_stays) {
    carom_vec3 x[2][200];
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
        carom_mesh *mesh = NULL;
        const int cells[3] = {8, 2, 2};
        CHECK_INT(carom_mesh_create_box(crm_vec3(1.0, 0.1, 0.1), cells, 1, NULL, &mesh, NULL), CAROM_OK);
        int32_t fixed[32];
        carom_flex_def def = cube_of(2e6, (carom_material){-1});
        def.mesh = mesh;
        def.fixed = fixed;
        def.fixed_count = carom_mesh_nodes_in_box(mesh, crm_vec3(-0.51, -1.0, -1.0), crm_vec3(-0.49, 1.0, 1.0), fixed);
        def.start = k == 0 ? CAROM_FLEX_START_EQUILIBRIUM : CAROM_FLEX_START_REST;
        carom_flex flex;
        CHECK_INT(carom_model_add_flex(model, &def, &flex, NULL), CAROM_OK);
        carom_method_def method = implicit_steps(k == 0 ? 5e-3 : 1e5, 1e-12);
        carom_state *state = flexible_state(model, &method);
        int nodes = carom_mesh_node_count(mesh);
        CHECK_INT(carom_state_get_nodes(state, flex, x[k], NULL, NULL), CAROM_OK);
        (void)world_run(state, 4);
        carom_vec3 after[200];
        CHECK_INT(carom_state_get_nodes(state, flex, after, NULL, NULL), CAROM_OK);
        for (int n = 0; n < nodes && k == 0; n++) CHECK_NEAR(crm_distance(after[n], x[0][n]), 0.0, 1e-9);
        for (int n = 0; n < nodes && k == 1; n++) CHECK_NEAR(crm_distance(after[n], x[0][n]), 0.0, 1e-8);
        carom_mesh_destroy(mesh);
        world_destroy(state);
    }
    CHECK(x[0][0].z == x[1][0].z);
    double lowest = 0.0;
    for (int n = 0; n < 80; n++) lowest = fmin(lowest, x[0][n].z);
    CHECK(lowest < -0.06); // it hangs
}

TEST(what_nothing_holds_has_no_equilibrium) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = cube_of(1e6, (carom_material){-1});
    carom_method_def method = implicit_steps(4e-3, 1e-8);
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    def.start = CAROM_FLEX_START_EQUILIBRIUM;
    (void)flexible_box(model, edges, 2, 1, &def);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "nothing holds it");
    carom_model_destroy(model);
}

// ---- the same bits

static uint64_t run_of(int threads, int steps) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    (void)add_ground(model, 0.5);
    carom_flex_def def = cube_of(1e5, add_material(model, 0.5));
    def.position = crm_vec3(0.0, 0.0, 0.12);
    def.spin = crm_vec3(1.0, 2.0, 3.0);
    (void)flexible_box(model, edges, 2, 1, &def);
    def.name = "other";
    def.position.x = 0.5;
    (void)flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(4e-3, 1e-8);
    method.threads = threads;
    carom_state *state = flexible_state(model, &method);
    (void)world_run(state, steps);
    uint64_t hash = carom_state_hash(state);
    world_destroy(state);
    return hash;
}

TEST(threads_change_no_bit) {
    CHECK(run_of(1, 100) == run_of(2, 100));
}

// A state that was saved goes on to the same bits in another one, whatever that has factored.
TEST(saved_states_go_on_to_the_same_bits) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    (void)add_ground(model, 0.5);
    carom_flex_def def = cube_of(1e5, add_material(model, 0.5));
    def.position = crm_vec3(0.0, 0.0, 0.14);
    def.spin = crm_vec3(3.0, 2.0, 5.0);
    (void)flexible_box(model, edges, 3, 1, &def);
    carom_method_def method = implicit_steps(4e-3, 1e-8);
    carom_state *state = flexible_state(model, &method), *other = NULL;
    (void)world_run(state, 60);
    CHECK_INT(carom_state_create(model, &method, &other, NULL), CAROM_OK);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, size, NULL), CAROM_OK);
    for (int i = 0; i < 3; i++) {
        (void)world_run(state, 10);
        (void)world_run(other, 10);
        CHECK(carom_state_hash(state) == carom_state_hash(other));
    }
    CHECK_INT(carom_state_load(state, bytes, size, NULL), CAROM_OK);
    (void)world_run(state, 30);
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    free(bytes);
    carom_state_destroy(other);
    world_destroy(state);
}

// In every step of an impact, in a state that has never been anywhere, and in one that has been further.
TEST(states_of_an_impact_go_on_to_the_same_bits) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    shape.sphere.radius = 0.1;
    carom_body_def ball = carom_body_def_default();
    ball.density = 800.0;
    ball.material = add_material(model, 0.4);
    ball.position = crm_vec3(0.22, 0.04, 0.03);
    ball.velocity = crm_vec3(-2.0, 0.3, 0.0);
    (void)add_rigid(model, &shape, ball);
    carom_flex_def def = cube_of(2e5, ball.material);
    def.skin = 0.002;
    def.spin = crm_vec3(1.0, 2.0, 3.0);
    (void)flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(1e-3, 1e-8);
    carom_state *state = flexible_state(model, &method), *fresh = NULL;
    int contacts = 0;
    for (int i = 0; i < 60; i++) {
        size_t size = carom_state_size(state);
        void *bytes = malloc(size);
        carom_state_save(state, bytes);
        CHECK_INT(carom_state_create(model, &method, &fresh, NULL), CAROM_OK);
        CHECK_INT(carom_state_load(fresh, bytes, size, NULL), CAROM_OK);
        (void)world_run(fresh, 1);
        contacts += world_run(state, 1).contacts > 0;
        uint64_t hash = carom_state_hash(state);
        CHECK(carom_state_hash(fresh) == hash);
        CHECK_INT(carom_state_load(state, bytes, size, NULL), CAROM_OK);
        (void)world_run(state, 1);
        CHECK(carom_state_hash(state) == hash);
        carom_state_destroy(fresh);
        free(bytes);
    }
    CHECK(contacts > 10 && contacts < 60);
    world_destroy(state);
}

// Two cubes that tumble on each other and come to lie.
TEST(nothing_is_allocated_once_warm) {
    probe_allocator probe = {.calls = 0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_model_def model_def = carom_model_def_default();
    carom_model *model = NULL;
    model_def.gravity = crm_vec3(0.0, 0.0, -gravity);
    model_def.allocator = &hook;
    CHECK_INT(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    (void)add_ground(model, 0.5);
    carom_flex_def def = cube_of(1e5, add_material(model, 0.5));
    def.position = crm_vec3(0.0, 0.0, 0.1);
    (void)flexible_box(model, edges, 2, 1, &def);
    def.name = "other";
    def.position = crm_vec3(0.03, 0.02, 0.31);
    (void)flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = implicit_steps(4e-3, 1e-8);
    carom_state *state = flexible_state(model, &method);
    (void)world_run(state, 250);
    long long calls = probe.calls;
    carom_step_report report = world_run(state, 100);
    CHECK_INT(probe.calls - calls, 0);
    CHECK(report.contacts > 9);
    world_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
}

TEST_MAIN(CASE(a_sticking_cube_does_not_creep), CASE(a_sliding_cube_has_coulombs_acceleration),
          CASE(a_dropped_spinning_cube_of_any_stiffness_keeps_its_contract), CASE(a_crushed_corner_comes_back),
          CASE(a_free_body_keeps_its_momenta), CASE(a_rigid_ball_and_a_soft_cube_exchange_momenta),
          CASE(shapes_of_all_kinds_carry_weight), CASE(certificates_tell_how_steps_were_solved),
          CASE(inverted_elements_are_counted), CASE(attachments_hold), CASE(what_begins_in_equilibrium_stays),
          CASE(what_nothing_holds_has_no_equilibrium), CASE(threads_change_no_bit),
          CASE(saved_states_go_on_to_the_same_bits), CASE(states_of_an_impact_go_on_to_the_same_bits),
          CASE(what_carries_nodes_does_not_touch_them), CASE(nothing_is_allocated_once_warm))
