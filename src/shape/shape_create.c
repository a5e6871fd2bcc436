// SPDX-License-Identifier: MIT
// Definitions and their checks; making and unmaking of shapes.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "shape/shape.h"
#include "shape/solids.h"

static const char *const kind_names[CAROM_SHAPE_COUNT] = {
    [CAROM_SHAPE_SPHERE] = "sphere",
    [CAROM_SHAPE_ELLIPSOID] = "ellipsoid",
    [CAROM_SHAPE_BOX] = "box",
    [CAROM_SHAPE_CAPSULE] = "capsule",
    [CAROM_SHAPE_POLYTOPE] = "polytope",
    [CAROM_SHAPE_HALF_SPACE] = "half_space",
    [CAROM_SHAPE_CONTAINER] = "container",
    [CAROM_SHAPE_COMPOUND] = "compound",
};

const char *carom_shape_kind_name(carom_shape_kind kind) {
    return (unsigned)kind < CAROM_SHAPE_COUNT ? kind_names[kind] : "?";
}

carom_shape_def carom_shape_def_default(carom_shape_kind kind) {
    carom_shape_def def = {.struct_size = sizeof def, .kind = kind};
    switch (kind) {
    case CAROM_SHAPE_SPHERE:
        def.sphere.radius = 0.5;
        break;
    case CAROM_SHAPE_ELLIPSOID:
        def.ellipsoid.half_axes = crm_vec3(0.5, 0.5, 0.5);
        break;
    case CAROM_SHAPE_BOX:
        def.box.size = crm_vec3(1.0, 1.0, 1.0);
        break;
    case CAROM_SHAPE_CAPSULE:
        def.capsule = (carom_capsule_def){.radius = 0.25, .length = 0.5};
        break;
    case CAROM_SHAPE_POLYTOPE:
        def.polytope = (carom_polytope_def){.edge = 1.0, .sides = 6, .radius = 0.5, .height = 1.0};
        break;
    case CAROM_SHAPE_HALF_SPACE:
        def.half_space.normal = crm_vec3(0.0, 0.0, 1.0);
        break;
    case CAROM_SHAPE_CONTAINER:
        def.container.radius = 1.0;
        break;
    default:
        def.compound = (carom_compound_def){0};
        break;
    }
    return def;
}

carom_status crm_check_size(const char *prefix, const char *field, double size, carom_error *error) {
    if (size >= CAROM_SHAPE_LEAST_SIZE && size <= CAROM_SHAPE_MOST_SIZE) return CAROM_OK;
    return crm_refuse(error, "%s%s is %g m, must be between %g and %g m", prefix, field, size, CAROM_SHAPE_LEAST_SIZE,
                      CAROM_SHAPE_MOST_SIZE);
}

carom_status crm_check_sizes(const char *prefix, const char *field, carom_vec3 sizes, carom_error *error) {
    double least = fmin(sizes.x, fmin(sizes.y, sizes.z)), most = crm_max_component(sizes);
    for (int i = 0; i < 3; i++) {
        double size = crm_component(sizes, i);
        if (!(size >= CAROM_SHAPE_LEAST_SIZE && size <= CAROM_SHAPE_MOST_SIZE))
            return crm_refuse(error, "%s%s.%c is %g m, must be between %g and %g m", prefix, field, 'x' + i, size,
                              CAROM_SHAPE_LEAST_SIZE, CAROM_SHAPE_MOST_SIZE);
    }
    if (least >= CAROM_SHAPE_LEAST_ASPECT * most) return CAROM_OK;
    return crm_refuse(
        error, "%s%s: the smallest is %g m and the largest %g m; a solid must be at least %g of its extent thick",
        prefix, field, least, most, CAROM_SHAPE_LEAST_ASPECT);
}

// ---- the simple kinds

static carom_status make_sphere(const carom_sphere_def *def, const char *prefix, carom_shape *shape,
                                carom_error *error) {
    shape->radius = shape->bounding_radius = shape->in_radius = def->radius;
    shape->unit = crm_solid_ellipsoid(crm_vec3(def->radius, def->radius, def->radius));
    return crm_check_size(prefix, "sphere.radius", def->radius, error);
}

static carom_status make_ellipsoid(const carom_ellipsoid_def *def, const char *prefix, carom_shape *shape,
                                   carom_error *error) {
    carom_vec3 a = def->half_axes;
    shape->half_axes = a;
    shape->bounding_radius = crm_max_component(a);
    shape->in_radius = fmin(a.x, fmin(a.y, a.z));
    shape->unit = crm_solid_ellipsoid(a);
    return crm_check_sizes(prefix, "ellipsoid.half_axes", a, error);
}

static carom_status make_capsule(const carom_capsule_def *def, const char *prefix, carom_shape *shape,
                                 carom_error *error) {
    shape->radius = shape->in_radius = def->radius;
    shape->half_length = 0.5 * def->length;
    shape->bounding_radius = shape->half_length + def->radius;
    shape->unit = crm_solid_capsule(def->radius, def->length);
    carom_status status = crm_check_size(prefix, "capsule.radius", def->radius, error);
    if (status == CAROM_OK) status = crm_check_size(prefix, "capsule.length", def->length, error);
    if (status != CAROM_OK || def->radius >= CAROM_SHAPE_LEAST_ASPECT * def->length) return status;
    return crm_refuse(error, "%scapsule.radius is %g m, must be at least %g of the length, %g m", prefix, def->radius,
                      CAROM_SHAPE_LEAST_ASPECT, def->length);
}

// A box is a polytope whose corners have the bits of their number as signs: x, y, z from the lowest on.
static carom_status make_box(const carom_box_def *def, const char *prefix, crm_arena *scratch, carom_shape *shape,
                             carom_error *error) {
    carom_status status = crm_check_sizes(prefix, "box.size", def->size, error);
    if (status != CAROM_OK) return status;
    carom_vec3 half = crm_scale(0.5, def->size), corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = crm_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    // The edges have been checked; half of the least aspect leaves room for rounding.
    status = crm_polytope_of_points(8, corner, 0.5 * CAROM_SHAPE_LEAST_ASPECT, "box.size", &shape->arena, scratch,
                                    &shape->polytope, NULL, error);
    shape->polytope.input = NULL;
    shape->polytope.input_count = 0;
    shape->half_axes = half;
    shape->bounding_radius = crm_length(half);
    shape->in_radius = fmin(half.x, fmin(half.y, half.z));
    shape->unit = crm_solid_box(def->size);
    return status;
}

static carom_status make_half_space(const carom_half_space *def, const char *prefix, carom_shape *shape,
                                    carom_error *error) {
    double length = crm_normalise(def->normal, &shape->normal);
    if (length == 0.0)
        return crm_refuse(error, "%shalf_space.normal is (%g, %g, %g), must be finite and have a direction", prefix,
                          def->normal.x, def->normal.y, def->normal.z);
    shape->offset = def->offset / length;
    if (!(fabs(shape->offset) <= CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error, "%shalf_space.offset puts the plane %g m from the origin, must be within %g m", prefix,
                          shape->offset, CAROM_SHAPE_MOST_SIZE);
    shape->centre = crm_scale(shape->offset, shape->normal);
    shape->bounding_radius = HUGE_VAL;
    return CAROM_OK;
}

static carom_status make_container(const carom_container_def *def, const char *prefix, carom_shape *shape,
                                   carom_error *error) {
    shape->radius = def->radius;
    shape->bounding_radius = HUGE_VAL;
    return crm_check_size(prefix, "container.radius", def->radius, error);
}

// ---- all kinds

static carom_status make(const carom_shape_def *def, const char *prefix, crm_arena *scratch, carom_shape *shape,
                         carom_error *error) {
    switch (def->kind) {
    case CAROM_SHAPE_SPHERE:
        return make_sphere(&def->sphere, prefix, shape, error);
    case CAROM_SHAPE_ELLIPSOID:
        return make_ellipsoid(&def->ellipsoid, prefix, shape, error);
    case CAROM_SHAPE_BOX:
        return make_box(&def->box, prefix, scratch, shape, error);
    case CAROM_SHAPE_CAPSULE:
        return make_capsule(&def->capsule, prefix, shape, error);
    case CAROM_SHAPE_POLYTOPE:
        return crm_make_polytope(&def->polytope, prefix, scratch, shape, error);
    case CAROM_SHAPE_HALF_SPACE:
        return make_half_space(&def->half_space, prefix, shape, error);
    case CAROM_SHAPE_CONTAINER:
        return make_container(&def->container, prefix, shape, error);
    case CAROM_SHAPE_COMPOUND:
        return crm_make_compound(&def->compound, prefix, shape, error);
    default:
        return crm_refuse(error, "%skind is %d, must be one of carom_shape_kind", prefix, (int)def->kind);
    }
}

// By the ball about the centre, which is exact when the origin is the centre; of corners the farthest one.
static double farthest_point(const carom_shape *shape) {
    const crm_polytope *polytope = &shape->polytope;
    if (polytope->vertex_count == 0) return crm_length(shape->centre) + shape->bounding_radius;
    double square = 0.0;
    for (int i = 0; i < polytope->vertex_count; i++) square = fmax(square, crm_length_squared(polytope->vertex[i]));
    return sqrt(square);
}

carom_status crm_shape_create(const carom_shape_def *def, const char *prefix, const carom_allocator *allocator,
                              carom_shape **out, carom_error *error) {
    *out = NULL;
    carom_status status = CRM_CHECK_STRUCT(def, carom_shape_def, error);
    if (status != CAROM_OK) return status;
    crm_arena arena, scratch;
    crm_arena_init(&arena, allocator);
    crm_arena_init(&scratch, allocator);
    carom_shape *shape = crm_arena_take_zeroed(&arena, 1, sizeof *shape);
    if (shape == NULL) return crm_fail_memory(error, "shape", sizeof *shape);
    shape->arena = arena;
    shape->kind = def->kind;
    status = make(def, prefix, &scratch, shape, error);
    if (status == CAROM_OK) shape->farthest = farthest_point(shape);
    crm_arena_free(&scratch);
    if (status == CAROM_OK)
        *out = shape;
    else
        carom_shape_destroy(shape);
    return status;
}

carom_status carom_shape_create(const carom_shape_def *def, const carom_allocator *allocator, carom_shape **out,
                                carom_error *error) {
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    return crm_shape_create(def, "", allocator, out, error);
}

void carom_shape_destroy(carom_shape *shape) {
    if (shape == NULL) return;
    for (int i = 0; i < shape->part_count; i++) carom_shape_destroy(shape->part[i].shape);
    crm_arena arena = shape->arena; // the shape itself is on it
    crm_arena_free(&arena);
}
