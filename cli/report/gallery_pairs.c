// SPDX-License-Identifier: MIT
// Pairs of shapes in the gallery: what touches what, and where, beside what the folder's table expects; folders of
// collisions have a table of their own (gallery_collisions.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair/distance_report.h"
#include "report/gallery.h"
#include "verb/verb.h"

// The row of `pair` in the table: its type and contact point; columns are two or more spaces apart. False when the
// table, or the row, is not there.
static bool find_expected(const char *table, const char *pair, char type[64], carom_vec3 *contact) {
    FILE *file = fopen(table, "r");
    char line[1024], name[64];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        int used = 0;
        if (line[0] == '#' || sscanf(line, " %63s %n", name, &used) != 1 || strcmp(name, pair) != 0) continue;
        const char *end = strstr(line + used, "  ");
        if (end == NULL) continue;
        snprintf(type, 64, "%.*s", (int)(end - (line + used)), line + used);
        found = sscanf(end, " %lf,%lf,%lf", &contact->x, &contact->y, &contact->z) == 3;
    }
    if (file != NULL) fclose(file);
    return found;
}

static void conclude_pair(const distance_report *report, const char *table, card *c) {
    // Pairs of the tables are about a metre large: this is rounding.
    const double rounding = 1e-14;
    char type[64];
    carom_vec3 wanted, got = report->contact;
    const char *found = carom_collision_type_name(report->collision);
    snprintf(c->figure, sizeof c->figure, "%s at (%.6g, %.6g, %.6g) m", found, got.x, got.y, got.z);
    if (!find_expected(table, c->name, type, &wanted)) {
        c->colour = CAROM_COLOUR_AMBER;
        snprintf(c->sentence, sizeof c->sentence, "Measured; expected.txt does not say what is expected");
        return;
    }
    bool same = strcmp(type, found) == 0 && fabs(wanted.x - got.x) <= rounding && fabs(wanted.y - got.y) <= rounding &&
                fabs(wanted.z - got.z) <= rounding;
    c->colour = same ? CAROM_COLOUR_GREEN : CAROM_COLOUR_RED;
    snprintf(c->sentence, sizeof c->sentence, same ? "As found by hand" : "Expected was %s at (%.6g, %.6g, %.6g) m",
             type, wanted.x, wanted.y, wanted.z);
}

static int make_pair_card(const char *folder, const char *file, card *c) {
    *c = (card){.colour = CAROM_COLOUR_RED, .method = "distance", .sentence = "The pair cannot be measured"};
    snprintf(c->name, sizeof c->name, "%.*s", (int)(strlen(file) - strlen(".json")), file);
    char path[8192], table[8192], *word = path;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(table, sizeof table, "%s/expected.txt", folder);
    pair_input pair;
    int code = read_pair(1, &word, NULL, &pair);
    if (code == EXIT_GOOD) {
        distance_report report;
        code = find_distances(&pair, &report);
        if (pair.file != NULL) c->title = strdup(pair.file->name);
        if (code == EXIT_GOOD && report.has_features) conclude_pair(&report, table, c);
        free_distances(&report);
    }
    free_pair(&pair);
    return code == EXIT_GOOD && c->colour == CAROM_COLOUR_RED ? EXIT_NOT_TRUSTWORTHY : code;
}

int put_pair_cards(jsonl_writer *json, const gallery_def *def, const char *folder) {
    char path[4096], title[300];
    snprintf(path, sizeof path, "%s/%s", def->scenes, folder);
    char **files = list_names(path, ".json");
    int code = files != NULL ? EXIT_GOOD : EXIT_INTERNAL;
    bool collisions = has_collisions(path);
    snprintf(title, sizeof title, "%s: %s", collisions ? "Collisions" : "Pairs of shapes", folder);
    jsonl_open(json, NULL);
    jsonl_text(json, "title", title);
    jsonl_open_list(json, "cards");
    for (int i = 0; files != NULL && files[i] != NULL; i++) {
        card c;
        int outcome = (collisions ? make_collision_card : make_pair_card)(path, files[i], &c);
        if (outcome > code) code = outcome;
        put_card(json, &c);
        free_card(&c);
    }
    jsonl_close_list(json);
    jsonl_close(json);
    free_names(files);
    return code;
}
