// SPDX-License-Identifier: MIT
// Why there is no plan: the rows that are broken most where the violation is least.
#include <math.h>
#include <stdio.h>

#include "control/plan/plan_solve.h"

static int32_t worst_row(const crm_plan_trial *trial, const double *row, double *broken) {
    const crm_program *p = &trial->program;
    int32_t worst = -1;
    *broken = 0.0;
    for (int r = 0; r < p->row_count; r++) {
        double amount = fmax(p->row_lower[r] - row[r], row[r] - p->row_upper[r]);
        if (!(amount > *broken)) continue;
        *broken = amount;
        worst = r;
    }
    return worst;
}

void crm_plan_find_reason(crm_plan_trial *trial) {
    trial->reason[0] = '\0';
    if (trial->outcome == CAROM_PLAN_SOLVED || trial->outcome == CAROM_PLAN_FEASIBLE) return;
    crm_mark mark = crm_arena_mark(&trial->arena);
    crm_evaluator evaluator;
    double *row = CRM_ARENA_ARRAY(&trial->arena, double, trial->program.row_count), broken;
    int32_t worst = -1;
    if (row != NULL && crm_evaluator_create(&trial->program, &trial->arena, &evaluator, NULL) == CAROM_OK &&
        crm_evaluate_rows(&evaluator, trial->point.z, row))
        worst = worst_row(trial, row, &broken);
    const char *how = trial->outcome == CAROM_PLAN_IMPOSSIBLE ? "no motion near by keeps all that is asked"
                                                              : "the solver came to no plan";
    if (worst >= 0) {
        char text[CRM_ROW_TEXT];
        const char *unit;
        double size = crm_row_unit(&trial->draft, &trial->draft.row_name[worst], &unit);
        snprintf(trial->reason, sizeof trial->reason, "%s: at best %s misses by %.3g %s", how,
                 crm_row_text(&trial->draft, &trial->draft.row_name[worst], text), broken * size, unit);
    } else {
        snprintf(trial->reason, sizeof trial->reason, "%s in %d iterations", how, trial->result.iterations);
    }
    crm_arena_release(&trial->arena, mark);
}
