// SPDX-License-Identifier: MIT
// What a recording says once and for all: the tables, what was run, bodies, shapes and joints, columns of certificates.
//
// record/run: model, method and scene enter and become rows of a file, and the other way round; checkpoints' summaries
// likewise. Recorder and recording call it.
#ifndef CRM_RECORD_RECORD_RUN_H
#define CRM_RECORD_RECORD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "carom/certificate.h"
#include "carom/record.h"
#include "record/certificate.h"

// A number of a packed certificate.
typedef struct crm_certificate_column {
    const carom_quantity *quantity; // NULL: not known here
    int component;                  // of a vector; else 0
    size_t offset;                  // in carom_step_report
    int reals; // this and so many columns in all are doubles that follow each other there; 0: it is none
} crm_certificate_column;

// A plan, and what of it the file keeps beside its data.
typedef struct crm_plan_kept {
    const carom_plan_data *data; // NULL: the recording is of none
    bool replayed;               // the recording is a run with its controls
    const void *saved;           // what making it goes on from (saved_size)
    size_t saved_size;
} crm_plan_kept;

typedef struct crm_run {
    int format;
    char version[32];
    char method[32];
    double step, until;
    int64_t piece_count; // pieces of time with steps of their own
    double frame_rate;
    int64_t every;      // 0: frames by rate
    int64_t first_step; // step count of the state that the recording began with
    int64_t body_count, joint_count, shape_count;
    bool contacts;                     // frames have them
    bool collisions;                   // the method finds their times
    bool joint_events;                 // joints open and close: there is a table of that
    size_t joint_bytes;                // of all joints in a frame
    int64_t writer;                    // changes whenever somebody opens the file for writing
    const char *scene;                 // resolved text; "" when the model was built by calls
    const carom_recorded_body *body;   // (body_count)
    const carom_recorded_shape *shape; // (shape_count)
    const carom_recorded_joint *joint; // (joint_count)
    int64_t flex_count;
    const carom_recorded_flex *flex; // (flex_count)
    carom_mesh **flex_mesh;          // of a run that was read: its own meshes (flex_count)
    int64_t column_count;
    const crm_certificate_column *column; // (column_count)
    const char *checkpoint_columns;       // names of the columns of a checkpoint's summary, each followed by a space
    bool own_columns;                     // both just those that this carom writes
    crm_plan_kept plan;
    crm_summary_list summed; // what checkpoints keep of certificates, of a run that is recorded
} crm_run;

// Facts of a new run. `scene` may be NULL. Texts and names are those of scene and model, not copies; the arrays and the
// definitions of shapes are taken from the arena.
carom_status crm_run_describe(const carom_recorder_def *def, const carom_scene *scene, const carom_state *state,
                              crm_arena *arena, crm_run *run, carom_error *error);

// Makes the tables in an empty database and writes the facts, bodies, shapes and joints.
carom_status crm_run_write(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);

// A table has so many rows at least; what a file says of itself is held against what is there.
carom_status crm_run_check_rows(sqlite3 *database, const char *path, const char *table, int64_t least,
                                carom_error *error);

// Reads and checks them. Texts and names are taken from the arena.
carom_status crm_run_read(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run, carom_error *error);

// Of the two, the only fact that changes.
carom_status crm_run_write_writer(sqlite3 *database, const char *path, int64_t writer, carom_error *error);
carom_status crm_run_read_writer(sqlite3 *database, const char *path, int64_t *writer, carom_error *error);

// What each does about bodies, shapes, joints, flexible bodies and columns of certificates. Bodies are read after
// shapes.
carom_status crm_run_describe_bodies(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error);
carom_status crm_run_write_bodies(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);
carom_status crm_run_read_bodies(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error);
carom_status crm_run_describe_shapes(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error);
carom_status crm_run_write_shapes(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);
carom_status crm_run_read_shapes(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error);
carom_status crm_run_describe_joints(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error);
carom_status crm_run_write_joints(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);
carom_status crm_run_read_joints(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                 carom_error *error);
// Meshes of a model's flexible bodies are the model's; those that were read are the run's, until it gives them back.
carom_status crm_run_describe_flexible(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error);
carom_status crm_run_write_flexible(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);
carom_status crm_run_read_flexible(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                   carom_error *error);
void crm_run_free_flexible(crm_run *run);
carom_status crm_run_describe_columns(crm_arena *arena, crm_run *run, carom_error *error);
carom_status crm_run_write_columns(sqlite3 *database, const char *path, const crm_run *run, carom_error *error);
carom_status crm_run_read_columns(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                  carom_error *error);

// A certificate as it is packed, 8 bytes a column: by a run that has its own columns; and what can be known of it
// again.
static inline size_t crm_certificate_bytes(const crm_run *run) {
    return 8 * (size_t)run->column_count;
}
void crm_certificate_pack(const crm_run *run, const carom_step_report *report, unsigned char *to);
void crm_certificate_unpack(const crm_run *run, const unsigned char *from, int64_t step, carom_step_report *out);

// A copy in the arena; NULL, with the sentence in `error`, when there is no memory.
const char *crm_run_keep_text(crm_arena *arena, const char *text, const char *path, carom_status *status,
                              carom_error *error);

// A number for crm_run.writer that no other process is likely to have.
int64_t crm_run_new_writer(void);

#endif
