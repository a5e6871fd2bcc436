// SPDX-License-Identifier: MIT
// The numbers of forces that come in lists: tables of pairs, and grids, which may be in a file beside the scene.
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/number_text.h"

// A list of numbers, or of rows of three, on the arena; NULL when it is wrong.
static double *read_list(const crm_json_node *node, int a_row, const char *unit, int *count) {
    if (!crm_scene_is_array(node, a_row == 1 ? "an array of numbers" : "an array of rows of 3 numbers")) return NULL;
    *count = (int)json_array_size(node->value);
    double *list = crm_scene_take(node, *count * a_row, sizeof *list);
    bool good = list != NULL;
    for (int i = 0; list != NULL && i < *count; i++) {
        crm_json_node item = crm_scene_item(node, i);
        good &= a_row == 1 ? crm_scene_number_of(&item, CRM_SCENE_ANY, unit, &list[i])
                           : crm_scene_numbers_of(&item, CRM_SCENE_ANY, unit, a_row, list + (ptrdiff_t)a_row * i);
    }
    return good ? list : NULL;
}

// ---- tables

bool crm_scene_read_table(const crm_json_node *node, carom_pair_def *def) {
    int forces = 0;
    bool there = crm_scene_require(node, "distance", "an array of rising numbers (m)");
    if (!crm_scene_require(node, "force", "an array of numbers (N), one for each distance") || !there) return false;
    crm_json_node distance = crm_scene_member(node, "distance"), force = crm_scene_member(node, "force");
    def->distance = read_list(&distance, 1, "m", &def->count);
    def->force = read_list(&force, 1, "N", &forces);
    if (def->distance == NULL || def->force == NULL) return false;
    if (forces == def->count) return true;
    return crm_scene_error(&force, "has %d numbers for %d distances; give one for each", forces, def->count);
}

// ---- grids in the scene

static bool read_count(const crm_json_node *node, int count[3]) {
    double numbers[3] = {1.0, 1.0, 1.0};
    crm_json_node member = crm_scene_member(node, "count");
    if (!crm_scene_read_numbers(node, "count", CRM_SCENE_POSITIVE, "", 3, numbers)) return false;
    for (int k = 0; k < 3; k++) {
        if (numbers[k] != floor(numbers[k]) || numbers[k] > CRM_SCENE_MOST_ITEMS)
            return crm_scene_needs(&member, "3 whole numbers of nodes, such as [10, 10, 1]");
        count[k] = (int)numbers[k];
    }
    return true;
}

// Beside forces, as many as they are.
static bool read_torques(const crm_json_node *node, int nodes, carom_grid_def *def) {
    crm_json_node torque = crm_scene_member(node, "torque");
    int given = 0;
    if (torque.value == NULL) return true;
    if (def->force == NULL) return crm_scene_error(&torque, "goes with \"force\", not with \"energy\"; leave it out");
    const double *list = read_list(&torque, 3, "N m", &given);
    def->torque = (const carom_vec3 *)(const void *)list;
    if (list == NULL || given == nodes) return list != NULL;
    return crm_scene_error(&torque, "has %d values for %d nodes; give one for each, x first", given, nodes);
}

static bool read_values(const crm_json_node *node, carom_grid_def *def) {
    crm_json_node force = crm_scene_member(node, "force"), energy = crm_scene_member(node, "energy");
    if ((force.value == NULL) == (energy.value == NULL))
        return crm_scene_error(node,
                               "needs either \"file\", \"force\": 3 numbers for each node, or \"energy\": one "
                               "for each%s",
                               force.value == NULL ? "" : "; leave out one of them");
    if (!crm_scene_require(node, "count", "3 numbers of nodes, such as [10, 10, 1]") || !read_count(node, def->count))
        return false;
    int given = 0;
    double nodes = (double)def->count[0] * def->count[1] * def->count[2];
    const crm_json_node *values = force.value != NULL ? &force : &energy;
    double *list = read_list(values, force.value != NULL ? 3 : 1, force.value != NULL ? "N" : "J", &given);
    if (list == NULL) return false;
    if (given != nodes)
        return crm_scene_error(values, "has %d values for %d x %d x %d nodes; give one for each, x first", given,
                               def->count[0], def->count[1], def->count[2]);
    if (force.value != NULL)
        def->force = (const carom_vec3 *)(const void *)list;
    else
        def->energy = list;
    return read_torques(node, given, def);
}

// ---- grids in a file

// Columns of a file: x, y, z, and those that a header names.
enum { FORCE_COLUMNS = 6, WRENCH_COLUMNS = 9, ENERGY_COLUMNS = 4 };

// The columns of a text, which goes on behind its header; 0 with a message.
static int read_header(const crm_json_node *node, const char **at, int *line) {
    static const char *const headers[] = {"x,y,z,fx,fy,fz", "x,y,z,fx,fy,fz,tx,ty,tz", "x,y,z,energy"};
    static const int columns[] = {FORCE_COLUMNS, WRENCH_COLUMNS, ENERGY_COLUMNS};
    while (**at == '#' || **at == '\n' || **at == '\r') {
        *at += strcspn(*at, "\n");
        if (**at == '\n') ++*at, ++*line;
    }
    size_t size = strcspn(*at, "\r\n");
    for (int i = 0; i < 3; i++) {
        if (size != strlen(headers[i]) || strncmp(*at, headers[i], size) != 0) continue;
        *at += size;
        return columns[i];
    }
    crm_scene_error(node, "line %d of the file must be its header: \"%s\", \"%s\" or \"%s\"", *line, headers[0],
                    headers[1], headers[2]);
    return 0;
}

// Twice through the text: memory is taken for numbers that are there.
static double *read_rows(const crm_json_node *node, const char *text, int line, int columns, int *rows) {
    int errors = node->context->log->error_count, first = line;
    int64_t count = 0;
    double x;
    const char *at = text;
    while (crm_scene_next_number(node, &at, &line, &x)) count++;
    if (node->context->log->error_count > errors) return NULL;
    if (count == 0 || count % columns != 0 || count > (int64_t)CRM_SCENE_MOST_ITEMS * columns) {
        crm_scene_error(node, "has %lld numbers; a grid has %d in each of its rows, and at most %d rows",
                        (long long)count, columns, CRM_SCENE_MOST_ITEMS);
        return NULL;
    }
    *rows = (int)(count / columns);
    double *out = crm_scene_take(node, (int)count, sizeof *out);
    at = text, line = first;
    for (int64_t i = 0; out != NULL && i < count; i++) crm_scene_next_number(node, &at, &line, &out[i]);
    return out;
}

static carom_vec3 place_of(const double *row) {
    return crm_vec3(row[0], row[1], row[2]);
}

// Nodes along x are the rows before y or z change, those along y the lines before z does.
static void count_nodes(const double *row, int columns, int rows, int count[3]) {
    int n = 1;
    while (n < rows && row[(ptrdiff_t)n * columns + 1] == row[1] && row[(ptrdiff_t)n * columns + 2] == row[2]) n++;
    count[0] = n;
    while (n < rows && row[(ptrdiff_t)n * columns + 2] == row[2]) n += count[0];
    count[1] = n / count[0];
    count[2] = rows / (count[0] * count[1]);
}

// Origin, spacing and counts from the places of the rows, which must be those of an even grid.
static bool find_grid(const crm_json_node *node, const double *row, int columns, int rows, carom_grid_def *def) {
    const double share = 1e-6; // of a spacing: how well places are written
    count_nodes(row, columns, rows, def->count);
    const int *count = def->count;
    carom_vec3 first = place_of(row), last = place_of(row + (ptrdiff_t)(rows - 1) * columns);
    carom_vec3 extent = crm_sub(last, first);
    def->origin = first;
    for (int k = 0; k < 3; k++) {
        double spacing = count[k] > 1 ? crm_component(extent, k) / (count[k] - 1) : 1.0;
        def->spacing = crm_with_component(def->spacing, k, spacing);
    }
    for (int i = 0; i < rows; i++) {
        int x = i % count[0], y = i / count[0] % count[1], z = i / (count[0] * count[1]);
        carom_vec3 wanted = crm_add(first, crm_vec3_mul(def->spacing, crm_vec3(x, y, z)));
        carom_vec3 off = crm_vec3_abs(crm_sub(place_of(row + (ptrdiff_t)i * columns), wanted));
        bool good =
            off.x <= share * def->spacing.x && off.y <= share * def->spacing.y && off.z <= share * def->spacing.z;
        if (!good || (ptrdiff_t)count[0] * count[1] * count[2] != rows)
            return crm_scene_error(node,
                                   "row %d of the file is not where the next node of an even grid would be; list all "
                                   "nodes, x rising first, then y, then z",
                                   i + 1);
    }
    return true;
}

// `wanted` columns from the given one on, by themselves; NULL without memory.
static double *take_columns(const crm_json_node *node, const double *row, int columns, int rows, int from, int wanted) {
    double *values = crm_scene_take(node, rows * wanted, sizeof *values);
    for (int i = 0; values != NULL && i < rows; i++)
        memcpy(values + (ptrdiff_t)wanted * i, row + (ptrdiff_t)columns * i + from, (size_t)wanted * sizeof *values);
    return values;
}

// The values without their places.
static bool take_values(const crm_json_node *node, const double *row, int columns, int rows, carom_grid_def *def) {
    if (columns == ENERGY_COLUMNS) return (def->energy = take_columns(node, row, columns, rows, 3, 1)) != NULL;
    def->force = (const carom_vec3 *)(const void *)take_columns(node, row, columns, rows, 3, 3);
    if (columns == WRENCH_COLUMNS)
        def->torque = (const carom_vec3 *)(const void *)take_columns(node, row, columns, rows, 6, 3);
    return def->force != NULL && (columns == FORCE_COLUMNS || def->torque != NULL);
}

static bool read_text(const crm_json_node *node, const char *text, carom_grid_def *def) {
    int line = 1, rows = 0, columns = read_header(node, &text, &line);
    const double *row = columns > 0 ? read_rows(node, text, line, columns, &rows) : NULL;
    return row != NULL && find_grid(node, row, columns, rows, def) && take_values(node, row, columns, rows, def);
}

static bool read_file(const crm_json_node *object, const crm_json_node *file, carom_grid_def *def) {
    static const char *const others[] = {"origin", "spacing", "count", "force", "torque", "energy"};
    for (int i = 0; i < CRM_SCENE_COUNT(others); i++) {
        crm_json_node other = crm_scene_member(object, others[i]);
        if (other.value != NULL)
            return crm_scene_error(&other, "is given, and so is \"file\", which has it; leave out one of them");
    }
    crm_scene_text text;
    bool good = crm_scene_load_numbers(file, json_string_value(file->value), "\"force\"", &text) &&
                read_text(file, text.bytes.items, def);
    crm_scene_text_free(&text);
    return good;
}

bool crm_scene_read_grid(const crm_json_node *node, carom_grid_def *def) {
    crm_json_node file = crm_scene_member(node, "file");
    return file.value != NULL ? read_file(node, &file, def) : read_values(node, def);
}
