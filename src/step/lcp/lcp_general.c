// SPDX-License-Identifier: MIT
// The problem of a step in the form that files and the general solvers have (carom/solve.h), filled from that of rigid
// bodies: groups are the blocks, then the contacts, of which those without friction have one row.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "step/contacts/problem_body.h"
#include "step/lcp/lcp.h"

// ---- filling

// I = sum f f^T / |f|^4 over the rows f of F, as I^-1 = F^T F and they are at right angles.
static void set_inertia(const crm_rigid_body *body, double *mass) {
    for (int k = 0; k < 3; k++) {
        carom_vec3 f = body->angular[k];
        double square = crm_length_squared(f), share = 1.0 / (square * square);
        const double of[3] = {f.x, f.y, f.z};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) mass[(3 + i) * 6 + 3 + j] += share * of[i] * of[j];
        }
    }
}

// `drag`: what it adds; NULL: none.
static void set_masses(const crm_body *of, const crm_rigid_body *body, const crm_body_drag *drag,
                       carom_problem_node *node) {
    int size = node->size;
    memset(node->mass, 0, sizeof node->mass);
    for (int i = 0; i < size && i < 3; i++) node->mass[i * size + i] = of->mass + (drag != NULL ? drag->linear : 0.0);
    if (of->kind == CAROM_BODY_PLANAR) node->mass[8] = of->inertia.z + (drag != NULL ? drag->angular : 0.0);
    if (of->kind == CAROM_BODY_FREE) set_inertia(body, node->mass);
}

// Resistances of a viscous fluid stand there already.
static bool fill_nodes(const carom_model *model, crm_lcp *lcp) {
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->general.nodes, lcp->problem.bodies.count)) return false;
    for (int n = 0; n < lcp->problem.bodies.count; n++) {
        const crm_rigid_body *body = &lcp->problem.bodies.items[n];
        const crm_body *of = &model->bodies.items[lcp->problem.body_of[n]];
        carom_problem_node *node = &lcp->general.nodes.items[n];
        node->size = crm_problem_body_size(of->kind);
        const crm_body_drag *drag = lcp->fluid.state->drag;
        if (model->mobility.kind != CAROM_MOBILITY_STOKES)
            set_masses(of, body, drag != NULL ? &drag[lcp->problem.body_of[n]] : NULL, node);
        crm_problem_body_pack(of->kind, body->free, node->free);
    }
    return true;
}

static int body_at(const crm_lcp *lcp, int slot) {
    return slot >= 0 ? lcp->problem.body_of[slot] : -1;
}

static bool add_block(crm_lcp *lcp, const crm_rigid_block *block, const double *guess) {
    carom_row_group group = {.law = block->law, .rows = block->rows, .lower = block->lower, .upper = block->upper};
    if (!crm_step_problem_add_pair(&lcp->general, group, block->offset, guess, body_at(lcp, block->a), block->on_a,
                                   body_at(lcp, block->b), block->on_b))
        return false;
    crm_step_problem_soften(&lcp->general, block->compliance);
    return true;
}

static bool add_contact(crm_lcp *lcp, const crm_rigid_contact *contact, const double *guess) {
    crm_vec6 on_a[3], on_b[3];
    for (int k = 0; k < 3; k++) {
        carom_vec3 d = contact->direction[k];
        on_a[k] = crm_vec6_of(crm_negate(d), crm_cross(d, contact->arm_a));
        on_b[k] = crm_vec6_of(d, crm_cross(contact->arm_b, d));
    }
    const double offset[3] = {contact->offset, 0.0, 0.0};
    bool relaxed = lcp->def.friction == CAROM_FRICTION_RELAXED;
    carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = contact->friction, .relaxed = relaxed};
    if (contact->friction == 0.0) group = (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
    return crm_step_problem_add_pair(&lcp->general, group, offset, guess, body_at(lcp, contact->a), on_a,
                                     body_at(lcp, contact->b), on_b);
}

static bool fill(const carom_model *model, crm_lcp *lcp, const double *impulse) {
    crm_step_problem_clear(&lcp->general);
    if (!fill_nodes(model, lcp)) return false;
    const double *guess = impulse != NULL ? impulse + crm_lcp_contact_rows(lcp) : NULL;
    for (int i = 0; i < lcp->problem.blocks.count; guess += lcp->problem.blocks.items[i++].rows)
        if (!add_block(lcp, &lcp->problem.blocks.items[i], guess)) return false;
    for (int c = 0; c < lcp->problem.contacts.count; c++)
        if (!add_contact(lcp, &lcp->problem.contacts.items[c], impulse + 3 * (ptrdiff_t)c)) return false;
    return true;
}

bool crm_lcp_fill_general(const carom_model *model, crm_lcp *lcp) {
    return fill(model, lcp, lcp->problem.impulse.items);
}

carom_problem crm_lcp_general_view(const carom_model *model, crm_lcp *lcp) {
    carom_mobility_kind mobility = model->mobility.kind;
    bool coupled = mobility == CAROM_MOBILITY_MATRIX || mobility == CAROM_MOBILITY_FUNCTION;
    lcp->fluid.size = 6 * lcp->general.nodes.count;
    carom_problem problem = crm_step_problem_view(&lcp->general);
    if (!coupled) return problem;
    problem.form = CAROM_FORM_MOBILITY;
    problem.mobility = crm_lcp_fluid_mobility;
    problem.mobility_user = &lcp->fluid;
    return problem;
}

// ---- back

void crm_lcp_take_general(crm_lcp *lcp) {
    const double *from = lcp->general.impulse.items;
    int rows = lcp->problem.joint_rows + lcp->problem.limit_motor_rows + lcp->problem.forces.count;
    if (lcp->problem.impulse.count == 0) return;
    if (rows > 0) memcpy(crm_lcp_block_impulses(lcp), from, (size_t)rows * sizeof *from);
    from += rows;
    double *to = lcp->problem.impulse.items;
    for (int c = 0; c < lcp->problem.contacts.count; c++, to += 3) {
        int own = lcp->problem.contacts.items[c].friction == 0.0 ? 1 : 3;
        for (int k = 0; k < 3; k++) to[k] = k < own ? from[k] : 0.0;
        from += own;
    }
}

// ---- files

carom_status crm_lcp_dump(const carom_state *state, crm_lcp *lcp, const char *path, carom_error *error) {
    if (lcp == NULL || lcp->guess.count == 0)
        return crm_refuse(error,
                          "there is no problem to write: the state has made no step yet, or its last one had neither "
                          "contacts nor joints");
    if (!fill(state->model, lcp, lcp->guess.items))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    char name[64];
    snprintf(name, sizeof name, "step %" PRId64, state->step_count);
    carom_problem problem = crm_lcp_general_view(state->model, lcp);
    return carom_problem_write(&problem, name, lcp->general.impulse.items, path, error);
}
