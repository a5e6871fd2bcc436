// SPDX-License-Identifier: MIT
// Shapes: their sizes, and the mass properties of those that have simple ones.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/fields.h"
#include "scene/read.h"

const char *const crm_scene_shape_words[5] = {
    [CRM_SCENE_SPHERE] = "sphere",   [CRM_SCENE_ELLIPSOID] = "ellipsoid", [CRM_SCENE_BOX] = "box",
    [CRM_SCENE_CAPSULE] = "capsule", [CRM_SCENE_POLYTOPE] = "polytope",
};

// The members that each kind has, and must have.
static const char *const shape_keys[5][4] = {
    [CRM_SCENE_SPHERE] = {"kind", "radius"},     [CRM_SCENE_ELLIPSOID] = {"kind", "half_axes"},
    [CRM_SCENE_BOX] = {"kind", "size"},          [CRM_SCENE_CAPSULE] = {"kind", "radius", "length"},
    [CRM_SCENE_POLYTOPE] = {"kind", "vertices"},
};

static const char *wanted_for(const char *key) {
    if (strcmp(key, "half_axes") == 0 || strcmp(key, "size") == 0) return "an array of 3 positive numbers (m)";
    if (strcmp(key, "vertices") == 0) return "an array of at least 4 points (m)";
    return "a positive number (m)";
}

// ---- polytopes

// A polytope is flat when its points leave the plane of three of them by less than this share of its size: its volume
// would be lost in the rounding of its vertices.
static const double flat_share = 1e-9;

static bool is_flat(const carom_vec3 *vertex, int count) {
    // The farthest point from the first, then from their line, then from their plane.
    carom_vec3 along = {0}, normal = {0};
    double size = 0.0, width = 0.0, height = 0.0;
    for (int i = 1; i < count; i++) {
        carom_vec3 v = crm_sub(vertex[i], vertex[0]);
        if (crm_length(v) > size) size = crm_length(along = v);
    }
    if (!(size > 0.0)) return true;
    for (int i = 1; i < count; i++) {
        carom_vec3 n = crm_cross(along, crm_sub(vertex[i], vertex[0]));
        if (crm_length(n) / size > width) width = crm_length(normal = n) / size;
    }
    if (!(width > flat_share * size)) return true;
    normal = crm_scale(1.0 / crm_length(normal), normal);
    for (int i = 1; i < count; i++) height = fmax(height, fabs(crm_dot(normal, crm_sub(vertex[i], vertex[0]))));
    return !(height > flat_share * size);
}

bool crm_scene_read_points(crm_scene_context *context, const crm_scene_node *object, const char *key, int least,
                           const char *wanted, int *count, carom_vec3 **out) {
    crm_scene_node list = crm_scene_member(object, key);
    int size = (int)json_array_size(list.value);
    if (size < least) {
        crm_scene_needs(context, &list, wanted);
        return false;
    }
    *out = crm_scene_take(context, size, sizeof **out);
    if (*out == NULL) return false;
    *count = size;
    bool good = true;
    for (int i = 0; i < size; i++) {
        crm_scene_node item = crm_scene_item(&list, i);
        double v[3] = {0};
        good &= crm_scene_numbers_of(context, &item, CRM_SCENE_ANY, "m", 3, v);
        (*out)[i] = (carom_vec3){v[0], v[1], v[2]};
    }
    return good;
}

static bool read_vertices(crm_scene_context *context, const crm_scene_node *node, crm_scene_shape *shape) {
    if (!crm_scene_read_points(context, node, "vertices", 4, wanted_for("vertices"), &shape->vertex_count,
                               &shape->vertex))
        return false;
    if (!is_flat(shape->vertex, shape->vertex_count)) return true;
    crm_scene_node vertices = crm_scene_member(node, "vertices");
    crm_scene_error(context, &vertices, "all %d points lie in one plane; a polytope needs volume", shape->vertex_count);
    return false;
}

// ---- all kinds

static bool read_sizes(crm_scene_context *context, const crm_scene_node *node, crm_scene_shape *shape) {
    switch (shape->kind) {
    case CRM_SCENE_SPHERE:
        return crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &shape->radius);
    case CRM_SCENE_ELLIPSOID:
        return crm_scene_read_vec3(context, node, "half_axes", CRM_SCENE_POSITIVE, "m", &shape->size);
    case CRM_SCENE_BOX:
        return crm_scene_read_vec3(context, node, "size", CRM_SCENE_POSITIVE, "m", &shape->size);
    case CRM_SCENE_CAPSULE: {
        bool good = crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &shape->radius);
        return crm_scene_read_number(context, node, "length", CRM_SCENE_POSITIVE, "m", &shape->length) && good;
    }
    default:
        return read_vertices(context, node, shape);
    }
}

// At density 1. False, with a message, when sizes are so extreme that volume or inertia leave the range of numbers.
static bool find_mass(crm_scene_context *context, const crm_scene_node *node, crm_scene_shape *shape) {
    carom_error error;
    carom_status status = CAROM_OK;
    carom_vec3 r = {shape->radius, shape->radius, shape->radius};
    if (shape->kind == CRM_SCENE_SPHERE) status = carom_mass_of_ellipsoid(r, 1.0, &shape->unit, &error);
    if (shape->kind == CRM_SCENE_ELLIPSOID) status = carom_mass_of_ellipsoid(shape->size, 1.0, &shape->unit, &error);
    if (shape->kind == CRM_SCENE_BOX) status = carom_mass_of_box(shape->size, 1.0, &shape->unit, &error);
    if (shape->kind == CRM_SCENE_CAPSULE)
        status = carom_mass_of_capsule(shape->radius, shape->length, 1.0, &shape->unit, &error);
    if (status != CAROM_OK) {
        crm_scene_error(context, node, "%s", error.text);
        return false;
    }
    shape->has_mass = shape->kind != CRM_SCENE_POLYTOPE;
    carom_mat3 i = shape->unit.inertia;
    double least = fmin(i.x.x, fmin(i.y.y, i.z.z)), largest = fmax(i.x.x, fmax(i.y.y, i.z.z));
    if (!shape->has_mass ||
        (shape->unit.volume > 0.0 && least > 0.0 && isfinite(largest) && isfinite(shape->unit.volume)))
        return true;
    crm_scene_error(context, node,
                    "its volume or inertia is beyond the range of numbers; give sizes between 1e-50 and 1e50 m");
    return false;
}

void crm_scene_read_shape(crm_scene_context *context, const crm_scene_node *node, crm_scene_shape *shape) {
    shape->name = node->key;
    shape->good = crm_scene_name_is_good(context, node, node->key);
    int kind = -1;
    bool known = json_is_object(node->value);
    if (!known) crm_scene_needs(context, node, "an object for a shape");
    if (known) known = crm_scene_require(context, node, "kind", "one of sphere, ellipsoid, box, capsule, polytope");
    if (known) known = crm_scene_read_choice(context, node, "kind", crm_scene_shape_words, 5, &kind);
    if (!known) {
        shape->good = false;
        return;
    }
    shape->kind = (crm_scene_shape_kind)kind;
    int key_count = 0;
    while (key_count < 4 && shape_keys[kind][key_count] != NULL) key_count++;
    char what[32];
    snprintf(what, sizeof what, "%s %s", kind == CRM_SCENE_ELLIPSOID ? "an" : "a", crm_scene_shape_words[kind]);
    bool good = crm_scene_is_object(context, node, what, shape_keys[kind], key_count);
    bool whole = true;
    for (int i = 1; i < key_count && good; i++) // a mistyped key is reported once
        whole &= crm_scene_require(context, node, shape_keys[kind][i], wanted_for(shape_keys[kind][i]));
    good = good && whole && read_sizes(context, node, shape) && find_mass(context, node, shape);
    shape->good &= good;
}

void crm_scene_read_shapes(crm_scene_context *context, const crm_scene_node *root, crm_scene_data *data) {
    crm_scene_node shapes = crm_scene_member(root, "shapes");
    if (shapes.value != NULL && !json_is_object(shapes.value))
        crm_scene_needs(context, &shapes, "an object of shapes by their names");
    data->shape = crm_scene_take(context, (int)json_object_size(shapes.value), sizeof *data->shape);
    if (data->shape == NULL) return;
    const char *name;
    json_t *value;
    json_object_foreach(shapes.value, name, value) {
        crm_scene_node node = crm_scene_member(&shapes, name);
        int index = data->shape_count++;
        crm_scene_read_shape(context, &node, &data->shape[index]);
        if (context->no_memory) return;
        if (crm_scene_names_add(&data->shape_names, &context->arena, name, strlen(name), index)) continue;
        context->no_memory = true;
        return;
    }
}
