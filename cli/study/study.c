// SPDX-License-Identifier: MIT
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "carom/flex.h"
#include "run/scene_input.h"
#include "verb/verb.h"

// A ratio of two steps that is off a whole number by less than this share was meant to be one: it lets the times of two
// runs diverge by that share at most.
static const double ratio_slack = 1e-12;

int begin_study(study *s, const char *file, const text_list *set, const char *limit, double until, double step) {
    *s = (study){.file = file, .limit = limit};
    int code = EXIT_GOOD;
    s->scene = read_scene(file, set, limit, NULL, &code);
    if (s->scene == NULL) return code;
    s->body_count = carom_model_body_count(carom_scene_model(s->scene));
    s->step = fmax(carom_scene_method(s->scene)->step, step);
    s->longest = 1;
    if (s->body_count == 0) return refuse("%s: has no bodies; there is nothing to compare", file);
    s->until = until >= 0.0 ? until : carom_scene_until(s->scene);
    if (!method_with_step(carom_scene_method(s->scene), s->step, 1, &s->method)) return refuse_memory("the steps");
    code = count_steps(file, &s->method, s->until, &s->end_step);
    if (code == EXIT_GOOD && s->end_step == 0)
        return refuse("%s: ends at t = %g s, before the first step; give --until", file, s->until);
    return code;
}

void end_study(study *s) {
    carom_scene_destroy(s->scene);
    free(s->sample);
    free((void *)(uintptr_t)s->method.piece);
    *s = (study){.file = s->file};
}

// A flexible body touches others, bodies with a shape, or itself; its nodes have no shape.
static bool flexible_can_touch(const carom_model *model) {
    int count = carom_model_flex_count(model);
    bool touches = count > 1 || (count == 1 && carom_model_flex_def(model, (carom_flex){0})->self_contact);
    for (int b = 0; b < carom_model_body_count(model) && count > 0 && !touches; b++) {
        carom_body_def def;
        touches = carom_model_get_body(model, (carom_body){b}, &def, NULL) == CAROM_OK && def.shape.index >= 0;
    }
    return touches;
}

static bool bodies_can_touch(const carom_model *model) {
    int count = carom_model_body_count(model);
    if (flexible_can_touch(model)) return true;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            if (carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) return true;
    return false;
}

// Bodies that pass through each other are another motion, whose smaller errors mean nothing beside those of contacts.
static bool misses_contacts(const study *s, const method_choice *choice) {
    return choice->unnamed && !carom_method_has_contact(choice->method) &&
           carom_method_has_contact(carom_scene_method(s->scene)->method) &&
           bodies_can_touch(carom_scene_model(s->scene));
}

// So are contacts that are elastic and without friction, where the scene's own have materials or are none.
static bool has_other_contacts(const study *s, const method_choice *choice) {
    carom_method own = carom_scene_method(s->scene)->method;
    bool elastic = carom_method_has_contact(choice->method) && !carom_method_has_materials(choice->method);
    bool own_elastic = carom_method_has_contact(own) && !carom_method_has_materials(own);
    return choice->unnamed && elastic && !own_elastic && bodies_can_touch(carom_scene_model(s->scene));
}

int begin_course(course *c, const study *s, const method_choice *choice) {
    *c = (course){.choice = choice};
    if (misses_contacts(s, choice)) {
        snprintf(c->refusal, sizeof c->refusal, "knows no contacts and was left out; --methods runs it all the same");
        return EXIT_GOOD;
    }
    if (has_other_contacts(s, choice)) {
        snprintf(c->refusal, sizeof c->refusal,
                 "has elastic contacts without friction and was left out; --methods runs it all the same");
        return EXIT_GOOD;
    }
    carom_method_def method = *carom_scene_method(s->scene);
    method.method = choice->method;
    carom_error error;
    if (carom_method_supports(carom_scene_model(s->scene), &method, &error) == CAROM_ERR_UNSUPPORTED) {
        snprintf(c->refusal, sizeof c->refusal, "%s", error.text);
        return EXIT_GOOD;
    }
    // From the text as it was understood: the file may be a pipe, or have changed since.
    carom_scene_source source = carom_scene_source_default();
    source.file = s->file;
    source.text = carom_scene_resolved(s->scene);
    (void)read_limits(s->limit, &source.limits); // said already if it makes no sense
    source.override_count = choice->overrides.count;
    source.overrides = choice->overrides.items;
    carom_scene_messages *messages = NULL;
    if (carom_scene_read(&source, NULL, &c->scene, &messages, &error) != CAROM_OK)
        return refuse_messages(messages, &error);
    carom_scene_messages_destroy(messages);
    return EXIT_GOOD;
}

void end_course(course *c) {
    carom_scene_destroy(c->scene);
    *c = (course){.choice = c->choice};
}

// ---- common times

// With fewer common times than that a comparison would tell little.
enum { LEAST_MEETINGS = 10 };

// How many of `steps` make `long_step`; 0 where it is no whole number.
static int64_t whole_ratio(double long_step, double step) {
    double ratio = round(long_step / step);
    bool whole = ratio >= 1.0 && fabs(ratio * step / long_step - 1.0) <= ratio_slack;
    return whole && ratio < 0x1p53 ? (int64_t)ratio : 0;
}

static bool all_end_at(double common_step, int count, const double *steps) {
    for (int i = 0; i < count; i++)
        if (whole_ratio(common_step, steps[i]) == 0) return false;
    return true;
}

int meet_steps(study *s, int count, const double *steps, bool *step_ends) {
    double longest = 0.0;
    for (int i = 0; i < count; i++) longest = fmax(longest, steps[i]);
    bool met = all_end_at(s->step, count, steps);
    if (!met && s->method.piece_count > 0)
        return refuse("%s: steps of %g s that vary are not whole numbers of all steps that are compared; choose steps "
                      "that divide it",
                      s->file, s->step);
    if (!met) {
        // So many multiples are tried; none of steps that a person writes down is longer.
        static const double most_multiples = 1e6;
        double most = fmin(s->until / longest / LEAST_MEETINGS, most_multiples);
        int64_t multiple = 1;
        while (!met && (double)multiple <= most) met = all_end_at((double)multiple++ * longest, count, steps);
        s->longest = met ? multiple - 1 : 1;
        s->step = (double)s->longest * longest;
        s->method.step = s->step;
        int code = count_steps(s->file, &s->method, s->until, &s->end_step);
        if (code != EXIT_GOOD) return code;
        // Of long common steps the last must not lead far beyond the end.
        if (met && s->longest > 1) s->end_step = (int64_t)floor(s->until / s->step * (1.0 + ratio_slack));
    }
    for (int i = 0; i < count; i++) step_ends[i] = whole_ratio(s->step, steps[i]) > 0;
    return EXIT_GOOD;
}

int sample_evenly(study *s) {
    // Enough times to meet the peaks of velocities within a few percent, and a few steps from one to the next, so that
    // they can be timed.
    enum { MOST_SAMPLES = 1000, FEW_SAMPLES = 50, STEPS_A_SAMPLE = 4 };
    int64_t apart = (STEPS_A_SAMPLE + s->longest - 1) / s->longest;
    int64_t count = s->end_step / apart, fewest = s->end_step < FEW_SAMPLES ? s->end_step : FEW_SAMPLES;
    s->sample_count = count > MOST_SAMPLES ? MOST_SAMPLES : count < fewest ? fewest : count;
    s->sample = malloc((size_t)s->sample_count * sizeof *s->sample);
    if (s->sample == NULL) return refuse_memory("the common times");
    int64_t whole = s->end_step / s->sample_count, rest = s->end_step % s->sample_count;
    for (int64_t i = 0; i < s->sample_count; i++) s->sample[i] = whole * (i + 1) + rest * (i + 1) / s->sample_count;
    return EXIT_GOOD;
}

double sample_time(const study *s, int64_t index) {
    return carom_method_step_time(&s->method, s->sample[index]);
}

double study_end(const study *s) {
    return carom_method_step_time(&s->method, s->end_step);
}

int64_t steps_a_step(const study *s, const char *title, double step) {
    double ratio = round(s->step / step);
    if (!(ratio >= 1.0) || !(fabs(ratio * step / s->step - 1.0) <= ratio_slack)) {
        refuse("%s: a step of %g s is not a whole number of steps of %g s; choose %.10g s", title, s->step, step,
               s->step / fmax(ratio, 1.0));
        return 0;
    }
    if (!(ratio * (double)s->end_step < 0x1p53)) {
        refuse("%s: it would take %.3g steps of %g s; choose a longer one", title, ratio * (double)s->end_step, step);
        return 0;
    }
    return (int64_t)ratio;
}

int run_study(const study *s, trial *const *trials, int count, compare_function *compare, void *context,
              bool show_progress) {
    int64_t most = 1;
    for (int i = 0; i < count; i++) most = trials[i]->ratio > most ? trials[i]->ratio : most;
    progress progress;
    watch_for_interrupts(); // not earlier: reading a pipe, say, can only be ended by them
    progress_begin(&progress, show_progress, 0, s->end_step * most, &s->method, most);
    int code = EXIT_GOOD;
    for (int64_t index = 0; index < s->sample_count && code == EXIT_GOOD; index++) {
        for (int i = 0; i < count && code == EXIT_GOOD; i++) {
            advance_trial(trials[i], s->sample[index]);
            if (!trials[i]->no_memory) continue;
            refuse("%s", trials[i]->why);
            code = EXIT_INTERNAL;
        }
        if (code == EXIT_GOOD) code = was_interrupted() ? EXIT_INTERRUPTED : compare(context, index);
        progress_at(&progress, s->sample[index] * most);
    }
    progress_end(&progress);
    if (code == EXIT_INTERRUPTED) note("interrupted; nothing is kept of the study");
    return code;
}
