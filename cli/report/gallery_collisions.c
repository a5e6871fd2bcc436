// SPDX-License-Identifier: MIT
// Collisions in the gallery: impulses in the cone under every law, and energy gained only by the laws that the folder's
// table names.
#include <stdlib.h>
#include <string.h>

#include "pair/impact_report.h"
#include "report/gallery.h"
#include "verb/verb.h"

// What of the cone is left to rounding.
static const double cone_slack = 1e-12;

static FILE *open_table(const char *folder) {
    char path[8192];
    snprintf(path, sizeof path, "%s/gains.txt", folder);
    return fopen(path, "r");
}

bool has_collisions(const char *folder) {
    FILE *file = open_table(folder);
    if (file != NULL) fclose(file);
    return file != NULL;
}

// The laws that the table expects to gain energy, "newton,poisson" or "-"; false when it has no such row.
static bool find_gains(const char *folder, const char *name, char laws[64]) {
    FILE *file = open_table(folder);
    char line[1024], first[256];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = line[0] != '#' && sscanf(line, " %255s %63s", first, laws) == 2 && strcmp(first, name) == 0;
    if (file != NULL) fclose(file);
    return found;
}

static void list_gains(const impact_report *report, char laws[64]) {
    int used = snprintf(laws, 64, "-");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
        if (!report->law[law].result.gains_energy) continue;
        if (laws[0] == '-') used = 0;
        used += snprintf(laws + used, 64 - (size_t)used, "%s%s", used > 0 ? "," : "",
                         carom_impact_law_name((carom_impact_law)law));
    }
}

static void conclude_collision(const impact_report *report, const char *folder, card *c) {
    char wanted[64], got[64];
    list_gains(report, got);
    snprintf(c->figure, sizeof c->figure, "change of energy %.4g, %.4g, %.4g, %.4g J", report->law[0].result.work,
             report->law[1].result.work, report->law[2].result.work, report->law[3].result.work);
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        if (!(report->law[law].result.cone_ratio <= 1.0 + cone_slack)) {
            snprintf(c->sentence, sizeof c->sentence, "The impulse of %s is outside the cone",
                     carom_impact_law_name((carom_impact_law)law));
            return;
        }
    if (!find_gains(folder, c->name, wanted)) {
        c->colour = CAROM_COLOUR_AMBER;
        snprintf(c->sentence, sizeof c->sentence, "Resolved; gains.txt does not say what is expected");
    } else if (strcmp(wanted, got) != 0) {
        snprintf(c->sentence, sizeof c->sentence, "Energy is gained by: %s; expected was: %s", got, wanted);
    } else {
        c->colour = CAROM_COLOUR_GREEN;
        snprintf(c->sentence, sizeof c->sentence, "In the cone under all laws; energy is gained by %s, as expected",
                 strcmp(got, "-") == 0 ? "none" : got);
    }
}

int make_collision_card(const char *folder, const char *file, card *c) {
    *c = (card){.colour = CAROM_COLOUR_RED, .method = "impact", .sentence = "The collision cannot be resolved"};
    snprintf(c->name, sizeof c->name, "%.*s", (int)(strlen(file) - strlen(".json")), file);
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    impact_report report;
    int code = find_impacts(path, &report);
    if (code != EXIT_GOOD) return code;
    c->title = strdup(report.collision.name);
    conclude_collision(&report, folder, c);
    return c->colour == CAROM_COLOUR_RED ? EXIT_NOT_TRUSTWORTHY : EXIT_GOOD;
}
