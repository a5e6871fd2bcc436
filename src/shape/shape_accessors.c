// SPDX-License-Identifier: MIT
// What users ask of a shape.
#include <math.h>

#include "base/fail.h"
#include "shape/shape.h"
#include "shape/solids.h"
#include "shape/support/support.h"

carom_shape_kind carom_shape_get_kind(const carom_shape *shape) {
    return shape->kind;
}

void carom_shape_get_def(const carom_shape *shape, carom_shape_def *out) {
    *out = carom_shape_def_default(shape->kind);
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        out->sphere.radius = shape->radius;
        break;
    case CAROM_SHAPE_ELLIPSOID:
        out->ellipsoid.half_axes = shape->half_axes;
        break;
    case CAROM_SHAPE_BOX:
        out->box.size = crm_scale(2.0, shape->half_axes);
        break;
    case CAROM_SHAPE_CAPSULE:
        out->capsule = (carom_capsule_def){.radius = shape->radius, .length = 2.0 * shape->half_length};
        break;
    case CAROM_SHAPE_POLYTOPE:
        out->polytope.vertex_count = shape->polytope.vertex_count;
        out->polytope.vertices = shape->polytope.vertex;
        out->polytope.centre = shape->centre_choice;
        break;
    case CAROM_SHAPE_HALF_SPACE:
        out->half_space = (carom_half_space){shape->normal, shape->offset};
        break;
    case CAROM_SHAPE_CONTAINER:
        out->container.radius = shape->radius;
        break;
    default:
        out->compound = (carom_compound_def){shape->part_count, shape->part_def};
        break;
    }
}

carom_vec3 carom_shape_centre(const carom_shape *shape) {
    return shape->centre;
}

double carom_shape_bounding_radius(const carom_shape *shape) {
    return shape->bounding_radius;
}

double carom_shape_in_radius(const carom_shape *shape) {
    return shape->in_radius;
}

carom_status carom_shape_get_mass(const carom_shape *shape, double density, carom_mass *out, carom_error *error) {
    CRM_NEED(shape, error);
    CRM_NEED(out, error);
    if (!(shape->unit.volume > 0.0))
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "a %s has no volume and no mass",
                        carom_shape_kind_name(shape->kind));
    if (!(density > 0.0) || !isfinite(density))
        return crm_refuse(error, "density is %g kg/m^3, must be positive and finite", density);
    *out = crm_mass_at_density(&shape->unit, density);
    return CAROM_OK;
}

carom_status carom_shape_get_support(const carom_shape *shape, carom_vec3 direction, carom_vec3 *point, int *vertex,
                                     carom_error *error) {
    CRM_NEED(shape, error);
    if (!crm_shape_is_convex(shape->kind))
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "a %s has no farthest point; only convex bounded shapes do",
                        carom_shape_kind_name(shape->kind));
    carom_vec3 unit;
    if (crm_normalise(direction, &unit) == 0.0)
        return crm_refuse(error, "the direction is (%g, %g, %g), must be finite and not zero", direction.x, direction.y,
                          direction.z);
    int found = -1;
    *point = crm_support(shape, unit, &found);
    if (vertex != NULL) *vertex = found;
    return CAROM_OK;
}

// ---- boxes and polytopes

int carom_shape_vertex_count(const carom_shape *shape) {
    return shape->polytope.vertex_count;
}

int carom_shape_edge_count(const carom_shape *shape) {
    return shape->polytope.edge_count;
}

int carom_shape_facet_count(const carom_shape *shape) {
    return shape->polytope.facet_count;
}

const carom_vec3 *carom_shape_vertices(const carom_shape *shape) {
    return shape->polytope.vertex;
}

double carom_shape_flatness(const carom_shape *shape) {
    return shape->polytope.tolerance;
}

static carom_status refuse_number(const carom_shape *shape, const char *what, int number, int count,
                                  carom_error *error) {
    return crm_refuse(error, "this %s has %d %ss, %s %d is not one of them", carom_shape_kind_name(shape->kind), count,
                      what, what, number);
}

carom_status carom_shape_get_edge(const carom_shape *shape, int edge, carom_edge *out, carom_error *error) {
    CRM_NEED(shape, error);
    CRM_NEED(out, error);
    if (edge < 0 || edge >= shape->polytope.edge_count)
        return refuse_number(shape, "edge", edge, shape->polytope.edge_count, error);
    *out = shape->polytope.edge[edge];
    return CAROM_OK;
}

carom_status carom_shape_get_facet(const carom_shape *shape, int facet, carom_facet *out, carom_error *error) {
    CRM_NEED(shape, error);
    CRM_NEED(out, error);
    const crm_polytope *p = &shape->polytope;
    if (facet < 0 || facet >= p->facet_count) return refuse_number(shape, "facet", facet, p->facet_count, error);
    *out = (carom_facet){.normal = p->normal[facet],
                         .offset = p->offset[facet],
                         .vertex_count = p->facet_start[facet + 1] - p->facet_start[facet],
                         .vertices = p->facet_vertex + p->facet_start[facet]};
    return CAROM_OK;
}

const int *carom_shape_input_map(const carom_shape *shape, int *count) {
    if (count != NULL) *count = shape->polytope.input_count;
    return shape->polytope.input;
}

// ---- compounds

int carom_shape_part_count(const carom_shape *shape) {
    return shape->part_count;
}

const carom_shape *carom_shape_part(const carom_shape *shape, int part, carom_pose *pose) {
    if (part < 0 || part >= shape->part_count) return NULL;
    if (pose != NULL) *pose = shape->part[part].pose;
    return shape->part[part].shape;
}
