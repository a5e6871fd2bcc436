// SPDX-License-Identifier: MIT
// One linear solve of Newton's method, refined against the equations before reduction.
#include <math.h>
#include <string.h>

#include "solve/newton/newton_assembly.h"
#include "solve/newton/newton_system.h"

enum { N = CAROM_GROUP_ROWS, MOST_REFINEMENTS = 4 };

// A residual this small against its right-hand side needs no further refinement: Newton itself makes the rest good.
static const double good_enough = 1e-10;

void crm_newton_factor(crm_newton_system *s) {
    crm_block_factor_report report;
    crm_newton_assemble(s);
    crm_block_factor_compute(&s->factor, &s->matrix, &report);
    s->factorizations++;
    s->left_out = report.left_out;
}

static void apply(int rows, const double *matrix, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < rows; j++) y[i] += matrix[i * rows + j] * x[j];
    }
}

// One solve with the factors. `c` NULL stands for the blocks' own right-hand side.
static void solve_once(crm_newton_system *s, const double *rest, const double *c, double *dv, double *dr, double *du) {
    const crm_operator *op = s->op;
    double *x = s->unknown;
    size_t velocities = sizeof(double) * (size_t)s->op->velocity_count;
    if (s->form == CRM_NEWTON_DELASSUS) {
        for (int g = 0; g < op->group_count; g++)
            memcpy(x + op->row_start[g], c == NULL ? s->block[g].c : c + op->row_start[g],
                   sizeof(double) * (size_t)op->groups[g].rows);
        crm_block_factor_solve(&s->factor, 1, x, s->symbolic.scalar_count, s->factor_scratch);
        memcpy(dr, x, sizeof(double) * (size_t)op->row_count);
        crm_newton_relative_change(s, dv, dr, du);
        return;
    }
    for (int g = 0; g < op->group_count; g++) {
        double *push = dr + op->row_start[g];
        if (c == NULL)
            memcpy(push, s->block[g].push, sizeof(double) * (size_t)op->groups[g].rows);
        else
            apply(op->groups[g].rows, s->block[g].inverse, c + op->row_start[g], push);
    }
    memcpy(x, rest, velocities);
    crm_newton_add_push(s, dr, x);
    crm_block_factor_solve(&s->factor, 1, x, s->symbolic.scalar_count, s->factor_scratch);
    memcpy(dv, x, velocities);
    crm_newton_relative_change(s, dv, dr, du);
    for (int g = 0; g < op->group_count; g++) {
        double less[N];
        apply(op->groups[g].rows, s->block[g].stiffness, du + op->row_start[g], less);
        for (int i = 0; i < op->groups[g].rows; i++) dr[op->row_start[g] + i] -= less[i];
    }
}

// Residuals of both equations; gives their size relative to the right-hand sides. The momentum's is measured in the
// energy norm of the nodes' own masses.
static double residuals(crm_newton_system *s, const double *rest, const double *dv, const double *dr,
                        const double *du) {
    const crm_operator *op = s->op;
    double left = 0.0, right = 0.0;
    for (int g = 0; g < op->group_count; g++) {
        double first[N], second[N], *e = s->law_rest + op->row_start[g];
        apply(op->groups[g].rows, s->block[g].a, du + op->row_start[g], first);
        apply(op->groups[g].rows, s->block[g].b, dr + op->row_start[g], second);
        for (int i = 0; i < op->groups[g].rows; i++) {
            e[i] = s->block[g].c[i] - first[i] - second[i];
            left += e[i] * e[i];
            right += s->block[g].c[i] * s->block[g].c[i];
        }
    }
    if (s->form != CRM_NEWTON_DELASSUS) {
        memcpy(s->momentum_rest, rest, sizeof(double) * (size_t)s->op->velocity_count);
        crm_newton_add_push(s, dr, s->momentum_rest);
        crm_newton_subtract_mass(s, dv, s->momentum_rest);
        for (int n = 0; n < op->node_count; n++)
            for (int i = 0; i < s->node_size[n]; i++) {
                double e = s->momentum_rest[op->velocity_start[n] + i];
                left += e * e / op->mass[op->mass_start[n] + i * (s->node_size[n] + 1)];
            }
    }
    return right > 0.0 ? sqrt(left / right) : 0.0;
}

void crm_newton_direction(crm_newton_system *s, const double *rest, double *dv, double *dr, double *du) {
    solve_once(s, rest, NULL, dv, dr, du);
    s->inaccuracy = residuals(s, rest, dv, dr, du);
    for (int k = 0; k < MOST_REFINEMENTS && s->inaccuracy > good_enough; k++) {
        double before = s->inaccuracy;
        solve_once(s, s->momentum_rest, s->law_rest, s->change_v, s->change_r, s->change_u);
        for (int i = 0; i < s->op->row_count; i++) dr[i] += s->change_r[i], du[i] += s->change_u[i];
        for (int i = 0; s->form != CRM_NEWTON_DELASSUS && i < s->op->velocity_count; i++) dv[i] += s->change_v[i];
        s->inaccuracy = residuals(s, rest, dv, dr, du);
        if (s->inaccuracy < 0.5 * before) continue;
        if (!(s->inaccuracy <= before)) { // made it worse: take the correction back
            for (int i = 0; i < s->op->row_count; i++) dr[i] -= s->change_r[i], du[i] -= s->change_u[i];
            for (int i = 0; s->form != CRM_NEWTON_DELASSUS && i < s->op->velocity_count; i++) dv[i] -= s->change_v[i];
            s->inaccuracy = before;
        }
        break;
    }
}
