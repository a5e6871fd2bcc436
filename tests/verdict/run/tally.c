// SPDX-License-Identifier: MIT
#include "verdict/run/tally.h"

#include <stdio.h>
#include <string.h>

#include "support/harness/check.h"

static void count(tally_line *line, const evaluation *e) {
    line->runs++;
    line->wrong += e->wrong;
    line->of[e->outcome]++;
    line->seconds += e->seconds;
}

static tally_line *line_of(tally *t, const char *name) {
    for (int i = 0; i < t->lines; i++)
        if (strcmp(t->line[i].name, name) == 0) return &t->line[i];
    assert_true(t->lines < TALLY_MOST_LINES);
    t->line[t->lines] = (tally_line){.name = name};
    return &t->line[t->lines++];
}

void tally_add(tally *t, const verdict_case *c, const evaluation *e) {
    count(&t->all, e);
    count(line_of(t, c->kind), e);
    count(line_of(t, c->method), e);
}

static void print_line(const tally_line *line, const char *name) {
    printf("%-14s %6d %6d %9d %7d %11d %7d %8.1f s\n", name, line->runs, line->wrong, line->of[OUTCOME_SEEN],
           line->of[OUTCOME_AGREED], line->of[OUTCOME_TRUNCATION], line->of[OUTCOME_MISSED], line->seconds);
}

// Kinds first, then methods.
void tally_print(const tally *t) {
    printf("%-14s %6s %6s %9s %7s %11s %7s %10s\n", "", "runs", "wrong", "not green", "agreed", "truncation", "missed",
           "processor");
    carom_method method;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < t->lines; i++)
            if (carom_method_find(t->line[i].name, &method) == (pass == 1)) print_line(&t->line[i], t->line[i].name);
    print_line(&t->all, "all");
}
