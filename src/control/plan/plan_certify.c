// SPDX-License-Identifier: MIT
// The certificate of the best start: what the motion keeps (certificate/), and what only solver and program know.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "control/plan/plan_solve.h"

// What is known of a motion that does not keep its rows.
static carom_plan_certificate without_motion(const carom_plan *plan) {
    return (carom_plan_certificate){.violation = plan->best.result.violation,
                                    .gap_at_nodes = INFINITY,
                                    .gap_between = INFINITY,
                                    .margin = plan->def.avoid.margin,
                                    .length = plan->best.draft.units.length};
}

static bool keeps_violation(const carom_plan_certificate *certificate) {
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count);
    for (int i = 0; i < count; i++)
        if (lines[i].offset == offsetof(carom_plan_certificate, violation))
            return carom_plan_line_keeps(&lines[i], certificate);
    return false;
}

carom_status crm_plan_certify(carom_plan *plan, carom_error *error) {
    crm_plan_trial *t = &plan->best;
    carom_plan_certificate *c = &plan->certificate;
    *c = without_motion(plan);
    plan->findings = (crm_plan_findings){.text = ""};
    crm_arena_free(&plan->proof); // also of what a refused call has left
    if (crm_plan_keeps_rows(t)) {
        carom_status status =
            crm_certify_plan(plan->model, &plan->def, &t->motion, &plan->proof, &plan->findings, error);
        if (status != CAROM_OK) return status;
        *c = plan->findings.certificate;
        snprintf(t->reason, sizeof t->reason, "%s", plan->findings.text);
    }
    // Rows that are not of the motion, such as planes between bodies, are the program's alone.
    bool kept = keeps_violation(c);
    c->violation = fmax(c->violation, t->result.violation);
    if (kept && c->kept && !keeps_violation(c)) {
        c->kept = false;
        snprintf(t->reason, sizeof t->reason, "the program keeps its rows to %.1e only", c->violation);
    }
    c->optimality = fmax(t->result.optimality, t->result.complementarity);
    c->strict = t->result.inertia_right;
    c->effort = t->effort;
    c->guess_effort = t->guess_effort;
    c->recursion_effort = t->recursion_effort;
    c->coarse_effort = plan->coarse_effort;
    plan->certified = true;
    return CAROM_OK;
}
