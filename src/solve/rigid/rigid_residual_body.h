// SPDX-License-Identifier: MIT
// The natural map of contacts side by side (docs/math.md 6.6): with x = s r - w, w = u + mu |u_t| n, the velocity
// e = s r - P(x) vanishes where Coulomb's law holds. A cone is the same for impulses and s times them.
#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"

// |e|^2 and |s r|^2.
QUAD_INLINE void lanes_residual(const crm_rigid_batch *k, int at, bool relaxed, const wide u[3], wide *wrong,
                                wide *impulse) {
    const wide zero = wide_fill(0.0);
    wide s = wide_load(k->scale + at), mu = wide_load(k->friction + at);
    wide r0 = s * wide_load(k->impulse[0] + at), r1 = s * wide_load(k->impulse[1] + at),
         r2 = s * wide_load(k->impulse[2] + at);
    wide w0 = u[0] + wide_load(k->offset + at);
    if (!relaxed) w0 += mu * wide_root(u[1] * u[1] + u[2] * u[2]);
    wide x0 = r0 - w0, x1 = r1 - u[1], x2 = r2 - u[2], slip = wide_root(x1 * x1 + x2 * x2);
    wide_mask inside = (x0 >= zero) & (slip <= mu * x0);
    wide along = (x0 + mu * slip) / (wide_fill(1.0) + mu * mu);
    along = wide_choose(along < zero, zero, along);
    wide factor = wide_choose(slip > zero, mu * along / slip, zero);
    wide e0 = r0 - wide_choose(inside, x0, along);
    wide e1 = r1 - wide_choose(inside, x1, factor * x1), e2 = r2 - wide_choose(inside, x2, factor * x2);
    *wrong = e0 * e0 + e1 * e1 + e2 * e2;
    *impulse = r0 * r0 + r1 * r1 + r2 * r2;
}

static void add_residual(crm_rigid_sums *sums, double wrong, double impulse, double s) {
    if (!(wrong <= sums->wrong)) sums->wrong = wrong;
    if (!(impulse <= sums->impulse)) sums->impulse = impulse;
    sums->energy += wrong / s;
    sums->energy_impulse += impulse / s;
}

static void residual_batches(const crm_rigid_system *system, int begin, int end, crm_rigid_sums *sums,
                             double *velocity) {
    for (int i = CRM_RIGID_LANES * begin; i < CRM_RIGID_LANES * end; i += WIDTH) {
        const crm_rigid_batch *k = &system->batch[i / CRM_RIGID_LANES];
        int at = i % CRM_RIGID_LANES;
        wide a[6], b[6], u[3], wrong, impulse;
        lanes_gather(system->z, k->a + at, a);
        lanes_gather(system->z, k->b + at, b);
        for (int m = 0; m < 3; m++) u[m] = lanes_row(k, at, m, a, b);
        lanes_residual(k, at, system->relaxed, u, &wrong, &impulse);
        for (int l = 0; l < WIDTH && k->contact[at + l] >= 0; l++) {
            add_residual(&sums[k->island[at + l]], wrong[l], impulse[l], k->scale[at + l]);
            if (velocity == NULL) continue;
            for (int m = 0; m < 3; m++) velocity[3 * (ptrdiff_t)k->contact[at + l] + m] = u[m][l];
        }
    }
}

static void push_batches(const crm_rigid_system *system, int begin, int end) {
    for (int i = CRM_RIGID_LANES * begin; i < CRM_RIGID_LANES * end; i += WIDTH) {
        const crm_rigid_batch *k = &system->batch[i / CRM_RIGID_LANES];
        int at = i % CRM_RIGID_LANES;
        wide a[6], b[6], r[3];
        for (int m = 0; m < 3; m++) r[m] = wide_load(k->impulse[m] + at);
        lanes_gather(system->z, k->a + at, a);
        lanes_gather(system->z, k->b + at, b);
        lanes_push(k->row_a[0] + at, r, a);
        lanes_push(k->row_b[0] + at, r, b);
        lanes_scatter(system->z, k->a + at, a);
        lanes_scatter(system->z, k->b + at, b);
    }
}
