// SPDX-License-Identifier: MIT
#include "run/run_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "base/json.h"
#include "base/text.h"
#include "plan/plan_replay.h"
#include "run/flexible_list.h"
#include "run/scene_input.h"
#include "run/summary_items.h"
#include "verb/verb.h"

int read_summary(const char *path, run_summary *out) {
    *out = (run_summary){.path = path};
    carom_error error;
    carom_recording *recording = NULL;
    carom_status status = carom_recording_open(path, &recording, &error);
    if (status == CAROM_OK) status = carom_recording_get_info(recording, &out->info, &error);
    if (status == CAROM_OK) {
        out->verdict = carom_recording_verdict(&out->info, recording);
        for (int r = 0; r < CAROM_RULE_COUNT; r++)
            out->finding[r] = carom_recording_finding(&out->info, (carom_rule)r, recording);
        out->first_broken_time = out->finding[CAROM_RULE_BROKEN_STEPS].time;
        out->has_plan_end =
            out->info.replayed && plan_replay_difference(recording, &out->plan_distance, &out->plan_angle);
        out->confirmed_time = out->finding[CAROM_RULE_UNCONFIRMED].time;
    }
    carom_recording_close(recording);
    if (status != CAROM_OK) return refuse_error(&error);
    out->ending = out->info.finished ? RUN_FINISHED : out->info.end_text[0] != '\0' ? RUN_STOPPED : RUN_UNFINISHED;
    return EXIT_GOOD;
}

int exit_code_of(carom_colour colour, bool strict) {
    bool good = colour == CAROM_COLOUR_GREEN || (colour == CAROM_COLOUR_AMBER && !strict);
    return good ? EXIT_GOOD : EXIT_NOT_TRUSTWORTHY;
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

void print_coloured(FILE *to, bool with_colour, carom_colour colour, const char *text) {
    static const char *const escape[] = {
        [CAROM_COLOUR_GREEN] = "\033[32m", [CAROM_COLOUR_AMBER] = "\033[33m", [CAROM_COLOUR_RED] = "\033[31m"};
    if (with_colour) fputs(escape[colour], to);
    print_clean(to, text);
    if (with_colour) fputs("\033[0m", to);
}

// A line in green, amber or red, where there is colour; it says in words what the colour says.
static void coloured(const page *p, const char *label, carom_colour colour, const char *text) {
    fprintf(p->to, "  %-11s", label);
    print_coloured(p->to, p->colour, colour, text);
    fputc('\n', p->to);
}

static void print_wall_time(const page *p, const run_summary *s) {
    if (s->steps_made <= 0) return;
    char wall[SHOWN_TIME], each[SHOWN_TIME];
    show_time(s->wall_seconds, wall);
    show_time(s->step_seconds / (double)s->steps_made, each);
    line(p, "wall time", "%s for %" PRId64 " step%s: %s a step, %.3g simulated s per s", wall, s->steps_made,
         s->steps_made == 1 ? "" : "s", each, s->time_made / fmax(s->step_seconds, 1e-9));
}

static void print_energy(const page *p, const carom_recording_info *info) {
    const carom_summary *summary = &info->summary;
    double scale = carom_summary_energy_scale(summary), drift = summary->last_energy - summary->first_energy;
    if (scale > 0.0)
        line(p, "energy", "%.6g J at first; of its scale of %.3g J it changed by %.1e at the end and %.1e at most",
             summary->first_energy, scale, drift / scale, summary->largest_energy_change / scale);
    else
        line(p, "energy", "%.6g J at first, changed by %.1e J at the end and %.1e J at most", summary->first_energy,
             drift, summary->largest_energy_change);
}

// The lines of the ledger over the whole run, but for those of rounding.
static void print_ledger(const page *p, const carom_summary *summary) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    double largest = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        const char *separator = "  ledger     ";
        for (int q = 0; q < count; q++) {
            if (!quantities[q].summed) continue;
            double sum = carom_summary_get(summary, &quantities[q].summary[0], 0);
            if (pass == 0) largest = fmax(largest, fabs(sum));
            if (pass == 0 || !(fabs(sum) > 1e-12 * largest)) continue;
            fprintf(p->to, "%s%s %+.3g", separator, quantities[q].series, sum);
            separator = ", ";
        }
        if (pass == 1 && largest > 0.0) fputs(" J\n", p->to);
    }
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

static void print_contract(const page *p, const run_summary *s) {
    const carom_summary *summary = &s->info.summary;
    char text[192];
    if (summary->divided_steps > 0)
        line(p, "divided", "%" PRId64 " step%s into %" PRId64 " substeps at most: %s", summary->divided_steps,
             summary->divided_steps == 1 ? "" : "s", summary->most_substeps,
             s->info.collision_count > 0 ? "collisions cut them"
                                         : "for groups in contact, or as whole they had no solution");
    if (summary->missed_steps > 0) {
        carom_colour often = s->finding[CAROM_RULE_MISSED_STEPS].colour;
        carom_colour far = s->finding[CAROM_RULE_MISSED_RESIDUAL].colour;
        snprintf(text, sizeof text, "missed in %" PRId64 " of %" PRId64 " steps, by %.3g times at most",
                 summary->missed_steps, s->info.step_count, summary->finding[CAROM_RULE_MISSED_RESIDUAL].value);
        coloured(p, "tolerance", often > far ? often : far, text);
    }
    if (summary->broken_steps == 0) {
        coloured(p, "contract", CAROM_COLOUR_GREEN, "kept in every step");
        return;
    }
    carom_colour colour = s->finding[CAROM_RULE_BROKEN_STEPS].colour;
    snprintf(text, sizeof text, "BROKEN in %" PRId64 " of %" PRId64 " steps, first in step %" PRId64 " (t = %.6g s)",
             summary->broken_steps, s->info.step_count, summary->first_broken_step, s->first_broken_time);
    coloured(p, "contract", colour, text);
    coloured(p, "", colour, summary->first_broken_text);
}

static void print_ending(const page *p, const run_summary *s) {
    char text[sizeof s->info.end_text + 16];
    snprintf(text, sizeof text, "early: %s", s->info.end_text);
    if (s->ending == RUN_FINISHED) return;
    coloured(p, "ended", s->verdict.colour,
             s->ending == RUN_UNFINISHED    ? "not finished: killed, or still running"
             : s->ending == RUN_INTERRUPTED ? "interrupted after a whole step"
                                            : text);
}

static void print_confirmation(const page *p, const run_summary *s) {
    const carom_finding *finding = &s->info.summary.finding[CAROM_RULE_UNCONFIRMED];
    if (finding->step < 0) return;
    line(p, "half step", "differs by %.2g times 2 %% of way, size and energy at t = %.6g s", finding->value,
         s->confirmed_time);
}

// The verdict, and below it what else was found.
static void print_verdict(const page *p, const run_summary *s) {
    char text[sizeof s->verdict.sentence + 16];
    bool told = false; // the first of the verdict's colour is in its own sentence
    snprintf(text, sizeof text, "%s: %s", carom_colour_name(s->verdict.colour), s->verdict.sentence);
    coloured(p, "verdict", s->verdict.colour, text);
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        const carom_verdict *one = &s->finding[r];
        if (one->colour == CAROM_COLOUR_GREEN) continue;
        if (!told && one->colour == s->verdict.colour) {
            told = true;
            continue;
        }
        snprintf(text, sizeof text, "%s: %s", carom_colour_name(one->colour), one->sentence);
        coloured(p, "", one->colour, text);
    }
}

// The recording's flexible bodies, which are whole or, after a sentence, none. Close the recording behind the list.
static flexible_list list_flexible(const run_summary *s, carom_recording **recording) {
    flexible_list list = {.count = 0};
    *recording = NULL;
    if (s->info.flex_count == 0 || carom_recording_open(s->path, recording, NULL) != CAROM_OK) return list;
    if (list_recorded_flexible(*recording, &list) == EXIT_GOOD) return list;
    free_flexible(&list);
    return (flexible_list){.count = 0};
}

// Nodes of flexible bodies are not listed as bodies, but with these.
static void print_method(const page *p, const run_summary *s) {
    const carom_recording_info *info = &s->info;
    carom_recording *recording;
    flexible_list list = list_flexible(s, &recording);
    int bodies = info->body_count - list.nodes;
    char pieces[64] = "", flexible[64] = "";
    if (info->piece_count > 0)
        snprintf(pieces, sizeof pieces, " after %d piece%s of time with other steps", info->piece_count,
                 info->piece_count == 1 ? "" : "s");
    if (list.count > 0)
        snprintf(flexible, sizeof flexible, ", %d flexible one%s of %d nodes", list.count, list.count == 1 ? "" : "s",
                 list.nodes);
    line(p, "method", "%s, step %.6g s%s, %d bod%s%s", info->method, info->step, pieces, bodies,
         bodies == 1 ? "y" : "ies", flexible);
    print_flexible(p->to, "  ", "flexible", &list);
    free_flexible(&list);
    carom_recording_close(recording);
}

void print_summary(FILE *to, const run_summary *s) {
    const page p = {to, wants_colour(to)};
    const carom_recording_info *info = &s->info;
    print_method(&p, s);
    if (s->stable_step > 0.0)
        line(&p, "stable", "up to a step of %.4g s, for the springs where they begin", s->stable_step);
    line(&p, "steps", "%" PRId64 " to t = %.9g s of %.9g s", info->step_count, info->time, info->until);
    print_wall_time(&p, s);
    print_energy(&p, info);
    print_ledger(&p, &info->summary);
    line(&p, "momentum", "balance %.1e at most", info->summary.largest_momentum_balance);
    if (info->joint_count > 0)
        line(&p, "joints", "%d, open by %.1e of the system's size or rad at most", info->joint_count,
             info->summary.largest_joint_drift);
    if (info->summary.most_iterations > 0)
        line(&p, "residual", "%.1e at most, in %" PRId64 " iteration%s at most%s", info->summary.largest_residual,
             info->summary.most_iterations, info->summary.most_iterations == 1 ? "" : "s",
             info->summary.unbounded_residual ? "; none is promised" : "");
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
    if (info->collisions)
        line(&p, "collisions", "%" PRId64 "; their times are in the table of collisions", info->collision_count);
    if (s->has_plan_end)
        line(&p, "plan", "ends %.3g m and %.3g rad from the plan whose controls it has", s->plan_distance,
             s->plan_angle);
    else if (info->replayed)
        line(&p, "plan", "has the controls of a plan, whose end it has not come to");
    print_contract(&p, s);
    print_ending(&p, s);
    print_confirmation(&p, s);
    line(&p, "hash", "%016" PRIx64, info->hash);
    fprintf(to, "  %-11s", "recording");
    print_clean(to, s->path);
    fprintf(to, " (%" PRId64 " frame%s)\n", info->frame_count, info->frame_count == 1 ? "" : "s");
    if (s->report != NULL) {
        fprintf(to, "  %-11s", "report");
        print_clean(to, s->report);
        fputc('\n', to);
    }
    print_verdict(&p, s);
}

// ---- for a program

// Null where there is none.
static void put_place(jsonl_writer *json, const char *key, int64_t place) {
    if (place >= 0)
        jsonl_int(json, key, place);
    else
        jsonl_null(json, key);
}

static void put_finding(jsonl_writer *json, carom_rule rule, const carom_finding *finding, const carom_verdict *told) {
    const carom_rule_def *def = carom_rule_get(rule);
    jsonl_open(json, NULL);
    jsonl_text(json, "rule", def->name);
    jsonl_number(json, "value", finding->value);
    jsonl_text(json, "colour", carom_colour_name(told->colour));
    jsonl_number(json, "amber", def->amber);
    jsonl_number(json, "red", def->red);
    put_place(json, "body", finding->body);
    put_place(json, "other", finding->other);
    put_place(json, "step", finding->step);
    jsonl_text(json, "text", told->sentence);
    jsonl_close(json);
}

void put_verdict(jsonl_writer *json, const carom_verdict *verdict, const carom_recording_info *info,
                 const carom_verdict finding[CAROM_RULE_COUNT]) {
    jsonl_text(json, "verdict", carom_colour_name(verdict->colour));
    jsonl_text(json, "verdict_text", verdict->sentence);
    jsonl_open_list(json, "findings");
    for (int r = 0; r < CAROM_RULE_COUNT; r++)
        if (finding[r].colour != CAROM_COLOUR_GREEN)
            put_finding(json, (carom_rule)r, &info->summary.finding[r], &finding[r]);
    jsonl_close_list(json);
}

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

// What `check` says of the scene.
static void put_warnings(jsonl_writer *json, const carom_scene_messages *warnings) {
    if (warnings == NULL) return;
    jsonl_open_list(json, "warnings");
    for (int i = 0; i < warnings->count; i++) {
        jsonl_open(json, NULL);
        put_scene_message(json, &warnings->message[i]);
        jsonl_close(json);
    }
    jsonl_close_list(json);
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
    if (info->piece_count > 0) jsonl_int(&json, "step_pieces", info->piece_count);
    jsonl_int(&json, "bodies", info->body_count);
    carom_recording *recording;
    flexible_list list = list_flexible(s, &recording);
    if (list.count > 0) put_flexible(&json, &list);
    free_flexible(&list);
    carom_recording_close(recording);
    jsonl_int(&json, "joints", info->joint_count);
    jsonl_int(&json, "shapes", info->shape_count);
    jsonl_bool(&json, "contacts_recorded", info->contacts);
    jsonl_int(&json, "frames", info->frame_count);
    if (info->collisions)
        jsonl_int(&json, "collisions", info->collision_count);
    else
        jsonl_null(&json, "collisions");
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
    jsonl_number(&json, "energy_scale", carom_summary_energy_scale(&info->summary));
    jsonl_int(&json, "missed_steps", info->summary.missed_steps);
    if (s->has_plan_end) {
        jsonl_number(&json, "plan_distance", s->plan_distance);
        jsonl_number(&json, "plan_angle", s->plan_angle);
    }
    const carom_finding *confirmed = &info->summary.finding[CAROM_RULE_UNCONFIRMED];
    if (confirmed->step >= 0)
        jsonl_number(&json, "half_step_difference", confirmed->value);
    else
        jsonl_null(&json, "half_step_difference");
    jsonl_int(&json, "broken_steps", info->summary.broken_steps);
    if (info->summary.broken_steps > 0)
        jsonl_int(&json, "first_broken_step", info->summary.first_broken_step);
    else
        jsonl_null(&json, "first_broken_step");
    jsonl_text(&json, "first_broken_text", info->summary.first_broken_text);
    jsonl_hash(&json, "hash", info->hash);
    put_warnings(&json, s->warnings);
    put_start(&json, s->start);
    if (s->stable_step > 0.0) jsonl_number(&json, "stable_step", s->stable_step);
    put_verdict(&json, &s->verdict, info, s->finding);
    if (s->report != NULL)
        jsonl_text(&json, "report", s->report);
    else
        jsonl_null(&json, "report");
    jsonl_end(&json);
}
