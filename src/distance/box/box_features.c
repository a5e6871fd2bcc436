// SPDX-License-Identifier: MIT
// The list of two boxes that runs everywhere, and the choice at run time.
#include "distance/box/box_features.h"

#include "distance/box/box_features_body.h"

static const crm_box_kernels portable = {.name = "portable", .list = list_boxes};

#if defined(__x86_64__)
extern const crm_box_kernels crm_box_kernels_avx2;
#endif

const crm_box_kernels *crm_box_kernels_variant(int index) {
    if (index == 0) return &portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_box_kernels_avx2;
#endif
    return NULL;
}

// A centre nearer to a facet than this share of the half edge is left to the ray: the closed form would divide what is
// nearly nothing.
static const double least_depth = 1e-3;

bool crm_is_box(const carom_view *view) {
    if (view->shape == NULL || view->shape->kind != CAROM_SHAPE_BOX) return false;
    carom_vec3 c = crm_vec3_abs(view->centre), h = crm_scale(1.0 - least_depth, view->shape->half_axes);
    return !view->has_centre || (c.x <= h.x && c.y <= h.y && c.z <= h.z);
}

// One step of Newton's method for the inverse of the length leaves 1e-18 of what it is off.
void crm_axes_of(carom_quat q, carom_vec3 axis[3]) {
    double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z), k = 1.5 - 0.5 * square;
    carom_mat3 rotation = crm_quat_to_mat3((carom_quat){k * q.w, k * q.x, k * q.y, k * q.z});
    axis[0] = rotation.x;
    axis[1] = rotation.y;
    axis[2] = rotation.z;
}

crm_posed_box crm_pose_box(const carom_view *view) {
    crm_posed_box box = {.position = view->pose.position,
                         .half = view->shape->half_axes,
                         .size = view->shape->bounding_radius,
                         .plane_to = view->shape->polytope.tolerance,
                         .centre = view->centre,
                         .has_centre = view->has_centre};
    crm_axes_of(view->pose.attitude, box.axis);
    return box;
}

bool crm_list_box_features(const crm_posed_box *a, const crm_posed_box *b, double near,
                           const carom_feature_options *options, int capacity, carom_feature_contact *out, int *count,
                           crm_box_plane *plane) {
    const crm_box_kernels *fast = crm_box_kernels_variant(1);
    return (fast != NULL ? fast : &portable)->list(a, b, near, options, capacity, out, count, plane);
}
