// SPDX-License-Identifier: MIT
// Restitution that would make energy, and how far it is limited (docs/math.md 6.1).
//
// Impulses j on bodies that had v- and have v+ after them change the kinetic energy by j.(v- + v+)/2, where v- has half
// of what forces add in the step (docs/math.md 12). Without restitution that is never above zero. Where Newton's or
// Poisson's law makes it so, in an island of contacts and joints, the restitution of all contacts there is taken times
// a share, 0 to 1. While the same contacts stick and slip the energy is a convex parabola of the share: chords between
// a share that loses and one that gains lead to shares that lose.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "step/lcp/lcp.h"

// Chords are good to some percent of what was gained after so many.
enum { MOST_CHORDS = 5 };
// Energies are known to this share of the terms that they are sums of.
static const double rounding = 1e-13;
// Gains of this share of the kinetic energy are told: what rolls and rocks with the speeds of a step's gravity is
// limited all the time, and nobody would see it.
static const double telling_share = 1e-3;
// Of a residual, in what it lets energies be wrong by.
static const double residual_factor = 4.0;

// ---- islands of the problem

static void join(crm_lcp_limits *limits, int a, int b) {
    if (a >= 0 && b >= 0) crm_forest_join(limits->root.items, a, b);
}

static void find_islands(crm_lcp *lcp) {
    crm_lcp_limits *limits = &lcp->limits;
    for (int s = 0; s < lcp->problem.bodies.count; s++) limits->root.items[s] = s;
    for (int c = 0; c < lcp->problem.contacts.count; c++)
        join(limits, lcp->problem.contacts.items[c].a, lcp->problem.contacts.items[c].b);
    for (int i = 0; i < lcp->problem.blocks.count; i++)
        join(limits, lcp->problem.blocks.items[i].a, lcp->problem.blocks.items[i].b);
    for (int s = 0; s < lcp->problem.bodies.count; s++)
        limits->island.items[s] = (crm_lcp_bounce){.share = 1.0, .most = 1.0};
}

static crm_lcp_bounce *island_of(crm_lcp_limits *limits, int a, int b) {
    return &limits->island.items[crm_forest_root(limits->root.items, a >= 0 ? a : b)];
}

// ---- energies

// Bodies in the mean of before and after, into lcp->twist; what they gain.
static void add_bodies(const carom_model *model, const carom_state *state, crm_lcp *lcp, bool forced) {
    crm_lcp_limits *limits = &lcp->limits;
    for (int b = 0; b < model->bodies.count; b++) lcp->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->motion.change);
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        int b = lcp->problem.body_of[s];
        crm_vec6 j = lcp->motion.change[b], before = limits->free.items[s];
        if (forced)
            before = crm_vec6_madd(before, -0.5, crm_velocity_of(model, state, b, lcp->motion.explicit_impulse[b]));
        crm_vec6 half = crm_vec6_scale(0.5, crm_velocity_of(model, state, b, j));
        crm_lcp_bounce *island = island_of(limits, s, -1);
        double taken = crm_vec6_dot(j, before), given = crm_vec6_dot(j, half);
        island->gain += taken + given;
        island->size += fabs(taken) + given;
        island->kinetic += crm_motion_kinetic_energy(&model->bodies.items[b], &state->motions[b]);
        lcp->twist[b] = crm_vec6_add(before, half);
    }
}

// Velocities of a contact's rows may be wrong by this, m/s.
static double residual_of(const crm_lcp *lcp, int contact) {
    if (!lcp->by_islands) return crm_lcp_contact_noise(lcp, contact);
    const crm_rigid_island *island = &lcp->solved.island[lcp->solved.island_of_contact[contact]];
    return island->residual * island->scale;
}

// Less what undoes overlaps, which is no impact: rows that end at -offset.
static void add_contacts(crm_lcp *lcp) {
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c;
        if (contact->a < 0 && contact->b < 0) continue;
        crm_lcp_bounce *island = island_of(&lcp->limits, contact->a, contact->b);
        island->noise += residual_factor * residual_of(lcp, c) * sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        island->bounces |= lcp->limits.rebound.items[c] < 0.0;
        if (lcp->limits.rebound.items[c] == 0.0) island->gain += 0.5 * r[0] * fmin(contact->offset, 0.0);
    }
}

static double row_rate(const crm_lcp *lcp, const crm_rigid_block *block, int k) {
    double rate = 0.0;
    if (block->a >= 0) rate += crm_vec6_dot(block->on_a[k], lcp->twist[lcp->problem.body_of[block->a]]);
    if (block->b >= 0) rate += crm_vec6_dot(block->on_b[k], lcp->twist[lcp->problem.body_of[block->b]]);
    return rate;
}

// Less the work of motors and forces, and of what closes joints and undoes what is beyond limits.
static void add_blocks(crm_lcp *lcp) {
    const double *r = crm_lcp_block_impulses(lcp);
    for (int i = 0; i < lcp->problem.blocks.count; r += lcp->problem.blocks.items[i++].rows) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        if (block->a < 0 && block->b < 0) continue;
        crm_lcp_bounce *island = island_of(&lcp->limits, block->a, block->b);
        for (int k = 0; k < block->rows; k++) {
            if (block->law == CAROM_LAW_BOX || i >= lcp->problem.force_blocks)
                island->gain -= r[k] * row_rate(lcp, block, k);
            else
                island->gain +=
                    0.5 * r[k] * (block->law == CAROM_LAW_UNILATERAL ? fmin(block->offset[k], 0.0) : block->offset[k]);
        }
    }
}

static void measure(const carom_model *model, const carom_state *state, crm_lcp *lcp, bool forced) {
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_lcp_bounce *island = &lcp->limits.island.items[s];
        island->gain = island->size = island->noise = island->kinetic = 0.0;
    }
    add_bodies(model, state, lcp, forced);
    add_contacts(lcp);
    add_blocks(lcp);
}

// ---- solutions

static carom_status solve(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report,
                          carom_error *error) {
    carom_status status = crm_lcp_solve(state, lcp, report, error);
    if (status == CAROM_OK && lcp->def.restitution == CAROM_RESTITUTION_POISSON)
        status = crm_lcp_restitute(model, state, lcp, report, error);
    return status;
}

static bool keep_start(const carom_model *model, crm_lcp *lcp) {
    const carom_allocator *allocator = &model->allocator;
    crm_lcp_limits *limits = &lcp->limits;
    int rows = lcp->problem.impulse.count, bodies = lcp->problem.bodies.count;
    if (!CRM_ARRAY_RESIZE(allocator, &limits->start, rows) || !CRM_ARRAY_RESIZE(allocator, &limits->free, bodies) ||
        !CRM_ARRAY_RESIZE(allocator, &limits->root, bodies) || !CRM_ARRAY_RESIZE(allocator, &limits->island, bodies))
        return false;
    memcpy(limits->start.items, lcp->problem.impulse.items, (size_t)rows * sizeof(double));
    for (int s = 0; s < bodies; s++) limits->free.items[s] = lcp->problem.bodies.items[s].free;
    find_islands(lcp);
    return true;
}

// The problem as it was before its first solution, with the shares of restitution of its islands.
static void restore(crm_lcp *lcp) {
    crm_lcp_limits *limits = &lcp->limits;
    memcpy(lcp->problem.impulse.items, limits->start.items, (size_t)limits->start.count * sizeof(double));
    for (int s = 0; s < lcp->problem.bodies.count; s++) lcp->problem.bodies.items[s].free = limits->free.items[s];
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        if (contact->a < 0 && contact->b < 0) continue;
        limits->share.items[c] = island_of(limits, contact->a, contact->b)->share;
        if (lcp->def.restitution == CAROM_RESTITUTION_NEWTON && limits->rebound.items[c] != 0.0)
            contact->offset = limits->share.items[c] * limits->rebound.items[c];
    }
    lcp->two_phases = false;
}

// ---- shares

static bool is_limited(const crm_lcp_bounce *island) {
    return island->most_gain > 0.0;
}

// Of the first solution, by the laws themselves.
static bool find_gains(crm_lcp *lcp) {
    bool any = false;
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_lcp_bounce *island = &lcp->limits.island.items[s];
        if (!island->bounces || !(island->gain > island->noise + rounding * island->size)) continue;
        island->most_gain = island->gain;
        island->worth_telling = island->gain > telling_share * island->kinetic;
        island->share = 0.0;
        any = true;
    }
    return any;
}

// What a solution says of the shares that were tried. Without restitution there is no gain but for residuals.
static void note_gains(crm_lcp *lcp) {
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_lcp_bounce *island = &lcp->limits.island.items[s];
        if (!is_limited(island)) continue;
        if (island->share == 0.0 || island->gain <= rounding * island->size)
            island->least = island->share, island->least_gain = fmin(island->gain, 0.0);
        else
            island->most = island->share, island->most_gain = island->gain;
    }
}

static void follow_chords(crm_lcp *lcp) {
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_lcp_bounce *island = &lcp->limits.island.items[s];
        if (!is_limited(island)) continue;
        double part = -island->least_gain / (island->most_gain - island->least_gain);
        island->share = island->least + part * (island->most - island->least);
    }
}

// Back to shares that lose. True: there is something to solve.
static bool take_least(crm_lcp *lcp) {
    bool any = false;
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        crm_lcp_bounce *island = &lcp->limits.island.items[s];
        if (!is_limited(island)) continue;
        any |= island->share != island->least;
        island->share = island->least;
    }
    return any;
}

static void count_limited(crm_lcp *lcp) {
    crm_lcp_limits *limits = &lcp->limits;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        if (contact->a < 0 && contact->b < 0) continue;
        crm_lcp_bounce *island = island_of(limits, contact->a, contact->b);
        if (limits->rebound.items[c] == 0.0 || !island->worth_telling || island->told) continue;
        island->told = true;
        const crm_contact_site *site = &lcp->contacts.sites.items[c];
        crm_limited_impacts_add(&limits->limited, site->a, site->b);
    }
}

carom_status crm_lcp_solve_impacts(const carom_model *model, carom_state *state, crm_lcp *lcp, bool forced,
                                   carom_step_report *report, carom_error *error) {
    lcp->limits.limited.count = 0;
    if (!lcp->limits.bounces || model->mobility.kind != CAROM_MOBILITY_NONE)
        return solve(model, state, lcp, report, error);
    if (!keep_start(model, lcp)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for impacts");
    double residual = report->residual, friction_work = report->friction_work;
    bool missed = lcp->missed;
    carom_status status = solve(model, state, lcp, report, error);
    if (status != CAROM_OK) return status;
    measure(model, state, lcp, forced);
    if (!find_gains(lcp)) return CAROM_OK;
    for (int i = 0; i <= MOST_CHORDS + 1 && status == CAROM_OK; i++) {
        if (i == MOST_CHORDS + 1 && !take_least(lcp)) break;
        restore(lcp);
        report->residual = residual, report->friction_work = friction_work, lcp->missed = missed;
        status = solve(model, state, lcp, report, error);
        if (status != CAROM_OK) return status;
        measure(model, state, lcp, forced);
        note_gains(lcp);
        if (i < MOST_CHORDS) follow_chords(lcp);
    }
    count_limited(lcp);
    return status;
}
