// SPDX-License-Identifier: MIT
// Shapes: the definitions that scenes and pairs are made of. What a definition must be, the library of shapes says.
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/check/scene_limits.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/shape_words.h"

enum { MOST_KEYS = 3 };

// The hull of a polygon takes time with the square of its sides: a tenth of a second at this many, and half an hour at
// the 100,000 that the library of shapes allows.
enum { MOST_SIDES = 1000 };

// What a file calls a kind, its members, and keys of what is no number: those with a sentence in wanted_for are needed.
typedef struct shape_word {
    const char *word;
    carom_shape_kind kind;
    carom_polytope_form form;
    const char *keys[MOST_KEYS + 1];
    crm_member members[MOST_KEYS];
} shape_word;

static const shape_word shape_words[] = {
    {"sphere", CAROM_SHAPE_SPHERE, 0, {0}, {CRM_LENGTH(carom_sphere_def, radius)}},
    {"ellipsoid", CAROM_SHAPE_ELLIPSOID, 0, {0}, {CRM_LENGTHS(carom_ellipsoid_def, half_axes)}},
    {"box", CAROM_SHAPE_BOX, 0, {0}, {CRM_LENGTHS(carom_box_def, size)}},
    {"capsule",
     CAROM_SHAPE_CAPSULE,
     0,
     {0},
     {CRM_LENGTH(carom_capsule_def, radius), CRM_LENGTH(carom_capsule_def, length)}},
    {"polytope", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_VERTICES, {"vertices", "half_spaces", "centre"}, {{0}}},
    {"tetrahedron", CAROM_SHAPE_POLYTOPE, CAROM_POLYTOPE_TETRAHEDRON, {0}, {CRM_LENGTH(carom_polytope_def, edge)}},
    {"pyramid",
     CAROM_SHAPE_POLYTOPE,
     CAROM_POLYTOPE_PYRAMID,
     {"sides", "centre"},
     {CRM_LENGTH(carom_polytope_def, radius), CRM_LENGTH(carom_polytope_def, height)}},
    {"prism",
     CAROM_SHAPE_POLYTOPE,
     CAROM_POLYTOPE_PRISM,
     {"sides"},
     {CRM_LENGTH(carom_polytope_def, radius), CRM_LENGTH(carom_polytope_def, height)}},
    {"half_space",
     CAROM_SHAPE_HALF_SPACE,
     0,
     {0},
     {CRM_VECTOR(carom_half_space, normal, ""), CRM_NUMBER(carom_half_space, offset, CRM_SCENE_ANY, "m")}},
    {"container", CAROM_SHAPE_CONTAINER, 0, {0}, {CRM_LENGTH(carom_container_def, radius)}},
    {"compound", CAROM_SHAPE_COMPOUND, 0, {"parts"}, {{0}}},
};
enum { WORD_COUNT = sizeof shape_words / sizeof shape_words[0] };

const char *const crm_scene_centre_words[2] = {
    [CAROM_CENTRE_VERTEX_MEAN] = "vertex_mean",
    [CAROM_CENTRE_OF_MASS] = "mass",
};

// The row of a definition; both forms of a polytope that lists something are a "polytope".
static const shape_word *word_of(const carom_shape_def *def) {
    const shape_word *word = shape_words;
    while (word->kind != def->kind) word++;
    if (def->kind != CAROM_SHAPE_POLYTOPE || def->polytope.form == CAROM_POLYTOPE_HALF_SPACES) return word;
    while (word->form != def->polytope.form) word++;
    return word;
}

const char *crm_scene_shape_word(const carom_shape_def *def) {
    return word_of(def)->word;
}

const crm_member *crm_scene_shape_members(const carom_shape_def *def) {
    return word_of(def)->members;
}

// What a key that is needed asks for; NULL for others.
static const char *wanted_for(const char *key) {
    if (strcmp(key, "sides") == 0) return "a whole number from 3 to 1000";
    if (strcmp(key, "parts") == 0) return "an array of at least 1 part, such as {\"shape\": \"ball\"}";
    return NULL;
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
    const carom_shape_def plane = {.kind = CAROM_SHAPE_HALF_SPACE};
    return crm_scene_require(node, "normal", "an array of 3 numbers, towards the free side") &&
           crm_scene_read_members(node, crm_scene_shape_members(&plane), out);
}

// s of a reference machine for the hull of a point, and of the square of a polygon's sides.
static const double point_seconds = 5e-6, side_seconds = 5e-7;

static bool check_size(const crm_json_node *list, double count) {
    return crm_scene_within(list, count, list->context->limits.vertices, "vertices", "vertices of one shape") &&
           crm_scene_spend(list, point_seconds * count);
}

static bool read_half_spaces(const crm_json_node *node, carom_polytope_def *def) {
    static const char *const keys[] = {"normal", "offset"};
    crm_json_node list = crm_scene_member(node, "half_spaces");
    int count = (int)json_array_size(list.value);
    if (count < 4) return crm_scene_needs(&list, "an array of at least 4 half-spaces");
    if (!check_size(&list, count)) return false;
    carom_half_space *out = crm_scene_take(node, count, sizeof *out);
    if (out == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &=
            crm_scene_is_object(&item, "a half-space", keys, CRM_SCENE_COUNT(keys)) && read_half_space(&item, &out[i]);
    }
    def->form = CAROM_POLYTOPE_HALF_SPACES;
    def->half_space_count = count;
    def->half_spaces = out;
    return good;
}

static bool read_polytope(const crm_json_node *node, carom_polytope_def *def) {
    int64_t sides = def->sides;
    int centre = def->centre;
    bool good = crm_scene_read_whole(node, "sides", 3, MOST_SIDES, &sides);
    good &= crm_scene_read_choice(node, "centre", crm_scene_centre_words, 2, &centre);
    def->sides = (int)sides;
    def->centre = (carom_polytope_centre)centre;
    crm_json_node points_node = crm_scene_member(node, "vertices");
    if (def->form != CAROM_POLYTOPE_VERTICES)
        return good && crm_scene_spend(node, side_seconds * (double)(sides * sides));
    if (json_is_array(points_node.value) && !check_size(&points_node, (double)json_array_size(points_node.value)))
        return false;
    if (crm_scene_has(node, "vertices") == crm_scene_has(node, "half_spaces"))
        return crm_scene_error(node, "needs either \"vertices\" or \"half_spaces\"");
    if (crm_scene_has(node, "half_spaces")) return read_half_spaces(node, def) && good;
    carom_vec3 *points = NULL;
    good &=
        crm_scene_read_points(node, "vertices", 4, "an array of at least 4 points (m)", &def->vertex_count, &points);
    def->vertices = points;
    return good;
}

// ---- all kinds

static bool read_sizes(const crm_json_node *node, crm_scene_data *data, carom_shape_def *def) {
    if (def->kind == CAROM_SHAPE_COMPOUND) return crm_scene_read_parts(node, data, &def->compound);
    if (def->kind == CAROM_SHAPE_HALF_SPACE) return read_half_space(node, &def->half_space);
    bool good = crm_scene_read_members(node, crm_scene_shape_members(def), &def->sphere); // any of the union
    return def->kind == CAROM_SHAPE_POLYTOPE ? read_polytope(node, &def->polytope) && good : good;
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
    const char *words[WORD_COUNT], *keys[2 * MOST_KEYS + 1] = {"kind"};
    for (int i = 0; i < WORD_COUNT; i++) words[i] = shape_words[i].word;
    int choice = -1, key_count = 1;
    if (!json_is_object(node->value)) return crm_scene_needs(node, "an object for a shape");
    if (!crm_scene_require(node, "kind", "such as sphere, ellipsoid, box, capsule, polytope, half_space") ||
        !crm_scene_read_choice(node, "kind", words, WORD_COUNT, &choice))
        return false;
    const shape_word *word = *out = &shape_words[choice];
    for (int i = 0; word->keys[i] != NULL; i++) keys[key_count++] = word->keys[i];
    key_count = crm_scene_list_members(word->members, keys, key_count);
    char what[32];
    snprintf(what, sizeof what, "%s %s", word->kind == CAROM_SHAPE_ELLIPSOID ? "an" : "a", word->word);
    if (!crm_scene_is_object(node, what, keys, key_count)) return false; // a mistyped key is reported once
    bool whole = true;
    for (int i = 1; word->keys[i - 1] != NULL; i++) {
        const char *wanted = wanted_for(keys[i]);
        if (wanted != NULL) whole &= crm_scene_require(node, keys[i], wanted);
    }
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
