// SPDX-License-Identifier: MIT
// What a step with flexible bodies has done to the energy (docs/math.md 12, 15.8). On nodes contacts do work along the
// ways that these go, and what is left of the kinetic and of the elastic energy is the integrator's:
//
//   -(theta - 1/2) |v1 - v0|^2_M + h f.v + V(x1) - V(x0)
#include <math.h>

#include "step/lcp/flexible/lcp_flex.h"

// ---- contacts

// Of what rotates the mean of both ends of the step, as for contacts of rigid bodies.
static crm_vec6 velocity_of(const carom_state *state, const crm_lcp *lcp, int body) {
    int node = body >= 0 ? lcp->flex->bodies.node_of[body] : -1;
    if (node >= 0) return crm_vec6_of(lcp->flex->v[node], crm_vec3_zero());
    if (!crm_body_moves(state->model, body)) return crm_vec6_zero();
    crm_vec6 before = crm_twist_of(state->model, state->motions, body);
    return crm_vec6_scale(0.5, crm_vec6_add(before, crm_twist_of(state->model, state->next, body)));
}

// Velocities u along the directions of a contact with the impulses r, between two bodies.
static void tell(carom_state *state, int a, int b, double gap, const double *r, const double *u) {
    double normal = r[0] * u[0], undoing = gap < 0.0 ? fmax(normal, 0.0) : 0.0;
    crm_ledger_add(state, a, b, CRM_LINE_STABILISATION, undoing);
    crm_ledger_add_contact(state, a, b, 0.0, normal - undoing, r[1] * u[1] + r[2] * u[2]);
}

static void push(crm_lcp_flex *flex, int body, const double *r, const carom_vec3 row[3], double sign) {
    int node = body >= 0 ? flex->bodies.node_of[body] : -1;
    for (int k = 0; node >= 0 && k < 3; k++) flex->trial[node] = crm_madd(flex->trial[node], sign * r[k], row[k]);
}

// Between nodes and shapes. Their impulses on nodes are added to flex->trial.
static void tell_shapes(carom_state *state, crm_lcp *lcp) {
    crm_lcp_flex *flex = lcp->flex;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const crm_contact_site *site = &lcp->contacts.sites.items[c];
        const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c;
        if (flex->bodies.node_of[site->a] < 0 && flex->bodies.node_of[site->b] < 0) continue;
        crm_vec6 of_a = velocity_of(state, lcp, site->a), of_b = velocity_of(state, lcp, site->b);
        carom_vec3 v = crm_point_velocity(site->point, &state->motions[site->a], &state->motions[site->b], of_a, of_b);
        const double u[3] = {crm_dot(site->direction[0], v), crm_dot(site->direction[1], v),
                             crm_dot(site->direction[2], v)};
        push(flex, site->a, r, site->direction, -1.0);
        push(flex, site->b, r, site->direction, 1.0);
        tell(state, site->a, site->b, site->gap, r, u);
    }
}

static void tell_surfaces(carom_state *state, crm_lcp *lcp) {
    const crm_surface_contacts *found = &lcp->flex->surfaces.found;
    for (int c = 0; c < found->count; c++) {
        const crm_surface_contact *contact = &found->items[c];
        double u[3] = {0.0, 0.0, 0.0};
        int last = 0;
        for (int e = 0; e < CRM_SURFACE_ENDS && contact->body[e] >= 0; e++) {
            int body = contact->body[e];
            crm_vec6 twist = velocity_of(state, lcp, body);
            carom_vec3 arm = crm_sub(contact->point, state->motions[body].x), row[3];
            carom_vec3 v = crm_add(twist.linear, crm_cross(twist.angular, arm));
            for (int k = 0; k < 3; k++) {
                row[k] = crm_surface_row(contact, e, k);
                u[k] += crm_dot(row[k], v);
            }
            push(lcp->flex, body, contact->impulse, row, 1.0);
            last = body;
        }
        tell(state, contact->body[0], last, contact->gap, contact->impulse, u);
    }
}

// ---- elements

// Rows that are no contacts do work by the mean velocity: what that leaves of the kinetic energy is told with them.
static void tell_elements(carom_state *state, const crm_flex_implicit *bodies, const crm_flex_part *part,
                          const crm_lcp_flex *flex) {
    double lost = part->energy - part->energy_before - part->dissipated, late = bodies->theta - 0.5;
    for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
        if (bodies->fixed[n]) continue;
        carom_vec3 gained = crm_sub(crm_flex_implicit_end(bodies, n, flex->v[n]), bodies->v0[n]);
        carom_vec3 others = crm_sub(flex->r[n], flex->trial[n]);
        lost += crm_dot(bodies->impulse[n], flex->v[n]);
        lost -= late * crm_dot(gained, crm_sub(crm_scale(bodies->mass[n], gained), others));
    }
    if (part->flex->first_moving < 0 || !isfinite(lost)) return;
    crm_ledger_add(state, part->flex->first_moving, -1, CRM_LINE_INTEGRATOR, lost);
    crm_ledger_add(state, part->flex->first_moving, -1, CRM_LINE_VISCOSITY, part->dissipated);
    state->spent += part->dissipated;
}

void crm_lcp_flex_tell_work(carom_state *state, crm_lcp *lcp) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    for (int n = 0; n < bodies->node_count; n++) lcp->flex->trial[n] = crm_vec3_zero();
    tell_shapes(state, lcp);
    tell_surfaces(state, lcp);
    for (int p = 0; p < bodies->part_count; p++) tell_elements(state, bodies, &bodies->parts[p], lcp->flex);
}
