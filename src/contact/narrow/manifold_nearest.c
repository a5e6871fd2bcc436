// SPDX-License-Identifier: MIT
// One contact of a pair: its nearest points, or those of the centre ray.
#include "contact/narrow/manifold.h"
#include "distance/side.h"

bool crm_put_contact(crm_manifold *m, carom_contact_kind kind, int feature_a, int feature_b, double gap,
                     carom_vec3 normal, carom_vec3 point_a, carom_vec3 point_b) {
    return CRM_ARRAY_PUSH(m->allocator, m->out,
                          (carom_contact){.a = m->a->place,
                                          .b = m->b->place,
                                          .part_a = m->a->part,
                                          .part_b = m->b->part,
                                          .kind = kind,
                                          .feature_a = feature_a,
                                          .feature_b = feature_b,
                                          .gap = gap,
                                          .normal = normal,
                                          .point_a = point_a,
                                          .point_b = point_b});
}

// Of a sphere or ellipsoid there is one nearest point, whatever the other body is: no ties.
static bool is_curved(const carom_view *view) {
    carom_shape_kind kind = crm_view_kind(view);
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_ELLIPSOID;
}

bool crm_contact_of_nearest_points(crm_manifold *m) {
    const carom_distance_options options = {.struct_size = sizeof(carom_distance_options),
                                            .any_solution = is_curved(&m->a->view) || is_curved(&m->b->view)};
    carom_gap_witness w;
    // Views that have been checked, one of them bounded: this does not fail.
    (void)carom_gap_find(&m->a->view, &m->b->view, &options, crm_cache_of(m), &w, NULL);
    if (w.gap <= m->margin)
        return crm_put_contact(m, CAROM_CONTACT_KIND_NEAREST, 0, 0, w.gap, w.normal, w.point_a, w.point_b);
    crm_remember_apart(m, w.normal);
    return true;
}

// The ray's points lie in the two supporting planes, one over the other along beta; the contact's lie in the same
// planes, one over the other along the normal, to either side of the same middle.
bool crm_contact_of_ray(crm_manifold *m) {
    carom_ray_witness ray;
    carom_status status = carom_ray_find(&m->a->view, &m->b->view, NULL, crm_cache_of(m), &ray, NULL);
    if (status != CAROM_OK || ray.outcome == CAROM_RAY_MISSES) return crm_contact_of_nearest_points(m);
    if (ray.plane_gap > m->margin) {
        crm_remember_apart(m, ray.normal);
        return true;
    }
    carom_vec3 middle = crm_scale(0.5, crm_add(ray.point_a, ray.point_b));
    return crm_put_contact(m, CAROM_CONTACT_KIND_NEAREST, 0, 0, ray.plane_gap, ray.normal,
                           crm_madd(middle, -0.5 * ray.plane_gap, ray.normal),
                           crm_madd(middle, 0.5 * ray.plane_gap, ray.normal));
}
