// SPDX-License-Identifier: MIT
// The natural map of four contacts at a time (docs/math.md 6.6): with x = s r - w, w = u + mu |u_t| n, the velocity
// e = s r - P(x) vanishes where Coulomb's law holds. A cone is the same for impulses and s times them.
#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"

// |e|^2 and |s r|^2.
QUAD_INLINE void lanes_residual(const crm_rigid_batch *k, bool relaxed, const quad u[3], quad *wrong, quad *impulse) {
    const quad zero = quad_fill(0.0);
    quad s = quad_load(k->scale), mu = quad_load(k->friction);
    quad r0 = s * quad_load(k->impulse[0]), r1 = s * quad_load(k->impulse[1]), r2 = s * quad_load(k->impulse[2]);
    quad w0 = u[0] + quad_load(k->offset);
    if (!relaxed) w0 += mu * quad_root(u[1] * u[1] + u[2] * u[2]);
    quad x0 = r0 - w0, x1 = r1 - u[1], x2 = r2 - u[2], slip = quad_root(x1 * x1 + x2 * x2);
    quad_mask inside = (x0 >= zero) & (slip <= mu * x0);
    quad along = (x0 + mu * slip) / (quad_fill(1.0) + mu * mu);
    along = quad_choose(along < zero, zero, along);
    quad factor = quad_choose(slip > zero, mu * along / slip, zero);
    quad e0 = r0 - quad_choose(inside, x0, along);
    quad e1 = r1 - quad_choose(inside, x1, factor * x1), e2 = r2 - quad_choose(inside, x2, factor * x2);
    *wrong = e0 * e0 + e1 * e1 + e2 * e2;
    *impulse = r0 * r0 + r1 * r1 + r2 * r2;
}

static void add_residual(crm_rigid_sums *sums, double wrong, double impulse, double s) {
    if (!(wrong <= sums->wrong)) sums->wrong = wrong;
    if (!(impulse <= sums->impulse)) sums->impulse = impulse;
    sums->energy += wrong / s;
    sums->energy_impulse += impulse / s;
}

static void residual_batches(const crm_rigid_system *system, crm_rigid_sums *sums, double *velocity) {
    for (int i = 0; i < system->batch_count; i++) {
        const crm_rigid_batch *k = &system->batch[i];
        quad a[6], b[6], u[3], wrong, impulse;
        lanes_gather(system->z, k->a, a);
        lanes_gather(system->z, k->b, b);
        for (int m = 0; m < 3; m++) u[m] = lanes_row(k, m, a, b);
        lanes_residual(k, system->relaxed, u, &wrong, &impulse);
        for (int l = 0; l < CRM_RIGID_LANES && k->contact[l] >= 0; l++) {
            add_residual(&sums[k->island[l]], wrong[l], impulse[l], k->scale[l]);
            if (velocity == NULL) continue;
            for (int m = 0; m < 3; m++) velocity[3 * (ptrdiff_t)k->contact[l] + m] = u[m][l];
        }
    }
}

static void push_batches(const crm_rigid_system *system) {
    for (int i = 0; i < system->batch_count; i++) {
        const crm_rigid_batch *k = &system->batch[i];
        quad a[6], b[6], r[3];
        for (int m = 0; m < 3; m++) r[m] = quad_load(k->impulse[m]);
        lanes_gather(system->z, k->a, a);
        lanes_gather(system->z, k->b, b);
        lanes_push(k->row_a[0], r, a);
        lanes_push(k->row_b[0], r, b);
        lanes_scatter(system->z, k->a, a);
        lanes_scatter(system->z, k->b, b);
    }
}
