// SPDX-License-Identifier: MIT
#include "report/gallery.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/version.h"
#include "report/picture.h"
#include "report/report_file.h"
#include "run/running.h"
#include "run/scene_input.h"
#include "run/summary_items.h"
#include "verb/verb.h"

// ---- cards

static void put_text_or_null(jsonl_writer *json, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0')
        jsonl_text(json, key, text);
    else
        jsonl_null(json, key);
}

void put_card(jsonl_writer *json, const card *c) {
    jsonl_open(json, NULL);
    jsonl_text(json, "name", c->name);
    jsonl_text(json, "title", c->title != NULL && c->title[0] != '\0' ? c->title : c->name);
    jsonl_text(json, "description", c->description != NULL ? c->description : "");
    jsonl_text(json, "method", c->method);
    jsonl_text(json, "figure", c->figure);
    jsonl_open(json, "verdict");
    jsonl_text(json, "colour", carom_colour_name(c->colour));
    jsonl_text(json, "sentence", c->sentence);
    jsonl_close(json);
    put_text_or_null(json, "image", c->image);
    put_text_or_null(json, "link", c->link);
    jsonl_close(json);
}

void free_card(card *c) {
    free(c->title);
    free(c->description);
}

// ---- folders

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_wanted(DIR *directory, const char *name, const char *ending) {
    struct stat about;
    if (name[0] == '.' || fstatat(dirfd(directory), name, &about, 0) != 0) return false;
    if (ending == NULL) return S_ISDIR(about.st_mode);
    size_t length = strlen(name), tail = strlen(ending);
    return S_ISREG(about.st_mode) && length > tail && length < 200 && strcmp(name + length - tail, ending) == 0;
}

char **list_names(const char *folder, const char *ending) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        refuse("%s: cannot be read: %s", folder, strerror(errno));
        return NULL;
    }
    size_t count = 0, capacity = 0;
    char **names = calloc(1, sizeof *names);
    for (struct dirent *entry; names != NULL && (entry = readdir(directory)) != NULL;) {
        if (!is_wanted(directory, entry->d_name, ending)) continue;
        if (count == capacity) {
            capacity = 2 * capacity + 16;
            char **larger = realloc(names, (capacity + 1) * sizeof *names);
            if (larger == NULL) break;
            names = larger;
        }
        names[count] = strdup(entry->d_name);
        if (names[count] != NULL) count++;
        names[count] = NULL;
    }
    closedir(directory);
    if (names == NULL)
        refuse_memory("the gallery");
    else
        qsort(names, count, sizeof *names, compare_names);
    return names;
}

void free_names(char **names) {
    for (int i = 0; names != NULL && names[i] != NULL; i++) free(names[i]);
    free(names);
}

// ---- scenes

// A finished recording of just this scene, by this version: nothing would come out otherwise.
static bool is_up_to_date(const char *path, const carom_scene *scene) {
    carom_recording *recording;
    carom_recording_info info;
    if (access(path, F_OK) != 0 || carom_recording_open(path, &recording, NULL) != CAROM_OK) return false;
    bool same = carom_recording_get_info(recording, &info, NULL) == CAROM_OK && info.finished &&
                strcmp(info.version, carom_version()) == 0 &&
                strcmp(carom_recording_scene(recording), carom_scene_resolved(scene)) == 0;
    carom_recording_close(recording);
    return same;
}

static int run_scene(const gallery_def *def, const char *file, const char *path, run_summary *summary) {
    job_def what = {.scene_file = file,
                    .limit = def->limit,
                    .out = path,
                    .until = -1.0,
                    .checkpoint = -1.0,
                    .threads = 1,
                    .force = true};
    job job;
    int code = begin_job(&job, &what);
    if (code == EXIT_GOOD) {
        run_outcome outcome;
        code = run_to_end(&job, def->show_progress, &outcome);
        if (code == EXIT_GOOD && outcome.interrupted) code = EXIT_INTERRUPTED;
        *summary = outcome.summary;
        summary->path = path;
    }
    end_job(&job);
    return code;
}

// What the run measured, in a line.
static void tell_figure(const carom_recording_info *info, char figure[CARD_TEXT]) {
    double scale = carom_summary_energy_scale(&info->summary);
    int used =
        snprintf(figure, CARD_TEXT, "%d bod%s, %" PRId64 " steps to t = %.6g s; energy changed by %.1e%s at most",
                 info->body_count, info->body_count == 1 ? "y" : "ies", info->step_count, info->time,
                 scale > 0.0 ? info->summary.largest_energy_change / scale : info->summary.largest_energy_change,
                 scale > 0.0 ? " of its scale" : " J");
    if (info->joint_count > 0)
        used += snprintf(figure + used, (size_t)(CARD_TEXT - used), "; %d joint%s open by %.1e at most",
                         info->joint_count, info->joint_count == 1 ? "" : "s", info->summary.largest_joint_drift);
    if (info->summary.most_contacts > 0)
        snprintf(figure + used, (size_t)(CARD_TEXT - used),
                 "; %" PRId64 " contact%s at most, overlaps of %.1e of a body's size at most, %.1e as a mean",
                 info->summary.most_contacts, info->summary.most_contacts == 1 ? "" : "s",
                 info->summary.largest_infeasibility, mean_infeasibility(&info->summary));
}

// The address of a file beside the page: whatever its name, it is no scheme, no script, no question and no place in
// another page.
static void put_address(char to[CARD_LINK], const char *name, const char *ending) {
    int used = snprintf(to, CARD_LINK, "./");
    for (; *name != '\0' && used + 4 + (int)strlen(ending) < CARD_LINK; name++) {
        unsigned char c = (unsigned char)*name;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c);
        used += snprintf(to + used, (size_t)(CARD_LINK - used), plain ? "%c" : "%%%02X", c);
    }
    snprintf(to + used, (size_t)(CARD_LINK - used), "%s", ending);
}

// Report and picture of a run; what fails is said and left out of the card.
static void add_pages(const gallery_def *def, const char *path, const run_summary *summary, browser *b, card *out) {
    char page[4096], picture[4096];
    snprintf(page, sizeof page, "%s/%s.html", def->out, out->name);
    snprintf(picture, sizeof picture, "%s/%s.png", def->out, out->name);
    if (write_report(path, page, true, NULL) != EXIT_GOOD) return;
    put_address(out->link, out->name, ".html");
    const picture_def look = {.theme = "dark"};
    if (b == NULL || open_for_pictures(b, &look, page) != EXIT_GOOD) return;
    if (take_picture(b, 0.5 * summary->info.time, picture, true) == EXIT_GOOD)
        put_address(out->image, out->name, ".png");
}

int make_scene_card(const gallery_def *def, const char *name, browser *b, card *out) {
    *out = (card){.colour = CAROM_COLOUR_RED};
    snprintf(out->name, sizeof out->name, "%.*s", (int)(strlen(name) - strlen(".json")), name);
    char file[4096], path[4096];
    snprintf(file, sizeof file, "%s/%s", def->scenes, name);
    snprintf(path, sizeof path, "%s/%s.carom", def->out, out->name);
    snprintf(out->sentence, sizeof out->sentence, "The scene cannot be run");
    int code;
    const text_list none = {0};
    carom_scene *scene = read_scene(file, &none, def->limit, NULL, &code);
    if (scene == NULL) return code;
    out->title = strdup(carom_scene_name(scene));
    out->description = strdup(carom_scene_description(scene));
    snprintf(out->method, sizeof out->method, "%s", carom_method_name(carom_scene_method(scene)->method));
    run_summary summary;
    code = is_up_to_date(path, scene) ? read_summary(path, &summary) : run_scene(def, file, path, &summary);
    carom_scene_destroy(scene);
    if (code != EXIT_GOOD) return code;
    out->colour = summary.verdict.colour;
    snprintf(out->sentence, sizeof out->sentence, "%s", summary.verdict.sentence);
    tell_figure(&summary.info, out->figure);
    add_pages(def, path, &summary, b, out);
    return exit_code_of(out->colour, def->strict);
}
