// SPDX-License-Identifier: MIT
// A pair of shapes at their poses: a file without a model.
#include <string.h>

#include "base/fail.h"
#include "carom/tools.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/scene_source.h"

// What a reader of a pair sees, and what it lives on.
typedef struct owned_pair {
    carom_scene_pair shown; // first, so that a pointer to it is one to all
    carom_allocator allocator;
    crm_arena arena; // of the name and of vertices
    carom_shape *shape_a, *shape_b;
} owned_pair;

void carom_scene_pair_destroy(carom_scene_pair *pair) {
    if (pair == NULL) return;
    owned_pair *owned = (owned_pair *)(void *)pair;
    carom_allocator allocator = owned->allocator;
    carom_shape_destroy(owned->shape_a);
    carom_shape_destroy(owned->shape_b);
    crm_arena_free(&owned->arena);
    allocator.release(allocator.user, owned, sizeof *owned);
}

static owned_pair *make_pair(crm_scene_context *context) {
    owned_pair *pair = context->allocator.allocate(context->allocator.user, sizeof *pair);
    if (pair == NULL) return NULL;
    *pair = (owned_pair){.shown = {.name = "", .options = carom_distance_options_default()},
                         .allocator = context->allocator};
    crm_arena_init(&pair->arena, &pair->allocator);
    return pair;
}

// A copy that outlives the reading.
static void *keep(const crm_json_node *node, owned_pair *pair, const void *data, size_t size) {
    void *copy = crm_arena_take(&pair->arena, size);
    if (copy == NULL) {
        node->context->no_memory = true;
        return NULL;
    }
    return memcpy(copy, data, size);
}

static void read_side_shape(const crm_json_node *side, owned_pair *pair, carom_shape **shape) {
    crm_scene_context *context = side->context;
    crm_json_node node = crm_scene_member(side, "shape");
    crm_scene_shape data = {.good = false};
    crm_scene_read_shape(&node, NULL, &data);
    if (!data.good || context->no_memory) return;
    // It could be made once already: only memory can be missing now.
    if (carom_shape_create(&data.def, &pair->allocator, shape, NULL) != CAROM_OK) context->no_memory = true;
}

static void read_side(const crm_json_node *root, owned_pair *pair, const char *key, carom_shape **shape,
                      carom_view *view) {
    static const char *const keys[] = {"shape", "vertices", "position", "attitude"};
    if (!crm_scene_require(root, key, "an object with a shape and a pose")) return;
    crm_json_node side = crm_scene_member(root, key);
    if (!crm_scene_is_object(&side, "a side of a pair", keys, CRM_SCENE_COUNT(keys))) return;
    carom_pose pose = {.attitude = crm_quat_identity()};
    crm_scene_read_vec3(&side, "position", CRM_SCENE_ANY, "m", &pose.position);
    crm_scene_read_attitude(&side, "attitude", &pose.attitude);
    pose.attitude = crm_quat_normalised(pose.attitude);
    if (crm_scene_has(&side, "shape") == crm_scene_has(&side, "vertices")) {
        crm_scene_error(&side, "needs either \"shape\" or \"vertices\"");
    } else if (crm_scene_has(&side, "shape")) {
        read_side_shape(&side, pair, shape);
        *view = carom_view_of(*shape, pose);
    } else {
        carom_vec3 *points = NULL;
        int count = 0;
        if (!crm_scene_read_points(&side, "vertices", 1, "an array of at least 1 point (m)", &count, &points)) return;
        *view = carom_view_of_vertices(count, keep(root, pair, points, (size_t)count * sizeof *points));
        view->pose = pose;
    }
}

static void read_root(const crm_json_node *root, owned_pair *pair) {
    static const char *const keys[] = {"carom", "name", "description", "a", "b", "direction"};
    if (!json_is_object(root->value)) {
        crm_scene_needs(root, "an object for a pair, such as {\"carom\": 1, \"a\": {...}, \"b\": {...}}");
        return;
    }
    crm_scene_is_object(root, "a pair", keys, CRM_SCENE_COUNT(keys));
    crm_scene_read_version(root);
    const char *name = "", *description = "";
    crm_scene_read_string(root, "name", &name);
    crm_scene_read_string(root, "description", &description);
    pair->shown.name = keep(root, pair, name, strlen(name) + 1);
    read_side(root, pair, "a", &pair->shape_a, &pair->shown.a);
    read_side(root, pair, "b", &pair->shape_b, &pair->shown.b);
    carom_distance_options *options = &pair->shown.options;
    options->has_direction = crm_scene_has(root, "direction");
    if (crm_scene_read_vec3(root, "direction", CRM_SCENE_ANY, "", &options->direction) && options->has_direction &&
        crm_length(options->direction) == 0.0) {
        crm_json_node direction = crm_scene_member(root, "direction");
        crm_scene_error(&direction, "the direction is zero; give one from a to b, such as [0, 0, 1]");
    }
}

static bool read_pair(const crm_json_node *root, const carom_scene_source *source, void *out) {
    (void)source;
    crm_scene_context *context = root->context;
    owned_pair *pair = make_pair(context);
    if (pair == NULL) {
        context->no_memory = true;
        return false;
    }
    read_root(root, pair);
    carom_scene_pair **result = out;
    if (!context->no_memory && context->log->error_count == 0)
        *result = &pair->shown;
    else
        carom_scene_pair_destroy(&pair->shown);
    return *result != NULL;
}

carom_status carom_scene_read_pair(const carom_scene_source *source, const carom_allocator *allocator,
                                   carom_scene_pair **out, carom_scene_messages **messages, carom_error *error) {
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = crm_scene_read_source(source, allocator, read_pair, out, messages, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_scene_pair_destroy(*out);
    *out = NULL;
    return status;
}
