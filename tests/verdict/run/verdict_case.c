// SPDX-License-Identifier: MIT
#include "verdict/run/verdict_case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"

char *scene_text(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\'') *c = '"';
    return text;
}

static verdict_case *add_case(case_list *list) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        list->of = realloc(list->of, (size_t)list->capacity * sizeof *list->of);
        assert_non_null(list->of);
    }
    verdict_case *c = &list->of[list->count++];
    *c = (verdict_case){.name = ""};
    return c;
}

// One case for each name in `methods`.
static void add_methods(case_list *list, const char *name, const char *kind, const char *methods, const char *text) {
    for (const char *at = methods; *at != '\0';) {
        size_t length = strcspn(at, " ");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        carom_method method;
        assert_true(carom_method_find(word, &method));
        verdict_case *c = add_case(list);
        snprintf(c->name, sizeof c->name, "%s", name);
        c->kind = kind;
        c->method = carom_method_name(method);
        c->text = strdup(text);
        at += length;
        at += strspn(at, " ");
    }
}

static bool bodies_can_meet(const carom_model *model) {
    int count = carom_model_body_count(model);
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            if (carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) return true;
    return false;
}

// Whether the method can have all that the scene has, contact included.
static bool takes(const char *text, const char *method) {
    char name[64];
    snprintf(name, sizeof name, "method.name=%s", method);
    const char *overrides[] = {name};
    carom_scene_source source = carom_scene_source_default();
    source.file = "scene";
    source.text = text;
    source.override_count = 1;
    source.overrides = overrides;
    carom_scene *scene = NULL;
    bool good = carom_scene_read(&source, NULL, &scene, NULL, NULL) == CAROM_OK;
    good = good && carom_method_supports(carom_scene_model(scene), carom_scene_method(scene), NULL) == CAROM_OK;
    good = good &&
           (carom_method_has_contact(carom_scene_method(scene)->method) || !bodies_can_meet(carom_scene_model(scene)));
    carom_scene_destroy(scene);
    return good;
}

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ' || at[-1] == '-') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

// "*" stands for all methods that take the scene, less those that follow it.
static void add_scene(case_list *list, const char *name, const char *kind, const char *methods, const char *text) {
    if (methods[0] != '*') {
        add_methods(list, name, kind, methods, text);
        return;
    }
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) {
        const char *method = carom_method_name((carom_method)i);
        if (!has_word(methods, method) && takes(text, method)) add_methods(list, name, kind, method, text);
    }
}

void add_wrong(case_list *list, const char *name, const char *kind, const char *methods, char *text) {
    add_scene(list, name, kind, methods, text);
    free(text);
}

void add_right(case_list *list, const char *name, const char *kind, const char *methods, char *text) {
    add_scene(list, name, kind, methods, text);
    free(text);
}

void add_analytic(case_list *list, const char *name, const char *methods, carom_vec3 end, double allowed, char *text) {
    int first = list->count;
    add_right(list, name, "analytic", methods, text);
    for (int i = first; i < list->count; i++) list->of[i].end = end, list->of[i].allowed = allowed;
}

void case_list_free(case_list *list) {
    for (int i = 0; i < list->count; i++) free(list->of[i].text);
    free(list->of);
    *list = (case_list){0};
}

case_list wrong_cases(void) {
    case_list list = {0};
    add_wrong_files(&list);
    add_wrong_joints(&list);
    add_wrong_forces(&list);
    add_wrong_contacts(&list);
    add_wrong_units(&list);
    return list;
}

case_list right_cases(void) {
    case_list list = {0};
    add_gallery(&list);
    add_analytic_flight(&list);
    add_analytic_joints(&list);
    add_analytic_contacts(&list);
    add_random(&list);
    return list;
}
