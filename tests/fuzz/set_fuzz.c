// SPDX-License-Identifier: MIT
// Any lines as values of --set for a scene that has one of most things.
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "support/harness/bounded_allocator.h"

enum { MOST_LINES = 32 };

static const char scene_text[] =
    "{\"carom\": 1, \"until\": 0.1, \"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"b\": {\"kind\": "
    "\"box\", \"size\": [1, 2, 3]}}, \"materials\": {\"ice\": {\"friction\": 0.1}}, \"bodies\": [{\"name\": \"a\", "
    "\"shape\": \"s\", \"mass\": 1, \"position\": [0, 0, 1]}, {\"name\": \"b\", \"shape\": \"b\", \"density\": 100}], "
    "\"joints\": [{\"kind\": \"hinge\", \"a\": \"a\", \"b\": \"b\", \"point\": [0, 0, 0.5], \"axis\": [1, 0, 0]}], "
    "\"forces\": [{\"kind\": \"spring\", \"a\": \"a\", \"b\": \"b\", \"stiffness\": 10}], \"method\": {\"name\": "
    "\"lcp\", \"step\": 0.01}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *rest = NULL;
    const char *lines[MOST_LINES];
    carom_scene_source source = carom_scene_source_default();
    source.text = scene_text;
    source.overrides = lines;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && source.override_count < MOST_LINES;
         line = strtok_r(NULL, "\n", &rest))
        lines[source.override_count++] = line;
    bounded_allocator bounds = {.most = FUZZ_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read(&source, &allocator, &scene, &messages, &error);
    FUZZ_CHECK((status == CAROM_OK) == (scene != NULL));
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    FUZZ_CHECK(status != CAROM_ERR_BAD_INPUT || messages->count > 0);
    carom_scene_destroy(scene);
    carom_scene_messages_destroy(messages);
    FUZZ_CHECK(bounds.used == 0);
    free(text);
    return 0;
}
