// SPDX-License-Identifier: MIT
// Pictures of a report, drawn by a browser.
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdbool.h>

#include "report/browser.h"

typedef struct picture_def {
    int width, height;  // pixels
    const char *theme;  // "dark" or "light"
    const char *view;   // "AZIMUTH,ELEVATION,ZOOM"; NULL: the page's own
    const char *layers; // "contacts,grid"; NULL: the page's own
} picture_def;

enum { LEAST_PICTURE = 16, MOST_PICTURE = 8192 }; // pixels

// Opens the page for pictures: the 3D view alone.
int open_for_pictures(browser *b, const picture_def *def, const char *page);
// The run at `time` (s) as a PNG file, which appears whole or not at all.
int take_picture(browser *b, double time, const char *to, bool force);

#endif
