// SPDX-License-Identifier: MIT
// Text for people: safe to show on a terminal, coloured only there.
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stdio.h>

// Names come from files: a control character among them could rewrite what the terminal shows, and a mark of direction
// reverse it. They become '?'.
void print_clean(FILE *to, const char *text);

// `text`, made clean, in lines of at most a hundred columns, of which the first begins at column `indent` and the
// others are indented so far. Ends the line.
void print_wrapped(FILE *to, int indent, const char *text);

// The same from column `column` on, broken after `mark` only.
void print_broken(FILE *to, char mark, int column, int indent, const char *text);

// A number in a table, "%.{decimals}e" to the right of `width` columns: "0" for zero, "-" for what is not known (NAN).
void print_cell(FILE *to, int width, int decimals, double value);

// True on a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is dumb.
bool wants_colour(FILE *to);

// "ns", "us", "ms", "s", "min", "h": the unit in which a time reads best. `shown` gets the number with it.
enum { SHOWN_TIME = 32 };
const char *show_time(double seconds, char shown[SHOWN_TIME]);

// A word that the shell reads back as `word`.
void print_shell_word(FILE *to, const char *word);

#endif
