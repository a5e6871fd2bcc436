// SPDX-License-Identifier: MIT
#include "verify/flex/verify_flex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Zero-based numbers of nodes, `corners` each, on the arena.
static int32_t *read_elements(crm_reference *r, const json_t *list, crm_arena *arena, size_t corners) {
    size_t count = json_array_size(list);
    int32_t *out = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)(count * corners));
    if (out == NULL) crm_reference_refuse_memory(r, "elements of a reference file", count * corners * sizeof *out);
    for (size_t e = 0; r->status == CAROM_OK && e < count; e++) {
        const json_t *element = json_array_get(list, e);
        if (json_array_size(element) != corners)
            crm_reference_fail(r, "input.tets[%zu] must be an array of %zu numbers", e, corners);
        for (size_t a = 0; r->status == CAROM_OK && a < corners; a++)
            out[e * corners + a] = (int32_t)json_integer_value(json_array_get(element, a));
    }
    return r->status == CAROM_OK ? out : NULL;
}

static int32_t *number_nodes(crm_reference *r, int count, crm_arena *arena) {
    int32_t *out = CRM_ARENA_ARRAY(arena, int32_t, count);
    if (out == NULL) crm_reference_refuse_memory(r, "elements of a reference file", (size_t)count * sizeof *out);
    for (int a = 0; out != NULL && a < count; a++) out[a] = a;
    return out;
}

carom_mesh *crm_flex_read_mesh(crm_reference *reference, const json_t *input, const carom_allocator *allocator,
                               crm_arena *arena) {
    carom_mesh_def def = carom_mesh_def_default();
    carom_mesh *mesh = NULL;
    carom_error error;
    def.nodes = crm_reference_points(reference, input, "input", "nodes", arena, &def.node_count);
    const json_t *list = crm_reference_optional(reference, input, "tets");
    size_t corners = list != NULL ? json_array_size(json_array_get(list, 0)) : (size_t)def.node_count;
    if (corners != 4 && corners != 10)
        crm_reference_fail(reference, "input has elements of %zu nodes, must have 4 or 10 each", corners);
    def.order = corners == 10 ? 2 : 1;
    def.element_count = list != NULL ? (int)json_array_size(list) : 1;
    if (reference->status != CAROM_OK) return NULL;
    def.elements =
        list != NULL ? read_elements(reference, list, arena, corners) : number_nodes(reference, def.node_count, arena);
    if (reference->status == CAROM_OK && carom_mesh_create(&def, allocator, &mesh, &error) != CAROM_OK)
        crm_reference_refuse(reference, &error);
    return reference->status == CAROM_OK ? mesh : NULL;
}

carom_elastic_def crm_flex_read_elastic(crm_reference *reference, const json_t *input) {
    carom_elastic_def def = carom_elastic_def_default();
    if (crm_reference_has(input, "material")) {
        const char *name = crm_reference_text(reference, input, "input", "material");
        int model = 0;
        while (model < CAROM_ELASTIC_MODEL_COUNT && strcmp(name, carom_elastic_model_name(model)) != 0) model++;
        if (model == CAROM_ELASTIC_MODEL_COUNT)
            crm_reference_fail(reference, "input.material is '%.60s', must be neo_hookean, stvk or corotated", name);
        def.model = (carom_elastic_model)model;
    }
    def.lambda = crm_reference_number(reference, input, "input", "lambda");
    def.mu = crm_reference_positive(reference, input, "input", "mu");
    if (crm_reference_has(input, "density")) def.density = crm_reference_positive(reference, input, "input", "density");
    return def;
}

const int32_t *crm_flex_read_nodes(crm_reference *reference, const json_t *object, const char *where, const char *key,
                                   int node_count, crm_arena *arena, int *count) {
    const double *numbers = crm_reference_numbers(reference, object, where, key, arena, count);
    int32_t *out = CRM_ARENA_ARRAY(arena, int32_t, *count);
    if (out == NULL) crm_reference_refuse_memory(reference, "nodes of a reference file", 0);
    for (int i = 0; out != NULL && i < *count; i++) {
        if (!(numbers[i] >= 0.0 && numbers[i] < node_count && numbers[i] == floor(numbers[i])))
            crm_reference_fail(reference, "%s.%s[%d] is %g, must be the number of one of %d nodes", where, key, i,
                               numbers[i], node_count);
        out[i] = reference->status == CAROM_OK ? (int32_t)numbers[i] : 0;
    }
    return *count > 0 ? out : NULL;
}

const carom_vec3 *crm_flex_read_points(crm_reference *reference, const json_t *object, const char *where,
                                       const char *key, int count, crm_arena *arena) {
    int found;
    const carom_vec3 *out = crm_reference_points(reference, object, where, key, arena, &found);
    if (reference->status == CAROM_OK && found != count)
        crm_reference_fail(reference, "%s.%s has %d vectors, must have %d", where, key, found, count);
    return reference->status == CAROM_OK ? out : NULL;
}

double crm_flex_tolerance(crm_reference *reference, const crm_case *what, const char *key) {
    const json_t *value = json_object_get(what->tolerance, key);
    if (!json_is_string(value)) return crm_reference_positive(reference, what->tolerance, "tolerance", key);
    double number = strtod(json_string_value(value), NULL);
    if (!(number > 0.0)) crm_reference_fail(reference, "tolerance.%s must begin with a positive number", key);
    return number;
}

double crm_flex_difference(int count, const carom_vec3 *got, const carom_vec3 *wanted, double scale) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        if (!crm_vec3_finite(got[i])) return INFINITY;
        largest = fmax(largest, crm_max_component(crm_vec3_abs(crm_sub(got[i], wanted[i]))));
    }
    return largest / scale;
}
