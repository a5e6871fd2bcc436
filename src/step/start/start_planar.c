// SPDX-License-Identifier: MIT
// Overlaps of bodies that cannot leave their plane. Where the shortest way apart leads out of it, as that of two flat
// plates does, the shortest one in the plane is taken: the least of
//
//   w(n) = max_a <n, a> - min_b <n, b>   over unit vectors n of the plane,
//
// the depth along n. It is sought among directions around the circle, then by golden sections about the best.
#include <math.h>

#include "step/start/start.h"

// A normal with less than this in the plane leads out of it.
static const double least_in_plane = 0.7;
enum { DIRECTIONS = 64, SECTIONS = 40 };
static const double pi = 3.14159265358979323846, golden = 0.61803398874989484820;

// A body that moves in the plane only, or not at all.
static bool is_held(const carom_model *model, int body) {
    carom_body_kind kind = model->bodies.items[body].kind;
    return kind == CAROM_BODY_PLANAR || kind == CAROM_BODY_FIXED;
}

static bool leads_out(const carom_model *model, const crm_contact_site *site) {
    const carom_vec3 n = site->direction[0];
    return site->gap < 0.0 && is_held(model, site->a) && is_held(model, site->b) && hypot(n.x, n.y) < least_in_plane;
}

static double part_extent(const carom_shape *shape, carom_pose pose, carom_vec3 n) {
    carom_vec3 point, own = crm_quat_rotate_inverse(pose.attitude, n);
    if (carom_shape_get_support(shape, own, &point, NULL, NULL) != CAROM_OK) return INFINITY;
    return crm_dot(n, crm_add(pose.position, crm_quat_rotate(pose.attitude, point)));
}

// The farthest that a shape extends along n; infinite where it does not end.
static double extent(const carom_view *view, carom_vec3 n) {
    int parts = carom_shape_part_count(view->shape);
    if (parts == 0) return part_extent(view->shape, view->pose, n);
    double most = -INFINITY;
    for (int k = 0; k < parts; k++) {
        carom_pose own;
        const carom_shape *part = carom_shape_part(view->shape, k, &own);
        const carom_pose pose = {crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, own.position)),
                                 crm_quat_mul(view->pose.attitude, own.attitude)};
        most = fmax(most, part_extent(part, pose, n));
    }
    return most;
}

static carom_vec3 direction_at(double angle) {
    return crm_vec3(cos(angle), sin(angle), 0.0);
}

static double depth_at(const carom_view *a, const carom_view *b, double angle) {
    carom_vec3 n = direction_at(angle);
    return extent(a, n) + extent(b, crm_negate(n));
}

// The angle of the least depth.
static double least_depth(const carom_view *a, const carom_view *b) {
    double best = 0.0, least = INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) {
        double angle = 2.0 * pi * i / DIRECTIONS, depth = depth_at(a, b, angle);
        if (depth < least) least = depth, best = angle;
    }
    double low = best - 2.0 * pi / DIRECTIONS, high = best + 2.0 * pi / DIRECTIONS;
    for (int i = 0; i < SECTIONS; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (depth_at(a, b, left) < depth_at(a, b, right))
            high = right;
        else
            low = left;
    }
    double middle = 0.5 * (low + high);
    return depth_at(a, b, middle) < least ? middle : best;
}

// False: there is no way in the plane.
static bool part_in_plane(const carom_model *model, const crm_motion *motions, crm_contact_site *site) {
    carom_view a = crm_body_view(model, site->a, &motions[site->a]),
               b = crm_body_view(model, site->b, &motions[site->b]);
    double angle = least_depth(&a, &b), depth = depth_at(&a, &b, angle);
    if (!isfinite(depth)) return false;
    site->gap = -depth;
    site->direction[0] = direction_at(angle);
    site->point = crm_scale(0.5, crm_add(motions[site->a].x, motions[site->b].x));
    return true;
}

void crm_start_keep_to_plane(crm_start *start, const crm_motion *motions) {
    crm_contact_site *sites = start->sites.items;
    int kept = 0;
    for (int i = 0, end; i < start->sites.count; i = end) {
        bool out = false;
        for (end = i; end < start->sites.count && sites[end].a == sites[i].a && sites[end].b == sites[i].b; end++)
            out = out || leads_out(start->model, &sites[end]);
        crm_contact_site in_plane = sites[i];
        if (out && part_in_plane(start->model, motions, &in_plane))
            sites[kept++] = in_plane;
        else
            for (int k = i; k < end; k++) sites[kept++] = sites[k];
    }
    start->sites.count = kept;
}
