// SPDX-License-Identifier: MIT
#include "study/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/interrupt.h"
#include "verb/verb.h"

// Two lengths of a step that differ by less than this share are the same, computed in two ways.
static const double same_step = 1e-12;
// A step that ends before a common time by less than this share of the time ends at it: rounding.
static const double node_slack = 1e-12;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What it takes to read the clock twice, which would count for a good share of a single step of one body.
static double clock_cost(void) {
    double least = 1.0;
    for (int i = 0; i < 20; i++) {
        double before = processor_seconds();
        least = fmin(least, processor_seconds() - before);
    }
    return least;
}

bool method_with_step(const carom_method_def *from, double step, int64_t ratio, carom_method_def *out) {
    *out = *from;
    out->step = step / (double)ratio;
    out->piece = NULL;
    if (from->piece_count == 0) return true;
    size_t size = (size_t)from->piece_count * sizeof *from->piece;
    carom_step_piece *whole = malloc(size), *divided = malloc(size);
    double scale = step / from->step;
    if (fabs(scale - 1.0) <= same_step) scale = 1.0;
    if (whole != NULL && divided != NULL) {
        for (int i = 0; i < from->piece_count; i++)
            whole[i] = (carom_step_piece){from->piece[i].until, scale * from->piece[i].step};
        out->piece = whole;
        carom_method_divide_pieces(out, ratio, divided);
        out->piece = divided;
    }
    free(whole);
    if (out->piece == NULL) free(divided);
    return out->piece != NULL;
}

int begin_trial(trial *t, const carom_scene *scene, double step, int64_t ratio) {
    *t = (trial){.scene = scene, .ratio = ratio, .step = step, .clock_cost = clock_cost()};
    int64_t divisor = ratio > 0 ? ratio : 1;
    carom_method_def method;
    if (!method_with_step(carom_scene_method(scene), step * (double)divisor, divisor, &method))
        return refuse_memory("the steps");
    method.step = step;
    carom_error error;
    carom_status status = carom_state_create(carom_scene_model(scene), &method, &t->state, &error);
    free((void *)(uintptr_t)method.piece);
    if (status != CAROM_OK) return refuse_error(&error);
    t->sums = (moment){carom_state_energy(t->state), carom_state_momentum(t->state)};
    t->touched = t->kept = -1;
    t->largest_kinetic = t->sums.energy.kinetic;
    t->summary = carom_summary_begin(t->state);
    return EXIT_GOOD;
}

int begin_trial_between(trial *t, const carom_scene *scene, double step, double common_step) {
    int code = begin_trial(t, scene, step, 0);
    t->common_step = common_step;
    return code == EXIT_GOOD ? begin_between(&t->between, carom_model_body_count(carom_scene_model(scene))) : code;
}

void end_trial(trial *t) {
    end_between(&t->between);
    carom_state_destroy(t->state);
    *t = (trial){.state = NULL};
}

static void count_certificate(trial *t, const carom_step_report *report) {
    t->sums = (moment){report->energy, report->momentum};
    if (report->contacts > 0) t->touched = carom_state_step_count(t->state);
    t->energy_change += report->energy_balance;
    t->largest_change = fmax(t->largest_change, fabs(t->energy_change));
    t->largest_kinetic = fmax(t->largest_kinetic, report->energy.kinetic);
    carom_summary_add(&t->summary, report);
}

static void make_step(trial *t) {
    carom_step_report report;
    carom_error error;
    if (carom_step(carom_scene_model(t->scene), t->state, NULL, &report, &error) != CAROM_OK) {
        t->stopped = true;
        t->no_memory = error.status == CAROM_ERR_NO_MEMORY;
        snprintf(t->why, sizeof t->why, "%.255s", error.text);
    } else if (report.outcome == CAROM_STEP_IMPOSSIBLE) {
        t->stopped = true;
        t->no_memory = report.no_memory;
        snprintf(t->why, sizeof t->why, "%s", report.text);
    } else {
        count_certificate(t, &report);
    }
}

static void make_steps(trial *t, int64_t end) {
    int64_t begun = carom_state_step_count(t->state);
    double started = processor_seconds();
    while (!t->stopped && !was_interrupted() && carom_state_step_count(t->state) < end) {
        make_step(t);
        // Other runs have had the caches: where there are more steps, the first is not timed.
        if (carom_state_step_count(t->state) != begun + 1 || begun + 1 >= end) continue;
        begun++;
        started = processor_seconds();
    }
    t->timed_steps += carom_state_step_count(t->state) - begun;
    t->timed_seconds += fmax(processor_seconds() - started - t->clock_cost, 0.0);
}

// Makes the steps up to one that comes to the common time or passes it, the last of them being kept; one step at least
// lies between two common times.
static void advance_past(trial *t, int64_t study_step) {
    double steps = (double)study_step * (t->common_step / t->step);
    int64_t end = (int64_t)ceil(steps * (1.0 - node_slack));
    for (int64_t node = end - MOST_NODES + 1; node <= end; node++) {
        if (node < 0 || node <= t->kept) continue;
        make_steps(t, node);
        if (t->stopped) return;
        keep_node(&t->between, t->state, t->sums);
        t->kept = node;
    }
    // What the motion was before the last contact says nothing about what it is now.
    int64_t smooth_steps = t->touched < 0 ? end : end - t->touched;
    int count = smooth_steps + 1 < MOST_NODES ? (int)smooth_steps + 1 : MOST_NODES;
    place_between(&t->between, count > 2 ? count : 2, t->step, fmin(steps - (double)(end - 1), 1.0));
}

void advance_trial(trial *t, int64_t study_step) {
    if (t->ratio > 0)
        make_steps(t, study_step * t->ratio);
    else
        advance_past(t, study_step);
}

moment trial_at(const trial *t, int body_count, carom_body_state *bodies) {
    bool passed = t->ratio == 0 && !t->stopped && carom_state_step_count(t->state) > 0;
    for (int i = 0; i < body_count; i++) {
        if (passed)
            bodies[i] = t->between.now[i];
        else
            (void)carom_state_get_body(t->state, (carom_body){i}, &bodies[i], NULL); // one of its model
    }
    return passed ? t->between.now_moment : t->sums;
}

carom_verdict trial_verdict(const trial *t) {
    carom_recording_info info = {.step = carom_state_method(t->state)->step,
                                 .time = carom_state_time(t->state),
                                 .step_count = carom_state_step_count(t->state),
                                 .finished = !t->stopped,
                                 .summary = t->summary};
    snprintf(info.end_text, sizeof info.end_text, "%s", t->why);
    carom_summary_conclude(&info.summary, t->state);
    carom_verdict verdict = carom_run_verdict(&info, carom_state_model(t->state));
    if (verdict.step >= 0) verdict.time = carom_method_step_time(carom_state_method(t->state), verdict.step);
    return verdict;
}

double energy_drift(const trial *t) {
    return t->largest_kinetic > 0.0 ? t->largest_change / t->largest_kinetic : 0.0;
}

double joint_drift(const trial *t) {
    return has_joints(t->scene) ? t->summary.largest_joint_drift : NAN;
}

bool has_joints(const carom_scene *scene) {
    return carom_model_joint_count(carom_scene_model(scene)) > 0;
}

double seconds_a_step(const trial *t) {
    return t->timed_steps > 0 ? t->timed_seconds / (double)t->timed_steps : 0.0;
}

double seconds_in_all(const trial *t) {
    return seconds_a_step(t) * (double)carom_state_step_count(t->state);
}
