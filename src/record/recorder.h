// SPDX-License-Identifier: MIT
// The recorder's inside, shared by the files that begin, go on with and resume a recording.
//
// record: states and step reports enter, and a file from which a run can be looked at and resumed leaves; from the file
// come frames, certificates, CSV and reports. Programs call it by carom/record.h and carom/report.h; no other folder of
// src/ does.
#ifndef CRM_RECORD_RECORDER_H
#define CRM_RECORD_RECORDER_H

#include <sqlite3.h>

#include "base/arena.h"
#include "record/file/record_buffer.h"
#include "record/run/record_run.h"
#include "record/run/record_summary.h"

struct carom_recorder {
    crm_arena arena; // of everything below that is text
    const char *path;
    sqlite3 *database;
    sqlite3_stmt *insert_frame, *insert_certificates, *insert_collision, *insert_checkpoint, *drop_checkpoints;
    bool locked; // the transaction that keeps other writers out has begun
    bool ended;  // takes no more

    crm_run run;
    crm_summary summary; // as of the last step
    bool of_plan;        // its findings are those of the plan alone:
    carom_finding plan_finding[CAROM_RULE_COUNT];
    crm_buffer buffer;
    int64_t last_frame_step;
    double next_frame;       // the whole number k whose time k / frame_rate is due next
    int64_t checkpoint_step; // of the last checkpoint in the file; -1 when there is none
    size_t commit_at;        // bytes that may wait before they are written
    unsigned char *state_bytes;
    size_t state_capacity;

    double checkpoint_seconds;
    double checkpoint_due; // by the clock
    int clock_rest;        // steps until the clock is read again
    double clock_read;     // when it was read last
};

// How long a commit waits for readers of the file to be done, milliseconds, and what happens if they are not.
typedef enum crm_patience {
    CRM_PATIENCE_SHORT, // some 50: then everything stays in memory for the next time
    CRM_PATIENCE_LONG,  // ten seconds: then it is a failure
} crm_patience;

// A recorder that records to nothing yet. NULL when there is no memory.
carom_recorder *crm_recorder_new(const char *path);

// Opens the file, locks it, and makes sure that it is the one whose `run.writer` was written.
carom_status crm_recorder_attach(carom_recorder *recorder, carom_error *error);
carom_status crm_recorder_prepare(carom_recorder *recorder, carom_error *error);
void crm_recorder_detach(carom_recorder *recorder); // closes the file

// Writes what waits, and a checkpoint, in the transaction that is open.
carom_status crm_recorder_write(carom_recorder *recorder, const carom_state *state, carom_error *error);

// The same in a transaction of its own; afterwards the file is locked again.
carom_status crm_recorder_commit(carom_recorder *recorder, const carom_state *state, crm_patience patience,
                                 carom_error *error);

// When the next frame and the next checkpoint are due, seen from the time of the summary and the clock.
void crm_recorder_schedule(carom_recorder *recorder);

// CAROM_OK or a sentence.
carom_status crm_recorder_check_def(const carom_recorder_def *def, carom_error *error);

#endif
