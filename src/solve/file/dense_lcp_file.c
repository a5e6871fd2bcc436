// SPDX-License-Identifier: MIT
// Dense complementarity problems in files: w = M z + q.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "solve/file/problem_json.h"
#include "solve/file/problem_kinds.h"
#include "solve/problem.h"

// ---- reading

static void read_row(crm_reader *in, const json_t *list, int row, int size, double *to) {
    char what[32];
    snprintf(what, sizeof what, "M[%d]", row);
    const double *values = crm_read_numbers(in, list, what, size, NULL);
    if (values != NULL) memcpy(to, values, sizeof(double) * (size_t)size);
}

carom_dense_lcp *crm_read_dense_lcp(crm_reader *in, const json_t *root) {
    int size = 0;
    const double *offset = crm_read_numbers(in, crm_read_member(in, root, "the file", "q"), "q", -1, &size);
    const json_t *list = crm_read_member(in, root, "the file", "M");
    if (in->status == CAROM_OK && (!json_is_array(list) || json_array_size(list) != (size_t)size))
        crm_read_fail(in, "M must be a list of %d rows, as many as q has numbers", size);
    carom_dense_lcp *lcp = crm_read_room(in, 1, sizeof *lcp);
    double *matrix = crm_read_room(in, (size_t)size * (size_t)size, sizeof *matrix);
    for (int i = 0; i < size && in->status == CAROM_OK; i++)
        read_row(in, json_array_get(list, (size_t)i), i, size, matrix + (size_t)i * (size_t)size);
    if (in->status == CAROM_OK) *lcp = (carom_dense_lcp){.size = size, .matrix = matrix, .offset = offset};
    return lcp;
}

// ---- writing

static json_t *rows_of(const carom_dense_lcp *lcp) {
    json_t *list = json_array();
    for (int i = 0; i < lcp->size; i++) {
        json_t *row = crm_json_numbers(lcp->matrix + (size_t)i * (size_t)lcp->size, lcp->size);
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

carom_status carom_dense_lcp_write(const carom_dense_lcp *lcp, const char *name, const double *z, const char *path,
                                   carom_error *error) {
    if (lcp == NULL || lcp->size < 0 || (lcp->size > 0 && (lcp->matrix == NULL || lcp->offset == NULL)))
        return crm_refuse(error, "the problem has no matrix or no offset, or a negative size");
    int size = lcp->size;
    carom_status status = crm_json_check(name, z, size, error);
    for (int i = 0; i < size && status == CAROM_OK; i++)
        status = crm_check_finite(lcp->matrix + (size_t)i * (size_t)size, size, "M", error);
    if (status == CAROM_OK) status = crm_check_finite(lcp->offset, size, "q", error);
    if (status != CAROM_OK) return status;
    json_t *root = json_pack("{s:s, s:s, s:o, s:o}", "name", name != NULL ? name : "", "kind", "lcp", "M", rows_of(lcp),
                             "q", crm_json_numbers(lcp->offset, lcp->size));
    if (root != NULL && z != NULL && json_object_set_new(root, "z", crm_json_numbers(z, lcp->size)) != 0) {
        json_decref(root);
        root = NULL;
    }
    return crm_json_write(root, path, error);
}
