// SPDX-License-Identifier: MIT
// Nonsmooth Gauss-Seidel: group after group is solved for its own law, with all others held (group_sweep.h). Cheap per
// sweep and slow to converge: hopeless for high mass ratios, good for a start (docs/solvers.md).
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "solve/residual.h"
#include "solve/solver_state.h"
#include "solve/sweeps/group_sweep.h"

static const int default_sweeps = 10000;
// The residual costs about two sweeps. It is evaluated at least this often, also to keep the best and to remove the
// rounding that v collects, ...
static const int evaluate_every = 50;
// ... and, between, when a sweep moves no group by more than this share of the tolerance, but not at once again.
static const double small_change = 0.5;
static const int evaluate_apart = 5;

carom_status crm_gauss_seidel(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                              double *impulse, crm_stage *stage, carom_error *error) {
    crm_sweep s;
    carom_status status = crm_sweep_prepare(op, arena, impulse, &s, error);
    if (status != CAROM_OK) return status;
    size_t bytes = sizeof(double) * (size_t)op->row_count;
    double *work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    double *u = CRM_ARENA_ARRAY(arena, double, op->row_count), *best = CRM_ARENA_ARRAY(arena, double, op->row_count);
    if (work == NULL || u == NULL || best == NULL) return crm_fail_memory(error, "Gauss-Seidel", bytes);

    double price = CRM_SWEEP_WORK * op->group_count;
    int limit = options->iterations > 0 ? options->iterations : default_sweeps, done = 0;
    if (limit * price > options->work) limit = (int)(options->work / price);
    stage->residual.residual = INFINITY;
    for (;; done++) {
        carom_residual_report report;
        crm_residual_of(op, options->velocity_scale, impulse, work, u, &report);
        if (done == 0 || report.residual < stage->residual.residual) {
            stage->residual = report;
            memcpy(best, impulse, bytes);
        }
        if (report.residual <= fmax(options->tolerance, report.floor) || done >= limit ||
            crm_interrupted(&options->interrupt))
            break;
        crm_sweep_refresh(&s);

        double scale = options->velocity_scale;
        for (int g = 0; g < op->group_count; g++) {
            for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++)
                scale = fmax(scale, fmax(fabs(op->q[i]), op->scale[g] * fabs(impulse[i])));
        }
        int apart = done > 0 ? evaluate_apart : 0, evaluated_at = done;
        while (done + 1 < limit) { // all but the last of the sweeps before the next evaluation
            double change = crm_sweep_once(&s);
            done++;
            if (done - evaluated_at >= evaluate_every) break;
            if (change <= small_change * options->tolerance * scale && done - evaluated_at >= apart) break;
        }
        crm_sweep_once(&s);
    }
    memcpy(impulse, best, bytes);
    stage->iterations = done;
    stage->work = done * price;
    stage->outcome = crm_residual_outcome(&stage->residual, options->tolerance);
    return CAROM_OK;
}
