// SPDX-License-Identifier: MIT
// The linter: each warning once, exactly, and none where there is nothing to say.
#include <stdlib.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/scene/scene_file.h"

// What only a run would meet is looked for with the linter, and refused.
static void check_refusal(const char *text, const char *wanted) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.lint = true;
    carom_scene *scene;
    carom_scene_messages *messages;
    CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, NULL), CAROM_ERR_BAD_INPUT);
    CHECK(scene == NULL);
    char *got = messages_as_text(messages);
    CHECK_TEXT(got, wanted);
    free(got);
    carom_scene_messages_destroy(messages);
}

static void check_warnings(const char *text, const char *wanted) {
    for (int lint = 0; lint < 2; lint++) {
        carom_scene_source source = carom_scene_source_default();
        source.text = text;
        source.lint = lint == 1;
        carom_scene *scene;
        carom_scene_messages *messages;
        carom_error error = {.text = ""};
        CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, &error), CAROM_OK);
        CHECK_TEXT(error.text, "");
        char *got = messages_as_text(messages);
        CHECK_TEXT(got, lint == 1 ? wanted : "");
        free(got);
        carom_scene_messages_destroy(messages);
        carom_scene_destroy(scene);
    }
}

// One body, on one line, on Earth.
#define BODY(members) "{\"carom\": 1, \"bodies\": [{" members "}]}"
#define SHAPED(shape, members) \
    "{\"carom\": 1, \"shapes\": {\"s\": {" shape "}}, \"bodies\": [{\"shape\": \"s\", " members "}]}"
#define GOOD "\"mass\": 1, \"inertia\": [1, 1, 1]"

TEST(good_scenes_have_no_warnings) {
    check_warnings(BODY(GOOD), "");
    check_warnings(SHAPED("\"kind\": \"sphere\", \"radius\": 0.1", "\"density\": 1000"), "");
}

TEST(masses_and_inertias) {
    check_warnings(BODY("\"inertia\": [1, 1, 1]"), "warning 1: bodies[0]: has no \"mass\"; 1 kg is taken\n");
    check_warnings(BODY("\"mass\": 1"),
                   "warning 1: bodies[0]: has neither \"inertia\" nor a shape to take it from; 1, 1, 1 "
                   "kg m^2 is taken\n");
    check_warnings(BODY("\"kind\": \"point\", \"mass\": 1e-9"),
                   "warning 1: bodies[0].mass: its mass is 1e-09 kg; masses are in kilograms\n");
    check_warnings(BODY("\"mass\": 1, \"inertia\": [1, 2, 2.999999999]"),
                   "warning 1: bodies[0].inertia: the principal moments are 1, 2, 3 kg m^2, which only a body "
                   "without thickness has\n");
    check_warnings(SHAPED("\"kind\": \"box\", \"size\": [1, 1, 1]", "\"mass\": 0.5"),
                   "warning 1: bodies[0].mass: its density is 0.5 kg/m^3; solids and liquids have 1 to 30000\n");
    check_warnings(SHAPED("\"kind\": \"box\", \"size\": [1, 1, 1]", "\"density\": 40000"),
                   "warning 1: bodies[0].density: its density is 40000 kg/m^3; solids and liquids have 1 to 30000\n");
    check_warnings(
        SHAPED("\"kind\": \"box\", \"size\": [1, 1, 1]", "\"mass\": 600, \"inertia\": [100, 100, 0.1]"),
        "warning 1: bodies[0].inertia: the principal moments are 0.1, 100, 100 kg m^2, but its shape of that "
        "mass has 100, 100, 100\n");
    check_warnings(SHAPED("\"kind\": \"box\", \"size\": [1, 1, 1]", "\"kind\": \"fixed\""), "");
}

#define SPRINGS(settings, step)                                                                                       \
    "{\"carom\": 1, \"method\": {\"name\": \"penalty\", \"step\": " step ", \"penalty\": {" settings "}},"            \
    "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]},"                                      \
    "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}}, \"bodies\": [{\"kind\": \"fixed\", \"shape\": \"floor\"},"   \
    "{\"shape\": \"ball\", \"mass\": 4, \"position\": [0, 0, 1]}, {\"shape\": \"ball\", \"mass\": 12, \"position\": " \
    "[1, 0, 1]}]}"

TEST(springs_that_are_too_stiff_or_too_soft) {
    check_warnings(SPRINGS("", "0.0019"), "");
    check_warnings(SPRINGS("\"stiffness\": 1000", "0.01"), "");
    // 2 sqrt(3 kg / 3e6 N/m): the two balls against each other.
    check_warnings(SPRINGS("\"stiffness\": 3e6, \"damping\": 1e-9", "0.01"),
                   "warning 1: method.penalty: this stiffness and damping are unstable with a step of 0.01 s: the "
                   "largest stable step is 0.002 s, for some contacts less\n");
    // A tenth of 3 kg / h^2 is 16 kg g / 2 mm.
    check_warnings(SPRINGS("", "0.01"),
                   "warning 1: method.penalty: no springs that are stable with a step of 0.01 s keep contacts under "
                   "the weight of all bodies within 0.002 m; with a step of 0.00196 s some do\n");
}

TEST(units) {
    check_warnings(BODY(GOOD ", \"position\": [0, 2500, 0]"),
                   "warning 1: bodies[0].position: is 2500 m away; were millimetres meant? lengths are in metres\n");
    check_warnings(SHAPED("\"kind\": \"sphere\", \"radius\": 1500", "\"density\": 1000"),
                   "warning 1: shapes.s: is 1500 m large; were millimetres meant? lengths are in metres\n");
    check_warnings("{\"carom\": 1, \"gravity\": [0, 0, -9810], \"bodies\": [{" GOOD "}]}",
                   "warning 1: gravity: is 9810 m/s^2; were mm/s^2 meant? lengths are in metres\n");
    check_warnings("{\"carom\": 1, \"gravity\": [0, 0, 0], \"bodies\": [{" GOOD ", \"position\": [0, 2500, 0]}]}", "");
    check_warnings(BODY(GOOD ", \"attitude\": [1, 1, 0, 0]"),
                   "warning 1: bodies[0].attitude: has length 1.41421 and is "
                   "normalised; was a unit quaternion meant?\n");
}

TEST(gravity_beside_that_of_a_centre) {
#define ORBIT(gravity)                                               \
    "{\"carom\": 1, " gravity "\"bodies\": [{\"name\": \"a\", " GOOD \
    "}], \"forces\": [{\"kind\": \"central\", \"body\": "            \
    "\"a\", \"centre\": [9, 0, 0], \"mu\": 1}]}"
    check_warnings(ORBIT(""),
                   "warning 1: has a central gravity, and the uniform gravity of 9.81 m/s^2 along -z by default; "
                   "give \"gravity\": [0, 0, 0], or what is meant\n");
    check_warnings(ORBIT("\"gravity\": [0, 0, 0], "), "");
#undef ORBIT
}

TEST(unused_things) {
    check_warnings("{\"carom\": 1}", "warning 1: the scene has no bodies\n");
    check_warnings(
        "{\"carom\": 1,\n \"materials\": {\n \"ice\": {}},\n \"shapes\": {\n\n \"ball\": {\"kind\": \"sphere\","
        " \"radius\": 1}},\n \"bodies\": [{" GOOD "}]}",
        "warning 3: materials.ice: no body has this material\nwarning 6: shapes.ball: no body has this shape\n");
}

#define FLOOR(method, rest)                                                                          \
    "{\"carom\": 1, " method "\"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"f\": {" \
    "\"kind\": \"half_space\", \"normal\": [0, 0, 1]}}, \"bodies\": [{\"name\": \"floor\", "         \
    "\"kind\": \"fixed\", \"shape\": \"f\"}, {\"shape\": \"s\", \"density\": 1000, \"position\": [0, 0, 1]" rest "}]}"

TEST(contacts) {
    static const char warning[] = "warning 1: method: the method variational knows no contacts: bodies will pass "
                                  "through \"floor\" and each other\n";
#define VARIATIONAL "\"method\": {\"name\": \"variational\"}, "
    check_warnings(FLOOR(VARIATIONAL, ""), warning);
    check_warnings(FLOOR(VARIATIONAL, ", \"meets\": []"), "");
    check_warnings(FLOOR(VARIATIONAL, ", \"meets\": [\"wall\"]"),
                   "warning 1: bodies: no body is in the group \"wall\", which some would meet\n");
    check_warnings(FLOOR("", ""), ""); // the default knows them
}

#define TWO_BALLS(method, choice)                                                                    \
    "{\"carom\": 1, " method "\"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 0.5}}, " choice \
    "\"bodies\": [{\"name\": \"x\", \"shape\": \"s\", \"density\": 1000},"                           \
    " {\"name\": \"y\", \"shape\": \"s\", \"density\": 1000, \"position\": [0.75, 0, 0]}]}"
#define OVERLAP "body 'x' and body 'y' overlap at the start by 0.25 m"

TEST(overlaps_at_the_start) {
    check_warnings(TWO_BALLS("", ""), "warning 1: bodies: " OVERLAP ": bodies were moved apart by up to 0.125 m (body "
                                      "'x') and 0 rad, without a velocity\n");
    check_warnings(TWO_BALLS("", "\"start_overlaps\": \"keep\", "),
                   "warning 1: start_overlaps: " OVERLAP
                   ": start_overlaps is \"keep\", so that the method undoes it\n");
    check_refusal(TWO_BALLS("", "\"start_overlaps\": \"refuse\", "),
                  "1: bodies: a run cannot begin: " OVERLAP
                  "; start_overlaps is \"refuse\": move them apart, or take \"project\", which does so, or \"keep\"\n");
    check_warnings(TWO_BALLS(VARIATIONAL, ""),
                   "warning 1: bodies: " OVERLAP ": the method knows no contacts, and nothing was moved\n");
}

#define MATTER(method, material)                                                                                   \
    "{\"carom\": 1, \"method\": {\"name\": \"" method "\"}, \"materials\": {\"m\": {" material "}}, \"shapes\": {" \
    "\"s\": {\"kind\": \"sphere\", \"radius\": 0.1}}, \"bodies\": [{\"shape\": \"s\", \"density\": 1000, "         \
    "\"material\": \"m\"}]}"

TEST(materials_that_a_method_does_not_look_at) {
    check_warnings(MATTER("exact", "\"friction\": 0, \"restitution\": 1"), "");
    check_warnings(MATTER("exact", "\"friction\": 0.3, \"restitution\": 1"),
                   "warning 1: materials.m: contacts of the method exact are elastic and without friction, whatever "
                   "materials say; lcp, impulse, penalty and dcr look at them\n");
    check_warnings(MATTER("potential", "\"friction\": 0, \"restitution\": 0.9"),
                   "warning 1: materials.m: contacts of the method potential are elastic and without friction, "
                   "whatever materials say; lcp, impulse, penalty and dcr look at them\n");
    check_warnings(MATTER("dcr", "\"friction\": 0.3"), "");
}

#define SPRING(method, stiffness)                                                                              \
    "{\"carom\": 1, " method "\"bodies\": [{\"name\": \"b\", " GOOD "}],\n\"forces\": [{\"kind\": \"spring\"," \
    " \"a\": \"b\", \"b\": \"world\", \"stiffness\": " stiffness "}]}"

TEST(steps) {
    check_warnings(BODY(GOOD ", \"spin\": [0, 0, 300]"), "warning 1: bodies[0].spin: rotates by 1.25 rad in a step of "
                                                         "0.00416667 s; for good accuracy make the step 0.0003 s\n");
    check_warnings(SPRING("\"method\": {\"name\": \"euler\"}, ", "1e6"),
                   "warning 1: method: a step of 0.00416667 s is too long for springs or position motors of body 'b': "
                   "step times frequency is 4.17; 0.0005 s would do\n");
    // Stable, but not accurate: a slower spring, and methods that take it implicitly. One that does not swing is both.
    check_warnings(SPRING("\"method\": {\"name\": \"euler\"}, ", "4e4"),
                   "warning 2: forces[0].stiffness: swings with 200 rad/s, too fast for a step of 0.00416667 s; for "
                   "good accuracy make the step 0.0005 s\n");
    check_warnings(SPRING("", "1e6"),
                   "warning 2: forces[0].stiffness: swings with 1e+03 rad/s, too fast for a step of 0.00416667 s; for "
                   "good accuracy make the step 0.0001 s\n");
    check_warnings(SPRING("", "1e6, \"damping\": 2000"), "");
    check_warnings(SPRING("\"method\": {\"name\": \"variational\"}, ", "1e6"),
                   "warning 2: forces[0].stiffness: swings with 1e+03 rad/s, too fast for a step of 0.00416667 s; for "
                   "good accuracy make the step 0.0001 s\n");
    check_warnings("{\"carom\": 1, \"until\": 0.001, \"bodies\": [{" GOOD "}]}",
                   "warning 1: until: is 0.001 s, shorter than one step of 0.00416667 s; nothing will move\n");
    check_warnings("{\"carom\": 1, \"frame_rate\": 1000, \"bodies\": [{" GOOD "}]}",
                   "warning 1: frame_rate: asks for 1000 frames a second, but a step of 0.00416667 s gives 240\n");
}

// A warning for every rate, with who it is of and a step that would do.
TEST(steps_that_are_too_long_for_forces) {
    static const char drag[] = "{\"carom\": 1, \"method\": {\"name\": \"euler\", \"step\": 0.01}, \"bodies\": [{"
                               "\"name\": \"b\", " GOOD "}],\n\"forces\": [{\"kind\": \"drag\", \"body\": \"b\", "
                               "\"linear\": 250}]}";
    check_warnings(drag, "warning 1: method.step: a step of 0.01 s is too long for dampers, drag or damping of body "
                         "'b': step times rate of decay is 2.5; 0.002 s would do\n");
    static const char tumbling[] = "{\"carom\": 1, \"method\": {\"name\": \"lcp\"}, \"bodies\": [{\"name\": \"b\", "
                                   "\"mass\": 1, \"inertia\": [2, 2, 1], \"spin\": [0, 0, 480]}]}";
    check_warnings(tumbling,
                   "warning 1: bodies[0].spin: rotates by 2 rad in a step of 0.00416667 s; for good accuracy make the "
                   "step 0.0002 s\n"
                   "warning 1: method: a step of 0.00416667 s is too long for the tumbling of body 'b': step times its "
                   "rate is 1; 0.001 s would do\n");
}

#define JOINED(members)                                                                           \
    "{\"carom\": 1, \"method\": {\"name\": \"multiplier\"}, \"bodies\": [{\"name\": \"b\", " GOOD \
    ", \"position\": [0, 0, 2]}],\n\"joints\": [{\"name\": \"j\", \"a\": \"world\", \"b\": \"b\", " members "}]}"
#define SLIDER "\"kind\": \"slider\", \"point_a\": [0, 0, 0], \"point_b\": [0, 0, 0], "

TEST(joints) {
    check_warnings(JOINED(SLIDER "\"coordinates\": [{\"lower\": -1, \"upper\": 2, \"stiffness\": 1, \"rest\": 1}]"),
                   "");
    check_refusal(JOINED(SLIDER "\"coordinates\": [{\"upper\": 1.5}]"),
                  "2: joints[0]: a run cannot begin: joint 'j': coordinate 0 is beyond its upper limit by 0.5 m, "
                  "at 2 m instead of 1.5 m; start the bodies within the limits, or move the limit\n");
    check_refusal(JOINED("\"kind\": \"hinge\", \"point\": [0, 0, 0], \"coordinates\": [{\"lower\": 0.1}]"),
                  "2: joints[0]: a run cannot begin: joint 'j': coordinate 0 is below its lower limit by 0.1 rad, "
                  "at 0 rad instead of 0.1 rad; start the bodies within the limits, or move the limit\n");
    check_warnings(JOINED(SLIDER "\"coordinates\": [{\"rest\": 1}]"),
                   "warning 2: joints[0].coordinates[0].rest: has no effect without \"stiffness\"\n");
    check_warnings(JOINED(SLIDER "\"coordinates\": [{\"motor\": {\"kind\": \"position\", \"target\": 1}}]"),
                   "warning 2: joints[0].coordinates[0].motor: can exert no force; give it \"stiffness\" or "
                   "\"damping\"\n");
    check_warnings(JOINED(SLIDER "\"coordinates\": [{\"motor\": {\"kind\": \"force\"}}]"),
                   "warning 2: joints[0].coordinates[0].motor: can exert no force; give it a \"force\"\n");
    check_warnings(JOINED(SLIDER "\"coordinates\": [{\"motor\": {\"kind\": \"velocity\", \"max_force\": 0}}]"),
                   "warning 2: joints[0].coordinates[0].motor: can exert no force; give it a larger \"max_force\"\n");
    check_warnings(JOINED(SLIDER
                          "\"coordinates\": [{\"upper\": 3, \"motor\": {\"kind\": \"position\", \"stiffness\": 1, "
                          "\"target\": 4}}]"),
                   "warning 2: joints[0].coordinates[0].motor.target: its target of 4 m is outside the limits -inf and "
                   "3\n");
}

// What a run would do to the joints before its first step, or why it could not begin.
TEST(joints_that_are_apart) {
    check_warnings(
        JOINED("\"kind\": \"ball\", \"point_a\": [0, 0, 0], \"point_b\": [0, 0, -2.00002]"),
        "warning 2: joints: joints were up to 2e-05 m and 0 rad apart (joint 'j'): bodies were moved by up to "
        "2e-05 m and 0 rad to close them\n");
    check_refusal(JOINED("\"kind\": \"ball\", \"point_a\": [0, 0, 0], \"point_b\": [0, 0, -3]"),
                  "2: joints[0]: a run cannot begin: joint 'j' is 1 m apart, more than the 0.003 m that are "
                  "closed without asking; move its bodies or its points\n");
}

// Two bodies 1 m apart with a joint.
#define LATCHED(members)                                                                                              \
    "{\"carom\": 1, \"bodies\": [{\"name\": \"a\", " GOOD "}, {\"name\": \"b\", \"position\": [1, 0, 0], " GOOD "}]," \
    " \"joints\": [{\"name\": \"j\", \"a\": \"a\", \"b\": \"b\", " members "}]}"

TEST(latches_that_meet_at_the_start) {
    check_warnings(LATCHED("\"kind\": \"ball\", \"point_a\": [0.2, 0, 0], \"latch\": {\"distance\": 0.1}, "
                           "\"point_b\": [-0.2, 0, 0]"),
                   "");
    check_warnings(LATCHED("\"kind\": \"distance\", \"length\": 5, \"latch\": {\"distance\": 0.1}"), "");
    check_warnings(
        LATCHED("\"kind\": \"ball\", \"point_a\": [0.5, 0, 0], \"latch\": {\"distance\": 0.1}, "
                "\"point_b\": [-0.45, 0, 0]"),
        "warning 1: joints[0]: the frames of joint 'j' meet at the start (0.05 m and 0 rad apart): its latch "
        "closes it in the first step\n");
}

TEST_MAIN(CASE(good_scenes_have_no_warnings), CASE(gravity_beside_that_of_a_centre), CASE(masses_and_inertias),
          CASE(springs_that_are_too_stiff_or_too_soft), CASE(units), CASE(unused_things), CASE(contacts),
          CASE(overlaps_at_the_start), CASE(materials_that_a_method_does_not_look_at), CASE(steps),
          CASE(steps_that_are_too_long_for_forces), CASE(joints), CASE(joints_that_are_apart),
          CASE(latches_that_meet_at_the_start))
