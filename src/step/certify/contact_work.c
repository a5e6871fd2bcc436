// SPDX-License-Identifier: MIT
#include "step/certify/contact_work.h"

#include "math/order.h"
#include "model/motion.h"
#include "step/certify/accounts.h"

void crm_contact_twists(const carom_model *model, carom_state *state) {
    if (state->contact_table.count == 0) return;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        const crm_motion *ends[2] = {&state->motions[b], &state->next[b]};
        for (int e = 0; e < 2; e++) {
            crm_vec6 *twist = &state->accounts.twist[b].at[e];
            twist->linear = crm_motion_velocity(body, ends[e]);
            if (body->kind != CAROM_BODY_POINT) twist->angular = crm_motion_spin(body, ends[e]);
        }
    }
}

// Velocity of b's point against a's by the arms of the start of the step, with the motions of either end: with the arms
// of the end a rolling ball would seem to lift off.
static carom_vec3 relative_velocity(const carom_state *state, const carom_contact_state *c, int end) {
    const crm_vec6 *a = &state->accounts.twist[c->a.index].at[end], *b = &state->accounts.twist[c->b.index].at[end];
    carom_vec3 of_a = crm_add(a->linear, crm_cross(a->angular, crm_sub(c->point, state->motions[c->a.index].x)));
    carom_vec3 of_b = crm_add(b->linear, crm_cross(b->angular, crm_sub(c->point, state->motions[c->b.index].x)));
    return crm_sub(of_b, of_a);
}

double crm_contact_rate(const carom_state *state, const carom_contact_state *c, int end) {
    return crm_dot(c->normal, relative_velocity(state, c, end));
}

double crm_contact_restitution(const carom_model *model, const carom_contact_state *c, crm_last_restitution *last) {
    carom_material a = model->bodies.items[c->a.index].def.material, b = model->bodies.items[c->b.index].def.material;
    if (last->known && a.index == last->a.index && b.index == last->b.index) return last->value;
    double friction, restitution = 0.0;
    (void)carom_model_get_material_pair(model, a, b, &friction, &restitution, NULL); // bodies have materials that exist
    *last = (crm_last_restitution){true, a, b, restitution};
    return restitution;
}

// What undoes an overlap is the velocity of separation beyond restitution.
static double undoing_speed(const carom_contact_state *c, double restitution, double before, double after) {
    if (!(c->gap < 0.0) || !(after > 0.0)) return 0.0;
    return crm_larger(0.0, after - restitution * crm_larger(0.0, -before));
}

// Methods tell of nodes of flexible bodies themselves: of a triangle no single one has its velocity.
static bool is_of_node(const carom_model *model, const carom_contact_state *c) {
    return model->bodies.items[c->a.index].flex >= 0 || model->bodies.items[c->b.index].flex >= 0;
}

void crm_contact_work(const carom_model *model, carom_state *state) {
    bool in_fluid = model->mobility.kind != CAROM_MOBILITY_NONE; // where velocities follow forces at once
    crm_last_restitution last = {0};
    state->accounts.contacts_told = true;
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (!(c->normal_impulse != 0.0) || is_of_node(model, c)) continue;
        carom_vec3 before = relative_velocity(state, c, 0);
        carom_vec3 after = relative_velocity(state, c, 1);
        carom_vec3 mean = in_fluid ? after : crm_scale(0.5, crm_add(before, after));
        carom_vec3 second = crm_cross(c->normal, c->tangent);
        double friction =
            c->tangent_impulse[0] * crm_dot(c->tangent, mean) + c->tangent_impulse[1] * crm_dot(second, mean);
        double restitution = crm_contact_restitution(model, c, &last), approach = crm_dot(c->normal, before);
        double undoing = (in_fluid ? 1.0 : 0.5) * c->normal_impulse *
                         undoing_speed(c, restitution, approach, crm_dot(c->normal, after));
        crm_ledger_add(state, c->a.index, c->b.index, CRM_LINE_STABILISATION, undoing);
        if (approach > 0.0 && !in_fluid)
            crm_ledger_note_reversed(state, c->a.index, c->b.index, 0.5 * c->normal_impulse * approach);
        crm_ledger_add_contact(state, c->a.index, c->b.index, restitution,
                               c->normal_impulse * crm_dot(c->normal, mean) - undoing, friction);
    }
}
