// SPDX-License-Identifier: MIT
// How far impulses are from satisfying the laws.
//
// Per group, with its inverse mass s and w = u~ + mu |u~_t| n (De Saxce; plain u~ for other laws):
//
//     e = r - P(r - w / s)
//
// is an impulse, s |e| a velocity, and both vanish exactly where the law holds. Two norms of all e are taken, because
// light bodies vanish from the energy norm and a few bad contacts among thousands dominate the other.
#include "solve/residual.h"

#include <float.h>
#include <math.h>

#include "math/dense/dense.h"
#include "solve/cone.h"

// A residual within this factor of the estimated rounding is at the floor: the estimate is a sum of magnitudes, what
// happens is a sum of signed errors or, over many products in a row, a few times more.
static const double floor_factor = 4.0;
// A floor above this comes from impulses that ran away (of a problem without a solution), not from its rounding: then
// a residual of any size means nothing.
static const double highest_floor = 1e-4;

int crm_residual_work(const crm_operator *op) {
    return crm_operator_work(op) + op->row_count;
}

static double larger(double a, double b) {
    return b <= a ? a : b; // b when it is NaN
}

static crm_residual_sums nothing(void) {
    return (crm_residual_sums){.worst = -1.0, .worst_group = -1};
}

double crm_residual_of_group(const crm_operator *op, int g, const double *r, const double *u) {
    const carom_row_group *group = &op->groups[g];
    int rows = group->rows, first = op->row_start[g];
    double s = op->scale[g], w[CAROM_GROUP_ROWS] = {0.0}, e[CAROM_GROUP_ROWS], moved[CAROM_GROUP_ROWS];
    for (int i = 0; i < rows; i++) w[i] = u[first + i] + op->compliance[first + i] * r[first + i];
    crm_law_velocity(group, w, w);
    for (int i = 0; i < rows; i++) moved[i] = r[first + i] - w[i] / s;
    crm_law_project(group, moved, e);
    for (int i = 0; i < rows; i++) e[i] = r[first + i] - e[i];
    return s * crm_dense_norm2(rows, e);
}

// `terms` as crm_operator_magnitude makes them, or NULL when the rounding is not wanted.
static void gather(const crm_operator *op, double velocity_scale, const double *r, const double *u, const double *terms,
                   crm_residual_sums *sums) {
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows, first = op->row_start[g];
        double s = op->scale[g], wrong = crm_residual_of_group(op, g, r, u);
        double impulse = s * crm_dense_norm2(rows, r + first);
        double free = crm_dense_norm2(rows, op->q + first);
        double lost = terms != NULL ? DBL_EPSILON * (impulse + crm_dense_norm2(rows, terms + first)) : 0.0;
        if (!(wrong <= sums->worst)) {
            sums->worst = wrong;
            sums->worst_group = op->group_of[g];
        }
        sums->scale = larger(larger(sums->scale, free), impulse);
        sums->rounding = larger(sums->rounding, lost);
        sums->energy += wrong * wrong / s;
        sums->energy_impulse += impulse * impulse / s;
        sums->energy_scale += (free * free + velocity_scale * velocity_scale) / s;
        sums->energy_rounding += lost * lost / s;
    }
}

carom_residual_report crm_residual_conclude(const crm_residual_sums *sums, double velocity_scale) {
    double scale = larger(velocity_scale, sums->scale);
    carom_residual_report out = {.worst_group = sums->worst_group, .scale = scale};
    // Self-stress alone, without any free velocity, is measured by itself.
    double energy_scale = sums->energy_scale == 0.0 ? sums->energy_impulse : sums->energy_scale;
    out.velocity = sums->worst > 0.0 ? sums->worst / scale : 0.0;
    out.energy = sums->energy > 0.0 ? sqrt(sums->energy / energy_scale) : 0.0;
    out.floor = sums->rounding > 0.0 ? larger(sums->rounding / scale, sqrt(sums->energy_rounding / energy_scale)) : 0.0;
    if (!(isfinite(sums->worst) && isfinite(sums->energy) && isfinite(scale))) out.velocity = out.energy = INFINITY;
    out.residual = larger(out.velocity, out.energy);
    return out;
}

void crm_residual_of(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                     carom_residual_report *out) {
    crm_residual_sums sums = nothing();
    double *terms = work + crm_operator_work(op);
    crm_operator_magnitude(op, r, work, terms);
    crm_operator_relative(op, r, work, u);
    gather(op, velocity_scale, r, u, terms, &sums);
    *out = crm_residual_conclude(&sums, velocity_scale);
}

void crm_residual_without_floor(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                                carom_residual_report *out) {
    crm_residual_sums sums = nothing();
    crm_operator_relative(op, r, work, u);
    gather(op, velocity_scale, r, u, NULL, &sums);
    *out = crm_residual_conclude(&sums, velocity_scale);
}

carom_solve_outcome crm_residual_outcome(const carom_residual_report *report, double tolerance) {
    if (!(report->floor <= highest_floor)) return CAROM_SOLVE_OUTCOME_NOT_MET;
    if (report->residual <= tolerance) return CAROM_SOLVE_OUTCOME_MET;
    return report->residual <= floor_factor * report->floor ? CAROM_SOLVE_OUTCOME_AT_FLOOR
                                                            : CAROM_SOLVE_OUTCOME_NOT_MET;
}
