// SPDX-License-Identifier: MIT
// Pictures of a recording.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "report/picture.h"
#include "report/report_file.h"
#include "run/run_summary.h"
#include "verb/verb.h"

typedef struct render_options {
    text_list at;
    picture_def picture;
    const char *out, *size;
    bool force, json;
} render_options;

static const option render_table[] = {
    {.name = "--at",
     .kind = OPTION_LIST,
     .offset = offsetof(render_options, at),
     .value = "T",
     .help = "the time of the picture, s; may be repeated. Default: half of the run"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(render_options, out),
     .value = "PNG",
     .help = "the picture; of several, their number is put before .png. Default: beside the recording"},
    {.name = "--size",
     .kind = OPTION_TEXT,
     .offset = offsetof(render_options, size),
     .value = "WxH",
     .help = "pixels. Default 960x600"},
    {.name = "--theme",
     .kind = OPTION_TEXT,
     .offset = offsetof(render_options, picture.theme),
     .value = "NAME",
     .help = "dark or light. Default light"},
    {.name = "--view",
     .kind = OPTION_TEXT,
     .offset = offsetof(render_options, picture.view),
     .value = "A,E,Z",
     .help = "azimuth and elevation in degrees, zoom (1 shows the whole run)"},
    {.name = "--layers",
     .kind = OPTION_TEXT,
     .offset = offsetof(render_options, picture.layers),
     .value = "A,B,...",
     .help = "what is drawn besides bodies: contacts, joints, charges, trails, overlap, axes, grid, shadows"},
    {.name = "--force", .offset = offsetof(render_options, force), .help = "replaces existing pictures"},
    {.name = "--json", .offset = offsetof(render_options, json), .help = "an object a picture"},
    {.name = NULL},
};

static bool read_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static int check_size(render_options *o) {
    if (o->size == NULL) return EXIT_GOOD;
    int used = 0;
    bool read = sscanf(o->size, "%5dx%5d%n", &o->picture.width, &o->picture.height, &used) == 2;
    int least = o->picture.width < o->picture.height ? o->picture.width : o->picture.height;
    int most = o->picture.width + o->picture.height - least;
    if (read && o->size[used] == '\0' && least >= LEAST_PICTURE && most <= MOST_PICTURE) return EXIT_GOOD;
    return refuse("--size needs two numbers from %d to %d, such as 960x600, not '%s'", LEAST_PICTURE, MOST_PICTURE,
                  o->size);
}

static int check_view(const render_options *o) {
    double a, e, z;
    int used = 0;
    if (o->picture.view == NULL) return EXIT_GOOD;
    if (sscanf(o->picture.view, "%lf,%lf,%lf%n", &a, &e, &z, &used) == 3 && o->picture.view[used] == '\0' && z > 0.0)
        return EXIT_GOOD;
    return refuse("--view needs azimuth, elevation and a positive zoom, such as 30,20,1, not '%s'", o->picture.view);
}

static int check_layers(const render_options *o) {
    static const char *const layers[] = {"contacts", "joints", "charges", "trails", "overlap",
                                         "axes",     "grid",   "shadows", NULL};
    for (const char *at = o->picture.layers; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
        int i = 0;
        while (layers[i] != NULL && strcmp(layers[i], word) != 0) i++;
        if (layers[i] == NULL) return refuse_unknown("layer", word, layers);
        at += length + (at[length] == ',');
    }
    return EXIT_GOOD;
}

static int check_options(render_options *o) {
    static const char *const themes[] = {"dark", "light", NULL};
    if (strcmp(o->picture.theme, themes[0]) != 0 && strcmp(o->picture.theme, themes[1]) != 0)
        return refuse_unknown("theme", o->picture.theme, themes);
    int code = check_size(o);
    if (code == EXIT_GOOD) code = check_view(o);
    return code == EXIT_GOOD ? check_layers(o) : code;
}

static int check_time(const char *run, const char *text, double end, double *time) {
    if (!read_number(text, time)) return refuse("--at needs a number of seconds, not '%s'", text);
    // A last frame may be later than a rounded number says.
    if (*time >= 0.0 && *time <= end * (1.0 + 1e-9)) return EXIT_GOOD;
    return refuse("--at is %s s, but %s goes from 0 to %.9g s", text, run, end);
}

// "shot.png" and 2: "shot-2.png"; of one picture, and number 0, the name itself.
static void picture_name(const char *out, int number, char *name, size_t size) {
    const char *slash = strrchr(out, '/'), *ending = strrchr(slash != NULL ? slash : out, '.');
    size_t length = ending != NULL && strcmp(ending, ".png") == 0 ? (size_t)(ending - out) : strlen(out);
    if (number == 0)
        snprintf(name, size, "%s", out);
    else
        snprintf(name, size, "%.*s-%d%s", (int)length, out, number, out + length);
}

static void say_picture(const render_options *o, const char *run, const char *name, double time) {
    if (!o->json) {
        print_clean(stdout, name);
        fputc('\n', stdout);
        return;
    }
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "recording", run);
    jsonl_text(&json, "picture", name);
    jsonl_number(&json, "time", time);
    jsonl_int(&json, "width", o->picture.width);
    jsonl_int(&json, "height", o->picture.height);
    jsonl_end(&json);
}

typedef struct shot {
    double time;
    char *name;
} shot;

// Before the browser is started: every time and every name must do.
static int list_shots(const render_options *o, const char *run, const char *out, double end, shot *shots, int count) {
    for (int i = 0; i < count; i++) {
        shots[i].time = 0.5 * end;
        int code = o->at.count > 0 ? check_time(run, o->at.items[i], end, &shots[i].time) : EXIT_GOOD;
        if (code != EXIT_GOOD) return code;
        size_t size = strlen(out) + 16;
        shots[i].name = malloc(size);
        if (shots[i].name == NULL) return refuse_memory("a file name");
        picture_name(out, count > 1 ? i + 1 : 0, shots[i].name, size);
        struct stat about;
        if (!o->force && stat(shots[i].name, &about) == 0)
            return refuse("%s exists already; --force replaces it, -o names another file", shots[i].name);
    }
    return EXIT_GOOD;
}

static int take_shots(const render_options *o, const char *run, const shot *shots, int count) {
    browser b;
    int code = browser_begin(&b, o->picture.width, o->picture.height);
    if (code == EXIT_GOOD) {
        char page[sizeof b.profile + 16];
        snprintf(page, sizeof page, "%s/report.html", b.profile);
        code = write_report(run, page, false, NULL);
        if (code == EXIT_GOOD) code = open_for_pictures(&b, &o->picture, page);
    }
    for (int i = 0; i < count && code == EXIT_GOOD; i++) {
        code = take_picture(&b, shots[i].time, shots[i].name, o->force);
        if (code == EXIT_GOOD) say_picture(o, run, shots[i].name, shots[i].time);
    }
    browser_end(&b);
    return code;
}

static int render(const render_options *o, const char *run) {
    run_summary summary;
    int code = read_summary(run, &summary);
    if (code != EXIT_GOOD) return code;
    char *name = o->out == NULL ? report_name(run) : NULL;
    if (o->out == NULL && name == NULL) return EXIT_INTERNAL;
    if (name != NULL) strcpy(strrchr(name, '.'), ".png"); // .html is longer
    int count = o->at.count > 0 ? o->at.count : 1;
    shot *shots = calloc((size_t)count, sizeof *shots);
    if (shots == NULL) code = refuse_memory("the pictures");
    if (code == EXIT_GOOD) code = list_shots(o, run, name != NULL ? name : o->out, summary.info.time, shots, count);
    if (code == EXIT_GOOD) code = take_shots(o, run, shots, count);
    for (int i = 0; shots != NULL && i < count; i++) free(shots[i].name);
    free(shots);
    free(name);
    return code;
}

static int run_render(int argument_count, char **arguments) {
    render_options options = {.picture = {.width = 960, .height = 600, .theme = "light"}};
    int words = read_options("render", render_table, argument_count, arguments, &options), code = EXIT_BAD_INPUT;
    if (words >= 0 && check_one_word(&verb_render, "a recording", words, arguments)) code = check_options(&options);
    if (words >= 0 && code == EXIT_GOOD) code = render(&options, arguments[0]);
    free(options.at.items);
    return code;
}

const verb verb_render = {
    .name = "render",
    .group = GROUP_LOOK,
    .arguments = "RUN [--at T]... [-o PNG] [--size WxH] [--theme dark|light] [--view A,E,Z]\n"
                 "                    [--layers A,B,...] [--force] [--json]",
    .summary = "pictures of a recording",
    .help =
        "Prints their names. Drawn by Chromium without a window: that in the PATH, or the one that\n" BROWSER_VARIABLE
        " names.",
    .options = render_table,
    .run = run_render,
};
