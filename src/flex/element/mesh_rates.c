// SPDX-License-Identifier: MIT
// carom_mesh_stable_step and carom_mesh_modes: the largest natural rate and the lowest.
#include <math.h>

#include "base/fail.h"
#include "flex/element/element_modes.h"
#include "flex/element/mesh_elastic.h"

// Of the square of the rate; the step's is half of it.
static const double rate_accuracy = 1e-9;

static carom_status find_step(crm_mesh_elastic *open, int fixed_count, const int32_t *fixed, double *step,
                              carom_error *error) {
    bool *held;
    double rate;
    carom_status status = crm_mesh_elastic_held(open, fixed_count, fixed, &held, error);
    if (status == CAROM_OK) status = crm_mesh_elastic_whole(open, error);
    if (status == CAROM_OK)
        status =
            crm_elastic_largest_rate(open->elastic, open->position, held, rate_accuracy, &open->arena, &rate, error);
    if (status == CAROM_OK) *step = rate > 0.0 ? 2.0 / rate : INFINITY;
    return status;
}

carom_status carom_mesh_stable_step(const carom_mesh *mesh, const carom_elastic_def *elastic,
                                    const carom_vec3 *positions, int fixed_count, const int32_t *fixed, double *step,
                                    carom_error *error) {
    CRM_NEED(mesh, error);
    CRM_NEED(positions, error);
    CRM_NEED(step, error);
    crm_mesh_elastic open;
    carom_status status = crm_mesh_elastic_open(mesh, elastic, positions, &open, error);
    if (status != CAROM_OK) return status;
    status = find_step(&open, fixed_count, fixed, step, error);
    crm_mesh_elastic_close(&open);
    return status;
}

static carom_status find_modes(crm_mesh_elastic *open, int fixed_count, const int32_t *fixed, int count, int *rigid,
                               double *frequencies, carom_error *error) {
    static const double two_pi = 6.283185307179586;
    bool *held;
    carom_status status = crm_mesh_elastic_held(open, fixed_count, fixed, &held, error);
    if (status == CAROM_OK)
        status = crm_elastic_modes(open->elastic, open->position, held, count, &open->arena, rigid, frequencies, error);
    for (int i = 0; status == CAROM_OK && i < count; i++) frequencies[i] /= two_pi;
    return status;
}

carom_status carom_mesh_modes(const carom_mesh *mesh, const carom_elastic_def *elastic, int fixed_count,
                              const int32_t *fixed, int count, int *rigid, double *frequencies, carom_error *error) {
    CRM_NEED(mesh, error);
    CRM_NEED(rigid, error);
    if (count < 0) return crm_refuse(error, "count is %d, must not be negative", count);
    if (count > 0) CRM_NEED(frequencies, error);
    crm_mesh_elastic open;
    carom_status status = crm_mesh_elastic_open(mesh, elastic, mesh->node, &open, error);
    if (status != CAROM_OK) return status;
    status = find_modes(&open, fixed_count, fixed, count, rigid, frequencies, error);
    crm_mesh_elastic_close(&open);
    return status;
}
