// SPDX-License-Identifier: MIT
// What joints and limits have done to the energy: their impulses times the mean of their rows' velocities at both ends
// of the step (docs/math.md 12). A joint that is closed and stays so does none.
#include "step/certify/accounts.h"
#include "step/lcp/lcp.h"

static double row_velocity(const carom_model *model, const crm_motion *motions, int body, const crm_vec6 *row) {
    if (body < 0) return 0.0;
    const crm_body *of = &model->bodies.items[body];
    double u = crm_dot(row->linear, crm_motion_velocity(of, &motions[body]));
    return of->kind == CAROM_BODY_POINT ? u : u + crm_dot(row->angular, crm_motion_spin(of, &motions[body]));
}

double crm_lcp_row_velocity_before(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                                   const crm_rigid_block *block, int row) {
    return row_velocity(model, state->motions, crm_lcp_body_at(lcp, block->a), &block->on_a[row]) +
           row_velocity(model, state->motions, crm_lcp_body_at(lcp, block->b), &block->on_b[row]);
}

// Impulses of the block's rows, `r` and `more` (may be NULL), times the mean of their velocities at both ends.
static double block_work(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                         const crm_rigid_block *block, const double *r, const double *more, const double *after) {
    double work = 0.0;
    for (int k = 0; k < block->rows; k++) {
        double before = crm_lcp_row_velocity_before(model, state, lcp, block, k);
        work += 0.5 * (r[k] + (more != NULL ? more[k] : 0.0)) * (before + after[k]);
    }
    return work;
}

void crm_lcp_add_block_work(const carom_model *model, carom_state *state, const crm_lcp *lcp, const double *more) {
    const double *r = crm_lcp_block_impulses(lcp), *after = CRM_ARRAY_FROM(&lcp->velocity, crm_lcp_contact_rows(lcp));
    for (int i = 0; i < lcp->problem.force_blocks; i++) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        int a = crm_lcp_body_at(lcp, block->a), b = crm_lcp_body_at(lcp, block->b);
        double work = block_work(model, state, lcp, block, r, more, after);
        bool attached = i >= lcp->problem.attached_blocks && i < lcp->problem.joint_blocks;
        crm_ledger_line closing = attached ? CRM_LINE_ATTACHMENTS : CRM_LINE_STABILISATION;
        if (block->law == CAROM_LAW_EQUALITY) crm_ledger_add(state, a, b, closing, work);
        if (block->law == CAROM_LAW_UNILATERAL) crm_ledger_add(state, a, b, CRM_LINE_LIMITS, work);
        r += block->rows, after += block->rows;
        if (more != NULL) more += block->rows;
    }
}

void crm_lcp_add_motor_work(const carom_model *model, carom_state *state, const crm_lcp *lcp) {
    const double *r = crm_lcp_block_impulses(lcp), *after = CRM_ARRAY_FROM(&lcp->velocity, crm_lcp_contact_rows(lcp));
    for (int i = 0; i < lcp->problem.force_blocks;
         r += lcp->problem.blocks.items[i].rows, after += lcp->problem.blocks.items[i++].rows) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        if (block->law != CAROM_LAW_BOX) continue;
        double work = block_work(model, state, lcp, block, r, NULL, after);
        crm_ledger_add(state, crm_lcp_body_at(lcp, block->a), crm_lcp_body_at(lcp, block->b), CRM_LINE_ACTIVE, work);
        state->spent += work;
    }
}
