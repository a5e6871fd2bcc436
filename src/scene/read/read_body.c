// SPDX-License-Identifier: MIT
// Bodies: pose, motion, and mass properties given or taken from the shape.
#include <math.h>
#include <string.h>

#include "math/eigen3.h"
#include "math/quat.h"
#include "math/solid.h"
#include "scene/instance.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/scene_file.h"

static const double pi = 3.14159265358979323846;

// ---- attitude

static bool read_axis_angle(const crm_json_node *node, carom_quat *out) {
    static const char *const keys[] = {"axis", "angle", "degrees"};
    bool good = crm_scene_is_object(node, "an attitude", keys, CRM_SCENE_COUNT(keys));
    carom_vec3 axis = {0.0, 0.0, 1.0};
    double angle = 0.0, degrees = 0.0;
    good &= crm_scene_require(node, "axis", "an array of 3 numbers");
    if (good && crm_scene_has(node, "angle") == crm_scene_has(node, "degrees")) {
        crm_scene_error(node, "needs either \"angle\" (rad) or \"degrees\"");
        good = false;
    }
    good &= crm_scene_read_vec3(node, "axis", CRM_SCENE_ANY, "", &axis);
    good &= crm_scene_read_number(node, "angle", CRM_SCENE_ANY, "rad", &angle);
    good &= crm_scene_read_number(node, "degrees", CRM_SCENE_ANY, "degrees", &degrees);
    if (!good) return false;
    carom_vec3 unit;
    if (crm_normalise(axis, &unit) == 0.0) {
        crm_json_node axis_node = crm_scene_member(node, "axis");
        return crm_scene_error(&axis_node, "the axis is zero; give a direction, such as [0, 0, 1]");
    }
    *out = crm_quat_from_axis_angle(unit, crm_scene_has(node, "degrees") ? degrees / 180.0 * pi : angle);
    return true;
}

bool crm_scene_read_attitude(const crm_json_node *object, const char *key, carom_quat *out) {
    crm_json_node node = crm_scene_member(object, key);
    if (node.value == NULL) return true;
    if (json_is_object(node.value)) return read_axis_angle(&node, out);
    double q[4];
    if (!json_is_array(node.value))
        return crm_scene_needs(&node, "4 numbers (w, x, y, z) or {\"axis\": [x, y, z], \"degrees\": d}");
    if (!crm_scene_numbers_of(&node, CRM_SCENE_ANY, "w, x, y, z", 4, q)) return false;
    carom_quat given = {q[0], q[1], q[2], q[3]}, unit;
    if (!crm_quat_normalise(given, &unit))
        return crm_scene_error(&node, "the quaternion is zero; give [1, 0, 0, 0] for no rotation");
    *out = given;
    return true;
}

static bool read_inertia(const crm_json_node *object, crm_scene_body *body) {
    crm_json_node node = crm_scene_member(object, "inertia");
    if (node.value == NULL) return true;
    body->inertia_given = true;
    if (body->def.kind == CAROM_BODY_POINT)
        return crm_scene_error(&node, "a point has no inertia; remove it, or choose another kind of body");
    return crm_scene_read_inertia(object, &body->def.inertia);
}

// ---- mass

// Mass from the density, centre and inertia from the shape, where they are not given themselves.
static bool fill_mass(const crm_json_node *node, const crm_scene_data *data, crm_scene_body *body, double density) {
    const crm_scene_shape *shape = body->shape >= 0 ? &data->shape[body->shape] : NULL;
    bool dense = crm_scene_has(node, "density");
    if (dense && (shape == NULL || !shape->has_mass)) {
        crm_json_node at = crm_scene_member(node, "density");
        return crm_scene_error(&at, shape == NULL ? "a density needs a \"shape\"; name one, or give \"mass\""
                                                  : "its shape has no volume; remove the density");
    }
    if (dense) body->def.mass = density * shape->unit.mass;
    if (shape == NULL || !shape->has_mass || body->def.kind == CAROM_BODY_POINT) return true;
    if (body->inertia_given && !dense) return true;
    carom_vec3 centre = crm_solid_centre(&shape->unit, shape->extent), given = body->def.centre;
    bool elsewhere = given.x != centre.x || given.y != centre.y || given.z != centre.z;
    if (!crm_scene_has(node, "centre")) {
        body->def.centre = centre;
    } else if (elsewhere && !body->inertia_given) {
        return crm_scene_error(node, "needs \"inertia\", as its centre of mass is not that of its shape");
    }
    if (body->inertia_given) return true;
    body->def.inertia = crm_solid_inertia(&shape->unit, body->def.mass);
    double trace = crm_mat3_trace(body->def.inertia);
    if (trace > 0.0 && isfinite(trace) && isfinite(body->def.mass)) return true;
    return crm_scene_error(node, "its mass or inertia is beyond the range of numbers; check size, mass and density");
}

// `shape_known`: the body has a good shape or none; with a wrong one nothing can be said about its mass.
static bool read_mass(const crm_json_node *node, const crm_scene_data *data, crm_scene_body *body, bool shape_known) {
    double density = 0.0;
    bool good = crm_scene_read_number(node, "mass", CRM_SCENE_POSITIVE, "kg", &body->def.mass);
    good &= crm_scene_read_number(node, "density", CRM_SCENE_POSITIVE, "kg/m^3", &density);
    body->mass_given = crm_scene_has(node, "mass") || crm_scene_has(node, "density");
    if (crm_scene_has(node, "mass") && crm_scene_has(node, "density")) {
        crm_scene_error(node, "gives both \"mass\" and \"density\"; remove one");
        good = false;
    }
    good &= read_inertia(node, body);
    return good && shape_known && fill_mass(node, data, body, density);
}

// ---- one body

static bool is_zero(carom_vec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

// What bodies of some kinds cannot have.
static bool check_kind(const crm_json_node *node, const crm_scene_data *data, const crm_scene_body *body) {
    const carom_body_def *def = &body->def;
    const char *key = NULL, *sentence = NULL;
    if (def->kind == CAROM_BODY_FIXED && !is_zero(def->velocity)) {
        key = "velocity", sentence = "a fixed body does not move; remove its velocity, or choose another kind";
    } else if (def->kind == CAROM_BODY_FIXED && !is_zero(def->spin)) {
        key = "spin", sentence = "a fixed body does not spin; remove its spin, or choose another kind";
    } else if (def->kind == CAROM_BODY_POINT && !is_zero(def->spin)) {
        key = "spin", sentence = "a point does not spin; remove its spin, or choose another kind";
    } else if (def->kind == CAROM_BODY_POINT && !is_zero(def->centre)) {
        key = "centre", sentence = "a point is its own centre; remove it, or choose another kind";
    } else if (def->kind == CAROM_BODY_PLANAR && def->velocity.z != 0.0) {
        key = "velocity", sentence = "a planar body moves along x and y only; make the third number 0";
    } else if (def->kind == CAROM_BODY_PLANAR && (def->spin.x != 0.0 || def->spin.y != 0.0)) {
        key = "spin", sentence = "a planar body spins about z only; make the first two numbers 0";
    } else if (def->kind == CAROM_BODY_POINT && body->shape >= 0) {
        key = "shape", sentence = "a point has no extension; remove its shape, or choose another kind";
    } else if (def->kind != CAROM_BODY_FIXED && body->shape >= 0 && !data->shape[body->shape].has_mass) {
        key = "shape", sentence = "is without mass or end; make the body \"fixed\", or choose another shape";
    }
    if (key == NULL) return true;
    crm_json_node member = crm_scene_member(node, key);
    return crm_scene_error(&member, "%s", sentence);
}

static bool read_fields(const crm_json_node *node, crm_scene_data *data, crm_scene_body *body) {
    carom_body_def *def = &body->def;
    enum { KINDS = CAROM_BODY_POINT + 1 };
    const char *words[KINDS];
    for (int i = 0; i < KINDS; i++) words[i] = carom_body_kind_name((carom_body_kind)i);
    int kind = def->kind;
    bool good = crm_scene_read_choice(node, "kind", words, KINDS, &kind);
    def->kind = (carom_body_kind)kind;
    good &= crm_scene_read_vec3(node, "centre", CRM_SCENE_ANY, "m", &def->centre);
    good &= crm_scene_read_vec3(node, "position", CRM_SCENE_ANY, "m", &def->position);
    good &= crm_scene_read_attitude(node, "attitude", &def->attitude);
    good &= crm_scene_read_vec3(node, "velocity", CRM_SCENE_ANY, "m/s", &def->velocity);
    good &= crm_scene_read_vec3(node, "spin", CRM_SCENE_ANY, "rad/s", &def->spin);
    bool shape_known = crm_scene_read_reference(node, "shape", "a shape", &data->shape_names, &body->shape);
    good &= crm_scene_read_reference(node, "material", "a material", &data->material_names, &body->material);
    if (body->shape >= 0) {
        data->shape[body->shape].used = true;
        shape_known = data->shape[body->shape].good;
    }
    if (body->material >= 0) data->material[body->material].used = true;
    good &= crm_scene_read_groups(node, &data->groups, &def->groups, &def->meets);
    good &= read_mass(node, data, body, shape_known);
    return good && check_kind(node, data, body);
}

static void read_body(const crm_json_node *node, crm_scene_data *data, int index) {
    static const char *const keys[] = {"name",    "kind",     "mass",     "density",  "centre",
                                       "inertia", "position", "attitude", "velocity", "spin",
                                       "shape",   "material", "groups",   "meets",    "repeat"};
    crm_scene_body *body = &data->body[index];
    *body = (crm_scene_body){.def = carom_body_def_default(), .shape = -1, .material = -1, .count = 1, .first = -1};
    body->good = crm_scene_is_object(node, "a body", keys, CRM_SCENE_COUNT(keys));
    body->good &= crm_scene_read_name(node, "body", index, &body->def.name);
    if (body->def.name == NULL || !json_is_object(node->value)) return;
    bool fields = read_fields(node, data, body);
    bool repeat = crm_scene_read_repeat(node, &body->repeat, &body->count);
    body->good &= fields && repeat;
}

// ---- all bodies

static void report_name(const crm_json_node *node, const char *name, int other) {
    crm_json_node at = crm_scene_member(node, "name");
    crm_scene_error(at.value != NULL ? &at : node, "the name \"%s\" is that of bodies[%d] already; choose another",
                    name, other);
}

// Enters a name; one that is there already is reported.
static void enter_name(const crm_json_node *node, crm_scene_data *data, int index) {
    const char *name = data->body[index].def.name;
    if (name == NULL) return;
    int other = crm_scene_names_find(&data->body_names, name, strlen(name));
    if (other >= 0) {
        report_name(node, name, other);
        data->body[index].good = false;
    } else if (!crm_scene_names_add(&data->body_names, &node->context->arena, name, strlen(name), index)) {
        node->context->no_memory = true;
    }
}

// "ball-3" collides with a repeated "ball" of more than three.
static void check_against_repeats(const crm_json_node *node, crm_scene_data *data, int index) {
    const crm_scene_body *body = &data->body[index];
    crm_scene_target other;
    if (body->repeat.kind != CRM_SCENE_ONCE || !crm_scene_find_repeated(data, body->def.name, &other)) return;
    report_name(node, body->def.name, other.body);
    data->body[index].good = false;
}

// Refuses what would be refused after much work: no body takes fewer bytes than this in the resolved text.
enum { LEAST_BODY_BYTES = 130 };

static bool check_total(const crm_json_node *bodies, int64_t total) {
    if (!crm_scene_within(bodies, (double)total, bodies->context->limits.bodies, "bodies", "bodies")) return false;
    if (total > CRM_SCENE_MOST_ITEMS)
        return crm_scene_error(bodies, "the repeats make %lld bodies; at most %d are allowed", (long long)total,
                               CRM_SCENE_MOST_ITEMS);
    if (total * LEAST_BODY_BYTES > CRM_SCENE_MOST_BYTES)
        return crm_scene_error(bodies, "the repeats make %lld bodies, more than %d MB when written out; use fewer",
                               (long long)total, CRM_SCENE_MOST_BYTES / (1024 * 1024));
    return true;
}

void crm_scene_read_bodies(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node bodies = crm_scene_member(root, "bodies");
    if (bodies.value == NULL || !crm_scene_is_array(&bodies, "an array of bodies")) return;
    int count = (int)json_array_size(bodies.value);
    data->body = crm_scene_take(root, count, sizeof *data->body);
    if (data->body == NULL) return;
    int64_t total = 0;
    for (int i = 0; i < count && !root->context->no_memory; i++) {
        crm_json_node node = crm_scene_item(&bodies, i);
        read_body(&node, data, i);
        data->body_count++;
        if (!root->context->no_memory) enter_name(&node, data, i);
        total += data->body[i].count;
    }
    for (int i = 0; i < data->body_count && !root->context->no_memory; i++) {
        crm_json_node node = crm_scene_item(&bodies, i);
        check_against_repeats(&node, data, i);
    }
    if (!check_total(&bodies, total))
        for (int i = 0; i < data->body_count; i++) data->body[i].good = false;
}
