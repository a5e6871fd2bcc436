// SPDX-License-Identifier: MIT
// Surfaces of flexible bodies that touch each other, themselves, and corners of polytopes, under `lcp`.
#include "step/flex/surface/flex_surface.h"

#include <math.h>
#include <stdio.h>

#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const double gravity = 9.81;

static carom_method_def implicit_steps(double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_LCP;
    def.step = step;
    def.lcp.tolerance = 1e-8;
    return def;
}

static carom_material add_material(carom_model *model, double friction) {
    carom_material_def def = carom_material_def_default();
    carom_material out = {-1};
    def.friction = friction;
    CHECK_INT(carom_model_add_material(model, &def, &out, NULL), CAROM_OK);
    return out;
}

static carom_flex add_box(carom_model *model, carom_vec3 size, const int cells[3], carom_flex_def def, double young) {
    carom_mesh *mesh = NULL;
    carom_flex out = {-1};
    carom_error error = {.text = ""};
    CHECK_INT(carom_mesh_create_box(size, cells, 1, NULL, &mesh, NULL), CAROM_OK);
    carom_elastic_from_young(young, 0.3, &def.elastic.lambda, &def.elastic.mu);
    int32_t low[500];
    def.mesh = mesh;
    if (def.fixed_count < 0) { // its lower face
        def.fixed = low;
        def.fixed_count =
            carom_mesh_nodes_in_box(mesh, crm_vec3(-9.0, -9.0, -9.0), crm_vec3(9.0, 9.0, 1e-6 - 0.5 * size.z), low);
    }
    if (carom_model_add_flex(model, &def, &out, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_mesh_destroy(mesh);
    return out;
}

static double mean_velocity(const carom_state *state, carom_flex flex, int count) {
    carom_vec3 v[1000];
    double sum = 0.0;
    CHECK_INT(carom_state_get_nodes(state, flex, NULL, v, NULL), CAROM_OK);
    for (int n = 0; n < count; n++) sum += v[n].x / count;
    return sum;
}

// A cube on a slab that is fixed below, both soft.
static double slide(double angle, double friction, double slab, double cube, double skin) {
    carom_model *model = world_model(crm_vec3(gravity * sin(angle), 0.0, -gravity * cos(angle)), 0.0);
    carom_flex_def def = carom_flex_def_default();
    def.material = add_material(model, friction);
    def.skin = skin;
    def.position = crm_vec3(0.0, 0.0, -0.05 - skin);
    def.fixed_count = -1;
    (void)add_box(model, crm_vec3(1.2, 0.5, 0.1), (const int[]){12, 6, 2}, def, slab);
    def.position = crm_vec3(-0.35, 0.013, 0.1 + skin);
    def.fixed_count = 0;
    carom_flex flex = add_box(model, crm_vec3(0.2, 0.2, 0.2), (const int[]){4, 4, 4}, def, cube);
    carom_method_def method = implicit_steps(4e-3);
    carom_state *state = flexible_state(model, &method);
    (void)world_run(state, 75);
    double before = mean_velocity(state, flex, 125);
    carom_step_report report = world_run(state, 75);
    double gained = (mean_velocity(state, flex, 125) - before) / (75 * 4e-3);
    CHECK(report.residual <= 1e-8);
    CHECK(report.contacts > 15);
    CHECK(report.momentum_balance <= 1e-12);
    world_destroy(state);
    return gained;
}

// Nodes in front of the cube would catch it without the test of normal cones.
TEST(soft_slides_on_soft_with_coulombs_acceleration) {
    double wanted = gravity * (sin(0.4) - 0.3 * cos(0.4));
    CHECK_NEAR(slide(0.4, 0.3, 1e6, 1e5, 0.0), wanted, 1e-2 * wanted);
    CHECK_NEAR(slide(0.4, 0.3, 1e7, 1e7, 0.002), wanted, 1e-2 * wanted);
}

TEST(soft_sticks_on_soft) {
    CHECK_NEAR(slide(0.2, 0.6, 1e7, 1e7, 0.0), 0.0, 1e-3);
}

// A tetrahedron stands on its corner upon a slab whose nodes are far from it.
TEST(corners_rest_on_triangles) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = carom_flex_def_default();
    def.material = add_material(model, 0.8);
    def.fixed_count = -1;
    def.position = crm_vec3(0.0, 0.0, -0.1);
    (void)add_box(model, crm_vec3(2.0, 2.0, 0.2), (const int[]){4, 4, 2}, def, 1e6);
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX);
    box.box.size = crm_vec3(0.2, 0.2, 0.2);
    carom_body_def body = carom_body_def_default();
    carom_error error = {.text = ""};
    body.material = def.material;
    body.density = 1000.0;
    body.position = crm_vec3(0.25, 0.22, 0.11);
    if (carom_model_add_shape(model, "box", &box, &body.shape, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_body added;
    CHECK_INT(carom_model_add_body(model, &body, &added, NULL), CAROM_OK);
    carom_method_def method = implicit_steps(4e-3);
    carom_state *state = flexible_state(model, &method);
    carom_step_report report = world_run(state, 250);
    int count;
    const carom_contact_state *table = carom_state_contacts(state, &count);
    double up = 0.0, weight = 8.0 * gravity * 4e-3;
    for (int i = 0; i < count; i++) {
        bool on_box = table[i].b.index == added.index || table[i].a.index == added.index;
        if (!on_box) continue;
        double side = table[i].b.index == added.index ? 1.0 : -1.0;
        carom_vec3 s = crm_cross(table[i].normal, table[i].tangent);
        up += side * (table[i].normal_impulse * table[i].normal.z + table[i].tangent_impulse[0] * table[i].tangent.z +
                      table[i].tangent_impulse[1] * s.z);
    }
    CHECK_NEAR(up, weight, 1e-3 * weight);
    CHECK(world_body(state, added.index).position.z > 0.09);
    CHECK(world_body(state, added.index).position.z < 0.1);
    CHECK(report.momentum_balance <= 1e-12);
    world_destroy(state);
}

// Two cubes hit each other in free flight.
TEST(two_soft_bodies_exchange_momenta) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = carom_flex_def_default();
    def.material = add_material(model, 0.4);
    def.velocity = crm_vec3(1.0, 0.0, 0.0);
    def.position = crm_vec3(-0.12, 0.0, 0.0);
    def.spin = crm_vec3(0.0, 0.0, 2.0);
    carom_flex first = add_box(model, crm_vec3(0.2, 0.2, 0.2), (const int[]){3, 3, 3}, def, 1e5);
    def.position = crm_vec3(0.12, 0.06, 0.03);
    def.velocity = crm_vec3(-1.0, 0.1, 0.0);
    (void)add_box(model, crm_vec3(0.2, 0.2, 0.2), (const int[]){4, 4, 4}, def, 2e5);
    carom_method_def method = implicit_steps(1e-3);
    carom_state *state = flexible_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state), balance = 0.0;
    for (int i = 0; i < 150; i++) balance = fmax(balance, world_run(state, 1).momentum_balance);
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12);
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-12);
    CHECK(balance <= 1e-12);
    CHECK(mean_velocity(state, first, 64) < 0.2);
    CHECK(world_energy(state) < energy);
    world_destroy(state);
}

// One mesh of two pieces, the upper of which falls on the lower: lowest node of the upper one after a second.
static double fall_on_itself(bool self_contact) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_mesh *box = NULL, *mesh = NULL;
    CHECK_INT(carom_mesh_create_box(crm_vec3(0.2, 0.2, 0.2), (const int[]){2, 2, 2}, 1, NULL, &box, NULL), CAROM_OK);
    carom_vec3 nodes[54];
    int32_t elements[2 * 40 * 4], fixed[9];
    int count = carom_mesh_element_count(box), held = 0;
    for (int n = 0; n < 27; n++) {
        nodes[n] = carom_mesh_nodes(box)[n];
        nodes[27 + n] = crm_add(nodes[n], crm_vec3(0.02, 0.03, 0.21));
        if (nodes[n].z < -0.09) fixed[held++] = n;
    }
    for (int i = 0; i < 4 * count; i++) {
        elements[i] = carom_mesh_elements(box)[i];
        elements[4 * count + i] = 27 + elements[i];
    }
    carom_mesh_def mesh_def = carom_mesh_def_default();
    mesh_def.node_count = 54, mesh_def.nodes = nodes;
    mesh_def.element_count = 2 * count, mesh_def.elements = elements;
    CHECK_INT(carom_mesh_create(&mesh_def, NULL, &mesh, NULL), CAROM_OK);
    carom_flex_def def = carom_flex_def_default();
    def.mesh = mesh, def.fixed = fixed, def.fixed_count = held, def.self_contact = self_contact;
    def.material = add_material(model, 0.5);
    carom_elastic_from_young(1e6, 0.3, &def.elastic.lambda, &def.elastic.mu);
    carom_flex flex;
    CHECK_INT(carom_model_add_flex(model, &def, &flex, NULL), CAROM_OK);
    carom_method_def method = implicit_steps(4e-3);
    carom_state *state = flexible_state(model, &method);
    (void)world_run(state, 125);
    CHECK_INT(carom_state_get_nodes(state, flex, nodes, NULL, NULL), CAROM_OK);
    double lowest = INFINITY;
    for (int n = 27; n < 54; n++) lowest = fmin(lowest, nodes[n].z);
    carom_mesh_destroy(mesh);
    carom_mesh_destroy(box);
    world_destroy(state);
    return lowest;
}

TEST(a_body_touches_itself_if_it_shall) {
    CHECK_NEAR(fall_on_itself(true), 0.1, 2e-3);
    CHECK(fall_on_itself(false) < -0.5);
}

TEST_MAIN(CASE(soft_slides_on_soft_with_coulombs_acceleration), CASE(soft_sticks_on_soft),
          CASE(corners_rest_on_triangles), CASE(two_soft_bodies_exchange_momenta),
          CASE(a_body_touches_itself_if_it_shall))
