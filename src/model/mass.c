// SPDX-License-Identifier: MIT
// Closed forms for solids of uniform density.
#include "carom/mass.h"

#include <math.h>

#include "base/fail.h"
#include "math/mat3.h"

static const double pi = 3.14159265358979323846;

static carom_status check_positive(const char *what, double value, const char *unit, carom_error *error) {
    if (value > 0.0 && isfinite(value)) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_BAD_INPUT, "%s is %g %s, must be positive and finite", what, value, unit);
}

static carom_status check_sizes(const char *what, carom_vec3 sizes, double density, carom_error *error) {
    carom_status status = check_positive("density", density, "kg/m^3", error);
    for (int i = 0; i < 3 && status == CAROM_OK; i++)
        status = check_positive(what, crm_component(sizes, i), "m", error);
    return status;
}

// Principal moments from the second moments of the mass along the axes.
static carom_mat3 from_second_moments(double xx, double yy, double zz) {
    return crm_mat3_diagonal(crm_vec3(yy + zz, xx + zz, xx + yy));
}

carom_status carom_mass_of_ellipsoid(carom_vec3 a, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("half-axis", a, density, error);
    if (status != CAROM_OK) return status;
    out->volume = 4.0 / 3.0 * pi * a.x * a.y * a.z;
    out->mass = density * out->volume;
    double fifth = out->mass / 5.0;
    out->inertia = from_second_moments(fifth * a.x * a.x, fifth * a.y * a.y, fifth * a.z * a.z);
    return CAROM_OK;
}

carom_status carom_mass_of_box(carom_vec3 edges, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("edge", edges, density, error);
    if (status != CAROM_OK) return status;
    out->volume = edges.x * edges.y * edges.z;
    out->mass = density * out->volume;
    double twelfth = out->mass / 12.0;
    out->inertia =
        from_second_moments(twelfth * edges.x * edges.x, twelfth * edges.y * edges.y, twelfth * edges.z * edges.z);
    return CAROM_OK;
}

carom_status carom_mass_of_capsule(double radius, double length, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("radius or length", crm_vec3(radius, length, radius), density, error);
    if (status != CAROM_OK) return status;
    double square = radius * radius;
    double cylinder = density * pi * square * length, balls = density * 4.0 / 3.0 * pi * square * radius;
    out->volume = pi * square * (length + 4.0 / 3.0 * radius);
    out->mass = cylinder + balls;
    // Second moments. Across: r^2/4 for the cylinder, r^2/5 for the balls. Along: a half ball has r^2/5 about its flat
    // face, where its centre stands 3r/8 away, hence r^2/5 + (L/2)^2 + 2 (3r/8)(L/2) about the middle.
    double across = cylinder * square / 4.0 + balls * square / 5.0;
    double along = cylinder * length * length / 12.0 +
                   balls * (square / 5.0 + length * length / 4.0 + 3.0 / 8.0 * radius * length);
    out->inertia = from_second_moments(across, across, along);
    return CAROM_OK;
}
