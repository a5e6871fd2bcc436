// SPDX-License-Identifier: MIT
// In which order an island's means are tried (docs/solvers.md): the guess; sweeps with momentum; for small islands and
// those at rest Newton's method on smoothed laws; below the everyday tolerance proximal Newton steps with sweeps
// between them.
#include <math.h>
#include <string.h>

#include "solve/rigid/rigid_group.h"

static const int most_sweeps = 400;
// Of islands that Newton's method takes up then: small ones, whose systems are cheap; those at rest, whose active sets
// hardly change.
static const int small_island = 200, small_sweeps = 100, resting_sweeps = 60;
// Proximal steps are for tolerances below the everyday one, which sweeps meet.
static const double everyday_tolerance = 1e-3;
static const int most_proximal = 30, sweeps_after_proximal = 20;
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

// At most so many sweeps; `back`: to the best when they lead astray.
static void sweep_until_met(crm_rigid_group *group, int most, bool back) {
    double enough = small_change;
    int since = 0;
    for (int n = 1; n <= most && group->unmet > 0; n++) {
        if (!affordable(group, crm_rigid_sweep_price(group) + 2.0 * crm_rigid_residual_price(group))) break;
        double change = crm_rigid_group_sweep(group);
        since++;
        if (n % refresh_every == 0) crm_rigid_group_refresh(group);
        if (!(change < enough) && since < evaluate_every && n < most) continue;
        crm_rigid_group_evaluate(group, NULL);
        if (back) go_back(group);
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

// ---- Newton's method

static void note_newton(crm_rigid_group *group, int steps, double price) {
    group->newton_steps += steps;
    group->factorizations += steps;
    group->work += price;
    group->solver = CAROM_SOLVER_SMOOTHING;
}

// Takes up an island, unless that is beyond the budget.
static carom_status open_island(crm_rigid_group *group, crm_rigid_newton *newton, int island, bool *open,
                                carom_error *error) {
    const crm_rigid_members *members = &group->members[island];
    crm_rigid_records records = {.batch = group->system.batch,
                                 .rows = group->system.rows,
                                 .velocity = group->system.z,
                                 .free = group->system.free,
                                 .members = members,
                                 .slot_count = group->system.slot_count,
                                 .relaxed = group->system.relaxed};
    double price = crm_rigid_newton_open_price(members);
    *open = affordable(group, price);
    if (!*open) return CAROM_OK;
    group->work += price;
    return crm_rigid_newton_open(newton, &records, error);
}

static void start_from_best(crm_rigid_group *group) {
    crm_rigid_group_restore_all(group);
    crm_rigid_group_refresh(group);
}

// Sweeps begin anew after other means, with all batches.
static void sweeps_anew(crm_rigid_group *group) {
    crm_rigid_group_reset(group);
    if (group->system.batch_count > 0) memset(group->sweep.rest, 0, (size_t)group->system.batch_count);
}

static carom_status smoothed_rounds(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    for (int i = 0; i < group->island_count; i++) {
        bool open;
        if (group->island[i].met) continue;
        carom_status status = open_island(group, newton, i, &open, error);
        if (status != CAROM_OK) return status;
        double price = open ? crm_rigid_newton_price(newton) : 0.0;
        if (!open || !affordable(group, price * crm_rigid_smoothed_steps())) continue;
        int steps = crm_rigid_newton_smoothed_round(newton);
        note_newton(group, steps, price * steps);
        group->fallbacks++;
    }
    sweeps_anew(group);
    crm_rigid_group_evaluate(group, NULL);
    go_back(group);
    return CAROM_OK;
}

static bool wants_proximal(const crm_rigid_group *group) {
    for (int i = 0; i < group->island_count; i++)
        if (!group->island[i].met && group->island[i].tolerance < everyday_tolerance) return true;
    return false;
}

static carom_status proximal_steps(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    for (int i = 0; i < group->island_count; i++) group->fallbacks += !group->island[i].met;
    for (int n = 0; n < most_proximal && wants_proximal(group); n++) {
        double before = group->work;
        for (int i = 0; i < group->island_count; i++) {
            bool open;
            if (group->island[i].met || !(group->island[i].tolerance < everyday_tolerance)) continue;
            carom_status status = open_island(group, newton, i, &open, error);
            if (status != CAROM_OK) return status;
            double price = open ? crm_rigid_newton_price(newton) : 0.0;
            if (!open || !affordable(group, price)) continue;
            crm_rigid_newton_proximal(newton, crm_rigid_proximal_weight(group->residual[i]));
            note_newton(group, 1, price);
        }
        sweeps_anew(group);
        sweep_until_met(group, sweeps_after_proximal, false);
        if (group->work == before) break;
    }
    return CAROM_OK;
}

// ---- all of it

static int first_sweeps(const crm_rigid_group *group) {
    bool rest = true;
    for (int i = 0; i < group->island_count; i++) {
        if (group->island[i].met) continue;
        if (group->members[i].contact_count >= small_island) return most_sweeps;
        rest &= group->island[i].tolerance < everyday_tolerance;
    }
    return rest ? resting_sweeps : small_sweeps;
}

static carom_status until_met(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    int first = first_sweeps(group);
    carom_status status = CAROM_OK;
    sweep_until_met(group, first, true);
    if (group->unmet > 0 && first < most_sweeps) {
        start_from_best(group);
        status = smoothed_rounds(group, newton, error);
        if (status == CAROM_OK) sweep_until_met(group, most_sweeps - first, true);
    }
    if (status == CAROM_OK && wants_proximal(group)) {
        start_from_best(group);
        status = proximal_steps(group, newton, error);
    }
    if (group->behind) crm_rigid_group_restore_all(group);
    return status;
}

carom_status crm_rigid_schedule(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    group->solver = CAROM_SOLVER_GAUSS_SEIDEL;
    forget_bad_guess(group);
    int sweeps = group->options->sweeps;
    if (sweeps <= 0) return until_met(group, newton, error);
    for (int n = 0; n < sweeps && affordable(group, crm_rigid_sweep_price(group)); n++) crm_rigid_group_sweep(group);
    return CAROM_OK;
}
