// SPDX-License-Identifier: MIT
// The motion of every gallery scene and of random scenes under every method, as digests that a change of names, tables
// or files must not touch: tests/data/motion_digests.txt.
//
// A digest is taken of poses and velocities of all bodies, residual, iterations and contacts of every step, as bits. A
// change that means to change the motion of a method takes its lines anew, in the commit that says why:
//
//     CAROM_PRINT_DIGESTS=1 build/tests/test_digest_motion | grep -E '^(scene|random) ' > tests/data/motion_digests.txt
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/scene/random_scene.h"
#include "support/scene/structure_scene.h"

// ---- a digest

// FNV-1a, 64 bits, over the bytes of numbers.
static const uint64_t digest_start = 14695981039346656037u, digest_prime = 1099511628211u;

static uint64_t digest_bytes(uint64_t digest, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) digest = (digest ^ bytes[i]) * digest_prime;
    return digest;
}

static uint64_t digest_body(uint64_t digest, carom_body_state at) {
    const double numbers[] = {at.position.x, at.position.y, at.position.z, at.attitude.w, at.attitude.x,
                              at.attitude.y, at.attitude.z, at.velocity.x, at.velocity.y, at.velocity.z,
                              at.spin.x,     at.spin.y,     at.spin.z};
    return digest_bytes(digest, numbers, sizeof numbers);
}

static uint64_t digest_step(uint64_t digest, const carom_state *state, const carom_step_report *report) {
    int bodies = carom_model_body_count(carom_state_model(state));
    for (int b = 0; b < bodies; b++) digest = digest_body(digest, world_body(state, b));
    const int64_t counts[] = {report->outcome, report->iterations, report->contacts};
    digest = digest_bytes(digest, &report->residual, sizeof report->residual);
    return digest_bytes(digest, counts, sizeof counts);
}

// A step that is impossible ends the run: its outcome is part of the digest.
static uint64_t digest_run(carom_state *state, int steps) {
    uint64_t digest = digest_start;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_error error = {0};
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK)) break;
        digest = digest_step(digest, state, &report);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
    }
    return digest;
}

// ---- gallery scenes

static uint64_t digest_scene(const char *name, int steps) {
    char file[512];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_error error = {0};
    uint64_t digest = 0;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    if (CHECK(scene != NULL) &&
        CHECK_INT(carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error), CAROM_OK))
        digest = digest_run(state, steps);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return digest;
}

// ---- random scenes

typedef struct subject {
    const char *name; // in the table
    carom_method method;
    carom_impulse_variant variant;
    bool crowd;           // random_scene: heaps with joints and drives; else structure_scene
    bool joints, drives;  // of structure_scene
    bool room, materials; // of structure_scene
    double share;         // of a structure scene's own time that a step takes
} subject;

static const subject subjects[] = {
    {"euler", CAROM_METHOD_EULER, .share = 0.02},
    {"variational", CAROM_METHOD_VARIATIONAL, .joints = true, .share = 0.02},
    {"multiplier", CAROM_METHOD_MULTIPLIER, .joints = true, .drives = true, .share = 0.02},
    {"reduced", CAROM_METHOD_REDUCED, .joints = true, .drives = true, .share = 0.02},
    {"lcp", CAROM_METHOD_LCP, .crowd = true},
    {"impulse-fixed", CAROM_METHOD_IMPULSE, .variant = CAROM_IMPULSE_FIXED, .crowd = true},
    {"impulse-events", CAROM_METHOD_IMPULSE, .variant = CAROM_IMPULSE_EVENTS, .room = true, .materials = true,
     .share = 0.02},
    {"penalty", CAROM_METHOD_PENALTY, .room = true, .materials = true, .share = 0.002},
    {"potential", CAROM_METHOD_POTENTIAL, .joints = true, .room = true, .share = 0.01},
    {"newmark", CAROM_METHOD_NEWMARK, .room = true, .share = 0.01},
    {"exact", CAROM_METHOD_EXACT, .joints = true, .room = true, .share = 0.05},
    {"dcr", CAROM_METHOD_DCR, .joints = true, .room = true, .materials = true, .share = 0.05},
};
enum { subject_count = sizeof subjects / sizeof subjects[0] };

static const double crowd_step = 0.005; // s

static const subject *find_subject(const char *name) {
    for (int i = 0; i < subject_count; i++)
        if (strcmp(subjects[i].name, name) == 0) return &subjects[i];
    return NULL;
}

// Every combination of what the method can have, by the bits of the seed.
static structure_scene make_structure(const subject *who, uint64_t seed) {
    structure_scene_def def = {.seed = seed};
    def.gravity = seed / 2 % 2 == 1;
    def.room = who->room && seed / 4 % 2 == 1;
    def.pairs = seed % 5 == 3;
    def.joints = who->joints && seed % 3 == 2;
    def.grounded = seed % 7 < 3;
    def.drives = who->drives;
    def.materials = who->materials && seed % 3 == 1;
    return structure_scene_make(&def);
}

// NULL when the method refuses the scene.
static carom_state *make_state(const subject *who, uint64_t seed) {
    carom_method_def method = carom_method_def_default();
    method.method = who->method;
    method.step = crowd_step;
    method.impulse.variant = who->variant;
    method.potential.overlap = 0.5;
    carom_model *model = NULL;
    if (who->crowd) {
        model = random_scene(seed);
    } else {
        structure_scene scene = make_structure(who, seed);
        model = scene.model;
        method.step = who->share * scene.time;
        // Given: a proposal is refused where masses are too different for one stiffness.
        method.potential.stiffness = 0.02 * scene.lightest / (method.step * method.step);
    }
    carom_error error = {0};
    carom_state *state = NULL;
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    if (carom_state_create(model, &method, &state, &error) != CAROM_OK) carom_model_destroy(model);
    return state;
}

static uint64_t digest_random(const char *name, uint64_t seed, int steps) {
    const subject *who = find_subject(name);
    if (!CHECK(who != NULL)) return 0;
    carom_state *state = make_state(who, seed);
    if (!CHECK(state != NULL)) return 0;
    uint64_t digest = digest_run(state, steps);
    world_destroy(state);
    return digest;
}

// ---- the table

typedef struct line {
    char kind[16], name[64];
    int seed, steps;
    uint64_t digest;
} line;

static bool read_line(FILE *file, line *out) {
    return fscanf(file, "%15s %63s %d %d %" SCNx64, out->kind, out->name, &out->seed, &out->steps, &out->digest) == 5;
}

static uint64_t digest_line(const line *what) {
    if (strcmp(what->kind, "scene") == 0) return digest_scene(what->name, what->steps);
    return digest_random(what->name, (uint64_t)what->seed, what->steps);
}

static bool check_line(const line *what) {
    uint64_t digest = digest_line(what);
    if (getenv("CAROM_PRINT_DIGESTS") != NULL)
        printf("%s %s %d %d %016" PRIx64 "\n", what->kind, what->name, what->seed, what->steps, digest);
    else if (digest != what->digest)
        fprintf(stderr, "%s %s %d: the motion of %d steps has changed\n", what->kind, what->name, what->seed,
                what->steps);
    else
        return true;
    return getenv("CAROM_PRINT_DIGESTS") != NULL;
}

// The lines of one kind and, of random scenes, one method; how many there are.
static int check_lines(const char *kind, const char *name) {
    FILE *file = fopen(CAROM_SOURCE_DIR "/tests/data/motion_digests.txt", "r");
    if (!CHECK(file != NULL)) return 0;
    int count = 0;
    for (line what; read_line(file, &what);) {
        if (strcmp(what.kind, kind) != 0 || (name != NULL && strcmp(what.name, name) != 0)) continue;
        CHECK(check_line(&what));
        count++;
    }
    fclose(file);
    return count;
}

TEST(gallery_scenes_move_as_before) {
    CHECK(check_lines("scene", NULL) >= 39);
}

enum { seeds_a_method = 20 };

#define RANDOM_SCENES(test, name)                               \
    TEST(test) {                                                \
        CHECK_INT(check_lines("random", name), seeds_a_method); \
    }
RANDOM_SCENES(random_scenes_of_euler, "euler")
RANDOM_SCENES(random_scenes_of_variational, "variational")
RANDOM_SCENES(random_scenes_of_multiplier, "multiplier")
RANDOM_SCENES(random_scenes_of_reduced, "reduced")
RANDOM_SCENES(random_scenes_of_lcp, "lcp")
RANDOM_SCENES(random_scenes_of_impulse_fixed, "impulse-fixed")
RANDOM_SCENES(random_scenes_of_impulse_events, "impulse-events")
RANDOM_SCENES(random_scenes_of_penalty, "penalty")
RANDOM_SCENES(random_scenes_of_potential, "potential")
RANDOM_SCENES(random_scenes_of_newmark, "newmark")
RANDOM_SCENES(random_scenes_of_exact, "exact")
RANDOM_SCENES(random_scenes_of_dcr, "dcr")

TEST_MAIN(CASE(gallery_scenes_move_as_before), CASE(random_scenes_of_euler), CASE(random_scenes_of_variational),
          CASE(random_scenes_of_multiplier), CASE(random_scenes_of_reduced), CASE(random_scenes_of_lcp),
          CASE(random_scenes_of_impulse_fixed), CASE(random_scenes_of_impulse_events), CASE(random_scenes_of_penalty),
          CASE(random_scenes_of_potential), CASE(random_scenes_of_newmark), CASE(random_scenes_of_exact),
          CASE(random_scenes_of_dcr))
