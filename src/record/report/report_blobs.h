// SPDX-License-Identifier: MIT
// The packed numbers of a report: named arrays that are deflated together (docs/report.md).
#ifndef CRM_RECORD_REPORT_BLOBS_H
#define CRM_RECORD_REPORT_BLOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"
#include "record/report/json_tree.h"

enum { CRM_MOST_BLOBS = 96, CRM_BLOB_COMPONENTS = 6, CRM_BLOB_NAME = 32 };

typedef struct crm_blob {
    char name[CRM_BLOB_NAME];
    const char *type;
    int64_t count; // values
    size_t size;   // bytes
    unsigned char *bytes;
    int64_t rows, columns; // of tables of deltas; else 0
    int components;        // of low and scale; 0: the numbers are the values
    double low[CRM_BLOB_COMPONENTS], scale[CRM_BLOB_COMPONENTS];
} crm_blob;

typedef struct crm_blobs {
    int count;
    crm_blob item[CRM_MOST_BLOBS];
} crm_blobs;

void crm_blobs_free(crm_blobs *blobs);

// Adds an array of `count` values of `value_bytes` each, all zero bytes.
carom_status crm_blobs_add(crm_blobs *blobs, const char *name, const char *type, int value_bytes, int64_t count,
                           crm_blob **out, carom_error *error);
// Copies of numbers, as "f64" or "f32".
carom_status crm_blobs_add_f64(crm_blobs *blobs, const char *name, int64_t count, const double *values,
                               carom_error *error);
carom_status crm_blobs_add_f32(crm_blobs *blobs, const char *name, int64_t count, const double *values,
                               carom_error *error);
carom_status crm_blobs_add_text(crm_blobs *blobs, const char *name, const char *text, carom_error *error);

// Every blob begins at a multiple of 8 bytes.
static inline size_t crm_blob_padding(const crm_blob *blob) {
    return (8 - blob->size % 8) % 8;
}

// The members `packed_bytes` and `blobs` of the header.
void crm_blobs_describe(const crm_blobs *blobs, crm_tree *tree);

// A table of whole numbers that changes smoothly from row to row, written row by row into a blob of type "delta16" or
// "delta24".
typedef struct crm_delta_table {
    crm_blob *blob;
    int bytes;           // of a number: 2 or 3
    uint32_t *before[2]; // the last row and the one before it (columns each)
    int64_t row;         // that comes next
} crm_delta_table;

carom_status crm_delta_begin(crm_delta_table *table, crm_blobs *blobs, const char *name, int bytes, int64_t rows,
                             int64_t columns, carom_error *error);
void crm_delta_row(crm_delta_table *table, const uint32_t *numbers); // below 2^16 or 2^24
void crm_delta_end(crm_delta_table *table);

#endif
