// SPDX-License-Identifier: MIT
// Shapes as text: in resolved scenes, and by themselves.
#include <string.h>

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
    switch (def->form) {
    case CAROM_POLYTOPE_VERTICES:
        write_points(def, text);
        break;
    case CAROM_POLYTOPE_HALF_SPACES:
        write_half_spaces(def, text);
        break;
    case CAROM_POLYTOPE_TETRAHEDRON:
        number(text, "edge", def->edge);
        return; // its centres are one
    default:
        number(text, "sides", def->sides);
        number(text, "radius", def->radius);
        number(text, "height", def->height);
    }
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
    word(text, "{\"kind\": ");
    crm_scene_text_quoted(text, crm_scene_shape_word(def));
    switch (def->kind) {
    case CAROM_SHAPE_SPHERE:
        number(text, "radius", def->sphere.radius);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        vector(text, "half_axes", def->ellipsoid.half_axes);
        break;
    case CAROM_SHAPE_BOX:
        vector(text, "size", def->box.size);
        break;
    case CAROM_SHAPE_CAPSULE:
        number(text, "radius", def->capsule.radius);
        number(text, "length", def->capsule.length);
        break;
    case CAROM_SHAPE_POLYTOPE:
        write_polytope(&def->polytope, text);
        break;
    case CAROM_SHAPE_HALF_SPACE:
        vector(text, "normal", def->half_space.normal);
        number(text, "offset", def->half_space.offset);
        break;
    case CAROM_SHAPE_CONTAINER:
        number(text, "radius", def->container.radius);
        break;
    default:
        write_parts(&def->compound, text);
    }
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
    *out = NULL;
    carom_status status = crm_scene_read_source(
        &(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = "shape", .text = text}, allocator,
        read_shape, out, NULL, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_shape_destroy(*out);
    *out = NULL;
    return status;
}
