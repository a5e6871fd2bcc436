// SPDX-License-Identifier: MIT
// How two polytopes meet, from the vertices with positive weights (docs/math.md 3.7).
#include "carom/features.h"
#include "math/quat.h"
#include "shape/shape.h"

// Sine of the angle of edges that count as parallel. Where edges are exactly parallel the weights are not unique and
// the ones of least norm are in the middle of what the edges share; rounding rotates them by far less than this.
static const double parallel_sine = 1e-6;

static const carom_shape *convex_part(const carom_view *view, const carom_touch *touch) {
    if (view->shape == NULL || view->shape->kind != CAROM_SHAPE_COMPOUND) return view->shape;
    return view->shape->part[touch->part].shape;
}

// 0, 1 or 2: vertex, edge or facet. Bare vertices have no facets whose diagonals two of them could be.
static int dimension_of(const carom_view *view, const carom_touch *touch) {
    int vertices = touch->vertex_count, number;
    if (view->shape == NULL) return vertices < 2 ? 0 : vertices == 2 ? 1 : 2;
    carom_feature_kind kind = carom_touch_feature(view->shape, touch, &number);
    return kind == CAROM_FEATURE_KIND_FACET ? 2 : kind == CAROM_FEATURE_KIND_EDGE ? 1 : 0;
}

// Along the two vertices of a touch, world axes.
static carom_vec3 edge_of(const carom_view *view, const carom_touch *touch) {
    int first = touch->vertices[0], second = touch->vertices[1];
    carom_vec3 along;
    const carom_shape *shape = convex_part(view, touch);
    if (shape == NULL)
        along = crm_sub(view->vertices[second], view->vertices[first]);
    else if (shape->polytope.vertex_count > 0)
        along = crm_sub(shape->polytope.vertex[second], shape->polytope.vertex[first]);
    else
        along = crm_vec3(0.0, 0.0, 1.0); // a capsule's
    if (shape != view->shape) along = crm_quat_rotate(view->shape->part[touch->part].pose.attitude, along);
    return crm_quat_rotate(view->pose.attitude, along);
}

static bool are_parallel(carom_vec3 a, carom_vec3 b) {
    return crm_length_squared(crm_cross(a, b)) <=
           parallel_sine * parallel_sine * crm_length_squared(a) * crm_length_squared(b);
}

carom_collision_type carom_collision_of(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                                        carom_vec3 *point) {
    static const carom_collision_type types[3][3] = {
        {CAROM_COLLISION_VERTEX_VERTEX, CAROM_COLLISION_VERTEX_EDGE, CAROM_COLLISION_VERTEX_FACET},
        {CAROM_COLLISION_VERTEX_EDGE, CAROM_COLLISION_EDGE_EDGE, CAROM_COLLISION_EDGE_FACET},
        {CAROM_COLLISION_VERTEX_FACET, CAROM_COLLISION_EDGE_FACET, CAROM_COLLISION_FACET_FACET},
    };
    if (point != NULL) *point = crm_scale(0.5, crm_add(ray->point_a, ray->point_b));
    carom_collision_type type = types[dimension_of(a, &ray->a)][dimension_of(b, &ray->b)];
    if (type == CAROM_COLLISION_EDGE_EDGE && are_parallel(edge_of(a, &ray->a), edge_of(b, &ray->b)))
        return CAROM_COLLISION_EDGE_EDGE_PARALLEL;
    return type;
}

const char *carom_collision_type_name(carom_collision_type type) {
    static const char *const names[] = {
        "vertex-vertex", "vertex-edge", "vertex-facet", "edge-edge", "edge-edge, parallel", "edge-facet", "facet-facet",
    };
    return (int)type >= 0 && (int)type < (int)(sizeof names / sizeof names[0]) ? names[type] : "?";
}
