// SPDX-License-Identifier: MIT
// docs/math.md 4.3, 4.4, for any body. A half-space n.(y - o) <= 0 sees a body only along n: gap = min n.(y - o). A
// container is not convex from inside; the largest distance from its centre is that of a vertex of the core, plus the
// ball's radius, or that of an ellipsoid (ellipsoid_in_sphere.c).
#include "distance/static_geometry.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "distance/ties/pierced_face.h"
#include "math/quat.h"

crm_static_geometry crm_static_geometry_of(const carom_shape *shape, const carom_pose *pose, bool is_a) {
    crm_static_geometry s = {.origin = pose->position, .is_a = is_a};
    if (shape->kind == CAROM_SHAPE_HALF_SPACE) {
        s.normal = crm_quat_rotate(pose->attitude, shape->normal);
        s.origin = crm_madd(s.origin, shape->offset, s.normal);
    } else {
        CRM_ASSERT(shape->kind == CAROM_SHAPE_CONTAINER);
        s.radius = shape->radius;
    }
    return s;
}

crm_ellipsoid crm_ellipsoid_of_side(const crm_side *side) {
    CRM_ASSERT(side->vertex_count == 1);
    double r = side->radius;
    return crm_ellipsoid_of(crm_add(side->centre, crm_core_arm(side, 0)),
                            side->roundness == CRM_ELLIPSOID ? side->half_axes : crm_vec3(r, r, r), side->rotation);
}

// ---- half-spaces

// Another vertex as low as `lowest` is joined to it by edges of vertices that are as low: without one next to it there
// is none.
static bool is_alone(const crm_side *body, int lowest, carom_vec3 down, double slack) {
    const crm_polytope *p = body->polytope;
    if (p == NULL) return body->vertex_count == 1;
    double height = crm_dot(down, p->vertex[lowest]) - slack;
    for (int i = p->neighbour_start[lowest]; i < p->neighbour_start[lowest + 1]; i++)
        if (crm_dot(down, p->vertex[p->neighbour[i]]) >= height) return false;
    return true;
}

// The lowest vertices with equal weights, which are the weights of least norm, and their mean about the centre.
static carom_vec3 lowest_mean(const crm_side *body, int lowest, carom_vec3 down, double slack, carom_touch *touch) {
    double height = crm_dot(down, body->vertex[lowest]) - slack;
    carom_vec3 sum = crm_vec3_zero();
    touch->vertex_count = 0;
    for (int i = 0; i < body->vertex_count; i++) {
        if (crm_dot(down, body->vertex[i]) < height) continue;
        sum = crm_add(sum, crm_sub(body->vertex[i], body->local));
        if (touch->vertex_count < CAROM_TOUCH_VERTICES) touch->vertices[touch->vertex_count] = i;
        touch->vertex_count++;
    }
    double weight = 1.0 / touch->vertex_count;
    for (int i = 0; i < touch->vertex_count && i < CAROM_TOUCH_VERTICES; i++) touch->weights[i] = weight;
    return crm_mat3_apply(body->rotation, crm_scale(weight, sum));
}

// The body's lowest point over the half-space and its foot on the plane; the height of the one over the other, which is
// that of the lowest vertex also where others count as as low.
static double find_lowest(const crm_static_geometry *s, const crm_side *body, bool break_ties, carom_vec3 *point,
                          carom_vec3 *foot, carom_touch *touch, bool *unique) {
    carom_vec3 down = crm_negate(s->normal), round;
    int lowest = crm_core_support(body, down, -1);
    carom_vec3 arm = crm_core_arm(body, lowest), local = crm_mat3_apply_t(body->rotation, down);
    double height =
        crm_dot(s->normal, crm_add(crm_sub(body->centre, s->origin), arm)) - crm_round_support(body, down, &round);
    *touch = (carom_touch){.vertex_count = 1, .vertices = {lowest}, .weights = {1.0}};
    *unique = true;
    double slack = crm_active_distance(body, body->vertex[lowest]);
    if (break_ties && !is_alone(body, lowest, local, slack)) {
        carom_vec3 aside = crm_sub(lowest_mean(body, lowest, local, slack, touch), arm);
        arm = crm_add(arm, crm_madd(aside, -crm_dot(s->normal, aside), s->normal));
        *unique = touch->vertex_count == 1;
    }
    *point = crm_add(body->centre, crm_add(arm, round));
    *foot = crm_madd(*point, -height, s->normal);
    return height;
}

static double accuracy_of(const crm_static_geometry *s, const crm_side *body) {
    return 4.0 * DBL_EPSILON * (body->size + crm_distance(body->centre, s->origin));
}

void crm_half_space_gap(const crm_static_geometry *s, const crm_side *body, bool break_ties, carom_gap_witness *out) {
    *out = (carom_gap_witness){.normal_unique = true, .global = true, .supports = 1};
    carom_vec3 point, foot;
    carom_touch touch;
    out->gap = find_lowest(s, body, break_ties, &point, &foot, &touch, &out->points_unique);
    out->normal = s->is_a ? s->normal : crm_negate(s->normal);
    out->point_a = s->is_a ? foot : point;
    out->point_b = s->is_a ? point : foot;
    *(s->is_a ? &out->b : &out->a) = touch;
    out->accuracy = accuracy_of(s, body);
}

bool crm_half_space_ray(const crm_static_geometry *s, const crm_side *body, const carom_vec3 *beta, bool break_ties,
                        carom_ray_witness *out) {
    carom_vec3 normal = s->is_a ? s->normal : crm_negate(s->normal);
    *out = (carom_ray_witness){.normal = normal, .alpha_unique = true, .supports = 1};
    out->beta = beta != NULL ? *beta : normal;
    double along = beta != NULL ? crm_dot(*beta, normal) : 1.0;
    if (!(along > 0.0)) return false;
    carom_vec3 point, foot;
    carom_touch touch;
    out->outcome = CAROM_RAY_MEETS;
    out->plane_gap = find_lowest(s, body, break_ties, &point, &foot, &touch, &out->weights_unique);
    out->value = out->plane_gap / along;
    out->alpha = crm_scale(1.0 / along, normal);
    foot = crm_madd(point, s->is_a ? -out->value : out->value, out->beta);
    out->point_a = s->is_a ? foot : point;
    out->point_b = s->is_a ? point : foot;
    *(s->is_a ? &out->b : &out->a) = touch;
    out->accuracy = accuracy_of(s, body) / along;
    return true;
}

// ---- containers

// The farthest vertex of the core from the centre of the container: its distance, whether it is the only one, and about
// that centre the first of those that are as far.
static double farthest_vertex(const crm_static_geometry *s, const crm_side *body, int *vertex, carom_vec3 *arm,
                              bool *unique) {
    carom_vec3 centre = crm_mat3_apply_t(body->rotation, crm_sub(s->origin, body->centre));
    centre = crm_add(centre, body->local); // in the frame of the body
    double square = -1.0;
    for (int i = 0; i < body->vertex_count; i++)
        square = fmax(square, crm_length_squared(crm_sub(body->vertex[i], centre)));
    double distance = sqrt(square), least = distance - crm_active_distance(body, centre);
    int count = 0;
    *vertex = 0;
    for (int i = body->vertex_count - 1; i >= 0; i--) {
        if (crm_length(crm_sub(body->vertex[i], centre)) < least) continue;
        *vertex = i;
        count++;
    }
    *unique = count == 1;
    *arm = crm_mat3_apply(body->rotation, crm_sub(body->vertex[*vertex], centre));
    return distance;
}

void crm_container_gap(const crm_static_geometry *s, const crm_side *body, carom_gap_witness *out) {
    *out = (carom_gap_witness){.normal_unique = true, .points_unique = true, .global = true, .supports = 1};
    carom_touch touch = {.vertex_count = 1, .weights = {1.0}};
    carom_vec3 outward, point;
    if (body->roundness == CRM_ELLIPSOID) {
        crm_ellipsoid e = crm_ellipsoid_of_side(body);
        crm_inside_witness w = crm_ellipsoid_in_sphere(&e, s->origin, s->radius);
        out->gap = w.gap;
        out->normal_unique = w.family == CRM_FARTHEST_UNIQUE;
        outward = w.normal;
        point = w.point;
    } else {
        carom_vec3 arm;
        double distance = farthest_vertex(s, body, &touch.vertices[0], &arm, &out->normal_unique);
        crm_normalise(arm, &outward);
        if (distance <= DBL_EPSILON * body->size) {
            // A ball about the centre touches all round.
            outward = body->rotation.z;
            out->normal_unique = false;
        }
        out->gap = s->radius - distance - body->radius;
        point = crm_madd(s->origin, distance + body->radius, outward);
    }
    carom_vec3 wall = crm_madd(s->origin, s->radius, outward);
    out->normal = s->is_a ? crm_negate(outward) : outward;
    out->point_a = s->is_a ? wall : point;
    out->point_b = s->is_a ? point : wall;
    *(s->is_a ? &out->b : &out->a) = touch;
    out->accuracy = accuracy_of(s, body) + 4.0 * DBL_EPSILON * s->radius;
}
