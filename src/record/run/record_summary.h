// SPDX-License-Identifier: MIT
// What is known of a run at a checkpoint: kept up step by step, written with the checkpoint, read without the rest.
#ifndef CRM_RECORD_RECORD_SUMMARY_H
#define CRM_RECORD_RECORD_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/certificate.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

typedef struct crm_summary {
    int64_t step;
    double time;
    uint64_t hash;
    int64_t finished;    // 0 or 1, like the next
    int64_t extra_frame; // the last frame is there only because the run ended: a run that goes on drops it
    int64_t frame_count, collision_count;
    carom_summary certificates;
    uint64_t state_digest; // of the bytes of the saved state
    char end_text[256];
} crm_summary;

// One column of the table of checkpoints, but for the last two: those that the table of quantities asks for among them.
typedef enum crm_column_type { CRM_COLUMN_INT, CRM_COLUMN_REAL, CRM_COLUMN_TEXT } crm_column_type;

typedef struct crm_summary_column {
    char name[48];
    crm_column_type type; // int64_t or uint64_t, double, char[256]
    size_t offset;        // in crm_summary
} crm_summary_column;

enum { CRM_SUMMARY_MOST_COLUMNS = 192, CRM_SUMMARY_NAMES_SIZE = 48 * CRM_SUMMARY_MOST_COLUMNS };

// In the order of the table, which is that of the digest; how many there are.
int crm_summary_columns(crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS]);

// Their names, each followed by a space, from the arena; NULL without memory.
const char *crm_summary_names(crm_arena *arena);

void crm_summary_start(crm_summary *summary, const carom_state *state);

static inline void crm_summary_add(crm_summary *summary, const crm_run *run, const carom_step_report *report) {
    summary->step = report->step;
    summary->time = report->time;
    crm_summary_list_add(&run->summed, report, &summary->certificates);
}

// All columns of a checkpoint before `digest` and `state`.
void crm_summary_put(const crm_summary *summary, crm_row *row);

// The same from a file, which names its columns, in its table and among the facts of the run, where a digest guards
// them: one that is not known here is passed over, one that the file lacks stays 0.
void crm_summary_get(crm_summary *summary, const crm_run *run, crm_row *row);

// The statements that make the table of checkpoints and the view of the last one, to be freed; NULL without memory.
char *crm_summary_schema(void);
// ... and the one that inserts a checkpoint.
char *crm_summary_insertion(void);

// As many frames, collisions and certificates are there as the checkpoint says.
carom_status crm_summary_check_rows(sqlite3 *database, const char *path, const crm_summary *summary, const crm_run *run,
                                    carom_error *error);

// The statement that selects the last checkpoint: so many columns cost more to compile than to read.
carom_status crm_summary_prepare_last(sqlite3 *database, const char *path, sqlite3_stmt **out, carom_error *error);
// The summary of the last checkpoint as it is now, by that statement, which is reset.
carom_status crm_summary_read_last(sqlite3_stmt *statement, const char *path, const crm_run *run, crm_summary *out,
                                   carom_error *error);

// Could these counts be those of a checkpoint of this run?
bool crm_summary_plausible(const crm_summary *summary, const crm_run *run);

#endif
