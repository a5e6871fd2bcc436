// SPDX-License-Identifier: MIT
// Two recordings: are they the same, where do they begin to differ, and how far do they go apart?
#ifndef CLI_COMPARE_RUNS_H
#define CLI_COMPARE_RUNS_H

#include <stdio.h>

#include "carom/record.h"
#include "compare/difference.h"
#include "compare/difference_curve.h"

enum { SCENE_EXCERPT = 64 };

typedef struct run_side {
    const char *path;
    carom_recording *recording;
    carom_recording_info info;
    carom_body_state *bodies;          // of the frame that is compared
    int64_t frames_alone;              // frames at times that the other run has none at
    char scene_excerpt[SCENE_EXCERPT]; // of the scene's text, where it begins to differ
} run_side;

typedef struct runs_comparison {
    run_side side[2];
    double tolerance;      // SI units
    int scene_line;        // the first that differs; 0: the same scene
    char bodies_text[256]; // why the bodies cannot be compared; empty: they can
    int64_t frames;        // that were compared
    spread spread;
    difference_curve curve; // at these frames
    // The first frame with more than the tolerance between its bodies, and of these the first.
    bool frame_differs;
    int64_t frame, frame_step; // of the first run
    double frame_time;         // s
    int frame_body;
    quantity frame_quantity;
    double frame_difference;
    // Certificates, compared where both runs have the same step.
    int64_t certificates;
    bool certificate_differs;
    int64_t certificate_step;
    char certificate_quantity[64];
    const char *certificate_unit;
    double certificate_value[2];
    // What it comes to.
    bool same_end;  // both reached the same time
    bool identical; // every frame, every certificate and the last state, to the bit
    bool agree;     // whatever was compared, and the end, within the tolerance
} runs_comparison;

// The exit code, after a sentence if there is nothing to report; to be freed in any case.
int compare_runs(runs_comparison *c, const char *a, const char *b, double tolerance);
void free_runs_comparison(runs_comparison *c);

void print_runs_text(FILE *to, const runs_comparison *c);
void print_runs_json(FILE *to, const runs_comparison *c);

#endif
