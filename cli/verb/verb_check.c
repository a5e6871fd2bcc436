// SPDX-License-Identifier: MIT
// Reads a scene and says what is wrong or doubtful in it, without running it.
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "carom/scene.h"
#include "plan/plan_summary.h"
#include "run/flexible_list.h"
#include "run/scene_input.h"
#include "verb/verb.h"

typedef struct check_options {
    text_list set;
    const char *limit;
    bool resolved, json;
} check_options;

static const option check_table[] = {
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(check_options, set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene first, such as method.step=1e-4; may be repeated"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(check_options, limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
    {.name = "--resolved",
     .offset = offsetof(check_options, resolved),
     .help = "prints the scene as it is understood: overrides applied, defaults filled in"},
    {.name = "--json",
     .offset = offsetof(check_options, json),
     .help = "one object a message, one with flexible bodies and one with the plan if there are any, and one with the "
             "counts"},
    {.name = NULL},
};

static void print_message_object(const carom_scene_message *message) {
    jsonl_writer json = jsonl_begin(stdout);
    put_scene_message(&json, message);
    jsonl_end(&json);
}

static void print_counts(FILE *to, const char *file, int errors, int warnings, bool as_json) {
    if (as_json) {
        jsonl_writer json = jsonl_begin(to);
        jsonl_text(&json, "file", file);
        jsonl_int(&json, "errors", errors);
        jsonl_int(&json, "warnings", warnings);
        jsonl_end(&json);
        return;
    }
    print_clean(to, file);
    if (errors == 0 && warnings == 0)
        fputs(": good\n", to);
    else
        fprintf(to, ": %d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
}

// Quality and stable steps of flexible bodies; the exit code.
static int print_meshes(FILE *to, const char *file, const carom_scene *scene, bool as_json) {
    flexible_list list;
    int code = list_model_flexible(carom_scene_model(scene), &list);
    if (code == EXIT_GOOD && as_json && list.count > 0) {
        jsonl_writer json = jsonl_begin(to);
        jsonl_text(&json, "file", file);
        put_flexible(&json, &list);
        jsonl_end(&json);
    } else if (code == EXIT_GOOD && !as_json) {
        print_flexible(to, "", "flexible", &list);
    }
    free_flexible(&list);
    return code;
}

// What a plan asks for; the exit code, after a sentence when it cannot be.
static int print_plan(FILE *to, const char *file, const carom_scene *scene, bool as_json) {
    const carom_plan_def *asked = carom_scene_plan(scene);
    if (asked == NULL) return EXIT_GOOD;
    carom_plan_def def = *asked;
    if (def.guess == CAROM_GUESS_MOTION) def.guess = CAROM_GUESS_STRAIGHT; // the recording may not be there yet
    carom_plan *plan = NULL;
    carom_error error;
    if (carom_plan_create(carom_scene_model(scene), &def, NULL, &plan, &error) != CAROM_OK)
        return error.status == CAROM_ERR_NO_MEMORY ? refuse_error(&error) : refuse("%s: %s", file, error.text);
    if (as_json)
        print_plan_line_object(to, file, scene, plan);
    else
        print_plan_line(to, scene, plan);
    carom_plan_destroy(plan);
    return EXIT_GOOD;
}

static int check_file(const char *file, const check_options *options) {
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = options->set.count;
    source.overrides = options->set.items;
    source.lint = true;
    int code = read_limits(options->limit, &source.limits);
    if (code != EXIT_GOOD) return code;
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.status = CAROM_OK};
    carom_status status = carom_scene_read(&source, NULL, &scene, &messages, &error);
    int count[2] = {0, 0};
    // The resolved scene has the standard output for itself.
    FILE *to = options->resolved ? stderr : stdout;
    for (int i = 0; messages != NULL && i < messages->count; i++) {
        const carom_scene_message *message = &messages->message[i];
        count[message->severity == CAROM_SEVERITY_WARNING]++;
        if (options->json)
            print_message_object(message);
        else
            print_scene_message(to, message, true);
    }
    if (status != CAROM_OK && count[0] == 0)
        code = refuse_error(&error);
    else if (status != CAROM_OK)
        code = EXIT_BAD_INPUT;
    if (code == EXIT_GOOD) code = print_meshes(to, file, scene, options->json);
    if (code == EXIT_GOOD) code = print_plan(to, file, scene, options->json);
    if (code == EXIT_GOOD || count[0] > 0) print_counts(to, file, count[0], count[1], options->json);
    if (code == EXIT_GOOD && options->resolved) puts(carom_scene_resolved(scene));
    carom_scene_destroy(scene);
    carom_scene_messages_destroy(messages);
    return code;
}

static int run_check(int argument_count, char **arguments) {
    check_options options = {.json = false};
    int words = read_options("check", check_table, argument_count, arguments, &options);
    int code = EXIT_BAD_INPUT;
    if (words >= 0 && check_one_word(&verb_check, "a scene", words, arguments)) {
        if (options.resolved && options.json)
            refuse("--resolved and --json do not go together; the resolved scene is JSON already");
        else
            code = check_file(arguments[0], &options);
    }
    free(options.set.items);
    return code;
}

const verb verb_check = {
    .name = "check",
    .group = GROUP_RUN,
    .arguments = "SCENE [--set PATH=VALUE]... [--limit NAME=VALUE,...] [--resolved] [--json]",
    .summary = "what is wrong or doubtful in a scene, without running it",
    .help = "One line each: file, line, path, error or warning, and a sentence; of flexible bodies the quality of "
            "their meshes\n"
            "and the longest explicit step, of a plan how large it is. Exit code 2 when there are errors.",
    .options = check_table,
    .run = run_check,
};
