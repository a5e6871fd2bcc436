// SPDX-License-Identifier: MIT
#include "study/method_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/tools.h"
#include "verb/verb.h"

static bool is_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0';
}

static int keep_step(const char *text, method_choice *choice) {
    double step;
    if (!is_number(text, &step) || !(step > 0.0) || !isfinite(step))
        return refuse("%s: the step '%s' must be a positive number of seconds", choice->title, text);
    if (choice->step > 0.0) return refuse("%s: has two steps; give one", choice->title);
    choice->step = step;
    return EXIT_GOOD;
}

// One setting after a colon. Overrides are written to *memory, which has room for them.
static int keep_setting(const char *setting, method_choice *choice, char **memory) {
    double number;
    const char *variant_key = carom_method_variant_key(choice->method), *equals = strchr(setting, '=');
    if (strncmp(setting, "step=", 5) == 0) return keep_step(setting + 5, choice);
    if (is_number(setting, &number)) return keep_step(setting, choice);
    if (strncmp(setting, "name=", 5) == 0 || equals == setting || setting[0] == '\0')
        return refuse("%s: '%s' is no setting; give a form, KEY=VALUE or a step", choice->title, setting);
    if (equals == NULL && variant_key == NULL)
        return refuse("%s: the method %s has no forms to choose from; leave ':%s' out", choice->title,
                      carom_method_name(choice->method), setting);
    choice->overrides.items[choice->overrides.count++] = *memory;
    *memory += 1 + (equals == NULL ? sprintf(*memory, "method.%s=%s", variant_key, setting)
                                   : sprintf(*memory, "method.%s", setting));
    return EXIT_GOOD;
}

static int refuse_method(const char *name) {
    const char *names[CAROM_METHOD_COUNT + 1] = {NULL};
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) names[i] = carom_method_name((carom_method)i);
    return refuse_unknown("method", name, names);
}

// Reads the pieces of a word, which the colons in it are made the ends of. Texts that stay go to *memory.
static int read_pieces(char *pieces, method_choice *out, char *memory) {
    char *colon = strchr(pieces, ':');
    if (colon != NULL) *colon = '\0';
    if (!carom_method_find(pieces, &out->method)) return refuse_method(pieces);
    out->overrides.items[out->overrides.count++] = memory;
    memory += 1 + sprintf(memory, "method.name=%s", pieces);
    int code = EXIT_GOOD;
    while (code == EXIT_GOOD && colon != NULL) {
        char *piece = colon + 1;
        colon = strchr(piece, ':');
        if (colon != NULL) *colon = '\0';
        code = keep_setting(piece, out, &memory);
    }
    return code;
}

int read_method(const char *word, method_choice *out) {
    *out = (method_choice){.title = word};
    size_t length = strlen(word), count = 1;
    for (const char *c = word; *c != '\0'; c++) count += *c == ':';
    // The title, and an override for each piece: the piece, with "method." and a key of at most 32 bytes before it.
    enum { LONGEST_KEY = 32 };
    char *pieces = strdup(word);
    out->memory = malloc(2 * (length + 1) + count * (sizeof "method.=" + LONGEST_KEY));
    out->overrides.items = calloc(count, sizeof *out->overrides.items);
    int code = EXIT_GOOD;
    if (pieces == NULL || out->memory == NULL || out->overrides.items == NULL) {
        code = refuse_memory("the list of methods");
    } else {
        out->title = memcpy(out->memory, word, length + 1);
        code = read_pieces(pieces, out, out->memory + length + 1);
    }
    free(pieces);
    return code;
}

void free_method(method_choice *choice) {
    free(choice->memory);
    free(choice->overrides.items);
    *choice = (method_choice){.memory = NULL};
}

static int read_all_methods(method_list *out) {
    int code = EXIT_GOOD;
    for (int i = 0; i < CAROM_METHOD_COUNT && code == EXIT_GOOD; i++) {
        method_choice *choice = &out->items[out->count++];
        code = read_method(carom_method_name((carom_method)i), choice);
        choice->unnamed = true;
    }
    return code;
}

int read_methods(const char *words, method_list *out) {
    size_t count = words == NULL ? CAROM_METHOD_COUNT : 1;
    for (const char *c = words; c != NULL && *c != '\0'; c++) count += *c == ',';
    *out = (method_list){.items = calloc(count, sizeof *out->items)};
    if (out->items == NULL) return refuse_memory("the list of methods");
    if (words == NULL) return read_all_methods(out);
    char *copy = strdup(words), *word = copy;
    if (copy == NULL) return refuse_memory("the list of methods");
    int code = EXIT_GOOD;
    while (code == EXIT_GOOD && word != NULL) {
        char *comma = strchr(word, ',');
        if (comma != NULL) *comma = '\0';
        code = read_method(word, &out->items[out->count++]);
        word = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return code;
}

void free_methods(method_list *list) {
    for (int i = 0; i < list->count; i++) free_method(&list->items[i]);
    free(list->items);
    *list = (method_list){.count = 0};
}
