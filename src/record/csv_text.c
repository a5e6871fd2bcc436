// SPDX-License-Identifier: MIT
#include "record/csv_text.h"

#include <stdbool.h>
#include <string.h>

// Reads back to the same bits, and has a point whatever the program's locale says.
void crm_csv_first_number(FILE *to, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    for (char *c = text; *c != '\0'; c++)
        if (strchr("0123456789+-einfa", *c) == NULL) *c = '.';
    fputs(text, to);
}

void crm_csv_number(FILE *to, double value) {
    fputc(',', to);
    crm_csv_first_number(to, value);
}

void crm_csv_vec3(FILE *to, carom_vec3 v) {
    crm_csv_number(to, v.x);
    crm_csv_number(to, v.y);
    crm_csv_number(to, v.z);
}

// A field with a comma, a quote or a line's end is quoted, and its quotes are doubled. What a spreadsheet would take
// for a formula gets an apostrophe in front: names are a stranger's, and formulas can start programs.
void crm_csv_text(FILE *to, const char *text) {
    fputc(',', to);
    bool formula = text[0] != '\0' && strchr("=+-@\t\r\n|", text[0]) != NULL;
    if (formula && strpbrk(text, ",\"\r\n") == NULL) fputc('\'', to);
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    if (formula) fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}
