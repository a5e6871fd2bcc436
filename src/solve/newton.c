// SPDX-License-Identifier: MIT
#include "solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "solve/cone.h"

enum { N = CAROM_GROUP_ROWS };

carom_status crm_newton_open(const carom_problem *problem, crm_newton_form form, crm_arena *arena, crm_arena *scratch,
                             crm_newton *n, carom_error *error) {
    *n = (crm_newton){.best_residual = INFINITY, .tolerance = 1e-8};
    carom_status status = crm_newton_create(problem, form, arena, scratch, &n->system, error);
    if (status != CAROM_OK) return status;
    double **by_row[] = {&n->impulse, &n->best, &n->free, &n->r,  &n->u,     &n->dr,
                         &n->du,      &n->trial_r, &n->trial_u, &n->y, &n->dy, &n->value};
    double **by_velocity[] = {&n->v, &n->dv, &n->trial_v, &n->rest};
    bool taken = (n->weight = CRM_ARENA_ARRAY(arena, double, problem->group_count)) != NULL;
    for (size_t i = 0; taken && i < sizeof by_row / sizeof by_row[0]; i++)
        taken = (*by_row[i] = CRM_ARENA_ZEROED(arena, double, n->system.rows)) != NULL;
    for (size_t i = 0; taken && i < sizeof by_velocity / sizeof by_velocity[0]; i++)
        taken = (*by_velocity[i] = CRM_ARENA_ZEROED(arena, double, n->system.velocities)) != NULL;
    if (!taken) return crm_fail_memory(error, "a Newton iterate", 0);
    crm_newton_start(n, NULL);
    for (int i = 0; i < n->system.rows; i++) n->free[i] = n->u[i] * n->system.scale[i];
    return CAROM_OK;
}

void crm_newton_start(crm_newton *n, const double *impulse) {
    for (int i = 0; i < n->system.rows; i++) n->r[i] = impulse == NULL ? 0.0 : impulse[i] * n->system.scale[i];
    if (n->system.form != CRM_NEWTON_DELASSUS) crm_newton_velocity(&n->system, n->r, n->v);
    crm_newton_relative(&n->system, n->v, n->r, n->u);
}

double crm_newton_judge(crm_newton *n) {
    crm_newton_system *s = &n->system;
    const carom_problem *p = s->problem;
    for (int i = 0; i < s->rows; i++) n->impulse[i] = n->r[i] / s->scale[i];
    if (s->form != CRM_NEWTON_DELASSUS) crm_newton_velocity(s, n->r, n->trial_v);
    crm_newton_relative(s, n->trial_v, n->r, n->trial_u);
    double worst = 0.0, largest = n->velocity_scale, energy = 0.0, energy_free = 0.0;
    for (int g = 0; g < p->group_count; g++) {
        int first = s->row_start[g], rows = p->groups[g].rows;
        double u[N] = {0}, w[N], z[N], point[N], inverse = 0.0, error = 0.0, size = 0.0, free = 0.0;
        for (int i = 0; i < rows; i++) inverse += s->inverse[first + i] / rows;
        for (int i = 0; i < rows; i++) u[i] = n->trial_u[first + i] * s->scale[first + i];
        crm_law_velocity(&p->groups[g], u, w);
        for (int i = 0; i < rows; i++) {
            if (p->compliance != NULL) w[i] += p->compliance[first + i] * n->impulse[first + i];
            z[i] = n->impulse[first + i] - w[i] / inverse;
        }
        crm_law_project(&p->groups[g], z, point);
        for (int i = 0; i < rows; i++) {
            double e = n->impulse[first + i] - point[i];
            error += e * e, size += n->impulse[first + i] * n->impulse[first + i];
            free += n->free[first + i] * n->free[first + i];
        }
        worst = fmax(worst, inverse * sqrt(error));
        largest = fmax(largest, fmax(sqrt(free), inverse * sqrt(size)));
        energy += inverse * error, energy_free += free / inverse;
    }
    double residual = fmax(worst / largest, energy_free > 0 ? sqrt(energy / energy_free) : 0.0);
    if (largest == 0.0) residual = 0.0;
    if (residual < n->best_residual) {
        n->best_residual = residual;
        memcpy(n->best, n->impulse, sizeof(double) * (size_t)s->rows);
    }
    return residual;
}

void crm_newton_set_weight(crm_newton *n, const double *weight) {
    for (int i = 0; i < n->system.rows; i++) n->impulse[i] = n->r[i] / n->system.scale[i];
    crm_newton_rescale(&n->system, weight);
    for (int i = 0; i < n->system.rows; i++) n->r[i] = n->impulse[i] * n->system.scale[i];
    crm_newton_relative(&n->system, n->v, n->r, n->u);
}

void crm_newton_stick(crm_newton *n, double prox, double *impulse) {
    crm_newton_system *s = &n->system;
    const carom_problem *p = s->problem;
    crm_newton_start(n, NULL);
    for (int g = 0; g < p->group_count; g++) {
        crm_newton_law law = s->law[g];
        law.law = CAROM_LAW_EQUALITY;
        crm_natural_block(&law, n->u + s->row_start[g], n->r + s->row_start[g], 0.0, prox, &s->block[g]);
    }
    crm_newton_factor(s);
    crm_newton_momentum(s, n->v, n->r, n->rest);
    crm_newton_direction(s, n->rest, n->dv, n->dr, n->du);
    for (int i = 0; i < s->rows; i++) impulse[i] = n->dr[i] / s->scale[i];
}
