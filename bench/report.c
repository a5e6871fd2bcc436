// SPDX-License-Identifier: MIT
// Reports of 1,000 bodies over 600 frames: how large, how long to write, how soon and how smoothly a browser without a
// graphics card shows them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "carom/report.h"
#include "report/browser.h"
#include "report/report_page.h"
#include "support/report.h"
#include "support/timing.h"

enum { BODIES = 1000, FRAMES = 600, ROUNDS = 3 };

static void stop(const char *text) {
    fprintf(stderr, "bench report: %s\n", text);
    exit(3);
}

// Boxes that fly apart and tumble.
static char *scene_text(void) {
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) stop("no memory for the scene");
    fputs("{\"carom\": 1, \"until\": 9.983, \"gravity\": [0, 0, 0], \"method\": {\"name\": \"euler\", \"step\": "
          "0.016666666666666666}, \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.3, 0.2, 0.1]}}, \"bodies\": [",
          to);
    crm_random r = {.seed = 3};
    for (int i = 0; i < BODIES; i++) {
        double v[9];
        for (int k = 0; k < 9; k++) v[k] = crm_random_between(&r, -1.0, 1.0);
        fprintf(to,
                "%s{\"shape\": \"box\", \"density\": 500, \"position\": [%g, %g, %g], \"velocity\": [%g, %g, %g], "
                "\"spin\": [%g, %g, %g]}",
                i > 0 ? "," : "", 3 * v[0], 3 * v[1], 3 * v[2], v[3], v[4], v[5], 5 * v[6], 5 * v[7], 5 * v[8]);
    }
    fputs("]}", to);
    fclose(to);
    return text;
}

// Poses of the motion, or, where nothing can be squeezed, others at every frame.
static void record(const carom_scene *scene, bool noise, const char *path) {
    carom_error error;
    carom_state *state;
    carom_recorder *recorder;
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    def.overwrite = true;
    def.every = 1;
    const carom_model *model = carom_scene_model(scene);
    if (carom_state_create(model, carom_scene_method(scene), &state, &error) != CAROM_OK ||
        carom_recorder_create(&def, scene, state, &recorder, &error) != CAROM_OK)
        stop(error.text);
    crm_random r = {.seed = 5};
    for (int step = 1; step < FRAMES; step++) {
        for (int i = 0; i < BODIES && noise; i++) {
            carom_body_state to = {.attitude = crm_random_rotation(&r)};
            to.position = (carom_vec3){crm_random_between(&r, -9.0, 9.0), crm_random_between(&r, -9.0, 9.0),
                                       crm_random_between(&r, -9.0, 9.0)};
            if (carom_state_set_body(state, (carom_body){i}, &to, &error) != CAROM_OK) stop(error.text);
        }
        carom_step_report report;
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK ||
            carom_recorder_step(recorder, state, &report, &error) != CAROM_OK)
            stop(error.text);
    }
    if (carom_recorder_finish(recorder, state, NULL, &error) != CAROM_OK) stop(error.text);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}

// Bytes of the report; the seconds that it took are the least of some rounds.
static double write_report_file(const char *run, const char *page, double *seconds) {
    carom_error error;
    carom_recording *recording;
    carom_report_size size = {0};
    if (carom_recording_open(run, &recording, &error) != CAROM_OK) stop(error.text);
    *seconds = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        carom_report_def def = {
            .struct_size = sizeof(carom_report_def), .path = page, .overwrite = true, .page = report_page};
        double begin = crm_clock_thread_seconds();
        if (carom_report_write(recording, &def, &size, &error) != CAROM_OK) stop(error.text);
        *seconds = fmin(*seconds, crm_clock_thread_seconds() - begin);
    }
    carom_recording_close(recording);
    return (double)size.bytes;
}

static double number_of(const char *stats, const char *key) {
    char start[32];
    snprintf(start, sizeof start, "\"%s\":", key);
    const char *at = strstr(stats, start);
    return at != NULL ? strtod(at + strlen(start), NULL) : NAN;
}

static void print_row(bool json, const char *name, const char *unit, double value, double target) {
    bench_row row = bench_row_of("report", name, unit);
    row.carom = value;
    if (isfinite(target)) {
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = target;
    }
    bench_print_row(json, &row);
}

static void show(bool json, const char *page) {
    browser b;
    char *stats = NULL;
    // The page's clock says how soon and how often it draws.
    bool good = browser_begin(&b, 1280, 800) == 0 && browser_open(&b, page, "") == 0 &&
                browser_evaluate(&b,
                                 "(carom.play(), new Promise((done) => setTimeout(() => "
                                 "done(JSON.stringify(carom.stats())), 5000)))",
                                 &stats) == 0;
    if (good) {
        print_row(json, "time to the first picture, software rendering", "ms", number_of(stats, "firstFrameMs"), NAN);
        print_row(json, "time a picture while playing, software rendering", "ms", 1e3 / number_of(stats, "fps"), NAN);
    }
    free(stats);
    browser_end(&b);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    if (report_page[0] == '\0') stop("this was built without the page of reports (CAROM_VIEWER=OFF)");
    const char *folder = getenv("TMPDIR");
    char run[4096], page[4096];
    snprintf(run, sizeof run, "%s/carom-bench-%ld.carom", folder != NULL ? folder : "/tmp", (long)getpid());
    snprintf(page, sizeof page, "%s/carom-bench-%ld.html", folder != NULL ? folder : "/tmp", (long)getpid());
    char *text = scene_text();
    carom_scene *scene;
    carom_error error;
    carom_scene_source source = carom_scene_source_default();
    source.file = "bench";
    source.text = text;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) stop(error.text);

    bench_print_heading(json, "report: 1,000 bodies over 600 frames as a page");
    double seconds;
    record(scene, true, run);
    print_row(json, "size where nothing can be squeezed", "MB", 1e-6 * write_report_file(run, page, &seconds), 15.0);
    record(scene, false, run);
    print_row(json, "size of a smooth motion", "MB", 1e-6 * write_report_file(run, page, &seconds), 15.0);
    print_row(json, "processor time to write it", "s", seconds, NAN);
    show(json, page);
    unlink(run);
    unlink(page);
    carom_scene_destroy(scene);
    free(text);
    return 0;
}
