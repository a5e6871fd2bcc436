// SPDX-License-Identifier: MIT
// The inside of a recording that is open for reading.
#ifndef CRM_RECORD_RECORDING_H
#define CRM_RECORD_RECORDING_H

#include "base/arena.h"
#include "record/file/format.h"
#include "record/run/record_run.h"

// One row of certificates as it was read last: reading them in order, however few at a time, reads each row once.
typedef struct crm_row_cache {
    int64_t first; // place in the run of its first certificate; -1: nothing is cached
    int64_t count;
    unsigned char *packed; // CRM_RECORD_CHUNK of them, of the arena
} crm_row_cache;

struct carom_recording {
    crm_arena arena;
    const char *path;
    sqlite3 *database;
    sqlite3_stmt *select_frame, *select_certificates, *select_collisions, *select_summary;
    crm_run run;
    crm_row_cache *cache;
};

#endif
