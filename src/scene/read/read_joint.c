// SPDX-License-Identifier: MIT
// Joints: which bodies, what they leave free, where their frames are, and what acts on their coordinates.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const char *const crm_scene_motor_words[CAROM_MOTOR_KIND_COUNT] = {
    [CAROM_MOTOR_NONE] = "none",
    [CAROM_MOTOR_FORCE] = "force",
    [CAROM_MOTOR_POSITION] = "position",
    [CAROM_MOTOR_VELOCITY] = "velocity",
};

// ---- coordinates

const crm_member crm_scene_motor_members[] = {
    CRM_NUMBER(carom_motor_def, target, CRM_SCENE_ANY, "m or rad"),
    CRM_NUMBER(carom_motor_def, target_rate, CRM_SCENE_ANY, "m/s or rad/s"),
    CRM_NUMBER(carom_motor_def, force, CRM_SCENE_ANY, "N or N m"),
    CRM_NUMBER(carom_motor_def, stiffness, CRM_SCENE_NOT_NEGATIVE, "N/m or N m/rad"),
    CRM_NUMBER(carom_motor_def, damping, CRM_SCENE_NOT_NEGATIVE, "N s/m or N m s/rad"),
    CRM_NUMBER(carom_motor_def, max_force, CRM_SCENE_NOT_NEGATIVE, "N or N m"),
    {.key = NULL},
};

const crm_member crm_scene_coordinate_members[] = {
    CRM_NUMBER(carom_coordinate_def, lower, CRM_SCENE_ANY, "m or rad"),
    CRM_NUMBER(carom_coordinate_def, upper, CRM_SCENE_ANY, "m or rad"),
    CRM_NUMBER(carom_coordinate_def, stiffness, CRM_SCENE_NOT_NEGATIVE, "N/m or N m/rad"),
    CRM_NUMBER(carom_coordinate_def, rest, CRM_SCENE_ANY, "m or rad"),
    CRM_NUMBER(carom_coordinate_def, damping, CRM_SCENE_NOT_NEGATIVE, "N s/m or N m s/rad"),
    {.key = NULL},
};

const crm_member crm_scene_latch_members[] = {
    CRM_NUMBER(carom_latch_def, distance, CRM_SCENE_NOT_NEGATIVE, "m"),
    CRM_NUMBER(carom_latch_def, angle, CRM_SCENE_NOT_NEGATIVE, "rad"),
    CRM_NUMBER(carom_latch_def, speed, CRM_SCENE_POSITIVE, "m/s"),
    {.key = NULL},
};

static bool read_motor(const crm_json_node *coordinate, carom_motor_def *motor) {
    const char *keys[CRM_MOST_MEMBERS + 1] = {"kind"};
    crm_json_node node = crm_scene_member(coordinate, "motor");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(&node, "a motor", keys, crm_scene_list_members(crm_scene_motor_members, keys, 1));
    if (!json_is_object(node.value)) return false;
    int kind = motor->kind;
    good &= crm_scene_require(&node, "kind", "one of none, force, position, velocity");
    good &= crm_scene_read_choice(&node, "kind", crm_scene_motor_words, CAROM_MOTOR_KIND_COUNT, &kind);
    motor->kind = (carom_motor_kind)kind;
    return crm_scene_read_members(&node, crm_scene_motor_members, motor) && good;
}

static bool read_coordinate(const crm_json_node *node, carom_coordinate_def *c) {
    const char *keys[CRM_MOST_MEMBERS + 1];
    int key_count = crm_scene_list_members(crm_scene_coordinate_members, keys, 0);
    keys[key_count++] = "motor";
    bool good = crm_scene_is_object(node, "a coordinate", keys, key_count);
    if (!json_is_object(node->value)) return false;
    good &= crm_scene_read_members(node, crm_scene_coordinate_members, c);
    good &= read_motor(node, &c->motor);
    if (!good || c->lower < c->upper) return good;
    crm_json_node lower = crm_scene_member(node, "lower"), upper = crm_scene_member(node, "upper");
    return crm_scene_error(lower.value != NULL ? &lower : &upper,
                           "the limits are %g and %g; make \"lower\" the smaller", c->lower, c->upper);
}

static bool read_coordinates(const crm_json_node *node, crm_scene_joint *joint) {
    crm_json_node array = crm_scene_member(node, "coordinates");
    if (array.value == NULL) return true;
    if (!crm_scene_is_array(&array, "an array of coordinates")) return false;
    const carom_joint_def *def = &joint->def;
    int most = def->kind == CAROM_JOINT_DISTANCE ? 0 : def->linear_free + def->angular_free;
    int count = (int)json_array_size(array.value);
    if (count > most) return crm_scene_error(&array, "has %d coordinates, but the joint leaves %d free", count, most);
    bool good = true;
    for (int k = 0; k < count; k++) {
        crm_json_node item = crm_scene_item(&array, k);
        good &= read_coordinate(&item, &joint->def.coordinate[k]);
    }
    return good;
}

// ---- bodies

static bool read_bodies(const crm_json_node *node, const crm_scene_data *data, crm_scene_joint *joint) {
    crm_json_node chain = crm_scene_member(node, "chain");
    joint->chain = chain.value != NULL;
    if (!joint->chain) {
        bool good = crm_scene_read_target(node, "a", true, data, &joint->a);
        good &= crm_scene_read_target(node, "b", true, data, &joint->b);
        return good && crm_scene_count_pairs(node, data, joint->a, joint->b, &joint->count);
    }
    if (crm_scene_has(node, "a") || crm_scene_has(node, "b"))
        return crm_scene_error(node, "gives \"chain\" and \"a\" or \"b\"; a chain joins the bodies of one repeat");
    if (!crm_scene_read_target(node, "chain", true, data, &joint->a)) return false;
    joint->b = joint->a;
    if (joint->a.body >= 0 && !data->body[joint->a.body].good) return true; // reported there
    joint->count = crm_scene_target_count(data, joint->a) - 1;
    if (joint->a.instance < 0 && joint->count > 0) return true;
    return crm_scene_error(&chain, "needs a repeated body of two or more, such as \"link-*\"");
}

// ---- frames

// Two ways to say the same: a world value, or one for either side.
static bool is_single(const crm_json_node *node, const char *world, bool given, const char *side) {
    if (!given || !crm_scene_has(node, world)) return true;
    return crm_scene_error(node, "gives \"%s\" and \"%s_a\" or \"%s_b\"; remove one way", world, side, side);
}

static bool read_frames(const crm_json_node *node, crm_scene_joint *joint) {
    carom_joint_def *def = &joint->def;
    carom_joint_placing *placing = &joint->placing;
    joint->point = crm_scene_has(node, "point");
    joint->point_a = crm_scene_has(node, "point_a");
    joint->point_b = crm_scene_has(node, "point_b");
    joint->attitude_a = crm_scene_has(node, "attitude_a");
    joint->attitude_b = crm_scene_has(node, "attitude_b");
    bool good = is_single(node, "point", joint->point_a || joint->point_b, "point");
    good &= is_single(node, "axis", joint->attitude_a || joint->attitude_b, "attitude");
    good &= is_single(node, "x", joint->attitude_a || joint->attitude_b, "attitude");
    good &= crm_scene_read_vec3(node, "point", CRM_SCENE_ANY, "m", &placing->point);
    good &= crm_scene_read_vec3(node, "point_a", CRM_SCENE_ANY, "m", &def->point_a);
    good &= crm_scene_read_vec3(node, "point_b", CRM_SCENE_ANY, "m", &def->point_b);
    good &= crm_scene_read_attitude(node, "attitude_a", &def->attitude_a);
    good &= crm_scene_read_attitude(node, "attitude_b", &def->attitude_b);
    bool axes = crm_scene_read_vec3(node, "axis", CRM_SCENE_ANY, "", &placing->axis);
    axes &= crm_scene_read_vec3(node, "x", CRM_SCENE_ANY, "", &placing->x);
    carom_vec3 unit;
    carom_mat3 frame;
    crm_json_node axis = crm_scene_member(node, "axis"), x = crm_scene_member(node, "x");
    if (axes && crm_normalise(placing->axis, &unit) == 0.0)
        return crm_scene_error(&axis, "the axis is zero; give a direction, such as [0, 0, 1]");
    if (axes && !crm_frame_from_axes(placing->axis, placing->x, &frame))
        return crm_scene_error(&x, "is along the axis; give a direction across it");
    return good && axes;
}

static bool read_length(const crm_json_node *node, crm_scene_joint *joint) {
    crm_json_node length = crm_scene_member(node, "length"), point = crm_scene_member(node, "point");
    joint->length = length.value != NULL;
    if (joint->def.kind == CAROM_JOINT_DISTANCE && joint->point)
        return crm_scene_error(&point, "a distance joint has two points; give \"point_a\" and \"point_b\"");
    if (joint->def.kind != CAROM_JOINT_DISTANCE && joint->length)
        return crm_scene_error(&length, "only a distance joint has a length; remove it");
    return crm_scene_read_number(node, "length", CRM_SCENE_POSITIVE, "m", &joint->def.length);
}

// ---- opening and closing

// Frames that are placed by the poses at the start meet there.
static bool latch_is_apart(const crm_json_node *node, const crm_scene_joint *joint) {
    const carom_joint_def *def = &joint->def;
    if (!def->latch.on || def->latch.sticky || def->kind == CAROM_JOINT_DISTANCE) return true;
    if (!joint->point && joint->point_a == joint->point_b) return true;
    crm_json_node given = crm_scene_member(node, joint->point ? "point" : joint->point_a ? "point_a" : "point_b");
    return crm_scene_error(&given, "a latch whose frames are placed by one point meets at the start; give \"point_a\" "
                                   "and \"point_b\", the places that are to meet");
}

static bool read_switch(const crm_json_node *node, crm_scene_joint *joint) {
    const char *keys[CRM_MOST_MEMBERS];
    carom_joint_def *def = &joint->def;
    crm_json_node latch = crm_scene_member(node, "latch");
    bool good = crm_scene_read_bool(node, "sticky", &def->latch.sticky);
    def->latch.on = latch.value != NULL || def->latch.sticky;
    if (latch.value != NULL) {
        good &= crm_scene_is_object(&latch, "a latch", keys, crm_scene_list_members(crm_scene_latch_members, keys, 0));
        if (!json_is_object(latch.value)) return false;
        good &= crm_scene_read_members(&latch, crm_scene_latch_members, &def->latch);
    }
    good &= crm_scene_read_number(node, "break_force", CRM_SCENE_POSITIVE, "N", &def->break_force);
    good &= crm_scene_read_number(node, "break_moment", CRM_SCENE_POSITIVE, "N m", &def->break_moment);
    good &= crm_scene_read_bool(node, "by_command", &def->by_command);
    return good && latch_is_apart(node, joint);
}

// ---- one joint

static bool read_freedom(const crm_json_node *node, carom_joint_def *def) {
    bool mix = def->kind == CAROM_JOINT_MIX, good = true;
    static const char *const keys[] = {"linear_free", "angular_free"};
    int *const out[] = {&def->linear_free, &def->angular_free};
    for (int i = 0; i < 2; i++) {
        crm_json_node member = crm_scene_member(node, keys[i]);
        int64_t value = *out[i];
        if (mix) {
            good &= crm_scene_require(node, keys[i], "a whole number from 0 to 3");
            good &= crm_scene_read_whole(node, keys[i], 0, 3, &value);
        } else if (member.value != NULL) {
            crm_scene_error(&member, "only the kind \"mix\" has it; remove it");
            good = false;
        }
        *out[i] = (int)value;
    }
    return good;
}

static bool read_kind(const crm_json_node *node, carom_joint_def *def) {
    const char *words[CAROM_JOINT_KIND_COUNT];
    for (int k = 0; k < CAROM_JOINT_KIND_COUNT; k++) words[k] = carom_joint_kind_name((carom_joint_kind)k);
    int kind = def->kind;
    if (!crm_scene_require(node, "kind", "such as \"hinge\", \"ball\", \"slider\", \"fixed\" or \"mix\"") ||
        !crm_scene_read_choice(node, "kind", words, CAROM_JOINT_KIND_COUNT, &kind))
        return false;
    def->kind = (carom_joint_kind)kind;
    carom_joint_kind_free(def->kind, &def->linear_free, &def->angular_free);
    return read_freedom(node, def);
}

static bool read_joint(const crm_json_node *node, const crm_scene_data *data, int index) {
    crm_scene_joint *joint = &data->joint[index];
    static const char *const keys[] = {
        "name",        "kind",    "a",          "b",           "chain",        "point",        "axis",   "x",
        "point_a",     "point_b", "attitude_a", "attitude_b",  "linear_free",  "angular_free", "length", "bodies_touch",
        "coordinates", "latch",   "sticky",     "break_force", "break_moment", "by_command"};
    *joint = (crm_scene_joint){.def = carom_joint_def_default(),
                               .a = {.body = -1},
                               .b = {.body = -1},
                               .placing = carom_joint_placing_default()};
    bool good = crm_scene_is_object(node, "a joint", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return false;
    good &= crm_scene_read_name(node, "joint", index, &joint->def.name);
    if (joint->def.name == NULL) return false;
    bool bodies = read_bodies(node, data, joint), frames = read_frames(node, joint);
    if (!read_kind(node, &joint->def)) return false;
    good &= read_length(node, joint);
    good &= crm_scene_read_bool(node, "bodies_touch", &joint->def.bodies_touch);
    good &= read_switch(node, joint);
    return read_coordinates(node, joint) && good && bodies && frames;
}

void crm_scene_read_joints(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node joints = crm_scene_member(root, "joints");
    if (joints.value == NULL || !crm_scene_is_array(&joints, "an array of joints")) return;
    int count = (int)json_array_size(joints.value);
    data->joint = crm_scene_take(root, count, sizeof *data->joint);
    if (data->joint == NULL) return;
    data->joint_count = count;
    int64_t total = 0;
    for (int i = 0; i < count && !root->context->no_memory; i++) {
        crm_json_node node = crm_scene_item(&joints, i);
        data->joint[i].good = read_joint(&node, data, i);
        if (data->joint[i].good) total += data->joint[i].count;
    }
    bool within = crm_scene_within(&joints, (double)total, root->context->limits.joints, "joints", "joints");
    if (within && total <= CRM_SCENE_MOST_ITEMS) return;
    if (within)
        crm_scene_error(&joints, "there are %lld joints on repeated bodies; at most %d are allowed", (long long)total,
                        CRM_SCENE_MOST_ITEMS);
    for (int i = 0; i < count; i++) data->joint[i].good = false;
}
