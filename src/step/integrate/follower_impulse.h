// SPDX-License-Identifier: MIT
// Forces of the input that go with their bodies (carom_body_wrench), over an interval between two nodes: half of their
// impulse acts at either end, each with the attitude there (docs/math.md 10.3).
#ifndef CRM_STEP_FOLLOWER_IMPULSE_H
#define CRM_STEP_FOLLOWER_IMPULSE_H

#include "model/model_state.h"

// The half at a node with this attitude, for an interval of length h; zero where there are none.
static inline crm_vec6 crm_follow_half(const crm_follower *followers, const crm_body *body, int b, carom_quat q,
                                       double h) {
    if (followers == NULL) return crm_vec6_zero();
    return crm_vec6_scale(0.5 * h, crm_follower_at(&followers[b], body->kind, q));
}

// Adds the half at the end to a body's next motion and to what is told of the step, when the half at the start is in
// its impulse.
void crm_follow_to_end(carom_state *state, int b);

#endif
