// SPDX-License-Identifier: MIT
// Overrides: what they set, and what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/scene/scene_file.h"

static const char text[] = "{\n"
                           "  \"carom\": 1,\n"
                           "  \"materials\": {\"a.b\": {\"friction\": 0.1}},\n"
                           "  \"bodies\": [\n"
                           "    {\"name\": \"ball\", \"mass\": 2, \"inertia\": [1, 1, 1], \"material\": \"a.b\"},\n"
                           "    {\"name\": \"dot\", \"kind\": \"point\", \"mass\": 3}\n"
                           "  ]\n"
                           "}\n";

// Reads with the overrides; the messages as text, to be freed.
static char *read_with(int count, const char *const *overrides, carom_scene **scene) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.override_count = count;
    source.overrides = overrides;
    carom_scene_messages *messages;
    carom_scene_read(&source, NULL, scene, &messages, NULL);
    char *got = messages_as_text(messages);
    carom_scene_messages_destroy(messages);
    return got;
}

static carom_scene *read_good(int count, const char *const *overrides) {
    carom_scene *scene;
    char *got = read_with(count, overrides, &scene);
    CHECK_TEXT(got, "");
    free(got);
    return scene;
}

static void check_refused(const char *override, const char *wanted) {
    carom_scene *scene;
    char *got = read_with(1, &override, &scene);
    CHECK(scene == NULL);
    if (!CHECK_TEXT(got, wanted)) fprintf(stderr, "for %s\n", override);
    carom_scene_destroy(scene);
    free(got);
}

TEST(overrides_replace_create_and_append) {
    const char *overrides[] = {"method.step=0.25",
                               "method.name=euler",
                               "name=two words",
                               "description=\"a \\\"quoted\\\" word\"",
                               "bodies[0].mass=5",
                               "bodies[0].velocity=[1, 2, 3]",
                               "bodies[0].velocity[1]=-7",
                               "bodies[2]={\"name\": \"new\", \"kind\": \"point\", \"mass\": 1}",
                               "bodies[2].position=[0,0,9]",
                               "materials[\"a.b\"].friction=0.75",
                               "materials[\"x=y\"]={}",
                               "bodies[1].material=x=y",
                               "forces[0]={\"kind\": \"drag\", \"body\": \"dot\"}",
                               "forces[0].linear=0.5",
                               "until=1",
                               "until=3"};
    carom_scene *scene = read_good((int)(sizeof overrides / sizeof *overrides), overrides);
    if (scene == NULL) return;
    const carom_model *model = carom_scene_model(scene);
    carom_body_def ball, added;
    carom_model_get_body(model, (carom_body){0}, &ball, NULL);
    CHECK_INT(carom_model_get_body(model, carom_model_find_body(model, "new"), &added, NULL), CAROM_OK);
    CHECK_NEAR(carom_scene_method(scene)->step, 0.25, 0.0);
    CHECK_INT(carom_scene_method(scene)->method, CAROM_METHOD_EULER);
    CHECK_TEXT(carom_scene_name(scene), "two words");
    CHECK_TEXT(carom_scene_description(scene), "a \"quoted\" word");
    CHECK_NEAR(ball.mass, 5.0, 0.0);
    CHECK_NEAR(ball.velocity.y, -7.0, 0.0);
    CHECK_NEAR(ball.velocity.z, 3.0, 0.0);
    CHECK_NEAR(added.position.z, 9.0, 0.0);
    CHECK_NEAR(carom_scene_until(scene), 3.0, 0.0);
    double friction, restitution;
    carom_model_get_material_pair(model, (carom_material){0}, (carom_material){0}, &friction, &restitution, NULL);
    CHECK_NEAR(friction, 0.75, 0.0);
    CHECK_CONTAINS(carom_scene_resolved(scene), "{\"kind\": \"drag\", \"body\": \"dot\", \"linear\": 0.5,");
    carom_scene_destroy(scene);
}

TEST(wrong_values_name_the_override_not_the_file) {
    check_refused("bodies[1].mass=-1", "--set: bodies[1].mass: needs a positive number (kg), not -1\n");
    check_refused("bodies[1].mass=heavy",
                  "--set: bodies[1].mass: needs a positive number (kg), not the string \"heavy\"\n");
    check_refused("bodies[1].mas=1", "--set: bodies[1].mas: is not a key of a body; did you mean \"mass\"?\n");
    check_refused("method={\"name\": \"euler\", \"step\": 0}",
                  "--set: method.step: needs a positive number (s), not 0\n");
    check_refused("bodies[0].velocity=[1, 2]",
                  "--set: bodies[0].velocity: needs an array of 3 numbers (m/s), not an array of 2\n");
    check_refused("carom=2",
                  "--set: carom: this file has format 2, and this carom reads format 1; use a newer carom\n");
    // The file's own mistakes keep their lines, and come first.
    const char *both[] = {"until=-1", "bodies[0].spin=[1]"};
    carom_scene *scene;
    char broken[sizeof text];
    memcpy(broken, text, sizeof text);
    memcpy(strstr(broken, "\"mass\": 3"), "\"mass\": 0", 9);
    carom_scene_source source = carom_scene_source_default();
    source.text = broken;
    source.override_count = 2;
    source.overrides = both;
    carom_scene_messages *messages;
    carom_scene_read(&source, NULL, &scene, &messages, NULL);
    char *got = messages_as_text(messages);
    CHECK_TEXT(got, "6: bodies[1].mass: needs a positive number (kg), not 0\n"
                    "--set: until: needs a number of at least 0 (s), not -1\n"
                    "--set: bodies[0].spin: needs an array of 3 numbers (rad/s), not an array of 1\n");
    free(got);
    carom_scene_messages_destroy(messages);
}

// What is not in the scene is not made on the way to one of its members: a name that was mistyped would change nothing.
TEST(paths_that_lead_to_nothing_get_the_nearest_name) {
    check_refused("materials[\"a.c\"].friction=1",
                  "--set: materials[\"a.c\"].friction: the scene has no material \"a.c\"; did you mean \"a.b\"?\n");
    check_refused("materials.steel.friction=1",
                  "--set: materials.steel.friction: the scene has no material \"steel\"; it has a.b\n");
    check_refused("shapes.box.size=[1,1,1]",
                  "--set: shapes.box.size: the scene has no shapes that could be changed; to "
                  "add one, set all of it: shapes.NAME={..}\n");
    check_refused("joints[0].kind=hinge",
                  "--set: joints[0].kind: the scene has no joints that could be changed; to add "
                  "one, set all of it: joints[0]={..}\n");
    check_refused("bodies[2].mass=1",
                  "--set: bodies[2].mass: the scene has 2 bodies, the last is bodies[1]; to add one, "
                  "set all of it: bodies[2]={..}\n");
    check_refused("bodies.ball.mass=1", "--set: bodies.ball.mass: bodies is an array; \"ball\" is bodies[0]\n");
    check_refused("bodies[\"dor\"].mass=1",
                  "--set: bodies[\"dor\"].mass: bodies is an array; did you mean \"dot\", which is bodies[1]?\n");
    check_refused("metod.step=1", "--set: metod: is not a key of a scene; did you mean \"method\"?\n");
    check_refused("method.lpc.tolerance=1", "--set: method.lpc: is not a key of a method; did you mean \"lcp\"?\n");
    check_refused("gravity[2]=0",
                  "--set: gravity[2]: the scene leaves this array out; set all of it, as in [1, 2, 3]\n");
    check_refused("bodies[0].material=a,b",
                  "--set: bodies[0].material: \"a,b\" is not the name of a material; did you mean \"a.b\"?\n");
    check_refused("bodies[0].material=steel",
                  "--set: bodies[0].material: \"steel\" is not the name of a material in this "
                  "scene; there is \"a.b\"\n");
}

// Nor is what a run makes no use of: the linter looks for that.
TEST(overrides_without_effect_are_refused) {
    static const struct {
        const char *override, *wanted;
    } cases[] = {
        {"materials.ice={}",
         "--set: materials.ice: no body has this material; name it in one, as in bodies[0].material=ice\n"},
        {"shapes.s={\"kind\": \"sphere\", \"radius\": 1}",
         "--set: shapes.s: no body has this shape; name it in one, as in bodies[0].shape=s\n"},
        {"method.dcr.budget=1",
         "--set: method.dcr.budget: has no effect: the method is lcp; set method.name=dcr, too\n"},
        {"method.lcp.budget=1", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_scene_source source = carom_scene_source_default();
        source.text = text;
        source.override_count = 1;
        source.overrides = &cases[i].override;
        source.lint = true;
        carom_scene *scene;
        carom_scene_messages *messages;
        bool good = cases[i].wanted[0] == '\0';
        CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, NULL), good ? CAROM_OK : CAROM_ERR_BAD_INPUT);
        char *got = messages_as_text(messages);
        CHECK_TEXT(got, cases[i].wanted);
        free(got);
        carom_scene_messages_destroy(messages);
        carom_scene_destroy(scene);
    }
}

TEST(bad_paths_are_refused) {
    check_refused("until", "--set: until: an override is written path=value; there is no equal sign in this one\n");
    check_refused("=3", "--set: the path is empty; write path=value\n");
    check_refused("", "--set: an override is written path=value; there is no equal sign in this one\n");
    check_refused("until=", "--set: until: the value is missing; write path=value\n");
    check_refused("bodies..mass=1", "--set: bodies..mass: a key is missing in the path; write key.key or key[0]\n");
    check_refused("bodies[0]mass=1",
                  "--set: bodies[0]mass: a dot is missing in the path; write key.key or key[0].key\n");
    check_refused("bodies[7].mass=1",
                  "--set: bodies[7].mass: bodies has 2 items, counted from 0; bodies[2] would add one\n");
    check_refused("bodies.mass=1",
                  "--set: bodies.mass: bodies is an array; choose an item by its number, as in bodies[0]\n");
    check_refused("bodies[0][1]=1",
                  "--set: bodies[0][1]: bodies[0] is an object; choose a member by its key, not by an index\n");
    check_refused("bodies[0].mass.x=1",
                  "--set: bodies[0].mass.x: bodies[0].mass has no members, so that nothing in it can be set\n");
    check_refused("bodies[-1].mass=1",
                  "--set: bodies[-1].mass: brackets in a path hold a whole number or a key in double "
                  "quotes, as in bodies[0]\n");
    check_refused("bodies[99999999999].mass=1",
                  "--set: bodies[99999999999].mass: the index in the path is too large\n");
    check_refused("bodies[\"x=1", "--set: bodies[\"x: a key in quotes is not closed; write [\"key\"]\n");
    check_refused("[0]=1", "--set: [0]: the scene is an object; choose a member by its key, not by an index\n");
    check_refused("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r=1",
                  "--set: a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r: the path is too deep; no scene has such a place\n");
    check_refused("until=1e999",
                  "--set: until: the value 1e999 is not JSON; give a finite number, a word, [..] or {..}\n");
    check_refused("until=[1,", "--set: until: the value [1, is not JSON; give a finite number, a word, [..] or {..}\n");
    check_refused("until=NaN", "--set: until: needs a number of at least 0 (s), not the string \"NaN\"\n");
    const char *missing[] = {NULL};
    carom_scene *scene;
    char *got = read_with(1, missing, &scene);
    CHECK_TEXT(got, "--set: an override is missing (NULL)\n");
    free(got);
}

TEST(overrides_survive_a_lack_of_memory) {
    const char *overrides[] = {"bodies[0].mass=5", "materials[\"a.b\"].friction=0.75", "forces[0].kind=nonsense"};
    for (long long n = 1;; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator allocator = probe_allocator_hook(&probe);
        carom_scene_source source = carom_scene_source_default();
        source.text = text;
        source.override_count = 3;
        source.overrides = overrides;
        carom_scene *scene;
        carom_scene_messages *messages;
        carom_status status = carom_scene_read(&source, &allocator, &scene, &messages, NULL);
        CHECK_INT(status, probe.calls >= n ? CAROM_ERR_NO_MEMORY : CAROM_ERR_BAD_INPUT);
        carom_scene_messages_destroy(messages);
        if (!CHECK_INT(probe.live_blocks, 0) || probe.calls < n) return;
    }
}

TEST_MAIN(CASE(overrides_replace_create_and_append), CASE(wrong_values_name_the_override_not_the_file),
          CASE(paths_that_lead_to_nothing_get_the_nearest_name), CASE(overrides_without_effect_are_refused),
          CASE(bad_paths_are_refused), CASE(overrides_survive_a_lack_of_memory))
