// SPDX-License-Identifier: MIT
// Which bodies can have contacts with each other.
//
// Pairs that a joint keeps from touching are kept as numbers, the lower index in the upper half, sorted when the model
// is frozen: they are looked up once for every pair of bodies that come near each other, in every step.
#include <stdlib.h>

#include "base/fail.h"
#include "model/joint/joint_switch.h"
#include "model/model.h"
#include "model/proxies.h"

carom_status carom_model_set_pair_filter(carom_model *model, carom_pair_filter *filter, void *user,
                                         carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_open(model, error);
    if (status != CAROM_OK) return status;
    model->filter = filter;
    model->filter_user = user;
    return CAROM_OK;
}

static uint64_t pair_key(int32_t a, int32_t b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

carom_status crm_model_exclude_jointed(carom_model *model, bool closed, carom_error *error) {
    model->excluded.count = 0;
    for (int j = 0; j < model->joints.count; j++) {
        const carom_joint_def *def = &model->joints.items[j].def;
        if (!closed && crm_joint_switches(&model->joints.items[j])) continue;
        if (def->bodies_touch || def->a.index < 0 || def->b.index < 0) continue;
        if (!CRM_ARRAY_PUSH(&model->allocator, &model->excluded, pair_key(def->a.index, def->b.index))) {
            model->excluded.count = 0;
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the pairs of %d joints", model->joints.count);
        }
    }
    if (model->excluded.count > 1)
        qsort(model->excluded.items, (size_t)model->excluded.count, sizeof *model->excluded.items, compare_keys);
    return CAROM_OK;
}

static bool is_excluded(const carom_model *model, int32_t a, int32_t b) {
    uint64_t key = pair_key(a, b);
    return model->excluded.count > 0 && bsearch(&key, model->excluded.items, (size_t)model->excluded.count,
                                                sizeof *model->excluded.items, compare_keys) != NULL;
}

// What carries some nodes of a flexible body touches none of them, as bodies that a joint connects do not touch.
static bool carries(const carom_model *model, int32_t body, int32_t node) {
    int32_t flex = model->bodies.items[node].flex;
    if (flex < 0) return false;
    const carom_flex_def *def = &model->flexes.items[flex].def;
    for (int i = 0; i < def->attachment_count; i++)
        if (def->attachments[i].body.index == body) return true;
    return false;
}

bool crm_model_pair_allowed(const carom_model *model, int32_t a, int32_t b) {
    return !is_excluded(model, a, b) && !carries(model, a, b) && !carries(model, b, a) &&
           (model->filter == NULL || model->filter(model->filter_user, a, b));
}

bool crm_model_pair_filter(void *user, int32_t a, int32_t b) {
    const carom_model *model = user;
    if (model->bodies.items[a].flex >= 0 && model->bodies.items[b].flex >= 0) return false; // surfaces, not points
    return crm_model_pair_allowed(model, a, b);
}

bool carom_model_bodies_meet(const carom_model *model, carom_body a, carom_body b) {
    int low = a.index < b.index ? a.index : b.index, high = a.index < b.index ? b.index : a.index;
    if (!model->frozen || low < 0 || high >= model->bodies.count || low == high) return false;
    const carom_body_def *first = &model->bodies.items[low].def, *second = &model->bodies.items[high].def;
    if (first->shape.index < 0 || second->shape.index < 0) return false;
    if (first->kind == CAROM_BODY_FIXED && second->kind == CAROM_BODY_FIXED) return false;
    if ((first->groups & second->meets) == 0 || (second->groups & first->meets) == 0) return false;
    return crm_model_pair_filter((void *)model, low, high);
}
