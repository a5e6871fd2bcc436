// SPDX-License-Identifier: MIT
// What a step is solved to, and what it may take for that.
#include <math.h>

#include "step/lcp/lcp.h"
#include "step/method.h"

// 1e-3 is the coarsest residual that is right in kind: a house of cards stands. What rests is solved further, which
// costs next to nothing and keeps it from creeping.
static const double moving = 1e-3, resting = 1e-5, precise = 1e-8;
// What moves is solved to a little less than is promised: single impacts that are left just below 1e-3 are what shifts
// falling dominoes most (0.8 mm in 2.5 s, with this 0.2), and it costs next to nothing.
static const double sought_share = 0.8;
// Who gives so much, s for 1,000 contacts, wants every step met.
static const double generous_budget = 1.0;
static const double budget = 0.25, precise_budget = 20.0; // s for 1,000 contacts
// What a step takes in any case, whoever solves it: every attempt has at most two solutions (Poisson's law), each of
// which is written down, evaluated, and evaluated once more where friction is taken away (crm_lcp_solve). Less is
// raised to this.
static const double least_lean_budget = 0.005, least_general_budget = 0.025;
enum { FAST_SWEEPS = 20, FEWEST_CONTACTS = 20 };

crm_lcp_aim crm_lcp_aim_of(const carom_lcp_def *def) {
    crm_lcp_aim aim = {.moving = moving, .resting = resting, .budget = budget};
    if (def->accuracy == CAROM_ACCURACY_FAST) aim.sweeps = FAST_SWEEPS;
    if (def->accuracy == CAROM_ACCURACY_PRECISE) {
        aim.moving = aim.resting = precise;
        aim.budget = precise_budget;
    }
    if (def->tolerance > 0.0) aim.moving = aim.resting = def->tolerance;
    if (def->budget > 0.0) aim.budget = def->budget;
    aim.generous = aim.budget >= generous_budget;
    aim.sought = sought_share * aim.moving;
    return aim;
}

double crm_lcp_promised_residual(const carom_lcp_def *def) {
    crm_lcp_aim aim = crm_lcp_aim_of(def);
    return aim.sweeps > 0 ? INFINITY : fmin(aim.moving, CRM_COARSEST_CONTACTS);
}

void crm_lcp_allow_work(const carom_model *model, crm_lcp *lcp, int solutions) {
    int counted = lcp->problem.contacts.count + lcp->problem.blocks.count;
    double least = crm_lcp_is_lean(model, lcp) ? least_lean_budget : least_general_budget;
    double seconds = fmax(crm_lcp_aim_of(&lcp->def).budget, least);
    if (counted < FEWEST_CONTACTS) counted = FEWEST_CONTACTS;
    lcp->work_allowed = fmax(lcp->work_allowed, seconds * 1e-3 * counted * CRM_WORK_PER_SECOND);
    lcp->solutions_left = solutions;
}

double crm_lcp_work_left(const crm_lcp *lcp) {
    return fmax(lcp->work_allowed - lcp->work - lcp->work_kept, 0.0);
}
