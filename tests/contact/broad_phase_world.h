// SPDX-License-Identifier: MIT
// Random proxies of all kinds of shapes, and their extents by support functions.
#ifndef TEST_CONTACT_BROAD_PHASE_WORLD_H
#define TEST_CONTACT_BROAD_PHASE_WORLD_H

#include <math.h>

#include "contact/broad/broad_phase.h"
#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

enum { CONVEX_SHAPES = 50, COMPOUNDS = 10, SHAPES = CONVEX_SHAPES + COMPOUNDS, FREE_VERTICES = 6, MOST_PROXIES = 4000 };

typedef struct shape_shelf {
    carom_shape *shape[SHAPES]; // sizes over four decades about 1
    carom_shape *half_space, *container;
    carom_vec3 vertices[FREE_VERTICES];
} shape_shelf;

static carom_shape *shape_from(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static carom_shape *sample_compound(sampler *s, const shape_shelf *shelf) {
    carom_shape_def defs[5], whole = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    carom_compound_part parts[5];
    int count = 1 + (int)sample_between(s, 0.0, 5.0);
    for (int i = 0; i < count; i++) {
        carom_shape_get_def(shelf->shape[(int)sample_between(s, 0.0, CONVEX_SHAPES)], &defs[i]);
        parts[i] = carom_compound_part_default();
        parts[i].shape = &defs[i];
        parts[i].pose = (carom_pose){sample_vec3(s, 1.0), sample_attitude(s)};
    }
    whole.compound = (carom_compound_def){count, parts};
    return shape_from(&whole);
}

static void shelf_create(sampler *s, shape_shelf *shelf) {
    for (int i = 0; i < CONVEX_SHAPES; i++)
        shelf->shape[i] = sample_shape(s, (carom_shape_kind)(i % 5), pow(10.0, sample_between(s, -2.5, 1.0)), 3.0);
    for (int i = CONVEX_SHAPES; i < SHAPES; i++) shelf->shape[i] = sample_compound(s, shelf);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space = (carom_half_space){sample_unit(s), sample_between(s, -1.0, 1.0)};
    shelf->half_space = shape_from(&def);
    def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    def.container.radius = 4.0;
    shelf->container = shape_from(&def);
    for (int i = 0; i < FREE_VERTICES; i++) shelf->vertices[i] = sample_vec3(s, 0.5);
}

static void shelf_destroy(shape_shelf *shelf) {
    for (int i = 0; i < SHAPES; i++) carom_shape_destroy(shelf->shape[i]);
    carom_shape_destroy(shelf->half_space);
    carom_shape_destroy(shelf->container);
}

static inline int sample_below(sampler *s, int count) {
    return (int)sample_between(s, 0.0, count);
}

// A view somewhere within `extent` of the origin; of one in twelve a half-space or container.
static carom_view sample_any_view(sampler *s, const shape_shelf *shelf, double extent, bool bounded) {
    carom_pose pose = {sample_vec3(s, extent), sample_attitude(s)};
    int kind = sample_below(s, bounded ? 22 : 24);
    carom_view view = carom_view_of(shelf->shape[sample_below(s, SHAPES)], pose);
    if (kind == 23) view.shape = shelf->half_space;
    if (kind == 22) view.shape = shelf->container;
    if (kind >= 20 && kind < 22) {
        view = carom_view_of_vertices(1 + sample_below(s, FREE_VERTICES), shelf->vertices);
        view.pose = pose;
    }
    return view;
}

static carom_motion sample_motion(sampler *s) {
    double speed = pow(10.0, sample_between(s, -3.0, 1.0)), spin = pow(10.0, sample_between(s, -3.0, 2.0));
    return (carom_motion){crm_scale(speed, sample_unit(s)), crm_scale(spin, sample_unit(s))};
}

// How far an item extends along a world direction from its position.
static double support_along(const crm_item *item, carom_vec3 direction) {
    const carom_view *view = &item->view;
    carom_vec3 local = crm_quat_rotate_inverse(view->pose.attitude, direction), point;
    if (view->shape != NULL) {
        if (carom_shape_get_support(view->shape, local, &point, NULL, NULL) != CAROM_OK) fail();
        return crm_dot(local, point);
    }
    double most = -INFINITY;
    for (int i = 0; i < view->vertex_count; i++) most = fmax(most, crm_dot(local, view->vertices[i]));
    return most;
}

// The item's extent along an axis, grown by its margin.
static void extent_along(const crm_item *item, int axis, double *low, double *high) {
    carom_vec3 e = crm_vec3(axis == 0, axis == 1, axis == 2);
    double x = crm_dot(e, item->view.pose.position), margin = item->proxy->margin;
    *low = x - support_along(item, crm_negate(e)) - margin;
    *high = x + support_along(item, e) + margin;
}

#endif
