// SPDX-License-Identifier: MIT
#include "support/contact_cases.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/peer.h"

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static void *or_stop(void *memory) {
    if (memory == NULL) stop("no memory for the benchmark's problems");
    return memory;
}

bool bench_add_file(bench_contact_cases *list, const char *path) {
    carom_error error;
    carom_stored_problem *stored;
    if (list->count == BENCH_MOST_CASES) stop("too many problems at once");
    if (carom_problem_read(path, NULL, &stored, &error) != CAROM_OK) {
        fprintf(stderr, "carom: %s\n", error.text);
        return false;
    }
    bench_contact_case *added = or_stop(calloc(1, sizeof *added));
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    added->path = or_stop(strdup(path));
    snprintf(added->name, sizeof added->name, "%.*s", (int)strcspn(name, "."), name);
    added->stored = stored;
    for (int t = 0; t < BENCH_TOLERANCES; t++) added->cold[t] = added->warm[t] = added->ratio[t] = NAN;
    list->cases[list->count++] = added;
    return true;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void bench_add_folder(bench_contact_cases *list, const char *folder) {
    char *names[BENCH_MOST_CASES];
    int count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        fprintf(stderr, "carom: the folder %s cannot be read: %s\n", folder, strerror(errno));
        return;
    }
    for (struct dirent *entry; count < BENCH_MOST_CASES && (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
        names[count++] = or_stop(strdup(entry->d_name));
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    for (int i = 0; i < count; i++) {
        char path[BENCH_PATH_SIZE];
        snprintf(path, sizeof path, "%.3800s/%.255s", folder, names[i]);
        bench_add_file(list, path);
        free(names[i]);
    }
}

void bench_add_settled(bench_contact_cases *list) {
    static const char *const names[] = {"wall-5", "wall-10", "wall-20", "pile-1000"};
    char folder[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE + 64], answer[BENCH_PEER_ANSWER];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - sizeof "/problems");
    if (length <= 0) stop("cannot tell where this program is");
    folder[length] = '\0';
    strcpy(strrchr(folder, '/'), "/problems");
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/pile-1000.json", folder); // the last to be made
    const char *arguments[] = {folder, NULL};
    if (access(path, R_OK) != 0 && !bench_peer_run("settled_ode", arguments, answer)) {
        fprintf(stderr, "carom: the peer ODE, which settles walls and a pile, is missing; 'make bench' installs and "
                        "builds it\n");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s.json", folder, names[i]);
        bench_add_file(list, path);
    }
}

void bench_free_cases(bench_contact_cases *list) {
    for (int i = 0; i < list->count; i++) {
        carom_stored_problem_destroy(list->cases[i]->stored);
        free(list->cases[i]->path);
        free(list->cases[i]);
    }
    list->count = 0;
}

// ---- files of this run

static char scratch_folder[BENCH_PATH_SIZE];

static void remove_scratch(void) {
    DIR *directory = opendir(scratch_folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL) closedir(directory);
    rmdir(scratch_folder);
}

const char *bench_scratch_folder(void) {
    if (scratch_folder[0] != '\0') return scratch_folder;
    const char *folder = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%.4000s/carom-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(scratch_folder) == NULL)
        stop("cannot make a folder in the temporary folder; set TMPDIR to one that can be written");
    atexit(remove_scratch);
    return scratch_folder;
}
