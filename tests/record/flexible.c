// SPDX-License-Identifier: MIT
// Flexible bodies in recordings: meshes and materials read back to the bit, fields of frames against the state's own,
// rows of strangers refused, files for ParaView with the same numbers.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"
#include "support/scene/repaired_rows.h"

// A cube of four nodes an element and a bar of ten behind a rigid ball.
static const char scene_text[] =
    "{\"carom\": 1, \"method\": {\"name\": \"newmark\", \"step\": 5e-4}, \"until\": 0.05, \"frame_rate\": 100,"
    "\"materials\": {\"gum\": {\"elastic\": {\"model\": \"stvk\", \"lambda\": 1e4, \"mu\": 5e3, \"density\": 270}}},"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}},"
    "\"bodies\": [{\"name\": \"ball\", \"shape\": \"ball\", \"density\": 600, \"position\": [3, 0, 0]}],"
    "\"flexible\": [{\"name\": \"=cube\", \"mesh\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2], \"cells\": [2, 2, "
    "2]},"
    " \"material\": \"gum\", \"stretch\": [[1.1, 0, 0], [0, 1, 0], [0, 0, 1]]},"
    " {\"mesh\": {\"kind\": \"box\", \"size\": [0.4, 0.2, 0.2], \"cells\": [2, 1, 1], \"order\": 2}, \"material\": "
    "\"gum\","
    " \"position\": [0, 2, 0], \"spin\": [0, 0, 2]}]}";

static carom_scene *record(const char *path, carom_state **out) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = recorder_to(path);
    def.frame_rate = 100;
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(&def, scene, state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int i = 0; i < 100; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(carom_scene_model(scene), state, NULL, &report, &error), CAROM_OK);
        CHECK_INT(report.outcome, CAROM_STEP_GOOD);
        CHECK_INT(carom_recorder_step(recorder, state, &report, &error), CAROM_OK);
    }
    CHECK_INT(carom_recorder_finish(recorder, state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    *out = state;
    return scene;
}

static carom_recording *open_recording(const char *path) {
    carom_recording *recording = NULL;
    carom_error error = {0};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

TEST(meshes_and_materials_read_back_to_the_bit) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    carom_state *state;
    carom_scene *scene = record(path, &state);
    const carom_model *model = carom_scene_model(scene);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK_INT(info.flex_count, 2);
    for (int f = 0; f < 2; f++) {
        const carom_recorded_flex *flex = carom_recording_flex(recording, f);
        const carom_flex_def *def = carom_model_flex_def(model, (carom_flex){f});
        int nodes = carom_mesh_node_count(def->mesh), elements = carom_mesh_element_count(def->mesh);
        CHECK_INT(carom_mesh_node_count(flex->mesh), nodes);
        CHECK_INT(carom_mesh_element_count(flex->mesh), elements);
        CHECK_INT(carom_mesh_order(flex->mesh), f + 1);
        CHECK_INT(flex->first_body, carom_model_flex_node(model, (carom_flex){f}, 0).index);
        CHECK(memcmp(carom_mesh_nodes(flex->mesh), carom_mesh_nodes(def->mesh), (size_t)nodes * sizeof(carom_vec3)) ==
              0);
        CHECK(memcmp(carom_mesh_elements(flex->mesh), carom_mesh_elements(def->mesh),
                     (size_t)(elements * CAROM_ELEMENT_NODES(f + 1)) * sizeof(int32_t)) == 0);
        CHECK_INT(flex->elastic.model, CAROM_ELASTIC_STVK);
        CHECK(flex->elastic.lambda == 1e4 && flex->elastic.mu == 5e3 && flex->elastic.density == 270);
    }
    CHECK_TEXT(carom_recording_flex(recording, 0)->name, "=cube");
    CHECK_TEXT(carom_recording_flex(recording, 1)->name, "flexible-1"); // as scenes name what has no name
    CHECK(carom_recording_flex(recording, 2) == NULL && carom_recording_flex(recording, -1) == NULL);
    carom_recording_close(recording);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST(fields_of_the_last_frame_are_those_of_the_state) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    carom_state *state;
    carom_scene *scene = record(path, &state);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    carom_error error;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    carom_body_state *bodies = calloc((size_t)info.body_count, sizeof *bodies);
    CHECK_INT(carom_recording_get_frame(recording, info.frame_count - 1, NULL, NULL, bodies, &error), CAROM_OK);
    for (int f = 0; f < 2; f++) {
        const carom_recorded_flex *flex = carom_recording_flex(recording, f);
        carom_vec3 position[64];
        double of_frame[64], of_state[64];
        int nodes = carom_mesh_node_count(flex->mesh);
        assert_true(nodes <= 64);
        for (int n = 0; n < nodes; n++) position[n] = bodies[flex->first_body + n].position;
        for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++) {
            carom_flex_field_kind kind = (carom_flex_field_kind)k;
            CHECK_INT(carom_mesh_field(flex->mesh, &flex->elastic, position, kind, of_frame, &error), CAROM_OK);
            CHECK_INT(carom_flex_field(state, (carom_flex){f}, kind, of_state, &error), CAROM_OK);
            CHECK(memcmp(of_frame, of_state, (size_t)nodes * sizeof(double)) == 0);
            CHECK(of_frame[0] > 0.0);
        }
    }
    free(bodies);
    carom_recording_close(recording);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

// A rigid motion has no displacement; one that also grows has that of the growth.
TEST(displacements_leave_rigid_motions_out) {
    carom_mesh *mesh = NULL;
    carom_error error;
    const int cells[3] = {2, 2, 2};
    CHECK_INT(carom_mesh_create_box((carom_vec3){1, 1, 1}, cells, 1, NULL, &mesh, &error), CAROM_OK);
    carom_elastic_def elastic = carom_elastic_def_default();
    carom_vec3 position[27];
    double moved[27];
    for (int grown = 0; grown < 2; grown++) {
        double s = grown ? 1.1 : 1.0;
        for (int n = 0; n < 27; n++) { // a third of a revolution about the diagonal, and away
            carom_vec3 x = carom_mesh_nodes(mesh)[n];
            position[n] = (carom_vec3){s * x.z + 5, s * x.x - 3, s * x.y + 1};
        }
        CHECK_INT(carom_mesh_field(mesh, &elastic, position, CAROM_FLEX_FIELD_DISPLACEMENT, moved, &error), CAROM_OK);
        for (int n = 0; n < 27; n++) {
            carom_vec3 x = carom_mesh_nodes(mesh)[n];
            CHECK_NEAR(moved[n], (s - 1.0) * sqrt(x.x * x.x + x.y * x.y + x.z * x.z), 1e-14);
        }
    }
    CHECK_INT(carom_mesh_field(mesh, &elastic, position, CAROM_FLEX_FIELD_COUNT, moved, &error), CAROM_ERR_BAD_INPUT);
    carom_mesh_destroy(mesh);
}

TEST(rows_of_a_stranger_are_refused) {
    static const char *const changes[] = {
        "UPDATE flexible SET first_body = 9000000000",
        "UPDATE flexible SET first_body = -1",
        "UPDATE flexible SET node_count = node_count + 1",
        "UPDATE flexible SET node_count = 4611686018427387904",
        "UPDATE flexible SET element_count = 0, elements = x''",
        "UPDATE flexible SET element_count = 1152921504606846977",
        "UPDATE flexible SET element_order = 3",
        "UPDATE flexible SET model = 'glass'",
        "UPDATE flexible SET mu = -1",
        "UPDATE flexible SET lambda = NULL",
        "UPDATE flexible SET rest = zeroblob(length(rest))",
        "UPDATE flexible SET elements = zeroblob(length(elements))",
        "UPDATE flexible SET elements = CAST('text' AS BLOB)",
        "UPDATE flexible SET number = number + 1 WHERE number = 1",
    };
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    carom_state *state;
    carom_scene *scene = record(path, &state);
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        carom_recording *recording = NULL;
        carom_error error = {.text = ""};
        write_bytes(path, bytes, size);
        change_recording(path, changes[i], "flexible");
        CHECK_INT(carom_recording_open(path, &recording, &error), CAROM_ERR_FILE);
        if (strstr(error.text, "its table of flexible bodies is not what was written") == NULL)
            fail_msg("%s: %s", changes[i], error.text);
        carom_recording_close(recording);
    }
    free(bytes);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

// ---- ParaView

static int digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

// The bytes of an array by its name, without its head; freed by the caller.
static unsigned char *array_of(const char *text, const char *name, size_t *size) {
    char mark[64];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *at = strstr(text, mark);
    if (at == NULL) fail_msg("there is no array %s", name);
    at = strchr(at, '>') + 1;
    unsigned char *out = malloc(strlen(at) + 8);
    size_t count = 0;
    unsigned word = 0;
    for (int bits = 0; digit(*at) >= 0; at++) {
        word = word << 6 | (unsigned)digit(*at);
        if ((bits += 6) < 8) continue;
        bits -= 8;
        out[count++] = (unsigned char)(word >> bits);
    }
    uint64_t told;
    memcpy(&told, out, sizeof told);
    CHECK_INT(told, count - sizeof told);
    *size = count - sizeof told;
    memmove(out, out + sizeof told, *size);
    return out;
}

static char *text_of(const char *path) {
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    char *text = realloc(bytes, size + 1);
    text[size] = '\0';
    return text;
}

// -1 when the folder is not there.
static int files_in(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

TEST(files_for_paraview_have_the_numbers_of_the_frames) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *list = in_folder(&folder, "out & more.pvd");
    carom_state *state;
    carom_scene *scene = record(path, &state);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    carom_error error;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK_INT(carom_recording_export_vtk(recording, list, false, &error), CAROM_OK);
    char *listed = text_of(list), *text, name[128];
    CHECK(strstr(listed, "file=\"out &amp; more/000000.vtu\"") != NULL);
    snprintf(name, sizeof name, "%s/out & more/%06lld.vtu", folder.path, (long long)info.frame_count - 1);
    text = text_of(name);
    carom_body_state *bodies = calloc((size_t)info.body_count, sizeof *bodies);
    CHECK_INT(carom_recording_get_frame(recording, info.frame_count - 1, NULL, NULL, bodies, &error), CAROM_OK);
    size_t size, cells;
    unsigned char *positions = array_of(text, "position", &size), *types = array_of(text, "types", &cells);
    int nodes[2], elements[2], node = 0;
    for (int f = 0; f < 2; f++) {
        const carom_recorded_flex *flex = carom_recording_flex(recording, f);
        nodes[f] = carom_mesh_node_count(flex->mesh), elements[f] = carom_mesh_element_count(flex->mesh);
        for (int n = 0; n < nodes[f]; n++, node++)
            CHECK(memcmp(positions + 24 * node, &bodies[flex->first_body + n].position, 24) == 0);
    }
    CHECK_INT(size, 24 * (nodes[0] + nodes[1]));
    CHECK_INT(cells, elements[0] + elements[1]);
    CHECK(types[0] == 10 && types[elements[0]] == 24);
    // What is there is not replaced without being asked for; what is no export never.
    CHECK_INT(carom_recording_export_vtk(recording, list, false, &error), CAROM_ERR_FILE);
    CHECK_INT(carom_recording_export_vtk(recording, list, true, &error), CAROM_OK);
    write_bytes(name, "mine", 4);
    CHECK_INT(carom_recording_export_vtk(recording, list, true, &error), CAROM_ERR_FILE);
    CHECK(strstr(error.text, "is no export of carom and is left alone") != NULL);
    // Nothing else has changed: the list, and as many files as frames, are what they were.
    char *again = text_of(list);
    CHECK_TEXT(again, listed);
    free(again);
    snprintf(name, sizeof name, "%s/out & more", folder.path);
    CHECK_INT(files_in(name), info.frame_count);
    // One that fails at the list, behind all frames, leaves nothing.
    snprintf(name, sizeof name, "%s/late.pvd", folder.path);
    CHECK_INT(mkdir(name, 0777), 0);
    CHECK_INT(carom_recording_export_vtk(recording, name, true, &error), CAROM_ERR_FILE);
    CHECK_INT(rmdir(name), 0);
    snprintf(name, sizeof name, "%s/late", folder.path);
    CHECK_INT(files_in(name), -1);
    CHECK_INT(carom_recording_export_vtk(recording, "x.vtu", true, &error), CAROM_ERR_BAD_INPUT);
    free(positions);
    free(types);
    free(bodies);
    free(text);
    free(listed);
    carom_recording_close(recording);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    // Folders are removed without their folders.
    for (int f = 0; f < info.frame_count; f++) {
        snprintf(name, sizeof name, "%s/out & more/%06d.vtu", folder.path, f);
        unlink(name);
    }
    snprintf(name, sizeof name, "%s/out & more", folder.path);
    rmdir(name);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(meshes_and_materials_read_back_to_the_bit), CASE(fields_of_the_last_frame_are_those_of_the_state),
          CASE(displacements_leave_rigid_motions_out), CASE(rows_of_a_stranger_are_refused),
          CASE(files_for_paraview_have_the_numbers_of_the_frames))
