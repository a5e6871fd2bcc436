// SPDX-License-Identifier: MIT
// The rule of verdicts, in one place: docs/report.md tells it to people.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "carom/report.h"

const char *carom_colour_name(carom_colour colour) {
    switch (colour) {
    case CAROM_COLOUR_GREEN:
        return "green";
    case CAROM_COLOUR_AMBER:
        return "amber";
    case CAROM_COLOUR_RED:
        return "red";
    }
    return "?";
}

// Overlaps beyond this share of the smaller body's size can be seen.
static const double large_infeasibility = 1e-2;

static bool was_asked_to_end(const carom_recording_info *info) {
    return strncmp(info->end_text, CAROM_END_ASKED, sizeof CAROM_END_ASKED - 1) == 0;
}

carom_verdict carom_recording_verdict(const carom_recording_info *info) {
    carom_verdict v = {.colour = CAROM_COLOUR_RED, .step = -1};
    if (info->summary.broken_steps > 0) {
        v.step = info->summary.first_broken_step;
        v.time = (double)info->summary.first_broken_step * info->step;
        snprintf(v.sentence, sizeof v.sentence,
                 "The contract broke in %" PRId64 " of %" PRId64 " steps, first in step %" PRId64 ": %s",
                 info->summary.broken_steps, info->step_count, info->summary.first_broken_step,
                 info->summary.first_broken_text);
        return v;
    }
    v.time = info->time;
    if (info->end_text[0] != '\0' && !was_asked_to_end(info)) {
        v.step = info->step_count;
        snprintf(v.sentence, sizeof v.sentence, "The run stopped at t = %.6g s: %s", info->time, info->end_text);
        return v;
    }
    v.colour = CAROM_COLOUR_AMBER;
    if (!info->finished) {
        v.step = info->step_count;
        snprintf(v.sentence, sizeof v.sentence,
                 "Every step kept its contract, but the run is not finished: it is at t = %.6g s of %.6g s%s%s",
                 info->time, info->until, info->end_text[0] != '\0' ? ", " : "", info->end_text);
    } else if (info->summary.divided_steps > 0) {
        snprintf(v.sentence, sizeof v.sentence,
                 "Every step kept its contract, but %" PRId64 " of %" PRId64 " had to be divided, into %" PRId64
                 " substeps at most: whole they had no solution or were unstable",
                 info->summary.divided_steps, info->step_count, info->summary.most_substeps);
    } else if (info->summary.largest_infeasibility > large_infeasibility) {
        snprintf(v.sentence, sizeof v.sentence,
                 "Every step kept its contract, but bodies overlap by up to %.1e of the smaller one's size",
                 info->summary.largest_infeasibility);
    } else {
        v.colour = CAROM_COLOUR_GREEN;
        snprintf(v.sentence, sizeof v.sentence, "Every step kept its contract");
    }
    return v;
}
