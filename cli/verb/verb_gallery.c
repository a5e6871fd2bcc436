// SPDX-License-Identifier: MIT
// Runs all scenes of a folder and makes a page of them, with a report and a picture of each.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "base/memory_file.h"
#include "base/text.h"
#include "carom/version.h"
#include "report/gallery.h"
#include "report/report_file.h"
#include "run/scene_input.h"
#include "verb/verb.h"

enum { PICTURE_WIDTH = 640, PICTURE_HEIGHT = 400 };

typedef struct gallery_options {
    gallery_def gallery;
    bool quiet, json;
} gallery_options;

static const option gallery_table[] = {
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(gallery_options, gallery.out),
     .value = "FOLDER",
     .help = "where recordings, reports, pictures and index.html go. Default: gallery"},
    {.name = "--scenes",
     .kind = OPTION_TEXT,
     .offset = offsetof(gallery_options, gallery.scenes),
     .value = "FOLDER",
     .help = "scenes, and folders of pairs of shapes or collisions. Default: scenes"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(gallery_options, gallery.limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
    {.name = "--no-pictures",
     .offset = offsetof(gallery_options, gallery.no_pictures),
     .help = "none are drawn, and no browser is needed"},
    {.name = "--strict",
     .offset = offsetof(gallery_options, gallery.strict),
     .help = "exit code 1 when a verdict is amber, too"},
    {.name = "--quiet", .offset = offsetof(gallery_options, quiet), .help = "no progress, no lines"},
    {.name = "--json", .offset = offsetof(gallery_options, json), .help = "an object a scene, no progress"},
    {.name = NULL},
};

static void say_card(const gallery_options *o, const card *c) {
    if (o->json) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "scene", c->name);
        jsonl_text(&json, "verdict", carom_colour_name(c->colour));
        jsonl_text(&json, "verdict_text", c->sentence);
        jsonl_text(&json, "figure", c->figure);
        jsonl_end(&json);
    } else if (!o->quiet) {
        printf("%-6s", carom_colour_name(c->colour));
        print_clean(stdout, c->name);
        fputs(": ", stdout);
        print_clean(stdout, c->colour == CAROM_COLOUR_GREEN ? c->figure : c->sentence);
        fputc('\n', stdout);
    }
    fflush(stdout);
}

// The worst exit code of all scenes; an interrupted one ends the gallery.
static int put_scenes(const gallery_options *o, char **scenes, browser *b, jsonl_writer *json) {
    int code = EXIT_GOOD;
    jsonl_open(json, NULL);
    jsonl_text(json, "title", "Scenes");
    jsonl_open_list(json, "cards");
    for (int i = 0; scenes[i] != NULL && code != EXIT_INTERRUPTED; i++) {
        card c;
        int outcome = make_scene_card(&o->gallery, scenes[i], b, &c);
        if (outcome > code) code = outcome;
        if (outcome != EXIT_INTERRUPTED) {
            say_card(o, &c);
            put_card(json, &c);
        }
        free_card(&c);
    }
    jsonl_close_list(json);
    jsonl_close(json);
    return code;
}

static int put_all(const gallery_options *o, char **scenes, char **folders, browser *b) {
    char index[4096];
    memory_file page;
    if (!memory_file_open(&page)) return refuse_memory("the gallery");
    jsonl_writer json = jsonl_begin(page.to);
    jsonl_int(&json, "carom_report", 1);
    jsonl_text(&json, "kind", "gallery");
    jsonl_text(&json, "title", "The gallery of carom");
    jsonl_text(&json, "version", carom_version());
    jsonl_open_list(&json, "groups");
    int code = put_scenes(o, scenes, b, &json);
    for (int i = 0; folders[i] != NULL && code != EXIT_INTERRUPTED; i++) {
        int outcome = put_pair_cards(&json, &o->gallery, folders[i]);
        if (outcome > code) code = outcome;
    }
    jsonl_close_list(&json);
    jsonl_end(&json);
    char *header = memory_file_close(&page);
    if (header == NULL) {
        code = refuse_memory("the gallery");
    } else if (code == EXIT_INTERRUPTED) {
        note("interrupted; what is finished is kept and will not be run again");
    } else {
        snprintf(index, sizeof index, "%s/index.html", o->gallery.out);
        int outcome = write_report_page(header, 0, NULL, index, true);
        if (outcome != EXIT_GOOD)
            code = outcome;
        else if (!o->quiet && !o->json)
            printf("%s\n", index);
    }
    free(header);
    return code;
}

static int make_gallery(const gallery_options *o) {
    if (strlen(o->gallery.out) > 3000 || strlen(o->gallery.scenes) > 3000)
        return refuse("the name of a folder is too long");
    char **scenes = list_names(o->gallery.scenes, ".json"), **folders = list_names(o->gallery.scenes, NULL);
    int code = scenes != NULL && folders != NULL ? EXIT_GOOD : EXIT_BAD_INPUT;
    if (code == EXIT_GOOD && scenes[0] == NULL && folders[0] == NULL)
        code = refuse("%s: there are no scenes in it; --scenes names another folder", o->gallery.scenes);
    if (code == EXIT_GOOD && mkdir(o->gallery.out, 0777) != 0 && errno != EEXIST)
        code = refuse("%s: the folder cannot be made: %s", o->gallery.out, strerror(errno));
    if (code == EXIT_GOOD) {
        browser b = {.to = -1, .from = -1};
        if (!o->gallery.no_pictures) code = browser_begin(&b, PICTURE_WIDTH, PICTURE_HEIGHT);
        watch_for_interrupts();
        if (code == EXIT_GOOD) code = put_all(o, scenes, folders, o->gallery.no_pictures ? NULL : &b);
        browser_end(&b);
    }
    free_names(scenes);
    free_names(folders);
    return code;
}

static int run_gallery(int argument_count, char **arguments) {
    gallery_options options = {.gallery = {.scenes = "scenes", .out = "gallery"}};
    int words = read_options("gallery", gallery_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    if (words > 0)
        return refuse("'gallery' takes options only, but there is '%s'; --scenes names the folder", arguments[0]);
    options.gallery.show_progress = !options.quiet && !options.json;
    return make_gallery(&options);
}

const verb verb_gallery = {
    .name = "gallery",
    .group = GROUP_LOOK,
    .arguments = "[-o FOLDER] [--scenes FOLDER] [--limit NAME=VALUE,...] [--no-pictures] [--strict] [--quiet] [--json]",
    .summary = "runs a folder of scenes and makes one page of them, with reports and pictures",
    .help =
        "Scenes that have not changed since they were run are not run again. Exit code 1 when a verdict is red, and\n"
        "with --strict when one is amber. Pictures are drawn by Chromium, as those of 'carom render'.",
    .options = gallery_table,
    .run = run_gallery,
};
