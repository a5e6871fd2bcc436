// SPDX-License-Identifier: MIT
#include "plan/plan_guess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verb/verb.h"

// Two frames that follow each other, and where between them a time is.
typedef struct frame_pair {
    carom_body_state *from, *to; // (body_count)
    double from_time, to_time;
    int64_t next; // frame after `to`
} frame_pair;

// "folder/scene.json" and "run.carom": "folder/run.carom". NULL without memory.
static char *beside(const char *scene_file, const char *name) {
    const char *slash = strrchr(scene_file, '/');
    size_t folder = slash != NULL && name[0] != '/' ? (size_t)(slash - scene_file) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    if (path != NULL) sprintf(path, "%.*s%s", (int)folder, scene_file, name);
    return path;
}

// ---- between frames

static carom_vec3 mix(carom_vec3 a, carom_vec3 b, double t) {
    return (carom_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

// Along the shorter way, normalised: frames are near each other.
static carom_quat mix_attitudes(carom_quat a, carom_quat b, double t) {
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0 ? -1.0 : 1.0, s = sign * t;
    carom_quat q = {(1.0 - t) * a.w + s * b.w, (1.0 - t) * a.x + s * b.x, (1.0 - t) * a.y + s * b.y,
                    (1.0 - t) * a.z + s * b.z};
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0.0)) return a;
    return (carom_quat){q.w / length, q.x / length, q.y / length, q.z / length};
}

static carom_status advance(const carom_recording *recording, int64_t frames, double time, frame_pair *pair,
                            carom_error *error) {
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && pair->to_time < time && pair->next < frames) {
        carom_body_state *spare = pair->from;
        pair->from = pair->to;
        pair->from_time = pair->to_time;
        pair->to = spare;
        status = carom_recording_get_frame(recording, pair->next++, &pair->to_time, NULL, pair->to, error);
    }
    return status;
}

static carom_status read_poses(const carom_recording *recording, const carom_recording_info *info, int count,
                               frame_pair *pair, carom_pose *out, carom_error *error) {
    double first, last;
    carom_status status = carom_recording_get_frame(recording, 0, &first, NULL, pair->to, error);
    if (status == CAROM_OK)
        status = carom_recording_get_frame(recording, info->frame_count - 1, &last, NULL, NULL, error);
    if (status == CAROM_OK) memcpy(pair->from, pair->to, (size_t)info->body_count * sizeof *pair->from);
    pair->from_time = pair->to_time = first;
    pair->next = 1;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        double time = first + (last - first) * i / (count - 1);
        status = advance(recording, info->frame_count, time, pair, error);
        double length = pair->to_time - pair->from_time;
        double t = length > 0.0 ? fmin(1.0, fmax(0.0, (time - pair->from_time) / length)) : 1.0;
        for (int b = 0; b < info->body_count && status == CAROM_OK; b++)
            out[(ptrdiff_t)i * info->body_count + b] =
                (carom_pose){mix(pair->from[b].position, pair->to[b].position, t),
                             mix_attitudes(pair->from[b].attitude, pair->to[b].attitude, t)};
    }
    return status;
}

// ---- the recording

static int check_bodies(const char *path, const carom_recording *recording, const carom_recording_info *info,
                        const carom_model *model) {
    int bodies = carom_model_body_count(model);
    if (info->body_count != bodies)
        return refuse("%s: has %d bodies and the scene %d; a guess is a recording of the same bodies", path,
                      info->body_count, bodies);
    for (int b = 0; b < bodies; b++) {
        const char *name = carom_model_body_name(model, (carom_body){b});
        const char *recorded = carom_recording_body_name(recording, b);
        if (strcmp(name != NULL ? name : "", recorded) != 0)
            return refuse("%s: body %d is '%.100s', and '%.100s' in the scene; a guess is a recording of the same "
                          "bodies",
                          path, b, recorded, name != NULL ? name : "");
    }
    return info->frame_count >= 2 ? EXIT_GOOD : refuse("%s: has one frame only; a guess needs a motion", path);
}

static int read_recording(const char *path, const carom_recording *recording, const carom_model *model, int frames,
                          carom_pose **out) {
    carom_recording_info info;
    carom_error error;
    if (carom_recording_get_info(recording, &info, &error) != CAROM_OK) return refuse_error(&error);
    int code = check_bodies(path, recording, &info, model);
    if (code != EXIT_GOOD) return code;
    size_t bodies = (size_t)info.body_count;
    carom_body_state *states = calloc(2 * bodies + 1, sizeof *states);
    *out = calloc(bodies * (size_t)frames + 1, sizeof **out);
    frame_pair pair = {.from = states, .to = states != NULL ? states + bodies : NULL};
    if (states == NULL || *out == NULL)
        code = refuse_memory("the guess");
    else if (read_poses(recording, &info, frames, &pair, *out, &error) != CAROM_OK)
        code = refuse_error(&error);
    free(states);
    return code;
}

int read_plan_guess(const char *scene_file, const char *name, const carom_model *model, int frames, carom_pose **out) {
    char *path = beside(scene_file, name);
    if (path == NULL) return refuse_memory("a file name");
    carom_error error;
    carom_recording *recording = NULL;
    *out = NULL;
    int code = carom_recording_open(path, &recording, &error) == CAROM_OK
                   ? read_recording(path, recording, model, frames, out)
                   : refuse_error(&error);
    carom_recording_close(recording);
    free(path);
    return code;
}
