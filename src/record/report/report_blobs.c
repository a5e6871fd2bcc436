// SPDX-License-Identifier: MIT
#include "record/report/report_blobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "record/file/format.h"

void crm_blobs_free(crm_blobs *blobs) {
    for (int i = 0; i < blobs->count; i++) free(blobs->item[i].bytes);
    blobs->count = 0;
}

carom_status crm_blobs_add(crm_blobs *blobs, const char *name, const char *type, int value_bytes, int64_t count,
                           crm_blob **out, carom_error *error) {
    if (blobs->count == CRM_MOST_BLOBS || strlen(name) >= CRM_BLOB_NAME)
        return crm_refuse(error, "report: '%.40s' is one array too many (at most %d), or its name is too long", name,
                          CRM_MOST_BLOBS);
    crm_blob *blob = &blobs->item[blobs->count];
    *blob = (crm_blob){.type = type, .count = count, .size = (size_t)count * (size_t)value_bytes};
    snprintf(blob->name, sizeof blob->name, "%s", name);
    blob->bytes = calloc(blob->size + 1, 1);
    if (blob->bytes == NULL) return crm_fail_memory(error, "report", blob->size);
    blobs->count++;
    *out = blob;
    return CAROM_OK;
}

carom_status crm_blobs_add_f64(crm_blobs *blobs, const char *name, int64_t count, const double *values,
                               carom_error *error) {
    crm_blob *blob = NULL;
    carom_status status = crm_blobs_add(blobs, name, "f64", 8, count, &blob, error);
    if (status != CAROM_OK) return status;
    for (int64_t i = 0; i < count; i++) crm_put_double(blob->bytes + 8 * i, values[i]);
    return CAROM_OK;
}

carom_status crm_blobs_add_f32(crm_blobs *blobs, const char *name, int64_t count, const double *values,
                               carom_error *error) {
    crm_blob *blob = NULL;
    carom_status status = crm_blobs_add(blobs, name, "f32", 4, count, &blob, error);
    if (status != CAROM_OK) return status;
    for (int64_t i = 0; i < count; i++) {
        float value = (float)values[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        crm_put_u32(blob->bytes + 4 * i, bits);
    }
    return CAROM_OK;
}

carom_status crm_blobs_add_text(crm_blobs *blobs, const char *name, const char *text, carom_error *error) {
    crm_blob *blob = NULL;
    carom_status status = crm_blobs_add(blobs, name, "utf8", 1, (int64_t)strlen(text), &blob, error);
    if (status != CAROM_OK) return status;
    memcpy(blob->bytes, text, blob->size);
    return CAROM_OK;
}

static json_t *describe(crm_tree *tree, const crm_blob *blob, size_t offset) {
    json_t *about = json_object();
    crm_tree_set(tree, about, "offset", json_integer((json_int_t)offset));
    crm_tree_set(tree, about, "type", json_string(blob->type));
    crm_tree_set(tree, about, "count", json_integer(blob->count));
    if (strncmp(blob->type, "delta", 5) == 0) {
        crm_tree_set(tree, about, "rows", json_integer(blob->rows));
        crm_tree_set(tree, about, "columns", json_integer(blob->columns));
    }
    if (blob->components > 0) {
        crm_tree_set(tree, about, "low", crm_tree_numbers(tree, blob->low, blob->components));
        crm_tree_set(tree, about, "scale", crm_tree_numbers(tree, blob->scale, blob->components));
    }
    return about;
}

void crm_blobs_describe(const crm_blobs *blobs, crm_tree *tree) {
    json_t *places = json_object();
    size_t offset = 0;
    for (int i = 0; i < blobs->count; i++) {
        const crm_blob *blob = &blobs->item[i];
        crm_tree_set(tree, places, blob->name, describe(tree, blob, offset));
        offset += blob->size + crm_blob_padding(blob);
    }
    crm_tree_set(tree, tree->header, "packed_bytes", json_integer((json_int_t)offset));
    crm_tree_set(tree, tree->header, "blobs", places);
}

// ---- tables of deltas

carom_status crm_delta_begin(crm_delta_table *table, crm_blobs *blobs, const char *name, int bytes, int64_t rows,
                             int64_t columns, carom_error *error) {
    *table = (crm_delta_table){.bytes = bytes};
    const char *type = bytes == 2 ? "delta16" : "delta24";
    carom_status status = crm_blobs_add(blobs, name, type, bytes, rows * columns, &table->blob, error);
    if (status != CAROM_OK) return status;
    table->blob->rows = rows;
    table->blob->columns = columns;
    for (int i = 0; i < 2; i++) {
        table->before[i] = calloc((size_t)columns + 1, sizeof *table->before[i]);
        if (table->before[i] == NULL) return crm_fail_memory(error, "report", (size_t)columns * sizeof(uint32_t));
    }
    return CAROM_OK;
}

void crm_delta_row(crm_delta_table *table, const uint32_t *numbers) {
    int64_t columns = table->blob->columns, plane = table->blob->rows * columns;
    uint32_t *last = table->before[0], *older = table->before[1];
    uint32_t mask = table->bytes == 2 ? 0xffffu : 0xffffffu, half = (mask >> 1) + 1;
    unsigned char *to = table->blob->bytes + table->row * columns;
    for (int64_t c = 0; c < columns; c++) {
        // Both rows before are zero at first; the second row is predicted to equal the first.
        uint32_t predicted = table->row < 2 ? last[c] : 2 * last[c] - older[c];
        uint32_t d = (numbers[c] - predicted) & mask;
        uint32_t folded = d < half ? 2 * d : 2 * (mask - d) + 1; // -s - 1 = mask - d
        for (int p = 0; p < table->bytes; p++) to[p * plane + c] = (unsigned char)(folded >> 8 * p);
    }
    memcpy(older, numbers, (size_t)columns * sizeof *older);
    table->before[0] = older;
    table->before[1] = last;
    table->row++;
}

void crm_delta_end(crm_delta_table *table) {
    free(table->before[0]);
    free(table->before[1]);
    *table = (crm_delta_table){.bytes = table->bytes};
}
