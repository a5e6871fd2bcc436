// SPDX-License-Identifier: MIT
// Lemke's method and min-map Newton behind the solvers' interface: the problem becomes a dense one with pyramids in
// place of cones (pyramid.h).
//
// Planar cones are pyramids, so these are solved exactly; of a spatial cone the answer is that of the pyramid inside
// it, and the residual, which knows round cones only, shows the difference.
#include <stdio.h>

#include "base/fail.h"
#include "solve/dense/dense_lcp.h"
#include "solve/dense/pyramid.h"
#include "solve/residual.h"
#include "solve/solver_state.h"

// A pivot touches the whole matrix, and there are about as many as unknowns.
enum { MOST_UNKNOWNS = 1000 };

// The pyramid's own residual is relative to q, the contact problem's to velocities: some digits lie between.
static const double share_of_tolerance = 1e-3, least_tolerance = 1e-13;

static carom_status build(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                          crm_pyramid *pyramid, carom_error *error) {
    long long unknowns = crm_pyramid_size(op->group_count, op->groups, options->pyramid_sides);
    if (unknowns > MOST_UNKNOWNS)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "an island of %d groups has %lld unknowns with pyramids of %d sides, and the solver '%s' takes "
                        "%d: use 'auto'",
                        op->group_count, unknowns, options->pyramid_sides, carom_solver_name(options->solver),
                        MOST_UNKNOWNS);
    crm_csr w;
    carom_status status = crm_operator_form_delassus(op, arena, &w, error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < op->row_count; i++) w.values[i * (op->row_count + 1)] += op->compliance[i];
    return crm_pyramid_build(op->group_count, op->groups, w.values, op->q, options->pyramid_sides, arena, pyramid,
                             error);
}

carom_status crm_solve_pyramids(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                double *impulse, crm_stage *stage, carom_error *error) {
    crm_pyramid pyramid;
    carom_status status = build(op, options, arena, &pyramid, error);
    if (status != CAROM_OK) return status;
    double *z = CRM_ARENA_ARRAY(arena, double, pyramid.lcp.size), *u = CRM_ARENA_ARRAY(arena, double, op->row_count);
    double *work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    if (z == NULL || u == NULL || work == NULL) return crm_fail_memory(error, "pyramids", 0);
    carom_allocator hook = crm_arena_allocator(arena);
    carom_dense_lcp_report report;
    double tolerance = share_of_tolerance * options->tolerance;
    if (tolerance < least_tolerance) tolerance = least_tolerance;
    status = crm_dense_lcp_solve(&pyramid.lcp, options->solver, tolerance, options->interrupt, &hook, z, NULL, &report,
                                 error);
    if (status != CAROM_OK) return status;
    crm_pyramid_impulse(&pyramid, z, impulse);
    crm_residual_of(op, options->velocity_scale, impulse, work, u, &stage->residual);
    stage->outcome = crm_residual_outcome(&stage->residual, options->tolerance);
    stage->pyramids = report.relative;
    stage->iterations = report.pivots + report.steps + report.cases;
    snprintf(stage->tried, sizeof stage->tried, "%s: pyramids of %d sides %s to %.0e, round cones met to %.0e",
             carom_solver_name(options->solver), options->pyramid_sides, carom_dense_lcp_outcome_name(report.outcome),
             report.relative, stage->residual.residual);
    return CAROM_OK;
}
