// SPDX-License-Identifier: MIT
// One pair in the terms of ellipsoid_newton_body.h, and back.
#ifndef CRM_DISTANCE_ELLIPSOID_ONE_H
#define CRM_DISTANCE_ELLIPSOID_ONE_H

#include "distance/ellipsoid/ellipsoid.h"
#include "math/simd/lanes_one.h"

#include "distance/ellipsoid/ellipsoid_newton_body.h"

static inline vec vec_of(carom_vec3 v) {
    return (vec){v.x, v.y, v.z};
}

static inline carom_vec3 vec3_of(vec v) {
    return crm_vec3(v.x, v.y, v.z);
}

static inline void set_solid_of(const crm_ellipsoid *e, solid *out) {
    set_solid(vec_of(e->axes.x), vec_of(e->axes.y), vec_of(e->axes.z), vec_of(e->half_axes), out);
}

static inline void set_couple_of(const crm_ellipsoid *a, const crm_ellipsoid *b, couple *out) {
    set_solid_of(a, &out->a);
    set_solid_of(b, &out->b);
    set_couple(vec_of(crm_sub(b->centre, a->centre)), out);
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
