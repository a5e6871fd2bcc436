// SPDX-License-Identifier: MIT
#include "support/model/flexible.h"

#include "support/harness/check.h"

carom_flex flexible_box(carom_model *model, carom_vec3 size, int cells, int order, const carom_flex_def *given) {
    carom_error error = {.text = ""};
    carom_flex_def def = given != NULL ? *given : flexible_soft();
    carom_mesh *mesh = NULL;
    const int counts[3] = {cells, cells, cells};
    carom_flex flex = {-1};
    if (carom_mesh_create_box(size, counts, order, NULL, &mesh, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    def.mesh = mesh;
    if (carom_model_add_flex(model, &def, &flex, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_mesh_destroy(mesh);
    return flex;
}

carom_flex_def flexible_soft(void) {
    carom_flex_def def = carom_flex_def_default();
    def.elastic.lambda = 1e4;
    def.elastic.mu = 5e3;
    def.elastic.density = 270.0;
    return def;
}

carom_state *flexible_state(carom_model *model, const carom_method_def *def) {
    carom_error error = {.text = ""};
    carom_state *state = NULL;
    if (carom_model_freeze(model, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    if (carom_state_create(model, def, &state, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    return state;
}
