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

#include "math/dense.h"
#include "solve/cone.h"

// A residual within this factor of the estimated rounding is at the floor: the estimate is a sum of magnitudes, what
// happens is a sum of signed errors or, over many products in a row, a few times more.
static const double floor_factor = 4.0;
// A floor above this comes from impulses that ran away (of a problem without a solution), not from its rounding.
static const double highest_floor = 1e-4;

int crm_residual_work(const crm_operator *op) {
    return crm_operator_work(op) + op->row_count;
}

static double larger(double a, double b) {
    return b <= a ? a : b; // b when it is NaN
}

// `terms` as crm_operator_magnitude makes them, or NULL for a report without the floor.
static void judge(const crm_operator *op, double velocity_scale, const double *r, const double *u, const double *terms,
                  carom_residual_report *out) {

    double worst = -1.0, rounding = 0.0, scale = velocity_scale; // m/s
    double energy = 0.0, energy_scale = 0.0, energy_rounding = 0.0, energy_impulse = 0.0;
    *out = (carom_residual_report){.worst_group = -1};
    for (int g = 0; g < op->group_count; g++) {
        const carom_group *group = &op->groups[g];
        int rows = group->rows, first = op->row_start[g];
        double s = op->scale[g], w[CAROM_GROUP_ROWS], e[CAROM_GROUP_ROWS], moved[CAROM_GROUP_ROWS];
        for (int i = 0; i < rows; i++) w[i] = u[first + i] + op->compliance[first + i] * r[first + i];
        crm_law_velocity(group, w, w);
        for (int i = 0; i < rows; i++) moved[i] = r[first + i] - w[i] / s;
        crm_law_project(group, moved, e);
        for (int i = 0; i < rows; i++) e[i] = r[first + i] - e[i];

        double wrong = s * crm_dense_norm2(rows, e), impulse = s * crm_dense_norm2(rows, r + first);
        double free = crm_dense_norm2(rows, op->q + first);
        double lost = terms != NULL ? DBL_EPSILON * (impulse + crm_dense_norm2(rows, terms + first)) : 0.0;
        if (!(wrong <= worst)) {
            worst = wrong;
            out->worst_group = op->group_of[g];
        }
        scale = larger(larger(scale, free), impulse);
        rounding = larger(rounding, lost);
        energy += wrong * wrong / s;
        energy_impulse += impulse * impulse / s;
        energy_scale += (free * free + velocity_scale * velocity_scale) / s;
        energy_rounding += lost * lost / s;
    }
    if (energy_scale == 0.0) energy_scale = energy_impulse; // self-stress alone, without any free velocity
    out->velocity = worst > 0.0 ? worst / scale : 0.0;
    out->energy = energy > 0.0 ? sqrt(energy / energy_scale) : 0.0;
    out->floor = rounding > 0.0 ? larger(rounding / scale, sqrt(energy_rounding / energy_scale)) : 0.0;
    if (!(isfinite(worst) && isfinite(energy) && isfinite(scale))) out->velocity = out->energy = INFINITY;
    out->residual = larger(out->velocity, out->energy);
}

void crm_residual_of(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                     carom_residual_report *out) {
    double *terms = work + crm_operator_work(op);
    crm_operator_magnitude(op, r, work, terms);
    crm_operator_relative(op, r, work, u);
    judge(op, velocity_scale, r, u, terms, out);
}

void crm_residual_without_floor(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                                carom_residual_report *out) {
    crm_operator_relative(op, r, work, u);
    judge(op, velocity_scale, r, u, NULL, out);
}

carom_solve_outcome crm_residual_outcome(const carom_residual_report *report, double tolerance) {
    if (report->residual <= tolerance) return CAROM_SOLVE_MET;
    bool at_floor = report->floor <= highest_floor && report->residual <= floor_factor * report->floor;
    return at_floor ? CAROM_SOLVE_AT_FLOOR : CAROM_SOLVE_NOT_MET;
}
