// SPDX-License-Identifier: MIT
// Impulses of rows as wrenches on bodies, and velocities of bodies as velocities of rows.
//
// A contact acts by F = sum r_k d_k at one point: (F, arm x F) on b, the opposite on a. A body that is planar or a
// point takes what its kind moves by.
#include "model/force/evaluate.h"
#include "step/lcp/flexible/lcp_flex.h"

// ---- impulses

typedef enum whose { OF_ALL, OF_THE_GROUND } whose;

static void add_wrench(const carom_model *model, const crm_lcp *lcp, int slot, crm_vec6 on, crm_vec6 *wrench) {
    int body = lcp->problem.body_of[slot];
    carom_body_kind kind = model->bodies.items[body].kind;
    if (kind != CAROM_BODY_FREE) on = crm_wrench_projected(kind, on);
    wrench[body] = crm_vec6_add(wrench[body], on);
}

static void add_contacts(const carom_model *model, const crm_lcp *lcp, whose rows, crm_vec6 *wrench) {
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c;
        if (rows == OF_THE_GROUND && contact->a >= 0 && contact->b >= 0) continue;
        if (r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0) continue;
        carom_vec3 force = crm_scale(r[0], contact->direction[0]);
        force = crm_madd(crm_madd(force, r[1], contact->direction[1]), r[2], contact->direction[2]);
        carom_vec3 back = crm_negate(force);
        if (contact->a >= 0)
            add_wrench(model, lcp, contact->a, crm_vec6_of(back, crm_cross(contact->arm_a, back)), wrench);
        if (contact->b >= 0)
            add_wrench(model, lcp, contact->b, crm_vec6_of(force, crm_cross(contact->arm_b, force)), wrench);
    }
}

static void add_block(const carom_model *model, const crm_lcp *lcp, const crm_rigid_block *block, const double *r,
                      crm_vec6 *wrench) {
    for (int k = 0; k < block->rows; k++) {
        if (block->a >= 0) add_wrench(model, lcp, block->a, crm_vec6_scale(r[k], block->on_a[k]), wrench);
        if (block->b >= 0) add_wrench(model, lcp, block->b, crm_vec6_scale(r[k], block->on_b[k]), wrench);
    }
}

static void add_blocks(const carom_model *model, const crm_lcp *lcp, whose rows, crm_vec6 *wrench) {
    const double *r = crm_lcp_block_impulses(lcp);
    for (int i = 0; i < lcp->problem.blocks.count; r += lcp->problem.blocks.items[i++].rows) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        if (rows == OF_THE_GROUND && block->a >= 0 && block->b >= 0) continue;
        add_block(model, lcp, block, r, wrench);
    }
}

void crm_lcp_add_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    add_blocks(model, lcp, OF_ALL, wrench);
    add_contacts(model, lcp, OF_ALL, wrench);
    if (lcp->flex != NULL) crm_lcp_flex_add_impulses(model, lcp, wrench);
}

void crm_lcp_add_ground_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    add_blocks(model, lcp, OF_THE_GROUND, wrench);
    add_contacts(model, lcp, OF_THE_GROUND, wrench);
}

void crm_lcp_add_motor_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    const double *r = crm_lcp_block_impulses(lcp);
    for (int i = 0; i < lcp->problem.force_blocks; r += lcp->problem.blocks.items[i++].rows) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        if (block->law == CAROM_LAW_BOX) add_block(model, lcp, block, r, wrench);
    }
}

// ---- velocities

static carom_vec3 point_velocity(const crm_lcp *lcp, const crm_vec6 *twist, int slot, carom_vec3 arm) {
    if (slot < 0) return crm_vec3_zero();
    const crm_vec6 *of = &twist[lcp->problem.body_of[slot]];
    return crm_add(of->linear, crm_cross(of->angular, arm));
}

void crm_lcp_row_velocities(const crm_vec6 *twist, crm_lcp *lcp) {
    double *u = lcp->velocity.items;
    for (int c = 0; c < lcp->problem.contacts.count; c++, u += 3) {
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        carom_vec3 v = crm_sub(point_velocity(lcp, twist, contact->b, contact->arm_b),
                               point_velocity(lcp, twist, contact->a, contact->arm_a));
        for (int k = 0; k < 3; k++) u[k] = crm_dot(contact->direction[k], v);
    }
    for (int i = 0; i < lcp->problem.blocks.count; i++) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++, u++) {
            *u = 0.0;
            if (block->a >= 0) *u += crm_vec6_dot(block->on_a[k], twist[lcp->problem.body_of[block->a]]);
            if (block->b >= 0) *u += crm_vec6_dot(block->on_b[k], twist[lcp->problem.body_of[block->b]]);
        }
    }
}

static void sum_impulses(const carom_model *model, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) lcp->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->motion.change);
}

void crm_lcp_solved_velocities(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    sum_impulses(model, lcp);
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_vec6 *change = &lcp->motion.change[lcp->problem.body_of[s]];
        crm_vec6 moved = crm_velocity_of(model, state, lcp->problem.body_of[s], *change);
        *change = crm_vec6_add(lcp->problem.bodies.items[s].free, moved);
    }
    crm_lcp_row_velocities(lcp->motion.change, lcp);
}

void crm_lcp_shift_free(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    sum_impulses(model, lcp);
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        int b = lcp->problem.body_of[s];
        crm_vec6 change = crm_velocity_of(model, state, b, lcp->motion.change[b]);
        lcp->problem.bodies.items[s].free = crm_vec6_add(lcp->motion.free[b], change);
    }
}

void crm_lcp_find_flying(const carom_state *state, crm_lcp *lcp) {
    crm_free_flight_begin(state, &lcp->flight);
    for (int c = 0; c < lcp->contacts.sites.count; c++) {
        const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c;
        if (r[0] == 0.0) continue;
        const int ends[] = {lcp->contacts.sites.items[c].a, lcp->contacts.sites.items[c].b};
        bool rebounds = lcp->limits.rebound.items[c] < 0.0;
        for (int e = 0; e < 2; e++) (rebounds ? crm_free_flight_bounce : crm_free_flight_hold)(&lcp->flight, ends[e]);
    }
    for (int b = 0; lcp->rest.count > 0 && b < state->model->bodies.count; b++)
        if (crm_rests(&lcp->rest, b)) crm_free_flight_hold(&lcp->flight, b);
}
