// SPDX-License-Identifier: MIT
// Mass properties at density 1 of solids whose sizes are good. The inertia is about the centre of mass.
#ifndef CRM_SHAPE_SOLIDS_H
#define CRM_SHAPE_SOLIDS_H

#include "carom/mass.h"
#include "shape/polytope/polytope.h"

carom_mass crm_solid_ellipsoid(carom_vec3 half_axes);
carom_mass crm_solid_box(carom_vec3 size);
carom_mass crm_solid_capsule(double radius, double length);
carom_mass crm_solid_polytope(const crm_polytope *polytope);

// Mass and inertia at another density.
carom_mass crm_mass_at_density(const carom_mass *unit, double density);

#endif
