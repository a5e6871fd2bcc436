// SPDX-License-Identifier: MIT
// Gauss-Newton in the metric of the masses: the displacement d of all bodies that makes d^T M d smallest among those
// with J d = -c, from the system of bodies and joints without forces. From the multipliers, and not from d itself, come
// the displacements M^-1 J^T lambda: they are impulses between bodies whatever the rounding, so that momenta and
// centres of mass are kept. Velocities go the same way with J t in place of c.
#include "model/mechanism/joint_projection.h"

#include "base/fail.h"

carom_status crm_joint_projection_create(const carom_model *model, crm_arena *arena, crm_joint_projection *p,
                                         carom_error *error) {
    p->model = model;
    carom_status status = crm_joint_system_create(model, arena, &p->system, error);
    if (status != CAROM_OK) return status;
    p->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, model->joints.count);
    p->impulse = CRM_ARENA_ARRAY(arena, crm_vec6, model->bodies.count);
    p->lambda = CRM_ARENA_ARRAY(arena, double, p->system.row_count);
    if (p->configs != NULL && p->impulse != NULL && p->lambda != NULL) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the projection on %d joints", model->joints.count);
}

// The impulses that make -lambda good.
static void solve(crm_joint_projection *p) {
    for (int r = 0; r < p->system.row_count; r++) p->lambda[r] = -p->lambda[r];
    for (int b = 0; b < p->model->bodies.count; b++) p->impulse[b] = crm_vec6_zero();
    crm_joint_system_solve(&p->system, p->impulse, p->lambda);
    crm_joint_system_forces(&p->system, p->lambda, p->impulse);
}

void crm_joint_projection_move(crm_joint_projection *p, crm_motion *motions) {
    const carom_model *model = p->model;
    crm_joint_system_evaluate(&p->system, motions, p->configs);
    for (int r = 0; r < p->system.row_count; r++) p->lambda[r] = p->system.residual[r];
    solve(p);
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        const crm_body *body = &model->bodies.items[b];
        crm_motion *m = &motions[b];
        // What nothing pushes keeps its bits.
        if (crm_length_squared(p->impulse[b].linear) + crm_length_squared(p->impulse[b].angular) == 0.0) continue;
        const crm_motion change = {.q = m->q, .l = p->impulse[b].angular};
        carom_vec3 spin = crm_motion_spin(body, m), rotation = crm_motion_spin(body, &change);
        m->x = crm_madd(m->x, body->inverse_mass, p->impulse[b].linear);
        m->q = crm_quat_step(m->q, rotation, 1.0);
        // Momenta rotate with the body.
        m->l = crm_motion_angular_momentum(body, m->q, spin);
    }
}

void crm_joint_projection_slow(crm_joint_projection *p, crm_motion *motions) {
    crm_joint_system_evaluate(&p->system, motions, p->configs);
    crm_joint_system_rates(&p->system, motions, p->lambda);
    solve(p);
    for (int b = 0; b < p->model->bodies.count; b++) {
        motions[b].p = crm_add(motions[b].p, p->impulse[b].linear);
        motions[b].l = crm_add(motions[b].l, p->impulse[b].angular);
    }
}
