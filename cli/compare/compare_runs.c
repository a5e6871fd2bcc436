// SPDX-License-Identifier: MIT
#include "compare/compare_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verb/verb.h"

// Times of two runs are the same when they differ by less than this share of the shorter step: the rounding of a number
// of steps times a step.
static const double time_slack = 1e-6;

static double shorter_step(const runs_comparison *c) {
    return fmin(c->side[0].info.step, c->side[1].info.step);
}

static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

// ---- what was run

static int open_side(run_side *side, const char *path) {
    *side = (run_side){.path = path};
    carom_error error;
    if (carom_recording_open(path, &side->recording, &error) != CAROM_OK ||
        carom_recording_get_info(side->recording, &side->info, &error) != CAROM_OK)
        return refuse_error(&error);
    side->bodies = malloc(((size_t)side->info.body_count + 1) * sizeof *side->bodies);
    return side->bodies != NULL ? EXIT_GOOD : refuse_memory("a frame");
}

// A piece of the line that `at` is in, beginning a little before it.
static void cut_excerpt(const char *text, const char *at, char excerpt[SCENE_EXCERPT]) {
    enum { BEFORE = 24 };
    const char *from = at;
    while (from > text && from[-1] != '\n' && at - from < BEFORE) from--;
    if (from > text && from[-1] != '\n') // whole words
        while (from < at && *from != ' ') from++;
    while (from < at && *from == ' ') from++;
    snprintf(excerpt, SCENE_EXCERPT, "%.*s", (int)strcspn(from, "\n"), from);
}

static void compare_scenes(runs_comparison *c) {
    const char *a = carom_recording_scene(c->side[0].recording), *b = carom_recording_scene(c->side[1].recording);
    size_t at = 0;
    int line = 1;
    while (a[at] == b[at] && a[at] != '\0') line += a[at++] == '\n';
    if (a[at] == b[at]) return;
    c->scene_line = line;
    cut_excerpt(a, a + at, c->side[0].scene_excerpt);
    cut_excerpt(b, b + at, c->side[1].scene_excerpt);
}

static void compare_body_lists(runs_comparison *c) {
    const run_side *a = &c->side[0], *b = &c->side[1];
    if (a->info.body_count != b->info.body_count) {
        snprintf(c->bodies_text, sizeof c->bodies_text, "%d in the first run, %d in the second", a->info.body_count,
                 b->info.body_count);
        return;
    }
    for (int i = 0; i < a->info.body_count; i++) {
        const char *of_a = carom_recording_body_name(a->recording, i),
                   *of_b = carom_recording_body_name(b->recording, i);
        if (strcmp(of_a, of_b) == 0) continue;
        snprintf(c->bodies_text, sizeof c->bodies_text, "body %d is '%.90s' in the first run, '%.90s' in the second", i,
                 of_a, of_b);
        return;
    }
}

// ---- frames

static void compare_bodies(runs_comparison *c, int64_t frame, int64_t step, double time) {
    const carom_body_state *a = c->side[0].bodies, *b = c->side[1].bodies;
    int count = c->side[0].info.body_count;
    widen(&c->spread, time, count, a, b);
    for (int i = 0; i < count; i++) {
        for (int what = 0; what < QUANTITY_COUNT; what++) {
            if (same_bits((quantity)what, &a[i], &b[i])) continue;
            c->identical = false;
            double difference = difference_of((quantity)what, &a[i], &b[i]);
            if (c->frame_differs || difference <= c->tolerance) continue;
            c->frame_differs = true;
            c->frame = frame;
            c->frame_step = step;
            c->frame_time = time;
            c->frame_body = i;
            c->frame_quantity = (quantity)what;
            c->frame_difference = difference;
        }
    }
}

static carom_status read_frame(run_side *side, int64_t index, double *time, int64_t *step, carom_error *error) {
    return carom_recording_get_frame(side->recording, index, time, step, side->bodies, error);
}

// Walks along both runs and compares the frames at the same times.
static int compare_frames(runs_comparison *c) {
    run_side *a = &c->side[0], *b = &c->side[1];
    double time_a, time_b, slack = time_slack * shorter_step(c);
    int64_t step, i = 0, k = 0;
    carom_error error;
    while (i < a->info.frame_count && k < b->info.frame_count) {
        if (read_frame(a, i, &time_a, &step, &error) != CAROM_OK || read_frame(b, k, &time_b, NULL, &error) != CAROM_OK)
            return refuse_error(&error);
        bool same = fabs(time_a - time_b) <= slack;
        if (same) {
            compare_bodies(c, i, step, time_a);
            c->frames++;
            int code = add_difference(&c->curve, time_a, a->info.body_count, a->bodies, b->bodies);
            if (code != EXIT_GOOD) return code;
        }
        a->frames_alone += !same && time_a < time_b;
        b->frames_alone += !same && time_a >= time_b;
        i += same || time_a < time_b;
        k += same || time_a >= time_b;
    }
    a->frames_alone += a->info.frame_count - i;
    b->frames_alone += b->info.frame_count - k;
    return EXIT_GOOD;
}

// ---- certificates

static void note_certificate(runs_comparison *c, int64_t step, const carom_quantity *quantity, int column, double a,
                             double b) {
    if (c->certificate_differs) return;
    c->certificate_differs = true;
    c->certificate_step = step;
    if (quantity->type == CAROM_QUANTITY_VECTOR)
        snprintf(c->certificate_quantity, sizeof c->certificate_quantity, "%s along %c", quantity->label,
                 "xyz"[column]);
    else
        snprintf(c->certificate_quantity, sizeof c->certificate_quantity, "%s", quantity->label);
    c->certificate_unit = quantity->unit;
    c->certificate_value[0] = a;
    c->certificate_value[1] = b;
}

// The tolerance applies to quantities of the state; the others are about the solution, not the motion.
static void compare_quantity(runs_comparison *c, const carom_quantity *quantity, const carom_step_report *a,
                             const carom_step_report *b) {
    for (int i = 0; i < carom_quantity_column_count(quantity); i++) {
        double of_a = carom_quantity_get(quantity, a, i), of_b = carom_quantity_get(quantity, b, i);
        if (same_number(of_a, of_b)) continue;
        c->identical = false;
        if (c->tolerance == 0.0 || (quantity->of_state && !(fabs(of_a - of_b) <= c->tolerance)))
            note_certificate(c, a->step, quantity, i, of_a, of_b);
    }
}

static void compare_certificate(runs_comparison *c, const carom_step_report *a, const carom_step_report *b) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (int i = 0; i < count; i++) compare_quantity(c, &quantities[i], a, b);
}

static int compare_certificates(runs_comparison *c) {
    enum { AT_ONCE = 64 };
    carom_step_report of_a[AT_ONCE], of_b[AT_ONCE];
    const run_side *a = &c->side[0], *b = &c->side[1];
    if (!same_number(a->info.step, b->info.step)) return EXIT_GOOD;
    for (;;) {
        carom_error error;
        int got_a, got_b;
        if (carom_recording_get_certificates(a->recording, c->certificates, AT_ONCE, of_a, &got_a, &error) !=
                CAROM_OK ||
            carom_recording_get_certificates(b->recording, c->certificates, AT_ONCE, of_b, &got_b, &error) != CAROM_OK)
            return refuse_error(&error);
        int got = got_a < got_b ? got_a : got_b;
        for (int i = 0; i < got; i++) {
            if (of_a[i].step != of_b[i].step) return EXIT_GOOD;             // they began at different steps
            if (!same_number(of_a[i].time, of_b[i].time)) return EXIT_GOOD; // their steps vary, each in its way
            compare_certificate(c, &of_a[i], &of_b[i]);
            c->certificates++;
        }
        if (got < AT_ONCE) return EXIT_GOOD;
    }
}

// ---- the whole

static int compare_motions(runs_comparison *c) {
    const run_side *a = &c->side[0], *b = &c->side[1];
    int code = compare_frames(c);
    if (code == EXIT_GOOD && c->frames <= 1 && a->info.frame_count > 1 && b->info.frame_count > 1)
        return refuse("%s and %s: have no frames at the same times beyond the first; record both with --every, so that "
                      "they do",
                      a->path, b->path);
    if (code == EXIT_GOOD) code = compare_certificates(c);
    return code;
}

int compare_runs(runs_comparison *c, const char *a, const char *b, double tolerance) {
    *c = (runs_comparison){.tolerance = tolerance, .identical = true};
    int code = open_side(&c->side[0], a);
    if (code == EXIT_GOOD) code = open_side(&c->side[1], b);
    if (code != EXIT_GOOD) return code;
    const carom_recording_info *of_a = &c->side[0].info, *of_b = &c->side[1].info;
    compare_scenes(c);
    compare_body_lists(c);
    if (c->bodies_text[0] == '\0') code = compare_motions(c);
    c->same_end = fabs(of_a->time - of_b->time) <= time_slack * shorter_step(c);
    c->agree = c->bodies_text[0] == '\0' && c->same_end && !c->frame_differs && !c->certificate_differs;
    c->identical = c->identical && c->agree && c->side[0].frames_alone == 0 && c->side[1].frames_alone == 0 &&
                   of_a->hash == of_b->hash && of_a->step_count == of_b->step_count;
    return code;
}

void free_runs_comparison(runs_comparison *c) {
    for (int i = 0; i < 2; i++) {
        carom_recording_close(c->side[i].recording);
        free(c->side[i].bodies);
    }
    free_difference_curve(&c->curve);
}
