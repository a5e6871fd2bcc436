// SPDX-License-Identifier: MIT
#include "step/certify/contact_work.h"

#include <math.h>

#include "model/motion.h"
#include "step/certify/accounts.h"

// Velocity of a body's point by the arm of the start of the step, with the motion of either end: with the arm of the
// end a rolling ball would seem to lift off.
static carom_vec3 point_velocity(const carom_model *model, const crm_motion *start, const crm_motion *at, int body,
                                 carom_vec3 point) {
    const crm_body *of = &model->bodies.items[body];
    if (of->kind == CAROM_BODY_FIXED) return crm_vec3_zero();
    carom_vec3 velocity = crm_motion_velocity(of, &at[body]);
    if (of->kind == CAROM_BODY_POINT) return velocity;
    return crm_add(velocity, crm_cross(crm_motion_spin(of, &at[body]), crm_sub(point, start[body].x)));
}

static carom_vec3 relative_velocity(const carom_model *model, const crm_motion *start, const crm_motion *at,
                                    const carom_contact_state *c) {
    return crm_sub(point_velocity(model, start, at, c->b.index, c->point),
                   point_velocity(model, start, at, c->a.index, c->point));
}

static double restitution_of(const carom_model *model, const carom_contact_state *c) {
    double friction, restitution = 0.0;
    carom_material a = model->bodies.items[c->a.index].def.material, b = model->bodies.items[c->b.index].def.material;
    (void)carom_model_get_material_pair(model, a, b, &friction, &restitution, NULL); // bodies have materials that exist
    return restitution;
}

// What undoes an overlap is the velocity of separation beyond restitution.
static double undoing_speed(const carom_contact_state *c, double restitution, double before, double after) {
    if (!(c->gap < 0.0) || !(after > 0.0)) return 0.0;
    return fmax(0.0, after - restitution * fmax(0.0, -before));
}

void crm_contact_work(const carom_model *model, carom_state *state) {
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (!(c->normal_impulse != 0.0)) continue;
        carom_vec3 before = relative_velocity(model, state->motions, state->motions, c);
        carom_vec3 after = relative_velocity(model, state->motions, state->next, c);
        carom_vec3 mean = crm_scale(0.5, crm_add(before, after)), second = crm_cross(c->normal, c->tangent);
        double friction =
            c->tangent_impulse[0] * crm_dot(c->tangent, mean) + c->tangent_impulse[1] * crm_dot(second, mean);
        double restitution = restitution_of(model, c), approach = crm_dot(c->normal, before);
        double undoing = 0.5 * c->normal_impulse * undoing_speed(c, restitution, approach, crm_dot(c->normal, after));
        crm_ledger_add(state, c->a.index, c->b.index, CRM_LINE_FRICTION, friction);
        crm_ledger_add(state, c->a.index, c->b.index, CRM_LINE_STABILISATION, undoing);
        crm_ledger_add_impact(state, c->a.index, c->b.index, restitution,
                              c->normal_impulse * crm_dot(c->normal, mean) - undoing);
    }
}
