// SPDX-License-Identifier: MIT
#include "model/force/acting.h"

static void mark(carom_model *model, int body, unsigned kinds) {
    if (body >= 0) model->bodies.items[body].acting |= kinds;
}

static void mark_forces(carom_model *model) {
    for (int i = 0; i < model->drags.count; i++) mark(model, model->drags.items[i].body.index, CRM_ACTS_DRAG);
    for (int i = 0; i < model->springs.count; i++) {
        const crm_spring *spring = &model->springs.items[i];
        unsigned kinds = CRM_ACTS_SPRING | (spring->damping > 0.0 ? CRM_ACTS_DAMPER : 0u);
        mark(model, spring->a.body, kinds);
        mark(model, spring->b.body, kinds);
    }
    for (int i = 0; i < model->pair_potentials.count; i++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[i];
        if (pair->kind != CRM_PAIR_POTENTIAL_CHARGES) continue;
        mark(model, pair->a.body, CRM_ACTS_CHARGE);
        mark(model, pair->b.body, CRM_ACTS_CHARGE);
    }
    for (int i = 0; i < model->wrenches.count; i++) mark(model, model->wrenches.items[i].point.body, CRM_ACTS_WRENCH);
    for (int i = 0; i < model->callbacks.count; i++)
        mark(model, model->callbacks.items[i].body.index, CRM_ACTS_CALLBACK);
}

void crm_acting_find(carom_model *model) {
    unsigned everywhere = model->mobility.kind != CAROM_MOBILITY_NONE ? CRM_ACTS_FLUID : 0u;
    for (int b = 0; b < model->bodies.count; b++) model->bodies.items[b].acting = everywhere;
    mark_forces(model);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        unsigned kinds = CRM_ACTS_JOINT | (joint->driven ? CRM_ACTS_DRIVE : 0u);
        mark(model, joint->a.body, kinds);
        mark(model, joint->b.body, kinds);
    }
}
