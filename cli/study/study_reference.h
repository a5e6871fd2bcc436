// SPDX-License-Identifier: MIT
// What runs of a study are measured against: another run, or a recording.
#ifndef CLI_STUDY_REFERENCE_H
#define CLI_STUDY_REFERENCE_H

#include "compare/difference.h"
#include "study/study.h"

typedef struct reference {
    char title[256];
    carom_body_state *bodies; // at the last common time that was read
    // Either a run,
    method_choice choice;
    course course;
    trial trial;
    // or a recording, with the number of the frame at each common time.
    carom_recording *recording;
    int64_t *frame;
} reference;

// `word` is a method with settings, by default with an eighth of the step `finest`, or the name of a recording. Also
// chooses the study's common times. The exit code, after a sentence if it is not EXIT_GOOD; to be ended in any case.
int begin_reference(reference *r, const char *word, study *s, double finest);
void end_reference(reference *r);

// Fills `bodies`; the exit code, after a sentence if it is not EXIT_GOOD.
int read_reference(reference *r, const study *s, int64_t index);

#endif
