// SPDX-License-Identifier: MIT
// Two recordings side by side, for a person with a hundred columns.
#include <inttypes.h>

#include "base/text.h"
#include "compare/compare_runs.h"
#include "run/run_summary.h"

static const char *plural(int64_t count) {
    return count == 1 ? "" : "s";
}

static void label(FILE *to, const char *text) {
    fprintf(to, "  %-14s", text);
}

static void print_run(FILE *to, const char *name, const run_side *side) {
    const carom_recording_info *info = &side->info;
    label(to, name);
    print_clean(to, side->path);
    fprintf(to, "\n%16s%s, step %.6g s, %d bod%s, %" PRId64 " frame%s, %" PRId64 " step%s to t = %.9g s%s\n", "",
            info->method, info->step, info->body_count, info->body_count == 1 ? "y" : "ies", info->frame_count,
            plural(info->frame_count), info->step_count, plural(info->step_count), info->time,
            info->finished ? "" : ", not finished");
    carom_verdict verdict = carom_recording_verdict(info, side->recording);
    fprintf(to, "%16s", "");
    print_coloured(to, wants_colour(to), verdict.colour, carom_colour_name(verdict.colour));
    fputs(": ", to);
    print_wrapped(to, 16, verdict.sentence);
}

static void print_scenes(FILE *to, const runs_comparison *c) {
    label(to, "scenes");
    if (c->scene_line == 0) {
        fputs("the same\n", to);
        return;
    }
    fprintf(to, "differ, first in line %d:\n", c->scene_line);
    for (int i = 0; i < 2; i++) {
        fprintf(to, "%16s%s  ", "", i == 0 ? "a" : "b");
        print_clean(to, c->side[i].scene_excerpt[0] != '\0' ? c->side[i].scene_excerpt : "(nothing)");
        fputc('\n', to);
    }
}

static void print_compared(FILE *to, const runs_comparison *c) {
    label(to, "frames");
    fprintf(to, "%" PRId64 " at the same times, %" PRId64 " only in a, %" PRId64 " only in b\n", c->frames,
            c->side[0].frames_alone, c->side[1].frames_alone);
    label(to, "certificates");
    if (c->certificates > 0)
        fprintf(to, "%" PRId64 " steps compared\n", c->certificates);
    else
        fputs("not compared: the runs have steps of different lengths\n", to);
}

static void print_body(FILE *to, const runs_comparison *c, int body) {
    const char *name = carom_recording_body_name(c->side[0].recording, body);
    if (name[0] == '\0') {
        fprintf(to, "body %d", body);
        return;
    }
    fputs("body '", to);
    print_clean(to, name);
    fputc('\'', to);
}

static void print_first(FILE *to, const runs_comparison *c) {
    if (c->certificate_differs) {
        label(to, "first step");
        fprintf(to, "%" PRId64 ": %s %.9g %s in a, differs by %.3g in b\n", c->certificate_step,
                c->certificate_quantity, c->certificate_value[0], c->certificate_unit,
                c->certificate_value[1] - c->certificate_value[0]);
    }
    if (c->frame_differs) {
        label(to, "first frame");
        fprintf(to, "%" PRId64 " of a, step %" PRId64 " (t = %.6g s): %s of ", c->frame, c->frame_step, c->frame_time,
                quantity_names[c->frame_quantity]);
        print_body(to, c, c->frame_body);
        fprintf(to, " by %.3g %s\n", c->frame_difference, quantity_units[c->frame_quantity]);
    }
}

static void print_largest(FILE *to, const runs_comparison *c) {
    const char *title = "largest";
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (!(c->spread.largest[i] > 0.0)) continue;
        label(to, title);
        fprintf(to, "%s %.3g %s (", quantity_names[i], c->spread.largest[i], quantity_units[i]);
        print_body(to, c, c->spread.body[i]);
        fprintf(to, " at t = %.6g s)\n", c->spread.time[i]);
        title = "";
    }
}

static void print_verdict(FILE *to, const runs_comparison *c) {
    bool colour = wants_colour(to);
    label(to, "verdict");
    if (colour) fputs(c->agree ? "\033[32m" : "\033[31m", to);
    if (c->identical)
        fputs("identical to the bit", to);
    else if (c->agree && c->tolerance > 0.0)
        fprintf(to, "the same within the tolerance of %g", c->tolerance);
    else if (c->agree)
        fputs("the same wherever they can be compared", to);
    else if (!c->same_end && !c->frame_differs && !c->certificate_differs && c->bodies_text[0] == '\0')
        fputs("the same as far as both go, but one ends earlier", to);
    else
        fputs("differing", to);
    fprintf(to, "%s\n", colour ? "\033[0m" : "");
}

void print_runs_text(FILE *to, const runs_comparison *c) {
    print_run(to, "a", &c->side[0]);
    print_run(to, "b", &c->side[1]);
    print_scenes(to, c);
    if (c->bodies_text[0] != '\0') {
        label(to, "bodies");
        print_clean(to, c->bodies_text);
        fputc('\n', to);
    } else {
        print_compared(to, c);
        print_first(to, c);
        print_largest(to, c);
    }
    label(to, "hashes");
    fprintf(to, "%016" PRIx64 " and %016" PRIx64 "\n", c->side[0].info.hash, c->side[1].info.hash);
    print_verdict(to, c);
}
