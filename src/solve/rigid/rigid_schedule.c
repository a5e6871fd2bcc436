// SPDX-License-Identifier: MIT
// In which order an island's means are tried (docs/solvers.md): the guess; sweeps with momentum; Newton's method on
// smoothed laws for small islands, for those at rest and for tolerances below the everyday one; sweeps again.
#include <math.h>
#include <string.h>

#include "solve/rigid/rigid_group.h"

#include "base/limits/limit.h"

static const int most_sweeps = 400, fine_sweeps = 600;
// Of islands that Newton's method takes up then: small ones, whose systems are cheap; those at rest, whose active sets
// hardly change.
static const int small_island = 200, small_sweeps = 100, resting_sweeps = 60;
// Large islands that move are left to sweeps, which nearly always meet the everyday tolerance, and get rounds only
// where at least `worthwhile_steps` cost no more than those sweeps did: a step is dear in a heap. Below that tolerance
// they have more sweeps and a further round, from the best point met. It is set below 1e-3, as what is promised is
// sought with some room.
static const double everyday_tolerance = 5e-4;
static const int worthwhile_steps = 12;
static const int most_rounds = 2, steps_a_round = 60, sweeps_after_round = 20;
// An island at rest is left to sweeps, until it has the tolerance of moving ones, when it is large or so near to its
// own: the next step goes on from there. Others, and large ones that sweeps leave above that tolerance, get one shorter
// round. Of a large one whose guess has that tolerance sweeps mend only what a few of them mend: what is left are
// motions of the whole, slow to go.
static const int resting_steps = 14, large_resting_steps = 9, harmless_sweeps = 10;
static const double near_tolerance = 5.0;
// Of impulses that are near already.
static const int polish_steps = 4;
// The residual is evaluated when no contact changes by more than this share of what its tolerance allows, ...
static const double small_change = 0.5;
// ... not again before the change is this much smaller, but at the latest after so many sweeps.
static const double smaller_change = 0.3;
static const int evaluate_every = 50;
static const int refresh_every = 100;
// An island that is so much worse than its best goes back to it, and momentum is taken down.
static const double much_worse = 3.0, less_momentum = 0.1;

// What may be spent. Kept back: an evaluation, going back to the best, and at the end both again.
static double to_spend(const crm_rigid_group *group) {
    if (crm_interrupted(&group->options->interrupt)) return -INFINITY;
    return group->budget - 4.0 * crm_rigid_residual_price(group) - group->work;
}

static bool affordable(const crm_rigid_group *group, double price) {
    return price <= to_spend(group);
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

// At rest islands are solved deeper than while they move; what has that tolerance already does no harm as it is.
static bool is_deeper(const crm_rigid_group *group, int i) {
    return group->resting[i] && group->island[i].tolerance < group->options->tolerance;
}

static bool does_no_harm(const crm_rigid_group *group, int i) {
    return is_deeper(group, i) && group->island[i].residual <= group->options->tolerance;
}

// Such islands get no more than this step has done.
static void leave_resting(crm_rigid_group *group) {
    for (int i = 0; i < group->island_count; i++) {
        if (group->island[i].met || !does_no_harm(group, i)) continue;
        group->unmet -= !group->given_up[i];
        group->given_up[i] = true;
    }
}

typedef struct sweep_plan {
    int most;
    bool back;  // to the best when they lead astray
    bool leave; // what does no harm
} sweep_plan;

static void sweep_until_met(crm_rigid_group *group, sweep_plan plan) {
    double enough = small_change;
    int since = 0;
    for (int n = 1; n <= plan.most && group->unmet > 0; n++) {
        if (!affordable(group, crm_rigid_sweep_price(group))) break;
        double change = crm_rigid_group_sweep(group);
        since++;
        if (n % refresh_every == 0 && affordable(group, crm_rigid_residual_price(group)))
            crm_rigid_group_refresh(group);
        if (!(change < enough) && since < evaluate_every && n < plan.most) continue;
        crm_rigid_group_evaluate(group, NULL);
        if (plan.back) go_back(group);
        if (plan.leave) leave_resting(group);
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

// False when the budget does not even have that.
static bool start_from_best(crm_rigid_group *group) {
    if (!affordable(group, crm_rigid_residual_price(group))) return false;
    crm_rigid_group_restore_all(group);
    crm_rigid_group_refresh(group);
    return true;
}

// Sweeps begin anew after other means, with all batches.
static void sweeps_anew(crm_rigid_group *group) {
    crm_rigid_group_reset(group);
    if (group->system.batch_count > 0) memset(group->sweep.rest, 0, (size_t)group->system.batch_count);
}

// As many steps as the budget has.
static int affordable_steps(const crm_rigid_group *group, int most, double price) {
    int steps = 0;
    while (steps < most && affordable(group, (steps + 1) * price)) steps++;
    return steps;
}

static bool is_small(const crm_rigid_group *group, int i) {
    return group->members[i].contact_count < small_island;
}

static bool is_large_at_rest(const crm_rigid_group *group, int i) {
    return is_deeper(group, i) && group->members[i].contact_count >= CRM_RIGID_LARGE_AT_REST;
}

// Sweeps that an island begins with.
static int sweeps_of(const crm_rigid_group *group, int i) {
    if (is_large_at_rest(group, i) && does_no_harm(group, i)) return harmless_sweeps;
    if (is_deeper(group, i)) return resting_sweeps;
    if (is_small(group, i)) return small_sweeps;
    return group->island[i].tolerance < everyday_tolerance ? fine_sweeps : most_sweeps;
}

// What the steps of a round may cost together, beside the budget.
static double price_of_round(const crm_rigid_group *group, int i) {
    bool any = group->options->polish || is_deeper(group, i) || is_small(group, i);
    return any ? INFINITY : sweeps_of(group, i) * crm_rigid_sweep_price(group);
}

// Steps that an island may have in a round, at this price.
static int steps_of_round(const crm_rigid_group *group, int i, double price) {
    if (group->options->polish) return polish_steps;
    if (is_deeper(group, i)) return is_large_at_rest(group, i) ? large_resting_steps : resting_steps;
    return (int)fmin(price_of_round(group, i) / price, steps_a_round);
}

// A step that costs more is not worth opening the island for.
static double dearest_step(const crm_rigid_group *group, int i) {
    return fmin(to_spend(group), price_of_round(group, i) / worthwhile_steps);
}

static carom_status newton_on_island(crm_rigid_group *group, crm_rigid_newton *newton, int i, carom_error *error) {
    double opening = crm_rigid_newton_open_price(&group->members[i]);
    if (!affordable(group, opening)) return CAROM_OK;
    group->work += opening;
    double price;
    carom_status status =
        crm_rigid_newton_open(newton, &group->system, &group->members[i], dearest_step(group, i), &price, error);
    if (status != CAROM_OK || !isfinite(price)) return status;
    int steps = affordable_steps(group, steps_of_round(group, i, price), price);
    if (group->options->polish)
        steps = crm_rigid_newton_polish(newton, steps);
    else
        steps = crm_rigid_newton_smoothed_round(newton, group->residual[i], group->island[i].tolerance, steps);
    note_newton(group, steps, price * steps);
    return CAROM_OK;
}

// How many rounds an island may have.
static int rounds_of(const crm_rigid_group *group, int i) {
    if (group->island[i].met || group->given_up[i]) return 0;
    if (group->options->polish) return 1;
    if (is_deeper(group, i)) {
        bool near = group->island[i].residual <= near_tolerance * group->island[i].tolerance;
        bool far = group->island[i].residual > group->options->tolerance;
        return (!is_large_at_rest(group, i) && !near) || far;
    }
    return group->island[i].tolerance < everyday_tolerance ? most_rounds : 1;
}

static carom_status newton_round(crm_rigid_group *group, crm_rigid_newton *newton, int round, carom_error *error) {
    if (!start_from_best(group)) return CAROM_OK;
    for (int i = 0; i < group->island_count; i++) {
        if (round >= rounds_of(group, i)) continue;
        carom_status status = newton_on_island(group, newton, i, error);
        if (status != CAROM_OK) return status;
    }
    sweeps_anew(group);
    crm_rigid_group_evaluate(group, NULL);
    sweep_until_met(group, (sweep_plan){.most = sweeps_after_round});
    return CAROM_OK;
}

// ---- all of it

static int first_sweeps(const crm_rigid_group *group) {
    int most = 0;
    for (int i = 0; i < group->island_count; i++) {
        if (group->island[i].met) continue;
        if (sweeps_of(group, i) > most) most = sweeps_of(group, i);
    }
    return most;
}

static carom_status until_met(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    int first = first_sweeps(group), rounds = 0;
    carom_status status = CAROM_OK;
    sweep_until_met(group, (sweep_plan){.most = first, .back = true});
    for (int i = 0; i < group->island_count; i++) {
        if (rounds_of(group, i) > rounds) rounds = rounds_of(group, i);
        group->fallbacks += rounds_of(group, i) > 0;
    }
    for (int n = 0; n < rounds && group->unmet > 0 && status == CAROM_OK; n++)
        status = newton_round(group, newton, n, error);
    leave_resting(group);
    if (status == CAROM_OK && group->unmet > 0 && first < most_sweeps && start_from_best(group)) {
        sweeps_anew(group);
        sweep_until_met(group, (sweep_plan){.most = most_sweeps - first, .back = true, .leave = true});
    }
    if (group->behind) crm_rigid_group_restore_all(group);
    return status;
}

static carom_status polish(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    carom_status status = group->unmet > 0 ? newton_round(group, newton, 0, error) : CAROM_OK;
    if (group->behind) crm_rigid_group_restore_all(group);
    return status;
}

carom_status crm_rigid_schedule(crm_rigid_group *group, crm_rigid_newton *newton, carom_error *error) {
    group->solver = CAROM_SOLVER_GAUSS_SEIDEL;
    forget_bad_guess(group);
    if (group->options->polish) return polish(group, newton, error);
    int sweeps = group->options->sweeps;
    if (sweeps <= 0) return until_met(group, newton, error);
    for (int n = 0; n < sweeps && affordable(group, crm_rigid_sweep_price(group)); n++) crm_rigid_group_sweep(group);
    return CAROM_OK;
}
