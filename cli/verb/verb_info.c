// SPDX-License-Identifier: MIT
// What a recording holds and how far it can be trusted.
#include <stdio.h>

#include "carom/record.h"
#include "plan/plan_summary.h"
#include "run/joint_list.h"
#include "run/run_summary.h"
#include "verb/verb.h"

typedef struct info_options {
    bool scene, joints, json;
} info_options;

static const option info_table[] = {
    {.name = "--scene", .offset = offsetof(info_options, scene), .help = "prints the scene that was run, as JSON"},
    {.name = "--joints",
     .offset = offsetof(info_options, joints),
     .help = "lists the joints as they stand in the last frame"},
    {.name = "--json", .offset = offsetof(info_options, json), .help = "one object; of joints, one each"},
    {.name = NULL},
};

static int print_scene(const char *path) {
    carom_error error;
    carom_recording *recording;
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) return refuse_error(&error);
    const char *text = carom_recording_scene(recording);
    int code = EXIT_GOOD;
    if (text[0] == '\0')
        code = refuse("%s: was recorded by a program that built its model itself, and has no scene", path);
    else
        fputs(text, stdout);
    carom_recording_close(recording);
    return code;
}

static int print_plan(const char *path, bool as_json) {
    plan_summary summary;
    int code = read_plan_summary(path, &summary);
    if (code == EXIT_GOOD && as_json)
        print_plan_object(stdout, &summary);
    else if (code == EXIT_GOOD)
        print_plan_summary(stdout, &summary);
    free_plan_summary(&summary);
    return code;
}

static int run_info(int argument_count, char **arguments) {
    info_options options = {0};
    int words = read_options("info", info_table, argument_count, arguments, &options);
    if (words < 0 || !check_one_word(&verb_info, "a recording", words, arguments)) return EXIT_BAD_INPUT;
    if (options.scene && options.json)
        return refuse("--scene and --json do not go together; the scene is JSON already");
    if (options.scene && options.joints) return refuse("--scene and --joints do not go together; ask for one of them");
    if (options.scene) return print_scene(arguments[0]);
    if (options.joints) return print_joint_list(arguments[0], options.json);
    run_summary summary;
    int code = read_summary(arguments[0], &summary);
    if (code != EXIT_GOOD) return code;
    if (summary.info.plan && !summary.info.replayed) return print_plan(arguments[0], options.json);
    if (options.json)
        print_summary_object(stdout, &summary);
    else
        print_summary(stdout, &summary);
    return EXIT_GOOD;
}

const verb verb_info = {
    .name = "info",
    .group = GROUP_LOOK,
    .arguments = "RUN [--scene | --joints] [--json]",
    .summary = "what a recording holds and how far it can be trusted",
    .help =
        "Also of a run that was killed or is still going on. The verdict is that of 'carom run', but the exit code\n"
        "is 0 whatever it is: 'carom report' has one that follows it.",
    .options = info_table,
    .run = run_info,
};
