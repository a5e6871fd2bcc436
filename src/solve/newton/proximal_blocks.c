// SPDX-License-Identifier: MIT
// The blocks of the proximal point method.
#include <math.h>

#include "solve/newton/newton_law.h"

enum { N = CAROM_GROUP_ROWS };

bool crm_proximal_knows(const crm_newton_law *law) {
    return !crm_has_cone(law) || !law->compliant;
}

// r(u) and, when they are wanted, the spectra or slopes of its derivative times -prox.
static void proximal_point(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                           double *point, crm_spectrum *d, double *slope) {
    double z[N] = {0};
    if (crm_has_cone(law)) {
        crm_spectrum rest;
        for (int i = 0; i < law->rows; i++) z[i] = centre[i] - (u[i] + (i == 0 ? shift : 0.0)) / prox;
        crm_project_onto_cone(law->rows, z, 0.0, point, d, &rest);
        return;
    }
    for (int i = 0; i < law->rows; i++) {
        crm_positive_part p = crm_project_row(law, i, (prox * centre[i] - u[i]) / (prox + law->compliance[i]), 0.0);
        point[i] = p.value;
        slope[i] = p.slope;
    }
}

void crm_proximal_point(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        double *point) {
    crm_spectrum d;
    double slope[N];
    proximal_point(law, u, shift, centre, prox, point, &d, slope);
}

void crm_proximal_block(const crm_newton_law *law, const double *u, double shift, const double *centre, double prox,
                        const double *r, crm_newton_block *block) {
    int rows = law->rows;
    double point[N] = {0}, slope[N];
    crm_spectrum d = {.rows = rows};
    crm_newton_block_clear(rows, block);
    proximal_point(law, u, shift, centre, prox, point, &d, slope);
    if (crm_has_cone(law)) crm_spectrum_matrix(&d, block->a);
    for (int i = 0; i < rows; i++) {
        double weight = prox + law->compliance[i];
        if (!crm_has_cone(law)) block->a[i * rows + i] = slope[i];
        block->b[i * rows + i] = weight;
        block->c[i] = weight * (point[i] - r[i]);
        block->push[i] = point[i] - r[i];
        block->inverse[i * rows + i] = 1.0 / weight;
        for (int j = 0; j < rows; j++) block->stiffness[i * rows + j] = block->a[i * rows + j] / weight;
    }
}
