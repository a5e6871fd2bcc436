// SPDX-License-Identifier: MIT
// One run of a scene in memory, without a recording: its state, what its certificates add up to, what it cost.
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "carom/record.h"
#include "carom/scene.h"
#include "carom/step.h"
#include "study/between.h"

typedef struct trial {
    const carom_scene *scene; // not owned
    carom_state *state;
    double step;        // s
    int64_t ratio;      // steps a step of the study; 0: no whole number,
    double common_step; // which then is so long, s;
    between between;    // its steps pass common times, at which it is this
    int64_t kept;       // the steps that had been made at its last node; -1: none
    moment sums;        // after the last step
    int64_t touched;    // the last step with a contact; -1: none
    // Of all certificates:
    double energy_change;   // change less the work, since the start, J
    double largest_change;  // of its absolute value, J
    double largest_kinetic; // J
    carom_summary summary;
    int64_t timed_steps;  // most of them, and
    double timed_seconds; // the processor time that they took
    double clock_cost;    // s, each time that this was read
    bool no_memory;       // is why it stopped
    bool stopped;         // no further step could be made:
    char why[256];        // sentence
} trial;

// The exit code, after a sentence if it is not EXIT_GOOD; to be ended in any case.
int begin_trial(trial *t, const carom_scene *scene, double step, int64_t ratio);
// One whose steps are no whole number of times in a step of the study, which is not shorter.
int begin_trial_between(trial *t, const carom_scene *scene, double step, double common_step);

// A method with steps of `step` in place of its own; those of its pieces grow or shrink with it, and all are then
// divided by `ratio`. The pieces are to be freed. False: no memory.
bool method_with_step(const carom_method_def *from, double step, int64_t ratio, carom_method_def *out);
void end_trial(trial *t);

// Steps until the common time that ends step `study_step` of the study has come, or no more can be made.
void advance_trial(trial *t, int64_t study_step);

// What it is at the common time to which it has been advanced.
moment trial_at(const trial *t, int body_count, carom_body_state *bodies);

// The verdict on it, by the rules for recordings.
carom_verdict trial_verdict(const trial *t);

// The largest change of energy beyond the work, as a share of the largest kinetic energy: that scale does not depend on
// where potentials are zero. 0 when nothing ever moved.
double energy_drift(const trial *t);
// The largest error of a motion that a joint blocks; NAN when the scene has no joints.
double joint_drift(const trial *t);
bool has_joints(const carom_scene *scene);
// Processor time; 0 when there is none.
double seconds_a_step(const trial *t);
double seconds_in_all(const trial *t);

#endif
