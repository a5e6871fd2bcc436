// SPDX-License-Identifier: MIT
// What differences at halved steps say about order and error.
//
// With x_h = x + c h^p + ..., differences of successive halvings obey |x_h - x_{h/2}| / |x_{h/2} - x_{h/4}| = 2^p, and
// errors against a reference obey the same. The error of the finest run follows by Richardson, |x_{h/2} - x| = |x_h -
// x_{h/2}| / (2^p - 1), that of the others by adding the differences: no more than it, and where the order holds, equal
// to it. What is not known is NAN throughout.
#ifndef CLI_CONVERGENCE_H
#define CLI_CONVERGENCE_H

#include <stdbool.h>

// log2(coarse / fine); NAN where one is not known, zero, or no more than `floor`, the level of rounding.
double observed_order(double coarse, double fine, double floor);

// That of the finest two successive rows that have one. `steady` (may be NULL): it is at least 1/2 and the order above
// it, if there is one, is the same to 0.2; else the step is still too long to speak of an order.
double final_order(const double *difference, int count, double floor, bool *steady);

// `difference` (count): of each row to the next; the last row's is NAN. Fills `error` (count), with NAN where the order
// is not steady.
void estimate_errors(const double *difference, int count, double floor, double *error);

#endif
