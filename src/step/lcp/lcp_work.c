// SPDX-License-Identifier: MIT
// What joints and limits have done to the energy: their impulses times the mean of their rows' velocities at both ends
// of the step (docs/math.md 12). A joint that is closed and stays so does none.
#include "step/certify/accounts.h"
#include "step/lcp/lcp.h"

static int body_at(const crm_lcp *lcp, int slot) {
    return slot >= 0 ? lcp->problem.body_of[slot] : -1;
}

static double row_velocity(const carom_model *model, const crm_motion *motions, int body, const crm_vec6 *row) {
    if (body < 0) return 0.0;
    const crm_body *of = &model->bodies.items[body];
    double u = crm_dot(row->linear, crm_motion_velocity(of, &motions[body]));
    return of->kind == CAROM_BODY_POINT ? u : u + crm_dot(row->angular, crm_motion_spin(of, &motions[body]));
}

void crm_lcp_add_block_work(const carom_model *model, carom_state *state, const crm_lcp *lcp, const double *more) {
    const double *r = crm_lcp_block_impulses(lcp), *after = CRM_ARRAY_FROM(&lcp->velocity, crm_lcp_contact_rows(lcp));
    for (int i = 0; i < lcp->problem.blocks.count; i++) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        int a = body_at(lcp, block->a), b = body_at(lcp, block->b);
        double work = 0.0;
        for (int k = 0; k < block->rows; k++, r++, after++) {
            double before = row_velocity(model, state->motions, a, &block->on_a[k]) +
                            row_velocity(model, state->motions, b, &block->on_b[k]);
            work += 0.5 * (*r + (more != NULL ? *more++ : 0.0)) * (before + *after);
        }
        if (block->law == CAROM_LAW_EQUALITY) crm_ledger_add(state, a, b, CRM_LINE_STABILISATION, work);
        if (block->law == CAROM_LAW_UNILATERAL) crm_ledger_add(state, a, b, CRM_LINE_LIMITS, work);
    }
}
