// SPDX-License-Identifier: MIT
// The schema and the reader know the same keys: each object of the format gets a key that nobody knows, and the list in
// the message must be the list of properties in the schema, docs/scene.schema.json with the settings of methods.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "settings/settings_tables.h"
#include "support/harness/check.h"

// Of each definition of the schema ("" for the scene itself): a scene that has one such object with the key
// "qqqqqqqqqq".
static const struct {
    const char *definition;
    const char *text;
} objects[] = {
#define Q "\"qqqqqqqqqq\": 0"
    {"", "{" Q "}"},
    {"method", "{\"method\": {" Q "}}"},
    {"lcp", "{\"method\": {\"lcp\": {" Q "}}}"},
    {"impulse", "{\"method\": {\"impulse\": {" Q "}}}"},
    {"penalty", "{\"method\": {\"penalty\": {" Q "}}}"},
    {"potential", "{\"method\": {\"potential\": {" Q "}}}"},
    {"exact", "{\"method\": {\"exact\": {" Q "}}}"},
    {"variational", "{\"method\": {\"variational\": {" Q "}}}"},
    {"dcr", "{\"method\": {\"dcr\": {" Q "}}}"},
    {"mobility", "{\"mobility\": {" Q "}}"},
    {"material", "{\"materials\": {\"m\": {" Q "}}}"},
    {"elastic", "{\"materials\": {\"m\": {\"elastic\": {" Q "}}}}"},
    {"material_pair", "{\"material_pairs\": [{" Q "}]}"},
    {"sphere", "{\"shapes\": {\"s\": {\"kind\": \"sphere\", " Q "}}}"},
    {"ellipsoid", "{\"shapes\": {\"s\": {\"kind\": \"ellipsoid\", " Q "}}}"},
    {"box", "{\"shapes\": {\"s\": {\"kind\": \"box\", " Q "}}}"},
    {"capsule", "{\"shapes\": {\"s\": {\"kind\": \"capsule\", " Q "}}}"},
    {"polytope", "{\"shapes\": {\"s\": {\"kind\": \"polytope\", " Q "}}}"},
    {"plane", "{\"shapes\": {\"s\": {\"kind\": \"polytope\", \"half_spaces\": [{" Q "}, 1, 2, 3]}}}"},
    {"tetrahedron", "{\"shapes\": {\"s\": {\"kind\": \"tetrahedron\", " Q "}}}"},
    {"pyramid", "{\"shapes\": {\"s\": {\"kind\": \"pyramid\", " Q "}}}"},
    {"prism", "{\"shapes\": {\"s\": {\"kind\": \"prism\", " Q "}}}"},
    {"half_space", "{\"shapes\": {\"s\": {\"kind\": \"half_space\", " Q "}}}"},
    {"container", "{\"shapes\": {\"s\": {\"kind\": \"container\", " Q "}}}"},
    {"compound", "{\"shapes\": {\"s\": {\"kind\": \"compound\", " Q "}}}"},
    {"part", "{\"shapes\": {\"s\": {\"kind\": \"compound\", \"parts\": [{" Q "}]}}}"},
    {"body", "{\"bodies\": [{" Q "}]}"},
    {"axis_angle", "{\"bodies\": [{\"attitude\": {" Q "}}]}"},
    {"repeat", "{\"bodies\": [{\"repeat\": {" Q "}}]}"},
    {"lattice", "{\"bodies\": [{\"repeat\": {\"lattice\": {" Q "}}}]}"},
    {"random", "{\"bodies\": [{\"repeat\": {\"random\": {" Q "}}}]}"},
#define CUBE "\"mesh\": {\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [1, 1, 1]}"
    {"flexible", "{\"flexible\": [{" Q "}]}"},
    {"mesh_box", "{\"flexible\": [{\"mesh\": {\"kind\": \"box\", " Q "}}]}"},
    {"mesh_file", "{\"flexible\": [{\"mesh\": {\"kind\": \"file\", " Q "}}]}"},
    {"mesh_given", "{\"flexible\": [{\"mesh\": {\"kind\": \"given\", " Q "}}]}"},
    {"attachment", "{\"flexible\": [{" CUBE ", \"attach\": [{" Q "}]}]}"},
    {"node_set", "{\"flexible\": [{" CUBE ", \"fixed\": {" Q "}}]}"},
    {"node_plane", "{\"flexible\": [{" CUBE ", \"fixed\": {\"plane\": {" Q "}}}]}"},
    {"nodes", "{\"flexible\": [{" CUBE "}], \"forces\": [{\"kind\": \"drag\", \"body\": {" Q "}}]}"},
    {"load", "{\"forces\": [{\"kind\": \"load\", " Q "}]}"},
#undef CUBE
    {"drag", "{\"forces\": [{\"kind\": \"drag\", " Q "}]}"},
    {"spring", "{\"forces\": [{\"kind\": \"spring\", " Q "}]}"},
    {"charge", "{\"forces\": [{\"kind\": \"charge\", " Q "}]}"},
    {"magnet", "{\"forces\": [{\"kind\": \"magnet\", " Q "}]}"},
    {"reference_frame", "{\"reference_frame\": {" Q "}}"},
    {"pair_spring", "{\"forces\": [{\"kind\": \"pair\", \"law\": \"spring\", " Q "}]}"},
    {"pair_charge", "{\"forces\": [{\"kind\": \"pair\", \"law\": \"charge\", " Q "}]}"},
    {"pair_power", "{\"forces\": [{\"kind\": \"pair\", \"law\": \"power\", " Q "}]}"},
    {"pair_table", "{\"forces\": [{\"kind\": \"pair\", \"law\": \"table\", " Q "}]}"},
    {"central", "{\"forces\": [{\"kind\": \"central\", " Q "}]}"},
    {"atmosphere", "{\"forces\": [{\"kind\": \"atmosphere\", " Q "}]}"},
    {"sunlight", "{\"forces\": [{\"kind\": \"sunlight\", " Q "}]}"},
    {"field", "{\"forces\": [{\"kind\": \"field\", " Q "}]}"},
    {"wrench", "{\"forces\": [{\"kind\": \"wrench\", " Q "}]}"},
    {"joint", "{\"joints\": [{" Q "}]}"},
    {"coordinate", "{\"joints\": [{\"kind\": \"hinge\", \"coordinates\": [{" Q "}]}]}"},
    {"latch", "{\"joints\": [{\"kind\": \"hinge\", \"latch\": {" Q "}}]}"},
    {"motor", "{\"joints\": [{\"kind\": \"hinge\", \"coordinates\": [{\"motor\": {" Q "}}]}]}"},
    {"plan", "{\"plan\": {" Q "}}"},
    {"plan_time", "{\"plan\": {\"time\": {" Q "}}}"},
    {"plan_wrench", "{\"plan\": {\"controls\": [{\"kind\": \"wrench\", " Q "}]}}"},
    {"plan_force", "{\"plan\": {\"controls\": [{\"kind\": \"force\", " Q "}]}}"},
    {"plan_thruster", "{\"plan\": {\"controls\": [{\"kind\": \"thruster\", " Q "}]}}"},
    {"plan_motor", "{\"plan\": {\"controls\": [{\"kind\": \"motor\", " Q "}]}}"},
    {"plan_slider_motor", "{\"joints\": [{\"name\": \"j\", \"kind\": \"slider\", \"a\": \"world\", \"b\": \"b\"}], "
                          "\"bodies\": [{\"name\": \"b\"}], "
                          "\"plan\": {\"controls\": [{\"kind\": \"motor\", \"joint\": \"j\", " Q "}]}}"},
    {"plan_condition", "{\"plan\": {\"end\": [{" Q "}]}}"},
    {"plan_through", "{\"plan\": {\"through\": [{" Q "}]}}"},
    {"plan_box", "{\"plan\": {\"end\": [{\"box\": {" Q "}}]}}"},
    {"plan_direction", "{\"plan\": {\"end\": [{\"directions\": [{" Q "}]}]}}"},
    {"plan_avoid", "{\"plan\": {\"avoid\": {" Q "}}}"},
    {"plan_contact", "{\"plan\": {\"contacts\": [{" Q "}]}}"},
    {"plan_discover", "{\"plan\": {\"discover\": {" Q "}}}"},
    {"plan_penalty", "{\"plan\": {\"penalty\": {" Q "}}}"},
    {"plan_guess", "{\"plan\": {\"guess\": {" Q "}}}"},
    {"plan_way_point", "{\"plan\": {\"guess\": {\"way_points\": [{" Q "}]}}}"},
#undef Q
};

// What follows "known are " in the message about the unknown key.
static void known_keys(const char *text, char *out, size_t room) {
    carom_scene *scene;
    carom_scene_messages *messages;
    carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text}, NULL, &scene,
                     &messages, NULL);
    out[0] = '\0';
    for (int i = 0; i < messages->count; i++) {
        const char *known = strstr(messages->message[i].text, "known are ");
        if (known != NULL) snprintf(out, room, "%s", known + strlen("known are "));
    }
    carom_scene_messages_destroy(messages);
}

TEST(schema_and_reader_know_the_same_keys) {
    json_error_t why;
    json_t *schema = json_load_file(CAROM_SOURCE_DIR "/docs/scene.schema.json", JSON_REJECT_DUPLICATES, &why);
    if (!CHECK(schema != NULL)) return;
    add_settings(schema);
    size_t with_properties = 1;
    const char *name;
    json_t *definition;
    json_object_foreach(json_object_get(schema, "$defs"), name, definition) {
        if (json_object_get(definition, "properties") != NULL) with_properties++;
    }
    CHECK_INT(with_properties, sizeof objects / sizeof *objects);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        bool top = objects[i].definition[0] == '\0';
        definition = top ? schema : json_object_get(json_object_get(schema, "$defs"), objects[i].definition);
        char wanted[1024] = "", got[1024];
        json_t *property;
        json_object_foreach(json_object_get(definition, "properties"), name, property) {
            if (wanted[0] != '\0') strcat(wanted, ", ");
            strcat(wanted, name);
        }
        known_keys(objects[i].text, got, sizeof got);
        CHECK_TEXT(got, wanted);
    }
    json_decref(schema);
}

TEST_MAIN(CASE(schema_and_reader_know_the_same_keys))
