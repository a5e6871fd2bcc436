// SPDX-License-Identifier: MIT
// The list of touches: from the contact set, which misses none that the rest of the step can bring about.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

// Gaps are known to this share of the sizes and distances that they are differences of.
static const double gap_resolution = 1e-14;

// Resolutions that a body may be moved by in projections of gaps.
static const double projections = 16.0;

// By how much bodies may get faster than they are before the list has to be made again.
static const double margin_slack = 1.5;

static const carom_shape *shape_of(const carom_model *model, int body) {
    return model->shapes.items[model->bodies.items[body].def.shape.index].shape;
}

static bool is_static_geometry(const carom_shape *shape) {
    return shape->kind == CAROM_SHAPE_HALF_SPACE || shape->kind == CAROM_SHAPE_CONTAINER;
}

// ---- margins

static double extent(const carom_shape *shape) {
    return is_static_geometry(shape) ? 0.0 : shape->bounding_radius;
}

// Forces of the last evaluation go on through the rest of the step. Projections move bodies by the resolution of gaps,
// which is that of the largest body: one that was stopped has no other margin.
static void expect(crm_impulse_events *e, double rest) {
    double largest = 0.0;
    crm_contact_step_expect(&e->found, e->motions, rest, margin_slack);
    for (int i = 0; i < e->found.proxy_count; i++)
        largest = fmax(largest, extent(shape_of(e->model, (int)e->found.proxies[i].id)));
    for (int i = 0; i < e->found.proxy_count; i++) {
        carom_proxy *proxy = &e->found.proxies[i];
        proxy->margin += projections * gap_resolution * largest;
        double fall = e->model->bodies.items[proxy->id].inverse_mass * crm_length(e->wrench[proxy->id].linear);
        proxy->margin += margin_slack * 0.5 * fall * rest * rest;
    }
}

bool crm_events_list_covers(const crm_impulse_events *e, double share) {
    for (int i = 0; i < e->found.proxy_count; i++) {
        int body = (int)e->found.proxies[i].id;
        if (e->model->graph.link_of_body[body] < 0) continue;
        const crm_motion *from = &e->listed[body], *to = &e->motions[body];
        const carom_shape *shape = shape_of(e->model, body);
        double arm = shape->bounding_radius + crm_distance(shape->centre, e->model->bodies.items[body].centre);
        double rotated = 2.0 * sin(0.5 * fmin(crm_quat_angle(from->q, to->q), 3.14159265358979));
        double gone = crm_distance(from->x, to->x) + (rotated > 0.0 ? arm * rotated : 0.0);
        // The rounding of places is no way.
        if (gone > share * e->found.proxies[i].margin + gap_resolution * (arm + crm_length(to->x))) return false;
    }
    return true;
}

// ---- one touch

static carom_vec3 in_principal(const crm_motion *m, carom_vec3 point) {
    return crm_quat_rotate_inverse(m->q, crm_sub(point, m->x));
}

// The direction of an edge, in principal axes.
static carom_vec3 edge_direction(const crm_body *body, const carom_shape *shape, int part, int edge) {
    carom_quat rotation = crm_quat_identity();
    if (shape->kind == CAROM_SHAPE_COMPOUND) {
        rotation = shape->part[part].pose.attitude;
        shape = shape->part[part].shape;
    }
    const carom_edge *of = &shape->polytope.edge[edge];
    carom_vec3 d = crm_sub(shape->polytope.vertex[of->vertices[1]], shape->polytope.vertex[of->vertices[0]]);
    carom_vec3 unit = {0.0, 0.0, 1.0};
    crm_normalise(d, &unit);
    return crm_quat_rotate_inverse(body->frame, crm_quat_rotate(rotation, unit));
}

static void set_edges(crm_impulse_events *e, const carom_contact *contact, crm_touch *t) {
    const crm_motion *a = &e->motions[t->a], *b = &e->motions[t->b];
    const crm_body *bodies = e->model->bodies.items;
    t->along_a = edge_direction(&bodies[t->a], shape_of(e->model, t->a), t->part_a, t->feature_a);
    t->along_b = edge_direction(&bodies[t->b], shape_of(e->model, t->b), t->part_b, t->feature_b);
    carom_vec3 product = crm_cross(crm_quat_rotate(a->q, t->along_a), crm_quat_rotate(b->q, t->along_b));
    if (crm_dot(product, contact->normal) < 0.0) t->along_a = crm_negate(t->along_a);
    t->at_a = in_principal(a, contact->point_a);
    t->at_b = in_principal(b, contact->point_b);
    t->kind = CRM_TOUCH_EDGES;
}

// A corner or a ball of one body on a plane of the other, or inside of the other.
static void set_ball(crm_impulse_events *e, const carom_contact *contact, bool ball_in_a, double radius, crm_touch *t) {
    const crm_motion *a = &e->motions[t->a], *b = &e->motions[t->b];
    const crm_motion *other = ball_in_a ? b : a;
    const carom_shape *wall = shape_of(e->model, ball_in_a ? t->b : t->a);
    carom_vec3 outward = ball_in_a ? crm_negate(contact->normal) : contact->normal;
    carom_vec3 of_ball = ball_in_a ? contact->point_a : contact->point_b;
    carom_vec3 of_other = ball_in_a ? contact->point_b : contact->point_a;
    carom_vec3 centre = crm_madd(of_ball, radius, outward);
    t->kind = CRM_TOUCH_PLANE;
    t->ball_in_a = ball_in_a;
    t->radius = radius;
    if (wall->kind == CAROM_SHAPE_CONTAINER) {
        t->kind = CRM_TOUCH_WALL;
        t->wall_radius = wall->radius;
        of_other = crm_motion_to_body_state(&e->model->bodies.items[ball_in_a ? t->b : t->a], other).position;
    }
    carom_vec3 normal = crm_quat_rotate_inverse(other->q, outward);
    if (ball_in_a)
        t->at_a = in_principal(a, centre), t->at_b = in_principal(b, of_other), t->along_b = normal;
    else
        t->at_b = in_principal(b, centre), t->at_a = in_principal(a, of_other), t->along_a = normal;
}

static void set_geometry(crm_impulse_events *e, const carom_contact *contact, crm_touch *t) {
    const carom_shape *a = shape_of(e->model, t->a), *b = shape_of(e->model, t->b);
    bool a_around = is_static_geometry(a), b_around = is_static_geometry(b);
    const carom_shape *inner = a_around ? b : a;
    bool round = inner->kind == CAROM_SHAPE_SPHERE || inner->kind == CAROM_SHAPE_CAPSULE;
    if (contact->kind == CAROM_CONTACT_KIND_CORNER_A)
        set_ball(e, contact, true, 0.0, t);
    else if (contact->kind == CAROM_CONTACT_KIND_CORNER_B)
        set_ball(e, contact, false, 0.0, t);
    else if (contact->kind == CAROM_CONTACT_KIND_EDGES)
        set_edges(e, contact, t);
    else if ((a_around || b_around) && round)
        set_ball(e, contact, b_around, inner->radius, t);
    else
        t->kind = CRM_TOUCH_NEAREST;
}

// Of the contact number `index` of those found.
static crm_touch new_touch(crm_impulse_events *e, int index) {
    const carom_contact *contact = &e->found.found[index];
    const crm_contact_site *site = &e->found.sites.items[index];
    crm_touch t = {.a = site->a,
                   .b = site->b,
                   .source = contact->kind,
                   .part_a = contact->part_a,
                   .part_b = contact->part_b,
                   .feature_a = contact->feature_a,
                   .feature_b = contact->feature_b,
                   .friction = site->friction,
                   .restitution = site->restitution};
    double size = extent(shape_of(e->model, t.a)) + extent(shape_of(e->model, t.b));
    t.resolution = gap_resolution * (size + crm_length(contact->point_a));
    set_geometry(e, contact, &t);
    return t;
}

// ---- the list

static bool same(const crm_touch *p, const crm_touch *q) {
    return p->a == q->a && p->b == q->b && p->source == q->source && p->part_a == q->part_a && p->part_b == q->part_b &&
           p->feature_a == q->feature_a && p->feature_b == q->feature_b && p->guard == q->guard;
}

// Lists are in the same order: the search goes on where the last one ended.
static crm_touch *find_former(crm_impulse_events *e, const crm_touch *t, int *from) {
    for (int k = 0; k < e->former.count; k++) {
        int i = (*from + k) % e->former.count;
        if (!same(&e->former.items[i], t)) continue;
        *from = i + 1;
        return &e->former.items[i];
    }
    return NULL;
}

static bool add_touch(crm_impulse_events *e, crm_touch t, int *from) {
    crm_touch *former = find_former(e, &t, from);
    if (former != NULL) {
        crm_touch kept = *former;
        former->impulse = crm_vec3_zero(); // it is carried over, with its work
        // Features stay where they are in their bodies, but nearest points of round ones do not.
        kept.resolution = t.resolution;
        t = kept;
    }
    return CRM_ARRAY_PUSH(&e->model->allocator, &e->touches, t);
}

// Of two polytopes corners and edges are touches, as far as they are listed; which are may change as the bodies rotate,
// so that the gap of the pair is watched too.
static bool add_guard(crm_impulse_events *e, int index, int *from) {
    crm_touch t = new_touch(e, index);
    if (is_static_geometry(shape_of(e->model, t.a)) || is_static_geometry(shape_of(e->model, t.b))) return true;
    if (t.source == CAROM_CONTACT_KIND_NEAREST) return true;
    t.kind = CRM_TOUCH_NEAREST;
    t.guard = true;
    t.source = CAROM_CONTACT_KIND_NEAREST;
    t.part_a = t.part_b = t.feature_a = t.feature_b = 0;
    return add_touch(e, t, from);
}

static bool keep_past(crm_impulse_events *e) {
    for (int i = 0; i < e->former.count; i++) {
        const crm_touch *t = &e->former.items[i];
        if (crm_length_squared(t->impulse) == 0.0) continue;
        if (!CRM_ARRAY_PUSH(&e->model->allocator, &e->past, *t)) return false;
    }
    return true;
}

static bool take_over(crm_impulse_events *e) {
    const carom_contact *list = e->found.found;
    int from = 0;
    if (!CRM_ARRAY_RESIZE(&e->model->allocator, &e->former, e->touches.count)) return false;
    if (e->touches.count > 0)
        memcpy(e->former.items, e->touches.items, (size_t)e->touches.count * sizeof *e->touches.items);
    e->touches.count = 0;
    for (int i = 0; i < e->found.found_count; i++) {
        bool new_pair = i == 0 || list[i].a != list[i - 1].a || list[i].b != list[i - 1].b;
        crm_touch t = new_touch(e, i);
        // Nearest points of one pair are one touch, whatever their number.
        bool again = !new_pair && t.kind == CRM_TOUCH_NEAREST && list[i - 1].kind == CAROM_CONTACT_KIND_NEAREST;
        if (!again && !add_touch(e, t, &from)) return false;
        if (new_pair && !add_guard(e, i, &from)) return false;
    }
    return keep_past(e);
}

carom_status crm_events_list_touches(crm_impulse_events *e, double time, carom_error *error) {
    if (e->found.proxy_count == 0) return CAROM_OK;
    expect(e, fmax(e->end - time, 0.0));
    carom_status status = crm_contact_step_find(&e->found, error);
    if (status != CAROM_OK) return status;
    int count = e->found.found_count;
    if (!crm_contact_step_take_sites(&e->found, e->found.found, count) || !take_over(e))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", count);
    for (int i = 0; i < e->scope.count; i++) e->listed[e->scope.body[i]] = e->motions[e->scope.body[i]];
    return CAROM_OK;
}
