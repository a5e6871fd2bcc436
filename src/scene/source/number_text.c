// SPDX-License-Identifier: MIT
#include "scene/source/number_text.h"

#include <string.h>

#include "scene/read/fields.h"
#include "scene/source/scene_file.h"

static const char blanks[] = " \t\r\n,";

bool crm_scene_load_numbers(const crm_json_node *node, const char *name, const char *instead, crm_scene_text *text) {
    const char *given = json_string_value(node->value);
    crm_scene_text_start(text, &node->context->allocator);
    if (given == NULL) return crm_scene_needs(node, "the name of a file beside the scene");
    if (node->context->is_text)
        return crm_scene_error(node, "a scene that is no file has no folder to look in; give %s instead", instead);
    carom_error error;
    carom_status status = crm_scene_load_beside(node->context->file, name, text, &error);
    if (status == CAROM_ERR_NO_MEMORY)
        node->context->no_memory = true;
    else if (status != CAROM_OK)
        crm_scene_error(node, "%s%s%s", strcmp(name, given) == 0 ? "" : name, strcmp(name, given) == 0 ? "" : ": ",
                        error.text);
    return status == CAROM_OK;
}

bool crm_scene_next_number(const crm_json_node *node, const char **at, int *line, double *out) {
    for (; **at != '\0' && (strchr(blanks, **at) != NULL || **at == '#'); ++*at) {
        if (**at == '#') *at += strcspn(*at, "\n");
        if (**at == '\0') return false;
        if (**at == '\n') ++*line;
    }
    if (**at == '\0') return false;
    size_t size = strcspn(*at, " \t\r\n,#");
    json_t *value = json_loadb(*at, size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    bool good = json_is_number(value);
    *out = json_number_value(value);
    json_decref(value);
    // Not what is there instead: the file may be none that its owner would show.
    if (!good) crm_scene_error(node, "line %d of the file has something else where a number is needed", *line);
    *at += size;
    return good;
}
