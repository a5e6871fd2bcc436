// SPDX-License-Identifier: MIT
#include "control/rows/form.h"

#include "base/assert.h"

crm_form crm_form_number(double value) {
    return (crm_form){.constant = value};
}

crm_form crm_form_unknown(const crm_draft *draft, int32_t unknown) {
    if (crm_is_fixed(draft, unknown)) return crm_form_number(draft->builder.lower.items[unknown]);
    return (crm_form){.count = 1, .coefficient = {1.0}, .unknown = {unknown}};
}

void crm_form_add(crm_form *to, double scale, const crm_form *other) {
    to->constant += scale * other->constant;
    for (int i = 0; i < other->count; i++) {
        double coefficient = scale * other->coefficient[i];
        int at = 0;
        while (at < to->count && to->unknown[at] != other->unknown[i]) at++;
        if (at < to->count) {
            to->coefficient[at] += coefficient;
        } else if (coefficient != 0.0) {
            CRM_ASSERT(to->count < CRM_FORM_MOST);
            to->coefficient[to->count] = coefficient;
            to->unknown[to->count++] = other->unknown[i];
        }
    }
}

crm_form3 crm_form3_vector(carom_vec3 value) {
    return (crm_form3){{crm_form_number(value.x), crm_form_number(value.y), crm_form_number(value.z)}};
}

crm_form3 crm_form3_unknown(const crm_draft *draft, int32_t first) {
    return (crm_form3){
        {crm_form_unknown(draft, first), crm_form_unknown(draft, first + 1), crm_form_unknown(draft, first + 2)}};
}

void crm_form3_add(crm_form3 *to, double scale, const crm_form3 *other) {
    for (int i = 0; i < 3; i++) crm_form_add(&to->c[i], scale, &other->c[i]);
}

bool crm_form3_is_number(const crm_form3 *form) {
    return form->c[0].count == 0 && form->c[1].count == 0 && form->c[2].count == 0;
}

// ---- bodies

crm_form3 crm_form_centre(const crm_draft *draft, int node, int body) {
    if (body < 0) return crm_form3_vector(crm_vec3_zero());
    int slot = draft->slot[body];
    if (slot < 0) return crm_form3_vector(crm_scale(1.0 / draft->units.length, draft->start[body].x));
    return crm_form3_unknown(draft, draft->pose[node * draft->moving_count + slot]);
}

crm_form3 crm_form_director(const crm_draft *draft, int node, int body, int i) {
    carom_vec3 axis = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    int slot = body < 0 ? -1 : draft->slot[body];
    if (body < 0) return crm_form3_vector(axis);
    // A mass point has no attitude: its axes are the world's.
    if (slot < 0) return crm_form3_vector(crm_quat_rotate(draft->start[body].q, axis)); // its `axes` are the identity
    if (!crm_has_directors(crm_draft_body(draft, body))) return crm_form3_vector(axis);
    return crm_form3_unknown(draft, draft->pose[node * draft->moving_count + slot] + 3 + 3 * i);
}

crm_form3 crm_form_axis(const crm_draft *draft, int node, int body, carom_vec3 axis) {
    crm_form3 sum = crm_form3_vector(crm_vec3_zero());
    if (body >= 0) axis = crm_quat_rotate_inverse(draft->axes[body], axis);
    for (int i = 0; i < 3; i++) {
        double share = crm_component(axis, i);
        if (share == 0.0) continue;
        crm_form3 director = crm_form_director(draft, node, body, i);
        crm_form3_add(&sum, share, &director);
    }
    return sum;
}

crm_form3 crm_form_arm(const crm_draft *draft, int node, int body, carom_vec3 at) {
    return crm_form_axis(draft, node, body, crm_scale(1.0 / draft->units.length, at));
}

crm_form3 crm_form_point(const crm_draft *draft, int node, int body, carom_vec3 at) {
    crm_form3 point = crm_form_centre(draft, node, body), arm = crm_form_arm(draft, node, body, at);
    crm_form3_add(&point, 1.0, &arm);
    return point;
}

crm_form crm_form_length(const crm_draft *draft, int interval) {
    crm_form length = crm_form_number(0.0), scale = crm_form_unknown(draft, draft->scale[draft->arc[interval]]);
    crm_form_add(&length, 1.0 / draft->intervals, &scale);
    return length;
}

// ---- products

// Adds the terms of all factors from `depth` on, times what was chosen before.
static void expand(crm_draft *draft, int32_t row, double coefficient, int count, const crm_form *const *factor,
                   int depth, int chosen, int32_t *unknown) {
    if (coefficient == 0.0) return;
    if (depth == count) {
        if (chosen == 0) {
            crm_program_add_constant(&draft->builder, row, coefficient);
        } else {
            CRM_ASSERT(chosen <= CRM_PROGRAM_FACTORS);
            crm_program_add_term(&draft->builder, row, coefficient, chosen, unknown);
        }
        return;
    }
    const crm_form *f = factor[depth];
    expand(draft, row, coefficient * f->constant, count, factor, depth + 1, chosen, unknown);
    for (int i = 0; i < f->count; i++) {
        unknown[chosen] = f->unknown[i];
        expand(draft, row, coefficient * f->coefficient[i], count, factor, depth + 1, chosen + 1, unknown);
    }
}

void crm_add_product(crm_draft *draft, int32_t row, double coefficient, int count, const crm_form *const *factor) {
    int32_t unknown[8];
    CRM_ASSERT(count <= 8);
    if (row != CRM_NO_ROW) expand(draft, row, coefficient, count, factor, 0, 0, unknown);
}

void crm_add_form(crm_draft *draft, int32_t row, double coefficient, const crm_form *form) {
    crm_add_product(draft, row, coefficient, 1, &form);
}

void crm_add_pair(crm_draft *draft, int32_t row, double coefficient, const crm_form *a, const crm_form *b) {
    crm_add_product(draft, row, coefficient, 2, (const crm_form *const[]){a, b});
}

void crm_add_scaled_vector(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                           const crm_form *factor, const crm_form3 *v) {
    crm_form one = crm_form_number(1.0);
    if (scale == NULL) scale = &one;
    if (factor == NULL) factor = &one;
    for (int i = 0; i < 3; i++)
        crm_add_product(draft, row[i], coefficient, 3, (const crm_form *const[]){scale, factor, &v->c[i]});
}

void crm_add_vector(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                    const crm_form3 *v) {
    crm_add_scaled_vector(draft, row, coefficient, scale, NULL, v);
}

void crm_add_scaled_cross(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                          const crm_form *factor, const crm_form3 *a, const crm_form3 *b) {
    crm_form one = crm_form_number(1.0);
    if (scale == NULL) scale = &one;
    if (factor == NULL) factor = &one;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        crm_add_product(draft, row[i], coefficient, 4, (const crm_form *const[]){scale, factor, &a->c[j], &b->c[k]});
        crm_add_product(draft, row[i], -coefficient, 4, (const crm_form *const[]){scale, factor, &a->c[k], &b->c[j]});
    }
}

void crm_add_cross(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                   const crm_form3 *a, const crm_form3 *b) {
    crm_add_scaled_cross(draft, row, coefficient, scale, NULL, a, b);
}

void crm_add_dot(crm_draft *draft, int32_t row, double coefficient, const crm_form *scale, const crm_form3 *a,
                 const crm_form3 *b) {
    crm_form one = crm_form_number(1.0);
    if (scale == NULL) scale = &one;
    for (int i = 0; i < 3; i++)
        crm_add_product(draft, row, coefficient, 3, (const crm_form *const[]){scale, &a->c[i], &b->c[i]});
}

void crm_add_triple(crm_draft *draft, int32_t row, double coefficient, const crm_form3 *a, const crm_form3 *b,
                    const crm_form3 *c) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        crm_add_product(draft, row, coefficient, 3, (const crm_form *const[]){&a->c[i], &b->c[j], &c->c[k]});
        crm_add_product(draft, row, -coefficient, 3, (const crm_form *const[]){&a->c[i], &b->c[k], &c->c[j]});
    }
}
