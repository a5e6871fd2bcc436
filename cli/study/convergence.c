// SPDX-License-Identifier: MIT
#include "study/convergence.h"

#include <math.h>
#include <stddef.h>

// Orders below the least, or that change by more than the slack from row to row, are not those of small steps.
static const double least_order = 0.5, order_slack = 0.2;

double observed_order(double coarse, double fine, double floor) {
    if (!(coarse > floor) || !(fine > floor)) return NAN;
    return log2(coarse / fine);
}

double final_order(const double *difference, int count, double floor, bool *steady) {
    if (steady != NULL) *steady = false;
    for (int i = count - 1; i > 0; i--) {
        double order = observed_order(difference[i - 1], difference[i], floor);
        if (isnan(order)) continue;
        double above = i > 1 ? observed_order(difference[i - 2], difference[i - 1], floor) : NAN;
        if (steady != NULL) *steady = order >= least_order && !(fabs(order - above) > order_slack);
        return order;
    }
    return NAN;
}

void estimate_errors(const double *difference, int count, double floor, double *error) {
    bool steady;
    double growth = exp2(final_order(difference, count, floor, &steady));
    double finest = count > 1 ? difference[count - 2] : NAN;
    error[count - 1] = finest <= floor ? finest : steady ? finest / (growth - 1.0) : NAN;
    for (int i = count - 2; i >= 0; i--) error[i] = error[i + 1] + difference[i];
}
