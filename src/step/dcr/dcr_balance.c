// SPDX-License-Identifier: MIT
// What the certificate is told of a step with contact: impulses that the momenta at its end are checked against, none
// of them derived from these.
//
//   the variational step    its own impulses, in the middle of the way that it made
//   projection              moves p by dx: dL = dx x p;  the lift rotates and stretches momenta as dcr_lift.c says
//   contacts                from the impulses in the table, at their points
//   joints                  multipliers of what they block
//
// Contacts and joints between two bodies that move have no part in the totals: that both ends get the same is checked,
// not assumed. Only what planar bodies and points do not admit is carried from outside there.
#include "step/dcr/dcr.h"

// A wrench on a body about its centre of mass; `inside`: its opposite acts on another body that moves.
static void push(crm_dcr *dcr, int b, crm_vec6 wrench, bool inside) {
    if (!crm_body_moves(dcr->model, b)) return;
    crm_vec6 projected = crm_wrench_projected(dcr->model->bodies.items[b].kind, wrench);
    dcr->external[b] = crm_vec6_add(dcr->external[b], inside ? crm_vec6_sub(projected, wrench) : projected);
    dcr->state->impulse_size[b].linear += crm_length(wrench.linear);
    dcr->state->impulse_size[b].angular += crm_length(wrench.angular);
}

void crm_dcr_add_joints(crm_dcr *dcr, const crm_vec6 *p, const crm_vec6 *projected) {
    const crm_joint_graph *graph = &dcr->model->graph;
    double per_step = 1.0 / dcr->state->method.step;
    crm_null_space_multipliers(&dcr->space, p, projected, dcr->joint_impulse);
    for (int j = 0; j < dcr->model->joints.count; j++)
        dcr->state->reaction[j] = crm_vec6_madd(dcr->state->reaction[j], per_step, dcr->joint_impulse[j]);
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        if (link->joint < 0) continue;
        int parent = link->parent >= 0 ? graph->link[link->parent].body : -1;
        crm_vec6 on_child =
            link->reversed ? crm_vec6_negate(dcr->joint_impulse[link->joint]) : dcr->joint_impulse[link->joint];
        carom_vec3 to_child = crm_negate(dcr->space.start[i].child_arm);
        carom_vec3 to_parent = crm_negate(dcr->space.start[i].parent_arm);
        push(dcr, link->body, crm_force_shift(on_child, to_child), parent >= 0);
        push(dcr, parent, crm_force_shift(crm_vec6_negate(on_child), to_parent), true);
    }
}

static void add_contacts(crm_dcr *dcr) {
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        const double *j = dcr->total.items + 3 * (ptrdiff_t)c;
        carom_vec3 across = crm_scale(j[2], site->direction[2]);
        carom_vec3 on_b = crm_madd(crm_madd(across, j[1], site->direction[1]), j[0], site->direction[0]);
        carom_vec3 on_a = crm_negate(on_b);
        carom_vec3 arm_a = crm_sub(site->point, dcr->state->next[site->a].x),
                   arm_b = crm_sub(site->point, dcr->state->next[site->b].x);
        bool inside = crm_body_moves(dcr->model, site->a) && crm_body_moves(dcr->model, site->b);
        push(dcr, site->a, crm_vec6_of(on_a, crm_cross(arm_a, on_a)), inside);
        push(dcr, site->b, crm_vec6_of(on_b, crm_cross(arm_b, on_b)), inside);
    }
}

static void add_impacts_of_joints(crm_dcr *dcr) {
    const crm_motion *next = dcr->state->next;
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        dcr->momenta[b] = crm_vec6_add(crm_vec6_of(dcr->lifted[b].p, dcr->lifted[b].l), dcr->jump[b]);
        dcr->twist[b] = crm_vec6_of(next[b].p, next[b].l);
    }
    crm_dcr_add_joints(dcr, dcr->momenta, dcr->twist);
}

// p of the variational step, moved from where that ended.
static carom_vec3 moved_momentum(const crm_dcr *dcr, int b) {
    return crm_cross(crm_sub(dcr->state->next[b].x, dcr->made[b].x), dcr->made[b].p);
}

carom_vec3 crm_dcr_projection_momentum(const crm_dcr *dcr) {
    carom_vec3 sum = crm_vec3_zero();
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        carom_vec3 lifted = crm_add(dcr->lift[b].angular, crm_cross(dcr->state->next[b].x, dcr->lift[b].linear));
        sum = crm_add(sum, crm_add(moved_momentum(dcr, b), lifted));
    }
    return sum;
}

// The certificate lets all impulses act in the middle of the body's way.
static void balance(crm_dcr *dcr, int b) {
    carom_state *state = dcr->state;
    const crm_motion *from = &state->motions[b], *made = &dcr->made[b], *to = &state->next[b];
    crm_vec6 *impulse = &state->impulse[b], own = *impulse, last = crm_vec6_add(dcr->lift[b], dcr->external[b]);
    carom_vec3 before = crm_scale(0.5, crm_sub(made->x, to->x)); // from the middle of the way to that of the own one
    carom_vec3 after = crm_scale(0.5, crm_sub(to->x, from->x));  // and to its end
    *impulse = crm_vec6_add(crm_force_shift(own, crm_negate(before)), crm_force_shift(last, crm_negate(after)));
    impulse->angular = crm_add(impulse->angular, moved_momentum(dcr, b));
    state->impulse_size[b].linear += crm_length(own.linear) + crm_length(dcr->lift[b].linear);
    state->impulse_size[b].angular += crm_length(own.angular) + crm_length(dcr->lift[b].angular);
}

void crm_dcr_balance(crm_dcr *dcr) {
    add_contacts(dcr);
    if (dcr->model->joints.count > 0) add_impacts_of_joints(dcr);
    for (int b = 0; b < dcr->model->bodies.count; b++) balance(dcr, b);
}
