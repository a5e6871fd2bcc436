// SPDX-License-Identifier: MIT
// Plans in recordings: docs/recording.md has the tables.
//
// record/plan: a carom_plan_data enters and becomes rows of a file, and the other way round; tables of it as CSV. The
// table of the lines of certificates is here, too, with names and the hash. Recorder and recording call it, and
// whoever tells people of plans; and what of a plan acts in a run. Nothing here knows how plans are solved.
#ifndef CRM_RECORD_PLAN_TABLES_H
#define CRM_RECORD_PLAN_TABLES_H

#include <stdio.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "record/run/record_run.h"

// Makes the tables and fills them.
carom_status crm_plan_write(sqlite3 *database, const char *path, const crm_plan_kept *plan, carom_error *error);

// Reads and checks them, when there are some; all of it is taken from the arena.
carom_status crm_plan_read(sqlite3 *database, const char *path, crm_arena *arena, const crm_run *run,
                           crm_plan_kept *out, carom_error *error);

// The findings that the rules of verdicts have in a recording of it: these alone, as its certificate is what counts.
void crm_plan_find(const carom_plan_data *plan, carom_finding finding[CAROM_RULE_COUNT]);

// Whether the recording is that of a plan, and not of a run with its controls.
carom_status crm_plan_has_recording(sqlite3 *database, const char *path, bool *has, carom_error *error);

// As comma-separated values: a line a number and interval, a node, a solve. Refused of a recording without a
// plan.
carom_status crm_plan_write_controls(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                     carom_error *error);
carom_status crm_plan_write_gaps(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                 carom_error *error);
carom_status crm_plan_write_solves(const carom_recording *r, const carom_recording_info *info, FILE *to,
                                   carom_error *error);

// ---- between the files of this folder

// A frame of bodies, a pose and a wrench, packed: docs/recording.md.
enum { CRM_PLAN_POSE_BYTES = 56, CRM_PLAN_WRENCH_BYTES = 80 };

#endif
