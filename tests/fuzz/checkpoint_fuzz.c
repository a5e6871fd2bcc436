// SPDX-License-Identifier: MIT
// Saved states with any changes and right digests: refused with a sentence, or loaded and stepped. An input is a line a
// change, after the number of a scene:
//
//   SCENE
//   OFFSET KIND VALUE      kind 0: a byte, 1: 4 bytes, 2: 8 bytes, 3: a double, 4: the state ends here
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "fuzz/saved_bytes.h"

#define SHAPES                                                                                                        \
    "\"shapes\": {\"b\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}, \"p\": {\"kind\": \"prism\", \"sides\": 5, " \
    "\"radius\": 0.1, \"height\": 0.2}, \"e\": {\"kind\": \"ellipsoid\", \"half_axes\": [0.1, 0.12, 0.15]}, \"g\": "  \
    "{\"kind\": \"half_space\", \"normal\": [0, 0, 1]}}"
#define BODIES                                                                                                        \
    "\"bodies\": [{\"name\": \"g\", \"kind\": \"fixed\", \"shape\": \"g\"}, {\"name\": \"b\", \"shape\": \"b\", "     \
    "\"density\": 500, \"position\": [0, 0, 0.1]}, {\"name\": \"p\", \"shape\": \"p\", \"density\": 500, "            \
    "\"position\": "                                                                                                  \
    "[0, 0, 0.301], \"spin\": [0, 0, 1]}, {\"name\": \"e\", \"shape\": \"e\", \"density\": 500, \"position\": [0.5, " \
    "0, "                                                                                                             \
    "0.152]}]"
#define SCENE(method, more) "{\"carom\": 1, " SHAPES ", " BODIES ", \"method\": {" method "}" more "}"
#define SOFT                                                                                                           \
    ", \"materials\": {\"gel\": {\"elastic\": {\"young\": 2e4, \"poisson\": 0.3, \"density\": 1000}}}, \"flexible\": " \
    "[{\"name\": \"f\", \"mesh\": {\"kind\": \"box\", \"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}, "              \
    "\"material\": "                                                                                                   \
    "\"gel\", \"position\": [1, 0, 0.05], \"stretch\": [1.1, 1, 1], \"spin\": [0, 0, 1]}]"
// One opens in the first step, one has opened and closes again.
#define LATCHES                                                                                                      \
    "\"joints\": [{\"kind\": \"hinge\", \"a\": \"p\", \"b\": \"e\", \"point\": [0.3, 0, 0.3], \"axis\": [0, 1, 0], " \
    "\"break_force\": 1e-3}, {\"kind\": \"ball\", \"a\": \"world\", \"b\": \"b\", \"point_a\": [0, 0, 0.1], "        \
    "\"point_b\": [0, 0, 0], \"latch\": "                                                                            \
    "{\"distance\": 0.01}, \"break_force\": 1e6}]"

static const char *const scenes[] = {
    SCENE("\"name\": \"lcp\"",
          ", \"joints\": [{\"kind\": \"hinge\", \"a\": \"p\", \"b\": \"e\", \"point\": [0.3, 0, 0.3], "
          "\"axis\": [0, 1, 0], \"coordinates\": [{\"lower\": -1, \"upper\": 1}]}]"),
    SCENE("\"name\": \"lcp\"", ""),
    SCENE("\"name\": \"dcr\"", ""),
    SCENE("\"name\": \"impulse\", \"step\": 5e-4", ""),
    SCENE("\"name\": \"impulse\", \"impulse\": {\"variant\": \"fixed\"}", ""),
    SCENE("\"name\": \"penalty\"", ""),
    SCENE("\"name\": \"potential\", \"step\": 1e-4", ""),
    SCENE("\"name\": \"exact\"", ", \"gravity\": [0, 0, 0]"),
    SCENE("\"name\": \"newmark\", \"step\": 3e-4", SOFT),
    SCENE("\"name\": \"lcp\"", SOFT ", " LATCHES),
    SCENE("\"name\": \"reduced\"", ", \"gravity\": [0, 0, -1], " LATCHES),
    "{\"carom\": 1, \"method\": {\"name\": \"variational\"}" SOFT "}",
};
enum { SCENES = sizeof scenes / sizeof scenes[0], WARM_STEPS = 12 };

// A state after some steps, and its bytes; made once, kept for good.
typedef struct base_state {
    carom_scene *scene;
    unsigned char *bytes;
    size_t size;
    saved_digests digests;
} base_state;

static void make(base_state *base, const char *text) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_error error = {.text = ""};
    carom_state *state = NULL;
    if (carom_scene_read(&source, NULL, &base->scene, NULL, &error) != CAROM_OK ||
        carom_state_create(carom_scene_model(base->scene), carom_scene_method(base->scene), &state, &error) !=
            CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    carom_step_report report;
    for (int i = 0; i < WARM_STEPS; i++) carom_step(carom_scene_model(base->scene), state, NULL, &report, &error);
    base->size = carom_state_size(state);
    base->bytes = malloc(base->size);
    if (base->bytes == NULL) abort();
    carom_state_save(state, base->bytes);
    base->digests = saved_digests_find(base->bytes, base->size);
    FUZZ_CHECK(base->digests.state != 0);
    carom_state_destroy(state);
}

static void change(unsigned char *bytes, size_t *size, const char *line) {
    unsigned long long offset = 0;
    int kind = 0;
    double value = 0.0;
    if (sscanf(line, "%llu %d %lf", &offset, &kind, &value) != 3 || *size < 8) return;
    unsigned char *at = bytes + offset % (*size - 7);
    int64_t whole = value >= -9.2e18 && value <= 9.2e18 ? (int64_t)value : INT64_MAX;
    int32_t half = (int32_t)(uint32_t)(uint64_t)whole;
    if (kind == 0) *at = (unsigned char)(uint64_t)whole;
    if (kind == 1) memcpy(at, &half, sizeof half);
    if (kind == 2) memcpy(at, &whole, sizeof whole);
    if (kind == 3) memcpy(at, &value, sizeof value);
    if (kind == 4) *size = offset % *size;
}

static void load_and_step(const base_state *base, const unsigned char *bytes, size_t size) {
    const carom_model *model = carom_scene_model(base->scene);
    carom_state *state = NULL;
    if (carom_state_create(model, carom_scene_method(base->scene), &state, NULL) != CAROM_OK) return;
    carom_error error = {.text = ""};
    uint64_t before = carom_state_hash(state);
    carom_status status = carom_state_load(state, bytes, size, &error);
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    if (status != CAROM_OK) FUZZ_CHECK(carom_state_hash(state) == before);
    for (int i = 0; i < FUZZ_STEPS && status == CAROM_OK; i++) {
        carom_step_report report;
        FUZZ_CHECK(carom_step(model, state, NULL, &report, NULL) == CAROM_OK);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
    }
    carom_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static base_state bases[SCENES];
    char *text = fuzz_text(data, size), *rest = NULL, *line = strtok_r(text, "\n", &rest);
    int number = line != NULL ? atoi(line) : 0;
    base_state *base = &bases[(unsigned)number % SCENES];
    if (base->scene == NULL) make(base, scenes[(unsigned)number % SCENES]);
    unsigned char *bytes = base->bytes != NULL ? malloc(base->size) : NULL;
    if (bytes != NULL) {
        size_t left = base->size;
        memcpy(bytes, base->bytes, left);
        while ((line = strtok_r(NULL, "\n", &rest)) != NULL) change(bytes, &left, line);
        saved_digests_repair(&base->digests, bytes, left);
        load_and_step(base, bytes, left);
    }
    free(bytes);
    free(text);
    return 0;
}
