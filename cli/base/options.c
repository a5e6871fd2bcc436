// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verb/verb.h"

typedef struct reader {
    const char *verb_name;
    const option *table;
    int argument_count;
    char **arguments;
    int at; // the argument that is read
    char *into;
} reader;

static const option *find_short(const option *table, const char *word) {
    for (; table->name != NULL; table++)
        if (table->letter != '\0' && word[1] == table->letter) return table;
    return NULL;
}

static const option *find_long(const option *table, const char *word, size_t length) {
    for (; table->name != NULL; table++)
        if (strlen(table->name) == length && strncmp(table->name, word, length) == 0) return table;
    return NULL;
}

static bool refuse_option(const reader *r, const char *word, size_t length) {
    enum { MOST_NAMES = 31 };
    const char *names[MOST_NAMES + 1] = {NULL};
    for (int i = 0; i < MOST_NAMES && r->table[i].name != NULL; i++) names[i] = r->table[i].name;
    char what[64], shown[128];
    snprintf(what, sizeof what, "option of '%s' called", r->verb_name);
    snprintf(shown, sizeof shown, "%.*s", (int)(length < sizeof shown ? length : sizeof shown - 1), word);
    if (names[0] == NULL)
        refuse("'%s' has no options, and so no '%s'", r->verb_name, shown);
    else
        refuse_unknown(what, shown, names);
    return false;
}

static bool keep_number(const option *found, const char *value, const char *of_what, const char *unit, double *to) {
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number))
        refuse("%s needs a number%s, not '%s'", found->name, of_what, value);
    else if (number < 0.0)
        refuse("%s is %s%s, must not be negative", found->name, value, unit);
    else {
        *to = number;
        return true;
    }
    return false;
}

static bool keep_count(const option *found, const char *value, int *to) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < 1 || number > INT_MAX) {
        refuse("%s needs a whole number from 1 to %d, not '%s'", found->name, INT_MAX, value);
        return false;
    }
    *to = (int)number;
    return true;
}

static bool keep_item(const reader *r, const char *value, text_list *list) {
    // There cannot be more items than arguments.
    if (list->items == NULL) list->items = calloc((size_t)r->argument_count, sizeof *list->items);
    if (list->items == NULL) exit(refuse_memory("the options")); // nothing has begun yet
    list->items[list->count++] = value;
    return true;
}

static bool keep(const reader *r, const option *found, const char *value) {
    void *to = r->into + found->offset;
    switch (found->kind) {
    case OPTION_FLAG:
        *(bool *)to = true;
        return true;
    case OPTION_TEXT:
        *(const char **)to = value;
        return true;
    case OPTION_LIST:
        return keep_item(r, value, to);
    case OPTION_SECONDS:
        return keep_number(found, value, " of seconds", " s", to);
    case OPTION_NUMBER:
        return keep_number(found, value, "", "", to);
    case OPTION_COUNT:
        return keep_count(found, value, to);
    }
    return false;
}

// `value` is what is joined to the option (`--name=value`, `-nvalue`), or NULL.
static bool take(reader *r, const option *found, const char *value) {
    if (found->kind == OPTION_FLAG) {
        if (value == NULL) return keep(r, found, NULL);
        refuse("%s takes no value, but was given '%s'", found->name, value);
        return false;
    }
    if (value == NULL && r->at + 1 < r->argument_count && strncmp(r->arguments[r->at + 1], "--", 2) != 0)
        value = r->arguments[++r->at];
    if (value == NULL || *value == '\0') {
        refuse("%s needs a value: %s %s", found->name, found->name, found->value);
        return false;
    }
    return keep(r, found, value);
}

static bool read_option(reader *r) {
    const char *word = r->arguments[r->at];
    if (word[1] != '-') {
        const option *found = find_short(r->table, word);
        if (found == NULL) return refuse_option(r, word, strlen(word));
        return take(r, found, word[2] != '\0' ? word + 2 : NULL);
    }
    const char *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *found = find_long(r->table, word, length);
    if (found == NULL) return refuse_option(r, word, length);
    return take(r, found, equals != NULL ? equals + 1 : NULL);
}

int read_options(const char *verb_name, const option *table, int argument_count, char **arguments, void *into) {
    reader r = {verb_name, table, argument_count, arguments, 0, into};
    int words = 0;
    bool ended = false;
    for (; r.at < argument_count; r.at++) {
        char *word = arguments[r.at];
        if (!ended && strcmp(word, "--") == 0)
            ended = true;
        else if (ended || word[0] != '-' || word[1] == '\0')
            arguments[words++] = word; // never ahead of what is still to be read
        else if (!read_option(&r))
            return -1;
    }
    return words;
}

void print_options(const option *table) {
    for (; table->name != NULL; table++) {
        char shown[64];
        int used = table->letter != '\0' ? snprintf(shown, sizeof shown, "-%c, ", table->letter) : 0;
        snprintf(shown + used, sizeof shown - (size_t)used, "%s%s%s", table->name, table->value != NULL ? " " : "",
                 table->value != NULL ? table->value : "");
        printf("  %-22s %s\n", shown, table->help);
    }
}
