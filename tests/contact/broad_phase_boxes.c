// SPDX-License-Identifier: MIT
// Reaches and boxes: no point of a moving shape gets beyond them, and they are no larger than they need to be.
#include <float.h>

#include "contact/broad_phase_world.h"
#include "contact/item_layout.h"
#include "distance/side.h"

// Where a point of the view is after a time: the screw motion by Rodrigues' formula, in long double.
static void point_at(const carom_view *view, const carom_motion *motion, carom_vec3 local, double time,
                     long double *out) {
    carom_quat q = view->pose.attitude;
    long double w = q.w, u[3] = {q.x, q.y, q.z}, v[3] = {local.x, local.y, local.z}, r[3], rotated[3];
    long double norm = w * w + u[0] * u[0] + u[1] * u[1] + u[2] * u[2], uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    long double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        r[k] = ((w * w - uu) * v[k] + 2.0L * uv * u[k] + 2.0L * w * (u[i] * v[j] - u[j] * v[i])) / norm;
    }
    long double s[3] = {motion->spin.x, motion->spin.y, motion->spin.z}, speed = 0.0L, along = 0.0L;
    for (int k = 0; k < 3; k++) speed += s[k] * s[k];
    speed = sqrtl(speed);
    for (int k = 0; k < 3; k++) s[k] = speed > 0.0L ? s[k] / speed : 0.0L;
    for (int k = 0; k < 3; k++) along += s[k] * r[k];
    long double c = cosl(speed * time), sine = sinl(speed * time);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        rotated[k] = c * r[k] + sine * (s[i] * r[j] - s[j] * r[i]) + (1.0L - c) * along * s[k];
    }
    const carom_vec3 *x = &view->pose.position, *velocity = &motion->velocity;
    out[0] = x->x + (long double)time * velocity->x + rotated[0];
    out[1] = x->y + (long double)time * velocity->y + rotated[1];
    out[2] = x->z + (long double)time * velocity->z + rotated[2];
}

// The point of part `part` of the view that is farthest in a direction of the view's frame, in that frame.
static carom_vec3 farthest_along(const carom_view *view, int part, carom_vec3 direction) {
    carom_vec3 point;
    if (view->shape == NULL) {
        int best = 0;
        for (int i = 1; i < view->vertex_count; i++)
            if (crm_dot(direction, view->vertices[i]) > crm_dot(direction, view->vertices[best])) best = i;
        return view->vertices[best];
    }
    carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    const carom_shape *shape = carom_shape_part(view->shape, part, &pose);
    if (shape == NULL) shape = view->shape;
    direction = crm_quat_rotate_inverse(pose.attitude, direction);
    if (carom_shape_get_support(shape, direction, &point, NULL, NULL) != CAROM_OK) fail();
    return crm_add(pose.position, crm_quat_rotate(pose.attitude, point));
}

static carom_vec3 sample_point(sampler *s, const carom_view *view, int part) {
    return farthest_along(view, part, sample_unit(s));
}

typedef struct one_item {
    carom_proxy proxy;
    crm_item_layout layout;
    crm_item item;
    crm_box box;
} one_item;

static void lay_out(one_item *one, int part, crm_arena *arena) {
    crm_arena_reset(arena);
    if (!crm_item_layout_of(1, &one->proxy, arena, &one->layout)) fail();
    crm_layout_item(&one->layout, part, &one->item);
    crm_item_box(&one->item, &one->box);
}

static bool holds(const crm_box *box, const long double *point) {
    for (int k = 0; k < 3; k++)
        if (point[k] < box->low[k] || point[k] > box->high[k]) return false;
    return true;
}

TEST(points_stay_in_margin_and_box) {
    sampler s = {.seed = 51};
    shape_shelf shelf;
    shelf_create(&s, &shelf);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    for (int trial = 0; trial < 5000; trial++) {
        one_item one = {.proxy = carom_proxy_default()};
        double place = pow(10.0, sample_between(&s, -2.0, 8.5)), duration = pow(10.0, sample_between(&s, -3.0, 0.5));
        one.proxy.view = sample_any_view(&s, &shelf, place, true);
        if (trial % 3 == 0) { // a length that is not quite 1
            carom_quat *q = &one.proxy.view.pose.attitude;
            double f = 1.0 + sample_between(&s, -9e-10, 9e-10);
            *q = (carom_quat){f * q->w, f * q->x, f * q->y, f * q->z};
        }
        one.proxy.motion = sample_motion(&s);
        if (trial % 7 == 0) one.proxy.motion.spin = crm_vec3_zero();
        one.proxy.margin = carom_proxy_margin(&one.proxy.view, &one.proxy.motion, duration);
        int part = sample_below(&s, crm_part_count(&one.proxy.view));
        lay_out(&one, part, &arena);
        for (int i = 0; i < 20; i++) {
            carom_vec3 local = sample_point(&s, &one.proxy.view, part);
            long double start[3], now[3], way = 0.0L;
            point_at(&one.proxy.view, &one.proxy.motion, local, 0.0, start);
            point_at(&one.proxy.view, &one.proxy.motion, local, sample_between(&s, 0.0, duration), now);
            for (int k = 0; k < 3; k++) way += (now[k] - start[k]) * (now[k] - start[k]);
            long double rounding = LDBL_EPSILON * 16.0L * (fabsl(start[0]) + fabsl(start[1]) + fabsl(start[2]));
            if (!CHECK(sqrtl(way) <= one.proxy.margin + rounding)) goto end;
            if (!CHECK(holds(&one.box, start)) || !CHECK(holds(&one.box, now))) goto end;
        }
        // At rest, where only the slack is left for rounding and for an attitude that is not quite of length 1.
        one.proxy.margin = 0.0;
        lay_out(&one, part, &arena);
        for (int k = 0; k < 6; k++) {
            double side = k < 3 ? 1.0 : -1.0;
            carom_vec3 axis = crm_vec3(k % 3 == 0 ? side : 0.0, k % 3 == 1 ? side : 0.0, k % 3 == 2 ? side : 0.0);
            axis = crm_quat_rotate_inverse(one.proxy.view.pose.attitude, axis);
            long double at[3];
            point_at(&one.proxy.view, &one.proxy.motion, farthest_along(&one.proxy.view, part, axis), 0.0, at);
            if (!CHECK(holds(&one.box, at))) goto end;
        }
    }
end:
    crm_arena_free(&arena);
    shelf_destroy(&shelf);
}

// The chord of the farthest vertex, and nothing beyond it.
TEST(margin_is_that_of_the_farthest_point) {
    sampler s = {.seed = 52};
    shape_shelf shelf;
    shelf_create(&s, &shelf);
    for (int trial = 0; trial < 2000; trial++) {
        carom_view view = sample_any_view(&s, &shelf, 10.0, true);
        carom_motion motion = sample_motion(&s);
        double duration = pow(10.0, sample_between(&s, -3.0, 0.5)), farthest = 0.0;
        for (int part = 0; part < crm_part_count(&view); part++)
            for (int i = 0; i < 200; i++) farthest = fmax(farthest, crm_length(sample_point(&s, &view, part)));
        double angle = fmin(crm_length(motion.spin) * duration, acos(-1.0));
        double wanted = crm_length(motion.velocity) * duration + 2.0 * farthest * sin(0.5 * angle);
        double margin = carom_proxy_margin(&view, &motion, duration);
        bool compound = view.shape != NULL && carom_shape_part_count(view.shape) > 0;
        // Random directions miss the farthest point of something round, or of many vertices, by a little.
        if (!CHECK(margin >= wanted * (1.0 - 1e-14)) || !CHECK(margin <= wanted * (compound ? 3.0 : 1.1))) break;
    }
    shelf_destroy(&shelf);
}

TEST(margin_of_static_geometry) {
    sampler s = {.seed = 53};
    shape_shelf shelf;
    shelf_create(&s, &shelf);
    carom_pose pose = {crm_vec3(1.0, 2.0, 3.0), sample_attitude(&s)};
    carom_view plane = carom_view_of(shelf.half_space, pose), container = carom_view_of(shelf.container, pose);
    carom_motion rest = {0}, shift = rest, rotation = rest;
    shift.velocity = crm_vec3(3.0, 0.0, 4.0);
    rotation.spin = crm_vec3(0.0, 0.0, 1.0);
    CHECK_NEAR(carom_proxy_margin(&plane, &rest, 2.0), 0.0, 0.0);
    CHECK_NEAR(carom_proxy_margin(&plane, &shift, 2.0), 10.0, 1e-14);
    CHECK(isinf(carom_proxy_margin(&plane, &rotation, 2.0)));
    CHECK_NEAR(carom_proxy_margin(&plane, &rotation, 0.0), 0.0, 0.0);
    CHECK_NEAR(carom_proxy_margin(&container, &shift, 2.0), 10.0, 1e-14);
    CHECK_NEAR(carom_proxy_margin(&container, &rotation, 2.0), 0.0, 0.0);
    shelf_destroy(&shelf);
}

// Each face is where a support function says, to the rounding that is allowed for.
TEST(boxes_are_tight) {
    sampler s = {.seed = 54};
    shape_shelf shelf;
    shelf_create(&s, &shelf);
    // A polytope that is large enough to be climbed.
    carom_vec3 points[400];
    for (int i = 0; i < 400; i++) points[i] = sample_unit(&s);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertices = points;
    def.polytope.vertex_count = 400;
    carom_shape *large = shape_from(&def);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    for (int trial = 0; trial < 5000; trial++) {
        one_item one = {.proxy = carom_proxy_default()};
        one.proxy.view = sample_any_view(&s, &shelf, 10.0, true);
        if (trial % 10 == 0) one.proxy.view.shape = large;
        one.proxy.margin = trial % 2 == 0 ? 0.0 : pow(10.0, sample_between(&s, -3.0, 1.0));
        lay_out(&one, sample_below(&s, crm_part_count(&one.proxy.view)), &arena);
        bool good = true;
        for (int k = 0; k < 3; k++) {
            double low, high;
            extent_along(&one.item, k, &low, &high);
            good = CHECK_NEAR(one.box.low[k], low, 1e-12) && CHECK_NEAR(one.box.high[k], high, 1e-12) && good;
        }
        if (!good) break;
    }
    crm_arena_free(&arena);
    carom_shape_destroy(large);
    shelf_destroy(&shelf);
}

// A part of a compound is where the compound's own distance has it.
TEST(parts_are_where_the_compound_has_them) {
    sampler s = {.seed = 55};
    shape_shelf shelf;
    shelf_create(&s, &shelf);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    carom_shape *probe = sphere_of(0.1);
    for (int trial = 0; trial < 200; trial++) {
        one_item one = {.proxy = carom_proxy_default()};
        one.proxy.view = sample_view(&s, shelf.shape[CONVEX_SHAPES + trial % COMPOUNDS], sample_vec3(&s, 2.0));
        carom_view ball = sample_view(&s, probe, sample_vec3(&s, 8.0));
        carom_gap_witness whole, part;
        if (carom_gap_find(&one.proxy.view, &ball, NULL, NULL, &whole, NULL) != CAROM_OK) fail();
        double least = INFINITY;
        for (int i = 0; i < carom_shape_part_count(one.proxy.view.shape); i++) {
            lay_out(&one, i, &arena);
            CHECK_INT(one.item.part, i);
            if (carom_gap_find(&one.item.view, &ball, NULL, NULL, &part, NULL) != CAROM_OK) fail();
            least = fmin(least, part.gap);
        }
        if (!CHECK_NEAR(least, whole.gap, 1e-9)) break;
    }
    carom_shape_destroy(probe);
    crm_arena_free(&arena);
    shelf_destroy(&shelf);
}

TEST_MAIN(CASE(points_stay_in_margin_and_box), CASE(margin_is_that_of_the_farthest_point),
          CASE(margin_of_static_geometry), CASE(boxes_are_tight), CASE(parts_are_where_the_compound_has_them))
