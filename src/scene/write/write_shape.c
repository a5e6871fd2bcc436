// SPDX-License-Identifier: MIT
// Shapes as text: in resolved scenes, and by themselves.
#include <string.h>

#include "base/fail.h"
#include "carom/scene.h"
#include "scene/read/read_scene.h"
#include "scene/shape_words.h"
#include "scene/source/scene_source.h"
#include "scene/write/write_pieces.h"
#include "scene/write/write_scene.h"

static void write_points(const carom_polytope_def *def, crm_scene_text *text) {
    key(text, "vertices");
    for (int i = 0; i < def->vertex_count; i++) {
        word(text, i == 0 ? "[" : ", ");
        triple(text, def->vertices[i]);
    }
    word(text, "]");
}

static void write_half_spaces(const carom_polytope_def *def, crm_scene_text *text) {
    key(text, "half_spaces");
    for (int i = 0; i < def->half_space_count; i++) {
        word(text, i == 0 ? "[{\"normal\": " : ", {\"normal\": ");
        triple(text, def->half_spaces[i].normal);
        number(text, "offset", def->half_spaces[i].offset);
        word(text, "}");
    }
    word(text, "]");
}

static void write_polytope(const carom_polytope_def *def, crm_scene_text *text) {
    if (def->form == CAROM_POLYTOPE_VERTICES) write_points(def, text);
    if (def->form == CAROM_POLYTOPE_HALF_SPACES) write_half_spaces(def, text);
    if (def->form == CAROM_POLYTOPE_TETRAHEDRON) return; // its centres are one
    if (def->centre != CAROM_CENTRE_VERTEX_MEAN) string(text, "centre", crm_scene_centre_words[def->centre]);
}

static void write_parts(const carom_compound_def *def, crm_scene_text *text) {
    key(text, "parts");
    for (int i = 0; i < def->part_count; i++) {
        word(text, i == 0 ? "[{\"shape\": " : ", {\"shape\": ");
        crm_scene_write_shape(def->parts[i].shape, text);
        vector(text, "position", def->parts[i].pose.position);
        quaternion(text, "attitude", def->parts[i].pose.attitude);
        number(text, "density", def->parts[i].density);
        word(text, "}");
    }
    word(text, "]");
}

void crm_scene_write_shape(const carom_shape_def *def, crm_scene_text *text) {
    bool polytope = def->kind == CAROM_SHAPE_POLYTOPE;
    word(text, "{");
    string(text, "kind", crm_scene_shape_word(def));
    if (polytope && (def->polytope.form == CAROM_POLYTOPE_PYRAMID || def->polytope.form == CAROM_POLYTOPE_PRISM))
        number(text, "sides", def->polytope.sides);
    members(text, crm_scene_shape_members(def), &def->sphere); // any of the union
    if (polytope) write_polytope(&def->polytope, text);
    if (def->kind == CAROM_SHAPE_COMPOUND) write_parts(&def->compound, text);
    word(text, "}");
}

// ---- by themselves

size_t carom_scene_write_shape(const carom_shape *shape, char *out, size_t room) {
    carom_allocator allocator = carom_allocator_default();
    carom_shape_def def;
    carom_shape_get_def(shape, &def);
    crm_scene_text text;
    crm_scene_text_start(&text, &allocator);
    crm_scene_write_shape(&def, &text);
    size_t size = text.failed ? 0 : (size_t)text.bytes.count;
    if (room > 0) {
        size_t copied = size < room ? size : room - 1;
        if (copied > 0) memcpy(out, text.bytes.items, copied);
        out[copied] = '\0';
    }
    crm_scene_text_free(&text);
    return size;
}

static bool read_shape(const crm_json_node *root, const carom_scene_source *source, void *out) {
    (void)source;
    crm_scene_context *context = root->context;
    crm_scene_shape shape = {.good = false};
    crm_scene_read_shape(root, NULL, &shape);
    if (!shape.good || context->no_memory) return false;
    carom_status status = carom_shape_create(&shape.def, &context->allocator, out, NULL);
    context->no_memory = status != CAROM_OK; // it could be made once already
    return status == CAROM_OK;
}

carom_status carom_scene_read_shape(const char *text, const carom_allocator *allocator, carom_shape **out,
                                    carom_error *error) {
    CRM_NEED(text, error);
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = crm_scene_read_source(
        &(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = "shape", .text = text}, allocator,
        read_shape, out, NULL, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_shape_destroy(*out);
    *out = NULL;
    return status;
}
