// SPDX-License-Identifier: MIT
// Sentences for bad input.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "verb/verb.h"

enum { LONGEST_SENTENCE = 8192 };

static void say(const char *format, va_list arguments) {
    char sentence[LONGEST_SENTENCE];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    fputs("carom: ", stderr);
    print_clean(stderr, sentence);
    fputc('\n', stderr);
}

int refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

int refuse_memory(const char *what) {
    refuse("no memory for %s", what);
    return EXIT_INTERNAL;
}

int refuse_error(const carom_error *error) {
    refuse("%s", error->text);
    switch (error->status) {
    case CAROM_ERR_BAD_INPUT:
    case CAROM_ERR_UNSUPPORTED:
    case CAROM_ERR_TOO_LARGE:
    case CAROM_ERR_FILE:
        return EXIT_BAD_INPUT;
    default:
        return EXIT_INTERNAL;
    }
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
    char all[LONGEST_SENTENCE / 2] = "";
    size_t used = 0;
    for (int i = 0; names[i] != NULL && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, " %s", names[i]);
    return refuse("there is no %s '%s'; there are:%s", what, word, all);
}

bool check_one_word(const verb *about, const char *what, int word_count, char **words) {
    if (word_count == 1) return true;
    if (word_count == 0)
        refuse("'%s' needs %s; 'carom help %s' shows how it is used", about->name, what, about->name);
    else
        refuse("'%s' takes %s and nothing more, but there is also '%s'", about->name, what, words[1]);
    return false;
}
