// SPDX-License-Identifier: MIT
// Reading a scene from end to end: text, tree, overrides, data, model, resolved text.
#include "carom/scene.h"
#include "base/fail.h"

#include <string.h>

#include "scene/check/lint.h"
#include "scene/check/scene_limits.h"
#include "scene/flexible/flexible.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/read_scene.h"
#include "scene/scene_build.h"
#include "scene/source/scene_file.h"
#include "scene/source/scene_source.h"
#include "scene/write/write_scene.h"

struct carom_scene {
    carom_allocator allocator;
    carom_model *model;
    carom_method_def method;
    double until, frame_rate;
    bool record_contacts;
    char *name, *description;
    crm_scene_text resolved;
    crm_arena plan_arena; // of the plan's arrays
    carom_plan_def *plan; // there; NULL: none
    char *plan_recording; // "" of other guesses
};

// ---- the scene itself

static void free_string(const carom_allocator *allocator, char *string) {
    if (string != NULL) allocator->release(allocator->user, string, strlen(string) + 1);
}

static bool copy_pieces(const carom_allocator *allocator, carom_method_def *method) {
    if (method->piece_count == 0) return true;
    size_t size = (size_t)method->piece_count * sizeof *method->piece;
    carom_step_piece *copy = allocator->allocate(allocator->user, size);
    if (copy != NULL) memcpy(copy, method->piece, size);
    method->piece = copy;
    return copy != NULL;
}

static char *copy_string(const carom_allocator *allocator, const char *string) {
    size_t size = strlen(string) + 1;
    char *copy = allocator->allocate(allocator->user, size);
    return copy == NULL ? NULL : memcpy(copy, string, size);
}

void carom_scene_destroy(carom_scene *scene) {
    if (scene == NULL) return;
    carom_allocator allocator = scene->allocator;
    carom_model_destroy(scene->model);
    if (scene->method.piece != NULL)
        allocator.release(allocator.user, (void *)(uintptr_t)scene->method.piece,
                          (size_t)scene->method.piece_count * sizeof *scene->method.piece);
    free_string(&allocator, scene->name);
    free_string(&allocator, scene->description);
    free_string(&allocator, scene->plan_recording);
    crm_arena_free(&scene->plan_arena);
    crm_scene_text_free(&scene->resolved);
    allocator.release(allocator.user, scene, sizeof *scene);
}

static bool copy_plan(const crm_scene_plan *plan, carom_scene *scene) {
    crm_arena_init(&scene->plan_arena, &scene->allocator);
    scene->plan_recording = copy_string(&scene->allocator, plan != NULL ? plan->recording : "");
    if (plan == NULL || scene->plan_recording == NULL) return scene->plan_recording != NULL;
    scene->plan = crm_arena_take(&scene->plan_arena, sizeof *scene->plan);
    return scene->plan != NULL && crm_scene_copy_plan(&plan->def, &scene->plan_arena, scene->plan);
}

// Takes the model, also on failure; NULL then.
static carom_scene *make_scene(const crm_json_node *root, const crm_scene_data *data, carom_model *model) {
    carom_scene *scene = root->context->allocator.allocate(root->context->allocator.user, sizeof *scene);
    if (scene == NULL) {
        root->context->no_memory = true;
        carom_model_destroy(model);
        return NULL;
    }
    *scene = (carom_scene){.allocator = root->context->allocator,
                           .model = model,
                           .method = data->method,
                           .until = data->until,
                           .frame_rate = data->frame_rate,
                           .record_contacts = data->record_contacts};
    bool copied = copy_pieces(&scene->allocator, &scene->method) & copy_plan(data->plan, scene);
    scene->name = copy_string(&scene->allocator, data->name);
    scene->description = copy_string(&scene->allocator, data->description);
    crm_scene_text_start(&scene->resolved, &scene->allocator);
    bool too_large = false;
    bool written = crm_scene_write(data, &scene->resolved, &too_large);
    if (written && copied && scene->name != NULL && scene->description != NULL) return scene;
    if (too_large)
        crm_scene_error(root, "the scene with its repeats written out is larger than %d MB; use fewer bodies",
                        CRM_SCENE_MOST_BYTES / (1024 * 1024));
    else
        root->context->no_memory = true;
    carom_scene_destroy(scene);
    return NULL;
}

// ---- reading

static carom_scene *build(const crm_json_node *root, const carom_scene_source *source, crm_scene_data *data) {
    const crm_scene_context *context = root->context;
    if (context->no_memory || (context->log->error_count == 0 && !crm_scene_check_limits(root, data))) return NULL;
    data->model.limits = context->limits;
    data->model.interrupt = context->interrupt;
    carom_model *model = crm_scene_build(root, data);
    if (!context->no_memory && source->lint && json_is_object(root->value)) crm_scene_lint(root, data, model);
    if (model == NULL) return NULL;
    if (!context->no_memory && context->log->error_count == 0) return make_scene(root, data, model);
    carom_model_destroy(model);
    return NULL;
}

static carom_scene *read_tree(const crm_json_node *root, const carom_scene_source *source) {
    crm_scene_data data;
    crm_scene_read_all(root, &data);
    carom_scene *scene = build(root, source, &data);
    crm_scene_forget_meshes(&data);
    return scene;
}

static bool read_scene(const crm_json_node *root, const carom_scene_source *source, void *out) {
    carom_scene **scene = out;
    *scene = read_tree(root, source);
    return *scene != NULL;
}

carom_status carom_scene_read(const carom_scene_source *source, const carom_allocator *allocator, carom_scene **out,
                              carom_scene_messages **messages, carom_error *error) {
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = crm_scene_read_source(source, allocator, read_scene, out, messages, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_scene_destroy(*out);
    *out = NULL;
    return status;
}

void carom_scene_messages_destroy(carom_scene_messages *messages) {
    crm_scene_log_destroy((crm_scene_log *)(void *)messages); // the first member of its log
}

// ---- accessors

const carom_model *carom_scene_model(const carom_scene *scene) {
    return scene->model;
}

const carom_method_def *carom_scene_method(const carom_scene *scene) {
    return &scene->method;
}

const char *carom_scene_name(const carom_scene *scene) {
    return scene->name;
}

const char *carom_scene_description(const carom_scene *scene) {
    return scene->description;
}

double carom_scene_until(const carom_scene *scene) {
    return scene->until;
}

double carom_scene_frame_rate(const carom_scene *scene) {
    return scene->frame_rate;
}

bool carom_scene_record_contacts(const carom_scene *scene) {
    return scene->record_contacts;
}

const carom_plan_def *carom_scene_plan(const carom_scene *scene) {
    return scene->plan;
}

const char *carom_scene_plan_recording(const carom_scene *scene) {
    return scene->plan_recording;
}

const char *carom_scene_resolved(const carom_scene *scene) {
    return scene->resolved.bytes.items;
}
