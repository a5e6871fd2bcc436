// SPDX-License-Identifier: MIT
// A case run to its end by the public calls alone: what carom says of it, and every frame on the way for those who
// compute for themselves.
#ifndef TEST_VERDICT_FOLLOWED_RUN_H
#define TEST_VERDICT_FOLLOWED_RUN_H

#include "carom/carom.h"
#include "verdict/run/verdict_case.h"

typedef struct followed_run {
    carom_scene *scene; // NULL: it was refused
    const carom_model *model;
    const carom_method_def *method;
    bool refused;          // by the scene or by the state: nothing was run, `verdict` has the sentence
    bool ended_early;      // no further step could be made
    carom_verdict verdict; // as of the recording
    double seconds;        // of processor time for the steps
    int bodies, joints;
    int64_t frames;           // the first one is the state at the start
    carom_body_state *body;   // frames x bodies
    carom_joint_state *joint; // frames x joints
    int64_t *contact_end;     // (frames): the contacts of the step before this frame end here in `contact`
    carom_contact_state *contact;
} followed_run;

// `share` of the step that the case has: 1, or less to compare with. Without `recorded` there is no verdict.
followed_run follow(const verdict_case *c, double share, bool recorded);
void followed_run_free(followed_run *run);

static inline const carom_body_state *frame_of(const followed_run *run, int64_t frame) {
    return &run->body[frame * run->bodies];
}

static inline const carom_joint_state *joints_of(const followed_run *run, int64_t frame) {
    return &run->joint[frame * run->joints];
}

static inline const carom_contact_state *contacts_of(const followed_run *run, int64_t frame, int64_t *count) {
    int64_t first = frame > 0 ? run->contact_end[frame - 1] : 0;
    *count = run->contact_end[frame] - first;
    return &run->contact[first];
}

#endif
