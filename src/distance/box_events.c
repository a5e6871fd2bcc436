// SPDX-License-Identifier: MIT
// The list of two boxes that runs everywhere, and the choice at run time.
#include "distance/box_events.h"

#include "distance/box_events_body.h"

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

static bool is_box(const carom_view *view) {
    if (view->shape == NULL || view->shape->kind != CAROM_SHAPE_BOX) return false;
    carom_vec3 c = crm_vec3_abs(view->centre), h = crm_scale(1.0 - least_depth, view->shape->half_axes);
    return !view->has_centre || (c.x <= h.x && c.y <= h.y && c.z <= h.z);
}

bool crm_are_boxes(const carom_view *a, const carom_view *b) {
    return is_box(a) && is_box(b);
}

bool crm_list_box_events(const carom_view *a, const carom_view *b, double near, const carom_event_options *options,
                         int capacity, carom_event *out, int *count, crm_box_plane *plane) {
    const crm_box_kernels *fast = crm_box_kernels_variant(1);
    return (fast != NULL ? fast : &portable)->list(a, b, near, options, capacity, out, count, plane);
}
