// SPDX-License-Identifier: MIT
#include "shape/support/support.h"

#include <math.h>

#include "math/vec3.h"
#include "shape/shape.h"

int crm_support_vertex(const crm_polytope *p, carom_vec3 d, int start) {
    int least = start >= 0 ? CRM_CLIMB_WARM_FROM : CRM_CLIMB_COLD_FROM;
    return p->vertex_count < least ? crm_support_scan(p, d) : crm_support_climb(p, d, start);
}

// ---- all kinds

carom_vec3 crm_support(const carom_shape *shape, carom_vec3 d, int *vertex) {
    int guess = vertex != NULL ? *vertex : -1;
    if (vertex != NULL) *vertex = -1;
    carom_vec3 unit;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        crm_normalise(d, &unit);
        return crm_scale(shape->radius, unit);
    case CAROM_SHAPE_ELLIPSOID: {
        // Q d / h(d) with Q = A^2, h(d) = |A d|, A = diag(half-axes).
        carom_vec3 stretched = crm_vec3_mul(shape->half_axes, d);
        crm_normalise(stretched, &unit);
        return crm_vec3_mul(shape->half_axes, unit);
    }
    case CAROM_SHAPE_CAPSULE:
        crm_normalise(d, &unit);
        unit = crm_scale(shape->radius, unit);
        unit.z += d.z > 0.0 ? shape->half_length : -shape->half_length;
        return unit;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_POLYTOPE: {
        int found = crm_support_vertex(&shape->polytope, d, guess);
        if (vertex != NULL) *vertex = found;
        return shape->polytope.vertex[found];
    }
    default:
        CRM_ASSERT(!"a convex shape");
        return crm_vec3_zero();
    }
}
