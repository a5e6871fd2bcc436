// SPDX-License-Identifier: MIT
// Springs between bodies that would make energy where their impulses lead to, and brakes for them (docs/math.md 13.3).
//
// With V of a spring at the ends of the step and r u of its rows, E+ - E- is the sum of V+ - V- + r u over all springs,
// of r u over contacts and joints, less |v+ - v-|^2/2 in M (in a fluid what it takes): springs have made no energy
// while the first sum is not above the last term, in every group of bodies that they and joints connect.
#include <math.h>
#include <string.h>

#include "base/forest.h"
#include "step/integrate/free_spin.h"
#include "step/lcp/lcp.h"

// Energies are known to this share of those that a sum is made of.
static const double rounding = 1e-12;

bool crm_lcp_brakes_create(carom_state *state, crm_lcp_brakes *brakes) {
    int springs = state->model->springs.count, bodies = state->model->bodies.count;
    if (springs == 0) return true;
    brakes->of = CRM_ARENA_ZEROED(&state->arena, crm_spring_brake, springs);
    brakes->first_row = CRM_ARENA_ZEROED(&state->arena, int, springs);
    brakes->gain = CRM_ARENA_ZEROED(&state->arena, double, springs);
    brakes->island = CRM_ARENA_ZEROED(&state->arena, crm_lcp_braked_island, bodies);
    return !crm_arena_refused(&state->arena);
}

void crm_lcp_brakes_begin(const carom_model *model, crm_lcp_brakes *brakes) {
    for (int i = 0; i < model->springs.count; i++) brakes->of[i] = CRM_BRAKE_NONE;
}

static bool in_fluid(const carom_model *model) {
    return model->mobility.kind != CAROM_MOBILITY_NONE;
}

// Velocities that the impulses lead to, into lcp->twist.
static void find_twists(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    if (in_fluid(model)) {
        crm_lcp_fluid_twists(model, state, lcp, lcp->twist);
        return;
    }
    for (int b = 0; b < model->bodies.count; b++)
        lcp->twist[b] = crm_vec6_add(lcp->motion.free[b], crm_velocity_of(model, state, b, lcp->motion.change[b]));
}

static carom_vec3 point_after(const carom_model *model, const carom_state *state, const crm_lcp *lcp, crm_point point) {
    if (!crm_body_moves(model, point.body)) return crm_point_position(point, state->motions);
    const crm_motion *before = &state->motions[point.body];
    double h = state->method.step;
    crm_vec6 twist = lcp->twist[point.body];
    carom_vec3 l = crm_add(state->next[point.body].l, lcp->motion.change[point.body].angular);
    if (!in_fluid(model))
        twist.angular = crm_bounded_spin(&model->bodies.items[point.body], before->q, l, twist.angular, h);
    return crm_add(crm_madd(before->x, h, twist.linear),
                   crm_quat_rotate(crm_quat_step(before->q, twist.angular, h), point.at));
}

// r u of a block of a force, r by its law: what solvers leave is no matter of the rows.
static double work_of(const crm_lcp *lcp, const crm_rigid_block *block) {
    double work = 0.0;
    crm_vec6 a = block->a >= 0 ? lcp->twist[lcp->problem.body_of[block->a]] : crm_vec6_zero();
    crm_vec6 b = block->b >= 0 ? lcp->twist[lcp->problem.body_of[block->b]] : crm_vec6_zero();
    for (int k = 0; k < block->rows; k++) {
        double u = crm_vec6_dot(block->on_a[k], a) + crm_vec6_dot(block->on_b[k], b);
        work -= u * ((u + block->offset[k]) / block->compliance[k]);
    }
    return work;
}

static int island_of(const carom_state *state, const crm_spring *spring) {
    return crm_forest_root(state->joined,
                           crm_body_moves(state->model, spring->a.body) ? spring->a.body : spring->b.body);
}

// Of all springs; blocks of theirs follow each other in the order of the springs, the last ones of the problem.
static void add_springs(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_lcp_brakes *brakes = &lcp->brakes;
    int block = lcp->problem.force_blocks, row = 0;
    for (int i = 0; i < model->springs.count; i++) {
        const crm_spring *spring = &model->springs.items[i];
        int end = i + 1 < model->springs.count ? brakes->first_row[i + 1] : lcp->problem.forces.count;
        double work = 0.0;
        for (; row < brakes->first_row[i]; block++) row += lcp->problem.blocks.items[block].rows;
        for (; row < end; block++) {
            work += work_of(lcp, &lcp->problem.blocks.items[block]);
            row += lcp->problem.blocks.items[block].rows;
        }
        double first = crm_spring_energy(spring, crm_point_position(spring->a, state->motions),
                                         crm_point_position(spring->b, state->motions));
        double last = crm_spring_energy(spring, point_after(model, state, lcp, spring->a),
                                        point_after(model, state, lcp, spring->b));
        crm_lcp_braked_island *island = &brakes->island[island_of(state, spring)];
        brakes->gain[i] = last - first + work;
        island->gain += brakes->gain[i];
        island->size += first + last + fabs(work);
    }
}

// What the step loses with a body: |v+ - v-|^2/2 in M; in a fluid what that takes, all that acts times the way.
static double loss_of(const carom_model *model, const carom_state *state, const crm_lcp *lcp, int b) {
    const crm_body *body = &model->bodies.items[b];
    if (in_fluid(model))
        return crm_vec6_dot(crm_vec6_add(lcp->motion.explicit_impulse[b], lcp->motion.change[b]), lcp->twist[b]);
    crm_vec6 d = crm_vec6_sub(lcp->twist[b], crm_twist_of(model, state->motions, b));
    double loss = 0.5 * body->mass * crm_length_squared(d.linear);
    if (body->kind == CAROM_BODY_POINT) return loss;
    return loss + 0.5 * crm_dot(d.angular, crm_motion_angular_momentum(body, state->motions[b].q, d.angular));
}

static void add_losses(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b)) continue;
        crm_lcp_braked_island *island = &lcp->brakes.island[crm_forest_root(state->joined, b)];
        if (island->size > 0.0) island->loss += loss_of(model, state, lcp, b);
    }
}

bool crm_lcp_brake_springs(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_lcp_brakes *brakes = &lcp->brakes;
    bool any = false;
    if (model->springs.count == 0) return false;
    memset(brakes->island, 0, (size_t)model->bodies.count * sizeof *brakes->island);
    find_twists(model, state, lcp);
    add_springs(model, state, lcp);
    add_losses(model, state, lcp);
    for (int i = 0; i < model->springs.count; i++) {
        const crm_lcp_braked_island *island = &brakes->island[island_of(state, &model->springs.items[i])];
        if (!(island->gain > island->loss + rounding * island->size) || !(brakes->gain[i] > 0.0)) continue;
        any |= brakes->of[i] != CRM_BRAKE_ALL;
        brakes->of[i] = brakes->of[i] == CRM_BRAKE_NONE ? CRM_BRAKE_ARMS : CRM_BRAKE_ALL;
    }
    return any;
}
