// SPDX-License-Identifier: MIT
#include "support/control/drafted.h"

#include <math.h>
#include <stdio.h>

#include "control/rows/touch/avoid.h"
#include "control/rows/touch/planned_contacts.h"
#include "model/mechanism/assemble.h"
#include "support/harness/check.h"

static bool held(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) fprintf(stderr, "%s\n", error->text);
    return CHECK(status == CAROM_OK);
}

void drafted_make(drafted *d, const carom_model *model, const carom_plan_def *def, crm_arc_ends arcs, bool soft_ends) {
    *d = (drafted){.start = NULL};
    carom_error error = {.text = ""};
    carom_assembly assembly;
    crm_arena_init(&d->arena, NULL);
    d->start = CRM_ARENA_ARRAY(&d->arena, crm_motion, model->bodies.count);
    for (int b = 0; b < model->bodies.count; b++) d->start[b] = crm_motion_initial(&model->bodies.items[b]);
    int *ends = CRM_ARENA_ARRAY(&d->arena, int, def->contact_count);
    if (def->contact_count > 0) arcs = crm_planned_arcs(def, def->intervals, ends);
    bool good = held(crm_assemble(model, d->start, &assembly, &error), &error);
    good = good &&
           held(crm_draft_begin(model, def, def->intervals, arcs, soft_ends, d->start, &d->arena, &d->draft, &error),
                &error);
    good = good &&
           held(crm_avoided_create(model, def, def->intervals, d->start, &d->arena, &d->draft.avoided, &error), &error);
    good = good && held(crm_planned_create(model, def, def->intervals, &d->draft.units, d->start, &d->arena,
                                           &d->draft.planned, &error),
                        &error);
    crm_avoided *avoided = d->draft.avoided;
    for (int i = 0; good && avoided != NULL && i < avoided->places * avoided->pair_count; i++)
        avoided->plane[i].wanted = true;
    good = good && held(crm_draft_write(&d->draft, &d->program, &error), &error);
    good = good && held(crm_evaluator_create(&d->program, &d->arena, &d->evaluator, &error), &error);
    d->z = CRM_ARENA_ZEROED(&d->arena, double, d->program.unknown_count);
    d->row = CRM_ARENA_ZEROED(&d->arena, double, d->program.row_count);
    if (!good || !CHECK(!crm_arena_refused(&d->arena))) d->program.unknown_count = 0;
}

void drafted_free(drafted *d) {
    if (d->draft.model != NULL) crm_draft_end(&d->draft);
    crm_arena_free(&d->arena);
}

void drafted_guess(drafted *d) {
    crm_path path;
    carom_error error = {.text = ""};
    if (held(crm_path_create(&d->draft, &d->arena, &path, &error), &error))
        crm_guess_fill(&d->draft, &d->program, &path, d->z);
}

double drafted_broken(drafted *d, int kind) {
    double worst = 0.0;
    if (!CHECK(crm_evaluate_rows(&d->evaluator, d->z, d->row))) return INFINITY;
    for (int r = 0; r < d->program.row_count; r++) {
        if (kind >= 0 && d->draft.names.items[r].kind != kind) continue;
        double amount = fmax(d->program.row_lower[r] - d->row[r], d->row[r] - d->program.row_upper[r]);
        worst = amount > worst || isnan(amount) ? amount : worst;
    }
    return worst;
}
