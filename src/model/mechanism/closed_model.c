// SPDX-License-Identifier: MIT
#include "model/mechanism/closed_model.h"

#include "base/fail.h"

static carom_status take_joints(const carom_model *whole, const crm_joint_switch *at, const bool *only,
                                crm_closed_model *closed, carom_error *error) {
    int count = whole->joints.count;
    crm_joint *joints = CRM_ARENA_ARRAY(&closed->arena, crm_joint, count);
    closed->joint = CRM_ARENA_ARRAY(&closed->arena, int, count);
    closed->number_of = CRM_ARENA_ARRAY(&closed->arena, int, count);
    if (crm_arena_refused(&closed->arena)) return crm_fail_memory(error, "joints", (size_t)count * sizeof *joints);
    carom_model *model = &closed->model;
    model->joints.items = joints;
    model->joints.count = 0;
    model->joints.capacity = count;
    for (int j = 0; j < count; j++) {
        closed->number_of[j] = -1;
        if (at[j].status != CRM_SWITCH_CLOSED || (only != NULL && !only[j])) continue;
        closed->number_of[j] = model->joints.count;
        closed->joint[model->joints.count] = j;
        joints[model->joints.count++] = crm_joint_placed(&whole->joints.items[j], &at[j]);
    }
    model->joint_numbers = closed->joint;
    return CAROM_OK;
}

carom_status crm_closed_model_create(const carom_model *whole, const crm_joint_switch *at, const bool *only,
                                     crm_closed_model **out, carom_error *error) {
    *out = NULL;
    const carom_allocator *allocator = &whole->allocator;
    crm_closed_model *closed = allocator->allocate(allocator->user, sizeof *closed);
    if (closed == NULL) return crm_fail_memory(error, "model of the closed joints", sizeof *closed);
    *closed = (crm_closed_model){.model = *whole};
    closed->model.excluded.items = NULL;
    closed->model.excluded.count = closed->model.excluded.capacity = 0;
    closed->model.graph = (crm_joint_graph){0};
    crm_arena_init(&closed->arena, allocator);
    carom_status status = take_joints(whole, at, only, closed, error);
    if (status == CAROM_OK) status = crm_model_exclude_jointed(&closed->model, error);
    if (status == CAROM_OK) status = crm_joint_graph_create(&closed->model, error);
    if (status == CAROM_OK)
        *out = closed;
    else
        crm_closed_model_destroy(closed);
    return status;
}

void crm_closed_model_destroy(crm_closed_model *closed) {
    if (closed == NULL) return;
    carom_allocator allocator = closed->model.allocator;
    CRM_ARRAY_FREE(&allocator, &closed->model.excluded);
    crm_joint_graph_free(&closed->model.graph);
    crm_arena_free(&closed->arena);
    allocator.release(allocator.user, closed, sizeof *closed);
}
