// SPDX-License-Identifier: MIT
// Reports of recordings, by the page that is built into the program.
//
// cli/report: a recording, or a folder of scenes, enters; a page that a browser shows from disk leaves, and pictures
// that a browser without a window draws of it. `carom run`, `report`, `render`, `gallery` and the studies call it.
#ifndef CLI_REPORT_FILE_H
#define CLI_REPORT_FILE_H

#include "carom/tools.h"

// "folder/block.carom": "folder/block.html". Freed by the caller; NULL, after a sentence, when there is no memory.
char *report_name(const char *run);

// Whether there can be a report of that name; to be asked before anything long is begun. The exit code, after a
// sentence if it is not EXIT_GOOD.
int check_report_place(const char *to, bool force);

// Writes the report of the recording; the exit code, after a sentence if it is not EXIT_GOOD. `size` may be NULL.
int write_report(const char *run, const char *to, bool force, carom_report_size *size);

// The same for what need not succeed: false with the sentence in `error`, and nothing is printed.
bool try_report(const char *run, const char *to, bool force, carom_error *error);

// Writes a page of another kind, with a header as JSON.
int write_report_page(const char *header, int blob_count, const carom_report_blob *blobs, const char *to, bool force);

#endif
