// SPDX-License-Identifier: MIT
// Which bodies can have contacts: every rule by itself, and all of them against a plain reading of the sentence.
#include <stddef.h>

#include "model/proxies.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

static carom_model *model_with_a_ball(void) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    CHECK_INT(carom_model_add_shape(model, NULL, &ball, NULL, NULL), CAROM_OK);
    return model;
}

static void add_ball(carom_model *model, carom_body_kind kind, uint32_t groups, uint32_t meets) {
    carom_body_def def = carom_body_def_default();
    def.kind = kind;
    def.shape.index = 0;
    def.groups = groups;
    def.meets = meets;
    world_add(model, &def);
}

static void add_joint(carom_model *model, int a, int b, bool touch) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_BALL;
    def.a.index = a;
    def.b.index = b;
    def.bodies_touch = touch;
    CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
}

static bool meet(const carom_model *model, int a, int b) {
    bool there = carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b});
    CHECK(there == carom_model_bodies_meet(model, (carom_body){b}, (carom_body){a}));
    return there;
}

TEST(shapes_motion_and_groups_decide) {
    carom_model *model = model_with_a_ball();
    add_ball(model, CAROM_BODY_FREE, 1, UINT32_MAX);           // 0
    add_ball(model, CAROM_BODY_FREE, 1, UINT32_MAX);           // 1
    add_ball(model, CAROM_BODY_FIXED, 1, UINT32_MAX);          // 2
    add_ball(model, CAROM_BODY_FIXED, 1, UINT32_MAX);          // 3
    add_ball(model, CAROM_BODY_FREE, 2, 1);                    // 4: meets what is in group 1
    add_ball(model, CAROM_BODY_FREE, 2, 1);                    // 5
    add_ball(model, CAROM_BODY_FREE, 0, UINT32_MAX);           // 6: in no group
    add_ball(model, CAROM_BODY_FREE, 1u << 31, 1u << 31 | 2u); // 7: would meet 4, which does not meet it
    carom_body_def bare = carom_body_def_default();
    world_add(model, &bare);   // 8
    CHECK(!meet(model, 0, 1)); // still open
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    CHECK(meet(model, 0, 1));
    CHECK(meet(model, 0, 2));
    CHECK(!meet(model, 2, 3));
    CHECK(!meet(model, 0, 0));
    CHECK(meet(model, 0, 4));
    CHECK(!meet(model, 4, 5));
    CHECK(!meet(model, 0, 6));
    CHECK(!meet(model, 4, 7));
    CHECK(!meet(model, 0, 8));
    CHECK(!meet(model, 0, 9));
    CHECK(!meet(model, 0, -1));
    CHECK_INT(crm_proxy_count(model, false), 8);
    carom_model_destroy(model);
}

TEST(joints_keep_their_bodies_apart_unless_all_of_them_let_them_touch) {
    carom_model *model = model_with_a_ball();
    for (int i = 0; i < 6; i++) add_ball(model, i == 5 ? CAROM_BODY_FIXED : CAROM_BODY_FREE, 1, UINT32_MAX);
    add_joint(model, 1, 0, false);
    add_joint(model, 1, 2, true);
    add_joint(model, 2, 3, true);
    add_joint(model, 3, 2, false);
    add_joint(model, -1, 4, false);
    add_joint(model, 5, 4, false);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    CHECK(!meet(model, 0, 1));
    CHECK(meet(model, 1, 2));
    CHECK(!meet(model, 2, 3));
    CHECK(!meet(model, 4, 5));
    CHECK(meet(model, 0, 2));                             // neighbours of neighbours
    for (int i = 0; i < 4; i++) CHECK(meet(model, i, 4)); // its joint to the world says nothing about them
    for (int i = 0; i < 4; i++) CHECK(meet(model, i, 5));
    carom_model_destroy(model);
}

// Keeps bodies apart whose indices are neighbours, and checks what it is asked.
static bool no_neighbours(void *user, int32_t a, int32_t b) {
    int *calls = user;
    ++*calls;
    CHECK(a < b);
    return b - a > 1;
}

TEST(filter_is_asked_with_the_lower_index_first) {
    carom_model *model = model_with_a_ball();
    for (int i = 0; i < 4; i++) add_ball(model, CAROM_BODY_FREE, 1, UINT32_MAX);
    add_joint(model, 0, 3, false);
    int calls = 0;
    CHECK_INT(carom_model_set_pair_filter(model, no_neighbours, &calls, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    CHECK(!meet(model, 0, 1) && meet(model, 0, 2) && !meet(model, 2, 3));
    CHECK_INT(calls, 6);
    CHECK(!meet(model, 0, 3));
    CHECK_INT(calls, 6);
    CHECK(crm_model_pair_filter(model, 1, 3) && !crm_model_pair_filter(model, 0, 3));
    carom_model_destroy(model);
}

TEST(random_models_meet_as_the_sentence_says) {
    enum { BODIES = 24, JOINTS = 40 };
    sampler s = {.seed = 4711};
    for (int round = 0; round < 20; round++) {
        carom_model *model = model_with_a_ball();
        uint32_t groups[BODIES], meets[BODIES];
        bool fixed[BODIES], excluded[BODIES][BODIES] = {{false}};
        for (int i = 0; i < BODIES; i++) {
            groups[i] = 1u << (int)sample_between(&s, 0.0, 3.0);
            meets[i] = (uint32_t)sample_between(&s, 0.0, 8.0);
            fixed[i] = sample_between(&s, 0.0, 1.0) < 0.3;
            add_ball(model, fixed[i] ? CAROM_BODY_FIXED : CAROM_BODY_FREE, groups[i], meets[i]);
        }
        for (int j = 0; j < JOINTS; j++) {
            int a = (int)sample_between(&s, 0.0, BODIES), b = (int)sample_between(&s, 0.0, BODIES);
            if (a == b || (fixed[a] && fixed[b])) continue;
            bool touch = sample_between(&s, 0.0, 1.0) < 0.5;
            add_joint(model, a, b, touch);
            if (!touch) excluded[a][b] = excluded[b][a] = true;
        }
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        for (int i = 0; i < BODIES; i++)
            for (int j = 0; j < BODIES; j++)
                CHECK_INT(meet(model, i, j), i != j && !(fixed[i] && fixed[j]) && (groups[i] & meets[j]) != 0 &&
                                                 (groups[j] & meets[i]) != 0 && !excluded[i][j]);
        carom_model_destroy(model);
    }
}

TEST_MAIN(CASE(shapes_motion_and_groups_decide), CASE(joints_keep_their_bodies_apart_unless_all_of_them_let_them_touch),
          CASE(filter_is_asked_with_the_lower_index_first), CASE(random_models_meet_as_the_sentence_says))
