// SPDX-License-Identifier: MIT
// Two polytopes: the feature contacts that can become active within the step (docs/math.md 5.3).
//
// Let r be the joint margin: no two points of the bodies move relative to each other by more. A contact can become
// active only if its gap is at most r, its features are over each other up to r, and its lift and deficiency
// (feature_rules.h) can vanish: they change by what the bodies rotate, and by what they slide where normals differ. So
// r is the tolerance and the margin of the list, as far as a share of the smaller body: beyond, every feature of a body
// would be a contact.
//
// Of these a contact is left out when its gap is above r, or below that of the pair itself (0 for bodies apart): it
// would have to be opened by a force although the bodies are apart, or nearer to parting along another normal. What is
// left still holds every contact along the normal that parts the pair best, and these alone keep it parted.
//
// Which one parts it best is the centre ray's choice. From the centre of a wide floor the ray to a body at its rim is
// nearly level, and once the body is in by a little it leaves through the rim. So a box that is much larger than
// the other body is looked from where a ball of its in-radius lies nearest to that body.
#include <math.h>
#include <string.h>

#include "contact/narrow/manifold.h"
#include "distance/features/features.h"
#include "math/quat.h"

// Most that is admitted, of the smaller bounding radius.
static const double most_tolerance = 0.25;
// How far below the pair's own gap that of a contact may be, of the tolerance: corners that meet corners are a little.
static const double depth_slack = 1e-3;

// How many times as large a box is that is not looked from its centre.
static const double much_larger = 2.0;
// Of the in-radius: nearer to the point that is looked from the other body's centre has no direction.
static const double coincident = 1e-3;

enum { USUAL_FEATURES = 64 };

typedef CRM_ARRAY(carom_feature_contact) feature_array;

// Any optimal ray, or nearest points, will do: the rules ask for values.
static const carom_distance_options quick = {.struct_size = sizeof(carom_distance_options), .any_solution = true};

static carom_feature_options feature_options_of(const crm_manifold *m, double size_a, double size_b) {
    carom_feature_options options = carom_feature_options_default();
    double most = most_tolerance * (size_a < size_b ? size_a : size_b);
    options.gap_tolerance = options.margin = m->margin < most ? m->margin : most;
    return options;
}

static double least_gap_of(const crm_manifold *m, double plane_gap, const carom_feature_options *options) {
    return (plane_gap < 0.0 ? plane_gap : 0.0) - depth_slack * options->gap_tolerance - m->rounding;
}

static bool put_features(crm_manifold *m, int count, const carom_feature_contact *features, double least_gap) {
    crm_contact_array *out = m->out;
    if (out->capacity - out->count < count && !CRM_ARRAY_RESERVE(m->allocator, out, (ptrdiff_t)out->count + count))
        return false;
    for (int i = 0; i < count; i++) {
        const carom_feature_contact *e = &features[i];
        if (!(e->gap <= m->margin && e->gap >= least_gap)) continue;
        carom_contact *c = &out->items[out->count++];
        c->a = m->a->place;
        c->b = m->b->place;
        c->part_a = m->a->part;
        c->part_b = m->b->part;
        c->kind = (carom_contact_kind)(CAROM_CONTACT_KIND_CORNER_A + (int)e->kind);
        c->feature_a = e->feature_a;
        c->feature_b = e->feature_b;
        c->fresh = false;
        c->gap = e->gap;
        c->normal = e->normal;
        c->point_a = e->point_a;
        c->point_b = e->point_b;
        c->tangent = crm_vec3_zero();
        memset(c->impulse, 0, sizeof c->impulse);
    }
    return true;
}

// The view of a much larger box gets a centre below the other body; `room` is for the changed view.
static const carom_view *seen_near(const carom_view *view, const carom_view *other, carom_view *room) {
    const carom_shape *shape = view->shape;
    if (shape->kind != CAROM_SHAPE_BOX || shape->bounding_radius <= much_larger * other->shape->bounding_radius)
        return view;
    carom_vec3 centre = crm_add(other->pose.position, crm_quat_rotate(other->pose.attitude, other->shape->centre));
    centre = crm_quat_rotate_inverse(view->pose.attitude, crm_sub(centre, view->pose.position));
    carom_vec3 most = crm_sub(shape->half_axes, crm_vec3(shape->in_radius, shape->in_radius, shape->in_radius));
    carom_vec3 inside = crm_vec3_max(crm_negate(most), crm_vec3_min(most, centre));
    if (crm_distance(inside, centre) <= coincident * shape->in_radius) return view;
    *room = *view;
    room->has_centre = true;
    room->centre = inside;
    return room;
}

static bool put_listed(crm_manifold *m, const carom_view *view_a, const carom_view *view_b,
                       const carom_ray_witness *ray) {
    crm_side a, b;
    crm_side_of(view_a, 0, CRM_FROM_VIEW, &a);
    crm_side_of(view_b, 0, CRM_FROM_VIEW, &b);
    carom_feature_options options =
        feature_options_of(m, view_a->shape->bounding_radius, view_b->shape->bounding_radius);
    double least_gap = least_gap_of(m, ray->plane_gap, &options);

    carom_feature_contact usual[USUAL_FEATURES];
    int count = crm_list_features(&a, &b, ray, &options, USUAL_FEATURES, usual);
    if (count <= USUAL_FEATURES) return put_features(m, count, usual, least_gap);
    feature_array many = {0};
    if (!CRM_ARRAY_RESERVE(m->allocator, &many, count)) return false;
    count = crm_list_features(&a, &b, ray, &options, count, many.items);
    bool done = put_features(m, count, many.items, least_gap);
    CRM_ARRAY_FREE(m->allocator, &many);
    return done;
}

// The gap lies between the plane gap and the value of the ray: it is asked for only where that leaves it open.
static bool is_out_of_margin(crm_manifold *m, double value, double plane_gap, carom_vec3 normal) {
    if (value <= m->margin) return false;
    if (plane_gap <= m->margin) {
        carom_gap_witness w;
        (void)carom_gap_find(&m->a->view, &m->b->view, &quick, crm_cache_of(m), &w, NULL);
        if (w.gap <= m->margin) return false;
        normal = w.normal;
    }
    crm_remember_apart(m, normal);
    return true;
}

// Only boxes that stay near each other without contacts use their cache again: others need not move it.
static bool put_nearest_of_boxes(crm_manifold *m) {
    int before = m->out->count;
    bool done = crm_contact_of_nearest_points(m);
    m->memory->has_cache = m->out->count > before;
    return done;
}

// The contacts of boxes come with the ray's value, so that they are there before it is known whether they are within
// the margin. Most are.
static bool put_boxes(crm_manifold *m, const crm_posed_box *a, const crm_posed_box *b) {
    carom_feature_options options = feature_options_of(m, a->size, b->size);
    carom_feature_contact features[CRM_MOST_BOX_FEATURES];
    crm_box_plane plane;
    int count, before = m->out->count;
    if (!crm_list_box_features(a, b, m->margin, &options, CRM_MOST_BOX_FEATURES, features, &count, &plane)) {
        crm_remember_apart(m, plane.normal);
        m->memory->has_cache = 0;
        return true;
    }
    if (!put_features(m, count, features, least_gap_of(m, plane.gap, &options))) return false;
    if (m->out->count == before) return put_nearest_of_boxes(m);
    if (is_out_of_margin(m, plane.value, plane.gap, plane.normal)) m->out->count = before;
    m->memory->has_cache = 0;
    return true;
}

static bool is_much_larger(const crm_item *a, const crm_item *b) {
    return a->posed.size > much_larger * b->posed.size;
}

bool crm_contacts_of_polytopes(crm_manifold *m) {
    if (m->a->is_box && m->b->is_box && !is_much_larger(m->a, m->b) && !is_much_larger(m->b, m->a))
        return put_boxes(m, &m->a->posed, &m->b->posed);
    carom_view room_a, room_b;
    const carom_view *a = seen_near(&m->a->view, &m->b->view, &room_a);
    const carom_view *b = seen_near(&m->b->view, &m->a->view, &room_b);
    if (crm_is_box(a) && crm_is_box(b)) {
        crm_posed_box box_a = crm_pose_box(a), box_b = crm_pose_box(b);
        return put_boxes(m, &box_a, &box_b);
    }
    carom_ray_witness ray;
    (void)carom_ray_find(a, b, &quick, crm_cache_of(m), &ray, NULL);
    if (is_out_of_margin(m, ray.value, ray.plane_gap, ray.normal)) return true;
    int before = m->out->count;
    if (!put_listed(m, a, b, &ray)) return false;
    return m->out->count > before || crm_contact_of_nearest_points(m);
}
