// SPDX-License-Identifier: MIT
#include "study/study_reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verb/verb.h"

// How much shorter than the finest step a reference's is, when nothing is said: its own error is then 1/8 of the finest
// run's at order 1, and 1/64 at order 2.
static const double reference_share = 0.125;

// A frame is at a common time when it misses it by less than this share of a step: the rounding of its time.
static const double frame_slack = 1e-9;

// A recording begins where the scene does when no quantity differs by more than this share of its size.
static const double start_slack = 1e-12;

// ---- a run

static int begin_run(reference *r, const char *word, study *s, double finest) {
    int code = read_method(word, &r->choice);
    if (code != EXIT_GOOD) return code;
    double step = r->choice.step > 0.0 ? r->choice.step : reference_share * finest;
    int64_t ratio = steps_a_step(s, word, step);
    if (ratio == 0) return EXIT_BAD_INPUT;
    code = begin_course(&r->course, s, &r->choice);
    if (code != EXIT_GOOD) return code;
    if (r->course.scene == NULL) return refuse("--reference %s: %s", word, r->course.refusal);
    snprintf(r->title, sizeof r->title, "%.200s with a step of %.6g s", carom_method_name(r->choice.method), step);
    code = sample_evenly(s);
    return code == EXIT_GOOD ? begin_trial(&r->trial, r->course.scene, s->step / (double)ratio, ratio) : code;
}

// ---- a recording

static int check_bodies(const reference *r, const char *path, const carom_recording_info *info, const study *s) {
    if (info->body_count != s->body_count)
        return refuse("%s: has %d bodies, but %s has %d; a reference must be of the same scene", path, info->body_count,
                      s->file, s->body_count);
    for (int i = 0; i < s->body_count; i++) {
        const char *name = carom_model_body_name(carom_scene_model(s->scene), (carom_body){i});
        const char *recorded = carom_recording_body_name(r->recording, i);
        if (strcmp(recorded, name != NULL ? name : "") != 0)
            return refuse("%s: its body %d is '%s', but that of %s is '%s'; a reference must be of the same scene",
                          path, i, recorded, s->file, name != NULL ? name : "");
    }
    return EXIT_GOOD;
}

// The first frame must be the start of the scene: it is where a recording of something else shows.
static int check_start(const reference *r, const char *path, const study *s, const carom_body_state *start) {
    carom_body_state *own = malloc((size_t)s->body_count * sizeof *own);
    carom_state *state = NULL;
    carom_error error;
    if (own == NULL) return refuse_memory("the reference");
    int code = EXIT_GOOD;
    if (carom_state_create(carom_scene_model(s->scene), carom_scene_method(s->scene), &state, &error) != CAROM_OK) {
        code = refuse_error(&error);
    } else {
        spread gap = {.size = {0}};
        read_bodies(state, s->body_count, own);
        widen(&gap, 0.0, s->body_count, own, start);
        for (int i = 0; i < QUANTITY_COUNT && code == EXIT_GOOD; i++)
            if (!(gap.largest[i] <= start_slack * fmax(gap.size[i], 1.0)))
                code = refuse("%s: begins elsewhere than %s: the %s of body '%s' differs by %.3g %s", path, s->file,
                              quantity_names[i], carom_recording_body_name(r->recording, gap.body[i]), gap.largest[i],
                              quantity_units[i]);
    }
    carom_state_destroy(state);
    free(own);
    return code;
}

// Takes the frame for a common time if it is at one. Frames are in the order of time.
static void take_frame(reference *r, study *s, int64_t number, double time) {
    double steps = carom_method_step_count(&s->method, time);
    if (!(steps >= 1.0) || !(steps <= (double)s->end_step)) return;
    double reached = carom_method_step_time(&s->method, (int64_t)steps);
    double step = reached - carom_method_step_time(&s->method, (int64_t)steps - 1);
    if (!(fabs(reached - time) <= frame_slack * step + 4.0 * 0x1p-52 * time)) return;
    if (s->sample_count > 0 && s->sample[s->sample_count - 1] >= (int64_t)steps) return;
    r->frame[s->sample_count] = number;
    s->sample[s->sample_count++] = (int64_t)steps;
}

static int sample_recording(reference *r, const char *path, study *s, int64_t frame_count) {
    r->frame = malloc((size_t)frame_count * sizeof *r->frame);
    s->sample = malloc((size_t)frame_count * sizeof *s->sample);
    if (r->frame == NULL || s->sample == NULL) return refuse_memory("the reference");
    for (int64_t i = 0; i < frame_count; i++) {
        carom_error error;
        double time;
        if (carom_recording_get_frame(r->recording, i, &time, NULL, i == 0 ? r->bodies : NULL, &error) != CAROM_OK)
            return refuse_error(&error);
        int code = i == 0 && time == 0.0 ? check_start(r, path, s, r->bodies) : EXIT_GOOD;
        if (code != EXIT_GOOD) return code;
        take_frame(r, s, i, time);
    }
    if (s->sample_count == 0)
        return refuse(
            "%s: has no frame at a time that a step of %g s meets before t = %g s; record it with --every, so "
            "that frames fall on these steps",
            path, s->step, study_end(s));
    s->end_step = s->sample[s->sample_count - 1];
    return EXIT_GOOD;
}

static int begin_recording(reference *r, const char *path, study *s) {
    carom_error error;
    carom_recording_info info;
    if (carom_recording_open(path, &r->recording, &error) != CAROM_OK ||
        carom_recording_get_info(r->recording, &info, &error) != CAROM_OK)
        return refuse_error(&error);
    int code = check_bodies(r, path, &info, s);
    if (code == EXIT_GOOD) code = sample_recording(r, path, s, info.frame_count);
    snprintf(r->title, sizeof r->title, "%.150s (%s, step %.6g s)", path, info.method, info.step);
    return code;
}

// ---- either

int begin_reference(reference *r, const char *word, study *s, double finest) {
    *r = (reference){.bodies = malloc((size_t)s->body_count * sizeof *r->bodies)};
    if (r->bodies == NULL) return refuse_memory("the reference");
    char name[64];
    carom_method method;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    if (carom_method_find(name, &method)) return begin_run(r, word, s, finest);
    if (access(word, F_OK) == 0) return begin_recording(r, word, s);
    return refuse("--reference: '%s' is neither a method nor a recording", word);
}

void end_reference(reference *r) {
    free(r->bodies);
    end_trial(&r->trial);
    end_course(&r->course);
    free_method(&r->choice);
    carom_recording_close(r->recording);
    free(r->frame);
    *r = (reference){.bodies = NULL};
}

int read_reference(reference *r, const study *s, int64_t index) {
    carom_error error;
    if (r->recording != NULL) {
        if (carom_recording_get_frame(r->recording, r->frame[index], NULL, NULL, r->bodies, &error) == CAROM_OK)
            return EXIT_GOOD;
        return refuse_error(&error);
    }
    if (r->trial.no_memory) {
        refuse("%s", r->trial.why);
        return EXIT_INTERNAL;
    }
    if (r->trial.stopped) {
        refuse("--reference %s: stopped at t = %g s: %s", r->choice.title, carom_state_time(r->trial.state),
               r->trial.why);
        return EXIT_NOT_TRUSTWORTHY;
    }
    read_bodies(r->trial.state, s->body_count, r->bodies);
    return EXIT_GOOD;
}
