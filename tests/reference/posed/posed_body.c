// SPDX-License-Identifier: MIT
#include "reference/posed/posed_body.h"

#include <math.h>
#include <stddef.h>

// Rounding of long double on bodies below a metre, m.
static const wide rounding = 1e-18L;
// Parts that do not touch are farther away than this, m.
static const wide clearly = 1e-6L;

static wide3 wide_of(carom_vec3 v) {
    return (wide3){v.x, v.y, v.z};
}

static wide_rotation rotation_of(carom_quat q) {
    return wide_rotation_of((double[]){q.w, q.x, q.y, q.z});
}

posed_body posed_body_of(const carom_shape *shape, carom_quat attitude) {
    posed_body body = {.shape = shape, .attitude = attitude, .rotation = rotation_of(attitude)};
    carom_shape_kind kind = carom_shape_get_kind(shape);
    body.centre = wide_rotate(body.rotation, wide_of(carom_shape_centre(shape)));
    if (kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER) return body;
    body.part_count = kind == CAROM_SHAPE_COMPOUND ? carom_shape_part_count(shape) : 1;
    for (int k = 0; k < body.part_count; k++) {
        carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
        body.part_shape[k] = kind == CAROM_SHAPE_COMPOUND ? carom_shape_part(shape, k, &pose) : shape;
        wide_rotation local = rotation_of(pose.attitude);
        wide_rotation rotation = {wide_rotate(body.rotation, local.x), wide_rotate(body.rotation, local.y),
                                  wide_rotate(body.rotation, local.z)};
        body.part[k] = convex_body_at(body.part_shape[k], rotation, wide_rotate(body.rotation, wide_of(pose.position)));
    }
    return body;
}

void posed_body_free(posed_body *body) {
    for (int k = 0; k < body->part_count; k++) convex_body_free(&body->part[k]);
}

bool posed_is_sharp(const posed_body *body, int part) {
    return !(body->part[part].radius > 0.0L || body->part[part].axes[0] > 0.0L);
}

int posed_most_dimension(const posed_body *body, int part) {
    return posed_is_sharp(body, part) ? 2 : body->part[part].count - 1;
}

// ---- features

posed_feature posed_feature_draw(sampler *s, const posed_body *body, int part, int dimension) {
    posed_feature feature = {.part = part, .dimension = dimension};
    if (dimension == 0 || !posed_is_sharp(body, part)) return feature;
    const carom_shape *shape = body->part_shape[part];
    int count = dimension == 1 ? carom_shape_edge_count(shape) : carom_shape_facet_count(shape);
    feature.number = (int)crm_random_below(s, (uint64_t)count);
    return feature;
}

static carom_edge edge_of(const posed_body *body, posed_feature feature) {
    carom_edge edge = {.vertices = {0, 1}};
    if (posed_is_sharp(body, feature.part))
        carom_shape_get_edge(body->part_shape[feature.part], feature.number, &edge, NULL);
    return edge;
}

static wide3 facet_normal(const posed_body *body, int part, int number) {
    carom_facet facet;
    carom_shape_get_facet(body->part_shape[part], number, &facet, NULL);
    const wide3 *vertex = body->part[part].vertex;
    wide3 corner = vertex[facet.vertices[0]];
    return wide3_unit(
        wide3_cross(wide3_sub(vertex[facet.vertices[1]], corner), wide3_sub(vertex[facet.vertices[2]], corner)));
}

wide3 posed_edge_direction(const posed_body *body, posed_feature feature) {
    carom_edge edge = edge_of(body, feature);
    const wide3 *vertex = body->part[feature.part].vertex;
    return wide3_sub(vertex[edge.vertices[1]], vertex[edge.vertices[0]]);
}

wide3 posed_cone_draw(sampler *s, const posed_body *body, posed_feature feature) {
    if (feature.dimension == 2) return facet_normal(body, feature.part, feature.number);
    wide3 any = wide3_unit(wide_of(sample_unit(s)));
    if (feature.dimension == 0) return any;
    if (!posed_is_sharp(body, feature.part))
        return wide3_unit(wide3_cross(posed_edge_direction(body, feature), any)); // all round a capsule's axis
    carom_edge edge = edge_of(body, feature);
    wide share = sample_between(s, 0.02, 0.98);
    wide3 left = facet_normal(body, feature.part, edge.facets[0]);
    wide3 right = facet_normal(body, feature.part, edge.facets[1]);
    return wide3_unit(wide3_along(wide3_scale(share, left), 1.0L - share, right));
}

static wide3 weighted_mean(sampler *s, const convex_body *part, int count, const int *vertices) {
    wide3 sum = {0, 0, 0};
    wide total = 0.0L;
    for (int i = 0; i < count; i++) {
        wide weight = sample_between(s, 0.02, 1.0);
        total += weight;
        sum = wide3_along(sum, weight, part->vertex[vertices[i]]);
    }
    return wide3_scale(1.0L / total, sum);
}

static wide3 farthest_vertex(const convex_body *part, wide3 n) {
    int best = 0;
    for (int i = 1; i < part->count; i++)
        if (wide3_dot(n, part->vertex[i]) > wide3_dot(n, part->vertex[best])) best = i;
    return part->vertex[best];
}

wide3 posed_point_draw(sampler *s, const posed_body *body, posed_feature feature, wide3 n) {
    const convex_body *part = &body->part[feature.part];
    wide3 core;
    if (feature.dimension == 0) {
        core = farthest_vertex(part, n);
    } else if (feature.dimension == 1) {
        carom_edge edge = edge_of(body, feature);
        core = weighted_mean(s, part, 2, edge.vertices);
    } else {
        carom_facet facet;
        carom_shape_get_facet(body->part_shape[feature.part], feature.number, &facet, NULL);
        core = weighted_mean(s, part, facet.vertex_count, facet.vertices);
    }
    return wide3_add(core, convex_body_round(part, n));
}

// ---- proofs

bool posed_is_farthest(const posed_body *body, int part, wide3 point, wide3 n) {
    wide height = wide3_dot(n, point);
    for (int k = 0; k < body->part_count; k++)
        if (convex_body_support(&body->part[k], n) > height + (k == part ? rounding : -clearly)) return false;
    return true;
}

static wide least_axis(const convex_body *part) {
    return fminl(part->axes[0], fminl(part->axes[1], part->axes[2]));
}

static wide most_axis(const convex_body *part) {
    return fmaxl(part->axes[0], fmaxl(part->axes[1], part->axes[2]));
}

// The smallest radius of curvature of an ellipsoid is a_min^2 / a_max.
wide posed_rolling_radius(const posed_body *body, int part) {
    const convex_body *p = &body->part[part];
    return p->axes[0] > 0.0L ? least_axis(p) * least_axis(p) / most_axis(p) : p->radius;
}

// An ellipsoid rolls in a sphere that is nowhere more curved than its flattest point, a_max^2 / a_min: so it is within
// any such sphere that touches it from outside. Of the others a vertex of the core is the farthest.
bool posed_is_within(const posed_body *body, int part, wide3 centre, wide radius) {
    int touching = 0;
    for (int k = 0; k < body->part_count; k++) {
        const convex_body *p = &body->part[k];
        if (k == part && p->axes[0] > 0.0L) {
            if (most_axis(p) * most_axis(p) / least_axis(p) > radius) return false;
            touching++;
            continue;
        }
        for (int i = 0; i < p->count; i++) {
            wide extent = wide3_norm(wide3_sub(p->vertex[i], centre)) + p->radius + most_axis(p);
            if (extent > radius + rounding) return false;
            if (extent > radius - clearly) touching++;
        }
    }
    return touching == 1;
}
