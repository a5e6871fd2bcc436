// SPDX-License-Identifier: MIT
// Mutated scenes: each is read or refused with a sentence, and nothing crashes or leaks. The mutations depend on a seed
// alone; a failure prints the scene that caused it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "support/harness/bounded_allocator.h"
#include "support/harness/check.h"
#include "support/scene/scene_file.h"

enum { MOST_SEEDS = 17, LONGEST = 16384, MOST_BYTES = 32 * 1024 * 1024 };

// ---- mutations

typedef struct scene_text {
    char bytes[LONGEST + 1];
    size_t size;
} scene_text;

static size_t any_place(crm_random *random, const scene_text *text) {
    return (size_t)crm_random_below(random, text->size);
}

static void replace(scene_text *text, size_t at, size_t cut, const char *put, size_t size) {
    if (cut > text->size - at) cut = text->size - at;
    if (text->size - cut + size > LONGEST) return;
    memmove(text->bytes + at + size, text->bytes + at + cut, text->size - at - cut);
    memcpy(text->bytes + at, put, size);
    text->size += size - cut;
}

static void swap_number(crm_random *random, scene_text *text) {
    static const char *const numbers[] = {
        "0",   "-1",  "1e308",      "-1e308", "5e-324", "1e999", "0.1",   "3",    "1e7", "100000", "1e9",     "-0",
        "1.5", "NaN", "4294967296", "1e-30",  "1e150",  "true",  "\"a\"", "null", "[]",  "{}",     "[1,2,3]", "00"};
    size_t at = any_place(random, text);
    while (at < text->size && strchr("0123456789", text->bytes[at]) == NULL) at++;
    size_t end = at;
    while (end < text->size && strchr("0123456789.e-+", text->bytes[end]) != NULL) end++;
    const char *number = numbers[crm_random_below(random, sizeof numbers / sizeof *numbers)];
    if (end > at) replace(text, at, end - at, number, strlen(number));
}

// Exchanges a quoted word for another one of the same text.
static void swap_word(crm_random *random, scene_text *text) {
    char word[64];
    size_t from = any_place(random, text), to = any_place(random, text);
    while (from < text->size && text->bytes[from] != '"') from++;
    while (to < text->size && text->bytes[to] != '"') to++;
    if (from >= text->size || to >= text->size) return;
    size_t from_size = strcspn(text->bytes + from + 1, "\"") + 2, to_size = strcspn(text->bytes + to + 1, "\"") + 2;
    if (from_size > sizeof word || from + from_size > text->size) return;
    memcpy(word, text->bytes + from, from_size);
    replace(text, to, to_size, word, from_size);
}

static void mutate(crm_random *random, scene_text *text, const scene_text *other) {
    if (text->size == 0) return;
    size_t at = any_place(random, text), size = 1 + (size_t)crm_random_below(random, 40);
    char piece[64];
    switch (crm_random_below(random, 9)) {
    case 0:
        text->bytes[at] = (char)(text->bytes[at] ^ (1 << crm_random_below(random, 8)));
        break;
    case 1:
        replace(text, at, size, "", 0);
        break;
    case 2: // double a piece
        if (size > text->size - at) size = text->size - at;
        memcpy(piece, text->bytes + at, size);
        replace(text, at, 0, piece, size);
        break;
    case 3: // a piece of another scene
        if (other->size > size) replace(text, at, 0, other->bytes + crm_random_below(random, other->size - size), size);
        break;
    case 4:
        piece[0] = "{}[]\",:\\ -\n*."[crm_random_below(random, 13)];
        replace(text, at, crm_random_below(random, 2), piece, 1);
        break;
    case 5:
        if (crm_random_below(random, 20) == 0) text->size = at;
        break;
    case 6:
        swap_word(random, text);
        break;
    default:
        swap_number(random, text);
    }
    text->bytes[text->size] = '\0';
}

// ---- running

static int load_seeds(scene_text *seeds) {
    static const char *const files[] = {"tests/scene/good/everything.json",
                                        "scenes/projectile-drag.json",
                                        "scenes/tumbling-block.json",
                                        "scenes/two-charges.json",
                                        "tests/scene/broken/forces.json",
                                        "tests/scene/broken/shapes.json",
                                        "tests/scene/broken/repeat.json",
                                        "tests/scene/broken/names.json",
                                        "tests/scene/broken/joints.json",
                                        "scenes/four-bar.json",
                                        "scenes/tree-and-loop.json",
                                        "tests/fuzz/seeds/scene/flexible.json",
                                        "tests/scene/broken/flexible.json",
                                        "tests/scene/broken/meshes.json",
                                        "tests/scene/broken/elastic.json",
                                        "tests/scene/good/plan.json",
                                        "tests/scene/broken/plan-conditions.json"};
    int count = 0;
    for (int i = 0; i < MOST_SEEDS; i++) {
        char path[512];
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/%s", files[i]);
        size_t size = 0;
        char *bytes = read_test_file(path, &size);
        if (CHECK(bytes != NULL) && CHECK(size <= LONGEST)) {
            memcpy(seeds[count].bytes, bytes, size + 1);
            seeds[count++].size = size;
        }
        free(bytes);
    }
    return count;
}

// One scene, with an override or without (NULL). False when a check failed.
static bool run_one(const char *text, const char *override, bool *accepted) {
    bounded_allocator bounds = {.most = MOST_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.lint = true;
    source.override_count = override != NULL;
    source.overrides = &override;
    carom_scene *scene = NULL, *again = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read(&source, &allocator, &scene, &messages, &error);
    *accepted = status == CAROM_OK;
    bool good = CHECK((status == CAROM_OK) == (scene != NULL));
    good &= CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    good &= CHECK(status == CAROM_OK || status == CAROM_ERR_BAD_INPUT || status == CAROM_ERR_NO_MEMORY);
    if (status == CAROM_ERR_BAD_INPUT) good &= CHECK(messages->count > 0);
    if (scene != NULL) {
        carom_scene_source resolved = carom_scene_source_default();
        resolved.text = carom_scene_resolved(scene);
        status = carom_scene_read(&resolved, &allocator, &again, NULL, &error);
        if (status != CAROM_ERR_NO_MEMORY) good &= CHECK_TEXT(error.text, "");
        if (again != NULL) good &= CHECK(strcmp(carom_scene_resolved(again), carom_scene_resolved(scene)) == 0);
    }
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
    carom_scene_messages_destroy(messages);
    return good & CHECK_INT(bounds.used, 0);
}

static void run(int count, uint64_t seed) {
    static scene_text seeds[MOST_SEEDS], text, override;
    static const char *const overrides[] = {"bodies[0].mass=2", "method.name=euler", "materials[\"x\"].friction=0.5",
                                            "forces[0]={\"kind\": \"drag\", \"body\": \"ball\"}"};
    int seed_count = load_seeds(seeds);
    if (seed_count < MOST_SEEDS) return;
    int accepted = 0;
    for (int i = 0; i < count; i++) {
        crm_random random = {.seed = seed, .stream = (uint32_t)i};
        text = seeds[crm_random_below(&random, (uint64_t)seed_count)];
        const scene_text *other = &seeds[crm_random_below(&random, (uint64_t)seed_count)];
        for (uint64_t n = 1 + crm_random_below(&random, 4); n > 0; n--) mutate(&random, &text, other);
        bool with_override = crm_random_below(&random, 4) == 0, good_scene;
        const char *given = overrides[crm_random_below(&random, 4)];
        override.size = strlen(given);
        memcpy(override.bytes, given, override.size + 1);
        mutate(&random, &override, other);
        if (!run_one(text.bytes, with_override ? override.bytes : NULL, &good_scene)) {
            fprintf(stderr, "scene %d of seed %llu:\n%s\n", i, (unsigned long long)seed, text.bytes);
            return;
        }
        accepted += good_scene;
    }
    // Mutations that never leave a good scene would not reach the model.
    CHECK(accepted > count / 100);
    printf("%d of %d mutated scenes were accepted\n", accepted, count);
}

TEST(thousands_of_mutated_scenes) {
    run(20000, 1);
}

// Half a minute.
TEST(two_hundred_thousand_mutated_scenes) {
    run(200000, 2);
}

TEST_MAIN(CASE(thousands_of_mutated_scenes), LONG_CASE(two_hundred_thousand_mutated_scenes))
