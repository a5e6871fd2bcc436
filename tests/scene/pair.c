// SPDX-License-Identifier: MIT
// Pairs of shapes: what a file gives, and how it is refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/scene/scene_file.h"

static carom_scene_pair *read_good(const char *text) {
    carom_scene_pair *pair = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_scene_read_pair(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text},
                                         NULL, &pair, NULL, &error),
                   CAROM_OK))
        CHECK_TEXT(error.text, "");
    return pair;
}

TEST(shapes_and_poses_are_those_of_the_file) {
    carom_scene_pair *pair = read_good(
        "{\"carom\": 1, \"name\": \"two\", \"description\": \"a ball over a block\",\n"
        " \"a\": {\"shape\": {\"kind\": \"box\", \"size\": [1, 2, 3]}},\n"
        " \"b\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.25}, \"position\": [4, 5, 6], \"attitude\": "
        "{\"axis\": [0, 0, 2], \"degrees\": 90}}}");
    if (pair == NULL) return;
    CHECK_TEXT(pair->name, "two");
    CHECK(!pair->options.has_direction);
    carom_shape_def def;
    carom_shape_get_def(pair->a.shape, &def);
    CHECK_INT(def.kind, CAROM_SHAPE_BOX);
    CHECK(def.box.size.x == 1.0 && def.box.size.y == 2.0 && def.box.size.z == 3.0);
    CHECK(pair->a.pose.position.x == 0.0 && pair->a.pose.attitude.w == 1.0);
    carom_shape_get_def(pair->b.shape, &def);
    CHECK_INT(def.kind, CAROM_SHAPE_SPHERE);
    CHECK(def.sphere.radius == 0.25);
    CHECK(pair->b.pose.position.z == 6.0);
    CHECK_NEAR(pair->b.pose.attitude.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(pair->b.pose.attitude.z, sqrt(0.5), 1e-15);
    carom_scene_pair_destroy(pair);
}

TEST(vertices_need_no_volume_and_attitudes_are_brought_to_length_one) {
    carom_scene_pair *pair = read_good("{\"carom\": 1, \"a\": {\"vertices\": [[0, 0, 1]]}, \"direction\": [0, 0, 2],\n"
                                       " \"b\": {\"vertices\": [[1, 0, 0], [0, 1, 0]], \"attitude\": [3, 0, 0, 4]}}");
    if (pair == NULL) return;
    CHECK(pair->a.shape == NULL && pair->a.vertex_count == 1 && pair->a.vertices[0].z == 1.0);
    CHECK(pair->b.shape == NULL && pair->b.vertex_count == 2 && pair->b.vertices[1].y == 1.0);
    CHECK_NEAR(pair->b.pose.attitude.w, 0.6, 1e-15);
    CHECK_NEAR(pair->b.pose.attitude.z, 0.8, 1e-15);
    CHECK(pair->options.has_direction && pair->options.direction.z == 2.0);
    carom_scene_pair_destroy(pair);
    carom_scene_pair_destroy(NULL);
}

TEST(every_kind_of_a_scene_makes_its_shape) {
    static const struct {
        const char *shape;
        carom_shape_kind kind;
    } cases[] = {
        {"{\"kind\": \"ellipsoid\", \"half_axes\": [1, 2, 3]}", CAROM_SHAPE_ELLIPSOID},
        {"{\"kind\": \"capsule\", \"radius\": 1, \"length\": 2}", CAROM_SHAPE_CAPSULE},
        {"{\"kind\": \"polytope\", \"vertices\": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]]}", CAROM_SHAPE_POLYTOPE},
        {"{\"kind\": \"tetrahedron\", \"edge\": 2}", CAROM_SHAPE_POLYTOPE},
        {"{\"kind\": \"half_space\", \"normal\": [0, 0, 1]}", CAROM_SHAPE_HALF_SPACE},
        {"{\"kind\": \"container\", \"radius\": 9}", CAROM_SHAPE_CONTAINER},
        {"{\"kind\": \"compound\", \"parts\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}",
         CAROM_SHAPE_COMPOUND},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"carom\": 1, \"a\": {\"shape\": %s}, \"b\": {\"vertices\": [[5, 0, 0]]}}",
                 cases[i].shape);
        carom_scene_pair *pair = read_good(text);
        if (pair != NULL) CHECK_INT(carom_shape_get_kind(pair->a.shape), cases[i].kind);
        carom_scene_pair_destroy(pair);
    }
}

TEST(mistakes_are_named_with_their_place) {
    static const struct {
        const char *text, *messages;
    } cases[] = {
        {"[]",
         "1: needs an object for a pair, such as {\"carom\": 1, \"a\": {...}, \"b\": {...}}, not an array of 0\n"},
        {"{\"carom\": 1,\n\"a\": {\"shape\": {\"kind\": \"box\", \"size\": [1, 1]}},\n\"b\": {}}",
         "2: a.shape.size: needs an array of 3 positive numbers (m), not an array of 2\n"
         "3: b: needs either \"shape\" or \"vertices\"\n"},
        {"{\"carom\": 1, \"a\": {\"vertices\": []}}",
         "1: a.vertices: needs an array of at least 1 point (m), not an array of 0\n"
         "1: needs \"b\": an object with a shape and a pose\n"},
        {"{\"carom\": 2, \"a\": {\"vertices\": [[0, 0, 0]], \"positon\": [0, 0, 0]},\n"
         " \"b\": {\"vertices\": [[0, 0, 0]]}, \"direction\": [0, 0, 0]}",
         "1: carom: this file has format 2, and this carom reads format 1; use a newer carom\n"
         "1: a.positon: is not a key of a side of a pair; did you mean \"position\"?\n"
         "2: direction: the direction is zero; give one from a to b, such as [0, 0, 1]\n"},
        {"{\"carom\": 1, \"a\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1e12}}, \"b\": {\"vertices\": [[0, 0, "
         "0]]}}",
         "1: a.shape.radius: is 1e+12 m, must be between 1e-09 and 1e+09 m\n"},
        {"{\"carom\": 1, \"a\": {\"shape\": \"ball\"}, \"b\": {\"vertices\": [[0, 0, 0]]}}",
         "1: a.shape: needs an object for a shape, not the string \"ball\"\n"},
        {"{\"carom\": 1, \"a\": {\"shape\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"ball\"}]}}, "
         "\"b\": {\"vertices\": [[0, 0, 0]]}}",
         "1: a.shape.parts[0].shape: needs an object for a shape, not the string \"ball\"\n"},
        {"{\"carom\": 1", "1: the text ends too early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_scene_pair *pair = NULL;
        carom_scene_messages *messages = NULL;
        carom_error error;
        CHECK_INT(carom_scene_read_pair(
                      &(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = cases[i].text}, NULL,
                      &pair, &messages, &error),
                  CAROM_ERR_BAD_INPUT);
        CHECK(pair == NULL);
        char *text = messages_as_text(messages);
        CHECK_CONTAINS(text, cases[i].messages);
        free(text);
        carom_scene_messages_destroy(messages);
    }
    carom_scene_pair *pair = NULL;
    carom_error error;
    CHECK_INT(carom_scene_read_pair(
                  &(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = "/nonexistent.json"}, NULL,
                  &pair, NULL, &error),
              CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "/nonexistent.json: there is no such file");
}

TEST(overrides_change_a_pair) {
    const char *overrides[] = {"b.position=[0, 0, 7]"};
    carom_scene_source source = carom_scene_source_default();
    source.text = "{\"carom\": 1, \"a\": {\"vertices\": [[0, 0, 0]]}, \"b\": {\"vertices\": [[0, 0, 0]]}}";
    source.override_count = 1;
    source.overrides = overrides;
    carom_scene_pair *pair = NULL;
    carom_error error;
    if (!CHECK_INT(carom_scene_read_pair(&source, NULL, &pair, NULL, &error), CAROM_OK)) return;
    CHECK(pair->b.pose.position.z == 7.0);
    carom_scene_pair_destroy(pair);
}

// Bytes replaced, removed and doubled: nothing crashes or leaks, and what is refused is refused with a message.
TEST(thousands_of_mutated_pairs) {
    static const char seed[] =
        "{\"carom\": 1, \"a\": {\"shape\": {\"kind\": \"polytope\", \"vertices\": [[0,0,0], [1,0,0], "
        "[0,1,0], [0,0,1]]}, \"attitude\": {\"axis\": [0, 0, 1], \"angle\": 2}},\n"
        " \"b\": {\"vertices\": [[5, 0, 1e3]], \"position\": [1, 2, 3]}, \"direction\": [1, 0, 0]}";
    static const char letters[] = "0123456789-+.eE[]{},:\" abknz";
    int accepted = 0;
    for (int i = 0; i < 20000; i++) {
        crm_random random = {.seed = 5, .stream = (uint32_t)i};
        char text[2 * sizeof seed];
        memcpy(text, seed, sizeof seed);
        for (uint64_t n = 1 + crm_random_below(&random, 3); n > 0; n--) {
            size_t size = strlen(text), at = (size_t)crm_random_below(&random, size);
            uint64_t way = crm_random_below(&random, 3);
            if (way == 0) text[at] = letters[crm_random_below(&random, sizeof letters - 1)];
            if (way == 1) memmove(text + at, text + at + 1, size - at);
            if (way == 2 && size + 2 < sizeof text) memmove(text + at + 1, text + at, size - at + 1);
        }
        probe_allocator probe = {.refused_call = 0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_scene_pair *pair = NULL;
        carom_scene_messages *messages = NULL;
        carom_error error = {.text = ""};
        carom_status status =
            carom_scene_read_pair(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text}, &hook,
                                  &pair, &messages, &error);
        bool good = CHECK((status == CAROM_OK) == (pair != NULL));
        good &= CHECK(status == CAROM_OK || (status == CAROM_ERR_BAD_INPUT && messages->count > 0));
        accepted += status == CAROM_OK;
        carom_scene_pair_destroy(pair);
        carom_scene_messages_destroy(messages);
        good &= CHECK_INT(probe.live_blocks, 0);
        if (!good) fprintf(stderr, "%s\n", text);
        if (!good) return;
    }
    CHECK(accepted > 200);
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    static const char text[] = "{\"carom\": 1, \"name\": \"n\",\n"
                               " \"a\": {\"shape\": {\"kind\": \"polytope\", \"vertices\": [[0,0,0], [1,0,0], [0,1,0], "
                               "[0,0,1]]}}, \"b\": {\"vertices\": [[5, 0, 0]]}}";
    bool refused = true;
    int tried = 0;
    for (long long n = 1; refused && n < 1000; n++, tried++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_scene_pair *pair = NULL;
        carom_scene_messages *messages = NULL;
        carom_error error = {.text = ""};
        carom_status status =
            carom_scene_read_pair(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text}, &hook,
                                  &pair, &messages, &error);
        refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        CHECK((pair == NULL) == refused);
        carom_scene_pair_destroy(pair);
        carom_scene_messages_destroy(messages);
        CHECK_INT(probe.live_blocks, 0);
    }
    CHECK(tried > 5 && !refused);
}

TEST_MAIN(CASE(shapes_and_poses_are_those_of_the_file),
          CASE(vertices_need_no_volume_and_attitudes_are_brought_to_length_one),
          CASE(every_kind_of_a_scene_makes_its_shape), CASE(mistakes_are_named_with_their_place),
          CASE(overrides_change_a_pair), CASE(thousands_of_mutated_pairs),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
