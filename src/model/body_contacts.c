// SPDX-License-Identifier: MIT
// The contacts of one body, seen from it, and what they add up to.
#include "base/fail.h"
#include "math/vec3.h"
#include "model/model_state.h"

// The same contact with its bodies exchanged. Tangent and normal change their signs, so that the second tangent, normal
// x tangent, does not: what is along it does. No number but for signs is another one.
static carom_contact_state exchanged(const carom_contact_state *contact) {
    carom_contact_state other = *contact;
    other.a = contact->b;
    other.b = contact->a;
    other.normal = crm_negate(contact->normal);
    other.tangent = crm_negate(contact->tangent);
    other.tangent_impulse[1] = -contact->tangent_impulse[1];
    other.slip[1] = -contact->slip[1];
    return other;
}

// Finds the contact number i of the table on this body, as `b`; false when it is not one of its.
static bool on_body(const carom_state *state, int i, int body, carom_contact_state *out) {
    const carom_contact_state *contact = &state->contact_table.items[i];
    if (contact->b.index == body)
        *out = *contact;
    else if (contact->a.index == body)
        *out = exchanged(contact);
    return contact->a.index == body || contact->b.index == body;
}

carom_status carom_state_get_body_contacts(const carom_state *state, carom_body body, int capacity,
                                           carom_contact_state *out, int *count, carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(count, error);
    carom_status status = crm_model_check_body(state->model, body, false, "contacts of a body", error);
    if (status != CAROM_OK) return status;
    if (capacity < 0 || (capacity > 0 && out == NULL))
        return crm_refuse(error, "contacts of a body: capacity is %d, must not be negative, and needs an array",
                          capacity);
    carom_contact_state contact;
    *count = 0;
    for (int i = 0; i < state->contact_table.count; i++) {
        if (!on_body(state, i, body.index, &contact)) continue;
        if (*count < capacity) out[*count] = contact;
        ++*count;
    }
    return CAROM_OK;
}

carom_status carom_state_get_body_contact_force(const carom_state *state, carom_body body, carom_wrench *out,
                                                carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_body(state->model, body, false, "contact force of a body", error);
    if (status != CAROM_OK) return status;
    carom_vec3 impulse = crm_vec3_zero(), moment = crm_vec3_zero();
    carom_contact_state c;
    for (int i = 0; i < state->contact_table.count; i++) {
        if (!on_body(state, i, body.index, &c)) continue;
        carom_vec3 along = crm_madd(crm_scale(c.normal_impulse, c.normal), c.tangent_impulse[0], c.tangent);
        carom_vec3 one = crm_madd(along, c.tangent_impulse[1], crm_cross(c.normal, c.tangent));
        impulse = crm_add(impulse, one);
        moment = crm_add(moment, crm_cross(crm_sub(c.point, state->start_centre[body.index]), one));
    }
    double rate = 1.0 / state->clock.step;
    *out = (carom_wrench){.body = body, .force = crm_scale(rate, impulse), .torque = crm_scale(rate, moment)};
    return CAROM_OK;
}
