// SPDX-License-Identifier: MIT
// Writes problems as problem_load.c reads them. Seventeen digits bring every double back.
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/text/utf8.h"
#include "solve/file/problem_json.h"
#include "solve/problem.h"

// jansson makes a missing value of every failure, and passes it on: one check at the end finds it.
json_t *crm_json_numbers(const double *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        if (json_array_append_new(list, json_real(values[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

carom_status crm_json_check(const char *name, const double *impulse, int count, carom_error *error) {
    if (name != NULL && !crm_utf8_is_valid(name, strlen(name)))
        return crm_refuse(error, "the problem cannot be written: its name is not UTF-8; give it another");
    return impulse != NULL ? crm_check_finite(impulse, count, "the impulses", error) : CAROM_OK;
}

static bool write_tree(const json_t *root, const char *path) {
    FILE *file = fopen(path, "wb");
    bool written = file != NULL && json_dumpf(root, file, JSON_REAL_PRECISION(17)) == 0 && fputc('\n', file) != EOF;
    if (file != NULL && fclose(file) != 0) written = false;
    return written;
}

// By a temporary file beside it, unless it is a pipe or a device.
static bool write_whole(const json_t *root, const char *path) {
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) return write_tree(root, path);
    size_t size = strlen(path) + 32;
    char *temporary = malloc(size);
    if (temporary == NULL) return false;
    snprintf(temporary, size, "%s.new-%ld", path, (long)getpid());
    bool written = write_tree(root, temporary) && rename(temporary, path) == 0;
    int number = errno;
    if (!written) unlink(temporary);
    errno = number;
    free(temporary);
    return written;
}

carom_status crm_json_write(json_t *root, const char *path, carom_error *error) {
    if (root == NULL) return crm_fail_memory(error, "the tree of a problem", 0);
    errno = 0;
    bool written = write_whole(root, path);
    json_decref(root);
    if (written) return CAROM_OK;
    // jansson tells of no memory by its answer alone.
    if (errno == 0) return crm_fail_memory(error, "the text of a problem", 0);
    return crm_fail(error, crm_file_status(errno), "%.200s: cannot be written: %s", path, strerror(errno));
}

static json_t *group_of(const carom_row_group *group) {
    json_t *object = json_pack("{s:s, s:i}", "law", crm_law_names[group->law], "rows", group->rows);
    int wrong = object == NULL;
    if (group->law == CAROM_LAW_CONE) {
        wrong |= json_object_set_new(object, "mu", json_real(group->friction));
        if (group->relaxed) wrong |= json_object_set_new(object, "relaxed", json_true());
    }
    if (group->law == CAROM_LAW_BOX && isfinite(group->lower))
        wrong |= json_object_set_new(object, "lower", json_real(group->lower));
    if (group->law == CAROM_LAW_BOX && isfinite(group->upper))
        wrong |= json_object_set_new(object, "upper", json_real(group->upper));
    if (wrong == 0) return object;
    json_decref(object);
    return NULL;
}

static json_t *groups_of(const carom_problem *problem) {
    json_t *list = json_array();
    for (int g = 0; g < problem->group_count; g++) {
        if (json_array_append_new(list, group_of(&problem->groups[g])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

// The transpose of compressed rows is the same matrix in compressed columns: a pass per column would be quadratic, so
// the places are counted first.
static json_t *columns_of(const carom_sparse *a) {
    json_t *start = json_array(), *row = json_array(), *value = json_array();
    int wrong = 0;
    int count = a->rows > 0 ? a->start[a->rows] : 0;
    int *place = calloc((size_t)a->columns + 1, sizeof *place), *from = calloc((size_t)count + 1, sizeof *from);
    int *from_row = calloc((size_t)count + 1, sizeof *from_row);
    if (place != NULL && from != NULL && from_row != NULL) {
        for (int k = 0; k < count; k++) place[a->column[k] + 1]++;
        for (int j = 0; j < a->columns; j++) place[j + 1] += place[j];
        for (int j = 0; j <= a->columns; j++) wrong |= json_array_append_new(start, json_integer(place[j]));
        for (int i = 0; i < a->rows; i++) {
            for (int k = a->start[i]; k < a->start[i + 1]; k++) {
                int at = place[a->column[k]]++;
                from[at] = k;
                from_row[at] = i;
            }
        }
        for (int k = 0; k < count; k++) {
            wrong |= json_array_append_new(row, json_integer(from_row[k]));
            wrong |= json_array_append_new(value, json_real(a->value[from[k]]));
        }
    } else {
        wrong = 1;
    }
    free(place);
    free(from);
    free(from_row);
    json_t *object =
        json_pack("{s:i, s:i, s:o, s:o, s:o}", "m", a->rows, "n", a->columns, "p", start, "i", row, "x", value);
    if (wrong == 0) return object;
    json_decref(object);
    return NULL;
}

static json_t *nodes_of(const carom_problem *problem) {
    json_t *list = json_array();
    for (int n = 0; n < problem->node_count; n++) {
        const carom_problem_node *node = &problem->nodes[n];
        json_t *object = json_pack("{s:o, s:o}", "mass", crm_json_numbers(node->mass, node->size * node->size), "free",
                                   crm_json_numbers(node->free, node->size));
        if (json_array_append_new(list, object) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *entries_of(const carom_problem *problem) {
    json_t *list = json_array();
    for (int e = 0; e < problem->entry_count; e++) {
        const carom_entry *entry = &problem->entries[e];
        int count = problem->groups[entry->group].rows * problem->nodes[entry->node].size;
        json_t *object = json_pack("{s:i, s:i, s:o}", "group", entry->group, "node", entry->node, "rows",
                                   crm_json_numbers(entry->rows, count));
        if (json_array_append_new(list, object) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *couplings_of(const carom_problem *problem) {
    json_t *list = json_array();
    for (int c = 0; c < problem->coupling_count; c++) {
        const carom_coupling *coupling = &problem->couplings[c];
        int count = problem->nodes[coupling->a].size * problem->nodes[coupling->b].size;
        json_t *object = json_pack("{s:i, s:i, s:o}", "a", coupling->a, "b", coupling->b, "block",
                                   crm_json_numbers(coupling->block, count));
        if (json_array_append_new(list, object) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *problem_of(const carom_problem *problem, const char *name, const double *impulse) {
    int rows = carom_problem_row_count(problem);
    bool bodies = problem->form == CAROM_FORM_BODIES;
    json_t *root = json_pack("{s:s, s:s, s:o}", "name", name != NULL ? name : "", "kind", bodies ? "bodies" : "local",
                             "groups", groups_of(problem));
    int wrong = root == NULL;
    wrong |= json_object_set_new(root, bodies ? "w" : "q", crm_json_numbers(problem->offset, rows));
    if (problem->compliance != NULL)
        wrong |= json_object_set_new(root, "compliance", crm_json_numbers(problem->compliance, rows));
    if (bodies) {
        wrong |= json_object_set_new(root, "nodes", nodes_of(problem));
        wrong |= json_object_set_new(root, "entries", entries_of(problem));
        if (problem->coupling_count > 0) wrong |= json_object_set_new(root, "couplings", couplings_of(problem));
    } else {
        wrong |= json_object_set_new(root, "W", columns_of(&problem->delassus));
    }
    if (impulse != NULL)
        wrong |= json_object_set_new(root, "reference", json_pack("{s:o}", "r", crm_json_numbers(impulse, rows)));
    if (wrong == 0) return root;
    json_decref(root);
    return NULL;
}

carom_status carom_problem_write(const carom_problem *problem, const char *name, const double *impulse,
                                 const char *path, carom_error *error) {
    carom_status status = carom_problem_check(problem, error);
    if (status != CAROM_OK) return status;
    if (problem->form == CAROM_FORM_MOBILITY)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "a mobility is a function and cannot be written to %.200s", path);
    status = crm_json_check(name, impulse, carom_problem_row_count(problem), error);
    if (status != CAROM_OK) return status;
    return crm_json_write(problem_of(problem, name, impulse), path, error);
}
