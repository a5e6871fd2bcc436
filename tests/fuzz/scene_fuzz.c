// SPDX-License-Identifier: MIT
// One input of a fuzzer: any bytes as a scene and as a pair. Nothing may crash or leak, and what is accepted must read
// back.
//
// `make fuzz` gives it to clang's fuzzer; elsewhere tests/fuzz/driver.c feeds it files.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "support/harness/bounded_allocator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Counts that ask for gigabytes are refused by the allocator instead of being tried.
enum { MOST_BYTES = 64 * 1024 * 1024 };

static void check(int holds) {
    if (!holds) abort();
}

static void read_as_pair(const char *text) {
    bounded_allocator bounds = {.most = MOST_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene_pair *pair = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read_pair(&source, &allocator, &pair, &messages, &error);
    check((status == CAROM_OK) == (pair != NULL));
    check((status == CAROM_OK) == (error.text[0] == '\0'));
    check(status != CAROM_ERR_BAD_INPUT || messages->count > 0);
    carom_scene_pair_destroy(pair);
    carom_scene_messages_destroy(messages);
    check(bounds.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    bounded_allocator bounds = {.most = MOST_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.lint = true;
    carom_scene *scene = NULL, *again = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read(&source, &allocator, &scene, &messages, &error);
    check((status == CAROM_OK) == (scene != NULL));
    check((status == CAROM_OK) == (error.text[0] == '\0'));
    check(status != CAROM_ERR_BAD_INPUT || messages->count > 0);
    if (scene != NULL) {
        carom_scene_source resolved = carom_scene_source_default();
        resolved.text = carom_scene_resolved(scene);
        status = carom_scene_read(&resolved, &allocator, &again, NULL, &error);
        check(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
        if (again != NULL) check(strcmp(carom_scene_resolved(again), carom_scene_resolved(scene)) == 0);
    }
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
    carom_scene_messages_destroy(messages);
    check(bounds.used == 0);
    read_as_pair(text);
    free(text);
    return 0;
}
