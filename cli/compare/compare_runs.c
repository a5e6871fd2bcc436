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
    const carom_frame_body *a = c->side[0].bodies, *b = c->side[1].bodies;
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

typedef struct certificate_field {
    const char *name, *unit;
    size_t offset; // of a double in carom_certificate
    bool physical; // the tolerance applies to it; the others are about the solution, not the motion
} certificate_field;

static const certificate_field certificate_fields[] = {
    {"kinetic energy", "J", offsetof(carom_certificate, kinetic), true},
    {"potential energy", "J", offsetof(carom_certificate, potential), true},
    {"momentum along x", "kg m/s", offsetof(carom_certificate, linear_momentum.x), true},
    {"momentum along y", "kg m/s", offsetof(carom_certificate, linear_momentum.y), true},
    {"momentum along z", "kg m/s", offsetof(carom_certificate, linear_momentum.z), true},
    {"angular momentum about x", "kg m^2/s", offsetof(carom_certificate, angular_momentum.x), true},
    {"angular momentum about y", "kg m^2/s", offsetof(carom_certificate, angular_momentum.y), true},
    {"angular momentum about z", "kg m^2/s", offsetof(carom_certificate, angular_momentum.z), true},
    {"momentum balance", "", offsetof(carom_certificate, momentum_balance), false},
    {"energy balance", "J", offsetof(carom_certificate, energy_balance), false},
    {"residual", "", offsetof(carom_certificate, residual), false},
    {"infeasibility", "", offsetof(carom_certificate, infeasibility), false},
    {"mean infeasibility", "", offsetof(carom_certificate, mean_infeasibility), false},
    {"friction work", "J", offsetof(carom_certificate, friction_work), false},
    {"energy of projection", "J", offsetof(carom_certificate, projection_energy), false},
    {"angular momentum of projection about x", "kg m^2/s", offsetof(carom_certificate, projection_momentum.x), false},
    {"angular momentum of projection about y", "kg m^2/s", offsetof(carom_certificate, projection_momentum.y), false},
    {"angular momentum of projection about z", "kg m^2/s", offsetof(carom_certificate, projection_momentum.z), false},
    {"energy of impacts", "J", offsetof(carom_certificate, impact_energy), false},
};

static void note_certificate(runs_comparison *c, int64_t step, const char *name, const char *unit, double a, double b) {
    if (c->certificate_differs) return;
    c->certificate_differs = true;
    c->certificate_step = step;
    c->certificate_quantity = name;
    c->certificate_unit = unit;
    c->certificate_value[0] = a;
    c->certificate_value[1] = b;
}

static void compare_certificate(runs_comparison *c, const carom_certificate *a, const carom_certificate *b) {
    bool to_the_bit = c->tolerance == 0.0;
    for (size_t i = 0; i < sizeof certificate_fields / sizeof certificate_fields[0]; i++) {
        const certificate_field *field = &certificate_fields[i];
        double of_a = *(const double *)((const char *)a + field->offset);
        double of_b = *(const double *)((const char *)b + field->offset);
        if (same_number(of_a, of_b)) continue;
        c->identical = false;
        if (to_the_bit || (field->physical && !(fabs(of_a - of_b) <= c->tolerance)))
            note_certificate(c, a->step, field->name, field->unit, of_a, of_b);
    }
    if (a->iterations == b->iterations && a->good == b->good && a->contacts == b->contacts) return;
    c->identical = false;
    if (to_the_bit && a->contacts != b->contacts)
        note_certificate(c, a->step, "contacts", "", a->contacts, b->contacts);
    if (to_the_bit) note_certificate(c, a->step, "iterations", "", a->iterations, b->iterations);
}

static int compare_certificates(runs_comparison *c) {
    enum { AT_ONCE = 256 };
    carom_certificate of_a[AT_ONCE], of_b[AT_ONCE];
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
            if (of_a[i].step != of_b[i].step) return EXIT_GOOD; // they began at different steps
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
