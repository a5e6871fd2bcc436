// SPDX-License-Identifier: MIT
// Rows of planes and of planned contacts against differences, and plans that go past and through contact.
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "carom/shape.h"
#include "math/quat.h"
#include "support/control/derivatives.h"
#include "support/control/drafted.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static bool must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) fprintf(stderr, "%s\n", error->text);
    return CHECK(status == CAROM_OK);
}

static carom_model_shape shape(carom_model *model, const carom_shape_def *def) {
    carom_model_shape out = {-1};
    carom_error error = {.text = ""};
    must(carom_model_add_shape(model, NULL, def, &out, &error), &error);
    return out;
}

static carom_model_shape box(carom_model *model, double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(x, y, z);
    return shape(model, &def);
}

static carom_model_shape round_shape(carom_model *model, carom_shape_kind kind) {
    carom_shape_def def = carom_shape_def_default(kind);
    if (kind == CAROM_SHAPE_SPHERE) def.sphere.radius = 0.2;
    if (kind == CAROM_SHAPE_CAPSULE) def.capsule.radius = 0.1, def.capsule.length = 0.4;
    return shape(model, &def);
}

static carom_body put(carom_model *model, carom_body_kind kind, carom_model_shape shape, carom_vec3 position) {
    carom_body_def def = carom_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.position = position;
    if (kind != CAROM_BODY_FIXED) def.density = 500.0;
    return world_add(model, &def);
}

static carom_body floor_of(carom_model *model) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.normal = crm_vec3(0.0, 0.0, 1.0);
    return put(model, CAROM_BODY_FIXED, shape(model, &def), crm_vec3_zero());
}

static void freeze(carom_model *model) {
    carom_error error = {.text = ""};
    must(carom_model_freeze(model, &error), &error);
}

static carom_plan *solved(const carom_model *model, const carom_plan_def *def) {
    carom_error error = {.text = ""};
    carom_plan *plan = NULL;
    bool done = false;
    if (!must(carom_plan_create(model, def, NULL, &plan, &error), &error)) return NULL;
    while (!done)
        if (!must(carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error), &error)) break;
    if (carom_plan_reason(plan)[0] != '\0') fprintf(stderr, "%s\n", carom_plan_reason(plan));
    return plan;
}

// ---- derivatives

TEST(derivatives_of_planes_and_contacts_agree_with_differences) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -1.0), 0.0);
    carom_body ground = floor_of(model);
    carom_body a = put(model, CAROM_BODY_FREE, box(model, 0.3, 0.2, 0.4), crm_vec3(0.0, 0.0, 1.0));
    carom_body b = put(model, CAROM_BODY_FREE, box(model, 0.2, 0.5, 0.3), crm_vec3(1.0, 0.0, 1.0));
    carom_body ball = put(model, CAROM_BODY_FREE, round_shape(model, CAROM_SHAPE_SPHERE), crm_vec3(2.0, 0.0, 1.0));
    carom_body other = put(model, CAROM_BODY_FREE, round_shape(model, CAROM_SHAPE_SPHERE), crm_vec3(2.0, 1.0, 1.0));
    carom_body pill = put(model, CAROM_BODY_FREE, round_shape(model, CAROM_SHAPE_CAPSULE), crm_vec3(0.0, 1.0, 1.0));
    carom_body block = put(model, CAROM_BODY_FIXED, box(model, 0.5, 0.5, 0.5), crm_vec3(-2.0, 0.0, 1.0));
    freeze(model);
    carom_plan_contact contact[7];
    for (int i = 0; i < 7; i++) contact[i] = carom_plan_contact_default();
    contact[0].node = 1, contact[0].a = a, contact[0].b = ground, contact[0].restitution = 0.4,
    contact[0].friction = 0.3;
    contact[1].node = 1, contact[1].a = a, contact[1].b = b, contact[1].restitution = 0.7;
    contact[2].node = 2, contact[2].a = ball, contact[2].b = other, contact[2].restitution = 1.0;
    contact[3].node = 2, contact[3].a = ground, contact[3].b = ball, contact[3].friction = 0.2;
    contact[4].node = 3, contact[4].a = pill, contact[4].b = block;
    contact[5].node = 3, contact[5].a = b, contact[5].b = ground, contact[5].sticky = true;
    contact[6].node = 5, contact[6].a = a, contact[6].b = pill;
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 5, def.time = 1.0;
    def.avoid.on = true, def.avoid.margin = 0.01;
    def.contact = contact, def.contact_count = 7;
    for (int nodes_only = 0; nodes_only < 2; nodes_only++) {
        def.avoid.between_nodes = nodes_only == 0;
        drafted d;
        drafted_make(&d, model, &def, (crm_arc_ends){0}, false);
        if (CHECK(d.program.unknown_count > 0)) {
            crm_random random = {.seed = 12, .stream = 1};
            drafted_guess(&d);
            for (int i = 0; i < d.program.unknown_count; i++) d.z[i] += crm_random_between(&random, -0.2, 0.2);
            check_program_derivatives(&d.program, d.z, 1e-7);
            for (int kind = CRM_ROW_PLANE; kind <= CRM_ROW_STICK; kind++) {
                bool there = false, between = kind == CRM_ROW_BULGE;
                for (int r = 0; r < d.program.row_count; r++) there = there || d.draft.names.items[r].kind == kind;
                if (!CHECK(there == (!between || def.avoid.between_nodes))) fprintf(stderr, "rows of kind %d\n", kind);
            }
        }
        drafted_free(&d);
    }
    carom_model_destroy(model);
}

// ---- past each other

// Two long boxes change places and rotate on the way, which they cannot do on the straight one.
TEST(two_boxes_pass_each_other) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body body[2];
    carom_control_def control[2];
    carom_plan_condition end[2];
    for (int i = 0; i < 2; i++) {
        body[i] = put(model, CAROM_BODY_FREE, box(model, 0.4, 0.1, 0.1), crm_vec3(i == 0 ? -0.5 : 0.5, 0.0, 0.0));
        control[i] = carom_control_def_default();
        control[i].body = body[i];
        end[i] = carom_plan_condition_default();
        end[i].body = body[i];
        end[i].has_position = end[i].has_attitude = end[i].has_velocity = end[i].has_spin = true;
        end[i].position = crm_vec3(i == 0 ? 0.5 : -0.5, 0.0, 0.0);
        end[i].attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 1.5);
    }
    freeze(model);
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 12, def.time = 1.0;
    def.control = control, def.control_count = 2;
    def.condition = end, def.condition_count = 2;
    def.avoid.on = true, def.avoid.margin = 0.01;
    carom_plan *plan = solved(model, &def);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK(c.kept);
    CHECK(c.gap_between >= 0.01 - 1e-9 && c.gap_between < 0.011);
    CHECK(c.gap_at_nodes >= c.gap_between - 1e-12);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// Small ones change places in few intervals: at the nodes only, they go through each other between them.
TEST(planes_at_nodes_let_bodies_pass_through) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body body[2];
    carom_control_def control[2];
    carom_plan_condition end[2];
    for (int i = 0; i < 2; i++) {
        body[i] = put(model, CAROM_BODY_FREE, round_shape(model, CAROM_SHAPE_SPHERE),
                      crm_vec3(i == 0 ? -1.5 : 1.5, 0.0, 0.0));
        control[i] = carom_control_def_default();
        control[i].body = body[i];
        end[i] = carom_plan_condition_default();
        end[i].body = body[i];
        end[i].has_position = end[i].has_velocity = true;
        end[i].position = crm_vec3(i == 0 ? 1.5 : -1.5, 0.0, 0.0);
    }
    freeze(model);
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 5, def.time = 1.0;
    def.control = control, def.control_count = 2;
    def.condition = end, def.condition_count = 2;
    def.avoid.on = true, def.avoid.margin = 0.01;
    double effort[2];
    for (int nodes_only = 0; nodes_only < 2; nodes_only++) {
        def.avoid.between_nodes = nodes_only == 0;
        carom_plan *plan = solved(model, &def);
        carom_plan_certificate c = carom_plan_get_certificate(plan);
        CHECK(c.kept == (nodes_only == 0));
        CHECK(c.gap_at_nodes >= 0.01 - 1e-9);
        CHECK(nodes_only ? c.gap_between < -0.3 : c.gap_between >= 0.01 - 1e-9);
        effort[nodes_only] = c.effort;
        carom_plan_destroy(plan);
    }
    CHECK(effort[1] < effort[0]);
    carom_model_destroy(model);
}

// ---- through contact

// What of a cube touches is not given: it lands flat, and comes back upright.
TEST(a_cube_bounces_off_a_wall) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body ground = floor_of(model);
    carom_body cube = put(model, CAROM_BODY_FREE, box(model, 0.1, 0.1, 0.1), crm_vec3(0.0, 0.0, 0.1));
    freeze(model);
    carom_plan_condition condition[2] = {carom_plan_condition_default(), carom_plan_condition_default()};
    for (int i = 0; i < 2; i++) {
        condition[i].body = cube;
        condition[i].has_position = condition[i].has_attitude = condition[i].has_velocity = condition[i].has_spin =
            true;
        condition[i].position = crm_vec3(0.0, 0.0, 0.1);
        condition[i].velocity = crm_vec3(0.0, 0.0, i == 0 ? -0.25 : 0.25);
    }
    condition[0].node = 0;
    condition[0].attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 1.0, 0.0), 0.3);
    carom_control_def control = carom_control_def_default();
    control.body = cube;
    carom_plan_contact contact = carom_plan_contact_default();
    contact.node = 4, contact.a = cube, contact.b = ground, contact.restitution = 1.0;
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 12, def.time = 0.6;
    def.control = &control, def.control_count = 1;
    def.condition = condition, def.condition_count = 2;
    def.contact = &contact, def.contact_count = 1;
    carom_plan *plan = solved(model, &def);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK(c.kept);
    CHECK(c.complementarity < 1e-8);
    CHECK(c.replay < 1e-10);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// One box hits another, which nothing drives, so that it ends where it shall; momentum and energy go through the
// impact.
TEST(a_box_hits_another) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body body[2];
    for (int i = 0; i < 2; i++)
        body[i] = put(model, CAROM_BODY_FREE, box(model, 0.1, 0.1, 0.1), crm_vec3(0.3 * i, 0.02 * i, 0.0));
    freeze(model);
    carom_plan_condition end[2] = {carom_plan_condition_default(), carom_plan_condition_default()};
    end[0].body = body[0], end[0].has_position = end[0].has_velocity = true;
    end[1].body = body[1], end[1].has_position = true, end[1].position = crm_vec3(0.5, 0.02, 0.0);
    carom_control_def control = carom_control_def_default();
    control.body = body[0];
    control.torque = false;
    carom_plan_contact contact = carom_plan_contact_default();
    contact.node = 6, contact.a = body[0], contact.b = body[1], contact.restitution = 1.0;
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 12, def.time = 1.0;
    def.control = &control, def.control_count = 1;
    def.condition = end, def.condition_count = 2;
    def.contact = &contact, def.contact_count = 1;
    carom_plan *plan = solved(model, &def);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK(c.kept);
    double energy[2] = {0.0, 0.0};
    carom_body_def mass;
    CHECK_INT(carom_model_get_body(model, body[0], &mass, NULL), CAROM_OK);
    for (int i = 0; i < 2; i++) {
        carom_wrench before, after;
        CHECK_INT(carom_plan_get_node(plan, 6, body[i], NULL, &before, &after), CAROM_OK);
        double j = mass.inertia.x.x; // a cube
        energy[0] += crm_length_squared(before.force) / mass.mass + crm_length_squared(before.torque) / j;
        energy[1] += crm_length_squared(after.force) / mass.mass + crm_length_squared(after.torque) / j;
    }
    CHECK_NEAR(energy[1] / energy[0], 1.0, 1e-7);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(derivatives_of_planes_and_contacts_agree_with_differences), CASE(two_boxes_pass_each_other),
          CASE(planes_at_nodes_let_bodies_pass_through), CASE(a_cube_bounces_off_a_wall), CASE(a_box_hits_another))
