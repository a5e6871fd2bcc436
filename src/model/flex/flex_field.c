// SPDX-License-Identifier: MIT
#include "base/fail.h"
#include "model/flex/flex_forces.h"
#include "model/model_state.h"

carom_status carom_flex_field(const carom_state *state, carom_flex flex, carom_flex_field_kind field, double *out,
                              carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_flex(state->model, flex, "field", error);
    if (status != CAROM_OK) return status;
    const crm_flex *of = &state->model->flexes.items[flex.index];
    return crm_elastic_field(of->def.mesh, of->elastic, crm_flex_positions(of, state->motions), field, out, error);
}
