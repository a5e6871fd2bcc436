// SPDX-License-Identifier: MIT
// Mass, centre and inertia of a body that a solid of uniform density fills, without the roundings of what is zero: a
// principal frame that is not rotated then rounds no poses. Scenes and models have the same body to the bit by it.
#ifndef CRM_MATH_SOLID_H
#define CRM_MATH_SOLID_H

#include <math.h>

#include "carom/mass.h"
#include "math/mat3.h"
#include "math/vec3.h"

// A share of the size of the whole below which a number is rounding.
#define CRM_SOLID_ROUNDING 1e-15

static inline double crm_solid_without_rounding(double x, double scale) {
    return fabs(x) <= CRM_SOLID_ROUNDING * scale ? 0.0 : x;
}

// `unit` is the solid at density 1, `extent` how far it is from its frame's origin at most, m.
static inline carom_vec3 crm_solid_centre(const carom_mass *unit, double extent) {
    return crm_vec3(crm_solid_without_rounding(unit->centre.x, extent),
                    crm_solid_without_rounding(unit->centre.y, extent),
                    crm_solid_without_rounding(unit->centre.z, extent));
}

// About the centre of mass, for a body of this mass.
static inline carom_mat3 crm_solid_inertia(const carom_mass *unit, double mass) {
    carom_mat3 m = crm_mat3_scale(mass / unit->mass, unit->inertia);
    double size = crm_mat3_trace(m);
    m.x.y = m.y.x = crm_solid_without_rounding(m.x.y, size);
    m.x.z = m.z.x = crm_solid_without_rounding(m.x.z, size);
    m.y.z = m.z.y = crm_solid_without_rounding(m.y.z, size);
    return m;
}

#endif
