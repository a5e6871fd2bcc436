// SPDX-License-Identifier: MIT
#include "scene/source/override_words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene_names.h"
#include "scene/write/scene_text.h"

enum { NAME_SHOWN = 64 };

static const crm_scene_listing listings[] = {
    {"bodies", "body", false},  {"flexible", "flexible body", false},           {"joints", "joint", false},
    {"forces", "force", false}, {"material_pairs", "pair of materials", false}, {"materials", "material", true},
    {"shapes", "shape", true},
};

const crm_scene_listing *crm_scene_listing_of(const char *key) {
    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++)
        if (strcmp(listings[i].key, key) == 0) return &listings[i];
    return NULL;
}

// The nearest of names that come one by one.
typedef struct search {
    const char *word, *nearest;
    int least, index;
} search;

static void look_at(search *s, const char *name, int index) {
    int distance = crm_scene_edit_distance(s->word, name);
    if (distance >= s->least) return;
    *s = (search){s->word, name, distance, index};
}

static bool is_found(const search *s) {
    return s->nearest != NULL && crm_scene_is_near(s->word, s->least);
}

// "a, b, c", cut where the room ends.
static void list_keys(json_t *object, char *out, size_t size) {
    size_t used = 0;
    const char *key;
    json_t *value;
    out[0] = '\0';
    json_object_foreach(object, key, value) {
        char shown[NAME_SHOWN];
        crm_scene_show(key, strlen(key), shown, sizeof shown);
        if (used + strlen(shown) + 8 > size) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", shown);
    }
}

void crm_override_no_listing(const crm_scene_listing *listing, char *out, size_t size) {
    snprintf(out, size, "the scene has no %s that could be changed; to add one, set all of it: %s%s={..}", listing->key,
             listing->key, listing->by_name ? ".NAME" : "[0]");
}

void crm_override_no_name(const crm_scene_listing *listing, json_t *object, const char *name, char *out, size_t size) {
    search s = {.word = name, .least = INT_MAX};
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) look_at(&s, key, 0);
    char shown[NAME_SHOWN], near[NAME_SHOWN], all[160];
    crm_scene_show(name, strlen(name), shown, sizeof shown);
    list_keys(object, all, sizeof all);
    if (is_found(&s)) {
        crm_scene_show(s.nearest, strlen(s.nearest), near, sizeof near);
        snprintf(out, size, "the scene has no %s \"%s\"; did you mean \"%s\"?", listing->one, shown, near);
    } else if (all[0] == '\0') {
        crm_override_no_listing(listing, out, size);
    } else {
        snprintf(out, size, "the scene has no %s \"%s\"; it has %s", listing->one, shown, all);
    }
}

void crm_override_no_item(const crm_scene_listing *listing, json_t *array, char *out, size_t size) {
    int count = (int)json_array_size(array);
    if (count == 0)
        crm_override_no_listing(listing, out, size);
    else
        snprintf(out, size, "the scene has %d %s, the last is %s[%d]; to add one, set all of it: %s[%d]={..}", count,
                 count == 1 ? listing->one : listing->key, listing->key, count - 1, listing->key, count);
}

void crm_override_not_an_index(const char *path, json_t *array, const char *name, char *out, size_t size) {
    search s = {.word = name, .least = INT_MAX};
    size_t index;
    json_t *item;
    json_array_foreach(array, index, item) {
        const char *its = json_string_value(json_object_get(item, "name"));
        if (its != NULL) look_at(&s, its, (int)index);
    }
    char shown[NAME_SHOWN];
    if (s.nearest != NULL) crm_scene_show(s.nearest, strlen(s.nearest), shown, sizeof shown);
    if (s.nearest != NULL && s.least == 0)
        snprintf(out, size, "%s is an array; \"%s\" is %s[%d]", path, shown, path, s.index);
    else if (is_found(&s))
        snprintf(out, size, "%s is an array; did you mean \"%s\", which is %s[%d]?", path, shown, path, s.index);
    else
        snprintf(out, size, "%s is an array; choose an item by its number, as in %s[0]", path, path);
}
