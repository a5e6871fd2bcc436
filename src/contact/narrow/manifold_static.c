// SPDX-License-Identifier: MIT
// Bodies over a half-space or in a container (docs/math.md 4.3, 4.4): every corner that can touch in the step is a
// contact, of a capsule both ends, of an ellipsoid each place that is farther out than all around it.
#include <math.h>

#include "contact/narrow/manifold.h"
#include "distance/static_geometry.h"

typedef struct around {
    crm_static_geometry s;
    bool half_space;
    crm_side body;
} around;

// A point of the body and the wall's point over it along a unit vector. Corners have their numbers as features.
static bool put_place(crm_manifold *m, const around *w, carom_contact_kind kind, int number, double gap,
                      carom_vec3 towards_wall, carom_vec3 of_body) {
    if (!(gap <= m->margin)) return true;
    carom_vec3 of_wall = crm_madd(of_body, gap, towards_wall);
    bool corner = kind != CAROM_CONTACT_KIND_NEAREST;
    if (w->s.is_a)
        return crm_put_contact(m, kind, corner ? 0 : number, corner ? number : 0, gap, crm_negate(towards_wall),
                               of_wall, of_body);
    return crm_put_contact(m, kind, number, 0, gap, towards_wall, of_body, of_wall);
}

// A vertex of the core with the ball around it, from the static geometry's origin.
static bool put_vertex(crm_manifold *m, const around *w, carom_contact_kind kind, int vertex, carom_vec3 arm) {
    double r = w->body.radius;
    carom_vec3 towards_wall;
    double gap;
    if (w->half_space) {
        towards_wall = crm_negate(w->s.normal);
        gap = crm_dot(w->s.normal, arm) - r;
    } else {
        double distance = crm_normalise(arm, &towards_wall);
        if (distance == 0.0) towards_wall = w->body.rotation.z; // it touches all round
        gap = w->s.radius - distance - r;
    }
    if (!(gap <= m->margin)) return true;
    return put_place(m, w, kind, vertex, gap, towards_wall, crm_add(w->s.origin, crm_madd(arm, r, towards_wall)));
}

static bool put_vertices(crm_manifold *m, const around *w) {
    bool sharp = w->body.roundness == CRM_SHARP;
    carom_contact_kind corner = w->s.is_a ? CAROM_CONTACT_KIND_CORNER_B : CAROM_CONTACT_KIND_CORNER_A;
    carom_vec3 centre = crm_sub(w->body.centre, w->s.origin);
    for (int i = 0; i < w->body.vertex_count; i++)
        if (!put_vertex(m, w, sharp ? corner : CAROM_CONTACT_KIND_NEAREST, i,
                        crm_add(centre, crm_core_arm(&w->body, i))))
            return false;
    return true;
}

// ---- ellipsoids

// Another point of the ring or sphere of farthest points, `aside` from the middle of two opposite ones.
static bool put_farthest(crm_manifold *m, const around *w, int number, carom_vec3 middle, carom_vec3 aside) {
    carom_vec3 point = crm_add(middle, aside), outward;
    double distance = crm_normalise(crm_sub(point, w->s.origin), &outward);
    return put_place(m, w, CAROM_CONTACT_KIND_NEAREST, number, w->s.radius - distance, outward, point);
}

// An ellipsoid that touches all round needs a symmetric set: opposite points along each direction of the family.
static bool put_family(crm_manifold *m, const around *w, const crm_ellipsoid *e, const crm_inside_witness *farthest) {
    carom_vec3 middle = crm_scale(0.5, crm_add(farthest->point, farthest->second_point)), unit;
    carom_vec3 aside = crm_sub(farthest->point, middle);
    double length = crm_normalise(aside, &unit);
    // Of a ring the axis is the short one, of a sphere any that is normal to the first direction.
    carom_vec3 axis = crm_any_normal(unit), a = e->half_axes;
    if (farthest->family == CRM_FARTHEST_CIRCLE)
        axis = a.x < a.y && a.x < a.z ? e->axes.x : a.y < a.z ? e->axes.y : e->axes.z;
    carom_vec3 across = crm_scale(length, crm_cross(axis, unit));
    if (!put_farthest(m, w, 2, middle, across) || !put_farthest(m, w, 3, middle, crm_negate(across))) return false;
    if (farthest->family == CRM_FARTHEST_CIRCLE) return true;
    carom_vec3 up = crm_scale(length, axis);
    return put_farthest(m, w, 4, middle, up) && put_farthest(m, w, 5, middle, crm_negate(up));
}

static bool put_ellipsoid_inside(crm_manifold *m, const around *w) {
    crm_ellipsoid e = crm_ellipsoid_of_side(&w->body);
    crm_inside_witness f = crm_ellipsoid_in_sphere(&e, w->s.origin, w->s.radius);
    if (!put_place(m, w, CAROM_CONTACT_KIND_NEAREST, 0, f.gap, f.normal, f.point)) return false;
    if (!f.has_second) return true;
    if (!put_place(m, w, CAROM_CONTACT_KIND_NEAREST, 1, f.second_gap, f.second_normal, f.second_point)) return false;
    return f.family <= CRM_FARTHEST_TWO_POINTS || put_family(m, w, &e, &f);
}

bool crm_contacts_with_static_geometry(crm_manifold *m) {
    carom_shape_kind kind_a = crm_view_kind(&m->a->view);
    bool is_a = kind_a == CAROM_SHAPE_HALF_SPACE || kind_a == CAROM_SHAPE_CONTAINER;
    const carom_view *outer = is_a ? &m->a->view : &m->b->view;
    around w;
    w.s = crm_static_geometry_of(outer->shape, &outer->pose, is_a);
    w.half_space = outer->shape->kind == CAROM_SHAPE_HALF_SPACE;
    crm_side_of(is_a ? &m->b->view : &m->a->view, 0, CRM_FROM_INSIDE, &w.body);
    if (w.body.roundness != CRM_ELLIPSOID) return put_vertices(m, &w);
    if (!w.half_space) return put_ellipsoid_inside(m, &w);
    carom_vec3 down = crm_negate(w.s.normal), lowest;
    double depth = crm_round_support(&w.body, down, &lowest);
    carom_vec3 centre = crm_add(w.body.centre, crm_core_arm(&w.body, 0));
    double gap = crm_dot(w.s.normal, crm_sub(centre, w.s.origin)) - depth;
    return put_place(m, &w, CAROM_CONTACT_KIND_NEAREST, 0, gap, down, crm_add(centre, lowest));
}
