// SPDX-License-Identifier: MIT
#include "step/flex/flex_limit.h"

#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "model/flex/flex_forces.h"

// Of the squares of rates: a tenth of what the margin of steps is there for.
static const double rate_accuracy = 1e-2;
// Steps between two searches: a search costs some fifty evaluations of the forces.
enum { STEPS_BETWEEN = 256 };

static carom_status find_rates(carom_state *state, crm_flex_limit *limit, carom_error *error) {
    for (int f = 0; f < state->model->flexes.count; f++) {
        const crm_flex *flex = &state->model->flexes.items[f];
        crm_mark mark = crm_arena_mark(&state->arena);
        carom_status status = crm_elastic_largest_rate(flex->elastic, crm_flex_positions(flex, state->motions),
                                                       &limit->held[flex->first_body], rate_accuracy, &state->arena,
                                                       &limit->rate[f], error);
        crm_arena_release(&state->arena, mark);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

carom_status crm_flex_limit_prepare(carom_state *state, crm_flex_limit *limit, carom_error *error) {
    const carom_model *model = state->model;
    if (model->flexes.count == 0) return CAROM_OK;
    limit->rate = CRM_ARENA_ZEROED(&state->arena, double, model->flexes.count);
    limit->held = CRM_ARENA_ZEROED(&state->arena, bool, model->bodies.count);
    if (crm_arena_refused(&state->arena))
        return crm_fail_memory(error, "flexible bodies", (size_t)model->bodies.count * sizeof *limit->held);
    for (int b = 0; b < model->bodies.count; b++) limit->held[b] = !crm_body_moves(model, b);
    crm_state_keep(state, (crm_kept){"rates of flexible bodies", limit->rate, model->flexes.count, sizeof *limit->rate,
                                     crm_numbers_fit, .of_certificates = true});
    return find_rates(state, limit, error);
}

// Explicit viscosity of beta seconds is stable while h beta w^2 < 4; below h w = 1.82 nothing else changes
// (docs/math.md 15.6).
double crm_flex_limit_step(const carom_state *state, const crm_flex_limit *limit, double largest, int *flex) {
    double shortest = INFINITY;
    *flex = -1;
    for (int f = 0; f < state->model->flexes.count; f++) {
        double w = limit->rate[f], viscosity = state->model->flexes.items[f].def.elastic.viscosity;
        double own = isfinite(largest) && w > 0.0 ? fmin(largest / w, 4.0 / (viscosity * w * w)) : INFINITY;
        if (own < shortest) shortest = own, *flex = f;
    }
    return shortest;
}

void crm_flex_limit_check(carom_state *state, crm_flex_limit *limit, double largest, carom_step_report *report) {
    char name[CRM_BODY_TEXT];
    if (state->model->flexes.count == 0) return;
    // Without memory the rates stay as they were.
    if (state->step_count % STEPS_BETWEEN == 0 && state->step_count > 0) (void)find_rates(state, limit, NULL);
    int flex;
    double longest = crm_flex_limit_step(state, limit, largest, &flex);
    report->flex_limit_share = state->method.step / longest;
    if (!(report->flex_limit_share > 1.0)) return;
    report->outcome = CAROM_STEP_BROKEN;
    snprintf(report->text, sizeof report->text,
             "the step of %.4g s is beyond the %.4g s that are stable for %.100s by now; make method.step smaller",
             state->method.step, longest, crm_flex_text(state->model, flex, name));
}
