// SPDX-License-Identifier: MIT
// Writes what follows from the table of settings.
//
//   settings_tables schema TEMPLATE OUTPUT   the schema of scenes, with the settings of methods in it
//   settings_tables docs FILE                the tables of a page, each below a line <!-- settings of GROUP: ... -->
//   settings_tables check FILE               fails unless these tables are as they should be, and prints what they should
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "settings/settings_tables.h"

static const char mark[] = "<!-- settings of ";

static int write_schema(const char *template, const char *output) {
    json_error_t why;
    json_t *schema = json_load_file(template, JSON_REJECT_DUPLICATES, &why);
    if (schema == NULL) return fprintf(stderr, "%s:%d: %s\n", template, why.line, why.text), 2;
    add_settings(schema);
    int failed = json_dump_file(schema, output, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(schema);
    return failed != 0 ? (perror(output), 2) : 0;
}

static char *read_text(const char *file, size_t *size) {
    FILE *from = fopen(file, "rb");
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    for (int c; from != NULL && (c = fgetc(from)) != EOF;) fputc(c, to);
    if (from == NULL) perror(file);
    if (from != NULL) fclose(from);
    fclose(to);
    return from != NULL ? text : (free(text), NULL);
}

// Copies a page with its tables new: those lines that begin with '|' below a mark.
static void renew(const char *page, FILE *to) {
    bool in_table = false;
    while (*page != '\0') {
        size_t line = strcspn(page, "\n") + 1;
        if (line > strlen(page)) line = strlen(page);
        in_table = in_table && page[0] == '|';
        if (!in_table) fwrite(page, 1, line, to);
        if (strncmp(page, mark, strlen(mark)) == 0) {
            char group[32] = "";
            sscanf(page + strlen(mark), "%31[a-z_]", group);
            print_settings(strcmp(group, "method") == 0 ? "" : group, to);
            in_table = true;
        }
        page += line;
    }
}

static int renew_page(const char *file, bool check) {
    size_t size, new_size;
    char *page = read_text(file, &size), *renewed = NULL;
    if (page == NULL) return 2;
    FILE *to = open_memstream(&renewed, &new_size);
    renew(page, to);
    fclose(to);
    int code = 0;
    if (check && strcmp(page, renewed) != 0) {
        printf("%s is not what the table of settings makes of it; write it by: settings_tables docs %s\n%s", file, file,
               renewed);
        code = 1;
    } else if (!check) {
        FILE *out = fopen(file, "wb");
        if (out == NULL || fwrite(renewed, 1, new_size, out) != new_size || fclose(out) != 0) code = (perror(file), 2);
    }
    free(page);
    free(renewed);
    return code;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "schema") == 0) return write_schema(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "docs") == 0) return renew_page(argv[2], false);
    if (argc == 3 && strcmp(argv[1], "check") == 0) return renew_page(argv[2], true);
    fputs("usage: settings_tables schema TEMPLATE OUTPUT | docs FILE | check FILE\n", stderr);
    return 2;
}
