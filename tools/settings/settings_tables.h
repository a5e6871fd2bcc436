// SPDX-License-Identifier: MIT
// What is written from the table of settings (carom/tools.h): the schema's objects, and the tables of docs/scene.md.
//
// Enters: the table of the library that is linked. Leaves: JSON and Markdown. Called by cmake/settings_tables.c, which
// the build runs, and by the test of the schema.
#ifndef SETTINGS_TABLES_H
#define SETTINGS_TABLES_H

#include <jansson.h>
#include <stdio.h>

// Puts the settings of methods into a schema of scenes: into "$defs", "method" and every group.
void add_settings(json_t *schema);

// The table of a group ("": of the method itself) as Markdown.
void print_settings(const char *group, FILE *to);

#endif
