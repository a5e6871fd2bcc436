// SPDX-License-Identifier: MIT
// Methods as they are chosen on the command line: NAME, followed by any of :FORM, :KEY=VALUE and :STEP.
//
// What a form is called and which values a key takes is not known here: both become overrides of the scene
// ("method.form=velocity"), which the library reads and checks.
#ifndef CLI_METHOD_CHOICE_H
#define CLI_METHOD_CHOICE_H

#include "base/options.h"
#include "carom/step.h"

typedef struct method_choice {
    const char *title; // as it was given
    carom_method method;
    bool unnamed;        // one of all that there are, not asked for by name
    double step;         // s; 0 when none was given
    text_list overrides; // of the scene
    char *memory;        // that the texts above lie in
} method_choice;

typedef struct method_list {
    int count;
    method_choice *items;
} method_list;

// The exit code, after a sentence if it is not EXIT_GOOD; to be freed in any case.
int read_method(const char *word, method_choice *out);
void free_method(method_choice *choice);

// Methods with commas between them; NULL: all that there are.
int read_methods(const char *words, method_list *out);
void free_methods(method_list *list);

#endif
