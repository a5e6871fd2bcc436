// SPDX-License-Identifier: MIT
// A step of any method can be ended wherever it asks, and made anew from a copy it has the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "support/harness/check.h"

// Says yes at the n-th question, and that once: an end stays asked for within the step.
typedef struct question {
    long asked, yes_at;
} question;

static bool ask(void *user) {
    question *q = user;
    return ++q->asked == q->yes_at;
}

#define GAS                                                                                                          \
    "\"gravity\": [0, 0, 0], \"shapes\": {\"p\": {\"kind\": \"sphere\", \"radius\": 0.5}}, \"bodies\": [{\"name\": " \
    "\"a\", \"shape\": \"p\", \"repeat\": {\"lattice\": {\"count\": [3, 3, 1], \"spacing\": [1.05, 1.05, 1], "       \
    "\"speed\": 3, \"seed\": 4}}}]}"
#define HEAP                                                                                                           \
    "\"shapes\": {\"p\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"f\": {\"kind\": \"half_space\", \"normal\": [0, " \
    "0, 1]}}, \"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"f\"}, {\"name\": \"a\", "           \
    "\"shape\": \"p\", \"position\": [0, 0, 0.6], \"spin\": [1, 2, 0], \"repeat\": {\"lattice\": {\"count\": [2, 1, "  \
    "2], \"spacing\": [1.02, 1, 1.3]}}}]}"
#define BOX                                                                                                            \
    "\"shapes\": {\"p\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"f\": {\"kind\": \"half_space\", \"normal\": [0, " \
    "0, 1]}}, \"bodies\": [{\"kind\": \"fixed\", \"shape\": \"f\"}, {\"shape\": \"p\", \"position\": [0, 0, 0.51], "   \
    "\"velocity\": [1, 0, -1]}]}"
#define CHAIN(limits)                                                                                                 \
    "\"shapes\": {}, \"bodies\": [{\"name\": \"l\", \"repeat\": {\"lattice\": {\"count\": [6, 1, 1], \"spacing\": "   \
    "[1, "                                                                                                            \
    "0, 0], \"speed\": 1, \"seed\": 1}}}], \"joints\": [{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"l-0\", "     \
    "\"point\": [-0.5, 0, 0], \"axis\": [0, 1, 0]}, {\"kind\": \"hinge\", \"chain\": \"l-*\", \"point_a\": [0.5, 0, " \
    "0], \"axis\": [0, 1, 0]" limits "}]}"
#define LIMITS ", \"coordinates\": [{\"lower\": -0.01, \"upper\": 0.01}]"
#define CHARGES                                                                                                \
    "\"bodies\": [{\"name\": \"l\", \"repeat\": {\"lattice\": {\"count\": [3, 3, 3], \"spacing\": [1, 1, 1], " \
    "\"speed\": 1, \"seed\": 1}}}], \"forces\": [{\"kind\": \"charge\", \"body\": \"l-*\", \"charge\": 1e-5}]}"
#define SCENE(method, rest) "{\"carom\": 1, \"until\": 1, \"start_overlaps\": \"keep\", \"method\": {" method "}, " rest

enum { STEPS = 2, TRIALS = 12 };

static carom_scene *read(const char *text, question *q) {
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    source.interrupt = (carom_interrupt){ask, q};
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error;
    if (carom_scene_read(&source, NULL, &scene, &messages, &error) != CAROM_OK)
        fail_msg("%s: %s", error.text, messages != NULL && messages->count > 0 ? messages->message[0].text : "");
    carom_scene_messages_destroy(messages);
    return scene;
}

// Steps from the start on, one of which is ended at its n-th question; 0: none. Returns how many questions were asked
// in the steps, and the hash at the end.
static long run(const carom_scene *scene, question *q, long yes_at, uint64_t *hash) {
    const carom_model *model = carom_scene_model(scene);
    carom_state *state = NULL;
    carom_error error;
    *q = (question){0, 0};
    assert_int_equal(carom_state_create(model, carom_scene_method(scene), &state, &error), CAROM_OK);
    *q = (question){0, yes_at};
    for (int made = 0; made < STEPS;) {
        carom_step_report report;
        size_t size = carom_state_size(state);
        void *copy = malloc(size);
        carom_state_save(state, copy);
        carom_status status = carom_step(model, state, NULL, &report, &error);
        bool ended = yes_at > 0 && q->asked >= yes_at;
        CHECK_INT(status, ended ? CAROM_ERR_INTERRUPTED : CAROM_OK);
        if (ended) {
            CHECK_INT(carom_state_step_count(state), made);
            CHECK_INT(carom_state_load(state, copy, size, &error), CAROM_OK);
            yes_at = q->yes_at = 0;
        } else {
            CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE);
            made++;
        }
        free(copy);
        if (status != CAROM_OK && !ended) break;
    }
    *hash = carom_state_hash(state);
    carom_state_destroy(state);
    return q->asked;
}

// `least`: questions that the steps ask at least, so that none of the long loops goes unasked.
static void end_everywhere(const char *text, long least) {
    question q = {0, 0};
    carom_scene *scene = read(text, &q);
    uint64_t whole, hash;
    long asked = run(scene, &q, 0, &whole);
    CHECK(asked >= least);
    long stride = asked / TRIALS + 1;
    for (long n = 1; n <= asked; n += stride) {
        run(scene, &q, n, &hash);
        CHECK(hash == whole);
    }
    carom_scene_destroy(scene);
}

TEST(exact_ends_in_searches_for_collisions) {
    end_everywhere(SCENE("\"name\": \"exact\", \"step\": 0.05", GAS), 100);
}

TEST(potential_ends_in_newton_steps) {
    end_everywhere(SCENE("\"name\": \"potential\", \"step\": 0.004, \"potential\": {\"stiffness\": 1e4}", GAS), 20);
}

TEST(newmark_ends_between_pairs) {
    end_everywhere(SCENE("\"name\": \"newmark\", \"step\": 0.004, \"potential\": {\"stiffness\": 1e4}", GAS), 20);
}

TEST(impulse_by_events_ends_in_substeps) {
    end_everywhere(SCENE("\"name\": \"impulse\", \"step\": 0.1, \"impulse\": {\"variant\": \"events\"}", HEAP), 100);
}

TEST(impulse_with_fixed_steps_ends_in_sweeps) {
    end_everywhere(SCENE("\"name\": \"impulse\", \"step\": 0.05, \"impulse\": {\"variant\": \"fixed\"}", HEAP), 5);
}

TEST(multiplier_ends_in_stages) {
    end_everywhere(SCENE("\"name\": \"multiplier\", \"step\": 0.1", CHAIN("")), 100);
    end_everywhere(SCENE("\"name\": \"multiplier\", \"step\": 0.1", CHAIN(LIMITS)), 100);
}

TEST(reduced_ends_in_stages) {
    end_everywhere(SCENE("\"name\": \"reduced\", \"step\": 0.1", CHAIN("")), 50);
    end_everywhere(SCENE("\"name\": \"reduced\", \"step\": 0.1", CHAIN(LIMITS)), 50);
}

TEST(variational_ends_in_newton_steps) {
    end_everywhere(SCENE("\"name\": \"variational\", \"step\": 0.1", CHAIN("")), 8);
    end_everywhere(SCENE("\"name\": \"variational\", \"step\": 0.01", CHARGES), 8);
}

TEST(dcr_ends_in_its_problems) {
    end_everywhere(SCENE("\"name\": \"dcr\", \"step\": 0.05", HEAP), 20);
}

TEST(lcp_ends_in_its_solvers) {
    static const char *const solvers[] = {"auto", "gauss-seidel", "semismooth", "smoothing", "interior"};
    static const char *const dense[] = {"lemke", "min-map"}; // slow in heaps
    char text[2000];
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        snprintf(text, sizeof text, SCENE("\"name\": \"lcp\", \"step\": 0.1, \"lcp\": {\"solver\": \"%s\"}", HEAP),
                 solvers[i]);
        end_everywhere(text, 4);
    }
    for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
        snprintf(text, sizeof text, SCENE("\"name\": \"lcp\", \"step\": 0.1, \"lcp\": {\"solver\": \"%s\"}", BOX),
                 dense[i]);
        end_everywhere(text, 4);
    }
}

TEST_MAIN(CASE(exact_ends_in_searches_for_collisions), CASE(potential_ends_in_newton_steps),
          CASE(newmark_ends_between_pairs), CASE(impulse_by_events_ends_in_substeps),
          CASE(impulse_with_fixed_steps_ends_in_sweeps), CASE(multiplier_ends_in_stages), CASE(reduced_ends_in_stages),
          CASE(variational_ends_in_newton_steps), CASE(dcr_ends_in_its_problems), CASE(lcp_ends_in_its_solvers))
