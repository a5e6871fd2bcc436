// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/tools.h"
#include "settings/settings_tables.h"

// 10000 as 10,000.
static void print_whole(double x, FILE *to) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", x);
    size_t size = strlen(digits);
    for (size_t i = 0; i < size; i++) fprintf(to, "%s%c", i > 0 && (size - i) % 3 == 0 ? "," : "", digits[i]);
}

// A number in few digits, or as a fraction of small numbers.
static void print_number(double x, FILE *to) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", x);
    if (strtod(text, NULL) == x) {
        char *zero = strstr(text, "e-0"); // 1e-09 is 1e-9
        if (zero != NULL) memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
        fputs(text, to);
        return;
    }
    for (int n = 1; n < 1000; n++) {
        if (fabs(x * n - round(x * n)) > 1e-14 * fabs(x * n)) continue;
        fprintf(to, "%.0f/%d", round(x * n), n);
        return;
    }
    fprintf(to, "%.17g", x);
}

static void print_fallback(const carom_setting *s, FILE *to) {
    if (s->type == CAROM_SETTING_WORD)
        fprintf(to, "`%s`", s->word((int)s->fallback));
    else if (s->type == CAROM_SETTING_TRUTH)
        fprintf(to, "`%s`", s->fallback != 0.0 ? "true" : "false");
    else if (!isfinite(s->fallback))
        fputs("no limit", to);
    else if (s->type == CAROM_SETTING_NUMBER)
        print_number(s->fallback, to);
    else
        print_whole(s->fallback, to);
}

static void print_wanted(const carom_setting *s, FILE *to) {
    char wanted[CAROM_SETTING_TEXT_SIZE];
    carom_setting_wanted(s, wanted);
    if (s->type != CAROM_SETTING_WORD) {
        fputs(wanted, to);
        return;
    }
    for (int i = 0; i < s->word_count; i++) fprintf(to, "%s`%s`", i > 0 ? ", " : "", s->word(i));
}

void print_settings(const char *group, FILE *to) {
    fputs("| key | value | unit | default | meaning |\n|---|---|---|---|---|\n", to);
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        if (strcmp(s->group, group) != 0) continue;
        fprintf(to, "| `%s` | ", s->key);
        print_wanted(s, to);
        fprintf(to, " | %s | ", s->unit);
        print_fallback(s, to);
        fprintf(to, " | %s |\n", s->text);
    }
}
