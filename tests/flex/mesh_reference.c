// SPDX-License-Identifier: MIT
// The meshes of the stored cases of flexible bodies are taken as they are.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "carom/mesh.h"
#include "reference/motion/oracle.h"
#include "support/harness/check.h"

static int list(const json_t *input, const char *name, double **values) {
    int count = oracle_numbers(input, name, NULL, 0);
    *values = malloc(((size_t)count + 1) * sizeof **values);
    return oracle_numbers(input, name, *values, count);
}

// A case without "tets" has one element of all its nodes.
static void check_case(const oracle_case *c) {
    double *numbers, *nodes;
    int node_count = list(c->input, "nodes", &nodes) / 3, count = list(c->input, "tets", &numbers);
    int size = node_count;
    if (count > 0)
        size = (int)json_array_size(json_array_get(json_object_get(c->input, "tets"), 0));
    else
        count = node_count;
    int32_t *elements = malloc((size_t)count * sizeof *elements);
    for (int i = 0; i < count; i++) elements[i] = oracle_has(c->input, "tets") ? (int32_t)numbers[i] : i;
    carom_mesh_def def = carom_mesh_def_default();
    def.order = size == 10 ? 2 : 1;
    def.node_count = node_count, def.nodes = (const carom_vec3 *)(const void *)nodes;
    def.element_count = count / size, def.elements = elements;
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    carom_status status = carom_mesh_create(&def, NULL, &mesh, &error);
    if (!CHECK_TEXT(error.text, "") || status != CAROM_OK) fprintf(stderr, "  in %s\n", c->id);
    if (mesh != NULL && oracle_has(c->expected, "volume"))
        CHECK_NEAR(carom_mesh_get_quality(mesh).volume / oracle_number(c->expected, "volume"), 1.0, 1e-13);
    carom_mesh_destroy(mesh);
    free(elements);
    free(numbers);
    free(nodes);
}

static void check_file(const char *file, bool needed) {
    const char *folder = getenv("CAROM_REFERENCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder != NULL && folder[0] != '\0' ? folder : CAROM_SOURCE_DIR "/tests/data",
             file);
    if (!needed && access(path, R_OK) != 0) return;
    json_t *oracle = oracle_open(file);
    for (int i = 0; i < oracle_count(oracle); i++) {
        oracle_case c = oracle_at(oracle, i);
        check_case(&c);
    }
    json_decref(oracle);
}

TEST(meshes_of_stored_cases_are_taken) {
    check_file("flex_modes.json", true);
    check_file("flex_bar.json", false);
    check_file("flex_element.json", false);
    check_file("flex_hertz.json", false);
    check_file("flex_implicit.json", false);
    check_file("flex_newmark.json", false);
    check_file("flex_patch.json", false);
    check_file("flex_static.json", false);
}

TEST_MAIN(CASE(meshes_of_stored_cases_are_taken))
