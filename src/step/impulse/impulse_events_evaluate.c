// SPDX-License-Identifier: MIT
// Where touches are at given motions, how fast their points move, and how that changes with the motion.
#include <math.h>

#include "carom/time_of_impact.h"
#include "math/so3.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

static carom_vec3 point_of(const crm_motion *m, carom_vec3 at) {
    return crm_add(m->x, crm_quat_rotate(m->q, at));
}

// Bodies of a model have views that are good: a failure can only come from places that are too far away, which ends the
// step elsewhere.
static crm_contact_point nearest(const carom_model *model, crm_touch *touch, const crm_motion *a, const crm_motion *b) {
    carom_view view_a = crm_body_view(model, touch->a, a), view_b = crm_body_view(model, touch->b, b);
    carom_gap_witness w;
    if (carom_gap_find(&view_a, &view_b, NULL, &touch->cache, &w, NULL) != CAROM_OK)
        return (crm_contact_point){.gap = INFINITY, .normal = {0.0, 0.0, 1.0}};
    return (crm_contact_point){w.gap, w.normal, crm_scale(0.5, crm_add(w.point_a, w.point_b))};
}

// `outward` leads from the other body to the one with the ball.
static crm_contact_point of_ball(const crm_touch *touch, carom_vec3 centre, double distance, carom_vec3 outward) {
    double gap = distance - touch->radius;
    carom_vec3 point = crm_madd(centre, -(touch->radius + 0.5 * gap), outward);
    return (crm_contact_point){gap, touch->ball_in_a ? crm_negate(outward) : outward, point};
}

static crm_contact_point over_plane(const crm_touch *touch, const crm_motion *a, const crm_motion *b) {
    const crm_motion *ball = touch->ball_in_a ? a : b, *plane = touch->ball_in_a ? b : a;
    carom_vec3 centre = point_of(ball, touch->ball_in_a ? touch->at_a : touch->at_b);
    carom_vec3 foot = point_of(plane, touch->ball_in_a ? touch->at_b : touch->at_a);
    carom_vec3 outward = crm_quat_rotate(plane->q, touch->ball_in_a ? touch->along_b : touch->along_a);
    return of_ball(touch, centre, crm_dot(outward, crm_sub(centre, foot)), outward);
}

static crm_contact_point inside_wall(const crm_touch *touch, const crm_motion *a, const crm_motion *b) {
    carom_vec3 centre = point_of(touch->ball_in_a ? a : b, touch->ball_in_a ? touch->at_a : touch->at_b);
    carom_vec3 middle = point_of(touch->ball_in_a ? b : a, touch->ball_in_a ? touch->at_b : touch->at_a), inward;
    double distance = crm_normalise(crm_sub(middle, centre), &inward);
    if (distance == 0.0) inward = crm_vec3(0.0, 0.0, 1.0); // it touches all round
    return of_ball(touch, centre, touch->wall_radius - distance, inward);
}

static crm_contact_point between_edges(const crm_touch *touch, const crm_motion *a, const crm_motion *b) {
    carom_vec3 d = crm_quat_rotate(a->q, touch->along_a), e = crm_quat_rotate(b->q, touch->along_b),
               normal = {0.0, 0.0, 1.0};
    carom_vec3 p = point_of(a, touch->at_a), q = point_of(b, touch->at_b), from = crm_sub(q, p);
    // along_a is signed so that the product leads from a to b.
    if (crm_normalise(crm_cross(d, e), &normal) == 0.0) normal = crm_quat_rotate(a->q, crm_any_normal(touch->along_a));
    double de = crm_dot(d, e), below = 1.0 - de * de;
    double s = below > 0.0 ? (crm_dot(from, d) - de * crm_dot(from, e)) / below : 0.0;
    double t = below > 0.0 ? (de * crm_dot(from, d) - crm_dot(from, e)) / below : 0.0;
    carom_vec3 middle = crm_scale(0.5, crm_add(crm_madd(p, s, d), crm_madd(q, t, e)));
    return (crm_contact_point){crm_dot(normal, from), normal, middle};
}

crm_contact_point crm_touch_evaluate(const carom_model *model, crm_touch *touch, const crm_motion *a,
                                     const crm_motion *b) {
    switch (touch->kind) {
    case CRM_TOUCH_PLANE:
        return over_plane(touch, a, b);
    case CRM_TOUCH_WALL:
        return inside_wall(touch, a, b);
    case CRM_TOUCH_EDGES:
        return between_edges(touch, a, b);
    case CRM_TOUCH_NEAREST:
        break;
    }
    return nearest(model, touch, a, b);
}

// ---- velocities

void crm_events_twists(crm_impulse_events *e) {
    for (int i = 0; i < e->scope.count; i++) {
        int b = e->scope.body[i];
        e->twist[b] = crm_twist_of(e->model, e->motions, b);
    }
}

void crm_events_evaluate_touches(crm_impulse_events *e, bool closed_only) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (closed_only && t->mode == CRM_TOUCH_OPEN) continue;
        const crm_motion *a = &e->motions[t->a], *b = &e->motions[t->b];
        t->geometry = crm_touch_evaluate(e->model, t, a, b);
        t->velocity = crm_point_velocity(t->geometry.point, a, b, e->twist[t->a], e->twist[t->b]);
    }
}

// ---- closed touches

// Corners and edges are on planes and lines without end. A place on them counts where it is on the bodies too, to this
// share of their sizes.
static const double beside = 1e-9;

static bool on_body(const carom_model *model, int body, const crm_motion *m, int part, carom_vec3 point) {
    const carom_shape *shape = model->shapes.items[model->bodies.items[body].def.shape.index].shape;
    carom_body_state own = crm_motion_to_body_state(&model->bodies.items[body], m);
    carom_vec3 at = crm_quat_rotate_inverse(own.attitude, crm_sub(point, own.position));
    if (shape->kind == CAROM_SHAPE_COMPOUND) {
        const carom_pose *pose = &shape->part[part].pose;
        at = crm_quat_rotate_inverse(pose->attitude, crm_sub(at, pose->position));
        shape = shape->part[part].shape;
    }
    const crm_polytope *p = &shape->polytope;
    for (int f = 0; f < p->facet_count; f++)
        if (crm_dot(p->normal[f], at) > p->offset[f] + beside * p->extent) return false;
    return true; // of round shapes and static geometry too
}

static bool is_closed(const crm_impulse_events *e, const crm_touch *t) {
    if (!(t->geometry.gap <= t->resolution)) return false;
    if (t->kind != CRM_TOUCH_PLANE && t->kind != CRM_TOUCH_EDGES) return true;
    return on_body(e->model, t->a, &e->motions[t->a], t->part_a, t->geometry.point) &&
           on_body(e->model, t->b, &e->motions[t->b], t->part_b, t->geometry.point);
}

void crm_events_mark_closed(crm_impulse_events *e) {
    int first = 0; // of the pair
    bool others = false;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->a != e->touches.items[first].a || t->b != e->touches.items[first].b) first = i, others = false;
        t->closed = is_closed(e, t);
        others = others || (t->closed && !t->guard);
        bool last = i + 1 == e->touches.count || e->touches.items[i + 1].a != t->a || e->touches.items[i + 1].b != t->b;
        if (!last) continue;
        // The pair as a whole is a touch only when nothing else of it is.
        bool guarded = false;
        for (int k = first; k <= i; k++) {
            crm_touch *of = &e->touches.items[k];
            if (of->guard) guarded = true, of->closed = of->closed && !others, of->watched = !others;
        }
        for (int k = first; k <= i; k++)
            if (!e->touches.items[k].guard) e->touches.items[k].watched = !guarded || others;
    }
}

// ---- passing through

// Straight pieces that the way of two bodies is looked at in.
enum { PIECES = 4 };

// Where a body is on the way from the last state that was arrived at to e->motions, `share` of it: places and
// velocities at both ends make a cubic, rotations go evenly.
static crm_motion on_way(const crm_impulse_events *e, int b, double since, double share) {
    const crm_body *body = &e->model->bodies.items[b];
    const crm_motion *from = &e->from[b], *to = &e->motions[b];
    double s = share, t = 1.0 - share;
    carom_vec3 bend =
        crm_sub(crm_scale(t, crm_motion_velocity(body, from)), crm_scale(s, crm_motion_velocity(body, to)));
    crm_motion m = *from;
    m.x = crm_add(crm_scale(t * t * (1.0 + 2.0 * s), from->x), crm_scale(s * s * (1.0 + 2.0 * t), to->x));
    m.x = crm_madd(m.x, since * s * t, bend);
    carom_quat rotation = crm_quat_mul(crm_quat_same_side(to->q, from->q), crm_quat_conjugate(from->q));
    if (body->kind != CAROM_BODY_POINT) m.q = crm_quat_step(from->q, crm_so3_log(rotation), share);
    return m;
}

static carom_motion piece_of(const crm_impulse_events *e, int b, const crm_motion *from, const crm_motion *to) {
    const crm_body *body = &e->model->bodies.items[b];
    carom_body_state start = crm_motion_to_body_state(body, from), end = crm_motion_to_body_state(body, to);
    carom_quat rotation =
        crm_quat_mul(crm_quat_same_side(end.attitude, start.attitude), crm_quat_conjugate(start.attitude));
    return (carom_motion){crm_sub(end.position, start.position), crm_so3_log(rotation)};
}

bool crm_events_passed(const crm_impulse_events *e, const crm_touch *t, double since) {
    crm_motion from[2], to[2] = {e->from[t->a], e->from[t->b]};
    for (int i = 1; i <= PIECES; i++) {
        carom_motion piece[2];
        for (int k = 0; k < 2; k++) {
            int body = k == 0 ? t->a : t->b;
            bool fixed = e->model->graph.link_of_body[body] < 0;
            from[k] = to[k];
            if (!fixed) to[k] = i < PIECES ? on_way(e, body, since, (double)i / PIECES) : e->motions[body];
            piece[k] = piece_of(e, body, &from[k], &to[k]);
        }
        carom_view a = crm_body_view(e->model, t->a, &from[0]), b = crm_body_view(e->model, t->b, &from[1]);
        carom_toi_result found;
        if (carom_toi_find(&a, &piece[0], &b, &piece[1], NULL, &found, NULL) != CAROM_OK) return false;
        if (found.outcome != CAROM_TOI_NONE) return true;
    }
    return false;
}
