// SPDX-License-Identifier: MIT
// Files that appear whole or not at all: written under a temporary name beside their own, then renamed.
#ifndef CRM_RECORD_FRESH_FILE_H
#define CRM_RECORD_FRESH_FILE_H

#include <stdbool.h>

#include "carom/status.h"

typedef struct crm_fresh_file {
    char *target;    // where it will be; symbolic links followed
    char *temporary; // where it is until then; NULL when there is none
    bool exists;     // a file was at the target when we began; publishing replaces it
} crm_fresh_file;

// Whether a file that begins with these bytes, some hundred with a zero behind them, is one of ours.
typedef bool crm_is_ours(const char *head);

// Of a file that is to be replaced: refuses an ordinary one that is not empty and not one of ours, or cannot be read.
// The rest is for crm_fresh_file_begin. `kind` is a word for it, "report".
carom_status crm_fresh_file_claim(const char *path, crm_is_ours *is_ours, const char *kind, carom_error *error);

// Makes the empty temporary file. Refuses a target that exists unless `overwrite`, and one that is no ordinary file
// always. Whatever happens, crm_fresh_file_end must follow.
carom_status crm_fresh_file_begin(crm_fresh_file *file, const char *path, bool overwrite, carom_error *error);

// Puts the file, which nobody may have open, safely onto the disk and gives it its name in one step. Refuses if a file
// of that name has appeared meanwhile.
carom_status crm_fresh_file_publish(crm_fresh_file *file, carom_error *error);

// Removes the temporary file, if there still is one.
void crm_fresh_file_end(crm_fresh_file *file);

#endif
