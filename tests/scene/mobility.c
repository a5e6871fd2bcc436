// SPDX-License-Identifier: MIT
// The mobility of a scene: what it becomes, where its matrix may stand, what is wrong with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/carom.h"
#include "carom/mobility.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/scene/scene_file.h"

// A ball that sinks in a fluid; `mobility` is the value of the key.
#define SINKING(mobility)                                                                              \
    "{\"carom\": 1, \"method\": {\"name\": \"lcp\", \"step\": 0.01}, \"gravity\": [0, 0, -10],\n "     \
    "\"mobility\": " mobility ",\n \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}},\n" \
    " \"bodies\": [{\"kind\": \"fixed\"}, {\"shape\": \"ball\", \"mass\": 2}]}"
#define IDENTITY                                                                                                     \
    "[[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0.5], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, " \
    "0.5, 0, 0, 1]]"

static carom_scene *read_good(const carom_scene_source *source) {
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_scene_read(source, NULL, &scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return scene;
}

static carom_body_state after_a_step(const carom_scene *scene) {
    const carom_model *model = carom_scene_model(scene);
    carom_state *state = NULL;
    carom_body_state body = {0};
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, NULL), CAROM_OK);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    carom_state_get_body(state, (carom_body){1}, &body, NULL);
    carom_state_destroy(state);
    return body;
}

// The resolved text says the same, and says it again.
static void check_resolved(const carom_scene *scene, const char *part) {
    const char *text = carom_scene_resolved(scene);
    CHECK_CONTAINS(text, part);
    carom_scene *again = read_good(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text});
    CHECK_TEXT(carom_scene_resolved(again), text);
    carom_body_state a = after_a_step(scene), b = after_a_step(again);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    carom_scene_destroy(again);
}

TEST(a_word_gives_the_drag_of_a_ball) {
    carom_scene *scene = read_good(&(carom_scene_source){.struct_size = sizeof(carom_scene_source),
                                                         .text = SINKING("{\"kind\": \"stokes\", \"viscosity\": 5}")});
    CHECK_INT(carom_model_mobility_kind(carom_scene_model(scene)), CAROM_MOBILITY_STOKES);
    CHECK_NEAR(after_a_step(scene).velocity.z, -20.0 / (6.0 * 3.14159265358979323846 * 5.0 * 0.1), 1e-13);
    check_resolved(scene, "\"mobility\": {\"kind\": \"stokes\", \"viscosity\": 5}");
    carom_scene_destroy(scene);
}

TEST(without_a_mobility_there_is_inertia) {
    carom_scene *scene = read_good(&(carom_scene_source){.struct_size = sizeof(carom_scene_source),
                                                         .text = SINKING("{\"kind\": \"none\", \"viscosity\": 5}")});
    CHECK_INT(carom_model_mobility_kind(carom_scene_model(scene)), CAROM_MOBILITY_NONE);
    CHECK_NEAR(after_a_step(scene).velocity.z, -0.1, 1e-15);
    CHECK(strstr(carom_scene_resolved(scene), "mobility") == NULL);
    carom_scene_destroy(scene);
}

static void check_matrix(const carom_scene *scene) {
    CHECK_INT(carom_model_mobility_kind(carom_scene_model(scene)), CAROM_MOBILITY_MATRIX);
    carom_body_state body = after_a_step(scene);
    CHECK_NEAR(body.velocity.z, -60.0, 1e-12);
    CHECK_NEAR(body.spin.z, -10.0, 1e-12);
    check_resolved(scene, "\n    [0, 0, 0.5, 0, 0, 1]\n");
}

TEST(a_matrix_stands_in_the_scene) {
    carom_scene *scene =
        read_good(&(carom_scene_source){.struct_size = sizeof(carom_scene_source),
                                        .text = SINKING("{\"kind\": \"matrix\", \"matrix\": " IDENTITY "}")});
    check_matrix(scene);
    carom_scene_destroy(scene);
}

// ---- files

static void write_file(const char *folder, const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void remove_file(const char *folder, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

TEST(a_matrix_stands_in_a_file_beside_the_scene) {
    char folder[] = "/tmp/carom-mobility-XXXXXX", path[256];
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    write_file(folder, "scene.json", SINKING("{\"kind\": \"matrix\", \"file\": \"numbers.txt\"}"));
    write_file(
        folder, "numbers.txt",
        "# one body\n1 0 0 0 0 0\n0,1,0,0,0,0 # commas\r\n0\t0 3e0 0 0 0.5\n\n0 0 0 1 0 0 0 0 0 0 1 0\n0 0 5e-1 0 0 1");
    snprintf(path, sizeof path, "%s/scene.json", folder);
    carom_scene *scene = read_good(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = path});
    check_matrix(scene);
    carom_scene_destroy(scene);
    remove_file(folder, "scene.json");
    remove_file(folder, "numbers.txt");
    rmdir(folder);
}

// The messages of a scene in a folder of its own, beside numbers.txt with this text.
static void check_refused(const char *mobility, const char *numbers, const char *wanted) {
    char folder[] = "/tmp/carom-mobility-XXXXXX", path[256], text[1024];
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    snprintf(text, sizeof text, SINKING("%s"), mobility);
    write_file(folder, "scene.json", text);
    write_file(folder, "numbers.txt", numbers);
    snprintf(path, sizeof path, "%s/scene.json", folder);
    probe_allocator probe = {0};
    carom_allocator allocator = probe_allocator_hook(&probe);
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    CHECK_INT(carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = path},
                               &allocator, &scene, &messages, NULL),
              CAROM_ERR_BAD_INPUT);
    char *got = messages_as_text(messages);
    CHECK_TEXT(got, wanted);
    free(got);
    carom_scene_messages_destroy(messages);
    CHECK_INT(probe.live_blocks, 0);
    remove_file(folder, "scene.json");
    remove_file(folder, "numbers.txt");
    rmdir(folder);
}

TEST(files_that_are_no_matrix_are_refused_with_their_line) {
    static const char file[] = "{\"kind\": \"matrix\", \"file\": \"numbers.txt\"}";
    check_refused(file, "1 2\n3 four 5\nNaN",
                  "2: mobility.file: line 2 of the file has something else where a number is needed\n");
    check_refused(file, "1 2 3 1e999",
                  "2: mobility.file: line 1 of the file has something else where a number is needed\n");
    check_refused(file, "1 2 3 # and so on",
                  "2: mobility.file: has 3 numbers; a matrix with 6 rows for each body that moves has 36\n");
    check_refused("{\"kind\": \"matrix\", \"file\": \"none.txt\"}", "",
                  "2: mobility.file: there is no such file; check the name and the folder\n");
    check_refused("{\"kind\": \"matrix\", \"file\": \".\"}", "",
                  "2: mobility.file: this is a folder, not a file; name a file in it\n");
}

// Neither what is elsewhere, nor what would be waited for, nor a word of what is in it.
TEST(files_elsewhere_and_pipes_are_refused) {
    static const char elsewhere[] =
        "2: mobility.file: a scene reads files in its folder or below only: no \"..\", no path from \"/\" on, no link; "
        "copy the file to the scene's folder\n";
    static const char *const names[] = {"/etc/passwd", "../numbers.txt",         "a/../../numbers.txt", "..", "",
                                        "//x",         "../../../../etc/passwd", "./../numbers.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char mobility[256];
        snprintf(mobility, sizeof mobility, "{\"kind\": \"matrix\", \"file\": \"%s\"}", names[i]);
        bool missing = names[i][0] == 'a'; // a folder that is not there
        check_refused(mobility, "1",
                      missing ? "2: mobility.file: there is no such file; check the name and the folder\n" : elsewhere);
    }
}

TEST(links_and_pipes_beside_the_scene_are_refused) {
    char folder[] = "/tmp/carom-mobility-XXXXXX", path[256], link_path[256], pipe_path[256];
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    snprintf(path, sizeof path, "%s/scene.json", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    CHECK_INT(symlink("/etc/passwd", link_path), 0);
    CHECK_INT(mkfifo(pipe_path, 0600), 0);
    static const char *const texts[] = {SINKING("{\"kind\": \"matrix\", \"file\": \"link\"}"),
                                        SINKING("{\"kind\": \"matrix\", \"file\": \"pipe\"}")};
    static const char *const wanted[] = {"no link; copy the file", "this is not an ordinary file; name one that is"};
    for (int i = 0; i < 2; i++) {
        carom_scene *scene = NULL;
        carom_error error = {.text = ""};
        write_file(folder, "scene.json", texts[i]);
        carom_scene_source source = carom_scene_source_default();
        source.file = path;
        CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, wanted[i]);
    }
    remove(link_path);
    remove(pipe_path);
    remove_file(folder, "scene.json");
    rmdir(folder);
}

TEST(a_scene_that_is_a_text_has_no_folder) {
    carom_scene *scene;
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.text = SINKING("{\"kind\": \"matrix\", \"file\": \"numbers.txt\"}");
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "text:2: mobility.file: a scene that is no file has no folder to look in; give \"matrix\" "
                           "instead");
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    int refused = 0;
    for (int n = 1;; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator allocator = probe_allocator_hook(&probe);
        carom_scene *scene = NULL;
        carom_scene_source source = carom_scene_source_default();
        source.text = SINKING("{\"kind\": \"matrix\", \"matrix\": " IDENTITY "}");
        carom_status status = carom_scene_read(&source, &allocator, &scene, NULL, NULL);
        carom_scene_destroy(scene);
        CHECK_INT(probe.live_blocks, 0);
        if (status == CAROM_OK) break;
        refused++;
        if (!CHECK_INT(status, CAROM_ERR_NO_MEMORY)) break;
    }
    CHECK(refused > 10);
}

TEST_MAIN(CASE(a_word_gives_the_drag_of_a_ball), CASE(without_a_mobility_there_is_inertia),
          CASE(a_matrix_stands_in_the_scene), CASE(a_matrix_stands_in_a_file_beside_the_scene),
          CASE(files_that_are_no_matrix_are_refused_with_their_line), CASE(files_elsewhere_and_pipes_are_refused),
          CASE(links_and_pipes_beside_the_scene_are_refused), CASE(a_scene_that_is_a_text_has_no_folder),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
