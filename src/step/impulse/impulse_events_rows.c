// SPDX-License-Identifier: MIT
// Systems of unknown forces at touches: W and q of a problem, solved by src/solve.
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "step/impulse/impulse_events.h"

void crm_event_rows_clear(crm_event_rows *rows) {
    rows->rows.count = rows->groups.count = rows->offset.count = rows->force.count = 0;
}

void crm_event_rows_free(const carom_allocator *allocator, crm_event_rows *rows) {
    CRM_ARRAY_FREE(allocator, &rows->rows);
    CRM_ARRAY_FREE(allocator, &rows->groups);
    CRM_ARRAY_FREE(allocator, &rows->offset);
    CRM_ARRAY_FREE(allocator, &rows->force);
    CRM_ARRAY_FREE(allocator, &rows->compliance);
    CRM_ARRAY_FREE(allocator, &rows->start);
    CRM_ARRAY_FREE(allocator, &rows->column);
    CRM_ARRAY_FREE(allocator, &rows->value);
}

crm_vec6 crm_events_response(const crm_impulse_events *e, int body, crm_vec6 wrench) {
    const crm_body *of = &e->model->bodies.items[body];
    crm_vec6 projected = crm_wrench_projected(of->kind, wrench);
    crm_motion given = {.q = e->motions[body].q, .p = projected.linear, .l = projected.angular};
    return crm_vec6_of(crm_motion_velocity(of, &given), crm_motion_spin(of, &given));
}

void crm_events_wrenches(const crm_impulse_events *e, const crm_touch *touch, carom_vec3 push, crm_vec6 *on_a,
                         crm_vec6 *on_b) {
    carom_vec3 arm_a = crm_sub(touch->geometry.point, e->motions[touch->a].x);
    carom_vec3 arm_b = crm_sub(touch->geometry.point, e->motions[touch->b].x);
    *on_a = crm_vec6_of(crm_negate(push), crm_cross(push, arm_a));
    *on_b = crm_vec6_of(push, crm_cross(arm_b, push));
}

double *crm_events_sums_of(const crm_impulse_events *e, int body, double *sums) {
    return sums + CRM_EVENTS_SUMS * (ptrdiff_t)e->groups.number[body];
}

void crm_events_add_external(const crm_impulse_events *e, const crm_touch *touch, carom_vec3 push, double *sums) {
    crm_vec6 on[2];
    crm_events_wrenches(e, touch, push, &on[0], &on[1]);
    const int body[2] = {touch->a, touch->b};
    for (int k = 0; k < 2; k++) {
        if (e->model->graph.link_of_body[body[k]] < 0) continue;
        double *external = crm_events_sums_of(e, body[k], sums);
        bool other_moves = e->model->graph.link_of_body[body[1 - k]] >= 0;
        crm_vec6 projected = crm_wrench_projected(e->model->bodies.items[body[k]].kind, on[k]);
        carom_vec3 x = e->motions[body[k]].x;
        crm_external_add_size(external, x, on[k]);
        if (other_moves) // both pushes together are nothing, but for what holds a body in its plane
            crm_external_add(external, x, -1.0, crm_vec6_sub(on[k], projected));
        else
            crm_external_add(external, x, 1.0, projected);
    }
}

bool crm_event_rows_add(crm_impulse_events *e, const crm_touch *touch, carom_row_group group, const carom_vec3 *along,
                        const carom_vec3 *push, const double *offset, const double *guess) {
    const carom_allocator *allocator = &e->model->allocator;
    crm_event_rows *rows = &e->rows;
    if (!CRM_ARRAY_PUSH(allocator, &rows->groups, group)) return false;
    for (int k = 0; k < group.rows; k++) {
        crm_event_row row = {.a = touch->a, .b = touch->b};
        crm_events_wrenches(e, touch, along[k], &row.row_a, &row.row_b);
        crm_events_wrenches(e, touch, push[k], &row.push_a, &row.push_b);
        row.move_a = crm_events_response(e, row.a, row.push_a);
        row.move_b = crm_events_response(e, row.b, row.push_b);
        if (!CRM_ARRAY_PUSH(allocator, &rows->rows, row) || !CRM_ARRAY_PUSH(allocator, &rows->offset, offset[k]) ||
            !CRM_ARRAY_PUSH(allocator, &rows->force, guess != NULL ? guess[k] : 0.0))
            return false;
    }
    return true;
}

static double effect(const crm_event_row *of, const crm_event_row *by) {
    double sum = 0.0;
    if (of->a == by->a) sum += crm_vec6_dot(of->row_a, by->move_a);
    if (of->a == by->b) sum += crm_vec6_dot(of->row_a, by->move_b);
    if (of->b == by->a) sum += crm_vec6_dot(of->row_b, by->move_a);
    if (of->b == by->b) sum += crm_vec6_dot(of->row_b, by->move_b);
    return sum;
}

static bool moves(const crm_impulse_events *e, int body) {
    return e->model->graph.link_of_body[body] >= 0;
}

// Whether a body that moves is in both.
static bool share(const crm_impulse_events *e, const crm_event_row *p, const crm_event_row *q) {
    return ((p->a == q->a || p->a == q->b) && moves(e, p->a)) || ((p->b == q->a || p->b == q->b) && moves(e, p->b));
}

static bool build_matrix(crm_impulse_events *e) {
    const carom_allocator *allocator = &e->model->allocator;
    crm_event_rows *rows = &e->rows;
    rows->start.count = rows->column.count = rows->value.count = 0;
    for (int i = 0; i < rows->rows.count; i++) {
        if (crm_state_interrupted(e->state) || !CRM_ARRAY_PUSH(allocator, &rows->start, rows->column.count))
            return false;
        for (int j = 0; j < rows->rows.count; j++) {
            if (!share(e, &rows->rows.items[i], &rows->rows.items[j])) continue;
            double w = effect(&rows->rows.items[i], &rows->rows.items[j]);
            if (!CRM_ARRAY_PUSH(allocator, &rows->column, j) || !CRM_ARRAY_PUSH(allocator, &rows->value, w))
                return false;
        }
    }
    return CRM_ARRAY_PUSH(allocator, &rows->start, rows->column.count);
}

// Each a share of what its own force does to a row.
static bool soften(crm_impulse_events *e, double share) {
    crm_event_rows *rows = &e->rows;
    if (!CRM_ARRAY_RESIZE(&e->model->allocator, &rows->compliance, rows->rows.count)) return false;
    for (int i = 0; i < rows->rows.count; i++)
        rows->compliance.items[i] = share * effect(&rows->rows.items[i], &rows->rows.items[i]);
    return true;
}

carom_status crm_event_rows_solve(crm_impulse_events *e, double tolerance, double softness, bool warm,
                                  carom_error *error) {
    crm_event_rows *rows = &e->rows;
    int count = rows->rows.count;
    if (count == 0) return CAROM_OK;
    bool built = build_matrix(e) && (softness == 0.0 || soften(e, softness));
    if (crm_state_interrupted(e->state)) return crm_fail_interrupted(error);
    if (!built) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d forces of contacts", count);
    carom_problem problem = {.form = CAROM_FORM_DELASSUS,
                             .group_count = rows->groups.count,
                             .groups = rows->groups.items,
                             .offset = rows->offset.items,
                             .compliance = softness > 0.0 ? rows->compliance.items : NULL,
                             .delassus = {.rows = count,
                                          .columns = count,
                                          .start = rows->start.items,
                                          .column = rows->column.items,
                                          .value = rows->value.items}};
    carom_solve_options options = carom_solve_options_default();
    options.tolerance = tolerance;
    options.warm = warm;
    options.work = 2e8;
    options.interrupt = crm_state_interrupt(e->state);
    carom_solve_report report;
    carom_status status = carom_solve(e->solver, &problem, &options, rows->force.items, NULL, &report, error);
    if (status != CAROM_OK) return status;
    bool floor = report.outcome == CAROM_SOLVE_OUTCOME_MET || report.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR;
    e->report->solver = report.solver;
    e->now.residual = fmax(e->now.residual, report.residual.residual);
    if (floor || report.residual.residual <= e->def.impulse.tolerance) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "no forces of %d contacts agree with friction and accelerations (a residual of %.1e is left)",
                    rows->groups.count, report.residual.residual);
}
