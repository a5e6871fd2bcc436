// SPDX-License-Identifier: MIT
#include "contact/narrow/separating_axis_cache.h"

#include <math.h>

#include "distance/side.h"
#include "math/quat.h"
#include "shape/support/support.h"

double crm_view_extent(const carom_view *view) {
    const carom_shape *shape = view->shape;
    if (shape == NULL) {
        double square = 0.0;
        for (int i = 0; i < view->vertex_count; i++) square = fmax(square, crm_length_squared(view->vertices[i]));
        return sqrt(square);
    }
    switch (shape->kind) {
    case CAROM_SHAPE_HALF_SPACE:
        return fabs(shape->offset);
    case CAROM_SHAPE_CONTAINER:
        return shape->radius;
    case CAROM_SHAPE_POLYTOPE:
        return shape->bounding_radius + crm_length(shape->centre);
    default: // about the origin
        return shape->bounding_radius;
    }
}

// How far a view extends beyond the position of its pose.
static double view_along(const carom_view *view, carom_vec3 n) {
    carom_vec3 d = crm_quat_rotate_inverse(view->pose.attitude, n);
    const carom_shape *shape = view->shape;
    if (shape == NULL) {
        double farthest = -INFINITY;
        for (int i = 0; i < view->vertex_count; i++) farthest = fmax(farthest, crm_dot(d, view->vertices[i]));
        return farthest;
    }
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return shape->radius;
    case CAROM_SHAPE_CAPSULE:
        return shape->half_length * fabs(d.z) + shape->radius;
    default:
        return crm_dot(d, shape->polytope.vertex[crm_support_vertex(&shape->polytope, d, -1)]);
    }
}

static double extent_along(const crm_item *item, carom_vec3 n) {
    if (item->kind != CAROM_SHAPE_BOX && item->kind != CAROM_SHAPE_ELLIPSOID) return view_along(&item->view, n);
    const crm_posed_box *p = &item->posed;
    carom_vec3 d = crm_vec3(crm_dot(p->axis[0], n), crm_dot(p->axis[1], n), crm_dot(p->axis[2], n));
    return item->kind == CAROM_SHAPE_BOX ? crm_dot(p->half, crm_vec3_abs(d)) : crm_length(crm_vec3_mul(p->half, d));
}

double crm_gap_along(const crm_item *a, const crm_item *b, carom_vec3 n) {
    carom_vec3 between = crm_sub(b->posed.position, a->posed.position);
    return crm_dot(n, between) - extent_along(a, n) - extent_along(b, crm_negate(n));
}

double crm_least_wall_gap(const carom_view *around, carom_vec3 position, double extent) {
    const carom_shape *shape = around->shape;
    carom_vec3 from = crm_sub(position, around->pose.position);
    if (shape->kind == CAROM_SHAPE_CONTAINER) return shape->radius - crm_length(from) - extent;
    return crm_dot(crm_quat_rotate(around->pose.attitude, shape->normal), from) - shape->offset - extent;
}
