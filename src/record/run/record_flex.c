// SPDX-License-Identifier: MIT
// Flexible bodies: their meshes and materials, from which frames, whose bodies their nodes are, can be drawn. The table
// is there only when the model has some.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "carom/flex.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

static const char flexible_schema[] =
    "CREATE TABLE flexible (number INTEGER PRIMARY KEY, name TEXT NOT NULL, first_body INTEGER NOT NULL,"
    " node_count INTEGER NOT NULL, element_count INTEGER NOT NULL, element_order INTEGER NOT NULL,"
    " model TEXT NOT NULL, lambda REAL, mu REAL, density REAL, viscosity REAL, rest BLOB NOT NULL,"
    " elements BLOB NOT NULL, digest INTEGER NOT NULL);";
static const char damaged[] = "its table of flexible bodies is not what was written";

enum { REST_BYTES = 24, NUMBER_BYTES = 4 };

static carom_recorded_flex *take_flexible(crm_arena *arena, int64_t count, carom_error *error) {
    carom_recorded_flex *flexible = CRM_ARENA_ZEROED(arena, carom_recorded_flex, (ptrdiff_t)count);
    if (flexible == NULL) crm_fail_memory(error, "the flexible bodies of a recording", sizeof *flexible);
    return flexible;
}

carom_status crm_run_describe_flexible(const carom_model *model, crm_arena *arena, crm_run *run, carom_error *error) {
    run->flex_count = carom_model_flex_count(model);
    carom_recorded_flex *flexible = take_flexible(arena, run->flex_count, error);
    if (flexible == NULL) return CAROM_ERR_NO_MEMORY;
    for (int i = 0; i < run->flex_count; i++) {
        carom_flex flex = {i};
        const carom_flex_def *def = carom_model_flex_def(model, flex);
        flexible[i] = (carom_recorded_flex){.name = carom_model_flex_name(model, flex),
                                            .first_body = carom_model_flex_node(model, flex, 0).index,
                                            .mesh = def->mesh,
                                            .elastic = def->elastic};
    }
    run->flex = flexible;
    return CAROM_OK;
}

// ---- writing

static void pack_mesh(const carom_mesh *mesh, unsigned char *rest, unsigned char *elements) {
    const carom_vec3 *node = carom_mesh_nodes(mesh);
    const int32_t *number = carom_mesh_elements(mesh);
    int64_t numbers = (int64_t)carom_mesh_element_count(mesh) * CAROM_ELEMENT_NODES(carom_mesh_order(mesh));
    for (int n = 0; n < carom_mesh_node_count(mesh); n++) rest = crm_put_vec3(rest, node[n]);
    for (int64_t k = 0; k < numbers; k++) crm_put_u32(elements + NUMBER_BYTES * k, (uint32_t)number[k]);
}

static carom_status write_one(sqlite3_stmt *statement, int64_t number, const carom_recorded_flex *flex, int *code,
                              carom_error *error) {
    const carom_mesh *mesh = flex->mesh;
    int order = carom_mesh_order(mesh);
    size_t nodes = (size_t)carom_mesh_node_count(mesh), elements = (size_t)carom_mesh_element_count(mesh);
    size_t rest_bytes = REST_BYTES * nodes;
    size_t element_bytes = NUMBER_BYTES * (size_t)CAROM_ELEMENT_NODES(order) * elements;
    unsigned char *bytes = malloc(rest_bytes + element_bytes);
    if (bytes == NULL) return crm_fail_memory(error, "the flexible bodies of a recording", rest_bytes + element_bytes);
    pack_mesh(mesh, bytes, bytes + rest_bytes);
    crm_row row = crm_row_write(statement);
    crm_row_put_int(&row, number);
    crm_row_put_text(&row, flex->name);
    crm_row_put_int(&row, flex->first_body);
    crm_row_put_int(&row, (int64_t)nodes);
    crm_row_put_int(&row, (int64_t)elements);
    crm_row_put_int(&row, order);
    crm_row_put_text(&row, carom_elastic_model_name(flex->elastic.model));
    crm_row_put_real(&row, flex->elastic.lambda);
    crm_row_put_real(&row, flex->elastic.mu);
    crm_row_put_real(&row, flex->elastic.density);
    crm_row_put_real(&row, flex->elastic.viscosity);
    crm_row_put_bytes(&row, bytes, rest_bytes);
    crm_row_put_bytes(&row, bytes + rest_bytes, element_bytes);
    *code = crm_row_insert(&row);
    free(bytes);
    return CAROM_OK;
}

carom_status crm_run_write_flexible(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    if (run->flex_count == 0) return CAROM_OK;
    carom_status status = crm_database_run(database, path, flexible_schema, error);
    sqlite3_stmt *statement = NULL;
    if (status == CAROM_OK)
        status = crm_database_prepare(
            database, path,
            "INSERT INTO flexible (number, name, first_body, node_count, element_count, element_order, model, lambda,"
            " mu, density, viscosity, rest, elements, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            &statement, error);
    int code = SQLITE_OK;
    for (int64_t i = 0; i < run->flex_count && status == CAROM_OK && code == SQLITE_OK; i++)
        status = write_one(statement, i, &run->flex[i], &code, error);
    if (status == CAROM_OK && code != SQLITE_OK) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

// ---- reading

// What a row says, before it is believed.
typedef struct flexible_row {
    const char *name, *model;
    int64_t first_body, nodes, elements, order;
    const unsigned char *rest, *element;
    size_t rest_size, element_size;
    carom_elastic_def elastic;
} flexible_row;

static bool find_model(const char *name, carom_elastic_model *out) {
    for (int m = 0; m < CAROM_ELASTIC_MODEL_COUNT; m++) {
        if (strcmp(name, carom_elastic_model_name((carom_elastic_model)m)) != 0) continue;
        *out = (carom_elastic_model)m;
        return true;
    }
    return false;
}

// Is the row sound, are its counts those of its bytes, and its nodes bodies that there are?
static bool take_row(sqlite3_stmt *statement, const crm_run *run, int64_t number, flexible_row *out) {
    crm_row row = crm_row_read(statement);
    int64_t own_number = crm_row_get_int(&row);
    out->name = crm_row_get_text(&row);
    out->first_body = crm_row_get_int(&row);
    out->nodes = crm_row_get_int(&row);
    out->elements = crm_row_get_int(&row);
    out->order = crm_row_get_int(&row);
    out->model = crm_row_get_text(&row);
    out->elastic = carom_elastic_def_default();
    out->elastic.lambda = crm_row_get_real(&row);
    out->elastic.mu = crm_row_get_real(&row);
    out->elastic.density = crm_row_get_real(&row);
    out->elastic.viscosity = crm_row_get_real(&row);
    out->rest = crm_row_get_bytes(&row, &out->rest_size);
    out->element = crm_row_get_bytes(&row, &out->element_size);
    if (!crm_row_sound(&row) || own_number != number || !find_model(out->model, &out->elastic.model)) return false;
    if (out->order < 1 || out->order > 2 || out->nodes < 1 || out->elements < 1) return false;
    size_t element_bytes = NUMBER_BYTES * (size_t)CAROM_ELEMENT_NODES(out->order);
    return out->nodes <= run->body_count && out->first_body >= 0 && out->first_body <= run->body_count - out->nodes &&
           out->rest_size == REST_BYTES * (size_t)out->nodes && out->elements <= INT_MAX &&
           out->element_size == element_bytes * (size_t)out->elements;
}

static carom_status make_mesh(const flexible_row *row, carom_mesh **out, carom_error *error) {
    size_t nodes = (size_t)row->nodes, numbers = row->element_size / NUMBER_BYTES;
    carom_vec3 *node = malloc(nodes * sizeof *node);
    int32_t *number = malloc(numbers * sizeof *number);
    carom_status status = CAROM_ERR_NO_MEMORY;
    if (node == NULL || number == NULL) {
        crm_fail_memory(error, "the flexible bodies of a recording", row->rest_size);
    } else {
        const unsigned char *from = row->rest;
        for (size_t n = 0; n < nodes; n++) node[n] = crm_take_vec3(&from);
        for (size_t k = 0; k < numbers; k++) number[k] = (int32_t)crm_get_u32(row->element + NUMBER_BYTES * k);
        carom_mesh_def def = carom_mesh_def_default();
        def.order = (int)row->order;
        def.node_count = (int)nodes, def.nodes = node;
        def.element_count = (int)row->elements, def.elements = number;
        status = carom_mesh_create(&def, NULL, out, error);
    }
    free(node);
    free(number);
    return status;
}

static carom_status read_one(sqlite3_stmt *statement, const char *path, crm_arena *arena, const crm_run *run,
                             int64_t number, carom_recorded_flex *out, carom_error *error) {
    flexible_row row;
    carom_mesh **mesh = &run->flex_mesh[number];
    carom_error why;
    if (!take_row(statement, run, number, &row) || carom_elastic_check(&row.elastic, &why) != CAROM_OK)
        return crm_database_damaged(path, damaged, error);
    carom_status status = CAROM_OK;
    const char *name = crm_run_keep_text(arena, row.name, path, &status, error);
    if (status != CAROM_OK) return status;
    status = make_mesh(&row, mesh, &why);
    *out = (carom_recorded_flex){name, (int)row.first_body, *mesh, row.elastic};
    if (status == CAROM_ERR_NO_MEMORY && error != NULL) *error = why;
    return status == CAROM_OK || status == CAROM_ERR_NO_MEMORY ? status : crm_database_damaged(path, damaged, error);
}

static carom_status read_all(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                             carom_recorded_flex *flexible, int64_t count, carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(database, path, "SELECT * FROM flexible ORDER BY number", &statement, error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_ROW;
    while (status == CAROM_OK && run->flex_count < count && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        status = read_one(statement, path, arena, run, run->flex_count, &flexible[run->flex_count], error);
        run->flex_count++;
    }
    if (status == CAROM_OK && code == SQLITE_DONE) status = crm_database_damaged(path, damaged, error);
    if (status == CAROM_OK && code != SQLITE_ROW) status = crm_database_fail(database, code, path, error);
    sqlite3_finalize(statement);
    return status;
}

carom_status crm_run_read_flexible(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run,
                                   carom_error *error) {
    bool there = false;
    int64_t count = 0;
    carom_status status = crm_database_has_table(database, path, "flexible", &there, error);
    if (status != CAROM_OK || !there) return status;
    status = crm_database_rows(database, path, "flexible", &count, error);
    // Each has a node, which is a body: no memory is taken for more.
    if (status == CAROM_OK && count > run->body_count) status = crm_database_damaged(path, damaged, error);
    if (status != CAROM_OK) return status;
    carom_recorded_flex *flexible = take_flexible(arena, count, error);
    run->flex_mesh = CRM_ARENA_ZEROED(arena, carom_mesh *, (ptrdiff_t)count);
    if (flexible == NULL) return CAROM_ERR_NO_MEMORY;
    if (run->flex_mesh == NULL) return crm_fail_memory(error, crm_shown_path(path), sizeof *flexible);
    run->flex = flexible;
    return read_all(database, path, arena, run, flexible, count, error);
}

void crm_run_free_flexible(crm_run *run) {
    for (int64_t i = 0; run->flex_mesh != NULL && i < run->flex_count; i++) carom_mesh_destroy(run->flex_mesh[i]);
    run->flex_count = 0;
}
