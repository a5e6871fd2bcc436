// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // scandir
#include "fuzz/mutate/pool.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8192, MOST_TREES = 1024, LARGEST_FILE = 20000 };

typedef struct pool_data {
    bool filled;
    const char *key[MOST], *word[MOST], *member_key[MOST];
    json_t *member[MOST];
    json_t *tree[MOST_TREES]; // all of them, for good: what is in the pool points into them
    int keys, words, members, trees;
} pool_data;

static pool_data pool;

static void take(json_t *value, bool schema) {
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_string(value) && pool.words < MOST) pool.word[pool.words++] = json_string_value(value);
    json_array_foreach(value, i, item) take(item, schema);
    json_object_foreach(value, key, item) {
        if (pool.keys < MOST) pool.key[pool.keys++] = key;
        if (!schema && pool.members < MOST) {
            pool.member_key[pool.members] = key;
            pool.member[pool.members++] = item;
        }
        take(item, schema);
    }
}

static void take_file(const char *path, bool schema) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return;
    fseek(file, 0, SEEK_END);
    json_t *tree = NULL;
    if (schema || ftell(file) <= LARGEST_FILE) tree = (rewind(file), json_loadf(file, 0, NULL));
    fclose(file);
    if (tree == NULL || pool.trees == MOST_TREES) {
        json_decref(tree);
        return;
    }
    pool.tree[pool.trees++] = tree;
    take(tree, schema);
}

static int is_json(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".json") == 0;
}

static void take_folder(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_json, alphasort);
    for (int i = 0; i < count; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        take_file(path, false);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

static void fill(void) {
    if (pool.filled) return;
    pool.filled = true;
    char folders[] = FUZZ_FOLDERS;
    for (char *rest = NULL, *folder = strtok_r(folders, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest))
        take_folder(folder);
    take_file(CAROM_SOURCE_DIR "/docs/scene.schema.json", true);
}

const char *pool_key(crm_random *random) {
    fill();
    return pool.keys > 0 ? pool.key[crm_random_below(random, (uint64_t)pool.keys)] : NULL;
}

const char *pool_word(crm_random *random) {
    fill();
    return pool.words > 0 ? pool.word[crm_random_below(random, (uint64_t)pool.words)] : NULL;
}

json_t *pool_member(crm_random *random, const char **key) {
    fill();
    if (pool.members == 0) return NULL;
    int at = (int)crm_random_below(random, (uint64_t)pool.members);
    *key = pool.member_key[at];
    return pool.member[at];
}
