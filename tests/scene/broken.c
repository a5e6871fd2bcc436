// SPDX-License-Identifier: MIT
// Every scene in tests/scene/broken/ is refused with exactly the messages of the .txt beside it, lines included.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/scene/scene_file.h"

#define BROKEN CAROM_SOURCE_DIR "/tests/scene/broken/"

static void check_broken(const char *json, const char *expected) {
    probe_allocator probe = {0};
    carom_allocator allocator = probe_allocator_hook(&probe);
    carom_scene_source source = carom_scene_source_default();
    source.file = json;
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_scene_read(&source, &allocator, &scene, &messages, &error), CAROM_ERR_BAD_INPUT);
    CHECK(scene == NULL);
    char *got = messages_as_text(messages);
    if (!CHECK_TEXT(got, expected)) fprintf(stderr, "in %s\n", json);
    // The error is the first message, after the name of the file.
    size_t name = strlen(json), line = strcspn(expected, "\n");
    if (line > CAROM_ERROR_TEXT_SIZE - name - 2) line = CAROM_ERROR_TEXT_SIZE - name - 2; // errors are cut
    CHECK(strncmp(error.text, json, name) == 0 && error.text[name] == ':');
    CHECK(strncmp(error.text + name + 1, expected, line) == 0 && strlen(error.text) == name + 1 + line);
    free(got);
    carom_scene_messages_destroy(messages);
    CHECK_INT(probe.live_blocks, 0);
}

TEST(every_broken_scene_gets_its_sentences) {
    DIR *folder = opendir(BROKEN);
    if (!CHECK(folder != NULL)) return;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 5, ".json") != 0) continue;
        char json[512], text[512];
        snprintf(json, sizeof json, BROKEN "%s", entry->d_name);
        snprintf(text, sizeof text, BROKEN "%.*s.txt", (int)size - 5, entry->d_name);
        char *expected = read_test_file(text, NULL);
        if (!CHECK(expected != NULL)) fprintf(stderr, "there is no %s\n", text);
        if (expected != NULL) check_broken(json, expected);
        free(expected);
        count++;
    }
    closedir(folder);
    CHECK(count >= 45);
}

static void check_file(const char *file, carom_status status, const char *sentence) {
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    carom_scene *scene;
    carom_scene_messages *messages;
    carom_error error = {.text = ""};
    CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, &error), status);
    CHECK(scene == NULL);
    CHECK_TEXT(error.text, sentence);
    CHECK_INT(messages->count, 1);
    CHECK_INT(messages->message[0].line, 0);
    carom_scene_messages_destroy(messages);
}

TEST(files_that_cannot_be_read) {
    check_file("/no/such/scene.json", CAROM_ERR_FILE,
               "/no/such/scene.json: there is no such file; check the name and the folder");
    check_file("/tmp", CAROM_ERR_FILE, "/tmp: this is a folder, not a file; name a file in it");
    check_file("", CAROM_ERR_FILE, ": there is no such file; check the name and the folder");
    // Opens, but its first page cannot be read.
    check_file("/proc/self/mem", CAROM_ERR_FILE, "/proc/self/mem: the file cannot be read: Input/output error");
}

TEST(a_file_without_permission) {
    if (geteuid() == 0) return; // root reads everything
    char name[] = "/tmp/carom-scene-XXXXXX";
    int file = mkstemp(name);
    CHECK(file >= 0);
    fchmod(file, 0);
    close(file);
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%s: the file may not be read; change its permissions", name);
    check_file(name, CAROM_ERR_FILE, sentence);
    remove(name);
}

TEST(a_file_that_is_too_large) {
    // A hole costs no disk.
    char name[] = "/tmp/carom-scene-XXXXXX";
    int file = mkstemp(name);
    CHECK(file >= 0);
    CHECK(ftruncate(file, 257L * 1024 * 1024) == 0);
    close(file);
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%s: the file is larger than 256 MB; use \"repeat\" for many bodies", name);
    check_file(name, CAROM_ERR_TOO_LARGE, sentence);
    remove(name);
}

TEST(misuse_is_refused) {
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error;
    carom_scene_source nothing = carom_scene_source_default();
    CHECK_INT(carom_scene_read(&nothing, NULL, &scene, &messages, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "scene: neither a file nor a text is given; set one of them");
    carom_scene_messages_destroy(messages);
    carom_scene_source no_list = carom_scene_source_default();
    no_list.text = "{\"carom\": 1}";
    no_list.override_count = 2;
    CHECK_INT(carom_scene_read(&no_list, NULL, &scene, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "scene: 2 overrides are announced, but the list is NULL");
    carom_scene_destroy(NULL);
    carom_scene_messages_destroy(NULL);
}

TEST_MAIN(CASE(every_broken_scene_gets_its_sentences), CASE(files_that_cannot_be_read), CASE(a_file_without_permission),
          CASE(a_file_that_is_too_large), CASE(misuse_is_refused))
