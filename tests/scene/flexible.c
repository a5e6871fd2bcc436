// SPDX-License-Identifier: MIT
// Flexible bodies of scenes: what keys become, how a load is shared, limits, warnings.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/scene/scene_file.h"

#define CUBE "\"mesh\": {\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [1, 1, 1]}, \"material\": \"gel\""
#define GEL "\"materials\": {\"gel\": {\"elastic\": {\"young\": 1e5, \"poisson\": 0.3, \"density\": 1000}}}"

static carom_scene *read_file(const char *file) {
    carom_scene_source source = carom_scene_source_default();
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    source.file = file;
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return scene;
}

static carom_scene *read_text(const char *text) {
    carom_scene_source source = carom_scene_source_default();
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    source.text = text;
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return scene;
}

static const carom_flex_def *flex_named(const carom_scene *scene, const char *name) {
    carom_flex flex = {-1};
    CHECK(carom_model_find_flex(carom_scene_model(scene), name, &flex));
    return carom_model_flex_def(carom_scene_model(scene), flex);
}

TEST(every_key_has_its_effect) {
    carom_scene *scene = read_file(CAROM_SOURCE_DIR "/tests/scene/good/flexible.json");
    if (scene == NULL) return;
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(carom_model_flex_count(model), 1 + 1 + 2 + 3);
    CHECK_INT(carom_model_body_count(model), 4 + 99 + 5 + 2 * 8 + 3 * 4);
    const carom_flex_def *cube = flex_named(scene, "cube"), *part = flex_named(scene, "part"),
                         *chip = flex_named(scene, "chip-1"), *loose = flex_named(scene, "flexible-3-2");
    if (cube == NULL || part == NULL || chip == NULL || loose == NULL) return;
    CHECK_INT(carom_mesh_order(cube->mesh), 2);
    CHECK_INT(carom_mesh_element_count(cube->mesh), 5 * 1 * 2 * 3);
    CHECK_INT(cube->elastic.model, CAROM_ELASTIC_NEO_HOOKEAN);
    // lambda = E nu / ((1 + nu) (1 - 2 nu)), mu = E / (2 (1 + nu))
    CHECK_NEAR(cube->elastic.lambda, 2e4 * 0.3 / (1.3 * 0.4), 1e-10);
    CHECK_NEAR(cube->elastic.mu, 2e4 / 2.6, 1e-11);
    CHECK_NEAR(cube->elastic.density, 1000.0, 0.0);
    CHECK_NEAR(cube->elastic.viscosity, 1e-4, 0.0);
    CHECK_NEAR(cube->velocity.x, 0.1, 0.0);
    CHECK_NEAR(cube->spin.z, 1.0, 0.0);
    CHECK_NEAR(cube->stretch.x.x, 1.1, 0.0);
    CHECK_NEAR(cube->skin, 0.001, 0.0);
    CHECK_INT(cube->pieces, CAROM_FLEX_PIECES_WHOLE);
    CHECK_INT(cube->start, CAROM_FLEX_START_REST);
    CHECK(cube->self_contact);
    CHECK_INT(cube->groups, 2);
    CHECK_INT(cube->meets, 3);
    CHECK_INT(cube->material.index, 0);
    // The face z = 0.15, with the middles of its edges: 3 x 5 of a lattice of twice as many cells, less those in the
    // middles of cells whose diagonal does not go through them: all have one.
    CHECK_INT(cube->fixed_count, 3 * 5);
    for (int i = 0; i < cube->fixed_count; i++) CHECK_NEAR(carom_mesh_nodes(cube->mesh)[cube->fixed[i]].z, 0.15, 1e-15);
    CHECK_INT(part->elastic.model, CAROM_ELASTIC_STVK);
    CHECK_NEAR(part->elastic.lambda, 1e5, 0.0);
    CHECK_NEAR(part->stretch.y.x, 0.1, 0.0); // row 1, column 2
    CHECK_INT(part->fixed_count, 4);
    CHECK_INT(chip->attachment_count, 2);
    CHECK_INT(chip->attachments[0].body.index, carom_model_find_body(model, "peg-1").index);
    CHECK_INT(chip->attachments[1].body.index, carom_model_find_body(model, "wall").index);
    CHECK_INT(chip->attachments[1].node_count, 1);
    CHECK_INT(loose->elastic.model, CAROM_ELASTIC_COROTATED);
    CHECK_INT(loose->attachments[0].body.index, CAROM_WORLD.index);
    carom_scene_destroy(scene);
}

// Position + rotation of stretched rest places, and the velocity of a rigid motion there.
TEST(nodes_start_where_the_body_is) {
    carom_scene *scene = read_file(CAROM_SOURCE_DIR "/tests/scene/good/flexible.json");
    if (scene == NULL) return;
    const carom_flex_def *cube = flex_named(scene, "cube");
    if (cube == NULL) return;
    const carom_model *model = carom_scene_model(scene);
    carom_quat attitude = crm_quat_from_axis_angle(crm_vec3(1.0 / sqrt(5.0), 2.0 / sqrt(5.0), 0.0), acos(-1.0) / 6.0);
    carom_body_def def;
    carom_body node = carom_model_flex_node(model, (carom_flex){0}, 0);
    CHECK_INT(carom_model_get_body(model, node, &def, NULL), CAROM_OK);
    carom_vec3 rest = carom_mesh_nodes(cube->mesh)[0];
    CHECK_NEAR(crm_distance(rest, crm_vec3(-0.05, -0.1, -0.15)), 0.0, 1e-16);
    carom_vec3 arm = crm_quat_rotate(attitude, crm_vec3(1.1 * rest.x, rest.y, 0.9 * rest.z));
    CHECK_NEAR(crm_distance(def.position, crm_add(crm_vec3(1.0, 2.0, 3.0), arm)), 0.0, 1e-15);
    CHECK_NEAR(crm_distance(def.velocity, crm_vec3(0.1 - arm.y, arm.x, 0.0)), 0.0, 1e-15);
    CHECK_TEXT(def.name, "cube/0");
    carom_scene_destroy(scene);
}

// Velocities after a step of `h` times masses are the impulses: half a step's impulse and half of the next one, from
// rest.
static void check_shares(const char *nodes, const double *share, int count) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"gravity\": [0, 0, 0], \"method\": {\"name\": \"newmark\", \"step\": 1e-6}, " GEL
             ", \"flexible\": [{\"name\": \"cube\", " CUBE "}], \"forces\": [{\"kind\": \"load\", \"body\": "
             "{\"flexible\": \"cube\", \"nodes\": %s}, \"force\": [0, 6, 0]}]}",
             nodes);
    carom_scene *scene = read_text(text);
    carom_state *state = NULL;
    carom_step_report report;
    if (scene == NULL) return;
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, NULL), CAROM_OK);
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    double masses[8], total = 0.0;
    carom_vec3 velocities[8];
    carom_mesh_masses(flex_named(scene, "cube")->mesh, 1000.0, masses);
    CHECK_INT(carom_state_get_nodes(state, (carom_flex){0}, NULL, velocities, NULL), CAROM_OK);
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(masses[i] * velocities[i].y / 1e-6, 6.0 * share[i], 1e-5);
        total += masses[i] * velocities[i].y / 1e-6;
    }
    CHECK_NEAR(total, 6.0, 1e-8);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

// The face z = 1/2 of a cube is two triangles: the ends of their diagonal have a third of the area, the others a sixth.
TEST(a_load_is_shared_by_area) {
    carom_scene *scene =
        read_text("{\"carom\": 1, \"method\": {\"name\": \"newmark\"}, " GEL ", \"flexible\": [{\"name\": "
                  "\"cube\", " CUBE "}]}");
    if (scene == NULL) return;
    const carom_mesh *mesh = flex_named(scene, "cube")->mesh;
    int count, triangles[8] = {0};
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    for (int t = 0; t < count; t++) {
        bool top = true;
        for (int k = 0; k < 3; k++) top &= carom_mesh_nodes(mesh)[triangle[t].node[k]].z > 0.0;
        for (int k = 0; top && k < 3; k++) triangles[triangle[t].node[k]]++;
    }
    double share[8];
    int ends = 0;
    for (int i = 0; i < 8; i++) {
        share[i] = triangles[i] / 6.0;
        ends += triangles[i] == 2;
    }
    CHECK_INT(ends, 2);
    carom_scene_destroy(scene);
    check_shares("{\"plane\": {\"normal\": [0, 0, 3], \"offset\": 0.5}}", share, 8);
}

TEST(nodes_without_a_triangle_share_a_load_equally) {
    check_shares("[0, 7]", (double[]){0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5}, 8);
    check_shares("[3]", (double[]){0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0}, 8);
}

// ---- limits and warnings

static void check_messages(const char *text, bool lint, const char *limit, carom_status status, const char *wanted) {
    carom_scene_source source = carom_scene_source_default();
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    source.text = text;
    source.lint = lint;
    if (limit != NULL) CHECK_INT(carom_limits_set(&source.limits, limit, NULL), CAROM_OK);
    CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, NULL), status);
    char *got = messages_as_text(messages);
    CHECK_TEXT(got, wanted);
    free(got);
    carom_scene_messages_destroy(messages);
    carom_scene_destroy(scene);
}

TEST(nodes_count_as_bodies) {
    static const char three[] = "{\"carom\": 1, \"method\": {\"name\": \"newmark\"}, " GEL ",\n"
                                "\"bodies\": [{\"name\": \"hand\"}],\n"
                                "\"flexible\": [{\"name\": \"a\", " CUBE "},\n"
                                " {\"name\": \"b\", " CUBE ", \"repeat\": {\"lattice\": {\"count\": [2, 1, 1], "
                                "\"spacing\": [2, 0, 0]}}}]}";
    check_messages(three, false, "bodies=25", CAROM_OK, "");
    check_messages(three, false, "bodies=24", CAROM_ERR_BAD_INPUT,
                   "4: flexible[1]: asks for 25 bodies up to here, nodes of flexible ones included, and the limit is "
                   "24; use less, or allow it by --limit bodies=25\n");
    // Before a mesh of a million nodes is made.
    check_messages("{\"carom\": 1, " GEL
                   ",\n\"flexible\": [{\"name\": \"a\", \"material\": \"gel\", \"mesh\": {\"kind\": "
                   "\"box\", \"size\": [1, 1, 1], \"cells\": [99, 99, 99], \"order\": 2}}]}",
                   false, NULL, CAROM_ERR_BAD_INPUT,
                   "2: flexible[0].mesh.cells: asks for 6910300 nodes, which are bodies, and the limit is 100000; use "
                   "less, or allow it by --limit bodies=6910300\n");
}

#define ONE(method, mesh, elastic)                                                                               \
    "{\"carom\": 1, \"gravity\": [0, 0, 0], \"until\": 1, \"method\": {\"name\": \"newmark\", \"step\": " method \
    "},\n\"materials\": {\"gel\": {\"friction\": 0, \"restitution\": 1, \"elastic\": {" elastic                  \
    ", \"density\": 1000}}},\n"                                                                                  \
    "\"flexible\": [{\"name\": \"a\", \"material\": \"gel\", \"mesh\": {" mesh "}}]}"
#define SOFT "\"young\": 1e5, \"poisson\": 0.3"

TEST(meshes_that_lock_or_fall_apart_are_doubtful) {
    check_messages(ONE("1e-3", "\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [4, 4, 4]", SOFT), true, NULL,
                   CAROM_OK, "");
    check_messages(
        ONE("1e-3", "\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [4, 4, 3]", SOFT), true, NULL, CAROM_OK,
        "warning 3: flexible[0].mesh: has elements of 4 nodes, and about 3 cells across: it will bend too stiffly; "
        "make \"order\" 2, or have at least 4\n");
    check_messages(ONE("1e-3", "\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [4, 4, 3], \"order\": 2", SOFT),
                   true, NULL, CAROM_OK, "");
    check_messages(
        ONE("1e-3", "\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [4, 4, 4]",
            "\"young\": 1e5, \"poisson\": 0.45"),
        true, NULL, CAROM_OK,
        "warning 3: flexible[0].mesh: has elements of 4 nodes, which lock with a Poisson's ratio of 0.45 (above 0.4); "
        "make \"order\" 2\n");
    check_messages(
        ONE("1e-5",
            "\"kind\": \"given\", \"order\": 1, \"nodes\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
            "0.05], [5, 0, 0], [6, 0, 0], [5, 1, 0], [5, 0, 1]], \"elements\": [[0, 1, 2, 3], [4, 5, "
            "6, 7]]",
            SOFT),
        true, NULL, CAROM_OK,
        "warning 3: flexible[0].mesh: element 0 is nearly flat (quality 0.071 of 1): stable steps will be short and "
        "stresses rough; mend the mesh\n"
        "warning 3: flexible[0].mesh: is in 2 pieces that share no node and will fly apart; was one body meant?\n"
        "warning 3: flexible[0].mesh: has elements of 4 nodes, and about 0.35 cells across: it will bend too "
        "stiffly; make \"order\" 2, or have at least 4\n");
}

TEST(a_body_that_is_fixed_everywhere_is_doubtful) {
    check_messages("{\"carom\": 1, \"gravity\": [0, 0, 0], " GEL
                   ",\n\"flexible\": [{\"material\": \"gel\", \"mesh\": {\"kind\": \"box\", \"size\": [1, 1, 1], "
                   "\"cells\": [1, 1, 1], \"order\": 2}, \"fixed\": {\"box\": [[-1, -1, -1], [1, 1, 1]]}}]}",
                   true, NULL, CAROM_OK,
                   "warning 2: flexible[0].fixed: has all 26 nodes of the body: it neither moves nor bends; was a part "
                   "of it meant?\n");
}

TEST(elastic_materials_without_a_flexible_body_are_doubtful) {
    check_messages("{\"carom\": 1, \"gravity\": [0, 0, 0], " GEL ",\n\"bodies\": [{\"name\": \"a\", \"mass\": 1, "
                   "\"inertia\": [1, 1, 1], \"material\": \"gel\"}]}",
                   true, NULL, CAROM_OK,
                   "warning 1: materials.gel.elastic: has no effect: no flexible body is of this material\n");
}

// Of the mesh of the first case 4.1e-3 s; beyond it a run is unstable.
TEST(a_step_above_the_stable_one_is_refused_where_it_is_given) {
    carom_scene_source source = carom_scene_source_default();
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    source.text = ONE("1", "\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [4, 4, 4]", SOFT);
    source.lint = true;
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK(strncmp(error.text, "text:1: method.step: a run cannot begin: newmark is unstable", 59) == 0);
}

TEST_MAIN(CASE(every_key_has_its_effect), CASE(nodes_start_where_the_body_is), CASE(a_load_is_shared_by_area),
          CASE(nodes_without_a_triangle_share_a_load_equally), CASE(nodes_count_as_bodies),
          CASE(meshes_that_lock_or_fall_apart_are_doubtful), CASE(a_body_that_is_fixed_everywhere_is_doubtful),
          CASE(elastic_materials_without_a_flexible_body_are_doubtful),
          CASE(a_step_above_the_stable_one_is_refused_where_it_is_given))
