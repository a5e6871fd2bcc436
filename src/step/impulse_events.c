// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "step/impulse.h"
#include "step/method.h"

carom_status crm_impulse_events_prepare(carom_state *state, crm_impulse *impulse, carom_error *error) {
    (void)state, (void)impulse;
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "the variant events of the method impulse is not there yet; take the variant fixed");
}

void crm_impulse_events_release(carom_state *state, crm_impulse *impulse) {
    (void)state, (void)impulse;
}

void crm_impulse_events_step(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_impulse *impulse, carom_step_report *report) {
    (void)state, (void)input, (void)impulse;
    crm_step_impossible(model, 0, report, "has no steps by events");
}
