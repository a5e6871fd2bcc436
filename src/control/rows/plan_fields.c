// SPDX-License-Identifier: MIT
// Forces of the model beside weight: constant ones at centres of mass, and pair potentials in the middle of an interval
// (docs/math.md 10.3), whose place and force are unknowns, so that the law is a function of three numbers.
#include <math.h>

#include "base/fail.h"
#include "control/rows/pair_curvature.h"
#include "control/rows/plan_pieces.h"

typedef struct field_law {
    const crm_pair_potential *pair;
    carom_vec3 base; // where b is, if it does not move, m
    double length, force;
} field_law;

// Rows are force - F(y), of which this is -F = dU/dy at y from b's point, in the plan's units.
static bool evaluate_law(const void *data, const double *z, const double *weight, double *value, double *gradient,
                         double *hessian) {
    const field_law *law = data;
    carom_vec3 y = crm_scale(law->length, crm_vec3(z[0], z[1], z[2])), a = crm_add(law->base, y);
    crm_pair_potential_value u = crm_pair_potential_evaluate(law->pair, a, law->base);
    if (!crm_vec3_finite(u.gradient) || !crm_mat3_finite(u.hessian)) return false;
    for (int i = 0; i < 3; i++) value[i] = crm_component(u.gradient, i) / law->force;
    const carom_vec3 columns[3] = {u.hessian.x, u.hessian.y, u.hessian.z};
    double first = law->length / law->force, second = law->length * first;
    for (int i = 0; gradient != NULL && i < 9; i++) gradient[i] = first * crm_component(columns[i % 3], i / 3);
    if (hessian == NULL) return true;
    carom_mat3 c = crm_pair_curvature(law->pair, a, law->base, crm_vec3(weight[0], weight[1], weight[2]));
    const carom_vec3 curved[3] = {c.x, c.y, c.z};
    for (int i = 0; i < 9; i++) hessian[i] = second * crm_component(curved[i % 3], i / 3);
    return true;
}

static crm_form3 midpoint(const crm_draft *draft, int interval, crm_point point) {
    crm_form3 middle = crm_form3_vector(crm_vec3_zero());
    if (point.body < 0) return crm_form3_vector(crm_scale(1.0 / draft->units.length, point.at));
    for (int end = 0; end < 2; end++) {
        crm_form3 there = crm_form_point(draft, interval + end, point.body, point.at);
        crm_form3_add(&middle, 0.5, &there);
    }
    return middle;
}

static void add_law_rows(crm_draft *draft, int interval, int pair, int32_t first, const field_law *law) {
    const crm_pair_potential *p = law->pair;
    crm_row_name name = {CRM_ROW_FIELD_PLACE, p->a.body, p->b.body, pair, interval};
    crm_form3 place = crm_form3_unknown(draft, first), force = crm_form3_unknown(draft, first + 3);
    crm_form3 a = midpoint(draft, interval, p->a), b = midpoint(draft, interval, p->b);
    int32_t row[3];
    for (int i = 0; i < 3; i++) row[i] = crm_draft_row(draft, 0.0, 0.0, crm_interval_place(interval), name);
    crm_add_vector(draft, row, 1.0, NULL, &place);
    crm_add_vector(draft, row, -1.0, NULL, &a);
    crm_add_vector(draft, row, 1.0, NULL, &b);
    name.kind = CRM_ROW_FIELD;
    for (int i = 0; i < 3; i++) row[i] = crm_draft_row(draft, 0.0, 0.0, crm_interval_place(interval), name);
    crm_add_vector(draft, row, 1.0, NULL, &force);
    crm_program_add_block(&draft->builder,
                          &(crm_program_block){.function = evaluate_law,
                                               .data = law,
                                               .unknown_count = 3,
                                               .row_count = 3,
                                               .unknown = (const int32_t[]){first, first + 1, first + 2},
                                               .row = row});
}

carom_status crm_fields_add_unknowns(crm_draft *draft, carom_error *error) {
    const carom_model *model = draft->model;
    int pairs = model->pair_potentials.count;
    field_law *laws = CRM_ARENA_ARRAY(draft->arena, field_law, pairs);
    if (laws == NULL) return crm_fail_memory(error, "potentials of a plan", sizeof *laws * (size_t)pairs);
    for (int p = 0; p < pairs; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        laws[p] = (field_law){.pair = pair, .length = draft->units.length, .force = draft->units.force};
        if (!crm_body_moves(model, pair->b.body)) laws[p].base = crm_point_position(pair->b, draft->start);
    }
    for (int k = 0; k < draft->intervals; k++) {
        for (int p = 0; p < pairs; p++) {
            int32_t first = draft->builder.lower.count;
            for (int i = 0; i < 6; i++)
                (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, crm_interval_place(k));
            draft->field[k * pairs + p] = first;
            if (!draft->builder.refused) add_law_rows(draft, k, p, first, &laws[p]);
        }
    }
    return draft->builder.refused ? crm_fail_memory(error, "potentials of a plan", 0) : CAROM_OK;
}

static void push(crm_draft *draft, int node, crm_point point, const crm_form *half, double sign, const crm_form3 *force,
                 const int32_t *balance) {
    if (point.body < 0 || draft->slot[point.body] < 0) return;
    const int32_t *row = balance + 6 * draft->slot[point.body];
    crm_form3 arm = crm_form_arm(draft, node, point.body, point.at);
    crm_add_vector(draft, row, sign, half, force);
    crm_add_cross(draft, row + 3, sign, half, &arm, force);
}

void crm_fields_add_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance) {
    const carom_model *model = draft->model;
    int pairs = model->pair_potentials.count;
    crm_form length = crm_form_length(draft, interval), half = crm_form_number(0.0);
    crm_form_add(&half, 0.5 * sign, &length);
    for (int p = 0; p < pairs; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        crm_form3 force = crm_form3_unknown(draft, draft->field[interval * pairs + p] + 3);
        push(draft, interval + end, pair->a, &half, 1.0, &force, balance);
        push(draft, interval + end, pair->b, &half, -1.0, &force, balance);
    }
    for (int w = 0; w < model->wrenches.count; w++) {
        const crm_wrench *wrench = &model->wrenches.items[w];
        crm_form3 force = crm_form3_vector(crm_scale(1.0 / draft->units.force, wrench->force));
        push(draft, interval + end, wrench->point, &half, 1.0, &force, balance);
    }
}
