// SPDX-License-Identifier: MIT
// Meshes of flexible bodies: boxes, files beside the scene, nodes and elements in place.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/check/scene_limits.h"
#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/number_text.h"

const char *const crm_scene_mesh_words[CRM_SCENE_MESH_COUNT] = {
    [CRM_SCENE_MESH_BOX] = "box", [CRM_SCENE_MESH_FILE] = "file", [CRM_SCENE_MESH_GIVEN] = "given"};

// s of a reference machine for an element: its checks, its faces in the surface.
static const double element_seconds = 1e-6;

// A mesh that was made, or the sentence why it was not. `subject` is the start of sentences that the path says already.
static bool take(const crm_json_node *node, carom_status status, const carom_error *error, const char *subject) {
    if (status == CAROM_OK) return true;
    if (status == CAROM_ERR_NO_MEMORY) {
        node->context->no_memory = true;
        return false;
    }
    size_t size = strlen(subject);
    return crm_scene_error(node, "%s", strncmp(error->text, subject, size) == 0 ? error->text + size : error->text);
}

// ---- boxes

static bool read_cells(const crm_json_node *node, int cells[3]) {
    enum { MOST_CELLS = 1000000 };
    double numbers[3] = {1.0, 1.0, 1.0};
    crm_json_node member = crm_scene_member(node, "cells");
    if (!crm_scene_require(node, "cells", "3 whole numbers of cells along x, y and z, such as [4, 4, 4]")) return false;
    if (!crm_scene_read_numbers(node, "cells", CRM_SCENE_POSITIVE, "", 3, numbers)) return false;
    for (int k = 0; k < 3; k++) {
        if (numbers[k] != floor(numbers[k]) || numbers[k] > MOST_CELLS) {
            crm_json_node cell = crm_scene_item(&member, k);
            return crm_scene_needs(&cell, "a whole number of cells, 1000000 at most");
        }
        cells[k] = (int)numbers[k];
    }
    return true;
}

// Nodes that a lattice has: corners of cells and, of order 2, middles of their edges and of their faces' diagonals.
static double lattice_nodes(const int cells[3], int order) {
    double a = cells[0], b = cells[1], c = cells[2], corners = (a + 1.0) * (b + 1.0) * (c + 1.0);
    double edges = a * (b + 1.0) * (c + 1.0) + (a + 1.0) * b * (c + 1.0) + (a + 1.0) * (b + 1.0) * c;
    double faces = a * b * (c + 1.0) + a * (b + 1.0) * c + (a + 1.0) * b * c;
    return order == 2 ? corners + edges + faces : corners;
}

static bool read_box(const crm_json_node *node, crm_scene_mesh *mesh) {
    bool good = crm_scene_require(node, "size", "an array of 3 positive numbers (m)");
    good &= crm_scene_read_vec3(node, "size", CRM_SCENE_POSITIVE, "m", &mesh->size);
    if (!read_cells(node, mesh->cells) || !good) return false;
    const int *cells = mesh->cells;
    crm_json_node at = crm_scene_member(node, "cells");
    if (!crm_scene_within(&at, lattice_nodes(cells, mesh->order), node->context->limits.bodies, "bodies",
                          "nodes, which are bodies") ||
        !crm_scene_spend(&at, element_seconds * 5.0 * cells[0] * cells[1] * cells[2]))
        return false;
    carom_error error;
    return take(node,
                carom_mesh_create_box(mesh->size, cells, mesh->order, &node->context->allocator, &mesh->made, &error),
                &error, "mesh: ");
}

// ---- in place

static bool read_elements(const crm_json_node *node, int order, carom_mesh_def *def) {
    const int nodes = CAROM_ELEMENT_NODES(order);
    char wanted[96];
    snprintf(wanted, sizeof wanted, "an array of rows of %d numbers of nodes, from 0", nodes);
    crm_json_node list = crm_scene_member(node, "elements");
    if (!crm_scene_require(node, "elements", wanted) || !crm_scene_is_array(&list, wanted)) return false;
    def->element_count = (int)json_array_size(list.value);
    if (def->element_count == 0) return crm_scene_needs(&list, wanted);
    if (!crm_scene_spend(&list, element_seconds * def->element_count)) return false;
    int32_t *elements = crm_scene_take(node, def->element_count * nodes, sizeof *elements);
    if (elements == NULL) return false;
    for (int e = 0; e < def->element_count; e++) {
        double row[CAROM_ELEMENT_NODES(2)];
        crm_json_node item = crm_scene_item(&list, e);
        if (!crm_scene_numbers_of(&item, CRM_SCENE_NOT_NEGATIVE, "of nodes", nodes, row)) return false;
        for (int k = 0; k < nodes; k++) {
            if (row[k] != floor(row[k]) || row[k] >= def->node_count)
                return crm_scene_error(&item, "has %g, which is not the number of a node; they go from 0 to %d", row[k],
                                       def->node_count - 1);
            elements[e * nodes + k] = (int32_t)row[k];
        }
    }
    def->elements = elements;
    return true;
}

static bool read_given(const crm_json_node *node, crm_scene_mesh *mesh) {
    static const char wanted[] = "an array of at least 4 points (m)";
    carom_mesh_def def = carom_mesh_def_default();
    carom_vec3 *points = NULL;
    def.order = mesh->order;
    crm_json_node list = crm_scene_member(node, "nodes");
    if (!crm_scene_require(node, "nodes", wanted) ||
        !crm_scene_within(&list, (double)json_array_size(list.value), node->context->limits.bodies, "bodies",
                          "nodes, which are bodies") ||
        !crm_scene_read_points(node, "nodes", 4, wanted, &def.node_count, &points) ||
        !read_elements(node, mesh->order, &def))
        return false;
    def.nodes = points;
    carom_error error;
    return take(node, carom_mesh_create(&def, &node->context->allocator, &mesh->made, &error), &error, "mesh: ");
}

// ---- files

static bool ends_with(const char *name, const char *end) {
    size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

static bool parse_gmsh(const crm_json_node *file, crm_scene_mesh *mesh) {
    const char *name = json_string_value(file->value);
    carom_error error;
    crm_scene_text text;
    bool good = crm_scene_load_numbers(file, name, "a mesh of kind given", &text) &&
                take(file,
                     carom_mesh_parse(CAROM_MESH_GMSH, name, text.bytes.items, (size_t)text.bytes.count - 1, NULL, 0,
                                      mesh->order, &file->context->allocator, &mesh->made, &error),
                     &error, "");
    crm_scene_text_free(&text);
    return good;
}

// Either of the two files names both: NAME.node and NAME.ele.
static bool parse_tetgen(const crm_json_node *file, crm_scene_mesh *mesh) {
    const char *name = json_string_value(file->value);
    int stem = (int)(strrchr(name, '.') - name);
    size_t room = strlen(name) + sizeof ".node";
    char *names[2] = {crm_scene_take(file, (int)room, 1), crm_scene_take(file, (int)room, 1)};
    if (names[0] == NULL || names[1] == NULL) return false;
    snprintf(names[0], room, "%.*s.node", stem, name);
    snprintf(names[1], room, "%.*s.ele", stem, name);
    carom_error error;
    crm_scene_text nodes, elements = {.failed = false};
    bool good = crm_scene_load_numbers(file, names[0], "a mesh of kind given", &nodes);
    if (good) {
        good = crm_scene_load_numbers(file, names[1], "a mesh of kind given", &elements) &&
               take(file,
                    carom_mesh_parse(CAROM_MESH_TETGEN, names[0], nodes.bytes.items, (size_t)nodes.bytes.count - 1,
                                     elements.bytes.items, (size_t)elements.bytes.count - 1, mesh->order,
                                     &file->context->allocator, &mesh->made, &error),
                    &error, "");
        crm_scene_text_free(&elements);
    }
    crm_scene_text_free(&nodes);
    return good;
}

static bool read_file(const crm_json_node *node, crm_scene_mesh *mesh) {
    static const char wanted[] = "the name of a .msh, .node or .ele file beside the scene";
    crm_json_node file = crm_scene_member(node, "file");
    if (!crm_scene_require(node, "file", wanted)) return false;
    const char *name = json_string_value(file.value);
    bool gmsh = name != NULL && ends_with(name, ".msh");
    if (!gmsh && (name == NULL || (!ends_with(name, ".node") && !ends_with(name, ".ele"))))
        return crm_scene_needs(&file, wanted);
    return gmsh ? parse_gmsh(&file, mesh) : parse_tetgen(&file, mesh);
}

// ---- all kinds

bool crm_scene_read_mesh(const crm_json_node *flexible, crm_scene_mesh *mesh) {
    static const char *const box_keys[] = {"kind", "size", "cells", "order"},
                             *const file_keys[] = {"kind", "file", "order"},
                             *const given_keys[] = {"kind", "nodes", "elements", "order"};
    static const struct {
        const char *what;
        const char *const *keys;
        int count;
    } objects[CRM_SCENE_MESH_COUNT] = {
        [CRM_SCENE_MESH_BOX] = {"a mesh of kind box", box_keys, CRM_SCENE_COUNT(box_keys)},
        [CRM_SCENE_MESH_FILE] = {"a mesh of kind file", file_keys, CRM_SCENE_COUNT(file_keys)},
        [CRM_SCENE_MESH_GIVEN] = {"a mesh of kind given", given_keys, CRM_SCENE_COUNT(given_keys)}};
    if (!crm_scene_require(flexible, "mesh", "an object such as {\"kind\": \"box\", \"size\": .., \"cells\": ..}"))
        return false;
    crm_json_node node = crm_scene_member(flexible, "mesh");
    if (!json_is_object(node.value)) return crm_scene_needs(&node, "an object for a mesh");
    int kind = -1;
    if (!crm_scene_require(&node, "kind", "one of box, file, given") ||
        !crm_scene_read_choice(&node, "kind", crm_scene_mesh_words, CRM_SCENE_MESH_COUNT, &kind))
        return false;
    mesh->kind = (crm_scene_mesh_kind)kind;
    int64_t order = mesh->kind == CRM_SCENE_MESH_FILE ? 0 : 1; // of a file: as it is
    if (!crm_scene_is_object(&node, objects[kind].what, objects[kind].keys, objects[kind].count) ||
        !crm_scene_read_whole(&node, "order", 1, 2, &order))
        return false;
    mesh->order = (int)order;
    bool good = mesh->kind == CRM_SCENE_MESH_BOX    ? read_box(&node, mesh)
                : mesh->kind == CRM_SCENE_MESH_FILE ? read_file(&node, mesh)
                                                    : read_given(&node, mesh);
    if (!good) return false;
    mesh->order = carom_mesh_order(mesh->made);
    return true;
}
