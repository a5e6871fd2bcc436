// SPDX-License-Identifier: MIT
// Steps that vary: pieces of time, each with its step.
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

static bool read_piece(const crm_json_node *node, double start, carom_step_piece *piece) {
    static const char *const keys[] = {"until", "step"};
    if (!crm_scene_is_object(node, "a piece of time", keys, CRM_SCENE_COUNT(keys))) return false;
    bool good = crm_scene_require(node, "until", "a positive number (s), where the piece ends") &&
                crm_scene_read_number(node, "until", CRM_SCENE_POSITIVE, "s", &piece->until);
    good &= crm_scene_require(node, "step", "a positive number (s)") &&
            crm_scene_read_number(node, "step", CRM_SCENE_POSITIVE, "s", &piece->step);
    if (!good || piece->until > start) return good;
    crm_json_node until = crm_scene_member(node, "until");
    return crm_scene_error(&until, "is %g s, must be later than %g s, where the piece begins", piece->until, start);
}

bool crm_scene_read_steps(const crm_json_node *method, carom_method_def *def) {
    crm_json_node list = crm_scene_member(method, "steps");
    if (list.value == NULL) return true;
    if (!crm_scene_is_array(&list, "an array of pieces of time, such as [{\"until\": 0.5, \"step\": 0.001}]"))
        return false;
    int count = (int)json_array_size(list.value);
    if (count == 0) return true;
    carom_step_piece *pieces = crm_scene_take(method, count, sizeof *pieces);
    if (pieces == NULL) return false;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        if (!read_piece(&item, i > 0 ? pieces[i - 1].until : 0.0, &pieces[i])) return false;
    }
    def->piece = pieces;
    def->piece_count = count;
    if (!crm_scene_has(method, "step")) def->step = pieces[count - 1].step;
    return true;
}
