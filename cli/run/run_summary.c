// SPDX-License-Identifier: MIT
#include "run/run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "base/json.h"
#include "base/text.h"
#include "run/summary_items.h"
#include "verb/verb.h"

int read_summary(const char *path, run_summary *out) {
    *out = (run_summary){.path = path};
    carom_error error;
    carom_recording *recording = NULL;
    carom_status status = carom_recording_open(path, &recording, &error);
    if (status == CAROM_OK) status = carom_recording_get_info(recording, &out->info, &error);
    if (status == CAROM_OK) out->verdict = carom_recording_verdict(&out->info, recording);
    carom_recording_close(recording);
    if (status != CAROM_OK) return refuse_error(&error);
    out->ending = out->info.finished ? RUN_FINISHED : out->info.end_text[0] != '\0' ? RUN_STOPPED : RUN_UNFINISHED;
    return EXIT_GOOD;
}

// ---- for a person

typedef struct page {
    FILE *to;
    bool colour;
} page;

static void line(const page *p, const char *label, const char *format, ...) CAROM_PRINTF_LIKE(3, 4);

static void line(const page *p, const char *label, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(p->to, "  %-11s", label);
    vfprintf(p->to, format, arguments);
    fputc('\n', p->to);
    va_end(arguments);
}

// A line in green, amber or red, where there is colour; it says in words what the colour says.
static void verdict(const page *p, const char *label, carom_colour colour, const char *text, const char *more) {
    static const char *const escape[] = {
        [CAROM_COLOUR_GREEN] = "\033[32m", [CAROM_COLOUR_AMBER] = "\033[33m", [CAROM_COLOUR_RED] = "\033[31m"};
    fprintf(p->to, "  %-11s%s", label, p->colour ? escape[colour] : "");
    fputs(text, p->to);
    print_clean(p->to, more);
    fprintf(p->to, "%s\n", p->colour ? "\033[0m" : "");
}

static void print_wall_time(const page *p, const run_summary *s) {
    if (s->steps_made <= 0) return;
    char wall[SHOWN_TIME], each[SHOWN_TIME];
    double simulated = (double)s->steps_made * s->info.step;
    show_time(s->wall_seconds, wall);
    show_time(s->step_seconds / (double)s->steps_made, each);
    line(p, "wall time", "%s for %" PRId64 " step%s: %s a step, %.3g simulated s per s", wall, s->steps_made,
         s->steps_made == 1 ? "" : "s", each, simulated / fmax(s->step_seconds, 1e-9));
}

static void print_energy(const page *p, const carom_recording_info *info) {
    double scale = fabs(info->summary.first_energy);
    double drift = info->summary.last_energy - info->summary.first_energy;
    if (scale > 0.0)
        line(p, "energy", "%.6g J at first, changed by %.1e of it at the end and %.1e at most",
             info->summary.first_energy, drift / scale, info->summary.largest_energy_change / scale);
    else
        line(p, "energy", "0 J at first, %.1e J at the end, changed by %.1e J at most", info->summary.last_energy,
             info->summary.largest_energy_change);
}

// Of methods that tell what they add; of the others all of it is zero.
static void print_projection(const page *p, const carom_recording_info *info) {
    const carom_vec3 moment = info->summary.projection_momentum_sum;
    bool projects = info->summary.largest_projection_energy != 0.0 || info->summary.largest_projection_momentum != 0.0;
    bool impacts = info->summary.impact_energy_sum != 0.0 || info->summary.largest_impact_energy != 0.0;
    if (projects)
        line(p, "projection", "adds %.1e J and %.1e kg m^2/s in all; impacts add %.1e J",
             info->summary.projection_energy_sum, hypot(hypot(moment.x, moment.y), moment.z),
             info->summary.impact_energy_sum);
    else if (impacts)
        line(p, "impacts", "add %.1e J in all", info->summary.impact_energy_sum);
}

static void print_verdict(const page *p, const run_summary *s) {
    const carom_recording_info *info = &s->info;
    char text[128];
    if (info->summary.divided_steps > 0) {
        snprintf(text, sizeof text,
                 "%" PRId64 " step%s into %" PRId64 " substeps at most: whole they had no solution or were unstable",
                 info->summary.divided_steps, info->summary.divided_steps == 1 ? "" : "s", info->summary.most_substeps);
        verdict(p, "divided", CAROM_COLOUR_AMBER, text, "");
    }
    if (info->summary.broken_steps == 0) {
        verdict(p, "contract", CAROM_COLOUR_GREEN, "kept in every step", "");
    } else {
        snprintf(text, sizeof text,
                 "BROKEN in %" PRId64 " of %" PRId64 " steps, first in step %" PRId64 " (t = %.6g s)",
                 info->summary.broken_steps, info->step_count, info->summary.first_broken_step,
                 (double)info->summary.first_broken_step * info->step);
        verdict(p, "contract", CAROM_COLOUR_RED, text, "");
        verdict(p, "", CAROM_COLOUR_RED, "", info->summary.first_broken_text);
    }
    switch (s->ending) {
    case RUN_FINISHED:
        break;
    case RUN_UNFINISHED:
        verdict(p, "ended", s->verdict.colour, "not finished: killed, or still running", "");
        break;
    case RUN_INTERRUPTED:
        verdict(p, "ended", s->verdict.colour, "interrupted after a whole step", "");
        break;
    case RUN_STOPPED:
        verdict(p, "ended", s->verdict.colour, "early: ", info->end_text);
        break;
    }
}

void print_summary(FILE *to, const run_summary *s) {
    const page p = {to, wants_colour(to)};
    const carom_recording_info *info = &s->info;
    line(&p, "method", "%s, step %.6g s, %d bod%s", info->method, info->step, info->body_count,
         info->body_count == 1 ? "y" : "ies");
    line(&p, "steps", "%" PRId64 " to t = %.9g s of %.9g s", info->step_count, info->time, info->until);
    print_wall_time(&p, s);
    print_energy(&p, info);
    line(&p, "momentum", "balance %.1e at most", info->summary.largest_momentum_balance);
    if (info->joint_count > 0)
        line(&p, "joints", "%d, open by %.1e of the system's size or rad at most", info->joint_count,
             info->summary.largest_joint_drift);
    if (info->summary.most_iterations > 0)
        line(&p, "residual", "%.1e at most, in %" PRId64 " iteration%s at most", info->summary.largest_residual,
             info->summary.most_iterations, info->summary.most_iterations == 1 ? "" : "s");
    else
        line(&p, "residual", "no equations to solve");
    if (info->summary.most_contacts > 0) {
        line(&p, "contacts", "%" PRId64 " at most; overlaps of %.1e of a body's size at most, %.1e as a mean",
             info->summary.most_contacts, info->summary.largest_infeasibility, mean_infeasibility(&info->summary));
        line(&p, "friction", "adds %.1e J in a step at most; %" PRId64 " step%s solved by a fallback",
             info->summary.largest_friction_work, info->summary.fallback_steps,
             info->summary.fallback_steps == 1 ? "" : "s");
        print_projection(&p, info);
    }
    print_verdict(&p, s);
    line(&p, "hash", "%016" PRIx64, info->hash);
    fprintf(to, "  %-11s", "recording");
    print_clean(to, s->path);
    fprintf(to, " (%" PRId64 " frame%s)\n", info->frame_count, info->frame_count == 1 ? "" : "s");
    if (s->report == NULL) return;
    fprintf(to, "  %-11s", "report");
    print_clean(to, s->report);
    fputc('\n', to);
}

// ---- for a program

// Bodies that overlapped at the start.
static void put_start(jsonl_writer *json, const carom_start_report *start) {
    if (start == NULL) return;
    jsonl_int(json, "start_overlapping_pairs", start->pairs);
    jsonl_number(json, "start_overlap", start->overlap);
    jsonl_number(json, "start_moved", start->moved);
    jsonl_number(json, "start_rotated", start->rotated);
    jsonl_number(json, "start_overlap_left", start->left_overlap);
    jsonl_text(json, "start_text", start->text);
}

void print_summary_object(FILE *to, const run_summary *s) {
    static const char *const endings[] = {[RUN_FINISHED] = "finished",
                                          [RUN_UNFINISHED] = "unfinished",
                                          [RUN_INTERRUPTED] = "interrupted",
                                          [RUN_STOPPED] = "stopped"};
    const carom_recording_info *info = &s->info;
    jsonl_writer json = jsonl_begin(to);
    jsonl_text(&json, "recording", s->path);
    jsonl_int(&json, "format", info->format);
    jsonl_text(&json, "version", info->version);
    jsonl_text(&json, "method", info->method);
    jsonl_number(&json, "step", info->step);
    jsonl_int(&json, "bodies", info->body_count);
    jsonl_int(&json, "joints", info->joint_count);
    jsonl_int(&json, "shapes", info->shape_count);
    jsonl_bool(&json, "contacts_recorded", info->contacts);
    jsonl_int(&json, "frames", info->frame_count);
    jsonl_text(&json, "ending", endings[s->ending]);
    jsonl_text(&json, "end_text", info->end_text);
    jsonl_int(&json, "steps", info->step_count);
    jsonl_number(&json, "time", info->time);
    jsonl_number(&json, "until", info->until);
    jsonl_int(&json, "steps_made", s->steps_made);
    jsonl_number(&json, "step_seconds", s->step_seconds);
    jsonl_number(&json, "wall_seconds", s->wall_seconds);
    jsonl_number(&json, "first_energy", info->summary.first_energy);
    jsonl_number(&json, "last_energy", info->summary.last_energy);
    jsonl_number(&json, "largest_energy_change", info->summary.largest_energy_change);
    put_summary_items(&json, &info->summary);
    jsonl_int(&json, "broken_steps", info->summary.broken_steps);
    if (info->summary.broken_steps > 0)
        jsonl_int(&json, "first_broken_step", info->summary.first_broken_step);
    else
        jsonl_null(&json, "first_broken_step");
    jsonl_text(&json, "first_broken_text", info->summary.first_broken_text);
    jsonl_hash(&json, "hash", info->hash);
    put_start(&json, s->start);
    jsonl_text(&json, "verdict", carom_colour_name(s->verdict.colour));
    jsonl_text(&json, "verdict_text", s->verdict.sentence);
    if (s->report != NULL)
        jsonl_text(&json, "report", s->report);
    else
        jsonl_null(&json, "report");
    jsonl_end(&json);
}
