// SPDX-License-Identifier: MIT
// Pieces of the centre ray's value, where the ray finds them and beyond.
#include "step/potential/overlap_pieces.h"

#include <math.h>
#include <string.h>

#include "distance/side.h"

// A piece counts as no deeper than the ray when it is not by more than this share of the smaller body: what the ray
// takes for vertices on one plane is ten times closer.
static const double depth_slack = 1e-8;

// Squared sine of the angle between beta and a plane, below which what is left of the digits is too little.
static const double least_slant = 1e-8;

// Gradients are about the origins of the bodies' frames, rows about their centres of mass.
static crm_vec6 row_of(const carom_view *view, const crm_motion *m, carom_vec3 translation, carom_vec3 rotation) {
    return crm_vec6_of(translation,
                       crm_madd(crm_cross(crm_sub(view->pose.position, m->x), translation), 1.0, rotation));
}

// Where centres coincide, the direction that is taken in place of theirs does not rotate with the bodies: both bodies
// share the couple that this would leave over, so that angular momentum stays.
static void share_couple(const crm_motion *at_a, const crm_motion *at_b, crm_piece *piece) {
    carom_vec3 arm = crm_sub(at_b->x, at_a->x); // the linear parts are opposite
    carom_vec3 couple =
        crm_add(crm_add(piece->row_a.angular, piece->row_b.angular), crm_cross(arm, piece->row_b.linear));
    piece->row_a.angular = crm_madd(piece->row_a.angular, -0.5, couple);
    piece->row_b.angular = crm_madd(piece->row_b.angular, -0.5, couple);
}

void crm_piece_set(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair, const crm_motion *motions,
                   const carom_ray_witness *ray, crm_piece *piece) {
    carom_pose_gradient gradient;
    carom_ray_gradient(a, b, ray, &gradient, NULL);
    piece->value = ray->value;
    piece->row_a = row_of(a, &motions[pair->a], gradient.translation_a, gradient.rotation_a);
    piece->row_b = row_of(b, &motions[pair->b], gradient.translation_b, gradient.rotation_b);
    if (ray->outcome == CAROM_RAY_NO_DIRECTION) share_couple(&motions[pair->a], &motions[pair->b], piece);
}

// ---- pieces beyond where the ray finds them

static bool is_half_space(const carom_view *view) {
    return crm_view_kind(view) == CAROM_SHAPE_HALF_SPACE;
}

static carom_vec3 vertex_of(const crm_side *side, int vertex) {
    return crm_add(side->centre, crm_core_arm(side, vertex));
}

// The plane through the differences of three pairs of vertices, where beta pierces it. False: it does not.
static bool follow_triangle(const carom_view *a, const carom_view *b, int vertex[3][2], carom_ray_witness *ray) {
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, 0, CRM_FROM_VIEW, &side_b);
    carom_vec3 at_a[3], z[3];
    for (int k = 0; k < 3; k++) {
        at_a[k] = vertex_of(&side_a, vertex[k][0]);
        z[k] = crm_sub(vertex_of(&side_b, vertex[k][1]), at_a[k]);
    }
    carom_vec3 n = crm_cross(crm_sub(z[1], z[0]), crm_sub(z[2], z[0]));
    double along = crm_dot(n, ray->beta), square = crm_length_squared(n);
    if (!(along * along > least_slant * square) || !(square > 0.0)) return false;
    ray->value = crm_dot(n, z[0]) / along;
    ray->alpha = crm_scale(1.0 / along, n);
    ray->rho = ray->value / ray->centre_distance;
    carom_vec3 pierced = crm_scale(ray->value, ray->beta), point = crm_vec3_zero();
    for (int k = 0; k < 3; k++) {
        carom_vec3 opposite = crm_cross(crm_sub(z[(k + 1) % 3], pierced), crm_sub(z[(k + 2) % 3], pierced));
        point = crm_madd(point, crm_dot(n, opposite) / square, at_a[k]);
    }
    ray->point_a = point;
    ray->point_b = crm_add(point, pierced);
    return true;
}

// A vertex over the plane; `ray` is that of the lowest.
static bool follow_vertex(const carom_view *a, const carom_view *b, int vertex, carom_ray_witness *ray) {
    bool plane_is_a = is_half_space(a);
    crm_side body;
    crm_side_of(plane_is_a ? b : a, 0, CRM_FROM_VIEW, &body);
    carom_vec3 lowest = plane_is_a ? ray->point_b : ray->point_a, up = plane_is_a ? ray->beta : crm_negate(ray->beta);
    carom_vec3 point = crm_madd(vertex_of(&body, vertex), -body.radius, up);
    ray->value += crm_dot(up, crm_sub(point, lowest));
    ray->point_b = plane_is_a ? point : crm_madd(point, ray->value, ray->beta);
    ray->point_a = plane_is_a ? crm_madd(point, -ray->value, ray->beta) : point;
    return true;
}

bool crm_piece_follow(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair, const crm_motion *motions,
                      crm_piece *piece) {
    carom_ray_witness ray = pair->ray;
    bool plane = is_half_space(a) || is_half_space(b);
    if (!(plane ? follow_vertex(a, b, piece->vertex[0][0], &ray) : follow_triangle(a, b, piece->vertex, &ray)))
        return false;
    crm_piece_set(a, b, pair, motions, &ray, piece);
    return piece->value >= pair->ray.value - depth_slack * fmin(a->shape->bounding_radius, b->shape->bounding_radius);
}

// Whether the shape has corners that a piece can be made of.
static bool has_corners(const carom_view *view) {
    return view->shape->polytope.vertex_count > 0;
}

// What the ray has just found, as pieces to be followed: every corner that it lies between.
int crm_pieces_of_ray(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair,
                      crm_piece out[CAROM_TOUCH_VERTICES]) {
    crm_piece piece = {.followed = true};
    if (is_half_space(a) || is_half_space(b)) {
        const carom_touch *touch = is_half_space(a) ? &pair->ray.b : &pair->ray.a;
        if (!has_corners(is_half_space(a) ? b : a)) return 0;
        int count = touch->vertex_count < CAROM_TOUCH_VERTICES ? touch->vertex_count : CAROM_TOUCH_VERTICES;
        for (int k = 0; k < count; k++) {
            piece.vertex[0][0] = touch->vertices[k];
            out[k] = piece;
        }
        return count;
    }
    if (!has_corners(a) || !has_corners(b) || pair->cache.ray_count != 3) return 0;
    memcpy(piece.vertex, pair->cache.ray, sizeof piece.vertex);
    out[0] = piece;
    return 1;
}
