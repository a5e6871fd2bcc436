// SPDX-License-Identifier: MIT
// Certificates by their table: the numbers of one, and what those of a run come to.
#include "record/certificate.h"

#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "math/vec3.h"

int carom_quantity_column_count(const carom_quantity *quantity) {
    return quantity->type == CAROM_QUANTITY_VECTOR ? 3 : 1;
}

static double component(const carom_vec3 *v, int i) {
    return i == 0 ? v->x : i == 1 ? v->y : v->z;
}

double carom_quantity_get(const carom_quantity *quantity, const carom_step_report *report, int column) {
    const void *field = (const char *)report + quantity->offset;
    switch (quantity->type) {
    case CAROM_QUANTITY_REAL:
        return *(const double *)field;
    case CAROM_QUANTITY_COUNT:
        return *(const int *)field;
    case CAROM_QUANTITY_VECTOR:
        return component(field, column);
    case CAROM_QUANTITY_OUTCOME:
        return *(const carom_step_outcome *)field != CAROM_STEP_BROKEN;
    case CAROM_QUANTITY_SOLVER:
        return *(const carom_solver *)field;
    }
    return NAN;
}

// A number of a damaged or foreign file may be anything: what is no int becomes 0.
static int whole(double value) {
    return fabs(value) <= 2147483647.0 ? (int)value : 0;
}

void carom_quantity_set(const carom_quantity *quantity, carom_step_report *report, int column, double value) {
    void *field = (char *)report + quantity->offset;
    switch (quantity->type) {
    case CAROM_QUANTITY_REAL:
        *(double *)field = value;
        return;
    case CAROM_QUANTITY_COUNT:
        *(int *)field = whole(value);
        return;
    case CAROM_QUANTITY_VECTOR:
        *(column == 0   ? &((carom_vec3 *)field)->x
          : column == 1 ? &((carom_vec3 *)field)->y
                        : &((carom_vec3 *)field)->z) = value;
        return;
    case CAROM_QUANTITY_OUTCOME:
        *(carom_step_outcome *)field = value == 1.0 ? CAROM_STEP_GOOD : CAROM_STEP_BROKEN;
        return;
    case CAROM_QUANTITY_SOLVER:
        *(carom_solver *)field = (carom_solver)whole(value);
        return;
    }
}

double carom_quantity_bound(const carom_quantity *quantity, const carom_contract *contract) {
    if (quantity->bound == 0) return INFINITY;
    return *(const double *)(const void *)((const char *)contract + quantity->bound - 1);
}

// ---- over a run

carom_summary carom_summary_begin(const carom_state *state) {
    carom_energy energy = carom_state_energy(state);
    double total = energy.kinetic + energy.potential;
    carom_summary summary = {.first_broken_step = -1,
                             .unbounded_residual = isinf(carom_method_contract(carom_state_method(state)).residual),
                             .first_energy = total,
                             .last_energy = total,
                             .first_kinetic = energy.kinetic,
                             .largest_kinetic = energy.kinetic,
                             .least_potential = energy.potential,
                             .largest_potential = energy.potential,
                             .first_momentum = carom_state_momentum(state)};
    for (int i = 0; i < CAROM_RULE_COUNT; i++) summary.finding[i] = carom_finding_none();
    return summary;
}

// A value that is no number is the worst of all.
static void raise_to(double *largest, double value) {
    if (!(value <= *largest)) *largest = isnan(value) ? INFINITY : value;
}

// 0 is none yet, and of a step without any.
static void lower_to(double *least, double value) {
    if (value != 0.0 && (*least == 0.0 || !(value >= *least))) *least = isnan(value) ? -INFINITY : value;
}

static crm_summary_action action_of(const carom_quantity *quantity, const carom_summary_item *item) {
    bool count = quantity->type == CAROM_QUANTITY_COUNT, vector = quantity->type == CAROM_QUANTITY_VECTOR;
    switch (item->rule) {
    case CAROM_SUMMARY_LARGEST:
        return count ? CRM_SUMMARY_LARGEST_COUNT : CRM_SUMMARY_LARGEST_REAL;
    case CAROM_SUMMARY_LARGEST_SIZE:
        return vector ? CRM_SUMMARY_LARGEST_LENGTH : CRM_SUMMARY_LARGEST_SIZE;
    case CAROM_SUMMARY_LEAST:
        return CRM_SUMMARY_LEAST_REAL;
    case CAROM_SUMMARY_STEPS:
        return CRM_SUMMARY_COUNT_STEPS;
    default:
        return count ? CRM_SUMMARY_SUM_COUNT : vector ? CRM_SUMMARY_SUM_VECTOR : CRM_SUMMARY_SUM_REAL;
    }
}

// Appends the entries of one action.
static int list_action(crm_summary_list *list, int used, crm_summary_action action) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (const carom_quantity *q = quantities; q < quantities + count; q++)
        for (int i = 0; i < CAROM_QUANTITY_MOST_ITEMS && q->summary[i].rule != CAROM_SUMMARY_NONE; i++) {
            if (action_of(q, &q->summary[i]) != action) continue;
            CRM_ASSERT(used < CRM_SUMMARY_MOST_ENTRIES);
            list->entry[used++] = (crm_summary_entry){q->offset, q->summary[i].offset, (int)q->usual};
        }
    return used;
}

void crm_summary_list_make(crm_summary_list *list) {
    for (int action = 0, used = 0; action < CRM_SUMMARY_ACTIONS; action++)
        list->end[action] = used = list_action(list, used, (crm_summary_action)action);
}

static void note_broken(carom_summary *summary, const carom_step_report *report) {
    if (summary->broken_steps++ > 0) return;
    summary->first_broken_step = report->step;
    snprintf(summary->first_broken_text, sizeof summary->first_broken_text, "%.*s", (int)sizeof report->text - 1,
             report->text);
}

// Every action has a loop of its own, as recorders wait for this after each step. FROM and TO are the fields of `e`.
#define FOR_ALL(action_) for (const crm_summary_entry *end = list->entry + list->end[action_]; e < end; e++)
#define FROM(type_) (*(const type_ *)(const void *)((const char *)report + e->from))
#define TO(type_) (*(type_ *)(void *)((char *)summary + e->to))

void crm_summary_list_add(const crm_summary_list *list, const carom_step_report *report, carom_summary *summary) {
    const crm_summary_entry *e = list->entry;
    FOR_ALL(CRM_SUMMARY_LARGEST_REAL) raise_to(&TO(double), FROM(double));
    FOR_ALL(CRM_SUMMARY_LARGEST_COUNT) if (FROM(int) > TO(int64_t)) TO(int64_t) = FROM(int);
    FOR_ALL(CRM_SUMMARY_LARGEST_SIZE) raise_to(&TO(double), fabs(FROM(double)));
    FOR_ALL(CRM_SUMMARY_LARGEST_LENGTH) raise_to(&TO(double), crm_length(FROM(carom_vec3)));
    FOR_ALL(CRM_SUMMARY_LEAST_REAL) lower_to(&TO(double), FROM(double));
    FOR_ALL(CRM_SUMMARY_SUM_REAL) TO(double) += FROM(double);
    FOR_ALL(CRM_SUMMARY_SUM_COUNT) TO(int64_t) += FROM(int);
    FOR_ALL(CRM_SUMMARY_SUM_VECTOR) TO(carom_vec3) = crm_add(TO(carom_vec3), FROM(carom_vec3));
    FOR_ALL(CRM_SUMMARY_COUNT_STEPS) TO(int64_t) += FROM(int) > e->usual;
    summary->steps++;
    summary->last_energy = report->energy.kinetic + report->energy.potential;
    raise_to(&summary->largest_energy_change, fabs(summary->last_energy - summary->first_energy));
    raise_to(&summary->largest_kinetic, report->energy.kinetic);
    raise_to(&summary->largest_potential, report->energy.potential);
    summary->least_potential = fmin(summary->least_potential, report->energy.potential);
    if (report->outcome == CAROM_STEP_BROKEN) note_broken(summary, report);
    summary->missed_steps += report->outcome == CAROM_STEP_MISSED;
}

static double share_of_steps(const carom_summary *summary, int64_t steps) {
    return steps > 0 ? (double)steps / (double)summary->steps : 0.0;
}

double carom_summary_energy_scale(const carom_summary *summary) {
    return summary->largest_kinetic + (summary->largest_potential - summary->least_potential);
}

void carom_summary_conclude(carom_summary *summary, const carom_state *state) {
    carom_finding unconfirmed = summary->finding[CAROM_RULE_UNCONFIRMED];
    carom_state_findings(state, summary->finding);
    summary->finding[CAROM_RULE_UNCONFIRMED] = unconfirmed;
    summary->finding[CAROM_RULE_BROKEN_STEPS].value = share_of_steps(summary, summary->broken_steps);
    summary->finding[CAROM_RULE_BROKEN_STEPS].step = summary->first_broken_step;
    summary->finding[CAROM_RULE_MISSED_STEPS].value = share_of_steps(summary, summary->missed_steps);
    double asked = carom_method_contract(carom_state_method(state)).residual;
    if (summary->missed_steps > 0)
        summary->finding[CAROM_RULE_MISSED_RESIDUAL].value = summary->largest_residual / asked;
}

void carom_summary_add(carom_summary *summary, const carom_step_report *report) {
    crm_summary_list list;
    crm_summary_list_make(&list);
    crm_summary_list_add(&list, report, summary);
}

double carom_summary_get(const carom_summary *summary, const carom_summary_item *item, int column) {
    const void *field = (const char *)summary + item->offset;
    if (item->type == CAROM_QUANTITY_COUNT) return (double)*(const int64_t *)field;
    if (item->type == CAROM_QUANTITY_VECTOR) return component(field, column);
    double value = *(const double *)field;
    if (item->rule != CAROM_SUMMARY_MEAN) return value;
    return summary->steps > 0 ? value / (double)summary->steps : 0.0;
}
