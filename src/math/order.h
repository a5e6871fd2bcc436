// SPDX-License-Identifier: MIT
// The larger and the smaller of two numbers where either may be NaN.
#ifndef CRM_MATH_ORDER_H
#define CRM_MATH_ORDER_H

#include <math.h>

// As fmax and fmin, which are calls: of a number and NaN the number. Of two zeros the first, whatever their signs.
static inline double crm_larger(double a, double b) {
    return isnan(a) || b > a ? b : a;
}

static inline double crm_smaller(double a, double b) {
    return isnan(a) || b < a ? b : a;
}

#endif
