// SPDX-License-Identifier: MIT
#include "run/hard_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "verb/verb.h"

int hard_steps_begin(hard_steps *hard, const char *folder, carom_method method) {
    *hard = (hard_steps){.folder = folder};
    if (folder == NULL) return EXIT_GOOD;
    if (!carom_method_has_contact(method))
        return refuse("--dump-hard: the method %s solves no contact problems; leave it out, or run with "
                      "--set method.name=lcp",
                      carom_method_name(method));
    struct stat about;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))) return EXIT_GOOD;
    return refuse("--dump-hard: %s cannot be made a folder: %s", folder, strerror(errno));
}

int hard_steps_look(hard_steps *hard, const carom_state *state, const carom_step_report *report) {
    if (hard->folder == NULL || report->outcome == CAROM_STEP_GOOD) return EXIT_GOOD;
    hard->met++;
    if (hard->written == HARD_STEPS_MOST) return EXIT_GOOD;
    size_t size = strlen(hard->folder) + 48;
    char *path = malloc(size);
    if (path == NULL) return refuse_memory("the name of a problem");
    snprintf(path, size, "%s/step-%06" PRId64 ".json", hard->folder, report->step);
    carom_error error;
    carom_status status = carom_state_write_problem(state, path, &error);
    free(path);
    if (status != CAROM_OK) return refuse_error(&error);
    hard->written++;
    return EXIT_GOOD;
}

void hard_steps_say(const hard_steps *hard) {
    if (hard->folder == NULL || hard->met == 0) return;
    if (hard->written < hard->met)
        note("%s: has the problems of the first %d of %" PRId64 " hard steps", hard->folder, hard->written, hard->met);
    else
        note("%s: has the problems of %d hard steps", hard->folder, hard->written);
}
