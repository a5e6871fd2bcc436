// SPDX-License-Identifier: MIT
// Edges of flexible bodies against edges of each other and of rigid bodies, and parts of compounds, under `lcp`.
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "carom/model.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const double gravity = 9.81, step = 4e-3;
static const carom_vec3 bar = {1.0, 0.1, 0.1}; // 10 kg
static const double bar_weight = 98.1;

static carom_state *make_state(carom_model *model, double duration) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_LCP;
    def.step = duration;
    def.lcp.tolerance = 1e-8;
    return flexible_state(model, &def);
}

static carom_material add_material(carom_model *model) {
    carom_material_def def = carom_material_def_default();
    carom_material out = {-1};
    def.friction = 0.5;
    CHECK_INT(carom_model_add_material(model, &def, &out, NULL), CAROM_OK);
    return out;
}

static carom_flex_def soft(carom_material material, double young) {
    carom_flex_def def = carom_flex_def_default();
    carom_elastic_from_young(young, 0.3, &def.elastic.lambda, &def.elastic.mu);
    def.material = material;
    return def;
}

// `held`: its lower face is fixed.
static carom_flex add_box(carom_model *model, carom_vec3 size, const int cells[3], carom_flex_def def, bool held) {
    carom_mesh *mesh = NULL;
    carom_flex out = {-1};
    carom_error error = {.text = ""};
    int32_t low[500];
    CHECK_INT(carom_mesh_create_box(size, cells, 1, NULL, &mesh, NULL), CAROM_OK);
    def.mesh = mesh;
    def.fixed = low;
    if (held)
        def.fixed_count =
            carom_mesh_nodes_in_box(mesh, crm_vec3(-9.0, -9.0, -9.0), crm_vec3(9.0, 9.0, 1e-6 - 0.5 * size.z), low);
    if (carom_model_add_flex(model, &def, &out, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_mesh_destroy(mesh);
    return out;
}

static carom_body add_rigid(carom_model *model, const carom_shape_def *shape, carom_body_def def) {
    carom_body out = {-1};
    carom_error error = {.text = ""};
    if (carom_model_add_shape(model, "shape", shape, &def.shape, &error) != CAROM_OK ||
        carom_model_add_body(model, &def, &out, &error) != CAROM_OK)
        CHECK_TEXT(error.text, "");
    return out;
}

static double lowest(const carom_state *state, carom_flex flex, int count) {
    carom_vec3 x[200];
    double least = INFINITY;
    CHECK_INT(carom_state_get_nodes(state, flex, x, NULL, NULL), CAROM_OK);
    for (int n = 0; n < count; n++) least = fmin(least, x[n].z);
    return least;
}

// Mean vertical velocity of its nodes.
static double rising(const carom_state *state, carom_flex flex, int count) {
    carom_vec3 v[200];
    double sum = 0.0;
    CHECK_INT(carom_state_get_nodes(state, flex, NULL, v, NULL), CAROM_OK);
    for (int n = 0; n < count; n++) sum += v[n].z / count;
    return sum;
}

// Vertical impulse of all contacts on bodies from `first` on by those before it.
static double lift(const carom_state *state, int first) {
    int count;
    const carom_contact_state *table = carom_state_contacts(state, &count);
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        double side = (table[i].b.index >= first) - (table[i].a.index >= first);
        carom_vec3 second = crm_cross(table[i].normal, table[i].tangent);
        sum += side * (table[i].normal_impulse * table[i].normal.z + table[i].tangent_impulse[0] * table[i].tangent.z +
                       table[i].tangent_impulse[1] * second.z);
    }
    return sum;
}

// ---- at rest

typedef struct rest {
    double lift, overlap, balance;
    int contacts;
} rest;

// After a second, over the last tenth.
static rest come_to_rest(carom_state *state, int first) {
    rest out = {0};
    for (int i = 0; i < 250; i++) {
        carom_step_report report = world_run(state, 1);
        out.overlap = fmax(out.overlap, report.infeasibility);
        out.balance = fmax(out.balance, report.momentum_balance);
        out.contacts = report.contacts;
        if (i >= 225) out.lift += lift(state, first) / 25;
    }
    return out;
}

// Nodes of neither are over the other one: all that holds the upper bar is edges that cross.
TEST(bars_laid_crosswise_rest_on_their_edges) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = soft(add_material(model), 1e7);
    const int cells[3] = {5, 1, 1}, nodes = 24;
    def.elastic.viscosity = 0.01;
    def.position = crm_vec3(0.0, 0.0, -0.05);
    (void)add_box(model, bar, cells, def, true);
    def.position = crm_vec3(0.0, 0.0, 0.06);
    def.attitude = (carom_quat){sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    carom_flex upper = add_box(model, bar, cells, def, false);
    carom_state *state = make_state(model, step);
    rest at = come_to_rest(state, nodes);
    CHECK_NEAR(at.lift, bar_weight * step, 1e-3 * bar_weight * step);
    CHECK(at.overlap < 1e-4);
    CHECK(at.balance <= 1e-12);
    CHECK(lowest(state, upper, nodes) > -0.01); // its ends hang
    world_destroy(state);
}

// The same as pieces of one mesh.
TEST(edges_of_a_body_touch_its_own) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_mesh *box = NULL, *mesh = NULL;
    CHECK_INT(carom_mesh_create_box(bar, (const int[]){5, 1, 1}, 1, NULL, &box, NULL), CAROM_OK);
    carom_vec3 nodes[48];
    int32_t elements[2 * 25 * 4], fixed[24];
    int count = carom_mesh_element_count(box), held = 0;
    CHECK_INT(count, 25);
    for (int n = 0; n < 24; n++) {
        carom_vec3 x = carom_mesh_nodes(box)[n];
        nodes[n] = x;
        nodes[24 + n] = crm_vec3(-x.y, x.x, x.z + 0.101);
        if (x.z < 0.0) fixed[held++] = n;
    }
    for (int i = 0; i < 4 * count; i++) {
        elements[i] = carom_mesh_elements(box)[i];
        elements[4 * count + i] = 24 + elements[i];
    }
    carom_mesh_def mesh_def = carom_mesh_def_default();
    mesh_def.node_count = 48, mesh_def.nodes = nodes;
    mesh_def.element_count = 2 * count, mesh_def.elements = elements;
    CHECK_INT(carom_mesh_create(&mesh_def, NULL, &mesh, NULL), CAROM_OK);
    carom_flex_def def = soft(add_material(model), 1e7);
    def.mesh = mesh, def.fixed = fixed, def.fixed_count = held, def.self_contact = true;
    carom_flex flex;
    CHECK_INT(carom_model_add_flex(model, &def, &flex, NULL), CAROM_OK);
    carom_state *state = make_state(model, step);
    (void)world_run(state, 100);
    CHECK_INT(carom_state_get_nodes(state, flex, nodes, NULL, NULL), CAROM_OK);
    double least = INFINITY;
    for (int n = 24; n < 48; n++) least = fmin(least, nodes[n].z);
    CHECK(least > 0.04);
    carom_mesh_destroy(mesh);
    carom_mesh_destroy(box);
    world_destroy(state);
}

// Its nodes fall past the box on both sides.
TEST(a_bar_dropped_on_a_thin_box_stays_on_it) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = soft(add_material(model), 1e7);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_body_def blade = carom_body_def_default();
    shape.box.size = crm_vec3(0.02, 1.0, 0.2);
    blade.kind = CAROM_BODY_FIXED;
    blade.material = def.material;
    blade.position = crm_vec3(0.0, 0.0, -0.1);
    (void)add_rigid(model, &shape, blade);
    def.elastic.viscosity = 0.01;
    def.position = crm_vec3(0.0, 0.0, 0.07);
    carom_flex flex = add_box(model, bar, (const int[]){5, 2, 2}, def, false);
    carom_state *state = make_state(model, step);
    rest at = come_to_rest(state, 1);
    CHECK_NEAR(at.lift, bar_weight * step, 1e-3 * bar_weight * step);
    CHECK(at.overlap < 1e-4);
    CHECK(at.balance <= 1e-12);
    CHECK(lowest(state, flex, 54) > -0.01);
    world_destroy(state);
}

// Nodes of both hold each other over the whole face: edges have nothing to add.
TEST(faces_that_meet_have_contacts_of_nodes_alone) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = soft(add_material(model), 1e7);
    def.position = crm_vec3(0.0, 0.0, -0.05);
    (void)add_box(model, crm_vec3(1.2, 0.5, 0.1), (const int[]){12, 6, 2}, def, true);
    def.position = crm_vec3(-0.35, 0.013, 0.1);
    (void)add_box(model, crm_vec3(0.2, 0.2, 0.2), (const int[]){4, 4, 4}, def, false);
    carom_state *state = make_state(model, step);
    CHECK_INT(world_run(state, 50).contacts, 25 + 6);
    world_destroy(state);
}

// ---- in flight

// Two bars, each on edge, hit each other crosswise with their ridges.
TEST(ridges_that_cross_exchange_momenta) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = soft(add_material(model), 1e6);
    const int cells[3] = {4, 1, 1};
    const double half = 0.39269908169872414; // of 45 degrees
    def.attitude = (carom_quat){cos(half), sin(half), 0.0, 0.0};
    def.position = crm_vec3(0.03, 0.0, -0.08);
    def.velocity = crm_vec3(0.2, 0.1, 1.0);
    carom_flex lower = add_box(model, crm_vec3(0.4, 0.1, 0.1), cells, def, false);
    def.attitude = crm_quat_mul((carom_quat){cos(0.6), 0.0, 0.0, sin(0.6)}, def.attitude);
    def.position = crm_vec3(0.0, 0.02, 0.08);
    def.velocity = crm_vec3(-0.1, 0.0, -1.0);
    def.spin = crm_vec3(0.0, 0.0, 1.0);
    carom_flex upper = add_box(model, crm_vec3(0.4, 0.1, 0.1), cells, def, false);
    carom_state *state = make_state(model, 1e-3);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state), overlap = 0.0;
    int touching = 0;
    for (int i = 0; i < 150; i++) {
        carom_step_report report = world_run(state, 1);
        touching += report.contacts > 0;
        overlap = fmax(overlap, report.infeasibility);
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK(touching > 5);
    CHECK(overlap < 1e-2);
    CHECK_NEAR(crm_distance(before.linear, after.linear), 0.0, 1e-12);
    CHECK_NEAR(crm_distance(before.angular, after.angular), 0.0, 1e-12);
    CHECK(world_energy(state) < energy);
    CHECK(rising(state, upper, 20) > rising(state, lower, 20)); // they came back
    world_destroy(state);
}

// ---- compounds

// Two boxes, of which the second one hides in the first, or stands out of it.
static carom_body add_compound(carom_model *model, carom_material material, carom_vec3 offset, double size) {
    carom_shape_def boxes[2] = {carom_shape_def_default(CAROM_SHAPE_BOX), carom_shape_def_default(CAROM_SHAPE_BOX)};
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    boxes[0].box.size = crm_vec3(0.2, 0.2, 0.2);
    boxes[1].box.size = crm_vec3(size, size, size);
    for (int i = 0; i < 2; i++) parts[i].shape = &boxes[i];
    parts[1].pose.position = offset;
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    shape.compound.parts = parts, shape.compound.part_count = 2;
    carom_body_def def = carom_body_def_default();
    def.material = material;
    def.mass = 8.0;
    def.inertia = crm_mat3_diagonal(crm_vec3(0.05, 0.05, 0.05));
    def.position = crm_vec3(0.25, 0.22, 0.105 + fmax(0.0, 0.5 * size - offset.z - 0.1));
    return add_rigid(model, &shape, def);
}

static double height_of_compound(carom_vec3 offset, double size, int *contacts) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    carom_flex_def def = soft(add_material(model), 1e6);
    def.elastic.viscosity = 0.02;
    def.position = crm_vec3(0.0, 0.0, -0.1);
    (void)add_box(model, crm_vec3(2.0, 2.0, 0.2), (const int[]){4, 4, 2}, def, true);
    carom_body body = add_compound(model, def.material, offset, size);
    carom_state *state = make_state(model, step);
    rest at = come_to_rest(state, body.index);
    CHECK_NEAR(at.lift, 8.0 * gravity * step, 1e-3 * 8.0 * gravity * step);
    CHECK(at.balance <= 1e-12);
    CHECK(at.overlap < 1e-2);
    double height = world_body(state, body.index).position.z;
    *contacts = at.contacts;
    world_destroy(state);
    return height;
}

// Far from all nodes of the slab.
TEST(corners_of_parts_touch_where_no_part_hides_them) {
    int plain, hidden, on_feet;
    double alone = height_of_compound(crm_vec3(0.0, 0.0, 0.0), 0.05, &plain);
    double inside = height_of_compound(crm_vec3(0.06, 0.05, -0.05), 0.06, &hidden);
    double foot = height_of_compound(crm_vec3(0.0, 0.0, -0.1), 0.06, &on_feet);
    CHECK_INT(plain, hidden);
    CHECK_NEAR(alone, inside, 1e-9);
    CHECK(alone > 0.09 && alone < 0.1);
    CHECK(foot > alone + 0.02); // on the corners of the part below
}

// ---- a heap

// Soft bars and rigid slabs that fall on each other: some of them rest while others hit, far from them and on them.
TEST(a_heap_of_soft_and_rigid_bodies_keeps_its_contract) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -gravity), 0.0);
    crm_random random = {.seed = 3};
    carom_flex_def def = soft(add_material(model), 1e6);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_body_def body = carom_body_def_default();
    body.kind = CAROM_BODY_FIXED;
    body.material = def.material;
    CHECK_INT(carom_model_add_shape(model, "floor", &shape, &body.shape, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    shape = carom_shape_def_default(CAROM_SHAPE_BOX);
    shape.box.size = crm_vec3(0.3, 0.2, 0.1);
    CHECK_INT(carom_model_add_shape(model, "slab", &shape, &body.shape, NULL), CAROM_OK);
    for (int i = 0; i < 6; i++) {
        carom_quat q = crm_random_rotation(&random);
        double x = crm_random_between(&random, -0.1, 0.1), y = crm_random_between(&random, -0.1, 0.1);
        def.attitude = body.attitude = q;
        def.position = body.position = crm_vec3(x, y, 0.2 + 0.35 * i);
        body.kind = CAROM_BODY_FREE, body.density = 500.0;
        if (i % 3 < 2)
            (void)add_box(model, crm_vec3(0.3, 0.15, 0.15), (const int[]){4, 2, 2}, def, false);
        else
            CHECK_INT(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    carom_state *state = make_state(model, step);
    int iterations = 0;
    for (int i = 0; i < 300; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK(report.infeasibility < 0.05);
        CHECK(report.momentum_balance <= 1e-12);
        iterations += report.iterations;
    }
    CHECK(iterations <= 6 * 300);
    world_destroy(state);
}

TEST_MAIN(CASE(bars_laid_crosswise_rest_on_their_edges), CASE(edges_of_a_body_touch_its_own),
          CASE(a_bar_dropped_on_a_thin_box_stays_on_it), CASE(faces_that_meet_have_contacts_of_nodes_alone),
          CASE(ridges_that_cross_exchange_momenta), CASE(corners_of_parts_touch_where_no_part_hides_them),
          CASE(a_heap_of_soft_and_rigid_bodies_keeps_its_contract))
