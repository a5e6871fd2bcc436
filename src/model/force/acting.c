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
        if (pair->kind == CRM_PAIR_POTENTIAL_SPRING) continue;
        unsigned kind = pair->kind == CRM_PAIR_POTENTIAL_CHARGES ? CRM_ACTS_CHARGE : CRM_ACTS_LAW;
        mark(model, pair->a.body, kind);
        mark(model, pair->b.body, kind);
    }
    for (int i = 0; i < model->wrenches.count; i++) mark(model, model->wrenches.items[i].point.body, CRM_ACTS_WRENCH);
    for (int i = 0; i < model->callbacks.count; i++)
        mark(model, model->callbacks.items[i].body.index, CRM_ACTS_CALLBACK);
    for (int i = 0; i < model->system_callbacks.count; i++)
        for (int k = 0; k < model->system_callbacks.items[i].count; k++)
            mark(model, model->system_callbacks.items[i].body[k], CRM_ACTS_CALLBACK);
    for (int i = 0; i < model->fields.count; i++) mark(model, model->fields.items[i].body, CRM_ACTS_FIELD);
}

static void mark_nodes(carom_model *model, const crm_flex *flex) {
    unsigned viscous = flex->def.elastic.viscosity > 0.0 ? CRM_ACTS_VISCOUS : 0u;
    for (int n = 0; n < flex->node_count; n++) mark(model, flex->first_body + n, CRM_ACTS_ELASTIC | viscous);
    for (int i = 0; i < flex->attachment_count; i++) mark(model, flex->attachment[i].body, CRM_ACTS_ELASTIC | viscous);
}

void crm_acting_find(carom_model *model) {
    unsigned everywhere = model->mobility.kind != CAROM_MOBILITY_NONE ? CRM_ACTS_FLUID : 0u;
    for (int b = 0; b < model->bodies.count; b++) model->bodies.items[b].acting = everywhere;
    mark_forces(model);
    for (int f = 0; f < model->flexes.count; f++) mark_nodes(model, &model->flexes.items[f]);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        unsigned kinds = CRM_ACTS_JOINT | (joint->driven ? CRM_ACTS_DRIVE : 0u);
        mark(model, joint->a.body, kinds);
        mark(model, joint->b.body, kinds);
    }
}
