// SPDX-License-Identifier: MIT
// One pair in the terms of ellipsoid_newton_body.h, and back.
#ifndef CRM_DISTANCE_ELLIPSOID_ONE_H
#define CRM_DISTANCE_ELLIPSOID_ONE_H

#include "distance/ellipsoid.h"
#include "math/lanes_one.h"

#include "distance/ellipsoid_newton_body.h"

static inline vec vec_of(carom_vec3 v) {
    return (vec){v.x, v.y, v.z};
}

static inline carom_vec3 vec3_of(vec v) {
    return crm_vec3(v.x, v.y, v.z);
}

static inline couple couple_of(const crm_ellipsoid *a, const crm_ellipsoid *b) {
    solid first = solid_of(vec_of(a->axes.x), vec_of(a->axes.y), vec_of(a->axes.z), vec_of(a->half_axes));
    solid second = solid_of(vec_of(b->axes.x), vec_of(b->axes.y), vec_of(b->axes.z), vec_of(b->half_axes));
    return couple_of_solids(first, second, vec_of(crm_sub(b->centre, a->centre)));
}

static inline crm_ellipsoid_witness witness_of(const crm_ellipsoid *a, const crm_ellipsoid *b, const found *f) {
    return (crm_ellipsoid_witness){.gap = f->psi,
                                   .normal = vec3_of(f->n),
                                   .point_a = crm_add(a->centre, vec3_of(f->p_a)),
                                   .point_b = crm_sub(b->centre, vec3_of(f->p_b)),
                                   .normal_unique = true,
                                   .global = true,
                                   .accuracy = f->accuracy};
}

#endif
