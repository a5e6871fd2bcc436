// SPDX-License-Identifier: MIT
/// @file
/// Recordings: one SQLite file (.carom) a run, with the scene, frames, certificates and checkpoints.
///
/// A run that is killed leaves a readable file; it can be resumed at its last checkpoint, bit for bit. The format is in
/// docs/recording.md: any SQLite client can read it.
///
/// Memory comes from malloc, as SQLite's does. One thread at a time may use a recorder or a recording.
#ifndef CAROM_RECORD_H
#define CAROM_RECORD_H

#include "carom/certificate.h"
#include "carom/mesh.h"
#include "carom/plan.h"
#include "carom/scene.h"
#include "carom/step.h"

typedef struct carom_recorder carom_recorder;   ///< Writes.
typedef struct carom_recording carom_recording; ///< Reads.

/// How an `end_text` begins when somebody wanted the run to end there. Any other one tells what the run failed at.
#define CAROM_END_ASKED "as asked: "

typedef struct carom_recorder_def {
    uint32_t struct_size; ///< Set by carom_recorder_def_default; leave it.
    const char *path;
    bool overwrite;    ///< Replace an existing recording; other files are always refused. Default false.
    double frame_rate; ///< Frames a simulated second, at the first step that reaches k / frame_rate. Default 60.
    int every;         ///< If positive, a frame every so many steps instead of `frame_rate`. Default 0.
    bool contacts;     ///< Frames keep the contacts of their step, 152 bytes each. Default false.
    double checkpoint_seconds;   ///< Wall time between checkpoints; 0 makes one every step. Default 5.
    const carom_scene *scene;    ///< Of resuming only: refuse a recording of another scene. Default NULL: compare less.
    const carom_plan_data *plan; ///< Kept beside the frames, of a new recording only: this is the plan's, whose frames
                                 ///< are its nodes. Default NULL.
    bool replayed;               ///< It is a run with the controls of `plan` instead. Default false.
    const void *plan_saved;      ///< What making the plan goes on from, such as carom_plan_save writes.
    size_t plan_saved_size;
} carom_recorder_def;

/// What a person wants to know of a run, also while it is unfinished.
typedef struct carom_recording_info {
    int format;       ///< Format version of the file.
    char version[32]; ///< Of the carom that wrote it.
    char method[32];
    double step;     ///< s; of steps after the last piece of time with its own.
    int piece_count; ///< Of these pieces: carom_method_def.
    double until;    ///< s, the end that was asked for
    double time;     ///< s, reached
    int64_t step_count;
    int64_t frame_count;
    int64_t certificate_count;
    int body_count;
    int joint_count;
    int shape_count;
    int flex_count;  ///< Flexible bodies. Their nodes are among the bodies.
    bool contacts;   ///< Frames have contacts.
    bool plan;       ///< It is of a plan: carom_recording_plan.
    bool replayed;   ///< ... and a run with its controls.
    bool collisions; ///< The method finds the times of its impacts; else there are none in the table.
    int64_t collision_count;
    bool finished;         ///< Reached its end. Neither this nor an `end_text`: killed, or still running.
    uint64_t hash;         ///< Of the last state that was saved; of a plan carom_plan_hash.
    carom_summary summary; ///< Of the certificates.
    char end_text[256];    ///< Why the run ended early; empty if it did not. It can be resumed.
} carom_recording_info;

/// What a recording knows of a body once and for all.
typedef struct carom_recorded_body {
    const char *name; ///< "" if it has none.
    const char *kind; ///< Such as "free".
    double mass;      ///< kg
    int shape;        ///< -1: none.
} carom_recorded_body;

/// What a recording knows of a shape.
typedef struct carom_recorded_shape {
    const char *name;       ///< "" if it has none.
    const char *kind;       ///< Such as "box".
    const char *definition; ///< As carom_scene_write_shape writes it; carom_scene_read_shape makes the shape.
} carom_recorded_shape;

/// What a recording knows of a joint once and for all.
typedef struct carom_recorded_joint {
    const char *name;    ///< "" if it has none.
    const char *kind;    ///< Such as "point_on_line".
    int a, b;            ///< Bodies; -1 is the world.
    int linear, angular; ///< How many coordinates it has in m, then how many in rad.
} carom_recorded_joint;

/// What a recording knows of a flexible body. Its nodes are bodies, one after the other, and are in the frames as such.
typedef struct carom_recorded_flex {
    const char *name; ///< "" if it has none.
    int first_body;   ///< That is its first node.
    const carom_mesh *mesh;
    carom_elastic_def elastic;
} carom_recorded_flex;

/// One joint in one frame.
typedef struct carom_frame_joint {
    int coordinate_count;
    double coordinate[CAROM_JOINT_MOST_COORDINATES]; ///< m, rad
    double rate[CAROM_JOINT_MOST_COORDINATES];       ///< m/s, rad/s
    carom_vec3 point;                                ///< B's origin in the world, m.
    carom_vec3 force, torque; ///< Of the joint on b at that time, about `point`, world axes, N and N m, as `end_force`
                              ///< of carom_joint_state.
    double linear_drift, angular_drift; ///< m, rad
} carom_frame_joint;

CAROM_BEGIN_C

CAROM_API carom_recorder_def carom_recorder_def_default(void);

/// Starts a recording and writes the scene and the state's frame as frame 0. Fails with CAROM_ERR_FILE and a sentence
/// when the file exists (unless `overwrite`), is no recording, is being recorded to, or cannot be written; nothing is
/// then changed. A file that is overwritten stays until the new one is safely begun.
///
/// `scene` may be NULL when the model was built by calls; such a recording has no scene text and no `until`.
CAROM_API carom_status carom_recorder_create(const carom_recorder_def *def, const carom_scene *scene,
                                             const carom_state *state, carom_recorder **out, carom_error *error);

/// Opens an unfinished recording, drops what follows its last checkpoint, and loads that into `state`, which must be a
/// state of the recording's own scene. Of a finished one, loads the end and sets *finished: nothing is left to do, *out
/// is NULL and the file is as before. Frames stay due as they were when the recording began, whatever `def` says.
CAROM_API carom_status carom_recorder_resume(const carom_recorder_def *def, carom_state *state, bool *finished,
                                             carom_recorder **out, carom_error *error);

/// After every step: keeps its certificate and, when one is due, a frame and a checkpoint. The report of an impossible
/// step is passed over, as no step was made. What could not be written (a full disk) stays in memory and is tried
/// again.
CAROM_API carom_status carom_recorder_step(carom_recorder *recorder, const carom_state *state,
                                           const carom_step_report *report, carom_error *error);
/// Writes a checkpoint now, and everything that was still in memory.
CAROM_API carom_status carom_recorder_checkpoint(carom_recorder *recorder, const carom_state *state,
                                                 carom_error *error);
/// What came of the same run at half the step, for CAROM_RULE_UNCONFIRMED: kept with the next checkpoint, and by runs
/// that go on. Its `step` is the one at which the two were compared.
CAROM_API carom_status carom_recorder_confirm(carom_recorder *recorder, const carom_finding *finding,
                                              carom_error *error);
/// The last frame, a last checkpoint and the mark that the run is finished, or the sentence why it ended early
/// (`end_text` not NULL, such as an impossible step). Nothing more can be recorded then. Does not close.
CAROM_API carom_status carom_recorder_finish(carom_recorder *recorder, const carom_state *state, const char *end_text,
                                             carom_error *error);
CAROM_API void carom_recorder_destroy(carom_recorder *recorder); ///< Closes; unfinished stays resumable. May be NULL.

CAROM_API carom_status carom_recording_open(const char *path, carom_recording **out, carom_error *error);
CAROM_API void carom_recording_close(carom_recording *recording); ///< May be NULL.
CAROM_API carom_status carom_recording_get_info(const carom_recording *recording, carom_recording_info *out,
                                                carom_error *error);
/// The verdict on a run as far as it is: the one rule for summaries, reports, the gallery and exit codes. `names` is
/// asked for the names of bodies; may be NULL.
CAROM_API carom_verdict carom_recording_verdict(const carom_recording_info *info, const carom_recording *names);
/// The same of a run in memory, with the names that bodies have in its model.
CAROM_API carom_verdict carom_run_verdict(const carom_recording_info *info, const carom_model *model);
/// The same of one rule alone: its colour, its sentence, and the step to look at. Also of a rule that found nothing.
CAROM_API carom_verdict carom_recording_finding(const carom_recording_info *info, carom_rule rule,
                                                const carom_recording *names);
/// The scene's resolved text; lives as long as the recording.
CAROM_API const char *carom_recording_scene(const carom_recording *recording);
/// Lives as long as the recording; NULL when there is no such body.
CAROM_API const carom_recorded_body *carom_recording_body(const carom_recording *recording, int body);
/// Lives as long as the recording; NULL when there is no such shape.
CAROM_API const carom_recorded_shape *carom_recording_shape(const carom_recording *recording, int shape);
/// Name of a body, "" if it has none.
CAROM_API const char *carom_recording_body_name(const carom_recording *recording, int body);
/// Lives as long as the recording; NULL when there is no such joint.
CAROM_API const carom_recorded_joint *carom_recording_joint(const carom_recording *recording, int joint);
/// Lives as long as the recording; NULL when there is no such flexible body.
CAROM_API const carom_recorded_flex *carom_recording_flex(const carom_recording *recording, int flex);
/// The plan that it is of, or whose controls were replayed; NULL when there is none. Lives as long as the recording.
CAROM_API const carom_plan_data *carom_recording_plan(const carom_recording *recording);
/// What making the plan goes on from (`size` bytes); NULL when there is none. Lives as long as the recording.
CAROM_API const void *carom_recording_plan_saved(const carom_recording *recording, size_t *size);
/// Reads frame `index` (from 0) into `bodies` (body_count). Each of the places may be NULL.
CAROM_API carom_status carom_recording_get_frame(const carom_recording *recording, int64_t index, double *time,
                                                 int64_t *step, carom_body_state *bodies, carom_error *error);
/// The same frame's joints (joint_count).
CAROM_API carom_status carom_recording_get_frame_joints(const carom_recording *recording, int64_t index,
                                                        carom_frame_joint *joints, carom_error *error);
/// The contacts of the step that ended with this frame: up to `capacity` of them into `contacts` (may be NULL when
/// `capacity` is 0), and into *count how many there are; none in a recording without.
CAROM_API carom_status carom_recording_get_frame_contacts(const carom_recording *recording, int64_t index, int capacity,
                                                          carom_contact_state *contacts, int *count,
                                                          carom_error *error);
/// The time at the end of a step (or, of the step that the recording began with, at its start), s: of its certificate.
CAROM_API carom_status carom_recording_step_time(const carom_recording *recording, int64_t step, double *time,
                                                 carom_error *error);
/// The joints that have opened and closed so far: up to `capacity` of them into `events` (may be NULL when `capacity`
/// is 0), and into *count how many there are. Those that were open at the start come first.
CAROM_API carom_status carom_recording_get_joint_events(const carom_recording *recording, int capacity,
                                                        carom_joint_event *events, int *count, carom_error *error);
/// Reads up to `count` certificates from position `first` on (0: that of step 1); says in *got how many there were.
/// They have all that carom/certificate.h lists; what it does not list is 0, and there is no `text` and no `body`.
CAROM_API carom_status carom_recording_get_certificates(const carom_recording *recording, int64_t first, int count,
                                                        carom_step_report *out, int *got, carom_error *error);
/// Reads up to `count` collisions from number `first` (0: the first of the run) on, in the order of their times; says
/// in *got how many there were.
CAROM_API carom_status carom_recording_get_collisions(const carom_recording *recording, int64_t first, int count,
                                                      carom_collision *out, int *got, carom_error *error);
/// Writes frames (`what` "frames"), joints ("joints"), contacts ("contacts"), collisions ("collisions"), certificates
/// ("certificates"), or joints that have opened and closed ("joint_events") as CSV: one line a body and frame, a joint
/// and frame, a contact and frame, a collision, a step, or a switch; of plans "controls", "gaps" and "solves", one line
/// a number and interval, a node, a solve; numbers to the last bit. Fails rather than
/// overwrite, unless asked to, and the file appears whole or not at all. The path "-" means standard output.
CAROM_API carom_status carom_recording_export_csv(const carom_recording *recording, const char *what, const char *path,
                                                  bool overwrite, carom_error *error);
/// Writes the flexible bodies of all frames for ParaView: the list of times `path`, which must end in .pvd, and beside
/// it a folder of the same name without that, with a .vtu file a frame: tetrahedra, velocities, fields of carom/flex.h.
/// Every file appears whole or not at all, the list last. Fails rather than overwrite, unless asked to; files that are
/// no such exports are left alone. CAROM_ERR_UNSUPPORTED without flexible bodies.
CAROM_API carom_status carom_recording_export_vtk(const carom_recording *recording, const char *path, bool overwrite,
                                                  carom_error *error);

CAROM_END_C

#endif
