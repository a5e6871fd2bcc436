// SPDX-License-Identifier: MIT
/// @file
/// Scene files: JSON that describes a model, a method and how long to run. The format is in docs/scene.md.
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/limits.h"
#include "carom/model.h"
#include "carom/plan.h"
#include "carom/shape.h"
#include "carom/step.h"

typedef struct carom_scene carom_scene;

typedef enum carom_severity {
    CAROM_SEVERITY_ERROR,   ///< The scene cannot be used.
    CAROM_SEVERITY_WARNING, ///< It can, but is likely not what was meant.
} carom_severity;

/// One thing that is wrong or doubtful in a scene.
typedef struct carom_scene_message {
    carom_severity severity;
    const char *file; ///< As given, or "--set" for an override.
    int line;         ///< From 1; 0 where there is none.
    const char *path; ///< Such as "bodies[2].mass"; "" for the whole file.
    const char *text; ///< One sentence: what was wrong and what is allowed.
} carom_scene_message;

/// All messages of one reading, in the order of the file, those about overrides after it.
typedef struct carom_scene_messages {
    int count;
    const carom_scene_message *message;
} carom_scene_messages;

/// What to read. Starts from carom_scene_source_default.
typedef struct carom_scene_source {
    uint32_t struct_size;         ///< Set by carom_scene_source_default; leave it.
    const char *file;             ///< Path to read; with `text` given, only the name for messages.
    const char *text;             ///< JSON text, or NULL to read the file.
    int override_count;           ///< Overrides, applied in order before anything is checked:
    const char *const *overrides; ///< "path=value", such as "method.step=1e-4" or "bodies[0].velocity=[1,0,0]".
    bool lint;                    ///< Also look for what is allowed but doubtful (warnings), and make a state as a run
                                  ///< would: where none can be made, that is an error.
    carom_limits limits;          ///< What the scene may ask for. Default carom_limits_default.
    carom_interrupt interrupt;    ///< Ends the reading, and steps of the model. Default {0}.
} carom_scene_source;

CAROM_BEGIN_C

/// Nothing to read, no overrides, no lint.
CAROM_API carom_scene_source carom_scene_source_default(void);

/// Reads and checks a scene and builds its frozen model.
///
/// With errors in it returns CAROM_ERR_BAD_INPUT (or CAROM_ERR_FILE when the file cannot be read, CAROM_ERR_TOO_LARGE
/// when it is above 256 MB), the first of them in `error` as "file:line: path: text", all of them in `messages` (up to
/// 100, then one that counts the rest). `messages` (may be NULL) must be destroyed, also on success; only without
/// memory or without a source it is NULL. `allocator` may be NULL: malloc and free. The JSON tree of a reading is
/// jansson's and comes from malloc in any case.
CAROM_API carom_status carom_scene_read(const carom_scene_source *source, const carom_allocator *allocator,
                                        carom_scene **out, carom_scene_messages **messages, carom_error *error);
CAROM_API void carom_scene_destroy(carom_scene *scene);                      ///< May be NULL. The model goes with it.
CAROM_API void carom_scene_messages_destroy(carom_scene_messages *messages); ///< May be NULL.

CAROM_API const carom_model *carom_scene_model(const carom_scene *scene);
CAROM_API const carom_method_def *carom_scene_method(const carom_scene *scene);
CAROM_API const char *carom_scene_name(const carom_scene *scene);        ///< "" when it has none.
CAROM_API const char *carom_scene_description(const carom_scene *scene); ///< "" when it has none.
CAROM_API double carom_scene_until(const carom_scene *scene);            ///< s of simulated time.
CAROM_API double carom_scene_frame_rate(const carom_scene *scene);       ///< Frames a simulated second. Default 60.
CAROM_API bool carom_scene_record_contacts(const carom_scene *scene);    ///< Recordings keep contacts. Default false.

/// What its plan asks for; NULL when it has none. Of a guess by a recording the motion is left out: who makes the plan
/// takes it from there.
CAROM_API const carom_plan_def *carom_scene_plan(const carom_scene *scene);
/// The name of that recording, as the scene gives it; "" of other guesses.
CAROM_API const char *carom_scene_plan_recording(const carom_scene *scene);

/// The scene as it was understood: overrides applied, repeats written out, defaults filled in. Reading this text gives
/// the same model to the bit, and the same text again. Lives as long as the scene.
CAROM_API const char *carom_scene_resolved(const carom_scene *scene);

// ---- shapes

/// A shape as scenes write it, such as {"kind": "sphere", "radius": 0.5}, in one line. Numbers read back to the same
/// bits; a polytope comes as its vertices. Writes at most `capacity` bytes, the last of them zero, and returns how many
/// the whole text has without it; 0 without memory. `out` may be NULL when `capacity` is 0.
CAROM_API size_t carom_scene_write_shape(const carom_shape *shape, char *out, size_t capacity);
/// Makes a shape from such a text. Fails like carom_scene_read.
CAROM_API carom_status carom_scene_read_shape(const char *text, const carom_allocator *allocator, carom_shape **out,
                                              carom_error *error);

CAROM_END_C

#endif
