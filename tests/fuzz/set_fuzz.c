// SPDX-License-Identifier: MIT
// Any lines as values of --set for a scene that has one of most things.
#include <string.h>

#include "carom/carom.h"
#include "fuzz/reading.h"

enum { MOST_LINES = 32 };

static const char scene_text[] =
    "{\"carom\": 1, \"until\": 0.1, \"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"b\": {\"kind\": "
    "\"box\", \"size\": [1, 2, 3]}}, \"materials\": {\"ice\": {\"friction\": 0.1}}, \"bodies\": [{\"name\": \"a\", "
    "\"shape\": \"s\", \"mass\": 1, \"position\": [0, 0, 1]}, {\"name\": \"b\", \"shape\": \"b\", \"density\": 100}], "
    "\"joints\": [{\"kind\": \"hinge\", \"a\": \"a\", \"b\": \"b\", \"point\": [0, 0, 0.5], \"axis\": [1, 0, 0]}], "
    "\"forces\": [{\"kind\": \"spring\", \"a\": \"a\", \"b\": \"b\", \"stiffness\": 10}], \"method\": {\"name\": "
    "\"lcp\", \"step\": 0.01}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reading r;
    fuzz_reading_begin(&r, data, size);
    char *rest = NULL;
    const char *lines[MOST_LINES];
    r.source.text = scene_text;
    r.source.overrides = lines;
    for (char *line = strtok_r(r.text, "\n", &rest); line != NULL && r.source.override_count < MOST_LINES;
         line = strtok_r(NULL, "\n", &rest))
        lines[r.source.override_count++] = line;
    carom_scene *scene = NULL;
    carom_status status = carom_scene_read(&r.source, &r.allocator, &scene, &r.messages, &r.error);
    fuzz_reading_check(&r, status, scene != NULL);
    carom_scene_destroy(scene);
    fuzz_reading_end(&r);
    return 0;
}
