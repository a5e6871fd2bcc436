// SPDX-License-Identifier: MIT
// What joints of scenes become: frames, families, chains, coordinates, and the text they resolve to.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "scene/read/read_scene.h"
#include "scene/scene_build.h"
#include "scene/source/scene_source.h"
#include "scene/write/write_scene.h"
#include "support/harness/check.h"

// A scene read up to its model and its resolved text, whichever methods there are for it.
typedef struct built_scene {
    carom_model *model;
    char *resolved;
} built_scene;

static bool build(const crm_json_node *root, const carom_scene_source *source, void *out) {
    (void)source;
    built_scene *built = out;
    crm_scene_data data;
    crm_scene_read_all(root, &data);
    built->model = crm_scene_build(root, &data);
    crm_scene_text text;
    bool too_large;
    crm_scene_text_start(&text, &root->context->allocator);
    CHECK(crm_scene_write(&data, &text, &too_large));
    built->resolved = strdup(text.bytes.items);
    crm_scene_text_free(&text);
    return true;
}

static built_scene read_scene(const char *text) {
    built_scene built = {NULL, NULL};
    carom_scene_messages *messages = NULL;
    crm_scene_read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text}, NULL, build,
                          &built, &messages, NULL);
    for (int i = 0; i < messages->count; i++)
        if (strcmp(messages->message[i].path, "method") != 0) CHECK_TEXT(messages->message[i].text, "");
    carom_scene_messages_destroy(messages);
    return built;
}

static void drop(built_scene built) {
    carom_model_destroy(built.model);
    free(built.resolved);
}

static carom_joint_def joint_of(built_scene built, const char *name) {
    carom_joint_def def = carom_joint_def_default();
    carom_error error = {.text = ""};
    if (carom_model_get_joint(built.model, carom_model_find_joint(built.model, name), &def, &error) != CAROM_OK)
        CHECK_TEXT(error.text, name);
    return def;
}

// World place of a joint's side at the start.
static carom_vec3 world_point(built_scene built, carom_body body, carom_vec3 own) {
    carom_body_def def = carom_body_def_default();
    if (body.index >= 0) carom_model_get_body(built.model, body, &def, NULL);
    return crm_add(def.position, crm_quat_rotate(def.attitude, own));
}

static carom_quat world_attitude(built_scene built, carom_body body, carom_quat own) {
    carom_body_def def = carom_body_def_default();
    if (body.index >= 0) carom_model_get_body(built.model, body, &def, NULL);
    return crm_quat_mul(def.attitude, own);
}

static void check_closed(built_scene built, const carom_joint_def *def, carom_vec3 point) {
    CHECK_NEAR(crm_distance(world_point(built, def->a, def->point_a), point), 0.0, 1e-14);
    CHECK_NEAR(crm_distance(world_point(built, def->b, def->point_b), point), 0.0, 1e-14);
    CHECK_NEAR(
        crm_quat_angle(world_attitude(built, def->a, def->attitude_a), world_attitude(built, def->b, def->attitude_b)),
        0.0, 1e-14);
}

#define BODIES                                                                                                         \
    "{\"carom\": 1, \"bodies\": ["                                                                                     \
    "{\"name\": \"cart\", \"position\": [1, 2, 3], \"attitude\": {\"axis\": [1, 1, 0], \"degrees\": 40}},"             \
    "{\"name\": \"arm\", \"position\": [2, 2, 3], \"attitude\": [1, 2, 3, 4]},"                                        \
    "{\"name\": \"bead\", \"kind\": \"point\", \"position\": [0, 0.1, 7]},"                                            \
    "{\"name\": \"link\", \"position\": [0, 0, 1], \"repeat\": {\"lattice\": {\"count\": [4, 1, 1], \"spacing\": [1, " \
    "0, 0]}}}],"                                                                                                       \
    "\"joints\": ["

TEST(frames_are_placed_by_the_poses_at_the_start) {
    built_scene built = read_scene(
        BODIES "{\"name\": \"by-world\", \"kind\": \"hinge\", \"a\": \"cart\", \"b\": \"arm\", \"point\": [1.5, 2, 3],"
               " \"axis\": [0, 3, 4], \"x\": [1, 1, 1]},"
               "{\"name\": \"by-a\", \"kind\": \"fixed\", \"a\": \"cart\", \"b\": \"world\", \"point_a\": [0.5, 0, 0],"
               " \"attitude_a\": {\"axis\": [0, 0, 1], \"angle\": 1}},"
               "{\"name\": \"by-b\", \"kind\": \"slider\", \"a\": \"world\", \"b\": \"arm\", \"point_b\": [0, 1, 0],"
               " \"attitude_b\": [0, 1, 0, 0]},"
               "{\"name\": \"on-bead\", \"kind\": \"ball\", \"a\": \"arm\", \"b\": \"bead\", \"point\": [0, 0.1, 7]},"
               "{\"name\": \"plain\", \"kind\": \"ball\", \"a\": \"arm\", \"b\": \"world\"}]}");
    carom_joint_def def = joint_of(built, "by-world");
    check_closed(built, &def, (carom_vec3){1.5, 2.0, 3.0});
    carom_quat world = world_attitude(built, def.a, def.attitude_a);
    CHECK_NEAR(crm_distance(crm_quat_rotate(world, crm_vec3(0.0, 0.0, 1.0)), crm_vec3(0.0, 0.6, 0.8)), 0.0, 1e-14);
    CHECK_NEAR(crm_dot(crm_quat_rotate(world, crm_vec3(0.0, 1.0, 0.0)), crm_vec3(1.0, 1.0, 1.0)), 0.0, 1e-14);
    def = joint_of(built, "by-a");
    check_closed(built, &def, world_point(built, (carom_body){0}, (carom_vec3){0.5, 0.0, 0.0}));
    def = joint_of(built, "by-b");
    check_closed(built, &def, world_point(built, (carom_body){1}, (carom_vec3){0.0, 1.0, 0.0}));
    def = joint_of(built, "on-bead");
    CHECK_NEAR(crm_length(def.point_b), 0.0, 0.0);
    check_closed(built, &def, (carom_vec3){0.0, 0.1, 7.0});
    def = joint_of(built, "plain");
    CHECK_NEAR(crm_length(def.point_a) + crm_length(def.point_b), 0.0, 0.0);
    drop(built);
}

TEST(chains_and_families_are_joined_in_order) {
    built_scene built =
        read_scene(BODIES "{\"name\": \"knee\", \"kind\": \"ball\", \"chain\": \"link-*\", \"point_a\": [0.5, 0, 0]},"
                          "{\"name\": \"pin\", \"kind\": \"point_on_plane\", \"a\": \"world\", \"b\": \"link-*\","
                          " \"point_b\": [0, 0, 0]},"
                          "{\"kind\": \"distance\", \"a\": \"link-3\", \"b\": \"bead\"}]}");
    CHECK_INT(carom_model_joint_count(built.model), 3 + 4 + 1);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "knee-%d", i);
        carom_joint_def def = joint_of(built, name);
        CHECK_INT(def.a.index, 3 + i);
        CHECK_INT(def.b.index, 4 + i);
        check_closed(built, &def, (carom_vec3){i + 0.5, 0.0, 1.0});
    }
    carom_joint_def def = joint_of(built, "pin-2");
    check_closed(built, &def, (carom_vec3){2.0, 0.0, 1.0});
    def = joint_of(built, "joint-2");
    CHECK_NEAR(def.length, sqrt(9.0 + 0.01 + 36.0), 1e-14);
    drop(built);
}

TEST(coordinates_get_into_the_model) {
    built_scene built = read_scene(
        BODIES "{\"name\": \"rail\", \"kind\": \"mix\", \"linear_free\": 2, \"angular_free\": 1, \"a\": \"world\","
               " \"b\": \"cart\", \"coordinates\": [{\"upper\": 2.5}, {\"stiffness\": 3, \"rest\": 0.5, \"damping\": 4,"
               " \"lower\": -1, \"motor\": {\"kind\": \"position\", \"target\": 5, \"target_rate\": 6, \"force\": 7,"
               " \"stiffness\": 8, \"damping\": 9, \"max_force\": 10}}]}]}");
    carom_joint_def def = joint_of(built, "rail");
    CHECK_INT(def.kind, CAROM_JOINT_MIX);
    CHECK_INT(def.linear_free, 2);
    CHECK_INT(def.angular_free, 1);
    CHECK_NEAR(def.coordinate[0].upper, 2.5, 0.0);
    CHECK(def.coordinate[0].lower == -INFINITY && def.coordinate[1].upper == INFINITY);
    const carom_coordinate_def *c = &def.coordinate[1];
    CHECK_NEAR(c->stiffness, 3.0, 0.0);
    CHECK_NEAR(c->rest, 0.5, 0.0);
    CHECK_NEAR(c->damping, 4.0, 0.0);
    CHECK_NEAR(c->lower, -1.0, 0.0);
    CHECK_INT(c->motor.kind, CAROM_MOTOR_POSITION);
    const double motor[] = {c->motor.target,    c->motor.target_rate, c->motor.force,
                            c->motor.stiffness, c->motor.damping,     c->motor.max_force};
    for (int i = 0; i < 6; i++) CHECK_NEAR(motor[i], 5.0 + i, 0.0);
    CHECK(def.coordinate[2].motor.kind == CAROM_MOTOR_NONE && def.coordinate[2].motor.max_force == INFINITY);
    drop(built);
}

// Joints of every kind, placed in every way: the resolved text gives the same text and the same numbers to the bit.
TEST(resolved_joints_read_back_to_the_same_bits) {
    built_scene built = read_scene(
        BODIES "{\"kind\": \"hinge\", \"a\": \"cart\", \"b\": \"arm\", \"point\": [1.5, 2, 3], \"axis\": [1, 2, 3]},"
               "{\"kind\": \"universal\", \"chain\": \"link-*\", \"point_a\": [0.5, 0, 0],"
               " \"attitude_b\": [1, 2, 3, 4], \"coordinates\": [{\"lower\": -0.1}]},"
               "{\"kind\": \"mix\", \"linear_free\": 3, \"angular_free\": 2, \"a\": \"link-*\", \"b\": \"arm\"},"
               "{\"kind\": \"distance\", \"a\": \"arm\", \"b\": \"bead\", \"point_a\": [0.1, 0.2, 0.3]},"
               "{\"kind\": \"cylindrical\", \"a\": \"arm\", \"b\": \"world\", \"coordinates\": [{}, {\"motor\":"
               " {\"kind\": \"velocity\", \"target_rate\": 0.1}}]}]}");
    built_scene again = read_scene(built.resolved);
    CHECK_TEXT(again.resolved, built.resolved);
    CHECK_INT(carom_model_joint_count(built.model), 1 + 3 + 4 + 1 + 1);
    CHECK_INT(carom_model_joint_count(again.model), carom_model_joint_count(built.model));
    for (int j = 0; j < carom_model_joint_count(again.model); j++) {
        carom_joint_def first, second;
        CHECK_INT(carom_model_get_joint(built.model, (carom_joint){j}, &first, NULL), CAROM_OK);
        CHECK_INT(carom_model_get_joint(again.model, (carom_joint){j}, &second, NULL), CAROM_OK);
        CHECK_TEXT(second.name, first.name);
        first.name = second.name = NULL;
        CHECK_INT(second.kind, first.kind);
        CHECK(memcmp(&first.point_a, &second.point_a, 2 * sizeof first.point_a) == 0);
        CHECK(memcmp(&first.attitude_a, &second.attitude_a, 2 * sizeof first.attitude_a) == 0);
        CHECK(first.length == second.length && first.linear_free == second.linear_free);
        for (int k = 0; k < 6; k++)
            CHECK(first.coordinate[k].lower == second.coordinate[k].lower &&
                  first.coordinate[k].motor.kind == second.coordinate[k].motor.kind &&
                  first.coordinate[k].motor.target_rate == second.coordinate[k].motor.target_rate);
    }
    drop(built);
    drop(again);
}

TEST_MAIN(CASE(frames_are_placed_by_the_poses_at_the_start), CASE(chains_and_families_are_joined_in_order),
          CASE(coordinates_get_into_the_model), CASE(resolved_joints_read_back_to_the_same_bits))
