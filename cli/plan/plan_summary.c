// SPDX-License-Identifier: MIT
#include "plan/plan_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"
#include "run/run_summary.h"
#include "verb/verb.h"

int read_plan_summary(const char *path, plan_summary *out) {
    *out = (plan_summary){.path = path};
    carom_error error;
    carom_status status = carom_recording_open(path, &out->recording, &error);
    if (status == CAROM_OK) status = carom_recording_get_info(out->recording, &out->info, &error);
    if (status != CAROM_OK) return refuse_error(&error);
    out->plan = carom_recording_plan(out->recording);
    out->verdict = carom_recording_verdict(&out->info, out->recording);
    return EXIT_GOOD;
}

void free_plan_summary(plan_summary *summary) {
    carom_recording_close(summary->recording);
    free(summary->report);
    *summary = (plan_summary){.path = NULL};
}

// ---- for a person

static void line(FILE *to, const char *label, const char *format, ...) CAROM_PRINTF_LIKE(3, 4);

static void line(FILE *to, const char *label, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(to, "  %-11s", label);
    vfprintf(to, format, arguments);
    fputc('\n', to);
    va_end(arguments);
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static void print_outcome(FILE *to, const plan_summary *s) {
    const carom_plan_data *plan = s->plan;
    static const char *const texts[CAROM_PLAN_OUTCOME_COUNT] = {
        [CAROM_PLAN_UNFINISHED] = "unfinished: carom plan --resume goes on with it",
        [CAROM_PLAN_SOLVED] = "solved: a strict local optimum",
        [CAROM_PLAN_FEASIBLE] = "feasible: keeps all rows, not proven to be a local optimum",
        [CAROM_PLAN_IMPOSSIBLE] = "impossible: no motion near by keeps all rows",
        [CAROM_PLAN_STUCK] = "stuck: the solver ended without a plan"};
    line(to, "outcome", "%s", texts[plan->outcome]);
    if (plan->reason[0] == '\0') return;
    fprintf(to, "  %-11s", "");
    print_wrapped(to, 13, plan->reason);
}

// One to compare with; nothing without a number.
static void print_other_effort(FILE *to, const char *whose, double effort, double own) {
    if (!(effort > 0.0)) return;
    fprintf(to, "  %-11s%.6g %s", "", effort, whose);
    if (own > 0.0) fprintf(to, ", %.4g times as much", effort / own);
    fputc('\n', to);
}

static void print_effort(FILE *to, const carom_plan_certificate *c) {
    line(to, "effort", "%.6g N^2 s", c->effort);
    print_other_effort(to, "for the motion of the guess, by forces of least norm", c->guess_effort, c->effort);
    print_other_effort(to, "for that motion by the recursion", c->recursion_effort, c->effort);
    print_other_effort(to, "with half the intervals", c->coarse_effort, c->effort);
}

static void print_certificate(FILE *to, const carom_plan_certificate *c) {
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count);
    for (int i = 0, told = 0; i < count; i++) {
        double value = carom_plan_line_value(&lines[i], c), bound = carom_plan_line_bound(&lines[i], c);
        if (isinf(lines[i].bound) || isinf(value)) continue;
        bool keeps = carom_plan_line_keeps(&lines[i], c);
        fprintf(to, "  %-11s%-24s%12.4g %-4s%s %-12.6g %s\n", told++ == 0 ? "certified" : "", lines[i].label, value,
                lines[i].unit, lines[i].is_gap ? ">=" : "<=", bound,
                keeps               ? "kept"
                : lines[i].contract ? "BROKEN"
                                    : "missed");
    }
    line(to, "replay", "at 1/16 of the steps the simulator ends %.2g of a body's size or rad off", c->replay_fine);
}

static void print_name(FILE *to, const plan_summary *s, carom_body body) {
    const char *name = carom_recording_body_name(s->recording, body.index);
    if (name[0] == '\0') {
        fprintf(to, "body %d", body.index);
        return;
    }
    fputc('\'', to);
    print_clean(to, name);
    fputc('\'', to);
}

static double length(carom_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// Vertices that do not touch have impulses as small as the solver leaves them.
static const double negligible = 1e-6;

// The impulses of one contact at its node come one after the other: `count` of them, of which their sum is told.
static void print_contact(FILE *to, const plan_summary *s, const carom_plan_impulse *impulse, int count) {
    carom_vec3 sum = {0.0, 0.0, 0.0};
    double largest = 0.0;
    int points = 0;
    for (int i = 0; i < count; i++) {
        carom_vec3 j = impulse[i].impulse;
        sum = (carom_vec3){sum.x + j.x, sum.y + j.y, sum.z + j.z};
        largest = fmax(largest, length(j));
    }
    for (int i = 0; i < count; i++) points += length(impulse[i].impulse) > negligible * largest;
    fprintf(to, "  %-11snode %d, t = %.6g s: ", "contact", impulse->node, s->plan->time[impulse->node]);
    print_name(to, s, impulse->a);
    fputs(" and ", to);
    print_name(to, s, impulse->b);
    fprintf(to, " exchange %.4g N s at %d point%s\n", length(sum), points, plural(points));
}

static void print_contacts(FILE *to, const plan_summary *s) {
    const carom_plan_data *plan = s->plan;
    for (int i = 0, end; i < plan->impulse_count; i = end) {
        const carom_plan_impulse *first = &plan->impulse[i];
        for (end = i; end < plan->impulse_count; end++)
            if (plan->impulse[end].node != first->node || plan->impulse[end].contact != first->contact) break;
        print_contact(to, s, first, end - i);
    }
}

static void print_solves(FILE *to, const carom_plan_data *plan) {
    if (plan->solve_count == 0) return;
    fprintf(to, "  %-11s%5s %5s %9s  %-10s %10s %12s %9s %10s\n", "solves", "start", "level", "intervals", "outcome",
            "iterations", "effort", "rows", "time");
    for (int i = 0; i < plan->solve_count; i++) {
        const carom_plan_solve *solve = &plan->solve[i];
        char time[SHOWN_TIME];
        fprintf(to, "  %-11s%5d %5d %9d  %-10s %10d %12.6g %9.1e %10s\n", "", solve->start + 1, solve->level + 1,
                solve->intervals, carom_plan_outcome_name(solve->outcome), solve->iterations, solve->effort,
                solve->violation, show_time(solve->seconds, time));
    }
}

void print_plan_summary(FILE *to, const plan_summary *s) {
    const carom_plan_data *plan = s->plan;
    if (plan->interval_count > 0)
        line(to, "plan", "%d intervals, %.6g s, %d number%s of %d control%s in each", plan->interval_count,
             plan->time[plan->interval_count], plan->number_count, plural(plan->number_count), plan->control_count,
             plural(plan->control_count));
    print_outcome(to, s);
    if (plan->interval_count > 0) {
        print_effort(to, &plan->certificate);
        print_certificate(to, &plan->certificate);
        print_contacts(to, s);
    }
    print_solves(to, plan);
    line(to, "hash", "%016" PRIx64, s->info.hash);
    fprintf(to, "  %-11s", "recording");
    print_clean(to, s->path);
    fprintf(to, " (%" PRId64 " frame%s)\n", s->info.frame_count, plural((int)s->info.frame_count));
    if (s->report != NULL) {
        fprintf(to, "  %-11s", "report");
        print_clean(to, s->report);
        fputc('\n', to);
    }
    fprintf(to, "  %-11s%s: ", "verdict", carom_colour_name(s->verdict.colour));
    print_coloured(to, wants_colour(to), s->verdict.colour, s->verdict.sentence);
    fputc('\n', to);
}

// ---- before it is solved

void print_plan_line(FILE *to, const carom_scene *scene, const carom_plan *plan) {
    const carom_plan_def *def = carom_scene_plan(scene);
    carom_plan_extent extent = carom_plan_get_extent(plan);
    fprintf(to,
            "  %-11s%d intervals over %s%.6g s, %d control%s of %d number%s, %d condition%s; %d unknowns and %d rows\n",
            "plan", def->intervals, def->time_free ? "some " : "", def->time, def->control_count,
            plural(def->control_count), extent.numbers, plural(extent.numbers), def->condition_count,
            plural(def->condition_count), extent.unknowns, extent.rows);
}
