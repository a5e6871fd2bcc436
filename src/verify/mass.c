// SPDX-License-Identifier: MIT
// Reference mass properties. The library gives them about the shape's own centre and axes; here they are carried to
// the world, as the file has them.
#include "carom/mass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "verify/judge.h"

static double largest(carom_mat3 a) {
    double x = crm_max_component(crm_vec3_abs(a.x)), y = crm_max_component(crm_vec3_abs(a.y));
    return fmax(fmax(x, y), crm_max_component(crm_vec3_abs(a.z)));
}

static void compare_number(crm_judgement *judgement, const char *quantity, double tolerance, double got,
                           double wanted) {
    crm_judge(judgement, got == wanted ? 0.0 : fabs(got - wanted) / fabs(wanted), tolerance, "%s", quantity);
}

// Relative to the largest entry, as the file asks.
static void compare_mat3(crm_judgement *judgement, const char *quantity, double tolerance, carom_mat3 got,
                         carom_mat3 wanted) {
    double error = largest(crm_mat3_sub(got, wanted)) / largest(wanted);
    crm_judge(judgement, isfinite(crm_mat3_norm(got)) ? error : INFINITY, tolerance, "%s", quantity);
}

static carom_vec3 ascending(carom_vec3 v) {
    double low = fmin(v.x, fmin(v.y, v.z)), high = fmax(v.x, fmax(v.y, v.z));
    return crm_vec3(low, fmax(fmin(v.x, v.y), fmin(fmax(v.x, v.y), v.z)), high);
}

static void verify_ellipsoid(crm_reference *r, const crm_case *what, double tolerance, crm_judgement *judgement) {
    carom_vec3 centre = crm_reference_vec3(r, what->input, "input", "centre");
    carom_vec3 axes = crm_reference_vec3(r, what->input, "input", "semi_axes");
    carom_quat q = crm_reference_quat(r, what->input, "input", "q");
    double mass = crm_reference_number(r, what->input, "input", "mass");
    double wanted_volume = crm_reference_number(r, what->expected, "expected", "volume");
    double wanted_mass = crm_reference_number(r, what->expected, "expected", "mass");
    carom_mat3 wanted_com = crm_reference_mat3(r, what->expected, "expected", "inertia_com");
    carom_mat3 wanted_origin = crm_reference_mat3(r, what->expected, "expected", "inertia_origin");
    carom_vec3 wanted_moments = crm_reference_vec3(r, what->expected, "expected", "principal_moments");
    if (r->status != CAROM_OK) return;

    // The file gives the mass, the library wants the density: its own volume tells it.
    carom_mass got;
    carom_error error;
    carom_status status = carom_mass_of_ellipsoid(axes, 1.0, &got, &error);
    if (status == CAROM_OK) status = carom_mass_of_ellipsoid(axes, mass / got.volume, &got, &error);
    if (status != CAROM_OK) {
        crm_reference_refuse(r, &error);
        return;
    }
    carom_mat3 com = crm_congruence(crm_quat_to_mat3(q), got.inertia);
    // Steiner: I + m (|c|^2 - c c^T)
    carom_mat3 shift =
        crm_mat3_sub(crm_mat3_scale(crm_length_squared(centre), crm_mat3_identity()), crm_outer(centre, centre));
    carom_vec3 moments = ascending(crm_vec3(got.inertia.x.x, got.inertia.y.y, got.inertia.z.z));
    compare_number(judgement, "volume", tolerance, got.volume, wanted_volume);
    compare_number(judgement, "mass", tolerance, got.mass, wanted_mass);
    compare_mat3(judgement, "inertia_com", tolerance, com, wanted_com);
    compare_mat3(judgement, "inertia_origin", tolerance, crm_mat3_add(com, crm_mat3_scale(got.mass, shift)),
                 wanted_origin);
    compare_mat3(judgement, "principal_moments", tolerance, crm_mat3_diagonal(moments),
                 crm_mat3_diagonal(wanted_moments));
}

void crm_verify_mass(crm_reference *reference, const crm_case *what, crm_judgement *judgement) {
    const char *kind = crm_reference_text(reference, what->input, "input", "kind");
    if (strcmp(kind, "ellipsoid") != 0) {
        // "polyhedron:cube" is a polyhedron.
        snprintf(judgement->unsupported, sizeof judgement->unsupported, "%.*s", (int)strcspn(kind, ":"), kind);
        return;
    }
    double tolerance = crm_reference_positive(reference, what->tolerance, "tolerance", "all");
    if (reference->status == CAROM_OK) verify_ellipsoid(reference, what, tolerance, judgement);
}
