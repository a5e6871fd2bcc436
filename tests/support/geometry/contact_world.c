// SPDX-License-Identifier: MIT
#include "support/geometry/contact_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

carom_shape *compound_of_boxes(int count, const box_part *parts) {
    carom_shape_def *boxes = calloc((size_t)count, sizeof *boxes);
    carom_compound_part *list = calloc((size_t)count, sizeof *list);
    for (int i = 0; i < count; i++) {
        boxes[i] = carom_shape_def_default(CAROM_SHAPE_BOX);
        boxes[i].box.size = parts[i].size;
        list[i] = carom_compound_part_default();
        list[i].shape = &boxes[i];
        list[i].pose.position = parts[i].centre;
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){.part_count = count, .parts = list};
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    free(boxes);
    free(list);
    return shape;
}

carom_proxy proxy_of(int32_t id, carom_view view, double margin) {
    carom_proxy proxy = carom_proxy_default();
    proxy.id = id;
    proxy.view = view;
    proxy.margin = margin;
    return proxy;
}

carom_contact_set *contact_set_of(const carom_contact_options *options) {
    carom_contact_set *set;
    carom_error error = {0};
    if (carom_contact_set_create(options, NULL, &set, &error) != CAROM_OK) fail_msg("%s", error.text);
    return set;
}

void update_contacts(carom_contact_set *set, int count, const carom_proxy *proxies, carom_contact_report *report) {
    carom_error error = {0};
    if (carom_contact_set_update(set, count, proxies, report, &error) != CAROM_OK) fail_msg("%s", error.text);
}

// ---- a world

void make_drifting_world(uint64_t seed, int count, double crowding, drifting_world *out) {
    sampler s = {.seed = seed};
    const box_part angle[] = {{{0.8, 0.3, 0.3}, {0.25, 0, 0}}, {{0.3, 0.3, 0.8}, {-0.3, 0, 0.25}}};
    const box_part slab[] = {{{0.5, 0.5, 0.3}, {-0.25, 0, 0}}, {{0.5, 0.5, 0.3}, {0.25, 0, 0}}};
    *out = (drifting_world){.count = count};
    carom_shape *shapes[WORLD_SHAPES] = {sphere_of(0.3),
                                         box_of(0.5, 0.4, 0.6),
                                         capsule_of(0.2, 0.5),
                                         ellipsoid_of(0.4, 0.3, 0.25),
                                         named_polytope(CAROM_POLYTOPE_PRISM, 6, 0.35, 0.5),
                                         sample_shape(&s, CAROM_SHAPE_POLYTOPE, 0.4, 1.5),
                                         compound_of_boxes(2, angle),
                                         compound_of_boxes(2, slab)};
    memcpy(out->shapes, shapes, sizeof shapes);
    carom_shape_def floor = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    if (carom_shape_create(&floor, NULL, &out->floor, NULL) != CAROM_OK) fail_msg("no floor");
    out->proxies = calloc((size_t)count, sizeof *out->proxies);
    out->at_start = calloc((size_t)count, sizeof *out->at_start);
    double side = cbrt(0.3 * count / crowding);
    for (int i = 0; i < count; i++) {
        carom_vec3 x = {sample_between(&s, 0, side), sample_between(&s, 0, side), sample_between(&s, 0, side)};
        carom_view view = i == 0 ? place(out->floor, 0, 0, 0) : sample_view(&s, shapes[i % WORLD_SHAPES], x);
        out->at_start[i] = proxy_of(3 * i + 1, view, 0.0);
        out->at_start[i].fixed = i == 0;
        if (i > 0) out->at_start[i].motion = (carom_motion){sample_vec3(&s, 1.0), sample_vec3(&s, 2.0)};
    }
    drift(out, 0);
}

void drift(drifting_world *world, int step) {
    const double h = 0.01;
    for (int i = 0; i < world->count; i++) {
        world->proxies[i] = world->at_start[i];
        carom_proxy *p = &world->proxies[i];
        carom_vec3 w = p->motion.spin;
        double speed = crm_length(w);
        p->view.pose.position = crm_madd(p->view.pose.position, h * step, p->motion.velocity);
        if (speed > 0.0) {
            carom_quat rotation = crm_quat_from_axis_angle(crm_scale(1.0 / speed, w), h * step * speed);
            p->view.pose.attitude = crm_quat_normalised(crm_quat_mul(rotation, p->view.pose.attitude));
        }
        p->margin = i == 0 ? 0.0 : carom_proxy_margin(&p->view, &p->motion, h);
    }
}

void free_drifting_world(drifting_world *world) {
    for (int i = 0; i < WORLD_SHAPES; i++) carom_shape_destroy(world->shapes[i]);
    carom_shape_destroy(world->floor);
    free(world->proxies);
    free(world->at_start);
}

bool same_contacts(int count_a, const carom_contact *a, int count_b, const carom_contact *b) {
    if (count_a != count_b) return false;
    for (int i = 0; i < count_a; i++) {
        if (a[i].a != b[i].a || a[i].b != b[i].b || a[i].part_a != b[i].part_a || a[i].part_b != b[i].part_b ||
            a[i].kind != b[i].kind || a[i].feature_a != b[i].feature_a || a[i].feature_b != b[i].feature_b ||
            a[i].fresh != b[i].fresh)
            return false;
        if (memcmp(&a[i].gap, &b[i].gap, sizeof a[i].gap) || memcmp(&a[i].normal, &b[i].normal, sizeof a[i].normal) ||
            memcmp(&a[i].point_a, &b[i].point_a, sizeof a[i].point_a) ||
            memcmp(&a[i].point_b, &b[i].point_b, sizeof a[i].point_b) ||
            memcmp(&a[i].tangent, &b[i].tangent, sizeof a[i].tangent) ||
            memcmp(a[i].impulse, b[i].impulse, sizeof a[i].impulse))
            return false;
    }
    return true;
}
