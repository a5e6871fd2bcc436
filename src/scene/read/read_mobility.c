// SPDX-License-Identifier: MIT
// The mobility of bodies in a viscous fluid: a word, or a matrix in the scene or in a file beside it.
#include <stdio.h>

#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/source/number_text.h"

// Without CAROM_MOBILITY_FUNCTION, which no file can have.
const char *const crm_scene_mobility_words[CRM_SCENE_MOBILITY_COUNT] = {
    [CAROM_MOBILITY_NONE] = "none",
    [CAROM_MOBILITY_STOKES] = "stokes",
    [CAROM_MOBILITY_MATRIX] = "matrix",
};

// Bodies that move; -1 when some of them were reported, so that nobody knows.
static int count_moving(const crm_scene_data *data) {
    int moving = 0;
    for (int i = 0; i < data->body_count; i++) {
        if (!data->body[i].good) return -1;
        if (data->body[i].def.kind != CAROM_BODY_FIXED) moving += data->body[i].count;
    }
    return moving;
}

static double *take_matrix(const crm_json_node *node, int rows, carom_mobility_def *def) {
    double *numbers = crm_scene_take(node, rows * rows, sizeof *numbers);
    def->size = numbers != NULL ? rows : 0;
    def->matrix = numbers;
    return numbers;
}

// ---- in the scene

static bool read_rows(const crm_json_node *node, int rows, double *out) {
    bool good = true;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a row of %d numbers, as there are %d rows", rows, rows);
    for (int i = 0; i < rows; i++) {
        crm_json_node row = crm_scene_item(node, i);
        if (!json_is_array(row.value) || json_array_size(row.value) != (size_t)rows) {
            crm_scene_needs(&row, wanted);
            good = false;
            continue;
        }
        for (int j = 0; j < rows; j++) {
            crm_json_node item = crm_scene_item(&row, j);
            good &= crm_scene_number_of(&item, CRM_SCENE_ANY, "", out++);
        }
    }
    return good;
}

// ---- in a file

// Twice through the text: memory for a matrix is taken for numbers that are there, not for those that should be.
static bool read_numbers(const crm_json_node *node, const char *text, int rows, carom_mobility_def *def) {
    int errors = node->context->log->error_count, line = 1;
    int64_t count = 0, wanted = (int64_t)rows * rows;
    double x;
    const char *at = text;
    while (crm_scene_next_number(node, &at, &line, &x)) count++;
    if (node->context->log->error_count > errors) return false;
    if (count != wanted)
        return crm_scene_error(node, "has %lld numbers; a matrix with 6 rows for each body that moves has %lld",
                               (long long)count, (long long)wanted);
    double *out = take_matrix(node, rows, def);
    at = text;
    for (int64_t i = 0; out != NULL && i < wanted; i++) crm_scene_next_number(node, &at, &line, &out[i]);
    return out != NULL;
}

static bool read_file(const crm_json_node *node, int rows, carom_mobility_def *def) {
    crm_scene_text text;
    bool good = crm_scene_load_numbers(node, json_string_value(node->value), "\"matrix\"", &text) &&
                read_numbers(node, text.bytes.items, rows, def);
    crm_scene_text_free(&text);
    return good;
}

// ---- both

static bool read_matrix(const crm_json_node *node, const crm_scene_data *data, carom_mobility_def *def) {
    crm_json_node matrix = crm_scene_member(node, "matrix"), file = crm_scene_member(node, "file");
    int moving = count_moving(data);
    if (matrix.value == NULL && file.value == NULL)
        return crm_scene_error(node, "needs \"matrix\": rows of numbers, or \"file\": the name of a file with them");
    if (matrix.value != NULL && file.value != NULL)
        return crm_scene_error(&file, "is given, and so is \"matrix\"; leave out one of them");
    if (moving < 0) return false;
    if (moving > CRM_SCENE_MOST_MOBILE)
        return crm_scene_error(node, "%d bodies move; a mobility matrix is for at most %d", moving,
                               CRM_SCENE_MOST_MOBILE);
    int rows = 6 * moving;
    if (matrix.value != NULL && (!json_is_array(matrix.value) || json_array_size(matrix.value) != (size_t)rows)) {
        char wanted[96];
        snprintf(wanted, sizeof wanted, "%d rows of numbers, 6 for each body that moves", rows);
        return crm_scene_needs(&matrix, wanted);
    }
    if (matrix.value == NULL) return read_file(&file, rows, def);
    double *numbers = take_matrix(node, rows, def);
    return numbers != NULL && read_rows(&matrix, rows, numbers);
}

void crm_scene_read_mobility(const crm_json_node *root, crm_scene_data *data) {
    static const char *const keys[] = {"kind", "viscosity", "matrix", "file"};
    carom_mobility_def *def = &data->mobility;
    *def = carom_mobility_def_default();
    crm_json_node node = crm_scene_member(root, "mobility");
    data->mobility_good = true;
    if (node.value == NULL) return;
    bool good = crm_scene_is_object(&node, "a mobility", keys, CRM_SCENE_COUNT(keys));
    int kind = CAROM_MOBILITY_NONE;
    if (json_is_object(node.value)) {
        good &= crm_scene_require(&node, "kind", "none, stokes or matrix");
        good &= crm_scene_read_choice(&node, "kind", crm_scene_mobility_words, CRM_SCENE_MOBILITY_COUNT, &kind);
        good &= crm_scene_read_number(&node, "viscosity", CRM_SCENE_POSITIVE, "Pa s", &def->viscosity);
    }
    def->kind = (carom_mobility_kind)kind;
    if (kind == CAROM_MOBILITY_MATRIX) good &= read_matrix(&node, data, def);
    data->mobility_good = good;
}
