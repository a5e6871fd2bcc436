// SPDX-License-Identifier: MIT
// A recording's numbers for other programs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "carom/record.h"
#include "verb/verb.h"

typedef struct export_options {
    bool csv, vtk, force, json;
    const char *what, *out;
} export_options;

static const option export_table[] = {
    {.name = "--csv",
     .offset = offsetof(export_options, csv),
     .help = "comma-separated values, numbers to the last bit"},
    {.name = "--vtk",
     .offset = offsetof(export_options, vtk),
     .help = "flexible bodies for ParaView: a .pvd and a folder with a .vtu a frame"},
    {.name = "--what",
     .kind = OPTION_TEXT,
     .offset = offsetof(export_options, what),
     .value = "WHAT",
     .help = "frames (a line a body and frame; default), joints (a line a joint and frame), contacts (a line a "
             "contact and frame), collisions (a line each), certificates (a line a step), joint_events (a line a joint "
             "that opened or closed); of plans controls (a line a number and interval), gaps (a line a node) or "
             "solves (a line each)"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(export_options, out),
     .value = "FILE",
     .help = "where to; '-' is the standard output, of CSV. Default: RUN-WHAT.csv or RUN.pvd in the current folder"},
    {.name = "--force", .offset = offsetof(export_options, force), .help = "replaces an existing file"},
    {.name = "--json", .offset = offsetof(export_options, json), .help = "says as an object what was written"},
    {.name = NULL},
};

// "folder/block.carom" and "-frames.csv": "block-frames.csv". Freed by the caller; NULL when there is no memory.
static char *default_name(const char *run, const char *what, const char *form) {
    const char *slash = strrchr(run, '/'), *base = slash != NULL ? slash + 1 : run;
    const char *ending = strrchr(base, '.');
    size_t length = ending != NULL && strcmp(ending, ".carom") == 0 ? (size_t)(ending - base) : strlen(base);
    size_t size = length + strlen(what) + strlen(form) + 2;
    char *name = malloc(size);
    if (name != NULL) snprintf(name, size, "%.*s%s%s%s", (int)length, base, what[0] != '\0' ? "-" : "", what, form);
    return name;
}

static int write_export(const char *run, const char *to, const export_options *options) {
    carom_error error;
    carom_recording *recording = NULL;
    carom_status status = carom_recording_open(run, &recording, &error);
    if (status == CAROM_OK && options->vtk)
        status = carom_recording_export_vtk(recording, to, options->force, &error);
    else if (status == CAROM_OK)
        status = carom_recording_export_csv(recording, options->what, to, options->force, &error);
    carom_recording_close(recording);
    if (status != CAROM_OK) return refuse_error(&error);
    if (strcmp(to, "-") == 0) return EXIT_GOOD;
    if (options->json) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "recording", run);
        jsonl_text(&json, "what", options->vtk ? "vtk" : options->what);
        jsonl_text(&json, "file", to);
        jsonl_end(&json);
    } else {
        print_clean(stdout, to);
        fputc('\n', stdout);
    }
    return EXIT_GOOD;
}

static int run_export(int argument_count, char **arguments) {
    static const char *const kinds[] = {"frames",       "joints",   "contacts", "collisions", "certificates",
                                        "joint_events", "controls", "gaps",     "solves",     NULL};
    export_options options = {.what = kinds[0]};
    int words = read_options("export", export_table, argument_count, arguments, &options);
    if (words < 0 || !check_one_word(&verb_export, "a recording", words, arguments)) return EXIT_BAD_INPUT;
    if (options.csv == options.vtk)
        return refuse("'export' needs to know the form: carom export %s --csv, or --vtk for flexible bodies",
                      arguments[0]);
    bool streams = options.out != NULL && strcmp(options.out, "-") == 0;
    if (options.vtk && streams) return refuse("--vtk writes several files, which '-o -' cannot take: name a .pvd");
    if (options.vtk && strcmp(options.what, kinds[0]) != 0)
        return refuse("--what is for --csv: --vtk writes the frames of flexible bodies");
    int kind = 0;
    while (kinds[kind] != NULL && strcmp(options.what, kinds[kind]) != 0) kind++;
    if (kinds[kind] == NULL) return refuse_unknown("export of", options.what, kinds);
    if (options.json && streams) return refuse("--json and '-o -' do not go together; both want the standard output");
    char *name = NULL;
    if (options.out == NULL)
        name = options.vtk ? default_name(arguments[0], "", ".pvd") : default_name(arguments[0], options.what, ".csv");
    if (options.out == NULL && name == NULL) return refuse_memory("a file name");
    int code = write_export(arguments[0], name != NULL ? name : options.out, &options);
    free(name);
    return code;
}

const verb verb_export = {
    .name = "export",
    .group = GROUP_LOOK,
    .arguments = "RUN --csv [--what frames|joints|contacts|collisions|certificates|joint_events|controls|gaps|solves]\n"
                 "             | --vtk [-o FILE] [--force] [--json]",
    .summary = "a recording's frames, joints, contacts, collisions, certificates or joint events for other programs",
    .help = "Prints the name of the file.",
    .options = export_table,
    .run = run_export,
};
