// SPDX-License-Identifier: MIT
// Changes of JSON that leave it JSON: numbers, words and keys exchanged, members and items added, copied and
// left out. One in eight is a change of bytes, so that readers of text get their share.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_parse.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutate/pool.h"

// ---- any place of a tree

typedef struct place {
    json_t *parent; // NULL: the root
    const char *key;
    size_t index;
    json_t *value;
} place;

static uint64_t count_places(const json_t *value) {
    uint64_t count = 1;
    const char *key;
    size_t i;
    json_t *item;
    json_array_foreach(value, i, item) count += count_places(item);
    json_object_foreach((json_t *)value, key, item) count += count_places(item);
    return count;
}

// Counts `*left` down through the tree; true where it ends.
static bool find_place(place here, uint64_t *left, place *out) {
    if ((*left)-- == 0) {
        *out = here;
        return true;
    }
    const char *key;
    size_t i;
    json_t *item;
    json_array_foreach(here.value, i, item) {
        if (find_place((place){here.value, NULL, i, item}, left, out)) return true;
    }
    json_object_foreach(here.value, key, item) {
        if (find_place((place){here.value, key, 0, item}, left, out)) return true;
    }
    return false;
}

static place any_place(json_t *root, crm_random *random) {
    place found = {.value = root};
    uint64_t left = crm_random_below(random, count_places(root));
    find_place((place){.value = root}, &left, &found);
    return found;
}

static void put(const place *at, json_t *value) {
    if (at->parent == NULL)
        json_decref(value);
    else if (at->key != NULL)
        json_object_set_new(at->parent, at->key, value);
    else
        json_array_set_new(at->parent, at->index, value);
}

// ---- changes

static json_t *any_number(const json_t *old, crm_random *random) {
    double value = json_number_value(old);
    switch (crm_random_below(random, 5)) {
    case 0:
        return json_real(-value);
    case 1:
        return json_real(isfinite(value * 1000.0) ? value * 1000.0 : 0.0);
    case 2:
        return json_integer((json_int_t)crm_random_below(random, 20) - 3);
    default: {
        double number = strtod(fuzz_number(random), NULL);
        if (!isfinite(number)) number = 1.7e308;
        return number == floor(number) && fabs(number) < 1e9 ? json_integer((json_int_t)number) : json_real(number);
    }
    }
}

static json_t *any_value(const json_t *old, json_t *root, crm_random *random) {
    const char *key;
    json_t *member;
    switch (crm_random_below(random, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(crm_random_below(random, 2) == 0);
    case 2:
        return json_string(pool_word(random));
    case 3:
        return json_pack("[o]", json_deep_copy(old));
    case 4:
        return json_deep_copy(any_place(root, random).value);
    case 5:
        member = pool_member(random, &key);
        return member != NULL ? json_deep_copy(member) : json_array();
    default:
        return any_number(old, random);
    }
}

static void add_member(json_t *object, json_t *root, crm_random *random) {
    const char *key = NULL;
    json_t *value = pool_member(random, &key);
    if (value != NULL && crm_random_below(random, 4) > 0)
        json_object_set_new(object, key, json_deep_copy(value));
    else if ((key = pool_key(random)) != NULL)
        json_object_set_new(object, key, any_value(object, root, random));
}

static void add_item(json_t *array, json_t *root, crm_random *random) {
    size_t count = json_array_size(array);
    json_t *item = count > 0 && crm_random_below(random, 3) > 0
                       ? json_deep_copy(json_array_get(array, (size_t)crm_random_below(random, count)))
                       : any_value(array, root, random);
    json_array_insert_new(array, (size_t)crm_random_below(random, count + 1), item);
}

static void leave_out(const place *at) {
    if (at->parent == NULL) return;
    if (at->key != NULL)
        json_object_del(at->parent, at->key);
    else
        json_array_remove(at->parent, at->index);
}

// By a copy, as one may lie inside the other.
static void repeat_elsewhere(json_t *root, crm_random *random) {
    place from = any_place(root, random), to = any_place(root, random);
    put(&to, json_deep_copy(from.value));
}

static void rename_key(const place *at, crm_random *random) {
    const char *key = pool_key(random);
    if (at->key == NULL || key == NULL) return;
    json_t *value = json_incref(at->value);
    json_object_del(at->parent, at->key);
    json_object_set_new(at->parent, key, value);
}

static void change(json_t *root, crm_random *random) {
    place at = any_place(root, random);
    if (json_is_number(at.value) && crm_random_below(random, 2) == 0) {
        put(&at, any_number(at.value, random));
        return;
    }
    if (json_is_string(at.value) && crm_random_below(random, 2) == 0) {
        put(&at, json_string(pool_word(random)));
        return;
    }
    switch (crm_random_below(random, 6)) {
    case 0:
        put(&at, any_value(at.value, root, random));
        break;
    case 1:
        leave_out(&at);
        break;
    case 2:
        rename_key(&at, random);
        break;
    case 3:
        repeat_elsewhere(root, random);
        break;
    default:
        if (json_is_object(at.value)) add_member(at.value, root, random);
        if (json_is_array(at.value)) add_item(at.value, root, random);
        break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    crm_random random = {.seed = seed, .stream = 1};
    crm_json_error why;
    json_t *root = crm_random_below(&random, 8) > 0 ? crm_json_parse((char *)data, size, 0, &why) : NULL;
    if (root == NULL) return LLVMFuzzerMutate(data, size, most);
    for (uint64_t changes = 1 + crm_random_below(&random, 4); changes > 0; changes--) change(root, &random);
    size_t needed = json_dumpb(root, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (needed > 0 && needed <= most)
        size = json_dumpb(root, (char *)data, most, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    return size;
}
