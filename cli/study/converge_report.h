// SPDX-License-Identifier: MIT
// How the runs of a scene come nearer to each other, or to a reference, as the step is halved.
#ifndef CLI_CONVERGE_REPORT_H
#define CLI_CONVERGE_REPORT_H

#include <stdio.h>

#include "compare/difference.h"
#include "study/study.h"
#include "study/study_reference.h"

// Differences up to this share of a quantity's size are taken for rounding, and say nothing about orders.
#define ROUNDING_SHARE 1e-11

// One method at one step.
typedef struct converge_row {
    double step; // s
    trial trial;
    carom_body_state *bodies; // at the last common time
    spread spread;            // to the row below, or to the reference; meaningless unless `compared`
    bool compared;            // up to the last common time
    // What is not known is NAN.
    double difference[QUANTITY_COUNT];
    double order[QUANTITY_COUNT]; // from the row above to this one
    double error[QUANTITY_COUNT]; // estimated, or against the reference
} converge_row;

// One method at all steps.
typedef struct converge_curve {
    course course;
    converge_row *rows; // from the longest step to the shortest; NULL when the method refuses the scene
    double order[QUANTITY_COUNT];
    double least_order; // of the quantities that have one; NAN when none has
    bool exact;         // whatever differs, differs by rounding
    bool steady;        // every order, so far as the rows tell
    spread to_first;    // of the finest run to that of the first curve that has one; meaningless unless:
    bool to_first_known;
} converge_curve;

typedef struct converge_def {
    const char *scene_file;
    text_list set;
    const char *limit;     // of what the scene may ask for; NULL: as usual
    const char *methods;   // NULL: all
    const char *reference; // NULL: the runs among themselves
    double until;          // s; negative: as the scene says
    int halvings;
    bool at_end; // compare at the end only
    bool strict; // amber counts as red does
    bool show_progress;
} converge_def;

typedef struct converge_report {
    const converge_def *def;
    study study;
    method_list methods;
    int row_count; // of each curve
    converge_curve *curves;
    reference reference;
    bool differs[QUANTITY_COUNT];    // in any pair of runs that was compared
    double rounding[QUANTITY_COUNT]; // errors up to this are none
    const converge_curve *first;     // the first curve that has rows
} converge_report;

// Runs everything. The exit code, after a sentence if there is nothing to report; to be freed in any case.
int make_converge_report(converge_report *report, const converge_def *def);
void free_converge_report(converge_report *report);

// The run at the shortest step, whose verdict is that of the method; NULL when the method refuses the scene.
const trial *finest_run(const converge_report *report, const converge_curve *curve);

// EXIT_GOOD when a method has run at two steps or more and no method's verdict is red (or amber and `strict`), else
// EXIT_NOT_TRUSTWORTHY.
int conclude_converge_report(const converge_report *report);

void print_converge_text(FILE *to, const converge_report *report);
void print_converge_json(FILE *to, const converge_report *report);
// As a page; the exit code, after a sentence if it is not EXIT_GOOD.
int write_converge_page(const char *path, bool force, const converge_report *report);

#endif
