// SPDX-License-Identifier: MIT
#include "step/flex/flex_start.h"

#include "model/flex/flex_forces.h"
#include "step/flex/flex_equilibrium.h"

carom_status crm_flex_start(carom_state *state, carom_error *error) {
    for (int f = 0; f < state->model->flexes.count; f++)
        crm_flex_carry(state->model, &state->model->flexes.items[f], state->motions);
    return crm_flex_settle(state, error);
}
