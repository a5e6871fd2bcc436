// SPDX-License-Identifier: MIT
#include "solve/newton/newton.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "solve/residual.h"

carom_status crm_newton_open(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                             crm_newton *n, carom_error *error) {
    *n = (crm_newton){
        .tolerance = options->tolerance, .velocity_scale = options->velocity_scale, .aim = options->tolerance};
    n->best_report.residual = INFINITY;
    crm_arena scratch;
    carom_allocator hook = crm_arena_allocator(arena);
    crm_arena_init(&scratch, &hook);
    carom_status status = crm_newton_create(op, options->interrupt, arena, &scratch, &n->system, error);
    crm_arena_free(&scratch);
    if (status != CAROM_OK) return status;
    double **by_row[] = {&n->impulse, &n->best,   &n->residual_u, &n->r,       &n->u,
                         &n->dr,      &n->du,     &n->trial_r,    &n->trial_u, &n->y,
                         &n->dy,      &n->path_r, &n->path_u,     &n->slope_r, &n->slope_u};
    double **by_velocity[] = {&n->v, &n->dv, &n->rest, &n->kept_v, &n->path_v, &n->slope_v};
    n->weight = CRM_ARENA_ARRAY(arena, double, op->group_count);
    n->residual_work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    bool taken = n->weight != NULL && n->residual_work != NULL;
    for (size_t i = 0; taken && i < sizeof by_row / sizeof by_row[0]; i++)
        taken = (*by_row[i] = CRM_ARENA_ZEROED(arena, double, op->row_count)) != NULL;
    for (size_t i = 0; taken && i < sizeof by_velocity / sizeof by_velocity[0]; i++)
        taken = (*by_velocity[i] = CRM_ARENA_ZEROED(arena, double, op->velocity_count)) != NULL;
    if (!taken) return crm_fail_memory(error, "a Newton iterate", 0);
    n->interrupt = n->system.factor.interrupt = options->interrupt;
    crm_newton_start(n, NULL);
    return CAROM_OK;
}

void crm_newton_start(crm_newton *n, const double *impulse) {
    const crm_newton_system *s = &n->system;
    for (int i = 0; i < s->op->row_count; i++) n->r[i] = impulse == NULL ? 0.0 : impulse[i] * s->scale[i];
    crm_newton_velocity(s, n->r, n->v);
    crm_newton_relative(s, n->v, n->r, n->u);
}

double crm_newton_evaluate(crm_newton *n) {
    const crm_newton_system *s = &n->system;
    carom_residual_report report;
    for (int i = 0; i < s->op->row_count; i++) n->impulse[i] = n->r[i] / s->scale[i];
    crm_residual_without_floor(s->op, n->velocity_scale, n->impulse, n->residual_work, n->residual_u, &report);
    if (report.residual < n->best_report.residual) {
        n->best_report = report;
        memcpy(n->best, n->impulse, sizeof(double) * (size_t)s->op->row_count);
    }
    return report.residual;
}

const carom_residual_report *crm_newton_verdict(crm_newton *n) {
    if (isfinite(n->best_report.residual))
        crm_residual_of(n->system.op, n->velocity_scale, n->best, n->residual_work, n->residual_u, &n->best_report);
    return &n->best_report;
}

// Additions and multiplications of a step for a group, besides the factorization.
static const double flops_a_group = 8000.0;

double crm_newton_price(const crm_newton *n) {
    const crm_newton_system *s = &n->system;
    return (2.0 * s->symbolic.flop_count + flops_a_group * s->op->group_count) / CRM_FLOPS_A_UNIT;
}

bool crm_newton_met(const crm_newton *n) {
    return n->best_report.residual <= n->tolerance;
}

void crm_newton_set_weight(crm_newton *n, const double *weight) {
    crm_newton_system *s = &n->system;
    for (int i = 0; i < s->op->row_count; i++) n->impulse[i] = n->r[i] / s->scale[i];
    crm_newton_rescale(s, weight);
    for (int i = 0; i < s->op->row_count; i++) n->r[i] = n->impulse[i] * s->scale[i];
    crm_newton_relative(s, n->v, n->r, n->u);
}

static double group_norm(const crm_newton_system *s, int g, const double *x) {
    double sum = 0.0;
    for (int i = s->op->row_start[g]; i < s->op->row_start[g + 1]; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

void crm_newton_stick_weight(crm_newton *n, double *weight) {
    static const double stick_prox = 1e-6, range = 1e4;
    crm_newton_system *s = &n->system;
    int groups = s->op->group_count;
    crm_newton_set_weight(n, NULL);
    crm_newton_start(n, NULL);
    double speed = 0.0;
    for (int g = 0; g < groups; g++) {
        crm_newton_law law = s->law[g];
        law.law = CAROM_LAW_EQUALITY;
        crm_natural_block(&law, n->u + s->op->row_start[g], n->r + s->op->row_start[g], 0.0, stick_prox, &s->block[g]);
    }
    crm_newton_step(n);
    // A typical speed in the problem's units, the same for all; each group's own impulse beside it.
    for (int g = 0; g < groups; g++)
        speed = fmax(speed, group_norm(s, g, n->u) * s->scale[s->op->row_start[g + 1] - 1]);
    for (int g = 0; g < groups; g++) {
        double tangent_scale = s->scale[s->op->row_start[g + 1] - 1];
        double impulse = group_norm(s, g, n->dr), velocity = speed / tangent_scale;
        double ratio = impulse > 0.0 && velocity > 0.0 ? velocity / impulse : 1.0;
        weight[g] = sqrt(fmin(fmax(ratio, 1.0 / range), range));
    }
}

void crm_newton_step(crm_newton *n) {
    crm_newton_factor(&n->system);
    crm_newton_momentum(&n->system, n->v, n->r, n->rest);
    crm_newton_direction(&n->system, n->rest, n->dv, n->dr, n->du);
    n->iterations++;
}

void crm_newton_set_trial(crm_newton *n, double length) {
    const crm_operator *op = n->system.op;
    for (int i = 0; i < op->row_count; i++) n->trial_r[i] = n->r[i] + length * n->dr[i];
    for (int i = 0; i < op->row_count; i++) n->trial_u[i] = n->u[i] + length * n->du[i];
    n->trial_length = length;
}

void crm_newton_take_trial(crm_newton *n) {
    double *r = n->r;
    n->r = n->trial_r, n->trial_r = r;
    for (int i = 0; i < n->system.op->velocity_count; i++) n->v[i] += n->trial_length * n->dv[i];
    crm_newton_relative(&n->system, n->v, n->r, n->u); // anew, so that no rounding adds up
}

double crm_newton_map_square(const crm_newton_system *s, const double *u, const double *r, double smoothing) {
    double sum = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        double value[CAROM_GROUP_ROWS];
        crm_natural_map(&s->law[g], u + s->op->row_start[g], r + s->op->row_start[g], smoothing, value);
        for (int i = 0; i < s->law[g].rows; i++) sum += value[i] * value[i];
    }
    return sum;
}
