// SPDX-License-Identifier: MIT
#include "scene/source/scene_source.h"

#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "base/text/json_parse.h"
#include "scene/source/override.h"
#include "scene/source/scene_file.h"
#include "scene/source/syntax.h"
#include "scene/write/scene_text.h"

carom_scene_source carom_scene_source_default(void) {
    return (carom_scene_source){.struct_size = sizeof(carom_scene_source), .limits = carom_limits_default()};
}

// The tree of the text, or NULL: then there are messages, or no memory.
static json_t *parse(crm_scene_context *context) {
    static const char mark[] = "\xef\xbb\xbf"; // a byte-order mark, as some editors leave it
    if (context->span.size >= 3 && memcmp(context->span.text, mark, 3) == 0) {
        context->span.text += 3;
        context->span.size -= 3;
    }
    if (!crm_scene_check_syntax(context)) return NULL;
    crm_json_error why;
    json_t *root = crm_json_parse(context->span.text, context->span.size, CRM_JSON_ANY_ROOT | CRM_JSON_REALS, &why);
    if (root != NULL) return root;
    if (why.no_memory)
        context->no_memory = true;
    else if (context->log->error_count == 0) // a number that is too large has been reported
        crm_scene_error_at(context, context->file, why.line, "", "the text is not valid JSON: %s", why.text);
    return NULL;
}

static bool read_tree(crm_scene_context *context, const carom_scene_source *source, crm_scene_reader *reader,
                      void *out) {
    json_t *tree = parse(context);
    if (tree == NULL) return false;
    if (json_is_object(tree))
        for (int i = 0; i < source->override_count && !context->no_memory; i++)
            crm_scene_override(context, tree, source->overrides[i]);
    crm_json_node root = crm_scene_root(context, tree);
    bool made = !context->no_memory && reader(&root, source, out);
    crm_scene_forget_overrides(context);
    json_decref(tree);
    return made;
}

static carom_status read_text(crm_scene_context *context, const carom_scene_source *source, crm_scene_reader *reader,
                              void *out) {
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
        bool made = read_tree(context, source, reader, out);
        status = context->no_memory ? CAROM_ERR_NO_MEMORY : made ? CAROM_OK : CAROM_ERR_BAD_INPUT;
    }
    crm_scene_text_free(&text);
    return status;
}

static carom_status refuse_memory(carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "scene: no memory to read it; free some or use fewer bodies");
}

carom_status crm_scene_read_source(const carom_scene_source *source, const carom_allocator *allocator,
                                   crm_scene_reader *reader, void *out, carom_scene_messages **messages,
                                   carom_error *error) {
    if (messages != NULL) *messages = NULL;
    carom_status status = CRM_CHECK_STRUCT(source, carom_scene_source, error);
    if (status != CAROM_OK) return status;
    carom_limits limits;
    status = crm_limits_take(&source->limits, carom_limits_default(), &limits, error);
    if (status != CAROM_OK) return status;
    if (source->file == NULL && source->text == NULL)
        return crm_refuse(error, "scene: neither a file nor a text is given; set one of them");
    if (source->override_count > 0 && source->overrides == NULL)
        return crm_refuse(error, "scene: %d overrides are announced, but the list is NULL", source->override_count);
    crm_scene_context context = {.allocator = allocator != NULL ? *allocator : carom_allocator_default(),
                                 .file = source->file != NULL ? source->file : "text",
                                 .is_text = source->text != NULL,
                                 .limits = limits,
                                 .interrupt = source->interrupt};
    context.log = crm_scene_log_create(&context.allocator);
    if (context.log == NULL) return refuse_memory(error);
    crm_arena_init(&context.arena, &context.allocator);
    status = read_text(&context, source, reader, out);
    crm_arena_free(&context.arena);

    crm_scene_log_finish(context.log, context.file);
    if (context.log->failed) status = CAROM_ERR_NO_MEMORY;
    if (status == CAROM_ERR_NO_MEMORY)
        refuse_memory(error);
    else if (status != CAROM_OK)
        crm_scene_log_first_error(context.log, status, error);
    if (messages != NULL && status != CAROM_ERR_NO_MEMORY)
        *messages = &context.log->shown;
    else
        crm_scene_log_destroy(context.log);
    return status;
}
