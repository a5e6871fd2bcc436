// SPDX-License-Identifier: MIT
#include "distance/side.h"

#include <math.h>

#include "base/fail.h"
#include "math/quat.h"
#include "shape/support/support.h"

static bool in_range(carom_vec3 v) {
    return crm_length_squared(v) <= CAROM_SHAPE_MOST_SIZE * CAROM_SHAPE_MOST_SIZE; // false for NaN
}

carom_status crm_check_view(const carom_view *view, const char *name, carom_error *error) {
    carom_vec3 x = view->pose.position;
    if (!in_range(x))
        return crm_refuse(error,
                          "view %s: pose.position is (%g, %g, %g), must be finite and within 1e9 m of the origin", name,
                          x.x, x.y, x.z);
    carom_quat q = view->pose.attitude;
    if (!(fabs(crm_quat_dot(q, q) - 1.0) <= CRM_ATTITUDE_SLACK))
        return crm_refuse(error, "view %s: pose.attitude is (%g, %g, %g, %g), must have length 1; normalise it", name,
                          q.w, q.x, q.y, q.z);
    if (view->has_centre && !in_range(view->centre))
        return crm_refuse(error,
                          "view %s: centre is (%g, %g, %g), must be finite and within 1e9 m of the frame's origin",
                          name, view->centre.x, view->centre.y, view->centre.z);
    if (view->shape != NULL) return CAROM_OK;
    if (view->vertex_count < 1 || view->vertices == NULL)
        return crm_refuse(error, "view %s: neither a shape nor vertices are given", name);
    for (int i = 0; i < view->vertex_count; i++) {
        carom_vec3 v = view->vertices[i];
        if (!in_range(v))
            return crm_refuse(
                error, "view %s: vertices[%d] is (%g, %g, %g), must be finite and within 1e9 m of the frame's origin",
                name, i, v.x, v.y, v.z);
    }
    return CAROM_OK;
}

// ---- vertices without a shape

static void take_vertices(const carom_view *view, bool chosen, crm_side *side) {
    side->polytope = NULL;
    side->vertex_count = view->vertex_count;
    side->vertex = view->vertices;
    side->roundness = CRM_SHARP;
    side->radius = 0.0;
    carom_vec3 sum = crm_vec3_zero();
    for (int i = 0; i < view->vertex_count; i++) sum = crm_add(sum, view->vertices[i]);
    side->local = chosen ? view->centre : crm_scale(1.0 / view->vertex_count, sum);
    double farthest = 0.0;
    for (int i = 0; i < view->vertex_count; i++) {
        double square = crm_length_squared(crm_sub(view->vertices[i], side->local));
        farthest = square > farthest ? square : farthest;
    }
    side->size = sqrt(farthest);
}

// ---- shapes

// The core of a convex shape; `local` and `size` are the callers'.
static void take_core(const carom_shape *shape, crm_side *side) {
    side->polytope = NULL;
    side->vertex = side->own;
    side->vertex_count = 1;
    side->own[0] = crm_vec3_zero();
    side->radius = 0.0;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        side->roundness = CRM_BALL;
        side->radius = shape->radius;
        break;
    case CAROM_SHAPE_CAPSULE:
        side->roundness = CRM_BALL;
        side->radius = shape->radius;
        side->vertex_count = 2;
        side->own[0].z = -shape->half_length;
        side->own[1] = crm_vec3(0.0, 0.0, shape->half_length);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        side->roundness = CRM_ELLIPSOID;
        side->half_axes = shape->half_axes;
        break;
    default:
        CRM_ASSERT(shape->kind == CAROM_SHAPE_BOX || shape->kind == CAROM_SHAPE_POLYTOPE);
        side->roundness = CRM_SHARP;
        side->polytope = &shape->polytope;
        side->vertex_count = shape->polytope.vertex_count;
        side->vertex = shape->polytope.vertex;
    }
}

// The part's frame is given in the compound's. Seen from the view, all parts share the compound's centre.
static void of_part(const carom_view *view, int part, crm_seen_from from, crm_side *side) {
    const carom_shape *compound = view->shape;
    CRM_ASSERT(part >= 0 && part < compound->part_count);
    const crm_part *p = &compound->part[part];
    take_core(p->shape, side);
    carom_mat3 rotation = crm_quat_to_mat3(view->pose.attitude), part_rotation = crm_quat_to_mat3(p->pose.attitude);
    side->rotation = crm_mat3_mul(rotation, part_rotation);
    side->position = crm_add(view->pose.position, crm_mat3_apply(rotation, p->pose.position));
    side->local = p->shape->centre;
    side->size = p->shape->bounding_radius;
    if (from == CRM_FROM_VIEW) {
        carom_vec3 centre = view->has_centre ? view->centre : compound->centre;
        side->local = crm_mat3_apply_t(part_rotation, crm_sub(centre, p->pose.position));
        side->size += crm_distance(side->local, p->shape->centre);
        side->centre = crm_add(view->pose.position, crm_mat3_apply(rotation, centre));
    } else {
        side->centre = crm_add(side->position, crm_mat3_apply(side->rotation, side->local));
    }
}

void crm_side_of(const carom_view *view, int part, crm_seen_from from, crm_side *out) {
    bool chosen = view->has_centre && from == CRM_FROM_VIEW;
    if (view->shape == NULL) {
        take_vertices(view, chosen, out);
    } else if (view->shape->kind == CAROM_SHAPE_COMPOUND) {
        of_part(view, part, from, out);
        return;
    } else {
        take_core(view->shape, out);
        out->local = chosen ? view->centre : view->shape->centre;
        out->size = view->shape->bounding_radius;
        if (chosen) out->size += crm_distance(view->centre, view->shape->centre);
    }
    out->rotation = crm_quat_to_mat3(view->pose.attitude);
    out->position = view->pose.position;
    out->centre = crm_add(out->position, crm_mat3_apply(out->rotation, out->local));
}

// ---- support functions

static int farthest_of(int count, const carom_vec3 *vertex, carom_vec3 d) {
    int best = 0;
    double largest = crm_dot(d, vertex[0]);
    for (int i = 1; i < count; i++) {
        double product = crm_dot(d, vertex[i]);
        if (product > largest) {
            largest = product;
            best = i;
        }
    }
    return best;
}

int crm_core_support(const crm_side *side, carom_vec3 d, int guess) {
    carom_vec3 local = crm_mat3_apply_t(side->rotation, d);
    if (side->polytope != NULL) return crm_support_vertex(side->polytope, local, guess);
    return farthest_of(side->vertex_count, side->vertex, local);
}

double crm_round_support(const crm_side *side, carom_vec3 d, carom_vec3 *gradient) {
    if (side->roundness == CRM_SHARP) {
        if (gradient != NULL) *gradient = crm_vec3_zero();
        return 0.0;
    }
    carom_vec3 unit;
    if (side->roundness == CRM_BALL) {
        double length = crm_normalise(d, &unit);
        if (gradient != NULL) *gradient = crm_scale(side->radius, unit);
        return side->radius * length;
    }
    // h = |a R^T d|, from the half-axes themselves, where nothing cancels; its gradient is R a (a R^T d)/h.
    carom_vec3 stretched = crm_vec3_mul(side->half_axes, crm_mat3_apply_t(side->rotation, d));
    double h = crm_normalise(stretched, &unit);
    if (gradient != NULL) *gradient = crm_mat3_apply(side->rotation, crm_vec3_mul(side->half_axes, unit));
    return h;
}
