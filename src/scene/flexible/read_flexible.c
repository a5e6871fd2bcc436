// SPDX-License-Identifier: MIT
// Flexible bodies, and the elastic part of materials.
#include <string.h>

#include "math/mat3.h"
#include "scene/check/scene_limits.h"
#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

const char *const crm_scene_pieces_words[CAROM_FLEX_PIECES_COUNT] = {
    [CAROM_FLEX_PIECES_ELEMENTS] = "elements", [CAROM_FLEX_PIECES_WHOLE] = "whole"};

const char *const crm_scene_flex_start_words[CAROM_FLEX_START_COUNT] = {
    [CAROM_FLEX_START_REST] = "rest", [CAROM_FLEX_START_EQUILIBRIUM] = "equilibrium"};

// ---- elastic materials

static bool read_constants(const crm_json_node *node, carom_elastic_def *def) {
    double young = 0.0, poisson = 0.0;
    bool engineer = crm_scene_has(node, "young") || crm_scene_has(node, "poisson");
    bool lame = crm_scene_has(node, "lambda") || crm_scene_has(node, "mu");
    if (engineer == lame)
        return crm_scene_error(node, "needs either \"young\" and \"poisson\", or \"lambda\" and \"mu\"%s",
                               lame ? "; remove the others" : "");
    if (lame)
        return crm_scene_require(node, "lambda", "Lame's first constant (Pa)") &
               crm_scene_require(node, "mu", "the shear modulus (Pa)") &
               crm_scene_read_number(node, "lambda", CRM_SCENE_ANY, "Pa", &def->lambda) &
               crm_scene_read_number(node, "mu", CRM_SCENE_POSITIVE, "Pa", &def->mu);
    bool good = crm_scene_require(node, "young", "Young's modulus (Pa)");
    good &= crm_scene_require(node, "poisson", "Poisson's ratio, above -1 and below 0.5");
    good &= crm_scene_read_number(node, "young", CRM_SCENE_POSITIVE, "Pa", &young);
    good &= crm_scene_read_number(node, "poisson", CRM_SCENE_ANY, "", &poisson);
    if (!good) return false;
    crm_json_node at = crm_scene_member(node, "poisson");
    if (!(poisson > -1.0 && poisson < 0.5)) return crm_scene_needs(&at, "a number above -1 and below 0.5");
    carom_elastic_from_young(young, poisson, &def->lambda, &def->mu);
    return true;
}

bool crm_scene_read_elastic(const crm_json_node *material, crm_scene_material *out) {
    static const char *const keys[] = {"model", "young", "poisson", "lambda", "mu", "density", "viscosity"};
    crm_json_node node = crm_scene_member(material, "elastic");
    carom_elastic_def *def = &out->elastic;
    *def = carom_elastic_def_default();
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(&node, "an elastic material", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return false;
    const char *words[CAROM_ELASTIC_MODEL_COUNT];
    for (int i = 0; i < CAROM_ELASTIC_MODEL_COUNT; i++) words[i] = carom_elastic_model_name((carom_elastic_model)i);
    int model = def->model;
    good &= crm_scene_read_choice(&node, "model", words, CAROM_ELASTIC_MODEL_COUNT, &model);
    def->model = (carom_elastic_model)model;
    good &= read_constants(&node, def);
    good &= crm_scene_require(&node, "density", "a positive number (kg/m^3)");
    good &= crm_scene_read_number(&node, "density", CRM_SCENE_POSITIVE, "kg/m^3", &def->density);
    good &= crm_scene_read_number(&node, "viscosity", CRM_SCENE_NOT_NEGATIVE, "s", &def->viscosity);
    out->is_elastic = true;
    carom_error error;
    if (!good || carom_elastic_check(def, &error) == CAROM_OK) return good;
    static const char subject[] = "elastic: "; // which the path says already
    bool known = strncmp(error.text, subject, strlen(subject)) == 0;
    return crm_scene_error(&node, "%s", error.text + (known ? strlen(subject) : 0));
}

// ---- one flexible body

static bool read_stretch(const crm_json_node *object, carom_mat3 *out) {
    static const char wanted[] = "3 numbers for a diagonal or 3 rows of 3 numbers";
    crm_json_node node = crm_scene_member(object, "stretch");
    if (node.value == NULL) return true;
    if (!json_is_array(node.value) || json_array_size(node.value) != 3) return crm_scene_needs(&node, wanted);
    double m[3][3] = {{0.0}}, d[3];
    bool good = true;
    if (json_is_array(json_array_get(node.value, 0))) {
        for (int row = 0; row < 3; row++) {
            crm_json_node item = crm_scene_item(&node, row);
            good &= crm_scene_numbers_of(&item, CRM_SCENE_ANY, "", 3, m[row]);
        }
    } else {
        good = crm_scene_numbers_of(&node, CRM_SCENE_ANY, "", 3, d);
        for (int k = 0; good && k < 3; k++) m[k][k] = d[k];
    }
    if (!good) return false;
    carom_mat3 stretch = crm_mat3_columns(crm_vec3(m[0][0], m[1][0], m[2][0]), crm_vec3(m[0][1], m[1][1], m[2][1]),
                                          crm_vec3(m[0][2], m[1][2], m[2][2]));
    double determinant = crm_dot(stretch.x, crm_cross(stretch.y, stretch.z));
    if (!(determinant > 0.0))
        return crm_scene_error(&node, "its determinant is %g and must be positive: a stretch does not mirror",
                               determinant);
    *out = stretch;
    return true;
}

static bool read_material(const crm_json_node *node, crm_scene_data *data, crm_scene_flex *flex) {
    crm_json_node at = crm_scene_member(node, "material");
    if (!crm_scene_require(node, "material", "the name of a material with \"elastic\"") ||
        !crm_scene_reference_of(&at, "a material", &data->material_names, &flex->material))
        return false;
    crm_scene_material *material = &data->material[flex->material];
    material->used = true;
    if (!material->good) return false; // that was reported
    if (!material->is_elastic)
        return crm_scene_error(&at, "the material \"%s\" has no \"elastic\", which a flexible body needs",
                               material->def.name);
    flex->def.elastic = material->elastic;
    return true;
}

static bool read_choices(const crm_json_node *node, carom_flex_def *def) {
    int pieces = def->pieces, start = def->start;
    bool good = crm_scene_read_choice(node, "pieces", crm_scene_pieces_words, CAROM_FLEX_PIECES_COUNT, &pieces);
    good &= crm_scene_read_choice(node, "start", crm_scene_flex_start_words, CAROM_FLEX_START_COUNT, &start);
    def->pieces = (carom_flex_pieces)pieces;
    def->start = (carom_flex_start)start;
    good &= crm_scene_read_number(node, "skin", CRM_SCENE_NOT_NEGATIVE, "m", &def->skin);
    return crm_scene_read_bool(node, "self_contact", &def->self_contact) && good;
}

// What holds it, when its mesh is there.
static bool read_fixed(const crm_json_node *node, crm_scene_flex *flex) {
    crm_json_node fixed = crm_scene_member(node, "fixed");
    return fixed.value == NULL ||
           crm_scene_read_node_set(&fixed, flex->mesh.made, &flex->def.fixed_count, &flex->def.fixed);
}

static bool read_attachment(const crm_json_node *node, const crm_scene_data *data, const crm_scene_flex *flex,
                            crm_scene_target *holder, carom_flex_attachment *out) {
    static const char *const keys[] = {"body", "nodes"};
    bool good = crm_scene_is_object(node, "an attachment", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node->value)) return false;
    crm_json_node body = crm_scene_member(node, "body"), nodes = crm_scene_member(node, "nodes");
    if (json_is_object(body.value)) return crm_scene_needs(&body, "the name of a body, or \"world\"");
    good &= crm_scene_read_target(node, "body", true, data, holder);
    good &= crm_scene_require(node, "nodes", "a set of nodes that the body holds");
    if (!good) return false;
    int holders = crm_scene_target_count(data, *holder);
    if (holders != 1 && holders != flex->count)
        return crm_scene_error(&body, "stands for %d bodies, and this flexible body for %d; name one, or as many",
                               holders, flex->count);
    return crm_scene_read_node_set(&nodes, flex->mesh.made, &out->node_count, &out->nodes);
}

static bool read_attachments(const crm_json_node *node, const crm_scene_data *data, crm_scene_flex *flex) {
    crm_json_node list = crm_scene_member(node, "attach");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of attachments, {\"body\": name, \"nodes\": ..}")) return false;
    int count = (int)json_array_size(list.value);
    crm_scene_target *holder = crm_scene_take(node, count, sizeof *holder);
    flex->attachment = crm_scene_take(node, count, sizeof *flex->attachment);
    if (holder == NULL || flex->attachment == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_attachment(&item, data, flex, &holder[i], &flex->attachment[i]);
    }
    flex->holder = holder;
    flex->def.attachments = flex->attachment;
    flex->def.attachment_count = count;
    return good;
}

static bool read_fields(const crm_json_node *node, crm_scene_data *data, crm_scene_flex *flex) {
    carom_flex_def *def = &flex->def;
    bool good = crm_scene_read_vec3(node, "position", CRM_SCENE_ANY, "m", &def->position);
    good &= crm_scene_read_attitude(node, "attitude", &def->attitude);
    good &= crm_scene_read_vec3(node, "velocity", CRM_SCENE_ANY, "m/s", &def->velocity);
    good &= crm_scene_read_vec3(node, "spin", CRM_SCENE_ANY, "rad/s", &def->spin);
    good &= read_stretch(node, &def->stretch);
    good &= read_choices(node, def);
    good &= read_material(node, data, flex);
    good &= crm_scene_read_groups(node, &data->groups, &def->groups, &def->meets);
    if (!crm_scene_read_mesh(node, &flex->mesh)) return false;
    def->mesh = flex->mesh.made;
    good &= read_fixed(node, flex);
    return read_attachments(node, data, flex) && good;
}

static void read_flex(const crm_json_node *node, crm_scene_data *data, int index) {
    static const char *const keys[] = {"name", "mesh",         "material", "position", "attitude", "velocity",
                                       "spin", "stretch",      "fixed",    "attach",   "pieces",   "start",
                                       "skin", "self_contact", "groups",   "meets",    "repeat"};
    crm_scene_flex *flex = &data->flex[index];
    *flex = (crm_scene_flex){.def = carom_flex_def_default(), .material = -1, .count = 1, .first = -1};
    flex->good = crm_scene_is_object(node, "a flexible body", keys, CRM_SCENE_COUNT(keys));
    flex->good &= crm_scene_read_name(node, "flexible", index, &flex->def.name);
    if (flex->def.name == NULL || !json_is_object(node->value)) return;
    bool repeat = crm_scene_read_repeat(node, &flex->repeat, &flex->count);
    bool fields = read_fields(node, data, flex);
    flex->good &= fields && repeat;
}

// ---- all of them

// Names are unique among bodies and flexible bodies, their repeats included.
static void enter_name(const crm_json_node *node, crm_scene_data *data, int index) {
    crm_scene_flex *flex = &data->flex[index];
    const char *name = flex->def.name;
    if (name == NULL) return;
    size_t size = strlen(name);
    crm_scene_target body;
    int other = crm_scene_names_find(&data->body_names, name, size), instance;
    crm_json_node own = crm_scene_member(node, "name");
    const crm_json_node *at = own.value != NULL ? &own : node;
    if (other < 0 && flex->repeat.kind == CRM_SCENE_ONCE && crm_scene_find_repeated(data, name, &body))
        other = body.body;
    if (other >= 0) {
        flex->good = crm_scene_error(at, "the name \"%s\" is that of bodies[%d] already; choose another", name, other);
        return;
    }
    other = crm_scene_names_find(&data->flex_names, name, size);
    if (other >= 0 ||
        (flex->repeat.kind == CRM_SCENE_ONCE && crm_scene_find_repeated_flex(data, name, size, &other, &instance))) {
        flex->good =
            crm_scene_error(at, "the name \"%s\" is that of flexible[%d] already; choose another", name, other);
        return;
    }
    if (!crm_scene_names_add(&data->flex_names, &node->context->arena, name, size, index))
        node->context->no_memory = true;
}

// Bodies of the model up to here, nodes included.
static double count_bodies(const crm_scene_data *data) {
    double total = 0.0;
    for (int i = 0; i < data->body_count; i++) total += data->body[i].count;
    for (int i = 0; i < data->flex_count; i++)
        if (data->flex[i].mesh.made != NULL)
            total += (double)data->flex[i].count * carom_mesh_node_count(data->flex[i].mesh.made);
    return total;
}

void crm_scene_read_flexible(const crm_json_node *root, crm_scene_data *data) {
    crm_json_node list = crm_scene_member(root, "flexible");
    if (list.value == NULL || !crm_scene_is_array(&list, "an array of flexible bodies")) return;
    int count = (int)json_array_size(list.value);
    data->flex = crm_scene_take(root, count, sizeof *data->flex);
    if (data->flex == NULL) return;
    for (int i = 0; i < count && !root->context->no_memory; i++) {
        crm_json_node node = crm_scene_item(&list, i);
        data->flex_count++;
        read_flex(&node, data, i);
        if (!root->context->no_memory) enter_name(&node, data, i);
        // Before more meshes are made.
        if (crm_scene_within(&node, count_bodies(data), root->context->limits.bodies, "bodies",
                             "bodies up to here, nodes of flexible ones included"))
            continue;
        for (int k = 0; k < data->flex_count; k++) data->flex[k].good = false;
        return;
    }
}

void crm_scene_forget_meshes(crm_scene_data *data) {
    for (int i = 0; i < data->flex_count; i++) carom_mesh_destroy(data->flex[i].mesh.made);
}
