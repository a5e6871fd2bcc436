// SPDX-License-Identifier: MIT
// Shapes: the definitions that scenes and pairs are made of. What a definition must be, the library of shapes says.
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/shape_words.h"

enum { MOST_KEYS = 6 };

// The hull of a polygon takes time with the square of its sides: a tenth of a second at this many, and half an hour at
// the 100,000 that the library of shapes allows.
enum { MOST_SIDES = 1000 };

// What a file calls a kind, and the members that it has: the first `required` of them must be there.
typedef struct shape_word {
    const char *word;
    carom_shape_kind kind;
    carom_polytope_form form;
    int required;
    const char *keys[MOST_KEYS];
} shape_word;

static const shape_word shape_words[] = {
    {"sphere", CAROM_SHAPE_SPHERE, 0, 1, {"radius"}},
    {"ellipsoid", CAROM_SHAPE_ELLIPSOID, 0, 1, {"half_axes"}},
    {"box", CAROM_SHAPE_BOX, 0, 1, {"size"}},
    {"capsule", CAROM_SHAPE_CAPSULE, 0, 2, {"radius", "length"}},
    {"polytope", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_VERTICES, 0, {"vertices", "half_spaces", "centre"}},
    {"tetrahedron", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_TETRAHEDRON, 1, {"edge"}},
    {"pyramid", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_PYRAMID, 3, {"sides", "radius", "height", "centre"}},
    {"prism", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_PRISM, 3, {"sides", "radius", "height"}},
    {"half_space", CAROM_SHAPE_HALF_SPACE, 0, 1, {"normal", "offset"}},
    {"container", CAROM_SHAPE_CONTAINER, 0, 1, {"radius"}},
    {"compound", CAROM_SHAPE_COMPOUND, 0, 1, {"parts"}},
};
enum { WORD_COUNT = sizeof shape_words / sizeof shape_words[0] };

const char *const crm_scene_centre_words[2] = {
    [CAROM_CENTRE_VERTEX_MEAN] = "vertex_mean",
    [CAROM_CENTRE_OF_MASS] = "mass",
};

const char *crm_scene_shape_word(const carom_shape_def *def) {
    for (int i = 0; i < WORD_COUNT; i++) {
        bool named = shape_words[i].kind == CAROM_SHAPE_POLYTOPE && shape_words[i].form != CAROM_POLYTOPE_VERTICES;
        if (shape_words[i].kind == def->kind && (!named || shape_words[i].form == def->polytope.form) &&
            (named || def->kind != CAROM_SHAPE_POLYTOPE || def->polytope.form <= CAROM_POLYTOPE_HALF_SPACES))
            return shape_words[i].word;
    }
    return "?";
}

static const char *wanted_for(const char *key) {
    if (strcmp(key, "half_axes") == 0 || strcmp(key, "size") == 0) return "an array of 3 positive numbers (m)";
    if (strcmp(key, "sides") == 0) return "a whole number from 3 to 1000";
    if (strcmp(key, "normal") == 0) return "an array of 3 numbers, towards the free side";
    if (strcmp(key, "parts") == 0) return "an array of at least 1 part, such as {\"shape\": \"ball\"}";
    return "a positive number (m)";
}

// ---- polytopes

bool crm_scene_read_points(crm_scene_context *context, const crm_json_node *object, const char *key, int least,
                           const char *wanted, int *count, carom_vec3 **out) {
    crm_json_node list = crm_scene_member(object, key);
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
        crm_json_node item = crm_scene_item(&list, i);
        double v[3] = {0};
        good &= crm_scene_numbers_of(context, &item, CRM_SCENE_ANY, "m", 3, v);
        (*out)[i] = (carom_vec3){v[0], v[1], v[2]};
    }
    return good;
}

// A plane with its solid side, of a shape of that kind or of a polytope.
static bool read_half_space(crm_scene_context *context, const crm_json_node *node, carom_half_space *out) {
    bool good = crm_scene_read_vec3(context, node, "normal", CRM_SCENE_ANY, "", &out->normal);
    return crm_scene_read_number(context, node, "offset", CRM_SCENE_ANY, "m", &out->offset) && good;
}

static bool read_half_spaces(crm_scene_context *context, const crm_json_node *node, carom_polytope_def *def) {
    static const char *const keys[] = {"normal", "offset"};
    crm_json_node list = crm_scene_member(node, "half_spaces");
    int count = (int)json_array_size(list.value);
    if (count < 4) {
        crm_scene_needs(context, &list, "an array of at least 4 half-spaces");
        return false;
    }
    carom_half_space *out = crm_scene_take(context, count, sizeof *out);
    if (out == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        bool known = crm_scene_is_object(context, &item, "a half-space", keys, CRM_SCENE_COUNT(keys)) &&
                     crm_scene_require(context, &item, "normal", wanted_for("normal"));
        good &= known && read_half_space(context, &item, &out[i]);
    }
    def->form = CAROM_POLYTOPE_HALF_SPACES;
    def->half_space_count = count;
    def->half_spaces = out;
    return good;
}

static bool read_polytope(crm_scene_context *context, const crm_json_node *node, carom_polytope_def *def) {
    int centre = def->centre;
    bool good = crm_scene_read_choice(context, node, "centre", crm_scene_centre_words, 2, &centre);
    def->centre = (carom_polytope_centre)centre;
    if (crm_scene_has(node, "vertices") == crm_scene_has(node, "half_spaces")) {
        crm_scene_error(context, node, "needs either \"vertices\" or \"half_spaces\"");
        return false;
    }
    if (crm_scene_has(node, "half_spaces")) return read_half_spaces(context, node, def) && good;
    carom_vec3 *points = NULL;
    good &= crm_scene_read_points(context, node, "vertices", 4, "an array of at least 4 points (m)", &def->vertex_count,
                                  &points);
    def->vertices = points;
    return good;
}

static bool read_upright(crm_scene_context *context, const crm_json_node *node, carom_polytope_def *def) {
    int64_t sides = def->sides;
    int centre = def->centre;
    bool good = crm_scene_read_whole(context, node, "sides", 3, MOST_SIDES, &sides);
    good &= crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &def->radius);
    good &= crm_scene_read_number(context, node, "height", CRM_SCENE_POSITIVE, "m", &def->height);
    good &= crm_scene_read_choice(context, node, "centre", crm_scene_centre_words, 2, &centre);
    def->sides = (int)sides;
    def->centre = (carom_polytope_centre)centre;
    return good;
}

// ---- all kinds

static bool read_sizes(crm_scene_context *context, const crm_json_node *node, crm_scene_data *data,
                       carom_shape_def *def) {
    switch (def->kind) {
    case CAROM_SHAPE_SPHERE:
        return crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &def->sphere.radius);
    case CAROM_SHAPE_ELLIPSOID:
        return crm_scene_read_vec3(context, node, "half_axes", CRM_SCENE_POSITIVE, "m", &def->ellipsoid.half_axes);
    case CAROM_SHAPE_BOX:
        return crm_scene_read_vec3(context, node, "size", CRM_SCENE_POSITIVE, "m", &def->box.size);
    case CAROM_SHAPE_CAPSULE: {
        bool good = crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &def->capsule.radius);
        return crm_scene_read_number(context, node, "length", CRM_SCENE_POSITIVE, "m", &def->capsule.length) && good;
    }
    case CAROM_SHAPE_POLYTOPE:
        if (def->polytope.form == CAROM_POLYTOPE_TETRAHEDRON)
            return crm_scene_read_number(context, node, "edge", CRM_SCENE_POSITIVE, "m", &def->polytope.edge);
        if (def->polytope.form == CAROM_POLYTOPE_VERTICES) return read_polytope(context, node, &def->polytope);
        return read_upright(context, node, &def->polytope);
    case CAROM_SHAPE_HALF_SPACE:
        return read_half_space(context, node, &def->half_space);
    case CAROM_SHAPE_CONTAINER:
        return crm_scene_read_number(context, node, "radius", CRM_SCENE_POSITIVE, "m", &def->container.radius);
    default:
        return crm_scene_read_parts(context, node, data, &def->compound);
    }
}

// Makes the shape once, to see whether it can be made and what it weighs.
static bool try_shape(crm_scene_context *context, const crm_json_node *node, crm_scene_shape *shape) {
    carom_shape *made = NULL;
    carom_error error;
    carom_status status = carom_shape_create(&shape->def, &context->allocator, &made, &error);
    if (status == CAROM_ERR_NO_MEMORY) {
        context->no_memory = true;
        return false;
    }
    if (status != CAROM_OK) {
        crm_scene_shape_refused(context, node, error.text);
        return false;
    }
    shape->has_mass = carom_shape_get_mass(made, 1.0, &shape->unit, NULL) == CAROM_OK;
    shape->extent = crm_length(carom_shape_centre(made));
    if (shape->has_mass) shape->extent += carom_shape_bounding_radius(made);
    if (shape->def.kind == CAROM_SHAPE_CONTAINER) shape->extent = shape->def.container.radius;
    carom_shape_destroy(made);
    return true;
}

// The kind, and all of its members present and known.
static bool read_kind(crm_scene_context *context, const crm_json_node *node, const shape_word **out) {
    const char *words[WORD_COUNT], *keys[MOST_KEYS + 1] = {"kind"};
    for (int i = 0; i < WORD_COUNT; i++) words[i] = shape_words[i].word;
    int choice = -1, key_count = 1;
    if (!json_is_object(node->value)) {
        crm_scene_needs(context, node, "an object for a shape");
        return false;
    }
    if (!crm_scene_require(context, node, "kind", "such as sphere, ellipsoid, box, capsule, polytope, half_space") ||
        !crm_scene_read_choice(context, node, "kind", words, WORD_COUNT, &choice))
        return false;
    const shape_word *word = *out = &shape_words[choice];
    for (int i = 0; i < MOST_KEYS && word->keys[i] != NULL; i++) keys[key_count++] = word->keys[i];
    char what[32];
    snprintf(what, sizeof what, "%s %s", word->kind == CAROM_SHAPE_ELLIPSOID ? "an" : "a", word->word);
    if (!crm_scene_is_object(context, node, what, keys, key_count)) return false; // a mistyped key is reported once
    bool whole = true;
    for (int i = 0; i < word->required; i++)
        whole &= crm_scene_require(context, node, word->keys[i], wanted_for(word->keys[i]));
    return whole;
}

void crm_scene_read_shape(crm_scene_context *context, const crm_json_node *node, crm_scene_data *data,
                          crm_scene_shape *shape) {
    const shape_word *word = NULL;
    shape->good = false;
    if (!read_kind(context, node, &word)) return;
    shape->def = carom_shape_def_default(word->kind);
    if (word->kind == CAROM_SHAPE_POLYTOPE) shape->def.polytope.form = word->form;
    shape->good =
        read_sizes(context, node, data, &shape->def) && !context->no_memory && try_shape(context, node, shape);
}

static bool is_compound(const crm_json_node *node) {
    const char *kind = json_string_value(json_object_get(node->value, "kind"));
    return kind != NULL && strcmp(kind, "compound") == 0;
}

void crm_scene_read_shapes(crm_scene_context *context, const crm_json_node *root, crm_scene_data *data) {
    crm_json_node shapes = crm_scene_member(root, "shapes");
    if (shapes.value != NULL && !json_is_object(shapes.value))
        crm_scene_needs(context, &shapes, "an object of shapes by their names");
    data->shape = crm_scene_take(context, (int)json_object_size(shapes.value), sizeof *data->shape);
    if (data->shape == NULL) return;
    const char *name;
    json_t *value;
    json_object_foreach(shapes.value, name, value) {
        crm_json_node node = crm_scene_member(&shapes, name);
        data->shape[data->shape_count].name = name;
        if (is_compound(&node)) data->shape[data->shape_count].def.kind = CAROM_SHAPE_COMPOUND;
        if (!crm_scene_names_add(&data->shape_names, &context->arena, name, strlen(name), data->shape_count++)) {
            context->no_memory = true;
            return;
        }
    }
    // Compounds last: their parts may be any of the others.
    for (int compounds = 0; compounds < 2; compounds++) {
        for (int i = 0; i < data->shape_count && !context->no_memory; i++) {
            crm_json_node node = crm_scene_member(&shapes, data->shape[i].name);
            if ((data->shape[i].def.kind == CAROM_SHAPE_COMPOUND) != (compounds == 1)) continue;
            bool named = crm_scene_name_is_good(context, &node, node.key);
            crm_scene_read_shape(context, &node, data, &data->shape[i]);
            data->shape[i].good &= named;
        }
    }
}
