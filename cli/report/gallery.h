// SPDX-License-Identifier: MIT
// All scenes of a folder, run and shown on one page; folders in it have pairs of shapes, or collisions.
#ifndef CLI_GALLERY_H
#define CLI_GALLERY_H

#include <stdbool.h>

#include "base/json.h"
#include "carom/report.h"
#include "report/browser.h"

typedef struct gallery_def {
    const char *scenes, *out; // folders
    const char *limit;        // of what scenes may ask for; NULL: as usual
    bool no_pictures, show_progress;
    bool strict; // amber counts as red does
} gallery_def;

enum { CARD_TEXT = 512 };

// "./", a name whose every byte may need three, and an ending.
enum { CARD_LINK = 3 * 256 + 16 };

// One experiment on the page.
typedef struct card {
    char name[256];
    char *title, *description; // freed with the card; may be NULL
    char method[64];
    char figure[CARD_TEXT];
    carom_colour colour;
    char sentence[CARD_TEXT];
    char image[CARD_LINK], link[CARD_LINK]; // relative to the page; "" when there is none
} card;

void put_card(jsonl_writer *json, const card *c);
void free_card(card *c);

// Names in a folder that end with `ending` (files), or of folders when it is NULL, in the order of the alphabet, ending
// with NULL; freed with free_names. NULL after a sentence.
char **list_names(const char *folder, const char *ending);
void free_names(char **names);

// Runs scenes/NAME.json, unless a finished recording of just this scene is there already, and writes report and
// picture (`b` NULL: none). The exit code is that of the run; EXIT_INTERRUPTED ends the gallery.
int make_scene_card(const gallery_def *def, const char *name, browser *b, card *out);

// Measures the pairs, or resolves the collisions, of a folder of scenes/ and adds their cards; EXIT_NOT_TRUSTWORTHY
// when one is not as its table, expected.txt or gains.txt, says.
int put_pair_cards(jsonl_writer *json, const gallery_def *def, const char *folder);

// Whether a folder has collisions: then its table is gains.txt.
bool has_collisions(const char *folder);
// The collision of a file under every law: in the cone, and who gains energy.
int make_collision_card(const char *folder, const char *file, card *out);

#endif
