// SPDX-License-Identifier: MIT
// Experiments whose outcome is known in closed form, and what carom is asked about them.
//
// bench/analytic: an experiment and a method enter; a figure, its exact value and the verdict on the run leave. Each
// experiment writes its scene as text, so that a run of it is one that a user could make.
#ifndef BENCH_ANALYTIC_EXPERIMENT_H
#define BENCH_ANALYTIC_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

enum { ANALYTIC_SCENE_SIZE = 32768, ANALYTIC_NUMBERS = 8 };

// A run on its way.
typedef struct analytic_run {
    const carom_model *model;
    const carom_state *state;
    double number[ANALYTIC_NUMBERS]; // what an experiment keeps from step to step; zeros at the start
} analytic_run;

typedef enum analytic_kind {
    ANALYTIC_FRICTION, // asked of the methods that know contact with friction
    ANALYTIC_SMOOTH,   // ... contact
    ANALYTIC_JOINT,    // ... joints
} analytic_kind;

typedef struct analytic_experiment {
    const char *name;
    const char *formula; // the closed form, for the page
    const char *figure;  // what is compared, with its unit
    analytic_kind kind;
    const char *setting; // an override that makes the experiment, with the only method that has it; or NULL
    const char *only;
    const char *springs;       // an override for methods whose contacts are springs that keep energy; or NULL
    double until, short_until; // s
    double allowed;            // of the error
    bool relative;             // to the exact value
    void (*scene)(char text[ANALYTIC_SCENE_SIZE], double until);
    double (*exact)(double until);
    void (*watch)(analytic_run *run); // after every step; may be NULL
    double (*measure)(const analytic_run *run);
} analytic_experiment;

// Of motions, relative: what a verdict takes for the same motion, too (docs/verdict.md).
#define ANALYTIC_SAME 0.02

extern const analytic_experiment analytic_contacts[], analytic_impacts[], analytic_joints[];
extern const int analytic_contact_count, analytic_impact_count, analytic_joint_count;

// ---- for the experiments

carom_body_state analytic_body(const analytic_run *run, int body);
double analytic_energy(const analytic_run *run); // kinetic and potential, J

// Adds to a text that has room for ANALYTIC_SCENE_SIZE characters.
void analytic_write(char *text, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);
// The beginning of a scene: its name, the usual method at the usual step, when it ends, gravity, and one material.
void analytic_begin(char *text, const char *name, double until, carom_vec3 gravity, double friction,
                    double restitution);
// A floor z = 0 for every body to come.
extern const char analytic_floor[];

#endif
