// SPDX-License-Identifier: MIT
// Ellipsoids that fall onto a plane with friction out of a cubic lattice, 1 to 66 of them as in the document on
// ellipsoids, then 1,000 and 10,000: what a contact costs. And ellipsoids in a line on a floor: what a step costs. Both
// are scenes of the gallery, each step solved to a residual of 1e-8.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "carom/carom.h"
#include "support/report.h"

#define SCENES CAROM_SOURCE_DIR "/scenes/"

// us a contact; what the document's own program took on a laptop of 2015, with 66 bodies.
static const double contact_target = 2.2, document_contact = 676.0;
enum { DOCUMENT_BODIES = 66 };

// A run ends after this much processor time, s: contacts of large lattices that hit the ground take long.
static const double patience = 20.0;

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

typedef struct score {
    int bodies, steps;
    bool finished;
    int64_t contacts, iterations; // summed over the steps; Newton steps and sweeps of all islands together
    double seconds, residual;     // processor time; the largest
} score;

static score run(const char *file, int override_count, const char *const *overrides) {
    carom_error error;
    carom_scene *scene;
    carom_state *state;
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = override_count;
    source.overrides = overrides;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) stop(error.text);
    const carom_model *model = carom_scene_model(scene);
    const carom_method_def *method = carom_scene_method(scene);
    if (carom_state_create(model, method, &state, &error) != CAROM_OK) stop(error.text);
    score s = {.bodies = carom_model_body_count(model) - 1};
    int steps = (int)lround(carom_scene_until(scene) / method->step);
    double start = crm_clock_thread_seconds();
    while (s.steps < steps && s.seconds < patience) {
        carom_step_report report;
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        if (report.outcome != CAROM_STEP_GOOD) stop(report.text);
        s.steps++;
        s.contacts += report.contacts;
        s.residual = fmax(s.residual, report.residual);
        s.iterations += report.iterations;
        s.seconds = crm_clock_thread_seconds() - start;
    }
    s.finished = s.steps == steps;
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return s;
}

static void print_details(bool json, const score *s) {
    if (json) return;
    printf("  %6d bodies %8lld contacts in %3d steps%s, %8.4f s, %lld iterations of solvers\n", s->bodies,
           (long long)s->contacts, s->steps, s->finished ? "" : " (no further)", s->seconds, (long long)s->iterations);
}

// ---- out of a lattice

// As wide as the number asks for, five layers high as with 66.
static void fall(bool json, int bodies, int side) {
    char count[64], total[64];
    snprintf(count, sizeof count, "bodies[1].repeat.lattice.count=[%d, %d, 5]", side, side);
    snprintf(total, sizeof total, "bodies[1].repeat.lattice.total=%d", bodies);
    score s = run(SCENES "ellipsoid-scaling.json", 2, (const char *[]){count, total});
    char name[64];
    snprintf(name, sizeof name, "%d falling, a contact", bodies);
    bench_row row = bench_row_of("scaling", name, "us");
    row.carom = 1e6 * s.seconds / (double)s.contacts;
    row.error = s.residual;
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = contact_target;
    if (bodies == DOCUMENT_BODIES) {
        row.peer = "document, min-map";
        row.peer_value = document_contact;
    }
    bench_print_row(json, &row);
    print_details(json, &s);
}

// ---- in a line

static void line(bool json, int bodies) {
    char count[64];
    snprintf(count, sizeof count, "bodies[1].repeat.lattice.count[0]=%d", bodies);
    score s = run(SCENES "ellipsoid-line.json", 1, (const char *[]){count});
    char name[64];
    snprintf(name, sizeof name, "line of %d, a step", bodies);
    bench_row row = bench_row_of("scaling", name, "us");
    row.carom = 1e6 * s.seconds / s.steps;
    row.error = s.residual;
    bench_print_row(json, &row);
    print_details(json, &s);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "scaling: ellipsoids with friction, processor time of one thread, errors as the largest "
                              "residual of a step");
    for (int bodies = 1; bodies <= DOCUMENT_BODIES; bodies += 5) fall(json, bodies, 4);
    fall(json, 1000, 15);
    fall(json, 10000, 45);
    for (int bodies = 10; bodies <= 160; bodies *= 2) line(json, bodies);
    return 0;
}
