// SPDX-License-Identifier: MIT
// Steps whose nodes go their way by a mean of their velocities, theta below 1 (docs/math.md 15.8): what they can be
// used for, where impulses act then, and where nodes end.
#include <stdio.h>

#include "base/fail.h"
#include "step/lcp/flexible/lcp_flex.h"

// ---- which models

static carom_status refuse(double theta, const char *what, carom_error *error) {
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "method.lcp.theta is %g, which is for flexible bodies among themselves and with bodies that cannot "
                    "move, and %s: momenta would not be kept; leave theta out, or the other",
                    theta, what);
}

// Impulses act on nodes where they are within the step, on all other bodies where it begins; and forces between two
// nodes act on both along the line between their places at the start.
carom_status crm_lcp_check_theta(const carom_state *state, double theta, carom_error *error) {
    const carom_model *model = state->model;
    char what[2 * CRM_BODY_TEXT], name[CRM_BODY_TEXT];
    if (theta == 1.0) return CAROM_OK;
    if (model->flexes.count == 0) return refuse(theta, "the model has none", error);
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].flex >= 0 || !crm_body_moves(model, b)) continue;
        snprintf(what, sizeof what, "%s moves", crm_body_text(model, b, name));
        return refuse(theta, what, error);
    }
    if (model->joints.count > 0) return refuse(theta, "the model has joints", error);
    for (int i = 0; i < model->pair_potentials.count; i++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[i];
        if (crm_body_moves(model, pair->a.body) && crm_body_moves(model, pair->b.body))
            return refuse(theta, "springs, charges or laws of pairs act between nodes", error);
    }
    return CAROM_OK;
}

// ---- where impulses act

static crm_flex_part *free_part_of(const carom_model *model, crm_flex_implicit *bodies, int body) {
    int flex = body >= 0 ? model->bodies.items[body].flex : -1;
    return flex >= 0 && !bodies->parts[flex].held ? &bodies->parts[flex] : NULL;
}

// The ends of a contact go apart while its impulses act, each at its own place: half of the couple that this makes is
// taken off either body, so that what one gains of angular momentum the other one loses.
void crm_lcp_flex_find_shifts(const carom_model *model, crm_lcp *lcp, const carom_vec3 *v) {
    crm_flex_implicit *bodies = &lcp->flex->bodies;
    const crm_surface_contacts *found = &lcp->flex->surfaces.found;
    double late = (1.0 - bodies->theta) * bodies->step;
    if (bodies->theta == 1.0) return;
    for (int p = 0; p < bodies->part_count; p++) bodies->parts[p].shift = crm_vec3_zero();
    for (int c = 0; c < found->count; c++) {
        const crm_surface_contact *contact = &found->items[c];
        crm_flex_part *sides[2] = {free_part_of(model, bodies, contact->body[0]), NULL};
        carom_vec3 couple = crm_vec3_zero();
        for (int e = 0; e < CRM_SURFACE_ENDS && contact->body[e] >= 0; e++) {
            int node = bodies->node_of[contact->body[e]];
            carom_vec3 impulse = crm_vec3_zero();
            for (int k = 0; k < 3; k++)
                impulse = crm_madd(impulse, contact->impulse[k], crm_surface_row(contact, e, k));
            if (node >= 0) couple = crm_madd(couple, late, crm_cross(v[node], impulse));
            sides[1] = free_part_of(model, bodies, contact->body[e]); // the last end is of the other side
        }
        if (sides[0] == NULL || sides[1] == NULL) continue;
        for (int k = 0; k < 2; k++) sides[k]->shift = crm_madd(sides[k]->shift, -0.5, couple);
    }
}

// ---- the end

void crm_lcp_flex_place(carom_state *state, crm_lcp *lcp) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    if (bodies->theta == 1.0) return;
    for (int n = 0; n < bodies->node_count; n++) {
        int b = bodies->body_of[n];
        if (!bodies->fixed[n]) state->next[b].x = crm_madd(bodies->x[n], bodies->step, lcp->flex->v[n]);
    }
}

void crm_lcp_flex_row_velocities(crm_lcp *lcp) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    if (bodies->theta == 1.0) return;
    for (int n = 0; n < bodies->node_count; n++)
        if (!bodies->fixed[n]) lcp->motion.free[bodies->body_of[n]].linear = lcp->flex->v[n];
    crm_lcp_row_velocities(lcp->motion.free, lcp);
}
