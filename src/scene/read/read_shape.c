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

bool crm_scene_read_points(const crm_json_node *object, const char *key, int least, const char *wanted, int *count,
                           carom_vec3 **out) {
    crm_json_node list = crm_scene_member(object, key);
    int size = (int)json_array_size(list.value);
    if (size < least) return crm_scene_needs(&list, wanted);
    *out = crm_scene_take(object, size, sizeof **out);
    if (*out == NULL) return false;
    *count = size;
    bool good = true;
    for (int i = 0; i < size; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        double v[3] = {0};
        good &= crm_scene_numbers_of(&item, CRM_SCENE_ANY, "m", 3, v);
        (*out)[i] = (carom_vec3){v[0], v[1], v[2]};
    }
    return good;
}

// A plane with its solid side, of a shape of that kind or of a polytope.
static bool read_half_space(const crm_json_node *node, carom_half_space *out) {
    bool good = crm_scene_read_vec3(node, "normal", CRM_SCENE_ANY, "", &out->normal);
    return crm_scene_read_number(node, "offset", CRM_SCENE_ANY, "m", &out->offset) && good;
}

static bool read_half_spaces(const crm_json_node *node, carom_polytope_def *def) {
    static const char *const keys[] = {"normal", "offset"};
    crm_json_node list = crm_scene_member(node, "half_spaces");
    int count = (int)json_array_size(list.value);
    if (count < 4) return crm_scene_needs(&list, "an array of at least 4 half-spaces");
    carom_half_space *out = crm_scene_take(node, count, sizeof *out);
    if (out == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        bool known = crm_scene_is_object(&item, "a half-space", keys, CRM_SCENE_COUNT(keys)) &&
                     crm_scene_require(&item, "normal", wanted_for("normal"));
        good &= known && read_half_space(&item, &out[i]);
    }
    def->form = CAROM_POLYTOPE_HALF_SPACES;
    def->half_space_count = count;
    def->half_spaces = out;
    return good;
}

static bool read_polytope(const crm_json_node *node, carom_polytope_def *def) {
    int centre = def->centre;
    bool good = crm_scene_read_choice(node, "centre", crm_scene_centre_words, 2, &centre);
    def->centre = (carom_polytope_centre)centre;
    if (crm_scene_has(node, "vertices") == crm_scene_has(node, "half_spaces"))
        return crm_scene_error(node, "needs either \"vertices\" or \"half_spaces\"");
    if (crm_scene_has(node, "half_spaces")) return read_half_spaces(node, def) && good;
    carom_vec3 *points = NULL;
    good &=
        crm_scene_read_points(node, "vertices", 4, "an array of at least 4 points (m)", &def->vertex_count, &points);
    def->vertices = points;
    return good;
}

static bool read_upright(const crm_json_node *node, carom_polytope_def *def) {
    int64_t sides = def->sides;
    int centre = def->centre;
    bool good = crm_scene_read_whole(node, "sides", 3, MOST_SIDES, &sides);
    good &= crm_scene_read_number(node, "radius", CRM_SCENE_POSITIVE, "m", &def->radius);
    good &= crm_scene_read_number(node, "height", CRM_SCENE_POSITIVE, "m", &def->height);
    good &= crm_scene_read_choice(node, "centre", crm_scene_centre_words, 2, &centre);
    def->sides = (int)sides;
    def->centre = (carom_polytope_centre)centre;
    return good;
}

// ---- all kinds

static bool read_sizes(const crm_json_node *node, crm_scene_data *data, carom_shape_def *def) {
    switch (def->kind) {
    case CAROM_SHAPE_SPHERE:
        return crm_scene_read_number(node, "radius", CRM_SCENE_POSITIVE, "m", &def->sphere.radius);
    case CAROM_SHAPE_ELLIPSOID:
        return crm_scene_read_vec3(node, "half_axes", CRM_SCENE_POSITIVE, "m", &def->ellipsoid.half_axes);
    case CAROM_SHAPE_BOX:
        return crm_scene_read_vec3(node, "size", CRM_SCENE_POSITIVE, "m", &def->box.size);
    case CAROM_SHAPE_CAPSULE: {
        bool good = crm_scene_read_number(node, "radius", CRM_SCENE_POSITIVE, "m", &def->capsule.radius);
        return crm_scene_read_number(node, "length", CRM_SCENE_POSITIVE, "m", &def->capsule.length) && good;
    }
    case CAROM_SHAPE_POLYTOPE:
        if (def->polytope.form == CAROM_POLYTOPE_TETRAHEDRON)
            return crm_scene_read_number(node, "edge", CRM_SCENE_POSITIVE, "m", &def->polytope.edge);
        if (def->polytope.form == CAROM_POLYTOPE_VERTICES) return read_polytope(node, &def->polytope);
        return read_upright(node, &def->polytope);
    case CAROM_SHAPE_HALF_SPACE:
        return read_half_space(node, &def->half_space);
    case CAROM_SHAPE_CONTAINER:
        return crm_scene_read_number(node, "radius", CRM_SCENE_POSITIVE, "m", &def->container.radius);
    default:
        return crm_scene_read_parts(node, data, &def->compound);
    }
}

// Makes the shape once, to see whether it can be made and what it weighs.
static bool try_shape(const crm_json_node *node, crm_scene_shape *shape) {
    carom_shape *made = NULL;
    carom_error error;
    carom_status status = carom_shape_create(&shape->def, &node->context->allocator, &made, &error);
    if (status == CAROM_ERR_NO_MEMORY) {
        node->context->no_memory = true;
        return false;
    }
    if (status != CAROM_OK) return crm_scene_shape_refused(node, error.text);
    shape->has_mass = carom_shape_get_mass(made, 1.0, &shape->unit, NULL) == CAROM_OK;
    shape->extent = crm_length(carom_shape_centre(made));
    if (shape->has_mass) shape->extent += carom_shape_bounding_radius(made);
    if (shape->def.kind == CAROM_SHAPE_CONTAINER) shape->extent = shape->def.container.radius;
    carom_shape_destroy(made);
    return true;
}

// The kind, and all of its members present and known.
static bool read_kind(const crm_json_node *node, const shape_word **out) {
    const char *words[WORD_COUNT], *keys[MOST_KEYS + 1] = {"kind"};
    for (int i = 0; i < WORD_COUNT; i++) words[i] = shape_words[i].word;
    int choice = -1, key_count = 1;
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a shape");
    if (!crm_scene_require(node, "kind", "such as sphere, ellipsoid, box, capsule, polytope, half_space") ||
        !crm_scene_read_choice(node, "kind", words, WORD_COUNT, &choice))
        return false;
    const shape_word *word = *out = &shape_words[choice];
    for (int i = 0; i < MOST_KEYS && word->keys[i] != NULL; i++) keys[key_count++] = word->keys[i];
    char what[32];
    snprintf(what, sizeof what, "%s %s", word->kind == CAROM_SHAPE_ELLIPSOID ? "an" : "a", word->word);
    if (!crm_scene_is_object(node, what, keys, key_count)) return false; // a mistyped key is reported once
    bool whole = true;
    for (int i = 0; i < word->required; i++) whole &= crm_scene_require(node, word->keys[i], wanted_for(word->keys[i]));
    return whole;
}

void crm_scene_read_shape(const crm_json_node *node, crm_scene_data *data, crm_scene_shape *shape) {
    const shape_word *word = NULL;
    shape->good = false;
    if (!read_kind(node, &word)) return;
    shape->def = carom_shape_def_default(word->kind);
    if (word->kind == CAROM_SHAPE_POLYTOPE) shape->def.polytope.form = word->form;
    shape->good = read_sizes(node, data, &shape->def) && !node->context->no_memory && try_shape(node, shape);
}

static bool is_compound(const crm_json_node *node) {
    const char *kind = json_string_value(json_object_get(node->value, "kind"));
    return kind != NULL && strcmp(kind, "compound") == 0;
}

void crm_scene_read_shapes(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node shapes = crm_scene_member(root, "shapes");
    if (shapes.value != NULL && !json_is_object(shapes.value))
        crm_scene_needs(&shapes, "an object of shapes by their names");
    data->shape = crm_scene_take(root, (int)json_object_size(shapes.value), sizeof *data->shape);
    if (data->shape == NULL) return;
    const char *name;
    json_t *value;
    json_object_foreach(shapes.value, name, value) {
        crm_json_node node = crm_scene_member(&shapes, name);
        data->shape[data->shape_count].name = name;
        if (is_compound(&node)) data->shape[data->shape_count].def.kind = CAROM_SHAPE_COMPOUND;
        if (!crm_scene_names_add(&data->shape_names, &root->context->arena, name, strlen(name), data->shape_count++)) {
            root->context->no_memory = true;
            return;
        }
    }
    // Compounds last: their parts may be any of the others.
    for (int compounds = 0; compounds < 2; compounds++) {
        for (int i = 0; i < data->shape_count && !root->context->no_memory; i++) {
            crm_json_node node = crm_scene_member(&shapes, data->shape[i].name);
            if ((data->shape[i].def.kind == CAROM_SHAPE_COMPOUND) != (compounds == 1)) continue;
            bool named = crm_scene_name_is_good(&node, node.key);
            crm_scene_read_shape(&node, data, &data->shape[i]);
            data->shape[i].good &= named;
        }
    }
}
