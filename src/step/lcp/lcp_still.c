// SPDX-License-Identifier: MIT
// Whether a solution lasts when more contacts come into the list.
#include <math.h>

#include "step/lcp/lcp.h"

// Velocities that impulses lead to are the same when they differ by no more than this share of what the step is solved
// to: the order in which a body's impulses are summed may be another one.
static const double same_share = 1e-3;

// How far contacts are from the centre of mass, at most; 0 for what has no shape or cannot move.
static double arm_of(const carom_model *model, int body) {
    const crm_body *of = &model->bodies.items[body];
    if (of->def.shape.index < 0 || of->kind == CAROM_BODY_FIXED) return 0.0;
    const carom_shape *shape = carom_model_get_shape(model, of->def.shape);
    return carom_shape_bounding_radius(shape) + crm_distance(carom_shape_centre(shape), of->centre);
}

// Whether the impulses that the rows start from are those of the last solution, whose sums lcp->motion.change has: none
// was lost with a row that is not listed any more. Leaves velocities of the bodies in lcp->twist.
static bool same_impulses(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) lcp->twist[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->twist);
    for (int b = 0; b < model->bodies.count; b++) {
        int slot = lcp->problem.slot_of[b];
        double noise = slot >= 0 ? lcp->noise[slot] : 0.0;
        if (crm_rests(&lcp->rest, b)) continue;
        crm_vec6 was = crm_velocity_of(model, state, b, lcp->motion.change[b]);
        crm_vec6 is = crm_velocity_of(model, state, b, lcp->twist[b]);
        if (!(crm_distance(was.linear, is.linear) <= same_share * noise)) return false;
        if (!(arm_of(model, b) * crm_distance(was.angular, is.angular) <= same_share * noise)) return false;
        lcp->twist[b] = crm_vec6_add(lcp->motion.free[b], is);
    }
    return true;
}

bool crm_lcp_still_solved(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    if (!same_impulses(model, state, lcp)) return false;
    crm_lcp_row_velocities(lcp->twist, lcp);
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        bool pressed = lcp->problem.impulse.items[3 * (ptrdiff_t)c] > 0.0;
        double normal_velocity = lcp->velocity.items[3 * (ptrdiff_t)c] + lcp->problem.contacts.items[c].offset;
        if (!pressed && !(normal_velocity >= -crm_lcp_contact_noise(lcp, c))) return false;
    }
    return true;
}
