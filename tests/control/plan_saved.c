// SPDX-License-Identifier: MIT
// Plans as bytes and as data: what goes on from bytes ends in the same bits, bytes of another plan or damaged ones are
// refused, and data is what the calls tell.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

// Past a post that stands in the way, and a motor beside it.
static const char scene_text[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -1], \"shapes\": {\"cube\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}},"
    "\"bodies\": [{\"name\": \"post\", \"kind\": \"fixed\", \"shape\": \"cube\", \"position\": [0.5, 0.05, 0]},"
    " {\"name\": \"craft\", \"shape\": \"cube\", \"mass\": 2},"
    " {\"name\": \"arm\", \"shape\": \"cube\", \"mass\": 1, \"position\": [5, 0, -0.3]}],"
    "\"joints\": [{\"name\": \"pin\", \"kind\": \"hinge\", \"a\": \"world\", \"b\": \"arm\", \"point\": [5, 0, 0], "
    "\"axis\": [0, 1, 0]}],"
    "\"plan\": {\"intervals\": 8, \"time\": 2, \"levels\": 2, \"starts\": 2, \"seed\": 3, \"controls\": ["
    "{\"kind\": \"wrench\", \"body\": \"craft\", \"axes\": \"body\", \"force_limit\": 20},"
    "{\"kind\": \"motor\", \"joint\": \"pin\"}],"
    "\"end\": [{\"body\": \"craft\", \"position\": [1, 0, 0], \"velocity\": [0, 0, 0], \"spin\": [0, 0, 0]},"
    "{\"body\": \"arm\", \"attitude\": {\"axis\": [0, 1, 0], \"degrees\": 40}}],"
    "\"avoid\": {\"margin\": 0.01, \"pairs\": [[\"craft\", \"post\"]]}}}";
enum { SOLVES = 4 };

static carom_plan *plan_of(const carom_scene *scene) {
    carom_plan *plan = NULL;
    carom_error error = {.text = ""};
    if (carom_plan_create(carom_scene_model(scene), carom_scene_plan(scene), NULL, &plan, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return plan;
}

// As many solves as are asked for, or all.
static bool solve(carom_plan *plan, int solves) {
    bool done = false;
    carom_error error = {.text = ""};
    for (int i = 0; i < solves && !done; i++)
        if (carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error) != CAROM_OK) fail_msg("%s", error.text);
    return done;
}

static uint64_t hash_of(carom_plan *plan) {
    carom_plan_data data;
    CHECK_INT(carom_plan_get_data(plan, &data, NULL), CAROM_OK);
    CHECK_INT(data.outcome, CAROM_PLAN_SOLVED);
    return carom_plan_hash(&data);
}

static unsigned char *bytes_of(const carom_plan *plan, size_t *size) {
    *size = carom_plan_size(plan);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    carom_plan_save(plan, bytes);
    return bytes;
}

TEST(a_plan_that_goes_on_from_bytes_ends_in_the_same_bits) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_plan *whole = plan_of(scene);
    CHECK(solve(whole, SOLVES));
    uint64_t wanted = hash_of(whole);
    for (int cut = 0; cut <= SOLVES; cut++) {
        carom_plan *first = plan_of(scene), *second = plan_of(scene);
        solve(first, cut);
        size_t size, again;
        unsigned char *bytes = bytes_of(first, &size);
        carom_plan_destroy(first);
        bool done;
        carom_error error = {.text = ""};
        if (!CHECK_INT(carom_plan_load(second, bytes, size, &done, &error), CAROM_OK))
            print_message("%s\n", error.text);
        CHECK(done == (cut == SOLVES));
        CHECK_INT(carom_plan_solve_count(second), cut);
        unsigned char *saved = bytes_of(second, &again);
        CHECK(again == size && memcmp(saved, bytes, size) == 0);
        if (!done) CHECK(solve(second, SOLVES));
        CHECK(hash_of(second) == wanted);
        free(saved);
        free(bytes);
        carom_plan_destroy(second);
    }
    carom_plan_destroy(whole);
    carom_scene_destroy(scene);
}

// Nothing of a damaged plan is taken over, and none does any harm.
static void try_bytes(carom_plan *plan, const unsigned char *bytes, size_t size, int *refused) {
    bool done;
    carom_error error = {.text = ""};
    carom_status status = carom_plan_load(plan, bytes, size, &done, &error);
    CHECK(status == CAROM_OK || error.text[0] != '\0');
    if (status != CAROM_OK) {
        ++*refused;
        CHECK_INT(carom_plan_solve_count(plan), 0);
    }
}

TEST(bytes_that_are_damaged_are_refused_or_do_no_harm) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_plan *plan = plan_of(scene);
    solve(plan, 3);
    size_t size;
    unsigned char *bytes = bytes_of(plan, &size), *changed = malloc(size + 1);
    int refused = 0, cuts = 0, flips = 0;
    for (size_t kept = 0; kept < size; kept += 97, cuts++) {
        carom_plan *other = plan_of(scene);
        try_bytes(other, bytes, kept, &refused);
        carom_plan_destroy(other);
    }
    CHECK_INT(refused, cuts);
    memcpy(changed, bytes, size);
    changed[size] = 0;
    carom_plan *longer = plan_of(scene);
    try_bytes(longer, changed, size + 1, &refused);
    CHECK_INT(refused, cuts + 1);
    carom_plan_destroy(longer);
    crm_random random = {.seed = 11};
    for (refused = 0; flips < 150; flips++) {
        // Half of them in the head, where the counts are.
        size_t most = flips % 2 == 0 ? 400 : size;
        memcpy(changed, bytes, size);
        changed[(size_t)(crm_random_between_at(&random, 2 * flips, 0.0, 1.0) * (double)most)] ^=
            (unsigned char)(1 << flips % 8);
        carom_plan *other = plan_of(scene);
        try_bytes(other, changed, size, &refused);
        carom_plan_destroy(other);
    }
    CHECK(refused > 20);
    free(changed);
    free(bytes);
    carom_plan_destroy(plan);
    carom_scene_destroy(scene);
}

TEST(bytes_of_another_plan_are_refused) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_plan *plan = plan_of(scene), *other = NULL;
    solve(plan, 1);
    size_t size;
    unsigned char *bytes = bytes_of(plan, &size);
    carom_plan_def def = *carom_scene_plan(scene);
    def.intervals = 12;
    bool done;
    carom_error error;
    CHECK_INT(carom_plan_create(carom_scene_model(scene), &def, NULL, &other, NULL), CAROM_OK);
    CHECK_INT(carom_plan_load(other, bytes, size, &done, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "plan: what was saved is of another plan, or damaged");
    CHECK_INT(carom_plan_load(plan, bytes, size, &done, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "plan: it has been solved in part; load into a new one");
    free(bytes);
    carom_plan_destroy(plan);
    carom_plan_destroy(other);
    carom_scene_destroy(scene);
}

// ---- data

static void check_node(carom_plan *plan, const carom_plan_data *data, int node, int body) {
    carom_pose pose;
    const carom_body_state *at = &data->motion[node * data->body_count + body];
    CHECK_INT(carom_plan_get_node(plan, node, (carom_body){body}, &pose, NULL, NULL), CAROM_OK);
    CHECK_NEAR(pose.position.x, at->position.x, 1e-14);
    CHECK_NEAR(pose.position.z, at->position.z, 1e-14);
    CHECK_NEAR(fabs(pose.attitude.w * at->attitude.w + pose.attitude.x * at->attitude.x +
                    pose.attitude.y * at->attitude.y + pose.attitude.z * at->attitude.z),
               1.0, 1e-14);
}

// A run by the plan's steps with what the data says of each interval.
static void check_run(const carom_scene *scene, const carom_plan_data *data) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    method.variational.whole_steps = true;
    method.step = data->time[1];
    carom_state *state = NULL;
    CHECK_INT(carom_state_create(carom_scene_model(scene), &method, &state, NULL), CAROM_OK);
    CHECK_INT(carom_plan_place(data, 0, state, NULL), CAROM_OK);
    for (int k = 0; k < data->interval_count; k++) {
        carom_step_report report;
        carom_input input =
            carom_plan_input(data, carom_plan_interval_at(data, 0.5 * (data->time[k] + data->time[k + 1])));
        CHECK_INT(
            carom_step_by(carom_scene_model(scene), state, &input, data->time[k + 1] - data->time[k], &report, NULL),
            CAROM_OK);
        for (int b = 0; b < data->body_count; b++) {
            carom_body_state now;
            const carom_body_state *planned = &data->motion[(k + 1) * data->body_count + b];
            CHECK_INT(carom_state_get_body(state, (carom_body){b}, &now, NULL), CAROM_OK);
            CHECK_NEAR(now.position.x, planned->position.x, 1e-10);
            CHECK_NEAR(now.position.y, planned->position.y, 1e-10);
            CHECK_NEAR(now.velocity.x, planned->velocity.x, 1e-9);
            CHECK_NEAR(now.spin.y, planned->spin.y, 1e-9);
        }
    }
    carom_state_destroy(state);
}

TEST(data_is_what_the_calls_tell_and_runs_as_the_plan) {
    carom_scene *scene = scene_of_text(scene_text);
    carom_plan *plan = plan_of(scene);
    carom_plan_data data;
    CHECK_INT(carom_plan_get_data(plan, &data, NULL), CAROM_OK);
    CHECK(data.outcome == CAROM_PLAN_UNFINISHED && data.interval_count == 0 && data.control_count == 2);
    CHECK_INT(data.number_count, 7);
    CHECK(solve(plan, SOLVES));
    CHECK_INT(carom_plan_get_data(plan, &data, NULL), CAROM_OK);
    if (!CHECK_INT(data.interval_count, 8) || !CHECK_INT(data.solve_count, SOLVES)) return;
    for (int k = 0; k <= 8; k++) {
        CHECK_NEAR(data.time[k], carom_plan_time(plan, k), 1e-15);
        for (int b = 0; b < data.body_count; b++) check_node(plan, &data, k, b);
    }
    for (int k = 0; k < 8; k++) {
        double number[6];
        CHECK_INT(carom_plan_get_control(plan, k, 0, number), CAROM_OK);
        CHECK(memcmp(number, data.value + 7 * k, sizeof number) == 0);
        CHECK(data.between[k].gap >= 0.01 - 1e-9 && data.at_node[k].gap >= data.between[k].gap - 1e-12);
    }
    CHECK_INT(data.wrench_count, 2); // the world takes no wrench of the motor
    CHECK(data.plane_count > 0);
    for (int i = 0; i < data.plane_count; i++) {
        const carom_plan_plane *p = &data.plane[i];
        CHECK_NEAR(p->normal.x * p->normal.x + p->normal.y * p->normal.y + p->normal.z * p->normal.z, 1.0, 1e-12);
        // The centres of both bodies are on their sides of it, at both of its nodes.
        for (int node = p->interval; node <= p->interval + 1; node++)
            for (int side = 0; side < 2; side++) {
                const carom_body_state *at =
                    &data.motion[node * data.body_count + (side == 0 ? p->a.index : p->b.index)];
                double d = p->normal.x * at->position.x + p->normal.y * at->position.y + p->normal.z * at->position.z;
                CHECK(side == 0 ? d < p->offset : d > p->offset);
            }
    }
    check_run(scene, &data);
    carom_plan_destroy(plan);
    carom_scene_destroy(scene);
}

TEST_MAIN(CASE(a_plan_that_goes_on_from_bytes_ends_in_the_same_bits),
          CASE(bytes_that_are_damaged_are_refused_or_do_no_harm), CASE(bytes_of_another_plan_are_refused),
          CASE(data_is_what_the_calls_tell_and_runs_as_the_plan))
