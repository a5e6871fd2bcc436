// SPDX-License-Identifier: MIT
#include "reference/motion/motion_watch.h"

#include <math.h>

#include "math/quat.h"
#include "reference/polytope/convex_body.h"
#include "shape/shape.h"

typedef struct pose {
    wide_rotation rotation; // of the body's frame
    wide3 origin;
} pose;

static wide3 wide_of(carom_vec3 v) {
    return (wide3){v.x, v.y, v.z};
}

static carom_vec3 narrow(wide3 v) {
    return (carom_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static carom_mat3 narrow_rotation(wide_rotation r) {
    return (carom_mat3){narrow(r.x), narrow(r.y), narrow(r.z)};
}

// ---- between nodes

// v after a rotation by `angle` about the unit vector k.
static wide3 rotated(wide3 v, wide3 k, wide angle) {
    wide c = cosl(angle), s = sinl(angle), along = wide3_dot(k, v) * (1.0L - c);
    return wide3_along(wide3_along(wide3_scale(c, v), s, wide3_cross(k, v)), along, k);
}

// Axis and angle of F = R' R^T: its unsymmetric part is sin(angle) times the axis.
static wide axis_of(const carom_mat3 *from, const carom_mat3 *to, wide3 *axis) {
    const carom_vec3 a[3] = {from->x, from->y, from->z}, b[3] = {to->x, to->y, to->z};
    wide3 sum = {0.0L, 0.0L, 0.0L};
    wide trace = 0.0L;
    for (int i = 0; i < 3; i++) {
        sum = wide3_along(sum, 0.5L, wide3_cross(wide_of(a[i]), wide_of(b[i])));
        trace += wide3_dot(wide_of(a[i]), wide_of(b[i]));
    }
    wide sine = wide3_norm(sum), angle = atan2l(sine, 0.5L * (trace - 1.0L));
    *axis = sine > 0.0L ? wide3_scale(1.0L / sine, sum) : (wide3){1.0L, 0.0L, 0.0L};
    return angle;
}

// Centres of mass go on lines, bodies rotate at constant spin.
static pose pose_at(const carom_model *model, const crm_plan_motion *m, int interval, int body, wide share) {
    int here = interval * m->body_count + body, there = here + m->body_count;
    const carom_mat3 *r = &m->attitude[here];
    wide3 axis;
    wide angle = share * axis_of(r, &m->attitude[there], &axis);
    pose p = {.rotation = {rotated(wide_of(r->x), axis, angle), rotated(wide_of(r->y), axis, angle),
                           rotated(wide_of(r->z), axis, angle)}};
    carom_body_def def;
    (void)carom_model_get_body(model, (carom_body){body}, &def, NULL);
    wide3 way = wide3_sub(wide_of(m->position[there]), wide_of(m->position[here]));
    wide3 centre = wide3_along(wide_of(m->position[here]), share, way);
    p.origin = wide3_sub(centre, wide_rotate(p.rotation, wide_of(def.centre)));
    return p;
}

// ---- two parts

typedef struct part {
    const carom_shape *shape;
    pose at;
} part;

static int part_count(const carom_shape *shape) {
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->part_count : 1;
}

static part part_of(const carom_shape *shape, const pose *at, int i) {
    if (shape->kind != CAROM_SHAPE_COMPOUND) return (part){shape, *at};
    const crm_part *p = &shape->part[i];
    carom_mat3 own = crm_quat_to_mat3(p->pose.attitude);
    part out = {.shape = p->shape};
    out.at.origin = wide3_add(at->origin, wide_rotate(at->rotation, wide_of(p->pose.position)));
    out.at.rotation =
        (wide_rotation){wide_rotate(at->rotation, wide_of(own.x)), wide_rotate(at->rotation, wide_of(own.y)),
                        wide_rotate(at->rotation, wide_of(own.z))};
    return out;
}

static carom_view view_of(const part *p) {
    carom_quat attitude = crm_quat_normalised(crm_quat_from_mat3(narrow_rotation(p->at.rotation)));
    return carom_view_of(p->shape, (carom_pose){narrow(p->at.origin), attitude});
}

static wide3 opposite(wide3 v) {
    return wide3_scale(-1.0L, v);
}

// Of a half-space the lowest point of the other one.
static double gap_above(const part *floor, const convex_body *body) {
    wide3 normal = wide_rotate(floor->at.rotation, wide_of(floor->shape->normal));
    wide height = -convex_body_support(body, opposite(normal)) - wide3_dot(normal, floor->at.origin);
    return (double)(height - floor->shape->offset);
}

static double proved_gap(const part *a, const part *b, const convex_body *of_a, const convex_body *of_b) {
    carom_view view_a = view_of(a), view_b = view_of(b);
    carom_gap_witness hint;
    if (carom_gap_find(&view_a, &view_b, NULL, NULL, &hint, NULL) != CAROM_OK) return -INFINITY;
    return (double)convex_separation(of_a, of_b, hint.normal);
}

// `*gap`: unchanged where they are farther apart than that by their balls.
static void look(const part *a, const part *b, double enough, double *gap, long *moments) {
    bool floor_a = a->shape->kind == CAROM_SHAPE_HALF_SPACE, floor_b = b->shape->kind == CAROM_SHAPE_HALF_SPACE;
    convex_body of_a = {0}, of_b = {0};
    if (!floor_a) of_a = convex_body_at(a->shape, a->at.rotation, a->at.origin);
    if (!floor_b) of_b = convex_body_at(b->shape, b->at.rotation, b->at.origin);
    wide apart = wide3_norm(wide3_sub(of_b.centre, of_a.centre)) - of_a.size - of_b.size;
    if (floor_a || floor_b || !(apart > enough)) {
        double found = floor_a ? gap_above(a, &of_b) : floor_b ? gap_above(b, &of_a) : proved_gap(a, b, &of_a, &of_b);
        *gap = fmin(*gap, found);
        ++*moments;
    }
    convex_body_free(&of_a);
    convex_body_free(&of_b);
}

// ---- all pairs

static const carom_shape *shape_of(const carom_model *model, carom_body body) {
    carom_body_def def;
    (void)carom_model_get_body(model, body, &def, NULL);
    return carom_model_get_shape(model, def.shape);
}

static void watch_pair(const carom_model *model, const crm_plan_motion *m, carom_body a, carom_body b, int moments,
                       double enough, motion_watch *watch) {
    const carom_shape *shape_a = shape_of(model, a), *shape_b = shape_of(model, b);
    if (shape_a == NULL || shape_b == NULL) return;
    for (int i = 0; i <= m->interval_count * moments; i++) {
        int interval = i / moments < m->interval_count ? i / moments : m->interval_count - 1;
        wide share = (wide)(i - interval * moments) / moments;
        pose at_a = pose_at(model, m, interval, a.index, share), at_b = pose_at(model, m, interval, b.index, share);
        double gap = watch->gap;
        for (int p = 0; p < part_count(shape_a) * part_count(shape_b); p++) {
            part of_a = part_of(shape_a, &at_a, p / part_count(shape_b));
            part of_b = part_of(shape_b, &at_b, p % part_count(shape_b));
            look(&of_a, &of_b, enough, &gap, &watch->moments);
        }
        if (gap < watch->gap) {
            watch->gap = gap;
            watch->a = a, watch->b = b;
            watch->interval = interval;
            watch->share = (double)share;
        }
    }
}

motion_watch watch_motion(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                          int moments, double enough) {
    motion_watch watch = {.gap = enough, .a = {-1}, .b = {-1}};
    for (int i = 0; i < def->avoid.pair_count; i++)
        watch_pair(model, motion, def->avoid.pair[i].a, def->avoid.pair[i].b, moments, enough, &watch);
    for (int a = 0; def->avoid.pair_count == 0 && a < motion->body_count; a++)
        for (int b = a + 1; b < motion->body_count; b++)
            if (carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b}))
                watch_pair(model, motion, (carom_body){a}, (carom_body){b}, moments, enough, &watch);
    return watch;
}
