// SPDX-License-Identifier: MIT
// Flexible bodies: their surfaces, as triangles of bodies, and what colours them in every kept frame.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "carom/flex.h"
#include "record/file/format.h"
#include "record/report/run_report.h"

static const double most16 = 65535.0;

static json_t *describe(crm_report *report, const carom_recorded_flex *flex, int first_triangle, int triangles) {
    crm_tree *tree = &report->tree;
    json_t *about = json_object();
    crm_tree_set(tree, about, "name", crm_tree_text(flex->name));
    crm_tree_set(tree, about, "first_body", json_integer(flex->first_body));
    crm_tree_set(tree, about, "node_count", json_integer(carom_mesh_node_count(flex->mesh)));
    crm_tree_set(tree, about, "element_count", json_integer(carom_mesh_element_count(flex->mesh)));
    crm_tree_set(tree, about, "order", json_integer(carom_mesh_order(flex->mesh)));
    crm_tree_set(tree, about, "model", json_string(carom_elastic_model_name(flex->elastic.model)));
    crm_tree_set(tree, about, "lambda", crm_tree_number(flex->elastic.lambda));
    crm_tree_set(tree, about, "mu", crm_tree_number(flex->elastic.mu));
    crm_tree_set(tree, about, "mass",
                 crm_tree_number(flex->elastic.density * carom_mesh_get_quality(flex->mesh).volume));
    crm_tree_set(tree, about, "first_triangle", json_integer(first_triangle));
    crm_tree_set(tree, about, "triangle_count", json_integer(triangles));
    return about;
}

static carom_status add_surfaces(crm_report *report, carom_error *error) {
    int total = 0, written = 0, count;
    for (int f = 0; f < report->info.flex_count; f++, total += count)
        (void)carom_mesh_surface(carom_recording_flex(report->recording, f)->mesh, &count);
    crm_blob *blob = NULL;
    carom_status status = crm_blobs_add(&report->blobs, "flex_triangles", "i32", 4, 3 * (int64_t)total, &blob, error);
    if (status != CAROM_OK) return status;
    json_t *list = json_array();
    for (int f = 0; f < report->info.flex_count; f++, written += count) {
        const carom_recorded_flex *flex = carom_recording_flex(report->recording, f);
        const carom_mesh_triangle *triangle = carom_mesh_surface(flex->mesh, &count);
        for (int t = 0; t < count; t++)
            for (int c = 0; c < 3; c++)
                crm_put_u32(blob->bytes + 4 * (3 * ((ptrdiff_t)written + t) + c),
                            (uint32_t)(flex->first_body + triangle[t].node[c]));
        crm_tree_append(&report->tree, list, describe(report, flex, written, count));
    }
    crm_tree_set(&report->tree, report->tree.header, "flexible", list);
    return CAROM_OK;
}

// ---- fields

// Numbers of all nodes in all frames, before they are brought to whole ones.
typedef struct field_values {
    int nodes; // of all flexible bodies
    carom_body_state *bodies;
    carom_vec3 *position;                 // of one flexible body's nodes
    double *row;                          // of one field (nodes)
    float *value[CAROM_FLEX_FIELD_COUNT]; // (frames times nodes)
    uint32_t *number;                     // of a frame (nodes)
} field_values;

static carom_status take_values(const crm_report *report, field_values *v, carom_error *error) {
    for (int f = 0; f < report->info.flex_count; f++)
        v->nodes += carom_mesh_node_count(carom_recording_flex(report->recording, f)->mesh);
    size_t nodes = (size_t)v->nodes, all = nodes * (size_t)report->frames;
    v->bodies = calloc((size_t)report->info.body_count, sizeof *v->bodies);
    v->position = calloc(nodes, sizeof *v->position);
    v->row = calloc(nodes, sizeof *v->row);
    v->number = calloc(nodes, sizeof *v->number);
    bool taken = v->bodies != NULL && v->position != NULL && v->row != NULL && v->number != NULL;
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++)
        taken &= (v->value[k] = calloc(all + 1, sizeof *v->value[k])) != NULL;
    return taken ? CAROM_OK : crm_fail_memory(error, "report", all * CAROM_FLEX_FIELD_COUNT * sizeof(float));
}

static void free_values(field_values *v) {
    free(v->bodies);
    free(v->position);
    free(v->row);
    free(v->number);
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++) free(v->value[k]);
}

// Of one flexible body; where its material has no stress, as it is inverted, the numbers stay zero.
static carom_status evaluate(const carom_recorded_flex *flex, field_values *v, ptrdiff_t at, carom_error *error) {
    int nodes = carom_mesh_node_count(flex->mesh);
    for (int n = 0; n < nodes; n++) v->position[n] = v->bodies[flex->first_body + n].position;
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT; k++) {
        carom_error why;
        carom_status status =
            carom_mesh_field(flex->mesh, &flex->elastic, v->position, (carom_flex_field_kind)k, v->row, &why);
        if (status == CAROM_ERR_NO_MEMORY) {
            if (error != NULL) *error = why;
            return status;
        }
        for (int n = 0; n < nodes && status == CAROM_OK; n++) v->value[k][at + n] = (float)v->row[n];
    }
    return CAROM_OK;
}

static carom_status evaluate_frames(const crm_report *report, field_values *v, carom_error *error) {
    for (int64_t f = 0; f < report->frames; f++) {
        carom_status status =
            carom_recording_get_frame(report->recording, crm_report_frame(report, f), NULL, NULL, v->bodies, error);
        ptrdiff_t at = (ptrdiff_t)f * v->nodes;
        for (int i = 0; i < report->info.flex_count && status == CAROM_OK; i++) {
            const carom_recorded_flex *flex = carom_recording_flex(report->recording, i);
            status = evaluate(flex, v, at, error);
            at += carom_mesh_node_count(flex->mesh);
        }
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

static void find_range(const float *value, ptrdiff_t count, crm_blob *blob) {
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t i = 0; i < count; i++) {
        if (!isfinite(value[i])) continue;
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    blob->components = 1;
    blob->low[0] = low <= high ? low : 0.0;
    blob->scale[0] = high > low ? (high - low) / most16 : 1.0;
}

static carom_status add_field(crm_report *report, field_values *v, carom_flex_field_kind field, carom_error *error) {
    char name[CRM_BLOB_NAME];
    snprintf(name, sizeof name, "flex_%s", carom_flex_field_name(field));
    crm_delta_table table;
    carom_status status = crm_delta_begin(&table, &report->blobs, name, 2, report->frames, v->nodes, error);
    if (status == CAROM_OK) {
        const float *value = v->value[field];
        find_range(value, (ptrdiff_t)report->frames * v->nodes, table.blob);
        for (int64_t f = 0; f < report->frames; f++) {
            for (int n = 0; n < v->nodes; n++) {
                double q = rint((*value++ - table.blob->low[0]) / table.blob->scale[0]);
                v->number[n] = isfinite(q) ? (uint32_t)fmin(fmax(q, 0.0), most16) : 0u;
            }
            crm_delta_row(&table, v->number);
        }
    }
    crm_delta_end(&table);
    return status;
}

carom_status crm_report_flexible(crm_report *report, carom_error *error) {
    if (report->info.flex_count == 0) return CAROM_OK;
    field_values values = {0};
    carom_status status = add_surfaces(report, error);
    if (status == CAROM_OK) status = take_values(report, &values, error);
    if (status == CAROM_OK) status = evaluate_frames(report, &values, error);
    for (int k = 0; k < CAROM_FLEX_FIELD_COUNT && status == CAROM_OK; k++)
        status = add_field(report, &values, (carom_flex_field_kind)k, error);
    free_values(&values);
    return status;
}
