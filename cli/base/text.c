// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/tools.h"

void print_clean(FILE *to, const char *text) {
    while (*text != '\0') {
        int hidden = carom_hidden_character(text);
        fputc(hidden > 0 ? '?' : *text, to);
        text += hidden > 0 ? hidden : 1;
    }
}

void print_broken(FILE *to, char mark, int column, int indent, const char *text) {
    enum { WIDTH = 100 };
    while (*text != '\0') {
        char piece[256];
        const char *end = strchr(text, mark);
        int length = end == NULL ? (int)strlen(text) : (int)(end - text) + (mark != ' ');
        if (length >= (int)sizeof piece) length = (int)sizeof piece - 1;
        snprintf(piece, sizeof piece, "%.*s", length, text);
        if (column > indent && column + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        print_clean(to, piece);
        column += length;
        text += length;
        while (*text == ' ') text++;
    }
    fputc('\n', to);
}

void print_wrapped(FILE *to, int indent, const char *text) {
    print_broken(to, ' ', indent, indent, text);
}

void print_cell(FILE *to, int width, int decimals, double value) {
    if (isnan(value))
        fprintf(to, "%*s", width, "-");
    else if (value == 0.0)
        fprintf(to, "%*s", width, "0");
    else
        fprintf(to, "%*.*e", width, decimals, value);
}

bool wants_colour(FILE *to) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_colour != NULL && no_colour[0] != '\0') return false;
    return isatty(fileno(to)) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

const char *show_time(double seconds, char shown[SHOWN_TIME]) {
    static const struct {
        double below, scale;
        const char *unit;
    } units[] = {{1e-6, 1e9, "ns"}, {1e-3, 1e6, "us"}, {1.0, 1e3, "ms"}, {120.0, 1.0, "s"}, {7200.0, 1.0 / 60, "min"}};
    int i = 0, count = sizeof units / sizeof units[0];
    while (i < count && !(seconds < units[i].below)) i++;
    double value = i < count ? seconds * units[i].scale : seconds / 3600.0;
    // Three digits are what a time is worth, without an exponent.
    int decimals = value < 10.0 ? 2 : value < 100.0 ? 1 : 0;
    snprintf(shown, SHOWN_TIME, "%.*f %s", decimals, value, i < count ? units[i].unit : "h");
    return shown;
}

void print_shell_word(FILE *to, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}
