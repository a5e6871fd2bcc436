// SPDX-License-Identifier: MIT
// Products with the small matrix of one incidence, h (rows x size, row by row; operator.h): a contact of three rows on
// a body of six velocities is nearly all of the work of a solver, and gets loops of known lengths.
#ifndef CRM_SOLVE_INCIDENCE_H
#define CRM_SOLVE_INCIDENCE_H

// y += h x
static inline void crm_incidence_add_rows(int rows, int size, const double *restrict h, const double *restrict x,
                                          double *restrict y) {
    if (rows == 3 && size == 6) {
        double sum[3] = {y[0], y[1], y[2]};
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 3; i++) sum[i] += h[i * 6 + j] * x[j];
        for (int i = 0; i < 3; i++) y[i] = sum[i];
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) y[i] += h[i * size + j] * x[j];
}

// y += h^T x
static inline void crm_incidence_add_columns(int rows, int size, const double *restrict h, const double *restrict x,
                                             double *restrict y) {
    if (rows == 3 && size == 6) {
        for (int j = 0; j < 6; j++) y[j] = ((y[j] + h[j] * x[0]) + h[6 + j] * x[1]) + h[12 + j] * x[2];
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) y[j] += h[i * size + j] * x[i];
}

#endif
