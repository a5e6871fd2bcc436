// SPDX-License-Identifier: MIT
// Closed forms for solids of uniform density.
#include "carom/mass.h"

#include <math.h>

#include "base/fail.h"
#include "math/eigen3.h"
#include "shape/solids.h"

static const double pi = 3.14159265358979323846;

// A solid about its own centre, from its volume and the second moments per volume along its axes.
static carom_mass from_second_moments(double volume, double xx, double yy, double zz) {
    return (carom_mass){.volume = volume,
                        .mass = volume,
                        .inertia = crm_mat3_diagonal(crm_scale(volume, crm_vec3(yy + zz, xx + zz, xx + yy)))};
}

carom_mass crm_solid_ellipsoid(carom_vec3 a) {
    return from_second_moments(4.0 / 3.0 * pi * a.x * a.y * a.z, a.x * a.x / 5.0, a.y * a.y / 5.0, a.z * a.z / 5.0);
}

carom_mass crm_solid_box(carom_vec3 e) {
    return from_second_moments(e.x * e.y * e.z, e.x * e.x / 12.0, e.y * e.y / 12.0, e.z * e.z / 12.0);
}

carom_mass crm_solid_capsule(double radius, double length) {
    // Shares of the volume: pi r^2 L of the cylinder, 4/3 pi r^3 of the two half balls.
    double square = radius * radius, whole = length + 4.0 / 3.0 * radius;
    double cylinder = length / whole, balls = 4.0 / 3.0 * radius / whole;
    // Second moments. Across: r^2/4 for the cylinder, r^2/5 for the balls. Along: a half ball has r^2/5 about its flat
    // face, where its centre stands 3r/8 away, hence r^2/5 + (L/2)^2 + 2 (3r/8)(L/2) about the middle.
    double across = cylinder * square / 4.0 + balls * square / 5.0;
    double along = cylinder * length * length / 12.0 +
                   balls * (square / 5.0 + length * length / 4.0 + 3.0 / 8.0 * radius * length);
    return from_second_moments(pi * square * whole, across, across, along);
}

carom_mass crm_mass_at_density(const carom_mass *unit, double density) {
    return (carom_mass){.volume = unit->volume,
                        .mass = density * unit->mass,
                        .centre = unit->centre,
                        .inertia = crm_mat3_scale(density, unit->inertia)};
}

// ---- the public forms

static carom_status check_positive(const char *what, double value, const char *unit, carom_error *error) {
    if (value > 0.0 && isfinite(value)) return CAROM_OK;
    return crm_refuse(error, "%s is %g %s, must be positive and finite", what, value, unit);
}

static carom_status check_sizes(const char *what, carom_vec3 sizes, double density, carom_error *error) {
    carom_status status = check_positive("density", density, "kg/m^3", error);
    for (int i = 0; i < 3 && status == CAROM_OK; i++)
        status = check_positive(what, crm_component(sizes, i), "m", error);
    return status;
}

static carom_status give(carom_mass unit, double density, carom_mass *out) {
    *out = crm_mass_at_density(&unit, density);
    return CAROM_OK;
}

carom_status carom_mass_of_ellipsoid(carom_vec3 a, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("half-axis", a, density, error);
    return status == CAROM_OK ? give(crm_solid_ellipsoid(a), density, out) : status;
}

carom_status carom_mass_of_box(carom_vec3 size, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("size", size, density, error);
    return status == CAROM_OK ? give(crm_solid_box(size), density, out) : status;
}

carom_status carom_mass_of_capsule(double radius, double length, double density, carom_mass *out, carom_error *error) {
    carom_status status = check_sizes("radius or length", crm_vec3(radius, length, radius), density, error);
    return status == CAROM_OK ? give(crm_solid_capsule(radius, length), density, out) : status;
}

carom_status carom_mass_get_principal(const carom_mass *mass, carom_vec3 *moments, carom_mat3 *axes,
                                      carom_error *error) {
    CRM_NEED(mass, error);
    if (crm_eigen3(mass->inertia, moments, axes)) return CAROM_OK;
    return crm_refuse(error, "the inertia is not finite, so it has no principal axes");
}
