// SPDX-License-Identifier: MIT
// Trees and loops of jointed models.
#include "model/mechanism/joint_graph.h"

#include "carom/carom.h"
#include "model/mechanism/joint_gaps.h"
#include "model/mechanism/joint_rank.h"
#include "support/harness/check.h"

static carom_model *empty_model(void) {
    carom_model *model = NULL;
    carom_model_def def = carom_model_def_default();
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    return model;
}

static void add_body(carom_model *model, carom_body_kind kind, double x, double y, double z) {
    carom_body_def body = carom_body_def_default();
    body.kind = kind;
    body.position = (carom_vec3){x, y, z};
    assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
}

// A joint placed at a world point; a hinge rotates about `axis`.
static void add_joint(carom_model *model, carom_joint_kind kind, int a, int b, carom_vec3 point, carom_vec3 axis) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = kind;
    def.a = (carom_body){a};
    def.b = (carom_body){b};
    carom_joint_placing placing = {.struct_size = sizeof(carom_joint_placing), .point = point, .axis = axis};
    if (kind == CAROM_JOINT_DISTANCE)
        def.length = 1.0;
    else
        assert_int_equal(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
    assert_int_equal(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
}

static const carom_vec3 z_axis = {0.0, 0.0, 1.0}, y_axis = {0.0, 1.0, 0.0};

static const crm_joint_graph *freeze(carom_model *model) {
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    const crm_joint_graph *graph = &model->graph;
    // What holds for every graph: each moving body once, parents first, coordinates numbered through.
    int moving = 0, free = 0;
    for (int b = 0; b < model->bodies.count; b++) moving += model->bodies.items[b].kind != CAROM_BODY_FIXED;
    CHECK_INT(graph->link_count, moving);
    for (int l = 0; l < graph->link_count; l++) {
        const crm_tree_link *link = &graph->link[l];
        CHECK(link->parent < l);
        CHECK_INT(graph->link_of_body[link->body], l);
        CHECK_INT(link->first, free);
        CHECK_INT(link->depth, link->parent < 0 ? 0 : graph->link[link->parent].depth + 1);
        free += link->free;
        if (link->joint < 0) continue;
        const crm_joint *joint = &model->joints.items[link->joint];
        CHECK_INT(link->reversed ? joint->a.body : joint->b.body, link->body);
        CHECK(graph->in_tree[link->joint]);
    }
    CHECK_INT(graph->free_count, free);
    return graph;
}

static int redundant_rows(const carom_model *model) {
    crm_motion motions[64];
    for (int b = 0; b < model->bodies.count; b++) motions[b] = crm_motion_initial(&model->bodies.items[b]);
    int redundant = -2;
    CHECK_INT(crm_joint_redundant_rows(model, motions, crm_joints_size(model, motions), &redundant, NULL), CAROM_OK);
    return redundant;
}

// A chain given in any order and direction is one tree from the world.
TEST(chain_is_a_tree_whichever_way_its_joints_are_given) {
    carom_model *model = empty_model();
    for (int i = 0; i < 6; i++) add_body(model, CAROM_BODY_FREE, i, 0.0, 0.0);
    static const int order[] = {4, 0, 2, 3, 1};
    for (int i = 0; i < 5; i++) {
        int k = order[i], rotation = i % 2;
        add_joint(model, CAROM_JOINT_BALL, k + rotation, k + 1 - rotation, (carom_vec3){k + 0.5, 0.0, 0.0}, z_axis);
    }
    add_joint(model, CAROM_JOINT_HINGE, 3, -1, (carom_vec3){3.0, 0.0, 1.0}, z_axis);
    const crm_joint_graph *graph = freeze(model);
    CHECK_INT(graph->link[0].body, 3);
    CHECK(graph->link[0].reversed);
    CHECK_INT(graph->free_count, 1 + 5 * 3);
    CHECK_INT(graph->closing_count, 0);
    CHECK_INT(graph->longest, 3);
    CHECK_INT(redundant_rows(model), 0);
    carom_model_destroy(model);
}

TEST(free_bodies_are_roots) {
    carom_model *model = empty_model();
    add_body(model, CAROM_BODY_FREE, 0.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_POINT, 1.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_PLANAR, 2.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_FIXED, 3.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_FREE, 4.0, 0.0, 0.0);
    add_joint(model, CAROM_JOINT_UNIVERSAL, 4, 0, (carom_vec3){2.0, 0.0, 1.0}, z_axis);
    const crm_joint_graph *graph = freeze(model);
    CHECK_INT(graph->free_count, 6 + 2 + 3 + 3);
    CHECK_INT(graph->link_of_body[3], -1);
    CHECK_INT(graph->closing_count, 0);
    carom_model_destroy(model);
}

// Four bars with hinges normal to their plane: 3 of the closing hinge's 5 rows are there already, and one coordinate is
// left. With a ball and a universal joint in two corners nothing is redundant.
static carom_model *four_bars(carom_joint_kind third, carom_joint_kind fourth) {
    carom_model *model = empty_model();
    add_body(model, CAROM_BODY_FREE, 0.0, 0.0, 0.5);
    add_body(model, CAROM_BODY_FREE, 0.6, 0.0, 1.1);
    add_body(model, CAROM_BODY_FREE, 1.3, 0.0, 0.6);
    add_joint(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, y_axis);
    add_joint(model, CAROM_JOINT_HINGE, 0, 1, (carom_vec3){0.0, 0.0, 1.0}, y_axis);
    add_joint(model, third, 1, 2, (carom_vec3){1.2, 0.0, 1.2}, y_axis);
    add_joint(model, fourth, 2, -1, (carom_vec3){1.5, 0.0, 0.0}, y_axis);
    return model;
}

TEST(redundant_rows_of_a_planar_loop_are_counted) {
    carom_model *model = four_bars(CAROM_JOINT_HINGE, CAROM_JOINT_HINGE);
    const crm_joint_graph *graph = freeze(model);
    CHECK_INT(graph->closing_count, 1);
    CHECK_INT(redundant_rows(model), 3);
    CHECK_INT(graph->free_count - (graph->closing_rows - 3), 1);
    carom_model_destroy(model);
    model = four_bars(CAROM_JOINT_BALL, CAROM_JOINT_UNIVERSAL);
    graph = freeze(model);
    CHECK_INT(redundant_rows(model), 0);
    CHECK_INT(graph->free_count - graph->closing_rows, 1);
    carom_model_destroy(model);
}

// Two separate loops, each counted by itself, and a second hinge on the same axis, which is redundant but for nothing.
TEST(separate_loops_are_counted_apart) {
    carom_model *model = four_bars(CAROM_JOINT_HINGE, CAROM_JOINT_HINGE);
    for (int i = 0; i < 2; i++) add_body(model, CAROM_BODY_FREE, 5.0 + i, 0.0, 0.0);
    add_joint(model, CAROM_JOINT_HINGE, 3, 4, (carom_vec3){5.5, 0.0, 0.0}, z_axis);
    add_joint(model, CAROM_JOINT_HINGE, 4, 3, (carom_vec3){5.5, 0.0, 0.7}, z_axis);
    freeze(model);
    CHECK_INT(redundant_rows(model), 3 + 5);
    carom_model_destroy(model);
}

// Bodies welded twice have no coordinates at all: the whole second weld is redundant.
TEST(second_weld_is_redundant) {
    carom_model *model = empty_model();
    add_body(model, CAROM_BODY_FREE, 1.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) add_joint(model, CAROM_JOINT_FIXED, -1, 0, (carom_vec3){0.0, 1.0 * i, 0.0}, z_axis);
    freeze(model);
    CHECK_INT(redundant_rows(model), 6);
    carom_model_destroy(model);
}

// Hinges about z keep planar bodies in their plane; balls do not, although they do no harm.
TEST(planar_bodies_hang_where_joints_keep_their_plane) {
    carom_model *model = empty_model();
    for (int i = 0; i < 3; i++) add_body(model, CAROM_BODY_PLANAR, i, 0.0, 0.0);
    add_joint(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){-0.5, 0.0, 0.0}, z_axis);
    add_joint(model, CAROM_JOINT_SLIDER, 1, 0, (carom_vec3){0.5, 0.0, 0.0}, y_axis);
    add_joint(model, CAROM_JOINT_BALL, 1, 2, (carom_vec3){1.5, 0.0, 0.0}, z_axis);
    const crm_joint_graph *graph = freeze(model);
    CHECK_INT(graph->free_count, 1 + 1 + 3);
    CHECK_INT(graph->closing_count, 1);
    CHECK_INT(graph->closing[0], 2);
    CHECK_INT(redundant_rows(model), 1);
    carom_model_destroy(model);
}

// A point hangs on a body, never a body on a point; rods of fixed length always close.
TEST(points_and_rods_have_their_places) {
    carom_model *model = empty_model();
    add_body(model, CAROM_BODY_POINT, 0.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_FREE, 1.0, 0.0, 0.0);
    add_body(model, CAROM_BODY_POINT, 2.0, 0.0, 0.0);
    add_joint(model, CAROM_JOINT_POINT_ON_PLANE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, z_axis);
    add_joint(model, CAROM_JOINT_BALL, 0, 1, (carom_vec3){0.0, 0.0, 0.0}, z_axis);
    add_joint(model, CAROM_JOINT_BALL, 2, 1, (carom_vec3){2.0, 0.0, 0.0}, z_axis);
    add_joint(model, CAROM_JOINT_DISTANCE, 0, 2, (carom_vec3){0.0, 0.0, 0.0}, z_axis);
    const crm_joint_graph *graph = freeze(model);
    CHECK_INT(graph->free_count, 2 + 6 + 0);
    CHECK_INT(graph->closing_count, 2);
    CHECK(graph->link[graph->link_of_body[2]].reversed);
    CHECK_INT(graph->row_count, 1 + 3 + 3 + 1);
    CHECK_INT(graph->closing_rows, 3 + 1);
    // The distance between two points of the same rod is fixed twice.
    CHECK_INT(redundant_rows(model), 1);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(chain_is_a_tree_whichever_way_its_joints_are_given), CASE(free_bodies_are_roots),
          CASE(redundant_rows_of_a_planar_loop_are_counted), CASE(separate_loops_are_counted_apart),
          CASE(second_weld_is_redundant), CASE(planar_bodies_hang_where_joints_keep_their_plane),
          CASE(points_and_rods_have_their_places))
