// SPDX-License-Identifier: MIT
#include "model/body_groups.h"

#include "base/forest.h"

void crm_body_groups_join(const carom_model *model, int *of, int a, int b) {
    if (crm_body_moves(model, a) && crm_body_moves(model, b)) crm_forest_join(of, a, b);
}

// The first of the bodies that move is all that a fluid needs: each is joined to it.
static void join_in_fluid(const carom_model *model, int *of) {
    int first = -1;
    for (int b = 0; b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b)) continue;
        if (first >= 0) crm_forest_join(of, first, b);
        if (first < 0) first = b;
    }
}

static void join_nodes(const carom_model *model, const crm_flex *flex, int *of) {
    for (int n = 0; n < flex->node_count; n++)
        crm_body_groups_join(model, of, flex->first_moving, flex->first_body + n);
    for (int i = 0; i < flex->attachment_count; i++)
        crm_body_groups_join(model, of, flex->attachment[i].body, flex->attachment[i].node);
}

void crm_body_groups_by_joints(const carom_model *model, int *of) {
    for (int b = 0; b < model->bodies.count; b++) of[b] = b;
    for (int j = 0; j < model->joints.count; j++)
        crm_body_groups_join(model, of, model->joints.items[j].a.body, model->joints.items[j].b.body);
}

void crm_body_groups(const carom_model *model, int *of) {
    crm_body_groups_by_joints(model, of);
    for (int p = 0; p < model->pair_potentials.count; p++)
        crm_body_groups_join(model, of, model->pair_potentials.items[p].a.body, model->pair_potentials.items[p].b.body);
    for (int i = 0; i < model->system_callbacks.count; i++) {
        const crm_system_callback *callback = &model->system_callbacks.items[i];
        int first = -1; // of those that move, which all others are joined to
        for (int k = 0; k < callback->count; k++) {
            if (first >= 0) crm_body_groups_join(model, of, first, callback->body[k]);
            if (first < 0 && crm_body_moves(model, callback->body[k])) first = callback->body[k];
        }
    }
    for (int f = 0; f < model->flexes.count; f++) join_nodes(model, &model->flexes.items[f], of);
    if (model->mobility.kind != CAROM_MOBILITY_NONE) join_in_fluid(model, of);
}
