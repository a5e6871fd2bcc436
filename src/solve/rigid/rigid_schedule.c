// SPDX-License-Identifier: MIT
// In which order an island's means are tried (docs/solvers.md): the guess, sweeps with momentum.
#include <math.h>

#include "solve/rigid/rigid_group.h"

static const int most_sweeps = 400;
// The residual is evaluated when no contact changes by more than this share of what its tolerance allows, ...
static const double small_change = 0.5;
// ... not again before the change is this much smaller, but at the latest after so many sweeps.
static const double smaller_change = 0.3;
static const int evaluate_every = 50;
static const int refresh_every = 100;
// An island that is so much worse than its best goes back to it, and momentum is taken down.
static const double much_worse = 3.0, less_momentum = 0.1;

static bool affordable(const crm_rigid_group *group, double price) {
    // The last refresh and evaluation are always paid for.
    return group->work + price + 2.0 * crm_rigid_residual_price(group) <= group->budget;
}

static void go_back(crm_rigid_group *group) {
    bool back = false;
    for (int i = 0; i < group->island_count; i++) {
        if (group->island[i].met || group->residual[i] <= much_worse * group->island[i].residual) continue;
        crm_rigid_group_restore(group, i);
        back = true;
    }
    if (!back) return;
    crm_rigid_group_refresh(group);
    crm_rigid_group_reset(group);
    group->limit = fmax(group->limit - less_momentum, 0.0);
}

static void sweep_until_met(crm_rigid_group *group, int most) {
    double enough = small_change;
    int since = 0;
    for (int n = 1; n <= most && group->unmet > 0; n++) {
        if (!affordable(group, crm_rigid_sweep_price(group) + 2.0 * crm_rigid_residual_price(group))) break;
        double change = crm_rigid_group_sweep(group);
        since++;
        if (n % refresh_every == 0) crm_rigid_group_refresh(group);
        if (!(change < enough) && since < evaluate_every && n < most) continue;
        crm_rigid_group_evaluate(group, NULL);
        go_back(group);
        since = 0;
        enough = fmin(small_change, smaller_change * change);
    }
    if (since > 0) crm_rigid_group_evaluate(group, NULL);
}

// A guess that is not finite is none.
static void forget_bad_guess(crm_rigid_group *group) {
    bool bad = false;
    for (int i = 0; i < group->island_count; i++) {
        if (isfinite(group->residual[i])) continue;
        crm_rigid_group_clear(group, i);
        bad = true;
    }
    if (!bad) return;
    crm_rigid_group_refresh(group);
    crm_rigid_group_evaluate(group, NULL);
}

void crm_rigid_schedule(crm_rigid_group *group) {
    group->solver = CAROM_SOLVER_GAUSS_SEIDEL;
    forget_bad_guess(group);
    int sweeps = group->options->sweeps;
    if (sweeps > 0) {
        for (int n = 0; n < sweeps && affordable(group, crm_rigid_sweep_price(group)); n++)
            crm_rigid_group_sweep(group);
        return;
    }
    sweep_until_met(group, most_sweeps);
    if (group->behind) {
        crm_rigid_group_restore_all(group);
    }
}
