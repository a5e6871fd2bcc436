// SPDX-License-Identifier: MIT
// Impulses for the problem of a step by the lean solver of rigid bodies; the general solvers have what it has not.
//
// All solutions of a step draw on one budget: of contacts that are looked for again, of both phases of restitution, of
// friction that is taken away. What is not met within it is returned as it is, with its residual.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/lcp/lcp.h"

double crm_lcp_noise(const carom_model *model, const carom_state *state) {
    double largest = 0.0;
    for (int b = 0; b < model->bodies.count; b++) largest = fmax(largest, crm_length(state->motions[b].x));
    return 4.0 * DBL_EPSILON * largest / state->method.step;
}

double crm_lcp_velocity_scale(const carom_state *state, const crm_lcp *lcp) {
    return fmax(crm_length(state->model->gravity) * state->method.step, lcp->least_scale);
}

carom_status crm_lcp_keep_guess(const carom_model *model, crm_lcp *lcp, carom_error *error) {
    int rows = lcp->problem.impulse.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->guess, rows))
        return crm_fail_memory(error, "impulses", (size_t)rows * sizeof(double));
    if (rows > 0) memcpy(lcp->guess.items, lcp->problem.impulse.items, (size_t)rows * sizeof(double));
    return CAROM_OK;
}

carom_status crm_lcp_solve(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    return crm_lcp_solve_general(state, lcp, report, error);
}
