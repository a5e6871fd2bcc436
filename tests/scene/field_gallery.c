// SPDX-License-Identifier: MIT
// Scenes of the gallery with fields: two satellites against Hill's equations, in both frames, and an air table whose
// forces are in a file; and that resolved scenes have the numbers of the file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/scene/scene_run.h"

#define SCENES CAROM_SOURCE_DIR "/scenes/"

static const double mu = 3.986004418e14, radius = 7e6; // of the scenes

static double mean_motion(void) {
    return sqrt(mu / (radius * radius * radius));
}

// Hill's solution from (50, 0, 80) m at (0, -2n 50, 0) m/s: an ellipse that closes.
static carom_vec3 ellipse_at(double t) {
    double n = mean_motion();
    return crm_vec3(50.0 * cos(n * t), -100.0 * sin(n * t), 80.0 * cos(n * t));
}

// Where b is as a sees it: along the radius, the way and the normal of a's motion.
static carom_vec3 seen_from(carom_body_state a, carom_body_state b) {
    carom_vec3 x, z, d = crm_sub(b.position, a.position);
    crm_normalise(a.position, &x);
    crm_normalise(crm_cross(a.position, a.velocity), &z);
    return crm_vec3(crm_dot(d, x), crm_dot(d, crm_cross(z, x)), crm_dot(d, z));
}

// Every 10 s of one revolution, by steps of `step`; the largest distance from the ellipse.
static double off_the_ellipse(const char *method, double step, const char *settings) {
    scene_run r = scene_run_begin("formation", method, step, settings);
    int steps = (int)lround(10.0 / step);
    double worst = 0.0;
    for (int i = 1; i <= 583; i++) {
        scene_run_go(&r, steps);
        carom_vec3 seen = seen_from(scene_run_body(&r, 0), scene_run_body(&r, 1));
        worst = fmax(worst, crm_distance(seen, ellipse_at(10.0 * i)));
    }
    scene_run_end(&r);
    return worst;
}

TEST(formation_keeps_to_hills_solution) {
    double own = off_the_ellipse("variational", 5.0, NULL);
    double exact = off_the_ellipse("reduced", 10.0, "method.integrator=dp54");
    printf("formation: off by %.2e m by variational, %.2e m by reduced\n", own, exact);
    CHECK(own < 1e-3 * 100.0);
    CHECK(exact < 1e-3 * 100.0);
}

TEST(formation_hill_is_hills_solution) {
    scene_run r = scene_run_begin("formation-hill", "reduced", 10.0, "method.integrator=dp54");
    double worst = 0.0;
    for (int i = 1; i <= 583; i++) {
        scene_run_go(&r, 1);
        worst = fmax(worst, crm_distance(scene_run_body(&r, 1).position, ellipse_at(10.0 * i)));
        // The chief stays, but the gradient of gravity holds and swings what is not even.
        CHECK(crm_length(scene_run_body(&r, 0).position) < 1e-9);
    }
    printf("formation-hill: off by %.2e m\n", worst);
    CHECK(worst < 1e-7);
    scene_run_end(&r);
}

// ---- files

static char *resolved_text(const carom_scene_source *source, uint64_t *digest) {
    carom_scene *scene = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_scene_read(source, NULL, &scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    if (scene == NULL) return NULL;
    char *text = strdup(carom_scene_resolved(scene));
    carom_state *state = NULL;
    CHECK_INT(carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error), CAROM_OK);
    for (int i = 0; i < 200 && state != NULL; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(carom_scene_model(scene), state, NULL, &report, &error), CAROM_OK);
        CHECK(report.outcome == CAROM_STEP_GOOD);
    }
    *digest = carom_state_hash(state);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return text;
}

// The resolved scene needs no file, is its own resolved scene, and moves to the same bits.
TEST(a_resolved_scene_has_the_numbers_of_its_files) {
    carom_scene_source file = carom_scene_source_default(), text = carom_scene_source_default();
    uint64_t of_file = 0, of_text = 1;
    file.file = SCENES "air-table.json";
    char *first = resolved_text(&file, &of_file);
    text.text = first;
    char *second = resolved_text(&text, &of_text);
    CHECK(first != NULL && strstr(first, "air-table.csv\"") == NULL && strstr(first, "\"count\": [5, 5, 1]") != NULL);
    CHECK(second != NULL && strcmp(first, second) == 0);
    CHECK(of_file == of_text);
    free(first), free(second);
}

TEST(a_scene_that_is_no_file_has_no_file_of_a_field) {
    carom_scene_source source = carom_scene_source_default();
    carom_scene *scene = NULL;
    carom_error error;
    source.text = "{\"carom\": 1, \"bodies\": [{\"name\": \"a\", \"kind\": \"point\", \"mass\": 1}],\n"
                  " \"forces\": [{\"kind\": \"field\", \"body\": \"a\", \"file\": \"air-table.csv\"}]}";
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "a scene that is no file has no folder to look in; give \"force\" instead");
}

// The whole table pulls towards the middle, where the pucks come to rest.
TEST(pucks_gather_on_the_air_table) {
    scene_run r = scene_run_begin("air-table", "lcp", 0.005, NULL);
    double first = 0.0, last = 0.0;
    for (int b = 0; b < 5; b++) first += crm_length(scene_run_body(&r, b).position);
    scene_run_go(&r, 8000);
    for (int b = 0; b < 5; b++) last += crm_length(scene_run_body(&r, b).position);
    CHECK(last < 0.6 * first);
    scene_run_end(&r);
}

TEST_MAIN(CASE(formation_keeps_to_hills_solution), CASE(formation_hill_is_hills_solution),
          CASE(a_resolved_scene_has_the_numbers_of_its_files), CASE(a_scene_that_is_no_file_has_no_file_of_a_field),
          CASE(pucks_gather_on_the_air_table))
