// SPDX-License-Identifier: MIT
// Proxies of bodies against what a state says of them, and margins against motions that are followed.
#include <math.h>

#include "math/quat.h"
#include "model/proxies.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

enum { BODIES = 40 };

// Boxes with their centre of mass and principal axes anywhere; every third body has no shape, every seventh is fixed.
static carom_model *random_model(sampler *s) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX),
                    floor = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    box.box.size = (carom_vec3){1.0, 0.5, 0.25};
    CHECK_INT(carom_model_add_shape(model, NULL, &box, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_shape(model, NULL, &floor, NULL, NULL), CAROM_OK);
    for (int i = 0; i < BODIES; i++) {
        carom_body_def def = carom_body_def_default();
        bool fixed = i % 7 == 0;
        def.kind = fixed ? CAROM_BODY_FIXED : CAROM_BODY_FREE;
        def.shape.index = i % 3 == 1 ? -1 : i % 14 == 0 ? 1 : 0;
        def.groups = 1u << (i % 5);
        def.meets = ~def.groups;
        def.mass = sample_between(s, 0.5, 2.0);
        def.centre = sample_vec3(s, 0.5);
        carom_mat3 rotation = crm_quat_to_mat3(sample_attitude(s)), scaled = rotation;
        scaled.x = crm_scale(0.9, rotation.x);
        scaled.y = crm_scale(0.7, rotation.y);
        def.inertia = crm_mat3_mul(scaled, crm_mat3_transpose(rotation));
        def.position = sample_vec3(s, 10.0);
        def.attitude = sample_attitude(s);
        if (!fixed) {
            def.velocity = sample_vec3(s, 3.0);
            def.spin = sample_vec3(s, 20.0);
        }
        world_add(model, &def);
    }
    return model;
}

TEST(proxies_stand_where_the_state_says) {
    sampler s = {.seed = 31};
    carom_model *model = random_model(&s);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    carom_proxy proxy[BODIES];
    int count = crm_proxy_count(model, false), p = 0;
    CHECK_INT(count, BODIES - BODIES / 3);
    crm_fill_proxies(model, false, state->motions, 0.01, 1.0, proxy);
    for (int i = 0; i < BODIES; i++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(model, (carom_body){i}, &def, NULL), CAROM_OK);
        if (def.shape.index < 0) continue;
        carom_body_state body = world_body(state, i);
        CHECK_INT(proxy[p].id, i);
        CHECK(proxy[p].view.shape == carom_model_get_shape(model, def.shape));
        CHECK(proxy[p].view.vertex_count == 0 && !proxy[p].view.has_centre);
        CHECK(proxy[p].fixed == (def.kind == CAROM_BODY_FIXED));
        CHECK(proxy[p].groups == def.groups && proxy[p].meets == def.meets);
        CHECK_NEAR(crm_distance(proxy[p].view.pose.position, body.position), 0.0, 0.0);
        CHECK_NEAR(crm_quat_angle(proxy[p].view.pose.attitude, body.attitude), 0.0, 1e-15);
        CHECK_NEAR(crm_distance(proxy[p].motion.velocity, body.velocity), 0.0, 0.0);
        CHECK_NEAR(crm_distance(proxy[p].motion.spin, body.spin), 0.0, 0.0);
        if (proxy[p].fixed) CHECK_NEAR(proxy[p].margin, 0.0, 0.0);
        p++;
    }
    CHECK_INT(p, count);
    world_destroy(state);
}

// Without forces the centre of mass goes straight on; the spin is taken as constant. No corner gets beyond the margin,
// and of a body that only moves along a line the margin is what it moves.
TEST(no_corner_gets_beyond_the_margin) {
    sampler s = {.seed = 32};
    carom_model *model = random_model(&s);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    for (int round = 0; round < 12; round++) {
        double duration = 0.001 * pow(2.0, round), slack = round % 2 == 0 ? 1.0 : 1.5;
        carom_proxy proxy[BODIES];
        crm_fill_proxies(model, false, state->motions, duration, slack, proxy);
        for (int p = 0; p < crm_proxy_count(model, false); p++) {
            if (proxy[p].fixed) continue;
            const crm_body *body = &model->bodies.items[proxy[p].id];
            const crm_motion *motion = &state->motions[proxy[p].id];
            carom_vec3 spin = crm_motion_spin(body, motion), velocity = crm_motion_velocity(body, motion);
            double farthest = 0.0;
            for (int k = 1; k <= 16; k++) {
                double t = duration * k / 16.0;
                carom_quat rotation = crm_quat_step(crm_quat_identity(), spin, t);
                for (int v = 0; v < 8; v++) {
                    carom_pose pose = proxy[p].view.pose;
                    carom_vec3 corner = carom_shape_vertices(proxy[p].view.shape)[v];
                    carom_vec3 arm = crm_sub(crm_add(pose.position, crm_quat_rotate(pose.attitude, corner)), motion->x);
                    carom_vec3 moved = crm_add(crm_scale(t, velocity), crm_sub(crm_quat_rotate(rotation, arm), arm));
                    farthest = fmax(farthest, crm_length(moved));
                }
            }
            CHECK(slack * farthest <= proxy[p].margin * (1.0 + 1e-12));
        }
    }
    world_destroy(state);
}

// The cusp of a cycloid: the frame's origin is at rest for a moment while the centre of mass, 1 m away, moves on. After
// a rotation by the angle a it is at (a - sin a, 1 - cos a).
TEST(margin_covers_a_frame_that_is_bent_off_its_tangent) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    ball.sphere.radius = 1e-6;
    carom_body_def body = carom_body_def_default();
    CHECK_INT(carom_model_add_shape(model, NULL, &ball, &body.shape, NULL), CAROM_OK);
    body.centre.z = 1.0;
    body.spin.y = 1.0;
    world_add(model, &body);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    for (double angle = 1e-3; angle < 10.0; angle *= 2.0) {
        carom_proxy proxy;
        crm_fill_proxies(model, false, state->motions, angle, 1.0, &proxy);
        CHECK(proxy.margin >= hypot(angle - sin(angle), 1.0 - cos(angle)));
    }
    world_destroy(state);
}

TEST_MAIN(CASE(proxies_stand_where_the_state_says), CASE(no_corner_gets_beyond_the_margin),
          CASE(margin_covers_a_frame_that_is_bent_off_its_tangent))
