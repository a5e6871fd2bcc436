// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "faults/trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char hash_file[] = "hash-of-whole";

const trial_case trial_cases[] = {
    {.name = "check", .words = {"check", "scene.json"}},
    {.name = "check-json", .words = {"check", "scene.json", "--set", "until=0.02", "--json"}},
    {.name = "run", .words = {"run", "scene.json", "--no-report", "-o", "made.carom"}, .recording = "made.carom"},
    {.name = "run-report",
     .words = {"run", "scene.json", "--until", "0.005", "-o", "made.carom", "--json"},
     .made = {"made.html"},
     .recording = "made.carom"},
    {.name = "resume",
     .words = {"run", "scene.json", "--no-report", "--resume", "-o", "made.carom"},
     .recording = "made.carom",
     .copied_from = "begun.carom"},
    {.name = "run-soft",
     .words = {"run", "soft.json", "-o", "made.carom", "--json"},
     .made = {"made.html"},
     .recording = "made.carom"},
    {.name = "run-soft-lcp",
     .words = {"run", "soft.json", "--no-report", "--set", "method.name=lcp", "-o", "made.carom"},
     .recording = "made.carom"},
    {.name = "report", .words = {"report", "whole.carom", "-o", "made.html"}, .made = {"made.html"}},
    {.name = "export", .words = {"export", "whole.carom", "--csv", "-o", "made.csv"}, .made = {"made.csv"}},
    {.name = "export-contacts", .words = {"export", "whole.carom", "--csv", "--what", "contacts", "-o", "-"}},
    {.name = "export-certificates",
     .words = {"export", "whole.carom", "--csv", "--what", "certificates", "-o", "made.csv", "--json"},
     .made = {"made.csv"}},
    {.name = "export-vtk",
     .words = {"export", "soft.carom", "--vtk", "-o", "made.pvd"},
     .made = {"made/000000.vtu", "made/000001.vtu", "made.pvd"},
     .folder = "made"},
    {.name = "info", .words = {"info", "whole.carom"}},
    {.name = "info-joints", .words = {"info", "whole.carom", "--joints", "--json"}},
    {.name = "hash", .words = {"hash", "whole.carom"}},
    {.name = "compare", .words = {"compare", "whole.carom", "begun.carom"}},
    {.name = "compare-methods",
     .words = {"compare", "scene.json", "--until", "0.01", "--methods", "lcp,lcp:0.01", "--report", "made.html", "-o",
               "made.txt"},
     .made = {"made.html", "made.txt"}},
    {.name = "converge",
     .words = {"converge", "scene.json", "--until", "0.01", "--methods", "lcp", "--halvings", "1", "--json"}},
    {.name = "solve", .words = {"solve", "problem.json", "-o", "made.json"}, .made = {"made.json"}},
    {.name = "solve-dense", .words = {"solve", "dense.json", "--json"}},
    {.name = "distance", .words = {"distance", "pair.json"}},
    {.name = "distance-words", .words = {"distance", "prism:6,1,1", "ellipsoid:1,2,3@4,0,0", "--json"}},
    {.name = "impact", .words = {"impact", "collision.json"}},
    {.name = NULL},
};

// ---- files

static file_bytes read_bytes(const char *path) {
    file_bytes got = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return got;
    struct stat about;
    if (fstat(fileno(file), &about) == 0 && (got.bytes = malloc((size_t)about.st_size + 1)) != NULL) {
        got.size = fread(got.bytes, 1, (size_t)about.st_size, file);
        got.bytes[got.size] = '\0';
    }
    fclose(file);
    return got;
}

static bool copy_file(const char *from, const char *to) {
    file_bytes bytes = read_bytes(from);
    FILE *file = bytes.bytes != NULL ? fopen(to, "wb") : NULL;
    bool good = file != NULL && fwrite(bytes.bytes, 1, bytes.size, file) == bytes.size;
    if (file != NULL) good &= fclose(file) == 0;
    free(bytes.bytes);
    return good;
}

static bool same_bytes(const file_bytes *a, const file_bytes *b) {
    if (a->bytes == NULL || b->bytes == NULL) return a->bytes == b->bytes;
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Calls `each` with the path of every file of the folder; stops when it says so.
static bool every_file(const char *folder, bool (*each)(const char *path, void *user), void *user) {
    DIR *files = opendir(folder);
    if (files == NULL) return false;
    bool good = true;
    char path[8192];
    for (struct dirent *entry; good && (entry = readdir(files)) != NULL;) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') good = length < (int)sizeof path && each(path, user);
    }
    closedir(files);
    return good;
}

// ---- the place

static bool copy_input(const char *path, void *unused) {
    (void)unused;
    return copy_file(path, strrchr(path, '/') + 1);
}

static bool remove_file(const char *path, void *unused) {
    (void)unused;
    unlink(path);
    return true;
}

// Of the folders that commands make none has folders in it.
static bool remove_any(const char *path, void *unused) {
    if (unlink(path) != 0 && every_file(path, remove_file, unused)) rmdir(path);
    return true;
}

bool trial_begin(trial_place *place, const char *program, const char *inputs) {
    const char *parent = getenv("TMPDIR");
    char from[4096];
    if (realpath(program, place->program) == NULL || realpath(inputs, from) == NULL) return false;
    snprintf(place->folder, sizeof place->folder, "%s/carom-faults-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(place->folder) != NULL && chdir(place->folder) == 0 && every_file(from, copy_input, NULL);
}

void trial_end(const trial_place *place) {
    every_file(".", remove_any, NULL);
    if (chdir("/") == 0) rmdir(place->folder);
}

static bool is_no_temporary(const char *path, void *unused) {
    (void)unused;
    return strstr(path, ".new-") == NULL;
}

static bool remove_temporary(const char *path, void *unused) {
    return is_no_temporary(path, unused) || remove_file(path, unused);
}

void trial_clean(const trial_case *about) {
    every_file(".", remove_temporary, NULL);
    unlink("out");
    unlink("err");
    for (int i = 0; i < MOST_FILES && about->made[i] != NULL; i++) unlink(about->made[i]);
    if (about->folder != NULL) remove_any(about->folder, NULL);
    if (about->recording == NULL) return;
    char journal[256];
    snprintf(journal, sizeof journal, "%s-journal", about->recording);
    unlink(journal);
    unlink(about->recording);
    if (about->copied_from != NULL) copy_file(about->copied_from, about->recording);
}

// ---- commands

static void become(const trial_place *place, const char *const *words) {
    char *arguments[MOST_WORDS + 2] = {(char *)place->program};
    for (int i = 0; i < MOST_WORDS && words[i] != NULL; i++) arguments[i + 1] = (char *)words[i];
    execv(place->program, arguments);
    _exit(127);
}

static void send_to_file(int descriptor, const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
    close(file);
}

static pid_t start(const trial_place *place, const char *const *words, void (*prepare)(void *), void *user) {
    pid_t child = fork();
    if (child != 0) return child;
    send_to_file(STDOUT_FILENO, "out");
    send_to_file(STDERR_FILENO, "err");
    if (prepare != NULL) prepare(user);
    become(place, words);
    return 0;
}

pid_t trial_start(const trial_place *place, const trial_case *about, void (*prepare)(void *), void *user) {
    return start(place, about->words, prepare, user);
}

int trial_command(const trial_place *place, const char *const *words) {
    int status;
    pid_t child = start(place, words, NULL, NULL);
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void trial_collect(const trial_case *about, int status, trial_result *result) {
    *result = (trial_result){.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
    result->out = read_bytes("out");
    result->error = read_bytes("err");
    for (int i = 0; i < MOST_FILES && about->made[i] != NULL; i++) result->made[i] = read_bytes(about->made[i]);
    if (about->recording != NULL) result->recording = read_bytes(about->recording);
}

void trial_free(trial_result *result) {
    free(result->out.bytes);
    free(result->error.bytes);
    free(result->recording.bytes);
    for (int i = 0; i < MOST_FILES; i++) free(result->made[i].bytes);
    *result = (trial_result){.code = 0};
}

// ---- what is right

bool trial_is_same(const trial_result *a, const trial_result *b) {
    bool same = a->code == b->code && same_bytes(&a->out, &b->out) && same_bytes(&a->recording, &b->recording);
    for (int i = 0; i < MOST_FILES; i++) same &= same_bytes(&a->made[i], &b->made[i]);
    return same;
}

bool trial_keep_hash(const trial_place *place, const trial_case *about) {
    if (about->recording == NULL) return true;
    return trial_command(place, (const char *[]){"hash", about->recording, NULL}) == 0 && rename("out", hash_file) == 0;
}

const char *trial_resume(const trial_place *place, const trial_case *about, const trial_result *whole) {
    if (trial_command(place, (const char *[]){"info", about->recording, NULL}) != 0)
        return "the recording cannot be read";
    const char *words[MOST_WORDS] = {NULL};
    int count = 0;
    for (int i = 0; about->words[i] != NULL; i++)
        if (strcmp(about->words[i], "--resume") != 0 && strcmp(about->words[i], "--force") != 0)
            words[count++] = about->words[i];
    words[count] = "--resume";
    if (trial_command(place, words) != whole->code) return "the recording cannot be resumed";
    if (trial_command(place, (const char *[]){"hash", about->recording, NULL}) != 0) return "there is no hash";
    file_bytes got = read_bytes("out"), wanted = read_bytes(hash_file);
    bool same = same_bytes(&got, &wanted);
    free(got.bytes);
    free(wanted.bytes);
    return same ? NULL : "the resumed run has another hash";
}

const char trial_left_temporary[] = "a temporary file, or an empty folder, is left behind";

static bool has_temporary(const trial_case *about) {
    if (!every_file(".", is_no_temporary, NULL)) return true;
    // A folder that is not there has none, and one that can be removed is empty.
    return about->folder != NULL && access(about->folder, F_OK) == 0 &&
           (!every_file(about->folder, is_no_temporary, NULL) || rmdir(about->folder) == 0);
}

const char *trial_leftovers(const trial_case *about, const trial_result *got, const trial_result *whole) {
    if (has_temporary(about)) return trial_left_temporary;
    for (int i = 0; i < MOST_FILES; i++)
        if (got->made[i].bytes != NULL && !same_bytes(&got->made[i], &whole->made[i])) return "a file is not whole";
    if (got->recording.bytes == NULL && about->copied_from != NULL) return "the recording is gone";
    return NULL;
}
