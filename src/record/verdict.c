// SPDX-License-Identifier: MIT
// The verdict on a run, by the findings of its rules and how it ended: docs/verdict.md tells it to people.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/record.h"

static bool was_asked_to_end(const carom_recording_info *info) {
    return strncmp(info->end_text, CAROM_END_ASKED, sizeof CAROM_END_ASKED - 1) == 0;
}

// ---- words

static void write_number(const carom_rule_def *rule, double value, char *out, size_t size) {
    if (!rule->percent)
        snprintf(out, size, "%.3g", value);
    else if (value >= 1e-4 && value < 1e4)
        snprintf(out, size, value < 10.0 ? "%.3g %%" : "%.0f %%", 100.0 * value);
    else
        snprintf(out, size, "%.1e", value);
}

// Who knows how bodies are called: a recording, a model, or nobody.
typedef struct body_names {
    const carom_recording *recording;
    const carom_model *model;
} body_names;

static const char *name_of(const body_names *names, int64_t body) {
    const char *name = NULL;
    if (names->recording != NULL) name = carom_recording_body_name(names->recording, (int)body);
    if (names->model != NULL) name = carom_model_body_name(names->model, (carom_body){(int)body});
    return name != NULL ? name : "";
}

static int append_body(const body_names *names, int64_t body, char *out, size_t size) {
    const char *name = name_of(names, body);
    return name[0] != '\0' ? snprintf(out, size, "'%.100s'", name) : snprintf(out, size, "%" PRId64, body);
}

static void append_bodies(const carom_finding *f, const body_names *names, char *out, size_t size) {
    // What is joined to the world has no other body.
    int64_t first = f->body >= 0 ? f->body : f->other;
    bool both = f->body >= 0 && f->other >= 0;
    if (first < 0) return;
    size_t used = (size_t)snprintf(out, size, both ? " (bodies " : " (body ");
    used += (size_t)append_body(names, first, out + used, size - used);
    if (both && used < size) {
        used += (size_t)snprintf(out + used, size - used, " and ");
        used += (size_t)append_body(names, f->other, out + used, size - used);
    }
    if (used < size) snprintf(out + used, size - used, ")");
}

// Steps need not be of one length: only what was recorded tells.
static double time_of(const carom_recording_info *info, const body_names *names, int64_t step) {
    carom_error error;
    double time = 0.0;
    if (names->recording != NULL && carom_recording_step_time(names->recording, step, &time, &error) == CAROM_OK)
        return time;
    return (double)step * info->step;
}

static carom_verdict tell_finding(const carom_recording_info *info, carom_rule rule, const body_names *names) {
    carom_verdict v = {.colour = CAROM_COLOUR_RED, .step = -1, .time = info->time};
    const carom_rule_def *def = carom_rule_get(rule);
    if (def == NULL) return v;
    const carom_finding *f = &info->summary.finding[rule];
    char number[32];
    write_number(def, f->value, number, sizeof number);
    size_t size = sizeof v.sentence, used = (size_t)snprintf(v.sentence, size, def->finding, number);
    append_bodies(f, names, v.sentence + used, size - used);
    used = strlen(v.sentence);
    if (rule == CAROM_RULE_BROKEN_STEPS && info->summary.first_broken_step >= 0)
        snprintf(v.sentence + used, size - used, ", first in step %" PRId64 ": %s", info->summary.first_broken_step,
                 info->summary.first_broken_text);
    const carom_plan_data *plan = carom_recording_plan(names->recording);
    if (rule == CAROM_RULE_PLAN_BOUND && plan != NULL && plan->reason[0] != '\0')
        snprintf(v.sentence + used, size - used, ": %s", plan->reason);
    v.colour = carom_rule_colour(rule, f->value);
    v.step = f->step;
    if (v.step >= 0) v.time = time_of(info, names, v.step);
    return v;
}

carom_verdict carom_recording_finding(const carom_recording_info *info, carom_rule rule, const carom_recording *names) {
    return tell_finding(info, rule, &(body_names){.recording = names});
}

// Of a recording of a plan itself.
static bool is_plan(const carom_recording_info *info) {
    return info->plan && !info->replayed;
}

static void tell_stopped(const carom_recording_info *info, carom_verdict *v) {
    v->step = info->step_count;
    if (is_plan(info))
        snprintf(v->sentence, sizeof v->sentence, "There is no such plan: %s", info->end_text);
    else
        snprintf(v->sentence, sizeof v->sentence, "The run stopped at t = %.6g s: %s", info->time, info->end_text);
}

static void tell_unfinished(const carom_recording_info *info, carom_verdict *v) {
    v->colour = CAROM_COLOUR_AMBER;
    v->step = info->step_count;
    if (is_plan(info))
        snprintf(v->sentence, sizeof v->sentence, "Nothing is wrong so far, but the plan is not finished");
    else
        snprintf(v->sentence, sizeof v->sentence,
                 "Nothing is wrong so far, but the run is not finished: it is at t = %.6g s of %.6g s%s%s", info->time,
                 info->until, info->end_text[0] != '\0' ? ", " : "", info->end_text);
}

// What a run without findings rests on.
static void tell_green(const carom_recording_info *info, carom_verdict *v) {
    const carom_summary *summary = &info->summary;
    v->colour = CAROM_COLOUR_GREEN;
    if (is_plan(info))
        snprintf(v->sentence, sizeof v->sentence,
                 "A strict local optimum that keeps every bound of its certificate; other starts may find better ones");
    else if (summary->unbounded_residual)
        snprintf(v->sentence, sizeof v->sentence,
                 "No rule found anything; no residual is promised, so that this rests on overlaps, joints, friction "
                 "cones and energy");
    else if (summary->missed_steps > 0)
        snprintf(v->sentence, sizeof v->sentence,
                 "Every step kept its contract, but for %" PRId64 " of %" PRId64
                 " that were solved a little less far than asked for, and no rule found anything",
                 summary->missed_steps, info->step_count);
    else
        snprintf(v->sentence, sizeof v->sentence, "Every step kept its contract, and no rule found anything");
}

// ---- the rule

static carom_colour worst_finding(const carom_recording_info *info, carom_rule *worst, int *others) {
    carom_colour colour = CAROM_COLOUR_GREEN;
    int found = 0;
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        carom_colour one = carom_rule_colour((carom_rule)r, info->summary.finding[r].value);
        found += one != CAROM_COLOUR_GREEN;
        if (one <= colour) continue;
        colour = one;
        *worst = (carom_rule)r;
    }
    *others = found > 0 ? found - 1 : 0;
    return colour;
}

static void tell_others(int others, carom_verdict *v) {
    size_t used = strlen(v->sentence);
    if (others > 0)
        snprintf(v->sentence + used, sizeof v->sentence - used, "; %d more finding%s", others, others == 1 ? "" : "s");
}

static carom_verdict evaluate(const carom_recording_info *info, const body_names *names) {
    carom_verdict v = {.colour = CAROM_COLOUR_RED, .step = -1, .time = info->time};
    carom_rule worst = CAROM_RULE_COUNT;
    int others = 0;
    carom_colour found = worst_finding(info, &worst, &others);
    bool stopped = info->end_text[0] != '\0' && !was_asked_to_end(info);
    if (found == CAROM_COLOUR_RED || (found == CAROM_COLOUR_AMBER && !stopped)) {
        v = tell_finding(info, worst, names);
        tell_others(others, &v);
    } else if (stopped) {
        tell_stopped(info, &v);
    } else if (!info->finished) {
        tell_unfinished(info, &v);
    } else {
        tell_green(info, &v);
    }
    return v;
}

carom_verdict carom_recording_verdict(const carom_recording_info *info, const carom_recording *names) {
    return evaluate(info, &(body_names){.recording = names});
}

carom_verdict carom_run_verdict(const carom_recording_info *info, const carom_model *model) {
    return evaluate(info, &(body_names){.model = model});
}
