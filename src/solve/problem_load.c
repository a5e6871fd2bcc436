// SPDX-License-Identifier: MIT
// Reads problems.
//
//     {"kind": "local",  "dim": 3, "nc": 2, "mu": [...], "W": {m, n, p, i, x}, "q": [...]}
//     {"kind": "global", ... "M": {...}, "H": {...}, "f": [...], "w": [...], and W, q when M is not made of small
//     blocks}
//     {"kind": "bodies", "groups": [...], "w": [...], "nodes": [{"mass": [...], "free": [...]}],
//                        "entries": [{"group": 0, "node": 0, "rows": [...]}]}
//
// Matrices are compressed columns. Any kind may have "groups" in place of dim, nc and mu, "compliance", "name", and a
// solution: "reference": {"r": [...]}. Names that are not known are passed over: such files come from several places.
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "math/dense_cholesky.h"
#include "solve/problem.h"
#include "solve/problem_json.h"

typedef struct owned_problem {
    carom_stored_problem stored; // first: what the caller holds
    crm_arena arena;
} owned_problem;

// The first thing that is wrong fails the reading; from then on every call gives nothing, so that callers check once.
typedef struct reader {
    const char *path;
    crm_arena *arena;
    carom_error *error;
    carom_status status;
} reader;

static void fail(reader *in, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

static void fail(reader *in, const char *format, ...) {
    if (in->status != CAROM_OK) return;
    char text[CAROM_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    in->status = crm_fail(in->error, CAROM_ERR_FILE, "%.200s: %s", in->path, text);
}

static void *take(reader *in, size_t count, size_t size) {
    if (in->status != CAROM_OK) return NULL;
    void *array = count <= PTRDIFF_MAX ? crm_arena_take_zeroed(in->arena, (ptrdiff_t)count, size) : NULL;
    if (array == NULL) in->status = crm_fail_memory(in->error, "a problem", count * size);
    return array;
}

static const json_t *member(reader *in, const json_t *object, const char *where, const char *key) {
    if (in->status != CAROM_OK) return NULL;
    const json_t *value = json_object_get(object, key);
    if (value == NULL) fail(in, "%s has no '%s'", where, key);
    return value;
}

static int whole_number(reader *in, const json_t *value, const char *what) {
    if (in->status != CAROM_OK) return 0;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > INT_MAX) {
        fail(in, "%s must be a whole number that is not negative", what);
        return 0;
    }
    return (int)number;
}

// A list of numbers. `count` < 0 takes any length and gives it back through `found`.
static const double *numbers(reader *in, const json_t *list, const char *what, int count, int *found) {
    size_t size = json_array_size(list);
    if (in->status != CAROM_OK) return NULL;
    if (!json_is_array(list) || size > INT_MAX || (count >= 0 && size != (size_t)count)) {
        if (count >= 0)
            fail(in, "%s must be a list of %d numbers", what, count);
        else
            fail(in, "%s must be a list of numbers", what);
        return NULL;
    }
    double *values = take(in, size, sizeof *values);
    for (size_t i = 0; i < size && in->status == CAROM_OK; i++) {
        const json_t *value = json_array_get(list, i);
        values[i] = json_number_value(value);
        if (!json_is_number(value)) fail(in, "%s[%zu] must be a number", what, i);
    }
    if (found != NULL) *found = (int)size;
    return in->status == CAROM_OK ? values : NULL;
}

// ---- matrices

typedef struct columns {
    int rows, columns;
    const int *start, *row;
    const double *value;
} columns;

static const int *indices(reader *in, const json_t *list, const char *what, int most, int *found) {
    size_t size = json_array_size(list);
    if (!json_is_array(list) || size > INT_MAX) fail(in, "%s must be a list of whole numbers", what);
    int *values = take(in, size, sizeof *values);
    for (size_t i = 0; i < size && in->status == CAROM_OK; i++) {
        values[i] = whole_number(in, json_array_get(list, i), what);
        if (in->status == CAROM_OK && values[i] > most)
            fail(in, "%s[%zu] is %d, must be at most %d", what, i, values[i], most);
    }
    *found = (int)size;
    return in->status == CAROM_OK ? values : NULL;
}

static columns matrix(reader *in, const json_t *root, const char *name) {
    const json_t *object = member(in, root, "the file", name);
    columns a = {.rows = whole_number(in, member(in, object, name, "m"), "m"),
                 .columns = whole_number(in, member(in, object, name, "n"), "n")};
    int starts = 0, entries = 0, values = 0;
    a.value = numbers(in, member(in, object, name, "x"), "x", -1, &values);
    a.start = indices(in, member(in, object, name, "p"), "p", values, &starts);
    a.row = indices(in, member(in, object, name, "i"), "i", a.rows > 0 ? a.rows - 1 : 0, &entries);
    if (in->status != CAROM_OK) return a;
    if (starts - 1 != a.columns || a.start[0] != 0 || a.start[a.columns] != values || entries != values)
        fail(in, "%s: p must have n + 1 numbers, from 0 to the length of i and x", name);
    for (int j = 0; j < a.columns && in->status == CAROM_OK; j++) {
        if (a.start[j + 1] < a.start[j]) fail(in, "%s: p must not descend, but does after %d", name, j);
    }
    return a;
}

// By rows, ascending in each row, as the columns are gone through in order.
static carom_sparse transpose(reader *in, const columns *a) {
    carom_sparse out = {.rows = a->rows, .columns = a->columns};
    int *start = take(in, (size_t)a->rows + 1, sizeof *start);
    if (in->status != CAROM_OK) return out;
    int count = a->start[a->columns];
    int *column = take(in, (size_t)count, sizeof *column);
    double *value = take(in, (size_t)count, sizeof *value);
    if (in->status != CAROM_OK) return out;
    for (int k = 0; k < count; k++) start[a->row[k] + 1]++;
    for (int i = 0; i < a->rows; i++) start[i + 1] += start[i];
    for (int j = 0; j < a->columns; j++) {
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            int at = start[a->row[k]]++;
            column[at] = j;
            value[at] = a->value[k];
        }
    }
    memmove(start + 1, start, sizeof(int) * (size_t)a->rows);
    start[0] = 0;
    out.start = start;
    out.column = column;
    out.value = value;
    return out;
}

// ---- groups

// A missing bound is an infinite one, which JSON has no number for.
static double bound(reader *in, const json_t *object, const char *key, double missing) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value)) return missing;
    if (!json_is_number(value)) fail(in, "a group's '%s' must be a number", key);
    return json_number_value(value);
}

static carom_group read_group(reader *in, const json_t *object, size_t index) {
    carom_group group = {.rows = 1};
    const char *law = json_string_value(json_object_get(object, "law"));
    int k = 0;
    while (k < CRM_LAW_COUNT && (law == NULL || strcmp(law, crm_law_names[k]) != 0)) k++;
    if (k == CRM_LAW_COUNT) {
        fail(in, "groups[%zu]: law must be equality, unilateral, box or cone", index);
        return group;
    }
    group.law = (carom_law)k;
    const json_t *rows = json_object_get(object, "rows");
    if (rows != NULL) group.rows = whole_number(in, rows, "rows of a group");
    if (group.law == CAROM_LAW_CONE) {
        if (rows == NULL) group.rows = 3;
        group.friction = json_number_value(member(in, object, "a group that is a cone", "mu"));
        group.relaxed = json_is_true(json_object_get(object, "relaxed"));
    }
    if (group.law == CAROM_LAW_BOX) {
        group.lower = bound(in, object, "lower", -INFINITY);
        group.upper = bound(in, object, "upper", INFINITY);
    }
    return group;
}

static void read_cones(reader *in, const json_t *root, carom_problem *problem) {
    int dim = whole_number(in, member(in, root, "the file", "dim"), "dim");
    int count = whole_number(in, member(in, root, "the file", "nc"), "nc");
    if (in->status == CAROM_OK && dim == 5)
        in->status = crm_fail(in->error, CAROM_ERR_UNSUPPORTED,
                              "%.200s: dim 5 is friction against rolling, for which there is no law here", in->path);
    if (in->status == CAROM_OK && dim != 2 && dim != 3) fail(in, "dim is %d, must be 2 or 3", dim);
    const double *mu = numbers(in, member(in, root, "the file", "mu"), "mu", count, NULL);
    carom_group *groups = take(in, (size_t)count, sizeof *groups);
    for (int g = 0; g < count && in->status == CAROM_OK; g++)
        groups[g] = (carom_group){.law = CAROM_LAW_CONE, .rows = dim, .friction = mu[g]};
    problem->group_count = count;
    problem->groups = groups;
}

static int read_groups(reader *in, const json_t *root, carom_problem *problem) {
    const json_t *list = json_object_get(root, "groups");
    if (list == NULL) {
        read_cones(in, root, problem);
    } else {
        size_t count = json_array_size(list);
        if (!json_is_array(list) || count > INT_MAX / CAROM_GROUP_ROWS) fail(in, "groups must be a list");
        carom_group *groups = take(in, count, sizeof *groups);
        for (size_t g = 0; g < count && in->status == CAROM_OK; g++)
            groups[g] = read_group(in, json_array_get(list, g), g);
        problem->group_count = (int)count;
        problem->groups = groups;
    }
    long long rows = 0;
    for (int g = 0; g < problem->group_count && in->status == CAROM_OK; g++) rows += problem->groups[g].rows;
    if (rows > INT_MAX) fail(in, "the groups have too many rows");
    return in->status == CAROM_OK ? (int)rows : 0;
}

// ---- kinds

static void read_local(reader *in, const json_t *root, int rows, carom_problem *problem) {
    problem->form = CAROM_FORM_DELASSUS;
    columns w = matrix(in, root, "W");
    problem->offset = numbers(in, member(in, root, "the file", "q"), "q", rows, NULL);
    if (in->status == CAROM_OK) problem->delassus = transpose(in, &w);
}

// Cuts the velocities into nodes that M does not couple: of 6 (planar: 3) where that works, the size of a body, else as
// small as M allows. `start` gets where they begin; gives their number, 0 when one would have more than six.
static int cut_into_nodes(const columns *m, int dim, int *start) {
    const int preferred[] = {dim == 2 ? 3 : 6, 3};
    for (int k = 0; k < 2; k++) {
        int size = preferred[k];
        bool fits = m->rows % size == 0;
        for (int j = 0; j < m->columns && fits; j++) {
            for (int e = m->start[j]; e < m->start[j + 1] && fits; e++)
                fits = m->value[e] == 0.0 || m->row[e] / size == j / size;
        }
        if (!fits) continue;
        for (int n = 0; n <= m->rows / size; n++) start[n] = n * size;
        return m->rows / size;
    }
    int count = 0, first = 0, reach = 0; // reach: last velocity that the node must have
    start[0] = 0;
    for (int j = 0; j < m->columns; j++) {
        if (j > reach) reach = j;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->value[e] == 0.0) continue;
            if (m->row[e] < first) return 0; // far below the diagonal: unsymmetric, and no block at all
            if (m->row[e] > reach) reach = m->row[e];
        }
        if (reach - first >= CAROM_NODE_SIZE) return 0;
        if (j < reach) continue;
        start[++count] = first = j + 1;
    }
    return count;
}

// v_free = M^-1 f.
static carom_node *make_nodes(reader *in, const columns *m, const double *f, const int *start, int count,
                              const int *node_of) {
    carom_node *nodes = take(in, (size_t)count, sizeof *nodes);
    if (in->status != CAROM_OK) return NULL;
    for (int n = 0; n < count; n++) nodes[n].size = start[n + 1] - start[n];
    for (int j = 0; j < m->columns; j++) {
        int n = node_of[j];
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            if (m->value[e] != 0.0) nodes[n].mass[(m->row[e] - start[n]) * nodes[n].size + j - start[n]] += m->value[e];
        }
    }
    for (int n = 0; n < count; n++) {
        double factor[CAROM_NODE_SIZE * CAROM_NODE_SIZE];
        memcpy(factor, nodes[n].mass, sizeof factor);
        memcpy(nodes[n].free, f + start[n], sizeof(double) * (size_t)nodes[n].size);
        crm_cholesky_factor(nodes[n].size, factor, nodes[n].size);
        crm_cholesky_solve(nodes[n].size, factor, nodes[n].size, 1, nodes[n].free, nodes[n].size);
    }
    return nodes;
}

// H^T by groups and nodes. `last` (nodes) tells a group's entry of a node, `mine` whether it is of this group.
static void make_entries(reader *in, const columns *h, const int *start, const int *node_of, carom_problem *problem) {
    int *last = take(in, (size_t)problem->node_count, sizeof *last);
    int *mine = take(in, (size_t)problem->node_count, sizeof *mine);
    carom_entry *entries = take(in, (size_t)h->start[h->columns], sizeof *entries);
    if (in->status != CAROM_OK) return;
    int count = 0, row = 0;
    for (int g = 0; g < problem->group_count; g++) {
        for (int i = 0; i < problem->groups[g].rows; i++, row++) {
            for (int e = h->start[row]; e < h->start[row + 1]; e++) {
                if (h->value[e] == 0.0) continue;
                int n = node_of[h->row[e]], size = problem->nodes[n].size;
                if (mine[n] != g + 1) {
                    mine[n] = g + 1;
                    last[n] = count;
                    entries[count++] = (carom_entry){.group = g, .node = n};
                }
                entries[last[n]].rows[i * size + h->row[e] - start[n]] += h->value[e];
            }
        }
    }
    problem->entry_count = count;
    problem->entries = entries;
}

static void read_global(reader *in, const json_t *root, int rows, carom_problem *problem) {
    columns m = matrix(in, root, "M"), h = matrix(in, root, "H");
    if (in->status == CAROM_OK && (m.rows != m.columns || h.rows != m.rows || h.columns != rows))
        fail(in, "M must be square, and H must have as many rows as M and %d columns", rows);
    int *start = take(in, (size_t)m.rows + 1, sizeof *start), *node_of = take(in, (size_t)m.rows, sizeof *node_of);
    if (in->status != CAROM_OK) return;
    int count = cut_into_nodes(&m, problem->group_count > 0 ? problem->groups[0].rows : 3, start);
    if (count == 0 && m.rows > 0) {
        read_local(in, root, rows, problem);
        return;
    }
    for (int n = 0; n < count; n++) {
        for (int j = start[n]; j < start[n + 1]; j++) node_of[j] = n;
    }
    problem->form = CAROM_FORM_BODIES;
    problem->offset = numbers(in, member(in, root, "the file", "w"), "w", rows, NULL);
    const double *f = numbers(in, member(in, root, "the file", "f"), "f", m.rows, NULL);
    if (in->status != CAROM_OK) return;
    problem->node_count = count;
    problem->nodes = make_nodes(in, &m, f, start, count, node_of);
    if (in->status == CAROM_OK) make_entries(in, &h, start, node_of, problem);
}

static void read_node(reader *in, const json_t *object, carom_node *node) {
    int size;
    const double *free = numbers(in, member(in, object, "a node", "free"), "free of a node", -1, &size);
    if (in->status == CAROM_OK && (size < 1 || size > CAROM_NODE_SIZE))
        fail(in, "a node has %d velocities, must have 1 to %d", size, CAROM_NODE_SIZE);
    if (in->status != CAROM_OK) return;
    const double *mass = numbers(in, member(in, object, "a node", "mass"), "mass of a node", size * size, NULL);
    if (in->status != CAROM_OK) return;
    node->size = size;
    memcpy(node->free, free, sizeof(double) * (size_t)size);
    memcpy(node->mass, mass, sizeof(double) * (size_t)(size * size));
}

static void read_entry(reader *in, const json_t *object, const carom_problem *problem, carom_entry *entry) {
    entry->group = whole_number(in, member(in, object, "an entry", "group"), "group of an entry");
    entry->node = whole_number(in, member(in, object, "an entry", "node"), "node of an entry");
    if (in->status == CAROM_OK && (entry->group >= problem->group_count || entry->node >= problem->node_count))
        fail(in, "an entry names group %d of %d and node %d of %d", entry->group, problem->group_count, entry->node,
             problem->node_count);
    if (in->status != CAROM_OK) return;
    int count = problem->groups[entry->group].rows * problem->nodes[entry->node].size;
    if (count > CAROM_GROUP_ROWS * CAROM_NODE_SIZE) fail(in, "group %d has too many rows", entry->group);
    const double *rows = numbers(in, member(in, object, "an entry", "rows"), "rows of an entry", count, NULL);
    if (in->status == CAROM_OK) memcpy(entry->rows, rows, sizeof(double) * (size_t)count);
}

static void read_bodies(reader *in, const json_t *root, int rows, carom_problem *problem) {
    problem->form = CAROM_FORM_BODIES;
    problem->offset = numbers(in, member(in, root, "the file", "w"), "w", rows, NULL);
    const json_t *node_list = member(in, root, "the file", "nodes"), *list = member(in, root, "the file", "entries");
    size_t node_count = json_array_size(node_list), count = json_array_size(list);
    if (in->status == CAROM_OK &&
        (!json_is_array(node_list) || !json_is_array(list) || node_count > INT_MAX || count > INT_MAX))
        fail(in, "nodes and entries must be lists");
    carom_node *nodes = take(in, node_count, sizeof *nodes);
    carom_entry *entries = take(in, count, sizeof *entries);
    for (size_t n = 0; n < node_count && in->status == CAROM_OK; n++)
        read_node(in, json_array_get(node_list, n), &nodes[n]);
    problem->node_count = (int)node_count;
    problem->nodes = nodes;
    for (size_t e = 0; e < count && in->status == CAROM_OK; e++)
        read_entry(in, json_array_get(list, e), problem, &entries[e]);
    problem->entry_count = (int)count;
    problem->entries = entries;
}

// ---- the file

static json_t *open_file(reader *in) {
    errno = 0;
    FILE *file = fopen(in->path, "rb");
    int first = file != NULL ? fgetc(file) : EOF; // a folder can be opened, but not read
    if (file == NULL || ferror(file)) {
        fail(in, "cannot be read: %s", strerror(errno));
        if (file != NULL) fclose(file);
        return NULL;
    }
    ungetc(first, file);
    json_error_t problem;
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &problem);
    fclose(file);
    if (root == NULL) fail(in, "line %d, column %d: this is not JSON: %s", problem.line, problem.column, problem.text);
    return root;
}

static void read_file(reader *in, const json_t *root, carom_stored_problem *out) {
    carom_problem *problem = &out->problem;
    const char *kind = json_string_value(json_object_get(root, "kind"));
    const char *name = json_string_value(json_object_get(root, "name"));
    int rows = read_groups(in, root, problem);
    if (in->status != CAROM_OK) return;
    if (kind != NULL && strcmp(kind, "local") == 0)
        read_local(in, root, rows, problem);
    else if (kind != NULL && strcmp(kind, "global") == 0)
        read_global(in, root, rows, problem);
    else if (kind != NULL && strcmp(kind, "bodies") == 0)
        read_bodies(in, root, rows, problem);
    else
        fail(in, "kind must be local, global or bodies");
    const json_t *compliance = json_object_get(root, "compliance");
    if (compliance != NULL) problem->compliance = numbers(in, compliance, "compliance", rows, NULL);
    const json_t *reference = json_object_get(json_object_get(root, "reference"), "r");
    if (reference != NULL) out->impulse = numbers(in, reference, "reference.r", rows, NULL);
    size_t length = name != NULL ? strlen(name) : 0;
    char *copy = take(in, length + 1, 1);
    if (in->status != CAROM_OK) return;
    if (length > 0) memcpy(copy, name, length);
    out->name = copy;
    carom_error error;
    if (carom_problem_check(problem, &error) != CAROM_OK) fail(in, "%s", error.text);
}

carom_status carom_problem_load(const char *path, const carom_allocator *allocator, carom_stored_problem **out,
                                carom_error *error) {
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    *out = NULL;
    owned_problem *owned = hook.allocate(hook.user, sizeof *owned);
    if (owned == NULL) return crm_fail_memory(error, "a problem", sizeof *owned);
    *owned = (owned_problem){.stored = {.name = ""}};
    crm_arena_init(&owned->arena, &hook);
    reader in = {.path = path, .arena = &owned->arena, .error = error, .status = CAROM_OK};
    json_t *root = open_file(&in);
    if (root != NULL) read_file(&in, root, &owned->stored);
    json_decref(root);
    if (in.status != CAROM_OK) {
        carom_problem_unload(&owned->stored);
        return in.status;
    }
    *out = &owned->stored;
    return CAROM_OK;
}

void carom_problem_unload(carom_stored_problem *stored) {
    if (stored == NULL) return;
    owned_problem *owned = (owned_problem *)stored;
    carom_allocator hook = owned->arena.allocator;
    crm_arena_free(&owned->arena);
    hook.release(hook.user, owned, sizeof *owned);
}
