// SPDX-License-Identifier: MIT
// The method and its settings, by the table of settings (carom/tools.h).
#include <stdio.h>
#include <string.h>

#include "carom/tools.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

enum { MOST_KEYS = 64, MOST_WORDS = 32 };

static bool read_word(const crm_json_node *object, const carom_setting *setting, double *value) {
    const char *words[MOST_WORDS];
    int choice = (int)*value, count = setting->word_count < MOST_WORDS ? setting->word_count : MOST_WORDS;
    for (int i = 0; i < count; i++) words[i] = setting->word(i);
    bool good = crm_scene_read_choice(object, setting->key, words, count, &choice);
    *value = choice;
    return good;
}

static bool read_number(const crm_json_node *object, const carom_setting *setting, double *value) {
    crm_json_node node = crm_scene_member(object, setting->key);
    if (node.value == NULL) return true;
    double x = json_number_value(node.value);
    if (json_is_number(node.value) && carom_setting_allows(setting, x)) {
        *value = x;
        return true;
    }
    char wanted[CAROM_SETTING_TEXT_SIZE], with_unit[CAROM_SETTING_TEXT_SIZE + 32];
    carom_setting_wanted(setting, wanted);
    bool bare = setting->unit[0] == '\0';
    snprintf(with_unit, sizeof with_unit, "%s%s%s%s", wanted, bare ? "" : " (", setting->unit, bare ? "" : ")");
    return crm_scene_needs(&node, with_unit);
}

static bool read_setting(const crm_json_node *object, const carom_setting *setting, carom_method_def *method) {
    double value = carom_setting_get(setting, method);
    bool truth = value != 0.0, good;
    switch (setting->type) {
    case CAROM_SETTING_WORD:
        good = read_word(object, setting, &value);
        break;
    case CAROM_SETTING_TRUTH:
        good = crm_scene_read_bool(object, setting->key, &truth);
        value = truth;
        break;
    default:
        good = read_number(object, setting, &value);
    }
    carom_setting_set(setting, value, method);
    return good;
}

static bool is_of(const carom_setting *setting, const char *group) {
    return strcmp(setting->group, group) == 0;
}

// The keys of a group; those of the method itself are its own settings and then the groups.
static int list_keys(const char *group, const char *keys[MOST_KEYS]) {
    int count = 0;
    for (int i = 0; i < carom_setting_count() && count < MOST_KEYS - 1; i++) {
        const carom_setting *setting = carom_setting_at(i);
        if (is_of(setting, group))
            keys[count++] = setting->key;
        else if (group[0] == '\0' && !is_of(carom_setting_at(i - 1), setting->group))
            keys[count++] = setting->group;
    }
    if (group[0] == '\0') keys[count++] = "steps";
    return count;
}

static bool read_group(const crm_json_node *node, const char *group, const char *what, carom_method_def *method) {
    const char *keys[MOST_KEYS];
    bool good = crm_scene_is_object(node, what, keys, list_keys(group, keys));
    if (!json_is_object(node->value)) return good;
    for (int i = 0; i < carom_setting_count(); i++)
        if (is_of(carom_setting_at(i), group)) good &= read_setting(node, carom_setting_at(i), method);
    return good;
}

bool crm_scene_read_method(const crm_json_node *root, carom_method_def *method) {
    *method = carom_method_def_default();
    crm_json_node node = crm_scene_member(root, "method");
    if (node.value == NULL) return true;
    if (json_is_string(node.value))
        return crm_scene_error(&node, "needs an object for a method, such as {\"name\": \"lcp\"}, not a string");
    bool good = read_group(&node, "", "a method", method);
    if (!json_is_object(node.value)) return good;
    for (int i = 1; i < carom_setting_count(); i++) {
        const char *group = carom_setting_at(i)->group;
        if (is_of(carom_setting_at(i - 1), group)) continue;
        crm_json_node settings = crm_scene_member(&node, group);
        char what[64];
        snprintf(what, sizeof what, "the settings of %s", group);
        if (settings.value != NULL) good &= read_group(&settings, group, what, method);
    }
    return good && crm_scene_read_steps(&node, method);
}
