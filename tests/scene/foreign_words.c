// SPDX-License-Identifier: MIT
// Words of other programs are answered with the key that was meant, in every object that has it.
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "scene/read/foreign_words.h"
#include "support/harness/check.h"

// A file that has one object of the kind with the key %s; where it is no scene, what reads it.
static const struct {
    const char *what, *text;
    enum { SCENE, PAIR, IMPACT } file;
} objects[] = {
    {"a scene", "{\"%s\": 0}", SCENE},
    {"a method", "{\"method\": {\"%s\": 0}}", SCENE},
    {"the settings of lcp", "{\"method\": {\"lcp\": {\"%s\": 0}}}", SCENE},
    {"the settings of impulse", "{\"method\": {\"impulse\": {\"%s\": 0}}}", SCENE},
    {"the settings of dcr", "{\"method\": {\"dcr\": {\"%s\": 0}}}", SCENE},
    {"a material", "{\"materials\": {\"m\": {\"%s\": 0}}}", SCENE},
    {"an elastic material", "{\"materials\": {\"m\": {\"elastic\": {\"%s\": 0}}}}", SCENE},
    {"a flexible body", "{\"flexible\": [{\"%s\": 0}]}", SCENE},
    {"a mesh of kind box", "{\"flexible\": [{\"mesh\": {\"kind\": \"box\", \"%s\": 0}}]}", SCENE},
    {"a mesh of kind file", "{\"flexible\": [{\"mesh\": {\"kind\": \"file\", \"%s\": 0}}]}", SCENE},
    {"a mesh of kind given", "{\"flexible\": [{\"mesh\": {\"kind\": \"given\", \"%s\": 0}}]}", SCENE},
    {"a load", "{\"forces\": [{\"kind\": \"load\", \"%s\": 0}]}", SCENE},
    {"a pair of materials", "{\"material_pairs\": [{\"%s\": 0}]}", SCENE},
    {"a box", "{\"shapes\": {\"s\": {\"kind\": \"box\", \"%s\": 0}}}", SCENE},
    {"an ellipsoid", "{\"shapes\": {\"s\": {\"kind\": \"ellipsoid\", \"%s\": 0}}}", SCENE},
    {"a sphere", "{\"shapes\": {\"s\": {\"kind\": \"sphere\", \"%s\": 0}}}", SCENE},
    {"a capsule", "{\"shapes\": {\"s\": {\"kind\": \"capsule\", \"%s\": 0}}}", SCENE},
    {"a polytope", "{\"shapes\": {\"s\": {\"kind\": \"polytope\", \"%s\": 0}}}", SCENE},
    {"a part", "{\"shapes\": {\"s\": {\"kind\": \"compound\", \"parts\": [{\"%s\": 0}]}}}", SCENE},
    {"a body", "{\"bodies\": [{\"%s\": 0}]}", SCENE},
    {"an attitude", "{\"bodies\": [{\"attitude\": {\"%s\": 0}}]}", SCENE},
    {"a spring", "{\"forces\": [{\"kind\": \"spring\", \"%s\": 0}]}", SCENE},
    {"a wrench", "{\"forces\": [{\"kind\": \"wrench\", \"%s\": 0}]}", SCENE},
    {"a joint", "{\"joints\": [{\"%s\": 0}]}", SCENE},
    {"a coordinate", "{\"joints\": [{\"kind\": \"hinge\", \"coordinates\": [{\"%s\": 0}]}]}", SCENE},
    {"a motor", "{\"joints\": [{\"kind\": \"hinge\", \"coordinates\": [{\"motor\": {\"%s\": 0}}]}]}", SCENE},
    {"a plan", "{\"plan\": {\"%s\": 0}}", SCENE},
    {"a free time", "{\"plan\": {\"time\": {\"%s\": 0}}}", SCENE},
    {"a wrench of a plan", "{\"plan\": {\"controls\": [{\"kind\": \"wrench\", \"%s\": 0}]}}", SCENE},
    {"a force of a plan", "{\"plan\": {\"controls\": [{\"kind\": \"force\", \"%s\": 0}]}}", SCENE},
    {"a thruster", "{\"plan\": {\"controls\": [{\"kind\": \"thruster\", \"%s\": 0}]}}", SCENE},
    {"a motor of a plan", "{\"plan\": {\"controls\": [{\"kind\": \"motor\", \"%s\": 0}]}}", SCENE},
    {"a condition at the start", "{\"plan\": {\"start\": [{\"%s\": 0}]}}", SCENE},
    {"a condition at a node", "{\"plan\": {\"through\": [{\"%s\": 0}]}}", SCENE},
    {"a condition at the end", "{\"plan\": {\"end\": [{\"%s\": 0}]}}", SCENE},
    {"an avoidance", "{\"plan\": {\"avoid\": {\"%s\": 0}}}", SCENE},
    {"a contact of a plan", "{\"plan\": {\"contacts\": [{\"%s\": 0}]}}", SCENE},
    {"a discovery", "{\"plan\": {\"discover\": {\"%s\": 0}}}", SCENE},
    {"a penalty of a plan", "{\"plan\": {\"penalty\": {\"%s\": 0}}}", SCENE},
    {"a guess", "{\"plan\": {\"guess\": {\"%s\": 0}}}", SCENE},
    {"a way point", "{\"plan\": {\"guess\": {\"way_points\": [{\"%s\": 0}]}}}", SCENE},
    {"a side of a pair", "{\"a\": {\"%s\": 0}}", PAIR},
    {"a body of a collision", "{\"a\": {\"%s\": 0}}", IMPACT},
    {"a collision", "{\"%s\": 0}", IMPACT},
};
enum { OBJECT_COUNT = sizeof objects / sizeof objects[0] };

static bool has_message(int object, const char *key, const char *sentence) {
    char text[256];
    snprintf(text, sizeof text, objects[object].text, key);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene_messages *messages = NULL;
    carom_scene *scene = NULL;
    carom_scene_pair *pair = NULL;
    carom_scene_impact impact;
    if (objects[object].file == SCENE) carom_scene_read(&source, NULL, &scene, &messages, NULL);
    if (objects[object].file == PAIR) carom_scene_read_pair(&source, NULL, &pair, &messages, NULL);
    if (objects[object].file == IMPACT) carom_scene_read_impact(&source, NULL, &impact, &messages, NULL);
    bool found = false;
    for (int i = 0; i < messages->count; i++) found |= strcmp(messages->message[i].text, sentence) == 0;
    carom_scene_messages_destroy(messages);
    return found;
}

static void check_word(const char *what, const char *key, const char *answer) {
    char sentence[256];
    snprintf(sentence, sizeof sentence, "is not a key of %s; %s", what, answer);
    int object = 0;
    while (object < OBJECT_COUNT && strcmp(objects[object].what, what) != 0) object++;
    if (!CHECK(object < OBJECT_COUNT) || !CHECK(has_message(object, key, sentence)))
        fprintf(stderr, "\"%s\" in %s\n", key, what);
}

// Goes through a list, whose items `between` separates.
static const char *next_item(const char *list, const char *between, char item[64]) {
    const char *end = strstr(list, between);
    size_t size = end != NULL ? (size_t)(end - list) : strlen(list);
    snprintf(item, 64, "%.*s", (int)size, list);
    return end != NULL ? end + strlen(between) : NULL;
}

TEST(every_foreign_word_is_answered_in_every_object) {
    int count = 0;
    for (const crm_foreign_word *entry = crm_foreign_words; entry->words != NULL; entry++) {
        char what[64], key[64];
        for (const char *rest = entry->objects; rest != NULL;) {
            rest = next_item(rest, "; ", what);
            for (const char *words = entry->words; words != NULL; count++) {
                words = next_item(words, " ", key);
                check_word(what, key, entry->answer);
            }
        }
    }
    CHECK(count > 150);
}

TEST(the_words_that_people_bring_are_answered) {
    check_word("a body", "angular_velocity", "the angular velocity is \"spin\"");
    check_word("a body", "omega", "the angular velocity is \"spin\"");
    check_word("a body", "orientation", "the orientation is \"attitude\"");
    check_word("a body", "quat", "the orientation is \"attitude\"");
    check_word("a body", "mu", "friction belongs to a material, which is named by \"material\"");
    check_word("a body", "category", "the groups that the body is in are \"groups\"");
    check_word("a body", "mask", "the groups that the body can touch are \"meets\"");
    check_word("a body", "half_extents", "sizes belong to a shape, which is named by \"shape\"");
    check_word("a box", "half_extents", "the three full lengths of its edges are \"size\"");
    check_word("a material", "mu", "the coefficient of friction is \"friction\"");
    check_word("an elastic material", "nu", "Poisson's ratio is \"poisson\"");
    check_word("a flexible body", "density", "density and elastic constants belong to the \"elastic\" of its material");
    check_word("a scene", "t_end", "the time at which a run ends is \"until\"");
    check_word("a scene", "duration", "the time at which a run ends is \"until\"");
    check_word("a plan", "horizon", "how long the plan lasts is \"time\"");
    check_word("an avoidance", "clearance", "the least gap is \"margin\"");
    check_word("a method", "dt", "the step is \"step\"");
}

TEST_MAIN(CASE(every_foreign_word_is_answered_in_every_object), CASE(the_words_that_people_bring_are_answered))
