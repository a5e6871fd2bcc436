// SPDX-License-Identifier: MIT
#include "support/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bench_row bench_row_of(const char *bench, const char *name, const char *unit) {
    return (bench_row){.bench = bench,
                       .name = name,
                       .carom = NAN,
                       .peer_value = NAN,
                       .unit = unit,
                       .target = NAN,
                       .error = NAN,
                       .peer_error = NAN};
}

static double ratio_of(const bench_row *row) {
    return row->peer_value / row->carom;
}

bool bench_row_met(const bench_row *row) {
    switch (row->target_kind) {
    case BENCH_RATIO_AT_LEAST:
        return ratio_of(row) >= row->target;
    case BENCH_VALUE_AT_MOST:
        return row->carom <= row->target;
    case BENCH_NO_TARGET:
        break;
    }
    return false;
}

bool bench_take_option(int *argc, char **argv, const char *option) {
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], option) != 0) continue;
        memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof *argv); // with the NULL at the end
        --*argc;
        return true;
    }
    return false;
}

bool bench_wants_json(int argc, char **argv) {
    if (argc == 1) return false;
    if (argc == 2 && strcmp(argv[1], "--json") == 0) return true;
    fprintf(stderr, "carom: a benchmark takes only --json, not '%s'\n", argv[argc - 1]);
    exit(2);
}

void bench_print_heading(bool json, const char *title) {
    if (json) return;
    printf("%s\n%-42s %10s %-5s %-22s %10s %7s %8s %-7s %9s %9s\n", title, "case", "carom", "", "peer", "", "ratio",
           "target", "", "error", "peer's");
}

static void print_json_number(const char *key, double value) {
    if (isfinite(value))
        printf(",\"%s\":%.6g", key, value);
    else
        printf(",\"%s\":null", key);
}

static void print_json_row(const bench_row *row) {
    printf("{\"bench\":\"%s\",\"case\":\"%s\"", row->bench, row->name);
    print_json_number("carom", row->carom);
    if (row->peer != NULL)
        printf(",\"peer\":\"%s\"", row->peer);
    else
        printf(",\"peer\":null");
    print_json_number("peer_value", row->peer_value);
    printf(",\"unit\":\"%s\"", row->unit);
    print_json_number("ratio", ratio_of(row));
    print_json_number("target", row->target);
    printf(",\"met\":%s", row->target_kind == BENCH_NO_TARGET ? "null" : bench_row_met(row) ? "true" : "false");
    print_json_number("error", row->error);
    print_json_number("peer_error", row->peer_error);
    printf("}\n");
}

static void print_cell(int width, const char *format, double value) {
    char text[32] = "-";
    // Four digits, but no exponent where a plain number is as short.
    if (isfinite(value)) snprintf(text, sizeof text, fabs(value) >= 1e4 && fabs(value) < 1e9 ? "%.0f" : format, value);
    printf(" %*s", width, text);
}

static void print_text_row(const bench_row *row) {
    static const char *const signs[] = {
        [BENCH_NO_TARGET] = "", [BENCH_RATIO_AT_LEAST] = ">=", [BENCH_VALUE_AT_MOST] = "<="};
    printf("%-42s", row->name);
    print_cell(10, "%.4g", row->carom);
    printf(" %-5s %-22s", row->unit, row->peer != NULL ? row->peer : "-");
    print_cell(10, "%.4g", row->peer_value);
    print_cell(7, "%.2f", ratio_of(row));
    char target[32] = "-";
    if (row->target_kind != BENCH_NO_TARGET)
        snprintf(target, sizeof target, "%s%.3g", signs[row->target_kind], row->target);
    printf(" %8s %-7s", target, row->target_kind == BENCH_NO_TARGET ? "" : bench_row_met(row) ? "met" : "MISSED");
    print_cell(9, "%.1e", row->error);
    print_cell(9, "%.1e", row->peer_error);
    printf("\n");
}

void bench_print_row(bool json, const bench_row *row) {
    if (json)
        print_json_row(row);
    else
        print_text_row(row);
    fflush(stdout);
}
