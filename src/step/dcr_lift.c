// SPDX-License-Identifier: MIT
// The momenta at the projected configuration, with the kinetic energy that they had ((3.87)).
//
// Of a free body the momentum stays, and its own angular momentum turns with it. Bodies in joints lose what the joints
// block where they are now, which is of the second order; what moves against the common translation of a tree is made
// as much larger, so that its energy and its momentum are what they were. What is left is a change of the angular
// momentum, dL_cpp.
#include <math.h>

#include "step/dcr.h"

static int root_of(int *tree, int b) {
    while (tree[b] != b) b = tree[b] = tree[tree[b]];
    return b;
}

static bool moves(const carom_model *model, int body) {
    return body >= 0 && model->bodies.items[body].kind != CAROM_BODY_FIXED;
}

void crm_dcr_find_trees(const carom_model *model, crm_dcr_tree *trees, int *tree) {
    for (int b = 0; b < model->bodies.count; b++) tree[b] = b;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!moves(model, joint->a.body) || !moves(model, joint->b.body)) continue;
        int a = root_of(tree, joint->a.body), b = root_of(tree, joint->b.body);
        tree[a > b ? a : b] = a > b ? b : a;
    }
    for (int b = 0; b < model->bodies.count; b++) tree[b] = root_of(tree, b);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        int a = joint->a.body, b = joint->b.body;
        if (moves(model, a) && !moves(model, b)) trees[tree[a]].grounded = true;
        if (moves(model, b) && !moves(model, a)) trees[tree[b]].grounded = true;
    }
}

// Energies of trees before and after, and what moves all of their bodies alike.
static void weigh_trees(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_dcr_tree *tree = &dcr->trees[b];
        *tree = (crm_dcr_tree){.grounded = tree->grounded};
    }
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_dcr_tree *tree = &dcr->trees[dcr->tree[b]];
        if (body->kind == CAROM_BODY_FIXED) continue;
        tree->mass += body->mass;
        tree->momentum = crm_add(tree->momentum, dcr->state->next[b].p);
        tree->before += crm_motion_kinetic_energy(body, &dcr->made[b]);
        tree->after += crm_motion_kinetic_energy(body, &dcr->state->next[b]);
    }
    for (int b = 0; b < model->bodies.count; b++) {
        crm_dcr_tree *tree = &dcr->trees[b];
        if (tree->grounded) tree->momentum = crm_vec3_zero();
        double common = tree->mass > 0.0 ? 0.5 * crm_length_squared(tree->momentum) / tree->mass : 0.0;
        double before = tree->before - common, after = tree->after - common;
        tree->growth = before > 0.0 && after > 0.0 ? sqrt(before / after) : 1.0;
    }
}

static void restore_energy(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    weigh_trees(dcr);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_dcr_tree *tree = &dcr->trees[dcr->tree[b]];
        crm_motion *m = &dcr->state->next[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        carom_vec3 common = crm_scale(body->mass / tree->mass, tree->momentum);
        crm_vec6 stretched = crm_vec6_of(crm_sub(m->p, common), m->l);
        dcr->lift[b] = crm_vec6_madd(dcr->lift[b], tree->growth - 1.0, stretched);
        m->p = crm_madd(common, tree->growth, stretched.linear);
        m->l = crm_scale(tree->growth, stretched.angular);
    }
}

bool crm_dcr_lift(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    carom_state *state = dcr->state;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *m = &state->next[b];
        dcr->lift[b] = crm_vec6_zero();
        if (model->bodies.items[b].kind == CAROM_BODY_FREE) {
            carom_quat turn = crm_quat_mul(m->q, crm_quat_conjugate(dcr->made[b].q));
            dcr->lift[b].angular = crm_turned_by(turn, m->l);
            m->l = crm_quat_rotate(m->q, crm_quat_rotate_inverse(dcr->made[b].q, m->l));
        }
        dcr->momenta[b] = crm_vec6_of(m->p, m->l);
    }
    if (model->joints.count == 0) return true;
    if (!crm_null_space_at(&dcr->space, state->next)) return false;
    crm_null_space_project(&dcr->space, state->next, dcr->momenta, dcr->twist);
    crm_dcr_add_joints(dcr, dcr->momenta, dcr->twist);
    for (int b = 0; b < model->bodies.count; b++) {
        state->next[b].p = dcr->twist[b].linear;
        state->next[b].l = dcr->twist[b].angular;
    }
    restore_energy(dcr);
    return true;
}
