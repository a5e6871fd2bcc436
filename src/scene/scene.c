// SPDX-License-Identifier: MIT
// Reading a scene from end to end: text, tree, overrides, data, model, resolved text.
#include "carom/scene.h"

#include <string.h>

#include "base/fail.h"
#include "scene/build.h"
#include "scene/file.h"
#include "scene/lint.h"
#include "scene/override.h"
#include "scene/read.h"
#include "scene/syntax.h"
#include "scene/write.h"

struct carom_scene {
    carom_allocator allocator;
    carom_model *model;
    carom_method_def method;
    double until, frame_rate;
    char *name, *description;
    crm_scene_text resolved;
};

// ---- the scene itself

static void free_string(const carom_allocator *allocator, char *string) {
    if (string != NULL) allocator->release(allocator->user, string, strlen(string) + 1);
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
    free_string(&allocator, scene->name);
    free_string(&allocator, scene->description);
    crm_scene_text_free(&scene->resolved);
    allocator.release(allocator.user, scene, sizeof *scene);
}

// Takes the model, also on failure; NULL then.
static carom_scene *make_scene(crm_scene_context *context, const crm_scene_node *root, const crm_scene_data *data,
                               carom_model *model) {
    carom_scene *scene = context->allocator.allocate(context->allocator.user, sizeof *scene);
    if (scene == NULL) {
        context->no_memory = true;
        carom_model_destroy(model);
        return NULL;
    }
    *scene = (carom_scene){.allocator = context->allocator,
                           .model = model,
                           .method = data->method,
                           .until = data->until,
                           .frame_rate = data->frame_rate};
    scene->name = copy_string(&scene->allocator, data->name);
    scene->description = copy_string(&scene->allocator, data->description);
    crm_scene_text_start(&scene->resolved, &scene->allocator);
    bool too_large = false;
    bool written = crm_scene_write(data, &scene->resolved, &too_large);
    if (written && scene->name != NULL && scene->description != NULL) return scene;
    if (too_large)
        crm_scene_error(context, root, "the scene with its repeats written out is larger than %d MB; use fewer bodies",
                        CRM_SCENE_MOST_BYTES / (1024 * 1024));
    else
        context->no_memory = true;
    carom_scene_destroy(scene);
    return NULL;
}

// ---- reading

// The tree of the text, or NULL: then there are messages, or no memory.
static json_t *parse(crm_scene_context *context) {
    static const char mark[] = "\xef\xbb\xbf"; // a byte-order mark, as some editors leave it
    if (context->span.size >= 3 && memcmp(context->span.text, mark, 3) == 0) {
        context->span.text += 3;
        context->span.size -= 3;
    }
    if (!crm_scene_check_syntax(context)) return NULL;
    json_error_t why;
    size_t flags = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
    json_t *root = json_loadb(context->span.text, context->span.size, flags, &why);
    if (root != NULL) return root;
    if (json_error_code(&why) == json_error_out_of_memory)
        context->no_memory = true;
    else if (context->log->error_count == 0) // a number that is too large has been reported
        crm_scene_error_at(context, context->file, why.line > 0 ? why.line : 0, "", "the text is not valid JSON: %s",
                           why.text);
    return NULL;
}

static carom_scene *read_tree(crm_scene_context *context, const carom_scene_source *source, json_t *tree) {
    if (json_is_object(tree))
        for (int i = 0; i < source->override_count && !context->no_memory; i++)
            crm_scene_override(context, tree, source->overrides[i]);
    if (context->no_memory) return NULL;
    crm_scene_node root = crm_scene_root(tree);
    crm_scene_data data;
    crm_scene_read_all(context, &root, &data);
    if (context->no_memory) return NULL;
    carom_model *model = crm_scene_build(context, &root, &data);
    if (!context->no_memory && source->lint && json_is_object(tree)) crm_scene_lint(context, &root, &data);
    if (model == NULL) return NULL;
    if (!context->no_memory && context->log->error_count == 0) return make_scene(context, &root, &data, model);
    carom_model_destroy(model);
    return NULL;
}

static carom_status read_source(crm_scene_context *context, const carom_scene_source *source, carom_scene **out) {
    crm_scene_text text;
    crm_scene_text_start(&text, &context->allocator);
    carom_status status = CAROM_OK;
    if (source->text != NULL) {
        context->span = (crm_scene_span){source->text, strlen(source->text)};
        if (context->span.size > CRM_SCENE_MOST_BYTES) {
            crm_scene_error_at(context, context->file, 0, "",
                               "the text is larger than %d MB; use \"repeat\" for many bodies",
                               CRM_SCENE_MOST_BYTES / (1024 * 1024));
            status = CAROM_ERR_TOO_LARGE;
        }
    } else {
        status = crm_scene_read_file(context, &text);
        if (status == CAROM_OK) context->span = (crm_scene_span){text.bytes.items, (size_t)text.bytes.count - 1};
    }
    if (status == CAROM_OK) {
        json_t *tree = parse(context);
        if (tree != NULL) *out = read_tree(context, source, tree);
        crm_scene_forget_overrides(context);
        json_decref(tree);
        status = context->no_memory ? CAROM_ERR_NO_MEMORY : *out == NULL ? CAROM_ERR_BAD_INPUT : CAROM_OK;
    }
    crm_scene_text_free(&text);
    return status;
}

static carom_status refuse_memory(carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "scene: no memory to read it; free some or use fewer bodies");
}

carom_status carom_scene_read(const carom_scene_source *source, const carom_allocator *allocator, carom_scene **out,
                              carom_scene_messages **messages, carom_error *error) {
    *out = NULL;
    if (messages != NULL) *messages = NULL;
    if (source->file == NULL && source->text == NULL)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "scene: neither a file nor a text is given; set one of them");
    if (source->override_count > 0 && source->overrides == NULL)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "scene: %d overrides are announced, but the list is NULL",
                        source->override_count);
    crm_scene_context context = {.allocator = allocator != NULL ? *allocator : carom_allocator_default(),
                                 .file = source->file != NULL ? source->file : "text"};
    context.log = crm_scene_log_create(&context.allocator);
    if (context.log == NULL) return refuse_memory(error);
    crm_arena_init(&context.arena, &context.allocator);
    carom_status status = read_source(&context, source, out);
    crm_arena_free(&context.arena);

    crm_scene_log_finish(context.log, context.file);
    if (context.log->failed) status = CAROM_ERR_NO_MEMORY;
    if (status == CAROM_ERR_NO_MEMORY) {
        carom_scene_destroy(*out);
        *out = NULL;
        refuse_memory(error);
    } else if (status != CAROM_OK) {
        crm_scene_log_first_error(context.log, status, error);
    }
    if (messages != NULL && status != CAROM_ERR_NO_MEMORY)
        *messages = &context.log->shown;
    else
        crm_scene_log_destroy(context.log);
    return status;
}

void carom_scene_messages_free(carom_scene_messages *messages) {
    crm_scene_log_destroy((crm_scene_log *)(void *)messages); // the first member of its log
}

// ---- asking

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

const char *carom_scene_resolved(const carom_scene *scene) {
    return scene->resolved.bytes.items;
}
