// SPDX-License-Identifier: MIT
// Friction that adds energy, as far as a residual allows it, and how it is taken away.
//
// A solver leaves each contact an error e = s |r - P| <= noise, P = P_K(r - w/s) (docs/math.md 6.9). P is exact for the
// velocity w - s (r - P): with a slip of u_t - s (r - P)_t, which is within `noise` of u_t, it has P_t against it. So
// P_t.u_t <= |P_t| (2 noise - |u_t|), and
//
//   r_t.u_t <= -|P_t| |u_t| / 2 + (noise/s) |u_t|   when |u_t| >= 4 noise.
//
// Hence friction along with a slip above 4 noise has |P_t| < 2 noise/s and |r_t| < 3 noise/s: a push that changes the
// contact's own velocity by less than 3 noise. It can be left out at that price, and then no friction adds energy.
#include <math.h>

#include "step/lcp/lcp.h"

double crm_lcp_contact_noise(const crm_lcp *lcp, int contact) {
    if (!lcp->by_islands) {
        const crm_rigid_contact *of = &lcp->problem.contacts.items[contact];
        return fmax(of->a >= 0 ? lcp->noise[of->a] : 0.0, of->b >= 0 ? lcp->noise[of->b] : 0.0);
    }
    const crm_rigid_island *island = &lcp->solved.island[lcp->solved.island_of_contact[contact]];
    return fmax(island->tolerance, island->residual) * island->scale;
}

double crm_lcp_slip_noise(const crm_lcp *lcp, int contact) {
    return 4.0 * crm_lcp_contact_noise(lcp, contact);
}

bool crm_lcp_drop_backward_friction(crm_lcp *lcp) {
    bool any = false;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c;
        const double *u = lcp->velocity.items + 3 * (ptrdiff_t)c;
        if (!(r[1] * u[1] + r[2] * u[2] > 0.0) || hypot(u[1], u[2]) <= crm_lcp_slip_noise(lcp, c)) continue;
        r[1] = r[2] = 0.0;
        any = true;
    }
    return any;
}
