// SPDX-License-Identifier: MIT
// Reference frequencies: motions without strain, the lowest frequencies above them, the largest one and the longest
// explicit step at rest.
#include <math.h>

#include "verify/flex/verify_flex.h"

static void compare(crm_reference *r, const crm_case *what, int wanted_count, const double *wanted,
                    const carom_mesh *mesh, crm_arena *arena, crm_verdict *verdict) {
    const double pi = 3.141592653589793;
    int fixed_count, rigid;
    carom_elastic_def elastic = crm_flex_read_elastic(r, what->input);
    const int32_t *fixed =
        crm_flex_read_nodes(r, what->input, "input", "fixed", carom_mesh_node_count(mesh), arena, &fixed_count);
    double largest = crm_reference_positive(r, what->expected, "expected", "largest_frequency");
    double longest = crm_reference_positive(r, what->expected, "expected", "largest_explicit_step"), step;
    double zeros = crm_reference_number(r, what->expected, "expected", "zero_modes");
    double close = crm_flex_tolerance(r, what, "frequencies");
    double step_close = crm_flex_tolerance(r, what, "largest_explicit_step");
    double *got = CRM_ARENA_ARRAY(arena, double, wanted_count);
    carom_error error;
    if (got == NULL) crm_reference_refuse_memory(r, "frequencies of a reference file", 0);
    if (r->status != CAROM_OK) return;
    carom_status status = carom_mesh_modes(mesh, &elastic, fixed_count, fixed, wanted_count, &rigid, got, &error);
    if (status == CAROM_OK)
        status = carom_mesh_stable_step(mesh, &elastic, carom_mesh_nodes(mesh), fixed_count, fixed, &step, &error);
    if (status != CAROM_OK) {
        crm_reference_refuse(r, &error);
        return;
    }
    crm_check_flag(verdict, "zero_modes", rigid == zeros, true);
    for (int i = 0; i < wanted_count; i++)
        crm_check_error(verdict, fabs(got[i] - wanted[i]) / wanted[i], close, "frequency %d", i);
    crm_check_error(verdict, fabs(step - longest) / longest, step_close, "largest_explicit_step");
    crm_check_error(verdict, fabs(1.0 / (pi * step) - largest) / largest, close, "largest_frequency");
}

void crm_verify_flex_modes(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    carom_mesh *mesh = crm_flex_read_mesh(reference, what->input, what->allocator, &arena);
    int count;
    const double *wanted = crm_reference_numbers(reference, what->expected, "expected", "frequencies", &arena, &count);
    // A beam's theory, for comparison: the mesh is too coarse for it to be a measure.
    (void)crm_reference_optional(reference, what->expected, "bernoulli_frequency_z");
    if (reference->status == CAROM_OK) compare(reference, what, count, wanted, mesh, &arena, verdict);
    carom_mesh_destroy(mesh);
    crm_arena_free(&arena);
}
