// SPDX-License-Identifier: MIT
// What a plan is to have least: effort, and time where that is free.
#include "control/rows/plan_pieces.h"

void crm_objective_add(crm_draft *draft) {
    crm_controls_add_effort(draft);
    // Time counts time_weight a second; the objective's unit is that of effort.
    double weight = draft->def->time_weight * draft->units.time / draft->units.effort;
    for (int k = 0; k < draft->intervals && weight != 0.0; k++) {
        crm_form length = crm_form_length(draft, k);
        crm_add_form(draft, CRM_OBJECTIVE, weight, &length);
    }
    if (draft->arc_count == 1) return; // its bounds are those of the time
    const carom_plan_def *def = draft->def;
    double least = def->time_free ? def->time_least / def->time : 1.0;
    double most = def->time_free ? def->time_most / def->time : 1.0;
    int32_t row = crm_draft_row(draft, least, most, (crm_place){CRM_PLACE_WHOLE, 0, 0},
                                (crm_row_name){CRM_ROW_TIME, -1, -1, -1, -1});
    for (int k = 0; k < draft->intervals; k++) {
        crm_form length = crm_form_length(draft, k);
        crm_add_form(draft, row, 1.0, &length);
    }
}
