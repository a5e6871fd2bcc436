// SPDX-License-Identifier: MIT
#include "scene/source/override.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text/json_parse.h"
#include "base/text/utf8.h"
#include "scene/source/override_words.h"
#include "scene/write/scene_text.h"

// One step of a path: a key, or an index when the key is NULL.
typedef struct step {
    const char *key;
    int index;
} step;

enum { MOST_STEPS = 16, PATH_SHOWN = 128 };

typedef struct override {
    crm_scene_context *context;
    char path[PATH_SHOWN]; // as given, for messages
    step steps[MOST_STEPS];
    int count;
} override;

static bool refuse(const override *o, const char *sentence) {
    crm_scene_error_at(o->context, "--set", 0, o->path, "%s", sentence);
    return false;
}

static bool no_memory(const override *o) {
    o->context->no_memory = true;
    return false;
}

static char *take_key(const override *o, size_t size) {
    char *key = crm_arena_take(&o->context->arena, size + 1);
    if (key == NULL) o->context->no_memory = true;
    return key;
}

static bool push_step(override *o, step next) {
    if (o->count == MOST_STEPS) return refuse(o, "the path is too deep; no scene has such a place");
    o->steps[o->count++] = next;
    return true;
}

// ---- the path

static bool parse_key(override *o, const char **at) {
    size_t size = strcspn(*at, ".[=");
    if (size == 0) return refuse(o, "a key is missing in the path; write key.key or key[0]");
    char *key = take_key(o, size);
    if (key == NULL) return false;
    memcpy(key, *at, size);
    key[size] = '\0';
    *at += size;
    return push_step(o, (step){.key = key});
}

// ["..."]: a JSON string, for keys with dots, brackets or equal signs in them.
static bool parse_quoted_key(override *o, const char **at) {
    static const char sentence[] = "a key in quotes is not closed; write [\"key\"]";
    const char *open = *at + 1, *close = open + 1;
    while (*close != '\0' && *close != '"') close += *close == '\\' && close[1] != '\0' ? 2 : 1;
    if (close[0] != '"' || close[1] != ']') return refuse(o, sentence);
    crm_json_error why;
    json_t *string = crm_json_parse(open, (size_t)(close + 1 - open), CRM_JSON_ANY_ROOT, &why);
    if (string == NULL) return why.no_memory ? no_memory(o) : refuse(o, "the key in quotes is not a JSON string");
    size_t size = json_string_length(string);
    char *key = take_key(o, size);
    if (key != NULL) memcpy(key, json_string_value(string), size + 1);
    json_decref(string);
    *at = close + 2;
    return key != NULL && push_step(o, (step){.key = key});
}

static bool parse_index(override *o, const char **at) {
    const char *digit = *at + 1;
    int index = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        if (index > (INT_MAX - 9) / 10) return refuse(o, "the index in the path is too large");
        index = 10 * index + (*digit - '0');
    }
    if (digit == *at + 1 || *digit != ']')
        return refuse(o, "brackets in a path hold a whole number or a key in double quotes, as in bodies[0]");
    *at = digit + 1;
    return push_step(o, (step){.index = index});
}

// Leaves `*at` on the value.
static bool parse_path(override *o, const char **at) {
    bool first = true;
    while (**at != '=') {
        if (**at == '\0') return refuse(o, "an override is written path=value; there is no equal sign in this one");
        bool good;
        if (**at == '[') {
            good = (*at)[1] == '"' ? parse_quoted_key(o, at) : parse_index(o, at);
        } else {
            if (!first && **at != '.') return refuse(o, "a dot is missing in the path; write key.key or key[0].key");
            if (!first) (*at)++;
            good = parse_key(o, at);
        }
        if (!good) return false;
        first = false;
    }
    (*at)++;
    return o->count > 0 || refuse(o, "the path is empty; write path=value");
}

// ---- the value

// NULL, with a message, when it is neither JSON nor a bare word.
static json_t *parse_value(const override *o, const char *text) {
    size_t size = strlen(text);
    if (size == 0) {
        refuse(o, "the value is missing; write path=value");
        return NULL;
    }
    crm_json_error why;
    json_t *value = crm_json_parse(text, size, CRM_JSON_ANY_ROOT | CRM_JSON_REALS | CRM_JSON_UNIQUE_KEYS, &why);
    if (value != NULL) return value;
    if (!why.no_memory && strchr("{[\"-+.0123456789", text[0]) == NULL && crm_utf8_is_valid(text, size)) {
        value = json_stringn_nocheck(text, size);
        if (value != NULL) return value;
        why.no_memory = true;
    }
    if (why.no_memory) {
        no_memory(o);
        return NULL;
    }
    char shown[64], sentence[160];
    crm_scene_show(text, size, shown, sizeof shown);
    snprintf(sentence, sizeof sentence, "the value %s is not JSON; give a finite number, a word, [..] or {..}", shown);
    refuse(o, sentence);
    return NULL;
}

// ---- the change

// What a container must be for a step into it, said of the path up to there.
static bool refuse_container(const override *o, int depth, json_t *container, const step *next) {
    char path[CRM_SCENE_PATH_SIZE], sentence[2 * CRM_SCENE_PATH_SIZE + 128];
    crm_json_node nodes[MOST_STEPS + 1] = {crm_scene_root(o->context, NULL)};
    for (int i = 0; i < depth; i++)
        nodes[i + 1] = (crm_json_node){.parent = &nodes[i],
                                       .key = o->steps[i].key,
                                       .key_size = o->steps[i].key != NULL ? strlen(o->steps[i].key) : 0,
                                       .index = o->steps[i].index};
    crm_scene_path(&nodes[depth], path);
    const char *name = depth > 0 ? path : "the scene";
    if (next->key == NULL && json_is_array(container)) {
        int count = (int)json_array_size(container);
        snprintf(sentence, sizeof sentence, "%s has %d item%s, counted from 0; %s[%d] would add one", name, count,
                 count == 1 ? "" : "s", name, count);
    } else if (json_is_array(container)) {
        crm_override_not_an_index(name, container, next->key, sentence, sizeof sentence);
    } else if (json_is_object(container)) {
        snprintf(sentence, sizeof sentence, "%s is an object; choose a member by its key, not by an index", name);
    } else {
        snprintf(sentence, sizeof sentence, "%s has no members, so that nothing in it can be set", name);
    }
    return refuse(o, sentence);
}

static bool accepts(const json_t *container, const step *next) {
    if (next->key != NULL) return json_is_object(container);
    return json_is_array(container) && (size_t)next->index <= json_array_size(container);
}

static json_t *child_of(const json_t *container, const step *next) {
    return next->key != NULL ? json_object_get(container, next->key) : json_array_get(container, (size_t)next->index);
}

// Takes the reference to `value`, also on failure.
static bool put(const override *o, json_t *container, const step *next, json_t *value) {
    if (value == NULL) return no_memory(o);
    int failed;
    if (next->key != NULL)
        failed = json_object_set_new(container, next->key, value);
    else if ((size_t)next->index < json_array_size(container))
        failed = json_array_set_new(container, (size_t)next->index, value);
    else
        failed = json_array_append_new(container, value);
    return failed ? no_memory(o) : true;
}

// Remembers what was set, so that messages about it name the override.
static bool remember(const override *o, json_t *container, const step *next) {
    crm_scene_mark mark = {.container = container, .key = next->key, .index = next->index};
    if (!CRM_ARRAY_PUSH(&o->context->allocator, &o->context->marks, mark)) return no_memory(o);
    json_incref(container);
    return true;
}

// Whether something may be made at step `depth` of the path, which is not there: settings may, also in objects that
// are left out; what has a name or a number among others may not, nor an item beyond the first of an array.
static bool may_be_made(const override *o, int depth, json_t *container) {
    const crm_scene_listing *listing = o->steps[0].key != NULL ? crm_scene_listing_of(o->steps[0].key) : NULL;
    const step *next = &o->steps[depth];
    char sentence[2 * CRM_SCENE_PATH_SIZE];
    sentence[0] = '\0';
    if (listing != NULL && depth == 0 && o->count > 2)
        crm_override_no_listing(listing, sentence, sizeof sentence);
    else if (listing != NULL && depth == 1 && next->key != NULL)
        crm_override_no_name(listing, container, next->key, sentence, sizeof sentence);
    else if (listing != NULL && depth == 1)
        crm_override_no_item(listing, container, sentence, sizeof sentence);
    else if (o->steps[depth + 1].key == NULL && o->steps[depth + 1].index > 0)
        snprintf(sentence, sizeof sentence, "the scene leaves this array out; set all of it, as in [1, 2, 3]");
    return sentence[0] == '\0' || refuse(o, sentence);
}

static bool apply(const override *o, json_t *root, json_t *value) {
    json_t *container = root;
    for (int i = 0; i < o->count - 1; i++) {
        const step *next = &o->steps[i];
        if (!accepts(container, next)) return refuse_container(o, i, container, next);
        json_t *child = child_of(container, next);
        if (child == NULL) {
            if (!may_be_made(o, i, container)) return false;
            child = o->steps[i + 1].key != NULL ? json_object() : json_array();
            if (!put(o, container, next, child) || !remember(o, container, next)) return false;
        }
        container = child;
    }
    const step *last = &o->steps[o->count - 1];
    if (!accepts(container, last)) return refuse_container(o, o->count - 1, container, last);
    return put(o, container, last, json_incref(value)) && remember(o, container, last);
}

void crm_scene_override(crm_scene_context *context, json_t *root, const char *text) {
    override o = {.context = context};
    if (text == NULL) {
        refuse(&o, "an override is missing (NULL)");
        return;
    }
    crm_scene_show(text, strcspn(text, "="), o.path, sizeof o.path);
    const char *at = text;
    if (!parse_path(&o, &at)) return;
    json_t *value = parse_value(&o, at);
    if (value == NULL) return;
    apply(&o, root, value);
    json_decref(value);
}

void crm_scene_forget_overrides(crm_scene_context *context) {
    for (int i = 0; i < context->marks.count; i++) json_decref(context->marks.items[i].container);
    CRM_ARRAY_FREE(&context->allocator, &context->marks);
}
