// SPDX-License-Identifier: MIT
// The laws of a problem file.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "solve/file/problem_json.h"
#include "solve/file/problem_kinds.h"

enum { WHERE_SIZE = 48 };

// A missing bound is an infinite one, which JSON has no number for.
static double read_bound(crm_reader *in, const json_t *object, const char *where, const char *key, double missing) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value)) return missing;
    char what[2 * WHERE_SIZE];
    snprintf(what, sizeof what, "%s.%s", where, key);
    return crm_read_number(in, value, what);
}

static void read_cone(crm_reader *in, const json_t *object, const char *where, carom_row_group *group) {
    char what[2 * WHERE_SIZE];
    snprintf(what, sizeof what, "%s.mu", where);
    group->friction = crm_read_number(in, crm_read_member(in, object, where, "mu"), what);
    const json_t *relaxed = json_object_get(object, "relaxed");
    if (relaxed != NULL && !json_is_boolean(relaxed)) crm_read_fail(in, "%s.relaxed must be true or false", where);
    group->relaxed = json_is_true(relaxed);
}

static carom_row_group read_group(crm_reader *in, const json_t *object, size_t index) {
    carom_row_group group = {.rows = 1};
    char where[WHERE_SIZE], what[2 * WHERE_SIZE];
    snprintf(where, sizeof where, "groups[%zu]", index);
    snprintf(what, sizeof what, "%s.rows", where);
    const char *law = json_string_value(json_object_get(object, "law"));
    int k = 0;
    while (k < CRM_LAW_COUNT && (law == NULL || strcmp(law, crm_law_names[k]) != 0)) k++;
    if (k == CRM_LAW_COUNT) {
        crm_read_fail(in, "%s: law must be equality, unilateral, box or cone", where);
        return group;
    }
    group.law = (carom_law)k;
    if (group.law == CAROM_LAW_CONE) {
        group.rows = 3;
        read_cone(in, object, where, &group);
    }
    const json_t *rows = json_object_get(object, "rows");
    if (rows != NULL) group.rows = crm_read_index(in, rows, what, CAROM_GROUP_ROWS);
    if (group.law == CAROM_LAW_BOX) {
        group.lower = read_bound(in, object, where, "lower", -INFINITY);
        group.upper = read_bound(in, object, where, "upper", INFINITY);
    }
    return group;
}

// Short form: nc cones of dim rows each.
static void read_cones(crm_reader *in, const json_t *root, carom_problem *problem) {
    int dim = crm_read_index(in, crm_read_member(in, root, "the file", "dim"), "dim", INT_MAX);
    int most = INT_MAX / CAROM_GROUP_ROWS;
    int count = crm_read_index(in, crm_read_member(in, root, "the file", "nc"), "nc", most);
    if (in->status == CAROM_OK && dim == 5)
        in->status = crm_fail(in->error, CAROM_ERR_UNSUPPORTED,
                              "%.200s: dim 5 is friction against rolling, for which there is no law here", in->path);
    if (in->status == CAROM_OK && dim != 2 && dim != 3) crm_read_fail(in, "dim is %d, must be 2 or 3", dim);
    const double *mu = crm_read_numbers(in, crm_read_member(in, root, "the file", "mu"), "mu", count, NULL);
    carom_row_group *groups = crm_read_room(in, (size_t)count, sizeof *groups);
    for (int g = 0; g < count && in->status == CAROM_OK; g++)
        groups[g] = (carom_row_group){.law = CAROM_LAW_CONE, .rows = dim, .friction = mu[g]};
    problem->group_count = count;
    problem->groups = groups;
}

int crm_read_groups(crm_reader *in, const json_t *root, carom_problem *problem) {
    const json_t *list = json_object_get(root, "groups");
    if (list == NULL) {
        read_cones(in, root, problem);
    } else {
        size_t count = json_array_size(list);
        if (!json_is_array(list) || count > INT_MAX / CAROM_GROUP_ROWS) crm_read_fail(in, "groups must be a list");
        carom_row_group *groups = crm_read_room(in, count, sizeof *groups);
        for (size_t g = 0; g < count && in->status == CAROM_OK; g++)
            groups[g] = read_group(in, json_array_get(list, g), g);
        problem->group_count = (int)count;
        problem->groups = groups;
    }
    return in->status == CAROM_OK ? carom_problem_row_count(problem) : 0;
}
