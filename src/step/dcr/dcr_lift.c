// SPDX-License-Identifier: MIT
// The momenta at the projected configuration, with the kinetic energy that they had ((3.87)).
//
// Of a free body the momentum stays, and its own angular momentum rotates with it. Bodies in joints lose what the
// joints block where they are now, which is of the second order. Then the angular momentum of what touches, and the
// energy, are made what they were (dcr_cluster.c); where a part of it cannot, that is dL_cpp.
#include "base/forest.h"
#include "step/dcr/dcr.h"

void crm_dcr_find_trees(const carom_model *model, crm_dcr_tree *trees, int *tree) {
    for (int b = 0; b < model->bodies.count; b++) tree[b] = b;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!crm_body_moves(model, joint->a.body) || !crm_body_moves(model, joint->b.body)) continue;
        crm_forest_join(tree, joint->a.body, joint->b.body);
    }
    for (int b = 0; b < model->bodies.count; b++) tree[b] = crm_forest_root(tree, b);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        int a = joint->a.body, b = joint->b.body;
        if (crm_body_moves(model, a)) trees[tree[a]].coupled = true;
        if (crm_body_moves(model, b)) trees[tree[b]].coupled = true;
        if (crm_body_moves(model, a) && !crm_body_moves(model, b)) trees[tree[a]].grounded = true;
        if (crm_body_moves(model, b) && !crm_body_moves(model, a)) trees[tree[b]].grounded = true;
    }
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const int ends[] = {model->pair_potentials.items[p].a.body, model->pair_potentials.items[p].b.body};
        for (int e = 0; e < 2; e++)
            if (crm_body_moves(model, ends[e])) trees[tree[ends[e]]].coupled = true;
    }
    for (int c = 0; c < model->system_callbacks.count; c++) {
        const crm_system_callback *callback = &model->system_callbacks.items[c];
        for (int i = 0; i < callback->count; i++)
            if (crm_body_moves(model, callback->body[i])) trees[tree[callback->body[i]]].coupled = true;
    }
}

// Takes away what joints block. False: the masses are singular.
static bool leave_to_joints(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    carom_state *state = dcr->state;
    if (!crm_null_space_at(&dcr->space, state->next)) return false;
    crm_null_space_project(&dcr->space, state->next, dcr->momenta, dcr->twist);
    crm_dcr_add_joints(dcr, dcr->momenta, dcr->twist);
    for (int b = 0; b < model->bodies.count; b++) {
        state->next[b].p = dcr->twist[b].linear;
        state->next[b].l = dcr->twist[b].angular;
    }
    return true;
}

bool crm_dcr_lift(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    carom_state *state = dcr->state;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *m = &state->next[b];
        dcr->lift[b] = crm_vec6_zero();
        if (model->bodies.items[b].kind == CAROM_BODY_FREE) {
            carom_quat rotation = crm_quat_mul(m->q, crm_quat_conjugate(dcr->made[b].q));
            dcr->lift[b].angular = crm_rotated_by(rotation, m->l);
            m->l = crm_quat_rotate(m->q, crm_quat_rotate_inverse(dcr->made[b].q, m->l));
        }
        dcr->momenta[b] = crm_vec6_of(m->p, m->l);
    }
    if (model->joints.count > 0 && !leave_to_joints(dcr)) return false;
    crm_dcr_restore(dcr);
    return true;
}
