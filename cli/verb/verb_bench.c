// SPDX-License-Identifier: MIT
// Starts the benchmark programs, which stand in the folder bench/ beside this program. They are programs of their own
// because they look inside the library and run other engines, which this front end must not.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verb/verb.h"

enum { PATH_SIZE = 4096, MOST_BENCHMARKS = 64 };

// The folder of the benchmark programs, without a closing slash; false with a sentence when it cannot be told.
static bool find_bench_folder(char folder[PATH_SIZE]) {
    ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - sizeof "/bench");
    if (length <= 0) {
        refuse("cannot tell where this program is: %s", strerror(errno));
        return false;
    }
    folder[length] = '\0';
    strcpy(strrchr(folder, '/'), "/bench");
    return true;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Names of the benchmark programs in order of the alphabet, ending with NULL. Freed by free_names.
static int list_benchmarks(const char *folder, char *names[MOST_BENCHMARKS + 1]) {
    int count = 0;
    DIR *directory = opendir(folder);
    if (directory != NULL) {
        for (struct dirent *entry; count < MOST_BENCHMARKS && (entry = readdir(directory)) != NULL;) {
            struct stat about;
            if (fstatat(dirfd(directory), entry->d_name, &about, 0) != 0 || !S_ISREG(about.st_mode)) continue;
            if ((names[count] = strdup(entry->d_name)) != NULL) count++;
        }
        closedir(directory);
    }
    names[count] = NULL;
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    return count;
}

static void free_names(char **names) {
    for (; *names != NULL; names++) free(*names);
}

static int run_program(const char *folder, const char *name, char **arguments, int argument_count) {
    char path[PATH_SIZE + 256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char **child_arguments = calloc((size_t)argument_count + 2, sizeof *child_arguments);
    if (child_arguments == NULL) return EXIT_INTERNAL;
    child_arguments[0] = path;
    for (int i = 0; i < argument_count; i++) child_arguments[i + 1] = arguments[i];
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execv(path, child_arguments);
        _exit(127);
    }
    free(child_arguments);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        fprintf(stderr, "carom: cannot start the benchmark '%s': %s\n", name, strerror(errno));
        return EXIT_INTERNAL;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 127) return WEXITSTATUS(status);
    fprintf(stderr, "carom: the benchmark '%s' did not run to its end\n", name);
    return EXIT_INTERNAL;
}

static int run_bench(int argument_count, char **arguments) {
    char folder[PATH_SIZE];
    if (!find_bench_folder(folder)) return EXIT_INTERNAL;
    char *names[MOST_BENCHMARKS + 1];
    int count = list_benchmarks(folder, names);
    int code = EXIT_GOOD;
    if (count == 0) {
        code = refuse("there are no benchmarks in %s; 'make bench' in the sources builds them", folder);
    } else if (argument_count == 0) {
        for (int i = 0; i < count; i++) puts(names[i]);
    } else if (strcmp(arguments[0], "all") == 0) {
        for (int i = 0; i < count; i++) {
            int outcome = run_program(folder, names[i], arguments + 1, argument_count - 1);
            if (outcome > code) code = outcome;
        }
    } else {
        int chosen = 0;
        while (chosen < count && strcmp(names[chosen], arguments[0]) != 0) chosen++;
        code = chosen < count ? run_program(folder, names[chosen], arguments + 1, argument_count - 1)
                              : refuse_unknown("benchmark", arguments[0], (const char *const *)names);
    }
    free_names(names);
    return code;
}

const verb verb_bench = {
    .name = "bench",
    .group = GROUP_DEVELOP,
    .arguments = "[NAME | all] [--json] [FILE...]",
    .summary = "speed and error beside a peer; without a name, the list",
    .help = "Each line has carom's figure, the peer's, their ratio (above 1 carom is better), the target and the "
            "errors of\n"
            "both. With --json, one object a line. 'make bench' in the sources installs and builds the peers; without\n"
            "them carom's figures are printed alone and no target counts as met. 'solve' also takes files of contact\n"
            "problems; 'heaps' takes --scenes FOLDER, --only NAME, --steps COUNT, --limit SECONDS, --quick\n"
            "and --coarse; 'analytic' takes --short and --only WORD, and prints docs/analytic.md.",
    .run = run_bench,
};
