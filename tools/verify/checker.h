// SPDX-License-Identifier: MIT
// The verdict on one case of a reference file, and the sets of cases there are.
#ifndef VERIFY_CHECKER_H
#define VERIFY_CHECKER_H

#include <stdbool.h>

#include "carom/allocator.h"
#include "math/vec3.h"
#include "verify/reference_file.h"

// A case starts from zeros. Errors that are no number count as infinite.
typedef struct crm_verdict {
    char unsupported[64]; // name of what is not supported; empty when the case was run
    char quantity[64];    // the one that came closest to its tolerance, or exceeded it most
    double error, tolerance;
    const char *by;     // the method that is checked at present, where several are; NULL otherwise
    char obstacle[256]; // why there is nothing to compare; empty otherwise
} crm_verdict;

void crm_check_error(crm_verdict *verdict, double error, double tolerance, const char *quantity, ...)
    CAROM_PRINTF_LIKE(4, 5);

// The largest component of got - wanted.
void crm_check_vec3(crm_verdict *verdict, double tolerance, const char *quantity, carom_vec3 got, carom_vec3 wanted);

// A truth value that must be the file's.
void crm_check_flag(crm_verdict *verdict, const char *quantity, bool got, bool wanted);

// No result to compare: an infinite error, with a sentence.
void crm_check_obstacle(crm_verdict *verdict, double tolerance, const char *quantity, const char *sentence);

bool crm_verdict_passed(const crm_verdict *verdict);

// One case as the file gives it. `tolerance` is the file's object of tolerances.
typedef struct crm_case {
    const json_t *input, *expected, *tolerance;
    const carom_allocator *allocator;
} crm_case;

typedef void crm_case_function(crm_reference *reference, const crm_case *what, crm_verdict *verdict);

crm_case_function crm_verify_dynamics, crm_verify_mass, crm_verify_ssh, crm_verify_ratio_metric;
crm_case_function crm_verify_ellipsoid_ellipsoid, crm_verify_ellipsoid_plane, crm_verify_ellipsoid_in_sphere;
crm_case_function crm_verify_lcp, crm_verify_lcp_contact, crm_verify_impulse;
crm_case_function crm_verify_flex_element, crm_verify_flex_modes, crm_verify_flex_newmark, crm_verify_flex_implicit;
crm_case_function crm_verify_flex_ssh, crm_verify_flex_patch, crm_verify_flex_static;
crm_case_function crm_verify_flex_hertz, crm_verify_flex_bar;
crm_case_function crm_verify_control_lq, crm_verify_control_spin, crm_verify_control_attitude;
crm_case_function crm_verify_control_pendulum, crm_verify_control_del;
crm_case_function crm_verify_control_avoid, crm_verify_control_bounce;

#endif
