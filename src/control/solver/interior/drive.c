// SPDX-License-Identifier: MIT
#include "control/solver/interior/drive.h"

#include <math.h>

#include "control/solver/interior/step.h"

// The barrier problem is solved well enough when its error is below this multiple of mu; then mu falls by the share, or
// to the power, whichever is less (WB (7)).
static const double error_share = 10.0, mu_share = 0.2, mu_power = 1.5;

// A residual of a step beyond this comes from a matrix that is as good as singular.
static const double hopeless_residual = 1e-5;

// Largest share of the violation that a step may leave to the regularization of rows.
static const double most_left = 0.5;

// Attempts with more regularization when no share of a step is acceptable.
enum { MOST_ATTEMPTS = 4 };

crm_drive crm_drive_begin(crm_phase *phase, double tolerance) {
    phase->filter.count = 0;
    phase->last_regularization = 0.0;
    return (crm_drive){.phase = phase, .search = {.most_violation = -1.0}, .tolerance = tolerance};
}

static double least_mu(const crm_drive *drive) {
    return drive->tolerance / (error_share + 1.0);
}

static void lower_mu(crm_drive *drive) {
    crm_phase *p = drive->phase;
    p->mu = fmax(least_mu(drive), fmin(mu_share * p->mu, pow(p->mu, mu_power)));
    p->filter.count = 0;
    drive->search.tiny = 0;
}

static void update_mu(crm_drive *drive) {
    crm_phase *p = drive->phase;
    while (p->mu > least_mu(drive) && crm_phase_measure(p, p->mu).largest <= error_share * p->mu) lower_mu(drive);
    if (p->mu > least_mu(drive) && drive->search.tiny > 1) lower_mu(drive);
}

// Whether rows stand against each other: the step owes what it seems to mend to their regularization, by multipliers
// without bound.
static bool rows_contradict(const crm_drive *drive) {
    const crm_phase *p = drive->phase;
    double left = 0.0, largest = 0.0;
    for (int r = 0; r < p->m; r++) {
        left += p->row_regularization * fabs(p->step.y[r]);
        largest = fmax(largest, fabs(p->row[r]));
    }
    return largest > drive->tolerance && left > most_left * crm_phase_violation(p, p->row);
}

carom_status crm_drive_on(crm_drive *drive, crm_drive_outcome *outcome, carom_error *error) {
    crm_phase *p = drive->phase;
    *outcome = CRM_DRIVE_SOLVED;
    if (crm_phase_measure(p, 0.0).largest <= drive->tolerance) return CAROM_OK;
    *outcome = CRM_DRIVE_AT_END;
    if (drive->search.tiny > 1 && p->mu <= least_mu(drive)) return CAROM_OK;
    update_mu(drive);
    bool found;
    carom_status status = crm_step_factor(p, &found, error);
    for (int attempt = 0; status == CAROM_OK && found && attempt < MOST_ATTEMPTS; attempt++) {
        if (attempt > 0) status = crm_step_factor_again(p, &found, error);
        if (status != CAROM_OK || !found) break;
        if (!(crm_step_find(p, p->mu, p->row) <= hopeless_residual)) continue;
        if (rows_contradict(drive)) break;
        *outcome = CRM_DRIVE_MOVED;
        if (crm_search_along(p, &drive->search) != CRM_SEARCH_FAILED) return CAROM_OK;
    }
    *outcome = CRM_DRIVE_NO_STEP;
    return status;
}
