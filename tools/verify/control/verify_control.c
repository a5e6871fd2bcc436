// SPDX-License-Identifier: MIT
#include "verify/control/verify_control.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

crm_control_case crm_control_begin(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_control_case c = {.reference = reference, .what = what, .verdict = verdict};
    crm_arena_init(&c.arena, what->allocator);
    return c;
}

void crm_control_end(crm_control_case *c) {
    carom_plan_destroy(c->plan);
    carom_model_destroy(c->model);
    crm_arena_free(&c->arena);
}

static bool held(crm_control_case *c, carom_status status, const carom_error *error) {
    if (status != CAROM_OK) crm_reference_refuse(c->reference, error);
    return c->reference->status == CAROM_OK;
}

bool crm_control_make_model(crm_control_case *c, carom_vec3 gravity) {
    carom_error error;
    carom_model_def def = carom_model_def_default();
    def.gravity = gravity;
    def.allocator = c->what->allocator;
    return c->reference->status == CAROM_OK && held(c, carom_model_create(&def, &c->model, &error), &error);
}

bool crm_control_add_body(crm_control_case *c, const carom_body_def *def, carom_body *out) {
    carom_error error;
    return c->reference->status == CAROM_OK && held(c, carom_model_add_body(c->model, def, out, &error), &error);
}

// Of plans that are not proven to be local optima.
static const double first_order = 1e-8;

bool crm_control_solve(crm_control_case *c, const carom_plan_def *def) {
    carom_error error;
    if (c->reference->status != CAROM_OK) return false;
    if (!held(c, carom_model_freeze(c->model, &error), &error)) return false;
    if (!held(c, carom_plan_create(c->model, def, c->what->allocator, &c->plan, &error), &error)) return false;
    bool done = false;
    while (!done)
        if (!held(c, carom_plan_solve_next(c->plan, 1, NULL, NULL, &done, &error), &error)) return false;
    c->certificate = carom_plan_get_certificate(c->plan);
    carom_plan_outcome outcome = carom_plan_get_outcome(c->plan);
    if (outcome == CAROM_PLAN_SOLVED) return true;
    // What is best about one axis beyond half a revolution is a saddle among all rotations: first-order conditions
    // tell.
    if (outcome == CAROM_PLAN_FEASIBLE && c->certificate.optimality <= first_order) return true;
    const char *reason = carom_plan_reason(c->plan);
    crm_check_obstacle(c->verdict, 0.0, "plan", reason[0] != '\0' ? reason : "is feasible, not optimal");
    return false;
}

double crm_control_tolerance(crm_control_case *c, const char *key) {
    return crm_reference_positive(c->reference, c->what->tolerance, "tolerance", key);
}

void crm_control_compare(crm_control_case *c, const char *quantity, double tolerance, int count, const double *got,
                         const double *wanted) {
    if (c->reference->status != CAROM_OK || got == NULL || wanted == NULL) return;
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(wanted[i]));
        worst = isfinite(got[i]) ? fmax(worst, fabs(got[i] - wanted[i])) : INFINITY;
    }
    crm_check_error(c->verdict, largest > 0.0 ? worst / largest : worst, tolerance, "%s", quantity);
}

void crm_control_compare_number(crm_control_case *c, const char *quantity, double tolerance, double got) {
    double wanted = crm_reference_number(c->reference, c->what->expected, "expected", quantity);
    crm_control_compare(c, quantity, tolerance, 1, &got, &wanted);
}

const double *crm_control_expected(crm_control_case *c, const char *key, int count) {
    int found;
    if (!crm_reference_has(c->what->expected, key)) return NULL;
    const double *list = crm_reference_numbers(c->reference, c->what->expected, "expected", key, &c->arena, &found);
    if (c->reference->status != CAROM_OK) return NULL;
    if (found == count) return list;
    crm_reference_fail(c->reference, "expected.%s has %d numbers; the plan has %d", key, found, count);
    return NULL;
}

const double *crm_control_expected_vectors(crm_control_case *c, const char *key, int count) {
    int found;
    if (!crm_reference_has(c->what->expected, key)) return NULL;
    const carom_vec3 *list = crm_reference_points(c->reference, c->what->expected, "expected", key, &c->arena, &found);
    if (c->reference->status != CAROM_OK) return NULL;
    if (found != count) {
        crm_reference_fail(c->reference, "expected.%s has %d vectors; the plan has %d", key, found, count);
        return NULL;
    }
    double *numbers = CRM_ARENA_ARRAY(&c->arena, double, 3 * (ptrdiff_t)count);
    if (numbers == NULL) crm_reference_refuse_memory(c->reference, key, sizeof *list * (size_t)count);
    for (int i = 0; i < count && numbers != NULL; i++)
        for (int k = 0; k < 3; k++) numbers[3 * i + k] = crm_component(list[i], k);
    return numbers;
}

double *crm_control_numbers(crm_control_case *c, int control) {
    int size = carom_plan_control_size(c->plan, control), intervals = carom_plan_intervals(c->plan);
    double *out = CRM_ARENA_ARRAY(&c->arena, double, (ptrdiff_t)size *intervals);
    if (out == NULL) crm_reference_refuse_memory(c->reference, "controls", sizeof *out * (size_t)intervals);
    for (int k = 0; k < intervals && out != NULL; k++)
        (void)carom_plan_get_control(c->plan, k, control, out + size * k);
    return out;
}

double *crm_control_positions(crm_control_case *c, carom_body body) {
    int nodes = carom_plan_intervals(c->plan) + 1;
    double *out = CRM_ARENA_ARRAY(&c->arena, double, 3 * (ptrdiff_t)nodes);
    if (out == NULL) crm_reference_refuse_memory(c->reference, "positions", sizeof *out * 3 * (size_t)nodes);
    for (int k = 0; k < nodes && out != NULL; k++) {
        carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
        (void)carom_plan_get_node(c->plan, k, body, &pose, NULL, NULL);
        for (int i = 0; i < 3; i++) out[3 * k + i] = crm_component(pose.position, i);
    }
    return out;
}
