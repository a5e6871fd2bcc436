// SPDX-License-Identifier: MIT
#include "report/report_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/report_page.h"
#include "verb/verb.h"

char *report_name(const char *run) {
    const char *slash = strrchr(run, '/'), *ending = strrchr(slash != NULL ? slash : run, '.');
    size_t length = ending != NULL && strcmp(ending, ".carom") == 0 ? (size_t)(ending - run) : strlen(run);
    char *name = malloc(length + sizeof ".html");
    if (name == NULL)
        refuse_memory("a file name");
    else
        snprintf(name, length + sizeof ".html", "%.*s.html", (int)length, run);
    return name;
}

// What the library would refuse as well, but without the names of the options.
int check_report_place(const char *to, bool force) {
    struct stat about;
    if (report_page[0] == '\0')
        return refuse("this program was built without the page of reports (CAROM_VIEWER=OFF); build it with the page");
    if (!force && stat(to, &about) == 0 && S_ISREG(about.st_mode))
        return refuse("%s exists already; --force replaces it, another name keeps it", to);
    return EXIT_GOOD;
}

static carom_report_def report_def(const char *to, bool force) {
    carom_report_def def = carom_report_def_default();
    def.path = to;
    def.overwrite = force;
    def.page = report_page;
    return def;
}

static carom_status make_report(const char *run, const char *to, bool force, carom_report_size *size,
                                carom_error *error) {
    carom_recording *recording = NULL;
    carom_report_def def = report_def(to, force);
    carom_status status = carom_recording_open(run, &recording, error);
    if (status == CAROM_OK) status = carom_report_write(recording, &def, size, error);
    carom_recording_close(recording);
    return status;
}

int write_report(const char *run, const char *to, bool force, carom_report_size *size) {
    int code = check_report_place(to, force);
    if (code != EXIT_GOOD) return code;
    carom_error error;
    return make_report(run, to, force, size, &error) == CAROM_OK ? EXIT_GOOD : refuse_error(&error);
}

bool try_report(const char *run, const char *to, bool force, carom_error *error) {
    return make_report(run, to, force, NULL, error) == CAROM_OK;
}

int write_report_page(const char *header, int blob_count, const carom_report_blob *blobs, const char *to, bool force) {
    int code = check_report_place(to, force);
    if (code != EXIT_GOOD) return code;
    carom_error error;
    carom_report_def def = report_def(to, force);
    if (carom_report_write_page(header, blob_count, blobs, &def, NULL, &error) == CAROM_OK) return EXIT_GOOD;
    return refuse_error(&error);
}
