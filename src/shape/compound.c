// SPDX-License-Identifier: MIT
// Several convex shapes as one.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "math/quat.h"
#include "shape/shape.h"

carom_compound_part carom_compound_part_default(void) {
    return (carom_compound_part){.pose = {.attitude = {1.0, 0.0, 0.0, 0.0}}, .density = 1.0};
}

static carom_status check_part(const carom_compound_part *def, const char *prefix, int i, carom_error *error) {
    carom_quat q = def->pose.attitude;
    carom_vec3 x = def->pose.position;
    if (def->shape == NULL) return crm_refuse(error, "%scompound.parts[%d].shape is NULL, must be given", prefix, i);
    carom_status status = CRM_CHECK_STRUCT(def->shape, carom_shape_def, error);
    if (status != CAROM_OK) return status;
    if (!crm_shape_is_convex(def->shape->kind))
        return crm_refuse(error,
                          "%scompound.parts[%d].shape is a %s, must be a sphere, ellipsoid, box, capsule or polytope",
                          prefix, i, carom_shape_kind_name(def->shape->kind));
    if (!crm_vec3_finite(x) || !(crm_max_component(crm_vec3_abs(x)) <= CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error, "%scompound.parts[%d].pose.position is (%g, %g, %g) m, must be finite and within %g m",
                          prefix, i, x.x, x.y, x.z, CAROM_SHAPE_MOST_SIZE);
    carom_quat unit;
    if (!crm_quat_normalise(q, &unit))
        return crm_refuse(error, "%scompound.parts[%d].pose.attitude is (%g, %g, %g, %g), must be finite and not zero",
                          prefix, i, q.w, q.x, q.y, q.z);
    if (!(def->density > 0.0) || !isfinite(def->density))
        return crm_refuse(error, "%scompound.parts[%d].density is %g, must be positive and finite", prefix, i,
                          def->density);
    return CAROM_OK;
}

static carom_status make_part(const carom_compound_part *def, const char *prefix, int i, carom_shape *compound,
                              carom_error *error) {
    carom_status status = check_part(def, prefix, i, error);
    if (status != CAROM_OK) return status;
    char part_prefix[96];
    snprintf(part_prefix, sizeof part_prefix, "%.40scompound.parts[%d].shape: ", prefix, i);
    crm_part *part = &compound->part[i];
    status = crm_shape_create(def->shape, part_prefix, &compound->arena.allocator, &part->shape, error);
    if (status != CAROM_OK) return status;
    compound->part_count = i + 1;
    part->pose.position = def->pose.position;
    crm_quat_normalise(def->pose.attitude, &part->pose.attitude);
    part->transform = (crm_transform){crm_quat_to_mat3(part->pose.attitude), part->pose.position};
    part->density = def->density;
    carom_shape_def *shape_def = crm_arena_take(&compound->arena, sizeof *shape_def);
    if (shape_def == NULL) return crm_fail_memory(error, "part of a compound", sizeof *shape_def);
    carom_shape_get_def(part->shape, shape_def);
    compound->part_def[i] = (carom_compound_part){shape_def, part->pose, part->density};
    return CAROM_OK;
}

// Parallel axes: every part about the common centre of mass.
static void add_masses(carom_shape *compound) {
    crm_inertia sum = {0};
    double volume = 0.0;
    for (int i = 0; i < compound->part_count; i++) {
        const crm_part *part = &compound->part[i];
        carom_mass unit = part->shape->unit;
        crm_inertia own = {part->density * unit.mass, unit.centre, crm_mat3_scale(part->density, unit.inertia)};
        own = crm_inertia_transform(&part->transform, &own);
        sum = i == 0 ? own : crm_inertia_sum(&sum, &own);
        volume += unit.volume;
    }
    compound->unit = (carom_mass){volume, sum.mass, sum.centre, sum.inertia};
}

// The largest distance of a point of the part from a point in its frame.
static double farthest_from(const carom_shape *part, carom_vec3 point) {
    double farthest = 0.0;
    switch (part->kind) {
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_POLYTOPE:
        for (int i = 0; i < part->polytope.vertex_count; i++)
            farthest = fmax(farthest, crm_distance(part->polytope.vertex[i], point));
        return farthest;
    case CAROM_SHAPE_CAPSULE:
        return part->radius + fmax(crm_distance(crm_vec3(0.0, 0.0, part->half_length), point),
                                   crm_distance(crm_vec3(0.0, 0.0, -part->half_length), point));
    default:
        return part->bounding_radius + crm_distance(part->centre, point);
    }
}

carom_status crm_make_compound(const carom_compound_def *def, const char *prefix, carom_shape *shape,
                               carom_error *error) {
    if (def->part_count < 1)
        return crm_refuse(error, "%scompound.parts has %d entries, must have at least one", prefix, def->part_count);
    if (def->parts == NULL)
        return crm_refuse(error, "%scompound.parts is NULL, must be an array of %d parts", prefix, def->part_count);
    shape->part = CRM_ARENA_ZEROED(&shape->arena, crm_part, def->part_count);
    shape->part_def = CRM_ARENA_ARRAY(&shape->arena, carom_compound_part, def->part_count);
    if (shape->part == NULL || shape->part_def == NULL)
        return crm_fail_memory(error, "parts of a compound", (size_t)def->part_count * sizeof(crm_part));
    for (int i = 0; i < def->part_count; i++) {
        carom_status status = make_part(&def->parts[i], prefix, i, shape, error);
        if (status != CAROM_OK) return status;
    }
    add_masses(shape);
    shape->centre = shape->unit.centre;
    for (int i = 0; i < shape->part_count; i++) {
        const crm_part *part = &shape->part[i];
        carom_vec3 seen = crm_transform_point_inverse(&part->transform, shape->centre);
        shape->bounding_radius = fmax(shape->bounding_radius, farthest_from(part->shape, seen));
    }
    return CAROM_OK;
}
