// SPDX-License-Identifier: MIT
#include "run/flexible_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "carom/flex.h"
#include "verb/verb.h"

// ---- from a model, from a recording

static int begin_list(int count, flexible_list *out) {
    out->item = calloc((size_t)count + 1, sizeof *out->item);
    if (out->item == NULL) return refuse_memory("the flexible bodies");
    out->count = count;
    return EXIT_GOOD;
}

static int make_item(flexible_item *item, const char *name, const carom_mesh *mesh, const carom_elastic_def *elastic) {
    size_t nodes = (size_t)carom_mesh_node_count(mesh);
    *item = (flexible_item){.name = name, .mesh = mesh, .elastic = *elastic};
    item->start = malloc(nodes * sizeof *item->start);
    item->fixed = malloc(nodes * sizeof *item->fixed);
    return item->start != NULL && item->fixed != NULL ? EXIT_GOOD : refuse_memory("the flexible bodies");
}

static int find_stable_step(flexible_item *item) {
    item->stable_step = NAN;
    carom_status status = carom_mesh_stable_step(item->mesh, &item->elastic, item->start, item->fixed_count,
                                                 item->fixed, &item->stable_step, NULL);
    return status != CAROM_ERR_NO_MEMORY ? EXIT_GOOD : refuse_memory("the flexible bodies");
}

int list_model_flexible(const carom_model *model, flexible_list *out) {
    *out = (flexible_list){.count = 0};
    int code = begin_list(carom_model_flex_count(model), out);
    for (int f = 0; f < out->count && code == EXIT_GOOD; f++) {
        carom_flex flex = {f};
        const carom_flex_def *def = carom_model_flex_def(model, flex);
        flexible_item *item = &out->item[f];
        code = make_item(item, carom_model_flex_name(model, flex), def->mesh, &def->elastic);
        for (int n = 0; n < carom_mesh_node_count(def->mesh) && code == EXIT_GOOD; n++) {
            carom_body_def node;
            (void)carom_model_get_body(model, carom_model_flex_node(model, flex, n), &node, NULL); // one of its model
            item->start[n] = node.position;
            if (node.kind == CAROM_BODY_FIXED) item->fixed[item->fixed_count++] = n;
        }
        if (code == EXIT_GOOD) code = find_stable_step(item);
        out->nodes += carom_mesh_node_count(def->mesh);
    }
    return code;
}

static int take_recorded(const carom_recording *recording, const carom_body_state *first, int index,
                         flexible_list *out) {
    const carom_recorded_flex *flex = carom_recording_flex(recording, index);
    flexible_item *item = &out->item[index];
    int nodes = carom_mesh_node_count(flex->mesh), code = make_item(item, flex->name, flex->mesh, &flex->elastic);
    for (int n = 0; n < nodes && code == EXIT_GOOD; n++) {
        item->start[n] = first != NULL ? first[flex->first_body + n].position : carom_mesh_nodes(flex->mesh)[n];
        if (strcmp(carom_recording_body(recording, flex->first_body + n)->kind, "fixed") == 0)
            item->fixed[item->fixed_count++] = n;
    }
    if (code == EXIT_GOOD) code = find_stable_step(item);
    out->nodes += nodes;
    return code;
}

int list_recorded_flexible(const char *path, flexible_list *out) {
    carom_error error;
    carom_recording_info info;
    *out = (flexible_list){.count = 0};
    if (carom_recording_open(path, &out->recording, &error) != CAROM_OK ||
        carom_recording_get_info(out->recording, &info, &error) != CAROM_OK)
        return refuse_error(&error);
    int code = begin_list(info.flex_count, out);
    if (code != EXIT_GOOD || info.flex_count == 0) return code;
    carom_body_state *first = malloc(((size_t)info.body_count + 1) * sizeof *first);
    if (first == NULL) return refuse_memory("a frame");
    if (info.frame_count > 0 && carom_recording_get_frame(out->recording, 0, NULL, NULL, first, &error) != CAROM_OK)
        code = refuse_error(&error);
    for (int f = 0; f < out->count && code == EXIT_GOOD; f++)
        code = take_recorded(out->recording, info.frame_count > 0 ? first : NULL, f, out);
    free(first);
    return code;
}

void free_flexible(flexible_list *list) {
    for (int i = 0; i < list->count; i++) {
        free(list->item[i].start);
        free(list->item[i].fixed);
    }
    free(list->item);
    carom_recording_close(list->recording);
}

// ---- as lines and objects

static bool same_numbers(const int32_t *a, const int32_t *b, int count) {
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// Whether all that a line has but the name is the same of both. Steps are found to 1e-9.
static bool are_alike(const flexible_item *a, const flexible_item *b) {
    int nodes = carom_mesh_node_count(a->mesh), elements = carom_mesh_element_count(a->mesh);
    int order = carom_mesh_order(a->mesh);
    return nodes == carom_mesh_node_count(b->mesh) && elements == carom_mesh_element_count(b->mesh) &&
           order == carom_mesh_order(b->mesh) &&
           memcmp(carom_mesh_nodes(a->mesh), carom_mesh_nodes(b->mesh), (size_t)nodes * sizeof(carom_vec3)) == 0 &&
           same_numbers(carom_mesh_elements(a->mesh), carom_mesh_elements(b->mesh),
                        elements * CAROM_ELEMENT_NODES(order)) &&
           a->elastic.density == b->elastic.density && fabs(a->stable_step / b->stable_step - 1.0) < 1e-6;
}

static void print_line(FILE *to, const flexible_item *item, int alike) {
    int elements = carom_mesh_element_count(item->mesh);
    fputc('\'', to);
    print_clean(to, item->name);
    fputc('\'', to);
    if (alike > 0) fprintf(to, " and %d more like it, each", alike);
    fprintf(to, " %d nodes, %d element%s of %d, quality %.2g at least", carom_mesh_node_count(item->mesh), elements,
            elements == 1 ? "" : "s", CAROM_ELEMENT_NODES(carom_mesh_order(item->mesh)),
            carom_mesh_get_quality(item->mesh).least_quality);
    if (isfinite(item->stable_step)) fprintf(to, ", explicit steps up to %.3g s", item->stable_step);
    fputc('\n', to);
}

void print_flexible(FILE *to, const char *indent, const char *label, const flexible_list *list) {
    for (int i = 0, alike; i < list->count; i += 1 + alike) {
        for (alike = 0; i + alike + 1 < list->count && are_alike(&list->item[i], &list->item[i + alike + 1]);) alike++;
        fprintf(to, "%s%-11s", indent, i == 0 ? label : "");
        print_line(to, &list->item[i], alike);
    }
}

void put_flexible(jsonl_writer *json, const flexible_list *list) {
    jsonl_open_list(json, "flexible");
    for (int i = 0; i < list->count; i++) {
        const flexible_item *item = &list->item[i];
        carom_mesh_quality quality = carom_mesh_get_quality(item->mesh);
        jsonl_open(json, NULL);
        jsonl_text(json, "name", item->name);
        jsonl_int(json, "nodes", carom_mesh_node_count(item->mesh));
        jsonl_int(json, "elements", carom_mesh_element_count(item->mesh));
        jsonl_int(json, "order", carom_mesh_order(item->mesh));
        jsonl_number(json, "mass", item->elastic.density * quality.volume);
        jsonl_number(json, "least_quality", quality.least_quality);
        jsonl_int(json, "worst_element", quality.worst_element);
        jsonl_int(json, "pieces", quality.pieces);
        jsonl_number(json, "stable_step", item->stable_step);
        jsonl_close(json);
    }
    jsonl_close_list(json);
}
