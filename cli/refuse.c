// SPDX-License-Identifier: MIT
// Sentences for bad input.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verb.h"

int refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("carom: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

enum { LONGEST_WORD = 63 };

// Edits (insert, delete, replace) that turn one word into the other; a large number for long words.
static int edit_distance(const char *from, const char *to) {
    size_t from_length = strlen(from), to_length = strlen(to);
    if (from_length > LONGEST_WORD || to_length > LONGEST_WORD) return LONGEST_WORD;
    int row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= to_length; j++) row[j] = (int)j;
    for (size_t i = 1; i <= from_length; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= to_length; j++) {
            int replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            int shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            row[j] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[to_length];
}

int refuse_unknown(const char *what, const char *word, const char *const *names) {
    const char *nearest = NULL;
    int least = 3; // more edits than this are no typing mistake
    for (int i = 0; names[i] != NULL; i++) {
        int distance = edit_distance(word, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    if (nearest != NULL) return refuse("there is no %s '%s'; did you mean '%s'?", what, word, nearest);
    fprintf(stderr, "carom: there is no %s '%s'; there are:", what, word);
    for (int i = 0; names[i] != NULL; i++) fprintf(stderr, " %s", names[i]);
    fputc('\n', stderr);
    return EXIT_BAD_INPUT;
}

bool read_json_option(const char *verb_name, int argument_count, char **arguments, bool *json) {
    *json = false;
    for (int i = 0; i < argument_count; i++) {
        if (strcmp(arguments[i], "--json") != 0) {
            refuse("'%s' takes only --json, not '%s'", verb_name, arguments[i]);
            return false;
        }
        *json = true;
    }
    return true;
}
