// SPDX-License-Identifier: MIT
/// @file
/// Mass properties, and those of simple solids of uniform density. Of any shape: carom_shape_get_mass.
#ifndef CAROM_MASS_H
#define CAROM_MASS_H

#include "carom/api.h"
#include "carom/status.h"
#include "carom/types.h"

typedef struct carom_mass {
    double volume;      ///< m^3
    double mass;        ///< kg
    carom_vec3 centre;  ///< Of mass, m.
    carom_mat3 inertia; ///< About the centre of mass, in the axes of the shape, kg m^2.
} carom_mass;

CAROM_BEGIN_C

/// Half-axes in m, density in kg/m^3. Fails with CAROM_ERR_BAD_INPUT unless all are positive and finite.
CAROM_API carom_status carom_mass_of_ellipsoid(carom_vec3 half_axes, double density, carom_mass *out,
                                               carom_error *error);
/// Edge lengths in m.
CAROM_API carom_status carom_mass_of_box(carom_vec3 size, double density, carom_mass *out, carom_error *error);
/// A cylinder of `length` m along z with half balls of `radius` on both ends.
CAROM_API carom_status carom_mass_of_capsule(double radius, double length, double density, carom_mass *out,
                                             carom_error *error);

/// Principal moments, ascending, and the axes that belong to them: inertia = R diag(moments) R^T, R of determinant 1.
/// Equal moments leave their axes open: those of a diagonal inertia are then the shape's own.
CAROM_API carom_status carom_mass_get_principal(const carom_mass *mass, carom_vec3 *moments, carom_mat3 *axes,
                                                carom_error *error);

CAROM_END_C

#endif
