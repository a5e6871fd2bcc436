// SPDX-License-Identifier: MIT
// States: copied, saved, loaded and hashed to the bit; damaged bytes and impossible values refused.
#include "model/model_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/world.h"

// A model with a bit of everything that `method` can do. The allocator may be NULL.
static carom_status make_model(const carom_allocator *allocator, carom_model **out) {
    carom_model_def def = carom_model_def_default();
    def.coulomb_constant = 1.0;
    def.allocator = allocator;
    carom_error error;
    carom_status status = carom_model_create(&def, out, &error);
    if (status != CAROM_OK) return status;
    carom_material_def material = carom_material_def_default();
    material.name = "wood";
    status = carom_model_add_material(*out, &material, NULL, &error);
    if (status == CAROM_OK)
        status = carom_model_set_material_pair(*out, (carom_material){0}, (carom_material){0}, 0.3, 0.1, &error);
    static const char *const names[] = {"first", "second", "third", NULL};
    for (int b = 0; b < 4 && status == CAROM_OK; b++) {
        carom_body_def body = world_body_def(1.0 + b, (carom_vec3){1.0, 1.5, 2.0});
        body.name = names[b];
        body.position = crm_vec3(2.0 * b, 0.1 * b, 0.0);
        body.spin = crm_vec3(0.5, 1.0, -0.3 * b);
        status = carom_model_add_body(*out, &body, NULL, &error);
    }
    carom_spring_def spring = {.struct_size = sizeof(carom_spring_def),
                               .a = {0},
                               .b = {1},
                               .point_a = {0.2, 0.1, 0.0},
                               .stiffness = 5.0,
                               .rest_length = 1.0};
    if (status == CAROM_OK) status = carom_model_add_spring(*out, &spring, &error);
    carom_magnet_def magnet = {
        .struct_size = sizeof(carom_magnet_def), .body = {1}, .axis = {1.0, 1.0, 0.0}, .length = 0.2, .strength = 0.5};
    if (status == CAROM_OK) status = carom_model_add_magnet(*out, &magnet, &error);
    carom_charge_def charge = {
        .struct_size = sizeof(carom_charge_def), .body = {2}, .point = {0.0, 0.3, 0.0}, .charge = 0.7};
    if (status == CAROM_OK) status = carom_model_add_charge(*out, &charge, &error);
    if (status == CAROM_OK) status = carom_model_freeze(*out, &error);
    if (status == CAROM_ERR_NO_MEMORY) CHECK(error.text[0] != '\0');
    return status;
}

static carom_state *make_state(carom_method method) {
    carom_model *model = NULL;
    CHECK_INT(make_model(NULL, &model), CAROM_OK);
    return world_state(model, method, 0.01);
}

// ---- memory

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    int calls = 0;
    for (int n = 1; n < 1000; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_model *model = NULL;
        carom_state *state = NULL;
        carom_error error;
        carom_status status = make_model(&hook, &model);
        if (status == CAROM_OK) {
            carom_method_def method = carom_method_def_default();
            status = carom_state_create(model, &method, &state, &error);
            if (status != CAROM_OK) CHECK(error.text[0] != '\0' && state == NULL);
        }
        bool refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        carom_state_destroy(state);
        carom_model_destroy(model);
        CHECK_INT(probe.live_blocks, 0);
        CHECK_INT(probe.live_bytes, 0);
        if (!refused) break;
        calls = n;
    }
    CHECK(calls > 15);
}

TEST(stepping_copying_and_saving_allocate_nothing) {
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_model *model = NULL;
        CHECK_INT(make_model(&hook, &model), CAROM_OK);
        carom_state *state = world_state(model, (carom_method)method, 0.01);
        carom_state *copy = world_state(model, (carom_method)method, 0.01);
        world_run(state, 1); // some methods grow in their first step
        void *bytes = malloc(carom_state_size(state));
        long long calls = probe.calls;
        world_run(state, 50);
        CHECK_INT(carom_state_copy(state, copy, NULL), CAROM_OK);
        carom_state_save(state, bytes);
        CHECK_INT(carom_state_load(copy, bytes, carom_state_size(state), NULL), CAROM_OK);
        CHECK_INT(probe.calls, calls);
        free(bytes);
        carom_state_destroy(copy);
        world_destroy(state);
        CHECK_INT(probe.live_blocks, 0);
    }
}

// ---- copies and saved states

TEST(copied_and_loaded_states_go_on_with_the_same_bits) {
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        carom_state *state = make_state((carom_method)method);
        carom_model *model = (carom_model *)carom_state_model(state);
        world_run(state, 37);
        carom_state *copy = world_state(model, (carom_method)method, 0.01);
        carom_state *loaded = world_state(model, (carom_method)method, 0.01);
        CHECK(carom_state_hash(copy) != carom_state_hash(state));
        CHECK_INT(carom_state_copy(state, copy, NULL), CAROM_OK);
        size_t size = carom_state_size(state);
        unsigned char *bytes = malloc(size), *again = malloc(size);
        carom_state_save(state, bytes);
        world_run(loaded, 5); // some other place
        CHECK_INT(carom_state_load(loaded, bytes, size, NULL), CAROM_OK);
        CHECK(carom_state_hash(copy) == carom_state_hash(state));
        CHECK(carom_state_hash(loaded) == carom_state_hash(state));
        CHECK_NEAR(carom_state_time(loaded), 0.37, 0.0);
        CHECK_INT(carom_state_step_count(loaded), 37);
        carom_state_save(loaded, again);
        CHECK(memcmp(bytes, again, size) == 0);
        world_run(state, 25);
        world_run(copy, 25);
        world_run(loaded, 25);
        CHECK(carom_state_hash(copy) == carom_state_hash(state));
        CHECK(carom_state_hash(loaded) == carom_state_hash(state));
        free(bytes);
        free(again);
        carom_state_destroy(copy);
        carom_state_destroy(loaded);
        world_destroy(state);
    }
}

TEST(every_flipped_bit_and_every_cut_of_a_saved_state_is_refused) {
    carom_state *state = make_state(CAROM_METHOD_VARIATIONAL);
    world_run(state, 10);
    size_t size = carom_state_size(state);
    unsigned char *bytes = malloc(size);
    carom_state_save(state, bytes);
    world_run(state, 1);
    uint64_t hash = carom_state_hash(state);
    carom_error error;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        error.text[0] = '\0';
        CHECK(carom_state_load(state, bytes, size, &error) != CAROM_OK);
        CHECK_CONTAINS(error.text, "saved state: ");
        if (!CHECK(carom_state_hash(state) == hash)) break;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut > 0 ? cut : 1); // exactly as long, for the address sanitizer
        memcpy(part, bytes, cut);
        CHECK_INT(carom_state_load(state, part, cut, &error), CAROM_ERR_BAD_INPUT);
        free(part);
        if (!CHECK(carom_state_hash(state) == hash)) break;
    }
    CHECK_CONTAINS(error.text, "it is cut off");
    CHECK_INT(carom_state_load(state, bytes, size, &error), CAROM_OK);
    free(bytes);
    world_destroy(state);
}

TEST(states_of_others_are_refused_with_a_sentence) {
    carom_state *state = make_state(CAROM_METHOD_VARIATIONAL), *other = make_state(CAROM_METHOD_VARIATIONAL);
    carom_model *model = (carom_model *)carom_state_model(state);
    carom_state *euler = world_state(model, CAROM_METHOD_EULER, 0.01);
    carom_state *finer = world_state(model, CAROM_METHOD_VARIATIONAL, 0.005);
    carom_model *empty = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_state *nobody = world_state(empty, CAROM_METHOD_VARIATIONAL, 0.01);
    carom_error error;
    CHECK_INT(carom_state_copy(other, state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "copy state: both must be of the same model and method");
    CHECK_INT(carom_state_copy(euler, state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_state_copy(finer, state, &error), CAROM_ERR_BAD_INPUT);
    unsigned char bytes[4096];
    CHECK(carom_state_size(state) <= sizeof bytes);
    carom_state_save(state, bytes);
    size_t size = carom_state_size(state);
    CHECK_INT(carom_state_load(other, bytes, size, &error), CAROM_OK); // an equal model is as good as the same
    CHECK_INT(carom_state_load(euler, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text,
               "saved state: it was made by variational with step 0.01 s, this state is euler with step 0.01 s");
    CHECK_INT(carom_state_load(finer, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "with step 0.005 s");
    CHECK_INT(carom_state_load(nobody, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "saved state: it belongs to another model (4 bodies, here 0)");
    CHECK_INT(carom_state_load(state, "hello", 5, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "saved state: these 5 bytes are no saved state of carom");
    carom_step_report report;
    CHECK_INT(carom_step(empty, state, NULL, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "step: the state belongs to another model");
    world_run(nobody, 3); // a world without bodies has a time, too
    CHECK_NEAR(carom_state_time(nobody), 0.03, 0.0);
    carom_state_destroy(euler);
    carom_state_destroy(finer);
    world_destroy(nobody);
    world_destroy(other);
    world_destroy(state);
    carom_state_destroy(NULL);
}

TEST(the_hash_changes_with_every_bit) {
    carom_state *state = make_state(CAROM_METHOD_VARIATIONAL);
    uint64_t hash = carom_state_hash(state);
    unsigned char *bytes = (unsigned char *)state->motions;
    for (size_t bit = 0; bit < 8 * 4 * sizeof(crm_motion); bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        if (!CHECK(carom_state_hash(state) != hash)) break;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK(carom_state_hash(state) == hash);
    state->step_count++;
    CHECK(carom_state_hash(state) != hash);
    world_destroy(state);
}

// ---- setting

TEST(set_states_come_back_and_impossible_ones_are_refused) {
    carom_state *state = make_state(CAROM_METHOD_VARIATIONAL);
    carom_body_state wanted = {{1.0, 2.0, 3.0}, {2.0, 0.0, 0.0, 2.0}, {-1.0, 0.5, 0.25}, {0.1, 0.2, -0.3}};
    CHECK_INT(carom_state_set_body(state, (carom_body){2}, &wanted, NULL), CAROM_OK);
    carom_body_state got = world_body(state, 2);
    CHECK_NEAR(crm_distance(got.position, wanted.position), 0.0, 0.0);
    CHECK_NEAR(got.attitude.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(crm_distance(got.velocity, wanted.velocity), 0.0, 1e-15);
    CHECK_NEAR(crm_distance(got.spin, wanted.spin), 0.0, 1e-15);
    uint64_t hash = carom_state_hash(state);
    carom_error error;
    carom_body_state bad[5] = {wanted, wanted, wanted, wanted, wanted};
    bad[0].position.x = NAN;
    bad[1].attitude = (carom_quat){0.0, 0.0, 0.0, 0.0};
    bad[2].attitude.y = INFINITY;
    bad[3].velocity.z = INFINITY;
    bad[4].spin.y = NAN;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(carom_state_set_body(state, (carom_body){2}, &bad[i], &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "body 'third'");
    }
    CHECK_INT(carom_state_set_body(state, (carom_body){4}, &wanted, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "set body state: there is no body 4; the model has 4 bodies");
    CHECK_INT(carom_state_get_body(state, CAROM_WORLD, &got, &error), CAROM_ERR_BAD_INPUT);
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

TEST(a_body_is_not_set_to_move_as_its_kind_cannot) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(1.0, (carom_vec3){1.0, 1.5, 2.0});
    static const carom_body_kind kinds[] = {CAROM_BODY_FIXED, CAROM_BODY_PLANAR, CAROM_BODY_POINT};
    for (int k = 0; k < 3; k++) {
        def.kind = kinds[k];
        world_add(model, &def);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    uint64_t hash = carom_state_hash(state);
    carom_error error;
    const carom_body_state rest = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    carom_body_state moving = rest, spinning = rest, tilted = rest;
    moving.velocity.z = 1.0;
    spinning.spin.x = 1.0;
    tilted.attitude.x = 0.1;
    const struct {
        int body;
        const carom_body_state *value;
        const char *sentence;
    } bad[] = {{0, &moving, "set body state: body 0: a fixed body has no velocity and no spin"},
               {0, &spinning, "set body state: body 0: a fixed body has no velocity and no spin"},
               {1, &moving, "a planar body moves along x and y and spins about z only; velocity z is 1"},
               {1, &spinning, "a planar body moves along x and y and spins about z only"},
               {1, &tilted, "a planar body rotates about z only; this attitude tilts it by 0.199 rad"},
               {2, &spinning, "set body state: body 2: a point has no spin"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(carom_state_set_body(state, (carom_body){bad[i].body}, bad[i].value, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, bad[i].sentence);
        CHECK(carom_state_hash(state) == hash);
    }
    carom_body_state rotated = {.position = {1.0, 2.0, 0.5}, .attitude = {0.6, 0.0, 0.0, 0.8}, .spin = {0.0, 0.0, 3.0}};
    CHECK_INT(carom_state_set_body(state, (carom_body){1}, &rotated, NULL), CAROM_OK);
    CHECK_INT(carom_state_set_body(state, (carom_body){2}, &moving, NULL), CAROM_OK);
    tilted.position.x = 4.0;
    CHECK_INT(carom_state_set_body(state, (carom_body){0}, &tilted, NULL), CAROM_OK); // fixed, but elsewhere
    CHECK_NEAR(world_body(state, 0).position.x, 4.0, 0.0);
    world_destroy(state);
}

TEST_MAIN(CASE(any_refused_allocation_is_said_and_leaks_nothing), CASE(stepping_copying_and_saving_allocate_nothing),
          CASE(copied_and_loaded_states_go_on_with_the_same_bits),
          CASE(every_flipped_bit_and_every_cut_of_a_saved_state_is_refused),
          CASE(states_of_others_are_refused_with_a_sentence), CASE(the_hash_changes_with_every_bit),
          CASE(set_states_come_back_and_impossible_ones_are_refused),
          CASE(a_body_is_not_set_to_move_as_its_kind_cannot))
