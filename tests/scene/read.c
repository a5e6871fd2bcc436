// SPDX-License-Identifier: MIT
// Good scenes: what they become, resolved texts, overrides, repeats, memory.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/small_compare.h"
#include "support/scene/scene_file.h"

#define EVERYTHING CAROM_SOURCE_DIR "/tests/scene/good/everything.json"
#define PLAN CAROM_SOURCE_DIR "/tests/scene/good/plan.json"
#define FLEXIBLE CAROM_SOURCE_DIR "/tests/scene/good/flexible.json"

static carom_scene *read_source(const carom_scene_source *source) {
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    carom_scene_read(source, NULL, &scene, NULL, &error);
    if (!CHECK(scene != NULL)) fprintf(stderr, "%s\n", error.text);
    return scene;
}

static carom_scene *read_text(const char *text) {
    return read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .text = text});
}

static carom_body_def body_named(const carom_scene *scene, const char *name) {
    carom_body_def def = carom_body_def_default();
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(carom_model_get_body(model, carom_model_find_body(model, name), &def, NULL), CAROM_OK);
    return def;
}

// ---- what a scene becomes

TEST(the_first_scene_of_the_docs) {
    carom_scene *scene = read_text("{\"carom\": 1,\n"
                                   " \"until\": 2,\n"
                                   " \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}},\n"
                                   " \"bodies\": [{\"name\": \"ball\", \"shape\": \"ball\", \"density\": 1000,\n"
                                   "             \"velocity\": [1, 0, 5]}]}\n");
    CHECK_NEAR(carom_scene_until(scene), 2.0, 0.0);
    CHECK_NEAR(carom_scene_frame_rate(scene), 60.0, 0.0);
    CHECK_TEXT(carom_scene_name(scene), "");
    CHECK_TEXT(carom_scene_description(scene), "");
    carom_body_def ball = body_named(scene, "ball");
    CHECK_NEAR(ball.mass, 4.1887902047863905, 1e-15);
    CHECK_NEAR(ball.inertia.x.x, 0.4 * ball.mass * 0.01, 1e-16);
    CHECK_NEAR(ball.velocity.z, 5.0, 0.0);
    CHECK_INT(carom_scene_method(scene)->method, CAROM_METHOD_LCP);
    carom_scene_destroy(scene);
}

// Settings without a name are those of the default, too.
TEST(lcp_is_the_method_of_scenes_that_name_none) {
    static const char *const texts[] = {"{\"carom\": 1}", "{\"carom\": 1, \"method\": {}}",
                                        "{\"carom\": 1, \"method\": {\"step\": 0.5, \"tolerance\": 1e-9}}"};
    for (int i = 0; i < 3; i++) {
        carom_scene *scene = read_text(texts[i]);
        CHECK_INT(carom_scene_method(scene)->method, CAROM_METHOD_LCP);
        CHECK_CONTAINS(carom_scene_resolved(scene), "\"name\": \"lcp\"");
        carom_scene_destroy(scene);
    }
    CHECK_INT(carom_method_def_default().method, CAROM_METHOD_LCP);
}

TEST(an_empty_scene_and_a_byte_order_mark) {
    carom_scene *scene = read_text("\xef\xbb\xbf{\"carom\": 1.0}");
    CHECK_INT(carom_model_body_count(carom_scene_model(scene)), 0);
    carom_scene_destroy(scene);
}

TEST(every_key_has_its_effect) {
    carom_scene *scene =
        read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = EVERYTHING});
    CHECK_TEXT(carom_scene_name(scene), "everything \"quoted\" \\ \xc3\xa9 \xf0\x9f\x8e\xb1");
    CHECK_TEXT(carom_scene_description(scene), "Every key of the format.\nTwo lines.");
    const carom_method_def *method = carom_scene_method(scene);
    CHECK_INT(method->method, CAROM_METHOD_EULER);
    CHECK_INT(method->form, CAROM_EULER_VELOCITY);
    CHECK_INT(method->iteration_limit, 20);
    CHECK_NEAR(method->step, 0.001, 0.0);
    CHECK_NEAR(method->tolerance, 1e-12, 0.0);
    CHECK_INT(method->integrator, CAROM_INTEGRATOR_RK4);
    CHECK_NEAR(method->relative_tolerance, 1e-7, 0.0);
    CHECK_NEAR(method->absolute_tolerance, 1e-10, 0.0);
    CHECK_INT(method->substep_limit, 300);
    CHECK_INT(method->stabilisation, CAROM_STABILISATION_BAUMGARTE);
    CHECK_NEAR(method->baumgarte_alpha, 3.0, 0.0);
    CHECK_NEAR(method->baumgarte_beta, 4.0, 0.0);
    CHECK_NEAR(carom_scene_frame_rate(scene), 100.0, 0.0);
    const carom_model *model = carom_scene_model(scene);
    CHECK_INT(carom_model_body_count(model), 7 + 12 + 12 + 6);
    CHECK_INT(carom_model_material_count(model), 2);
    double friction, restitution;
    carom_model_get_material_pair(model, (carom_material){1}, (carom_material){0}, &friction, &restitution, NULL);
    CHECK_NEAR(friction, 0.45, 0.0);
    CHECK_NEAR(restitution, 0.25, 0.0);

    carom_body_def table = body_named(scene, "table"), egg = body_named(scene, "egg"), pill = body_named(scene, "pill");
    CHECK_INT(table.kind, CAROM_BODY_FIXED);
    CHECK_INT(table.material.index, 1);
    // A solid ellipsoid has m/5 (b^2 + c^2) about its first axis.
    CHECK_NEAR(egg.inertia.x.x, 2.5 / 5.0 * (0.04 + 0.01), 1e-15);
    double half = 37.0 / 360.0 * 3.14159265358979323846;
    carom_quat rotated = {cos(half), sin(half) / sqrt(2.0), sin(half) / sqrt(2.0), 0.0};
    CHECK_NEAR(quat_gap(egg.attitude, rotated), 0.0, 1e-15);
    CHECK_NEAR(quat_gap(pill.attitude, (carom_quat){cos(0.35), 0.0, 0.0, sin(0.35)}), 0.0, 1e-15);
    carom_body_def wedge = body_named(scene, "wedge"), point = body_named(scene, "body-6");
    CHECK_NEAR(wedge.inertia.z.x, -0.02, 0.0);
    CHECK_NEAR(wedge.inertia.y.z, 0.03, 0.0);
    CHECK_NEAR(wedge.attitude.w, 2.0 / sqrt(5.0), 1e-15);
    CHECK_INT(point.kind, CAROM_BODY_POINT);
    CHECK_NEAR(point.position.y, 1e-300, 0.0);
    carom_scene_destroy(scene);
}

// ---- resolved text

// Everything that a model shows, to the bit.
static void check_same_model(const carom_scene *a, const carom_scene *b) {
    const carom_model *first = carom_scene_model(a), *second = carom_scene_model(b);
    int count = carom_model_body_count(first);
    CHECK_INT(carom_model_body_count(second), count);
    for (int i = 0; i < count; i++) {
        carom_body_def x, y;
        carom_model_get_body(first, (carom_body){i}, &x, NULL);
        carom_model_get_body(second, (carom_body){i}, &y, NULL);
        CHECK_TEXT(x.name, y.name);
        double numbers[2][26];
        for (int k = 0; k < 2; k++) {
            const carom_body_def *d = k == 0 ? &x : &y;
            memcpy(numbers[k], &d->mass, sizeof(double));
            memcpy(numbers[k] + 1, &d->centre, 3 * sizeof(double));
            memcpy(numbers[k] + 4, &d->inertia, 9 * sizeof(double));
            memcpy(numbers[k] + 13, &d->position, 3 * sizeof(double));
            memcpy(numbers[k] + 16, &d->attitude, 4 * sizeof(double));
            memcpy(numbers[k] + 20, &d->velocity, 3 * sizeof(double));
            memcpy(numbers[k] + 23, &d->spin, 3 * sizeof(double));
        }
        CHECK(memcmp(numbers[0], numbers[1], sizeof numbers[0]) == 0);
        CHECK_INT(x.kind, y.kind);
        CHECK_INT(x.material.index, y.material.index);
    }
}

// The hash of the state after some steps: forces play their part in it.
static uint64_t hash_after(const carom_scene *scene, int steps) {
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    const carom_model *model = carom_scene_model(scene);
    if (!CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, &error), CAROM_OK)) return 0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_step(model, state, NULL, &report, &error);
        if (!CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE)) fprintf(stderr, "%s\n", report.text);
    }
    uint64_t hash = carom_state_hash(state);
    carom_state_destroy(state);
    return hash;
}

static void check_round_trip(const char *file) {
    carom_scene *scene = read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = file});
    if (scene == NULL) return;
    carom_scene *again = read_text(carom_scene_resolved(scene));
    if (again == NULL) return;
    CHECK_TEXT(carom_scene_resolved(again), carom_scene_resolved(scene));
    check_same_model(scene, again);
    CHECK_INT(hash_after(scene, 4), hash_after(again, 4)); // every number has had its say in the first step
    CHECK_TEXT(carom_scene_name(again), carom_scene_name(scene));
    CHECK_TEXT(carom_scene_description(again), carom_scene_description(scene));
    CHECK_NEAR(carom_scene_until(again), carom_scene_until(scene), 0.0);
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
}

TEST(resolved_text_reads_back_to_the_same_bits) {
    check_round_trip(EVERYTHING);
    check_round_trip(FLEXIBLE);
    check_round_trip(CAROM_SOURCE_DIR "/tests/scene/good/flexible-files.json");
    check_round_trip(PLAN);
}

TEST(scenes_of_the_gallery_are_good_and_without_warnings) {
    DIR *folder = opendir(CAROM_SOURCE_DIR "/scenes");
    if (!CHECK(folder != NULL)) return;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strstr(entry->d_name, ".json") == NULL) continue;
        char file[512];
        snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s", entry->d_name);
        check_round_trip(file);
        carom_scene *scene;
        carom_scene_messages *messages;
        carom_scene_source source = carom_scene_source_default();
        source.file = file;
        source.lint = true;
        CHECK_INT(carom_scene_read(&source, NULL, &scene, &messages, NULL), CAROM_OK);
        char *warnings = messages_as_text(messages);
        CHECK_TEXT(warnings, "");
        if (scene != NULL) CHECK(strlen(carom_scene_description(scene)) > 40);
        free(warnings);
        carom_scene_messages_destroy(messages);
        carom_scene_destroy(scene);
        count++;
    }
    closedir(folder);
    CHECK(count >= 3);
}

// ---- the gallery's own claims

TEST(projectile_with_drag_follows_its_closed_form) {
    carom_scene_source source = carom_scene_source_default();
    source.file = CAROM_SOURCE_DIR "/scenes/projectile-drag.json";
    carom_scene *scene = read_source(&source);
    const carom_model *model = carom_scene_model(scene);
    carom_state *state;
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, NULL), CAROM_OK);
    for (int i = 0; i < 1000; i++) {
        carom_step_report report;
        carom_step(model, state, NULL, &report, NULL);
    }
    carom_body_state body;
    carom_state_get_body(state, (carom_body){0}, &body, NULL);
    // v_y = v_end + (20 - v_end) e^(-k t / m), v_end = -m g / k. First order: the error is about v' k h / 2.
    double v_end = -9.8 / 0.1, exact = v_end + (20.0 - v_end) * exp(-0.1);
    CHECK_NEAR(body.velocity.y, exact, 1e-3);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

// The largest and smallest distance of two attracting points, and the energy's drift, over the first 0.3 s.
TEST(two_charges_keep_to_their_ellipse) {
    carom_scene_source source = carom_scene_source_default();
    source.file = CAROM_SOURCE_DIR "/scenes/two-charges.json";
    carom_scene *scene = read_source(&source);
    const carom_model *model = carom_scene_model(scene);
    carom_state *state;
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, NULL), CAROM_OK);
    double nearest = 1.0, farthest = 0.0;
    for (int i = 0; i < 3000; i++) {
        carom_step_report report;
        carom_step(model, state, NULL, &report, NULL);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        carom_body_state a, b;
        carom_state_get_body(state, (carom_body){0}, &a, NULL);
        carom_state_get_body(state, (carom_body){1}, &b, NULL);
        nearest = fmin(nearest, vec3_gap(a.position, b.position));
        farthest = fmax(farthest, vec3_gap(a.position, b.position));
    }
    // Relative motion under k/(mu r^2): 1/a = 2/r - v^2 mu/k at the start, the far point; the near one is 2a - r. The
    // step is a thousandth of the period, so that a second-order method errs by 1e-5 or so.
    double strength = 8.9875517923e9 * 1e-12 / 0.005, axis = 1.0 / (2.0 / 0.1 - 3.4 * 3.4 / strength);
    CHECK_NEAR(farthest, 0.1, 1e-5);
    CHECK_NEAR(nearest, 2.0 * axis - 0.1, 1e-5);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

TEST(tumbling_block_flips_over_with_its_momentum_kept) {
    carom_scene_source source = carom_scene_source_default();
    source.file = CAROM_SOURCE_DIR "/scenes/tumbling-block.json";
    carom_scene *scene = read_source(&source);
    const carom_model *model = carom_scene_model(scene);
    carom_state *state;
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, NULL), CAROM_OK);
    carom_momentum first = carom_state_momentum(state);
    double energy = carom_state_energy(state).kinetic, lowest = 1.0;
    for (int i = 0; i < 60000; i++) {
        carom_step_report report;
        carom_step(model, state, NULL, &report, NULL);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        carom_body_state body;
        carom_state_get_body(state, (carom_body){0}, &body, NULL);
        carom_quat q = body.attitude;
        // The world's y of the body's y axis.
        lowest = fmin(lowest, 1.0 - 2.0 * (q.x * q.x + q.z * q.z));
    }
    CHECK(lowest < -0.9);
    double size = vec3_gap(first.angular, (carom_vec3){0});
    CHECK_NEAR(vec3_gap(carom_state_momentum(state).angular, first.angular), 0.0, 1e-12 * size);
    CHECK_NEAR(carom_state_energy(state).kinetic, energy, 1e-5 * energy);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

// ---- repeats

TEST(a_lattice_counts_along_x_first) {
    carom_scene *scene =
        read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = EVERYTHING});
    for (int i = 0; i < 12; i++) {
        char name[24];
        snprintf(name, sizeof name, "grain-%d", i);
        carom_vec3 wanted = {0.3 * (i % 2), 0.1 * (i / 2 % 3), 5.0 + 0.7 * (i / 6)};
        CHECK_NEAR(vec3_gap(body_named(scene, name).position, wanted), 0.0, 1e-15);
    }
    carom_scene_destroy(scene);
}

// Those of a random repeat with the same seed; a lattice that is filled further leaves the first ones as they were.
TEST(a_lattice_in_part_is_rotated_and_thrown_at_random) {
    const char *wanted = "{\"carom\": 1, \"bodies\": [{\"name\": \"b\", \"repeat\": {\"random\": {\"count\": 7, "
                         "\"seed\": 3, \"box\": [[0, 0, 0], [0, 0, 0]], \"attitude\": true, \"speed\": 2, \"spin\": "
                         "5}}}]}";
    const char *lattice = "{\"carom\": 1, \"bodies\": [{\"name\": \"b\", \"repeat\": {\"lattice\": {\"count\": [2, "
                          "3, 2], \"spacing\": [1, 1, 1], \"total\": 7, \"seed\": 3, \"attitude\": true, \"speed\": "
                          "2, \"spin\": 5}}}]}";
    carom_scene *random = read_text(wanted), *part = read_text(lattice);
    CHECK_INT(carom_model_body_count(carom_scene_model(part)), 7);
    for (int i = 0; i < 7; i++) {
        char name[24];
        snprintf(name, sizeof name, "b-%d", i);
        carom_body_def a = body_named(random, name), b = body_named(part, name);
        CHECK(memcmp(&a.attitude, &b.attitude, sizeof a.attitude) == 0);
        CHECK(memcmp(&a.velocity, &b.velocity, sizeof a.velocity) == 0);
        CHECK(memcmp(&a.spin, &b.spin, sizeof a.spin) == 0);
        CHECK_NEAR(vec3_gap(b.position, (carom_vec3){i % 2, i / 2 % 3, i / 6}), 0.0, 0.0);
    }
    carom_scene_destroy(random);
    carom_scene_destroy(part);
}

TEST(random_bodies_depend_on_seed_and_number_alone) {
    const char *more[] = {"bodies[8].repeat.random.count=13", "forces=[]"};
    const char *other[] = {"bodies[8].repeat.random.seed=8"};
    carom_scene *scene =
        read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = EVERYTHING});
    carom_scene *again =
        read_source(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = EVERYTHING});
    carom_scene *larger = read_source(&(carom_scene_source){
        .struct_size = sizeof(carom_scene_source), .file = EVERYTHING, .override_count = 2, .overrides = more});
    carom_scene *seeded = read_source(&(carom_scene_source){
        .struct_size = sizeof(carom_scene_source), .file = EVERYTHING, .override_count = 1, .overrides = other});
    check_same_model(scene, again);
    for (int i = 0; i < 12; i++) {
        char name[24];
        snprintf(name, sizeof name, "chip-%d", i);
        carom_body_def a = body_named(scene, name), b = body_named(larger, name), c = body_named(seeded, name);
        CHECK(memcmp(&a.position, &b.position, sizeof a.position) == 0);
        CHECK(memcmp(&a.attitude, &b.attitude, sizeof a.attitude) == 0);
        CHECK(memcmp(&a.spin, &b.spin, sizeof a.spin) == 0);
        CHECK(memcmp(&a.position, &c.position, sizeof a.position) != 0);
        CHECK(fabs(a.position.x) <= 1.0 && fabs(a.position.y) <= 1.0 && a.position.z >= 10.0 && a.position.z <= 11.0);
        CHECK_NEAR(vec3_gap(a.velocity, (carom_vec3){0.0, 0.0, 1.0}), 0.5, 1e-15);
        CHECK_NEAR(vec3_gap(a.spin, (carom_vec3){0}), 2.0, 1e-15);
    }
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
    carom_scene_destroy(larger);
    carom_scene_destroy(seeded);
}

// ---- memory

// Reads with the n-th allocation refused, for every n, until one reading succeeds.
static void check_memory(const char *file, bool lint, carom_status wanted) {
    for (long long n = 1;; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator allocator = probe_allocator_hook(&probe);
        carom_scene_source source = carom_scene_source_default();
        source.file = file;
        source.lint = lint;
        carom_scene *scene = NULL;
        carom_scene_messages *messages = NULL;
        carom_error error = {.status = CAROM_OK, .text = ""};
        carom_status status = carom_scene_read(&source, &allocator, &scene, &messages, &error);
        bool refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : wanted);
        if (refused) CHECK_TEXT(error.text, "scene: no memory to read it; free some or use fewer bodies");
        carom_scene_destroy(scene);
        carom_scene_messages_destroy(messages);
        if (!CHECK_INT(probe.live_blocks, 0) || !CHECK_INT(probe.live_bytes, 0)) return;
        if (!refused || !CHECK(n < 10000)) return;
    }
}

TEST(every_allocation_may_fail) {
    check_memory(EVERYTHING, true, CAROM_OK);
    check_memory(FLEXIBLE, true, CAROM_OK);
    check_memory(CAROM_SOURCE_DIR "/tests/scene/good/flexible-files.json", false, CAROM_OK);
    check_memory(PLAN, false, CAROM_OK);
    check_memory(CAROM_SOURCE_DIR "/tests/scene/broken/forces.json", true, CAROM_ERR_BAD_INPUT);
    check_memory(CAROM_SOURCE_DIR "/tests/scene/broken/duplicate-key.json", false, CAROM_ERR_BAD_INPUT);
}

// Tens of thousands of bodies: nothing is quadratic.
TEST(many_bodies_are_read_in_time) {
    carom_scene *scene = read_text("{\"carom\": 1, \"method\": {\"name\": \"euler\"}, \"bodies\": [{\"name\": \"g\", "
                                   "\"kind\": \"point\", \"mass\": 0.1, \"repeat\": {\"random\":"
                                   " {\"count\": 30000, \"seed\": 3, \"box\": [[0, 0, 0], [1, 1, 1]]}}}],"
                                   " \"forces\": [{\"kind\": \"drag\", \"body\": \"g-*\", \"linear\": 1}]}");
    CHECK_INT(carom_model_body_count(carom_scene_model(scene)), 30000);
    carom_scene *again = read_text(carom_scene_resolved(scene));
    CHECK(strcmp(carom_scene_resolved(again), carom_scene_resolved(scene)) == 0);
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
}

TEST_MAIN(CASE(the_first_scene_of_the_docs), CASE(lcp_is_the_method_of_scenes_that_name_none),
          CASE(an_empty_scene_and_a_byte_order_mark), CASE(every_key_has_its_effect),
          CASE(resolved_text_reads_back_to_the_same_bits), CASE(scenes_of_the_gallery_are_good_and_without_warnings),
          CASE(projectile_with_drag_follows_its_closed_form), CASE(two_charges_keep_to_their_ellipse),
          CASE(tumbling_block_flips_over_with_its_momentum_kept), CASE(a_lattice_counts_along_x_first),
          CASE(a_lattice_in_part_is_rotated_and_thrown_at_random), CASE(random_bodies_depend_on_seed_and_number_alone),
          CASE(every_allocation_may_fail), CASE(many_bodies_are_read_in_time))
