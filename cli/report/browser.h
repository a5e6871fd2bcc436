// SPDX-License-Identifier: MIT
// A browser without a window that draws reports: Chromium, driven through a pipe by its debugging protocol
// (https://chromedevtools.github.io/devtools-protocol), so that nothing else has to be installed.
#ifndef CLI_BROWSER_H
#define CLI_BROWSER_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct browser {
    pid_t process;
    int to, from;    // pipes; -1 when closed
    int last_id;     // of the commands
    char *answer;    // of the last command, ends with a zero
    size_t kept;     // bytes of `buffer` that are in use: answers, each ending with a zero
    size_t capacity; // of `buffer`
    char *buffer;
    char session[128]; // of the page
    char profile[256]; // folder of the browser's own files
} browser;

// The environment variable that names the program, before those of these names in the PATH.
#define BROWSER_VARIABLE "CAROM_CHROMIUM"

// Starts one with a page of that size in pixels. The exit code, after a sentence if it is not EXIT_GOOD; to be ended in
// any case.
int browser_begin(browser *b, int width, int height);
void browser_end(browser *b);

// Loads the file with what follows `#` in its address, and waits for its first picture.
int browser_open(browser *b, const char *path, const char *fragment);
// Runs JavaScript in the page, waiting for a promise. `text` (may be NULL; freed by the caller) gets its result as
// text.
int browser_evaluate(browser *b, const char *script, char **text);
// The page as it is, as PNG.
int browser_capture(browser *b, FILE *to);

#endif
