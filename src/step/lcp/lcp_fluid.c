// SPDX-License-Identifier: MIT
// Steps without inertia: velocities are forces times a mobility (docs/math.md 6.8).
//
//   v+ = Mob (F + J^T r / h),   so that Mob / h stands where M^-1 stands, and v_free = Mob F
#include <string.h>

#include "math/dense/dense_cholesky.h"
#include "model/force/mobility.h"
#include "step/certify/accounts.h"
#include "step/lcp/lcp.h"

// v = Mob f for all bodies, as 6-vectors of all bodies.
static void apply(const carom_model *model, const carom_state *state, crm_lcp *lcp, const crm_vec6 *force,
                  crm_vec6 *velocity) {
    crm_lcp_fluid *fluid = &lcp->fluid;
    int at = 0;
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        memcpy(fluid->force + at, &force[b], 6 * sizeof(double));
        at += 6;
    }
    crm_mobility_apply(model, state->motions, fluid->poses, fluid->centres, fluid->force, fluid->velocity);
    at = 0;
    for (int b = 0; b < model->bodies.count; b++) {
        velocity[b] = crm_vec6_zero();
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        memcpy(&velocity[b], fluid->velocity + at, 6 * sizeof(double));
        at += 6;
    }
}

_Static_assert(sizeof(crm_vec6) == 6 * sizeof(double), "a 6-vector is six numbers");

bool crm_lcp_fluid_take(const carom_model *model, crm_arena *arena, crm_lcp_fluid *fluid) {
    int bodies = model->bodies.count;
    fluid->poses = CRM_ARENA_ARRAY(arena, carom_pose, bodies);
    fluid->centres = CRM_ARENA_ARRAY(arena, carom_vec3, bodies);
    fluid->force = CRM_ARENA_ARRAY(arena, double, 6 * (ptrdiff_t)bodies);
    fluid->velocity = CRM_ARENA_ARRAY(arena, double, 6 * (ptrdiff_t)bodies);
    fluid->total = CRM_ARENA_ARRAY(arena, crm_vec6, bodies);
    return !crm_arena_refused(arena);
}

static void set_momenta(const carom_model *model, const crm_vec6 *twist, crm_motion *motions) {
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        motions[b].p = crm_scale(body->mass, twist[b].linear);
        motions[b].l = crm_motion_angular_momentum(body, motions[b].q, twist[b].angular);
    }
}

void crm_lcp_fluid_free(const carom_model *model, carom_state *state, crm_lcp *lcp) {
    double per_step = 1.0 / state->method.step;
    for (int b = 0; b < model->bodies.count; b++)
        lcp->fluid.total[b] = crm_vec6_scale(per_step, lcp->motion.explicit_impulse[b]);
    apply(model, state, lcp, lcp->fluid.total, lcp->motion.free);
    set_momenta(model, lcp->motion.free, state->next);
}

bool crm_lcp_fluid_resistances(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    int count = lcp->problem.bodies.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->general.nodes, count)) return false;
    for (int n = 0; n < count; n++) {
        int body = lcp->problem.body_of[n];
        crm_mat6 resistance = crm_mobility_resistance(model, body, &state->motions[body]);
        double *mass = lcp->general.nodes.items[n].mass;
        for (int i = 0; i < 36; i++) mass[i] = state->method.step * resistance.e[i]; // symmetric
    }
    return true;
}

// The same of one body by itself in Stokes' drag, with the others in any other mobility.
double crm_lcp_fluid_answer(const carom_model *model, const carom_state *state, crm_lcp *lcp, int a, crm_vec6 on_a,
                            int b, crm_vec6 on_b) {
    crm_lcp_fluid *fluid = &lcp->fluid;
    const int body[2] = {a, b};
    const crm_vec6 row[2] = {on_a, on_b};
    double answer = 0.0;
    if (model->mobility.kind == CAROM_MOBILITY_STOKES) {
        for (int i = 0; i < 2; i++) {
            if (!crm_body_moves(model, body[i])) continue;
            crm_mat6 resistance = crm_mobility_resistance(model, body[i], &state->motions[body[i]]);
            crm_vec6 velocity = row[i];
            (void)crm_cholesky_factor(6, resistance.e, 6); // of a body's drag: positive definite
            crm_cholesky_solve(6, resistance.e, 6, 1, (double *)&velocity, 6);
            answer += crm_vec6_dot(row[i], velocity);
        }
        return answer / state->method.step;
    }
    for (int k = 0; k < model->bodies.count; k++) fluid->total[k] = crm_vec6_zero();
    for (int i = 0; i < 2; i++)
        if (body[i] >= 0) fluid->total[body[i]] = row[i];
    apply(model, state, lcp, fluid->total, lcp->twist);
    for (int i = 0; i < 2; i++)
        if (body[i] >= 0) answer += crm_vec6_dot(row[i], lcp->twist[body[i]]);
    return answer / state->method.step;
}

void crm_lcp_fluid_mobility(void *user, const double *force, double *velocity) {
    const crm_lcp_fluid *fluid = user;
    const carom_model *model = fluid->state->model;
    crm_mobility_apply(model, fluid->state->motions, fluid->poses, fluid->centres, force, velocity);
    double per_step = 1.0 / fluid->state->method.step;
    for (int i = 0; i < fluid->size; i++) velocity[i] *= per_step;
}

void crm_lcp_fluid_twists(const carom_model *model, const carom_state *state, crm_lcp *lcp, crm_vec6 *twist) {
    double per_step = 1.0 / state->method.step;
    for (int b = 0; b < model->bodies.count; b++)
        lcp->fluid.total[b] =
            crm_vec6_scale(per_step, crm_vec6_add(lcp->motion.explicit_impulse[b], lcp->motion.change[b]));
    apply(model, state, lcp, lcp->fluid.total, twist);
}

void crm_lcp_fluid_move(const carom_model *model, carom_state *state, crm_lcp *lcp) {
    double h = state->method.step;
    crm_lcp_fluid_twists(model, state, lcp, lcp->motion.free);
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *next = &state->next[b];
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        next->x = crm_madd(next->x, h, lcp->motion.free[b].linear);
        next->q = crm_quat_step(next->q, lcp->motion.free[b].angular, h);
        // The fluid resists with all that drives the body.
        crm_ledger_add(state, b, -1, CRM_LINE_PASSIVE, -h * crm_vec6_dot(lcp->fluid.total[b], lcp->motion.free[b]));
    }
    if (lcp->glide.model != NULL) crm_glide_close_poses(state, &lcp->glide);
    set_momenta(model, lcp->motion.free, state->next);
    // The fluid takes up what is left between the momenta: the balance of bodies in a fluid is not theirs alone.
    for (int b = 0; b < model->bodies.count; b++)
        state->impulse[b] =
            crm_vec6_of(crm_sub(state->next[b].p, state->motions[b].p), crm_sub(state->next[b].l, state->motions[b].l));
}
