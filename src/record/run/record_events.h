// SPDX-License-Identifier: MIT
// The table of joints that have opened and closed. Only recordings of models whose joints do so have it; joints that
// are open at its beginning come first, as "start".
#ifndef CRM_RECORD_RECORD_EVENTS_H
#define CRM_RECORD_RECORD_EVENTS_H

#include "record/run/record_run.h"

// "opened", "closed" or "failed".
const char *crm_event_outcome(const carom_joint_event *event);

// Makes the table.
carom_status crm_events_create(sqlite3 *database, const char *path, carom_error *error);
carom_status crm_events_are_there(sqlite3 *database, const char *path, bool *there, carom_error *error);

// Writes `count` of them, the first as number `first`; rows of these numbers are replaced.
carom_status crm_events_write(sqlite3 *database, const char *path, int64_t first, const carom_joint_event *events,
                              int count, carom_error *error);

// Up to `room` of them, and into *count how many there are. Each is of a joint of the run.
carom_status crm_events_read(sqlite3 *database, const char *path, const crm_run *run, carom_joint_event *events,
                             int room, int *count, carom_error *error);

// Drops what came at this step or later; *left: how many there are then.
carom_status crm_events_drop(sqlite3 *database, const char *path, int64_t step, int64_t *left, carom_error *error);

#endif
