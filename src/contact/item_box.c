// SPDX-License-Identifier: MIT
// Boxes of items.
//
// Half of the extent along an axis is the support function along it, for which every kind has a closed form with the
// axis' row R_k of the rotation matrix:
//     sphere r    capsule |R_kz| l + r    box sum |R_kj| h_j    ellipsoid sqrt(sum (R_kj a_j)^2)
// and the least and largest R_k.v over the vertices of others.
//
// Slack. With u the half of DBL_EPSILON, S the largest coordinate of the shape in its own frame, p the part's place in
// its compound: entries of R are right to 12u (16u for a part, whose quaternion is a product), those that make the
// quaternion's length 1 included; the three products and their sums add 3u each, so that coordinates about the item's
// position are right to 3 (16u + 3u) S = 28.5 epsilon S;
// the position of a part to 6 epsilon |p|; sums with position, margin and slack to 2 epsilon of what they come to. All
// are below 32 epsilon (|x| + |p| + S + margin). An attitude with |q|^2 = 1 + d is taken as it is by some queries and
// normalised by others: their matrices differ by d (R - 1), so by 2 |d| |v|, |v| <= sqrt(3) S or |p|. With this slack
// the box holds the item grown by its margin, exactly, whichever way it is seen: rounding loses no pair.
#include <float.h>
#include <math.h>

#include "contact/broad/broad_phase.h"
#include "contact/broad/broad_phase_rules.h"
#include "math/quat.h"
#include "shape/support/support.h"

// Beyond it there is nothing to be told apart, and below it no sum of coordinates overflows.
static const double space_end = DBL_MAX / 16.0;

typedef struct extent {
    carom_vec3 low, high; // about the item's position, world axes
    double largest;       // coordinate in its own frame
} extent;

static extent about_position(carom_vec3 half, double largest) {
    return (extent){crm_negate(half), half, largest};
}

static extent of_vertices(int count, const carom_vec3 *vertices, carom_mat3 rotation, double largest) {
    extent e = {.largest = largest};
    e.low = e.high = crm_mat3_apply(rotation, vertices[0]);
    for (int i = 1; i < count; i++) {
        carom_vec3 v = crm_mat3_apply(rotation, vertices[i]);
        e.low = crm_vec3_min(e.low, v);
        e.high = crm_vec3_max(e.high, v);
    }
    return e;
}

// A large polytope: its farthest vertices both ways along a row of the matrix.
static void climb_along(const crm_polytope *p, carom_vec3 row, double *low, double *high) {
    *low = crm_dot(row, p->vertex[crm_support_vertex(p, crm_negate(row), -1)]);
    *high = crm_dot(row, p->vertex[crm_support_vertex(p, row, -1)]);
}

static extent of_polytope(const crm_polytope *p, carom_mat3 rotation) {
    if (p->vertex_count < CRM_CLIMB_COLD_FROM) return of_vertices(p->vertex_count, p->vertex, rotation, p->farthest);
    extent e = {.largest = p->farthest};
    carom_mat3 rows = crm_mat3_transpose(rotation);
    climb_along(p, rows.x, &e.low.x, &e.high.x);
    climb_along(p, rows.y, &e.low.y, &e.high.y);
    climb_along(p, rows.z, &e.low.z, &e.high.z);
    return e;
}

static extent of_free_vertices(int count, const carom_vec3 *vertices, carom_mat3 rotation) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = fmax(largest, crm_max_component(crm_vec3_abs(vertices[i])));
    return of_vertices(count, vertices, rotation, largest);
}

static extent extent_of(const crm_item *item) {
    const carom_view *view = &item->view;
    const carom_shape *s = view->shape;
    const carom_vec3 *axis = item->posed.axis, a = item->posed.half;
    carom_vec3 half;
    if (item->kind == CAROM_SHAPE_BOX) {
        half = crm_madd(crm_scale(a.x, crm_vec3_abs(axis[0])), a.y, crm_vec3_abs(axis[1]));
        return about_position(crm_madd(half, a.z, crm_vec3_abs(axis[2])), crm_max_component(a));
    }
    if (item->kind == CAROM_SHAPE_ELLIPSOID) {
        half = crm_scale(a.x * a.x, crm_vec3_mul(axis[0], axis[0]));
        half = crm_madd(half, a.y * a.y, crm_vec3_mul(axis[1], axis[1]));
        half = crm_madd(half, a.z * a.z, crm_vec3_mul(axis[2], axis[2]));
        return about_position(crm_vec3(sqrt(half.x), sqrt(half.y), sqrt(half.z)), crm_max_component(a));
    }
    carom_mat3 r = crm_quat_to_mat3(view->pose.attitude);
    if (s == NULL) return of_free_vertices(view->vertex_count, view->vertices, r);
    half = crm_vec3(s->radius, s->radius, s->radius);
    switch (s->kind) {
    case CAROM_SHAPE_SPHERE:
        return about_position(half, s->radius);
    case CAROM_SHAPE_CAPSULE:
        half = crm_madd(half, s->half_length, crm_vec3_abs(r.z));
        return about_position(half, s->radius + s->half_length);
    default:
        return of_polytope(&s->polytope, r);
    }
}

void crm_item_box(const crm_item *item, crm_box *out) {
    if (crm_is_static_geometry(&item->view)) {
        for (int k = 0; k < 3; k++) out->low[k] = -(out->high[k] = INFINITY);
        return;
    }
    const carom_shape *whole = item->proxy->view.shape;
    carom_quat q = item->proxy->view.pose.attitude;
    double arm = 0.0, margin = item->proxy->margin, off = fabs(crm_quat_dot(q, q) - 1.0);
    if (whole != item->view.shape) arm = crm_length(whole->part[item->part].pose.position);
    extent e = extent_of(item);
    double x[3] = {item->view.pose.position.x, item->view.pose.position.y, item->view.pose.position.z};
    double low[3] = {e.low.x, e.low.y, e.low.z}, high[3] = {e.high.x, e.high.y, e.high.z};
    double size = arm + e.largest, common = 4.0 * off * size + 32.0 * DBL_EPSILON * (size + margin);
    for (int k = 0; k < 3; k++) {
        double grown = margin + (common + 32.0 * DBL_EPSILON * fabs(x[k]));
        double least = x[k] + (low[k] - grown), most = x[k] + (high[k] + grown);
        out->low[k] = least > -space_end ? least : -space_end;
        out->high[k] = most < space_end ? most : space_end;
    }
}
