// SPDX-License-Identifier: MIT
#include "distance/events.h"

static bool is_box(const carom_view *view) {
    if (view->shape == NULL || view->shape->kind != CAROM_SHAPE_BOX) return false;
    carom_vec3 c = crm_vec3_abs(view->centre), h = view->shape->half_axes;
    return !view->has_centre || (c.x < h.x && c.y < h.y && c.z < h.z);
}

bool crm_are_boxes(const carom_view *a, const carom_view *b) {
    return is_box(a) && is_box(b);
}

bool crm_list_box_events(const carom_view *a, const carom_view *b, double near, const carom_event_options *options,
                         int capacity, carom_event *out, int *count, crm_box_plane *plane) {
    carom_distance_options quick = carom_distance_options_default();
    quick.any_solution = true;
    carom_ray_witness ray;
    *count = 0;
    carom_find_ray(a, b, &quick, NULL, &ray, NULL);
    *plane = (crm_box_plane){ray.normal, ray.plane_gap};
    if (ray.plane_gap > near) return false;
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, 0, CRM_FROM_VIEW, &side_b);
    *count = crm_list_events(&side_a, &side_b, &ray, options, capacity, out);
    return true;
}
