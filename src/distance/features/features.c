// SPDX-License-Identifier: MIT
#include "distance/features/features.h"

#include "base/fail.h"

static const double smallest_sine = 1e-9; // that may be asked for

carom_feature_options carom_feature_options_default(void) {
    return (carom_feature_options){
        .struct_size = sizeof(carom_feature_options), .gap_tolerance = 0.0, .margin = 0.0, .least_sine = 1e-3};
}

static carom_status check_options(const carom_feature_options *o, carom_error *error) {
    if (!(o->gap_tolerance >= 0.0) || isinf(o->gap_tolerance))
        return crm_refuse(error, "gap_tolerance is %g m, must be finite and not negative", o->gap_tolerance);
    if (!(o->margin >= 0.0)) return crm_refuse(error, "margin is %g m, must not be negative", o->margin);
    if (!(o->least_sine >= smallest_sine && o->least_sine <= 1.0))
        return crm_refuse(error, "least_sine is %g, must be between %g and 1", o->least_sine, smallest_sine);
    return CAROM_OK;
}

static carom_status check_view(const carom_view *view, const char *name, carom_error *error) {
    if (view->shape == NULL)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "view %s: bare vertices have no edges and facets to make contacts of; make a polytope of them",
                        name);
    carom_shape_kind kind = view->shape->kind;
    if (kind != CAROM_SHAPE_BOX && kind != CAROM_SHAPE_POLYTOPE)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "view %s: feature contacts are of boxes and polytopes, this is a %s", name,
                        carom_shape_kind_name(kind));
    return CAROM_OK;
}

static carom_status list_by_ray(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                                int capacity, carom_feature_contact *out, int *count, carom_error *error) {
    // Any optimal ray will do: the rules ask for its value, the bounds for any of its answers.
    carom_distance_options quick = carom_distance_options_default();
    quick.any_solution = true;
    carom_ray_witness ray;
    carom_status status = carom_ray_find(a, b, &quick, NULL, &ray, error);
    if (status != CAROM_OK) return status;
    if (ray.outcome == CAROM_RAY_MISSES)
        return crm_refuse(error,
                          "the bodies do not meet along the line of their centres; a centre is outside of its body");
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, 0, CRM_FROM_VIEW, &side_b);
    *count = crm_list_features(&side_a, &side_b, &ray, options, capacity, out);
    return CAROM_OK;
}

carom_status carom_features_find(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                                 int capacity, carom_feature_contact *out, int *count, carom_error *error) {
    CRM_NEED(a, error);
    CRM_NEED(b, error);
    CRM_NEED(count, error);
    *count = 0;
    carom_status status = CRM_CHECK_OPTIONS(options, carom_feature_options, error);
    if (status != CAROM_OK) return status;
    carom_feature_options chosen = options != NULL ? *options : carom_feature_options_default();
    status = check_options(&chosen, error);
    if (status == CAROM_OK) status = check_view(a, "A", error);
    if (status == CAROM_OK) status = check_view(b, "B", error);
    if (status != CAROM_OK) return status;
    if (capacity < 0 || (capacity > 0 && out == NULL))
        return crm_refuse(error, "capacity is %d, must not be negative, and needs an array", capacity);

    status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status != CAROM_OK) return status;
    if (crm_is_box(a) && crm_is_box(b)) {
        crm_box_plane plane;
        crm_posed_box box_a = crm_pose_box(a), box_b = crm_pose_box(b);
        crm_list_box_features(&box_a, &box_b, INFINITY, &chosen, capacity, out, count, &plane);
        return CAROM_OK;
    }
    return list_by_ray(a, b, &chosen, capacity, out, count, error);
}
