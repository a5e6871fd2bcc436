// SPDX-License-Identifier: MIT
#include "verify/extrapolate.h"

#include <math.h>

double crm_extrapolation_advance(crm_extrapolation *extrapolation) {
    int k = extrapolation->levels++;
    double **table = extrapolation->table;
    double estimate = k > 0 ? 0.0 : INFINITY;
    for (int i = 0; i < extrapolation->count; i++) {
        // The row above is in columns 0 ... k-1, the new number in column k: each column is replaced when the one to
        // its right no longer needs it.
        double entry = table[k][i];
        for (int j = 0; j < k; j++) {
            double above = table[j][i];
            table[j][i] = entry;
            entry += (entry - above) / (ldexp(1.0, extrapolation->power * (j + 1)) - 1.0);
        }
        table[k][i] = entry;
        if (k == 0) continue;
        double change = fabs(entry - table[k - 1][i]);
        if (!(change <= estimate)) estimate = change;
    }
    return estimate;
}
