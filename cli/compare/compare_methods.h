// SPDX-License-Identifier: MIT
// One scene under several methods: how far their motions are from each other over time, and what each certifies.
//
// cli/compare: a scene and several methods, or two recordings, enter; differences over time and certificates side by
// side leave, as text, JSON or a page. `carom compare` calls it.
#ifndef CLI_COMPARE_METHODS_H
#define CLI_COMPARE_METHODS_H

#include <stdio.h>

#include "compare/difference.h"
#include "compare/difference_curve.h"
#include "study/path_curve.h"
#include "study/study.h"

enum { PERIOD_COUNT = 10 }; // the time is cut into so many periods, each with its largest differences

typedef struct compare_methods_def {
    const char *scene_file;
    text_list set;
    const char *limit; // of what the scene may ask for; NULL: as usual
    const char *methods;
    double until;     // s; negative: as the scene says
    double tolerance; // of every quantity of bodies, SI units
    bool strict;      // amber counts as red does
    bool show_progress;
    bool keep_paths; // of bodies
} compare_methods_def;

typedef struct period {
    bool known;   // both runs have reached its end
    double until; // s
    spread spread;
    double energy, momentum, angular_momentum; // largest differences: J, kg m/s, kg m^2/s
} period;

// One method; all but the first that runs are compared with that one.
typedef struct method_side {
    course course;
    double step;       // s
    bool interpolated; // its steps pass common times
    trial trial;
    carom_body_state *bodies; // at the last common time
    moment sums;              // the same
    period periods[PERIOD_COUNT];
    period all;             // over the whole time, or for as long as both ran
    difference_curve curve; // at all common times
    path_curve path;        // the same, while it ran
} method_side;

typedef struct methods_comparison {
    const compare_methods_def *def;
    study study;
    method_list methods;
    method_side *sides; // one a method; without a state where the method refuses the scene
    const method_side *first;
    int *path_body; // whose paths are kept: bodies that move, as many as a page can bear (path_count)
    int path_count, path_left_out;
} methods_comparison;

// The exit code, after a sentence if there is nothing to report; to be freed in any case.
int compare_methods(methods_comparison *c, const compare_methods_def *def);
void free_methods_comparison(methods_comparison *c);

// Whether a side ran to the end and differs from the first by no more than the tolerance.
bool side_agrees(const methods_comparison *c, const method_side *side);
// EXIT_GOOD when all sides agree and no verdict on one is red (or amber and `strict`), else EXIT_NOT_TRUSTWORTHY.
int conclude_methods(const methods_comparison *c);

// What comparisons tell of a quantity of certificates, as text; and whether it tells anything of this side.
enum { SHOWN_FACT = 64 };
void show_quantity(const carom_quantity *quantity, const method_side *side, char shown[SHOWN_FACT]);
bool tells_of(const carom_quantity *quantity, const method_side *side);

void print_methods_text(FILE *to, const methods_comparison *c);
void print_methods_json(FILE *to, const methods_comparison *c);

#endif
