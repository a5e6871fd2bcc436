// SPDX-License-Identifier: MIT
// Linear forms: a number plus coefficients times unknowns. Everything that rows are made of, points of bodies, axes,
// forces, lengths of intervals, is linear in the unknowns; rows are sums of products of such forms. What is fixed is a
// number, so that rows of given poses have fewer terms.
#ifndef CRM_CONTROL_FORM_H
#define CRM_CONTROL_FORM_H

#include "control/rows/draft.h"

enum { CRM_FORM_MOST = 16 };

typedef struct crm_form {
    double constant;
    int count;
    double coefficient[CRM_FORM_MOST];
    int32_t unknown[CRM_FORM_MOST];
} crm_form;

typedef struct crm_form3 {
    crm_form c[3];
} crm_form3;

crm_form crm_form_number(double value);
crm_form crm_form_unknown(const crm_draft *draft, int32_t unknown);
void crm_form_add(crm_form *to, double scale, const crm_form *other);

crm_form3 crm_form3_vector(carom_vec3 value);
crm_form3 crm_form3_unknown(const crm_draft *draft, int32_t first); // of three unknowns in a row
void crm_form3_add(crm_form3 *to, double scale, const crm_form3 *other);
static inline crm_form3 crm_form3_difference(crm_form3 a, const crm_form3 *b) {
    crm_form3_add(&a, -1.0, b);
    return a;
}
bool crm_form3_is_number(const crm_form3 *form);

// Of a body at a node, in the plan's units; body -1 is the world. Points and axes are in principal axes; points are
// from the centre of mass and in metres.
crm_form3 crm_form_centre(const crm_draft *draft, int node, int body);
crm_form3 crm_form_axis(const crm_draft *draft, int node, int body, carom_vec3 axis);
crm_form3 crm_form_arm(const crm_draft *draft, int node, int body, carom_vec3 at);
crm_form3 crm_form_point(const crm_draft *draft, int node, int body, carom_vec3 at);
// R u of a vector of three forms in principal axes has products in it: the I-th director alone.
crm_form3 crm_form_director(const crm_draft *draft, int node, int body, int i);

crm_form crm_form_length(const crm_draft *draft, int interval); // of time

// ---- into rows: `row` may be CRM_NO_ROW or CRM_OBJECTIVE

void crm_add_product(crm_draft *draft, int32_t row, double coefficient, int count, const crm_form *const *factor);
void crm_add_form(crm_draft *draft, int32_t row, double coefficient, const crm_form *form);
void crm_add_pair(crm_draft *draft, int32_t row, double coefficient, const crm_form *a, const crm_form *b);
// With three rows: scale (NULL: 1) times v, times a x b; and with one: a.b.
void crm_add_vector(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                    const crm_form3 *v);
void crm_add_cross(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                   const crm_form3 *a, const crm_form3 *b);
void crm_add_dot(crm_draft *draft, int32_t row, double coefficient, const crm_form *scale, const crm_form3 *a,
                 const crm_form3 *b);
// a . (b x c)
void crm_add_triple(crm_draft *draft, int32_t row, double coefficient, const crm_form3 *a, const crm_form3 *b,
                    const crm_form3 *c);
// The same with one more scalar factor.
void crm_add_scaled_vector(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                           const crm_form *factor, const crm_form3 *v);
void crm_add_scaled_cross(crm_draft *draft, const int32_t row[3], double coefficient, const crm_form *scale,
                          const crm_form *factor, const crm_form3 *a, const crm_form3 *b);

#endif
