// SPDX-License-Identifier: MIT
// Cases of the campaign of verdicts: a scene under a method, and what is known of it beforehand.
//
// Wrong and doubtful scenes come from tests/data/verdict/wrong and from the generators wrong_*.c, right ones from
// scenes/ and right_*.c. Each scene stands for as many cases as methods are listed for it.
#ifndef TEST_VERDICT_CASE_H
#define TEST_VERDICT_CASE_H

#include <stdbool.h>

#include "carom/carom.h"

typedef struct verdict_case {
    char name[64];
    const char *kind; // of error; of a right one where it comes from
    const char *method;
    char *text;     // the scene
    char file[512]; // where it is read from in place of the text, as it names other files; else ""
    double until;   // s, in place of the scene's own; 0: that
    double stays;   // m: what begins at rest gets no farther, by a closed form; 0: not known
    carom_vec3 end; // of a right one: where a closed form has its first body at the end, m,
    double allowed; // and how far from there it may be; 0: none is known
} verdict_case;

typedef struct case_list {
    int count, capacity;
    verdict_case *of;
} case_list;

// A scene's text from a format of printf, with ' in place of ", which JSON needs. To be freed.
char *scene_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The scene under each of the methods, whose names spaces separate; "*" stands for all that take the scene, "* -exact"
// for all but one. Frees the text.
void add_wrong(case_list *list, const char *name, const char *kind, const char *methods, char *text);
// The same of a right one.
void add_right(case_list *list, const char *name, const char *kind, const char *methods, char *text);
// The same with the closed form of where its first body ends, to within `allowed`, m.
void add_analytic(case_list *list, const char *name, const char *methods, carom_vec3 end, double allowed, char *text);
void case_list_free(case_list *list);

// ---- all of them

case_list wrong_cases(void);
case_list right_cases(void);

// ---- by kind of source; each adds to the list

void add_wrong_files(case_list *list);
void add_wrong_joints(case_list *list);
void add_wrong_forces(case_list *list);
void add_wrong_contacts(case_list *list);
void add_wrong_units(case_list *list);
void add_gallery(case_list *list);
void add_analytic_flight(case_list *list);
void add_analytic_joints(case_list *list);
void add_analytic_contacts(case_list *list);
void add_random(case_list *list);

#endif
