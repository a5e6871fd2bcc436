// SPDX-License-Identifier: MIT
#include "step/contacts/collision_list.h"

#include "model/motion.h"

double crm_collision_energy(const carom_model *model, const crm_motion *motions, int a, int b) {
    const int both[] = {a, b};
    double energy = 0.0;
    for (int i = 0; i < 2; i++) {
        const crm_body *body = &model->bodies.items[both[i]];
        if (body->kind != CAROM_BODY_FIXED) energy += crm_motion_kinetic_energy(body, &motions[both[i]]);
    }
    return energy;
}

carom_collision *crm_collision_add(carom_state *state, double time, int a, int b, const crm_contact_point *touch) {
    const carom_collision collision = {.step = state->step_count + 1,
                                       .time = time,
                                       .a = {a},
                                       .b = {b},
                                       .point = touch->point,
                                       .normal = touch->normal};
    if (!CRM_ARRAY_PUSH(&state->model->allocator, &state->collisions, collision)) return NULL;
    return &state->collisions.items[state->collisions.count - 1];
}

// They come as sorted runs, one of each cluster: mostly all of them are in their places.
void crm_collisions_sort(carom_state *state) {
    carom_collision *list = state->collisions.items;
    for (int i = 1; i < state->collisions.count; i++) {
        const carom_collision moved = list[i];
        int at = i;
        for (; at > 0 && list[at - 1].time > moved.time; at--) list[at] = list[at - 1];
        list[at] = moved;
    }
}
