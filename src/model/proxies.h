// SPDX-License-Identifier: MIT
// From bodies to proxies: what a method hands to the contact set.
#ifndef CRM_MODEL_PROXIES_H
#define CRM_MODEL_PROXIES_H

#include "carom/contact.h"
#include "model/model_state.h"

// What of a body touches others: its shape, or of a node at the surface of a flexible body its ball; NULL: nothing.
const carom_shape *crm_touching_shape(const carom_model *model, int body);

// Whether a body is a proxy: it has a shape, or, if `nodes` are proxies, a ball.
static inline bool crm_is_proxy(const crm_body *body, bool nodes) {
    return body->def.shape.index >= 0 || (nodes && body->ball != NULL);
}

// As many proxies as crm_fill_proxies writes.
int crm_proxy_count(const carom_model *model, bool nodes);

// The proxy of a body with a shape or a ball; its id is the body's index. The view is of the body's own frame at
// `motion`; velocity, spin and margin are those of `motion` kept up for `duration` (s), the margin times `slack` (>=
// 1), which is what velocities may still grow by in the step.
carom_proxy crm_proxy_of(const carom_model *model, int body, const crm_motion *motion, double duration, double slack);

// One for every body that is a proxy, in the order of bodies.
void crm_fill_proxies(const carom_model *model, bool nodes, const crm_motion *motions, double duration, double slack,
                      carom_proxy *out);

// Whether a body with a shape that keeps up `motion` stays within `margin`, m: what the margin of its proxy says.
bool crm_margin_covers(const carom_model *model, int body, const crm_motion *motion, double duration, double margin);

// Whether two bodies may touch as far as joints and the caller's filter say.
bool crm_model_pair_allowed(const carom_model *model, int32_t a, int32_t b);
// The filter for carom_contact_options, without two nodes of flexible bodies, whose surfaces touch and not they; `user`
// being the model: what carom_model_bodies_meet says beyond groups.
bool crm_model_pair_filter(void *user, int32_t a, int32_t b);

// Options of a contact set for the state's bodies: its threads and that filter. The rest is as by default.
carom_contact_options crm_contact_options(const carom_state *state);

// The size of the smaller of two bodies with shapes, m: what overlaps are measured by. That of static geometry is
// infinite.
double crm_pair_size(const carom_model *model, int a, int b);

// Twice the in-radius of the thinner of two bodies with shapes, of a compound that of its thinnest part, m: what they
// may sink into each other is measured by it. Infinite of static geometry.
double crm_pair_thickness(const carom_model *model, int a, int b);

#endif
