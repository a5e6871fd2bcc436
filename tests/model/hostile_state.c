// SPDX-License-Identifier: MIT
// Saved states of a stranger: every number of them set to what does harm, digests repaired. Each is refused with a
// sentence, or it is a state that steps.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/model/saved_bytes.h"
#include "support/scene/recorded_run.h"

// A bit of everything that states keep: contacts of polytopes, of compounds and of what is round, joints with limits
// and motors, what rests, hits.
static const char with_joints[] =
    "{\"carom\": 1, \"method\": {\"name\": \"%s\", \"step\": 0.005}, \"shapes\": {"
    "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1},"
    "\"prism\": {\"kind\": \"prism\", \"sides\": 6, \"radius\": 0.2, \"height\": 0.3},"
    "\"pair\": {\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}},"
    " {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0.2, 0, 0]}]},"
    "\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}},"
    "\"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor\"},"
    " {\"name\": \"ball\", \"shape\": \"ball\", \"density\": 600, \"position\": [0, 0, 0.11]},"
    " {\"name\": \"mark\", \"kind\": \"point\", \"mass\": 1, \"position\": [0, 3, 1]},"
    " {\"name\": \"prism\", \"shape\": \"prism\", \"density\": 600, \"position\": [0, 1, 0.15]},"
    " {\"name\": \"pair\", \"shape\": \"pair\", \"density\": 600, \"position\": [0, 1, 0.4]},"
    " {\"name\": \"other\", \"shape\": \"prism\", \"density\": 600, \"position\": [1, 0, 0.15]}],"
    "\"forces\": [{\"kind\": \"spring\", \"a\": \"world\", \"b\": \"mark\", \"stiffness\": 10}]%s}";
static const char a_joint[] =
    ", \"joints\": [{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"other\", \"point\": [1, 0, 0.15],"
    " \"axis\": [0, 0, 1], \"coordinates\": [{\"lower\": -0.1, \"upper\": 0.1, \"damping\": 0.1}]}]";
// Without contact.
static const char pendulums[] =
    "{\"carom\": 1, \"method\": {\"name\": \"%s\", \"step\": 0.005}, \"bodies\": ["
    " {\"name\": \"arm\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.05], \"position\": [0.5, 0, 0]},"
    " {\"name\": \"end\", \"mass\": 1, \"inertia\": [0.1, 0.12, 0.05], \"position\": [1.5, 0, 0]}],"
    "\"joints\": [{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"arm\", \"point\": [0, 0, 0], \"axis\": [0, 1, 0]},"
    " {\"kind\": \"ball\", \"a\": \"arm\", \"b\": \"end\", \"point\": [1, 0, 0]}]}";

typedef struct hostile {
    carom_state *fresh, *victim;
    unsigned char *bytes, *tried;
    size_t size;
    int refused, stepped;
} hostile;

static hostile hostile_begin(const carom_scene *scene, int steps) {
    hostile h = {.fresh = state_of_scene(scene), .victim = state_of_scene(scene)};
    carom_error error;
    carom_step_report report;
    for (int i = 0; i < steps; i++)
        CHECK_INT(carom_step(carom_scene_model(scene), h.fresh, NULL, &report, &error), CAROM_OK);
    h.bytes = saved_bytes_of(h.fresh, &h.size);
    h.tried = malloc(h.size);
    assert_non_null(h.tried);
    return h;
}

static void hostile_end(hostile *h, const char *what) {
    print_message("%s: %zu bytes, %d refused, %d stepped\n", what, h->size, h->refused, h->stepped);
    CHECK(h->refused > 0 && h->stepped > 0);
    free(h->bytes);
    free(h->tried);
    carom_state_destroy(h->fresh);
    carom_state_destroy(h->victim);
}

// Loads the bytes that have been changed; what is taken must step.
static void try_bytes(hostile *h, const carom_model *model, size_t at) {
    saved_bytes_repair(h->tried, h->size);
    carom_error error = {.text = ""};
    uint64_t before = carom_state_hash(h->victim);
    if (carom_state_load(h->victim, h->tried, h->size, &error) != CAROM_OK) {
        h->refused++;
        if (!CHECK(error.text[0] != '\0' && carom_state_hash(h->victim) == before)) print_message("at byte %zu\n", at);
        return;
    }
    h->stepped++;
    carom_step_report report = {0};
    for (int i = 0; i < 2; i++) {
        carom_status status = carom_step(model, h->victim, NULL, &report, &error);
        if (status != CAROM_OK) CHECK(error.text[0] != '\0');
    }
    CHECK_INT(carom_state_copy(h->fresh, h->victim, &error), CAROM_OK);
}

// Every value at every place, or of `few` one at each, each of them somewhere.
static void try_words(hostile *h, const carom_model *model, bool few) {
    static const int32_t words[] = {-1, INT32_MAX, INT32_MIN, 0x20000000, -100000000, 1000};
    enum { WORDS = sizeof words / sizeof words[0] };
    for (size_t at = 0; at + 4 <= h->size; at += 4)
        for (size_t i = few ? at / 4 % WORDS : 0, end = few ? i + 1 : WORDS; i < end; i++) {
            memcpy(h->tried, h->bytes, h->size);
            memcpy(h->tried + at, &words[i], sizeof words[i]);
            try_bytes(h, model, at);
        }
}

static void try_numbers(hostile *h, const carom_model *model, bool few) {
    const double numbers[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, DBL_TRUE_MIN, 1e9};
    static const int64_t counts[] = {INT64_MAX, INT64_MIN, INT64_MAX / 192, (INT64_C(1) << 53) + 1, -2};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0], COUNTS = sizeof counts / sizeof counts[0] };
    for (size_t at = 0; at + 8 <= h->size; at += 8)
        for (int i = few ? (int)(at / 8 % (NUMBERS + COUNTS)) : 0, end = few ? i + 1 : NUMBERS + COUNTS; i < end; i++) {
            memcpy(h->tried, h->bytes, h->size);
            memcpy(h->tried + at, i < NUMBERS ? (const void *)&numbers[i] : (const void *)&counts[i - NUMBERS], 8);
            try_bytes(h, model, at);
        }
}

static void try_all(const char *text, const char *method, const char *joint, int steps, bool few) {
    char scene_text[4096];
    snprintf(scene_text, sizeof scene_text, text, method, joint);
    carom_scene *scene = scene_of_text(scene_text);
    hostile h = hostile_begin(scene, steps);
    memcpy(h.tried, h.bytes, h.size);
    saved_bytes_repair(h.tried, h.size);
    // The layout is the one that is repaired, or nothing below is tried at all.
    CHECK(memcmp(h.tried, h.bytes, h.size) == 0);
    try_words(&h, carom_scene_model(scene), few);
    try_numbers(&h, carom_scene_model(scene), few);
    hostile_end(&h, method);
    carom_scene_destroy(scene);
}

TEST(every_number_of_a_state_of_lcp_is_checked) {
    try_all(with_joints, "lcp", a_joint, 40, true);
}

TEST(every_number_of_a_state_of_penalty_is_checked) {
    try_all(with_joints, "penalty", "", 12, true);
}

TEST(every_number_of_a_state_without_contact_is_checked) {
    try_all(pendulums, "variational", "", 10, true);
    try_all(pendulums, "multiplier", "", 10, true);
    try_all(pendulums, "reduced", "", 10, true);
}

TEST(every_number_of_a_state_is_checked_for_every_value) {
    try_all(with_joints, "impulse", "", 12, true);
    try_all(with_joints, "lcp", a_joint, 40, false);
    try_all(with_joints, "dcr", "", 12, false);
    try_all(pendulums, "reduced", "", 10, false);
}

// ---- what was found once

static void check_refused(hostile *h, const char *part) {
    saved_bytes_repair(h->tried, h->size);
    carom_error error = {.text = ""};
    CHECK_INT(carom_state_load(h->victim, h->tried, h->size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, part);
}

static hostile begin_with_contacts(carom_scene **scene, size_t *list) {
    char text[4096];
    snprintf(text, sizeof text, with_joints, "lcp", a_joint);
    *scene = scene_of_text(text);
    hostile h = hostile_begin(*scene, 40);
    int64_t contacts, rows;
    uint64_t set_bytes;
    memcpy(&contacts, h.bytes + SAVED_CONTACT_COUNT, sizeof contacts);
    memcpy(&rows, h.bytes + SAVED_TABLE_COUNT, sizeof rows);
    memcpy(&set_bytes, h.bytes + SAVED_SET_BYTES, sizeof set_bytes);
    CHECK(contacts > 0 && rows > 0 && set_bytes > 0);
    *list = h.size - (size_t)set_bytes - (size_t)rows * sizeof(carom_contact_state) -
            (size_t)contacts * sizeof(carom_contact);
    memcpy(h.tried, h.bytes, h.size);
    h.refused = h.stepped = 1;
    return h;
}

TEST(contacts_of_bodies_that_are_not_there_are_refused) {
    static const int32_t values[] = {0x20000000, -100000000, 6, -1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (size_t member = 0; member < 2; member++) {
            carom_scene *scene;
            size_t list;
            hostile h = begin_with_contacts(&scene, &list);
            memcpy(h.tried + list + 4 * member, &values[i], 4);
            check_refused(&h, "damaged: a contact is of bodies or parts that are not there");
            hostile_end(&h, "contacts");
            carom_scene_destroy(scene);
        }
}

// table_count as large as the bytes allow, and set_bytes what is then missing modulo 2^64.
TEST(sizes_that_wrap_round_are_refused) {
    carom_scene *scene;
    size_t list;
    hostile h = begin_with_contacts(&scene, &list);
    int64_t contacts, rows = (int64_t)((h.size - list) / sizeof(carom_contact_state));
    memcpy(&contacts, h.bytes + SAVED_CONTACT_COUNT, sizeof contacts);
    uint64_t set_bytes = (uint64_t)(h.size - list) - (uint64_t)contacts * sizeof(carom_contact) -
                         (uint64_t)rows * sizeof(carom_contact_state);
    memcpy(h.tried + SAVED_TABLE_COUNT, &rows, sizeof rows);
    memcpy(h.tried + SAVED_SET_BYTES, &set_bytes, sizeof set_bytes);
    CHECK(set_bytes > UINT64_MAX / 2);
    check_refused(&h, "it is cut off, or bytes were added");
    hostile_end(&h, "sizes");
    carom_scene_destroy(scene);
}

TEST_MAIN(CASE(every_number_of_a_state_of_lcp_is_checked), CASE(every_number_of_a_state_of_penalty_is_checked),
          CASE(every_number_of_a_state_without_contact_is_checked),
          LONG_CASE(every_number_of_a_state_is_checked_for_every_value),
          CASE(contacts_of_bodies_that_are_not_there_are_refused), CASE(sizes_that_wrap_round_are_refused))
