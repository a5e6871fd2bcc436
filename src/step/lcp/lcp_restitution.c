// SPDX-License-Identifier: MIT
// Poisson's restitution in the time-stepping sense: a phase of compression, then one of restitution.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/lcp/lcp.h"

// How much of a contact's impulse came from the impact, rather than from forces that press on it in this step: the
// share of the approach that was there before them. An approach below what the step is solved to is none: what rests
// stays at rest.
static double impact_share(const carom_model *model, const carom_state *state, const crm_lcp *lcp, int contact) {
    const crm_contact_site *site = &lcp->contacts.sites.items[contact];
    double before = crm_dot(site->direction[0], crm_contact_approach(model, site, state->motions));
    double free = crm_dot(site->direction[0], crm_contact_velocity(site, state->motions, lcp->motion.free));
    if (!(before < -crm_lcp_contact_noise(lcp, contact))) return 0.0;
    return free < before ? before / free : 1.0;
}

// By what a contact that is reached rebounds with, of its approach; others by their material.
static double effective_restitution(const carom_model *model, const carom_state *state, const crm_lcp *lcp, int c) {
    const crm_contact_site *site = &lcp->contacts.sites.items[c];
    double rebound = lcp->limits.rebound.items[c];
    if (rebound == 0.0) return site->restitution;
    return rebound / crm_dot(site->direction[0], crm_contact_approach(model, site, state->motions));
}

// Of the first phase, with the velocities at its end.
static double friction_work(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_lcp_solved_velocities(model, state, lcp);
    double work = 0.0;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c, *u = lcp->velocity.items + 3 * (ptrdiff_t)c;
        if (hypot(u[1], u[2]) > crm_lcp_slip_noise(lcp, c)) work += r[1] * u[1] + r[2] * u[2];
    }
    return work;
}

// Forces have their impulses of the first phase in the second: what is found there is added to them.
static void shift_forces(crm_lcp *lcp, const double *kept, double sign) {
    kept += crm_lcp_force_row(lcp);
    for (int i = lcp->problem.force_blocks; i < lcp->problem.blocks.count; i++) {
        crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++, kept++) {
            block->offset[k] += sign * block->compliance[k] * *kept;
            block->lower -= sign * *kept;
            block->upper -= sign * *kept;
        }
    }
}

carom_status crm_lcp_restitute(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report,
                               carom_error *error) {
    int rows = lcp->problem.impulse.count;
    if (rows == 0) return CAROM_OK; // nothing that could rebound
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->compression, rows))
        return crm_fail_memory(error, "impulses", (size_t)rows * sizeof(double));
    double *impulse = lcp->problem.impulse.items, *kept = lcp->compression.items;
    memcpy(kept, impulse, (size_t)rows * sizeof *kept);
    bool any = false;
    for (int c = 0, row = 0; c < lcp->problem.contacts.count; c++, row += 3) {
        const crm_contact_site *site = &lcp->contacts.sites.items[c];
        if (site->restitution == 0.0 || !(impulse[row] > 0.0)) continue;
        double restitution = lcp->limits.share.items[c] * effective_restitution(model, state, lcp, c);
        double more = restitution * impact_share(model, state, lcp, c) * impulse[row];
        kept[row] += more;
        any |= more > 0.0;
    }
    if (!any) return CAROM_OK;
    lcp->two_phases = true;
    report->friction_work = friction_work(model, state, lcp);
    // The second problem starts where all that was kept leads to.
    memcpy(impulse, kept, (size_t)rows * sizeof *kept);
    crm_lcp_shift_free(model, state, lcp);
    memset(impulse, 0, (size_t)rows * sizeof *impulse);
    shift_forces(lcp, kept, 1.0);
    carom_status status = crm_lcp_solve(state, lcp, report, error);
    shift_forces(lcp, kept, -1.0);
    for (int i = 0; i < rows; i++) impulse[i] += kept[i];
    return status;
}
