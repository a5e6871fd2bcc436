// SPDX-License-Identifier: MIT
// A state as a run would make it: what is said about it then.
#include "scene/check/lint.h"
#include "scene/read/fields.h"

// Something can be open or overlap.
static bool has_start(const crm_scene_data *data) {
    for (int i = 0; i < data->body_count; i++)
        if (data->body[i].shape >= 0) return true;
    return data->joint_count > 0;
}

void crm_scene_lint_start(const crm_json_node *root, const crm_scene_data *data, const carom_model *model) {
    if (!has_start(data) || model == NULL || root->context->log->error_count > 0) return;
    crm_json_node joints = crm_scene_member(root, "joints"), bodies = crm_scene_member(root, "bodies"),
                  choice = crm_scene_member(root, "start_overlaps");
    carom_error error;
    carom_state *state;
    carom_status status = carom_state_create(model, &data->method, &state, &error);
    if (status == CAROM_ERR_NO_MEMORY) {
        root->context->no_memory = true;
    } else if (status != CAROM_OK) {
        crm_scene_warn(data->joint_count > 0 ? &joints : &bodies, "a run cannot begin: %s", error.text);
    } else {
        const char *overlaps = carom_state_start(state)->text;
        if (overlaps[0] != '\0') crm_scene_warn(choice.value != NULL ? &choice : &bodies, "%s", overlaps);
        crm_scene_lint_joint_starts(root, data, state);
        carom_state_destroy(state);
    }
}
