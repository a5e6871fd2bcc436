// SPDX-License-Identifier: MIT
// Charged hexagonal prisms that pull each other together and collide elastically: what `exact` takes for the runs whose
// times the document on structure-preserving contact gives, 80 intervals of two prisms and 40 steps of seven, with both
// jumps of the energy, at its step of 0.1 s and at the scenes' own.
//
// The document's times are of its own program on another machine, of about 2013; masses, distances and velocities of
// the scenes are ours, so that the numbers of collisions may differ. Times of carom are measured here, processor time
// of one thread with the certificates. No engine that Debian packages cuts its steps at collisions and keeps energy and
// momenta through them: there is no peer to measure beside.
//
// Errors are the largest change of the energy over the largest kinetic energy.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "carom/carom.h"
#include "math/vec3.h"
#include "support/report.h"
#include "support/timing.h"

#define SCENES CAROM_SOURCE_DIR "/scenes/"

// How many times faster than the document carom shall be.
static const double target = 1000.0;

enum { MOST_ROUNDS = 5 };
static const char *const jumps[CAROM_JUMP_COUNT] = {"hamiltonian", "discrete"};

static const struct run {
    const char *name, *file;
    int steps;
    double document[CAROM_JUMP_COUNT]; // s; NAN: not given
    int rounds;                        // fewer for the slow ones, whose figures are large against the noise
} runs[] = {
    {"two prisms", SCENES "hexagonal-prisms-2.json", 80, {44.3, 50.4}, MOST_ROUNDS},
    {"seven prisms", SCENES "hexagonal-prisms.json", 40, {4500.0, NAN}, 3},
};
enum { RUNS = sizeof runs / sizeof runs[0] };
static const double document_step = 0.1;

typedef struct score {
    int steps; // fewer than asked for: `why`
    char why[256];
    int64_t collisions, parts; // parts of steps that were tried
    double seconds;            // median of the rounds
    double energy_change;      // largest, J
    double kinetic;            // largest, J
    double momentum_change;    // largest, kg m/s
    double spin_change;        // largest of the angular momentum, kg m^2/s
} score;

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

static double total(carom_energy energy) {
    return energy.kinetic + energy.potential;
}

static void note(const carom_step_report *report, carom_energy energy, carom_momentum momentum, score *s) {
    s->steps++;
    s->collisions += report->contacts;
    s->parts += report->iterations;
    s->energy_change = fmax(s->energy_change, fabs(total(report->energy) - total(energy)));
    s->kinetic = fmax(s->kinetic, report->energy.kinetic);
    s->momentum_change = fmax(s->momentum_change, crm_distance(report->momentum.linear, momentum.linear));
    s->spin_change = fmax(s->spin_change, crm_distance(report->momentum.angular, momentum.angular));
}

// One round; the seconds that it took.
static double go(const carom_model *model, const carom_method_def *method, int steps, score *s) {
    carom_error error;
    carom_state *state;
    if (carom_state_create(model, method, &state, &error) != CAROM_OK) stop(error.text);
    carom_energy energy = carom_state_energy(state);
    carom_momentum momentum = carom_state_momentum(state);
    *s = (score){.kinetic = energy.kinetic};
    double start = crm_clock_thread_seconds();
    while (s->steps < steps) {
        carom_step_report report;
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        if (report.outcome != CAROM_STEP_GOOD) {
            snprintf(s->why, sizeof s->why, "%s", report.text);
            break;
        }
        note(&report, energy, momentum, s);
    }
    double seconds = crm_clock_thread_seconds() - start;
    carom_state_destroy(state);
    return seconds;
}

static score measure(const struct run *run, carom_energy_jump jump, double step) {
    carom_error error;
    carom_scene *scene;
    carom_scene_source source = carom_scene_source_default();
    source.file = run->file;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) stop(error.text);
    carom_method_def method = *carom_scene_method(scene);
    method.exact.jump = jump;
    if (step > 0.0) method.step = step;
    double seconds[MOST_ROUNDS];
    score s;
    for (int round = 0; round < run->rounds; round++)
        seconds[round] = go(carom_scene_model(scene), &method, run->steps, &s);
    s.seconds = bench_median(seconds, run->rounds);
    carom_scene_destroy(scene);
    return s;
}

static void print_run(bool json, const struct run *run, carom_energy_jump jump, double step) {
    score s = measure(run, jump, step);
    bool arrived = s.steps == run->steps;
    char name[64], length[32] = "own step";
    if (step > 0.0) snprintf(length, sizeof length, "%g s", step);
    snprintf(name, sizeof name, "%s, %s, %s", run->name, length, jumps[jump]);
    bench_row row = bench_row_of("prisms", name, "s");
    if (arrived) {
        row.carom = s.seconds;
        row.error = s.energy_change / s.kinetic;
    }
    if (isfinite(run->document[jump])) {
        row.peer = "document, about 2013";
        row.peer_value = run->document[jump];
        row.target_kind = BENCH_RATIO_AT_LEAST;
        row.target = target;
    }
    bench_print_row(json, &row);
    if (!arrived) fprintf(stderr, "carom: %s stopped after %d steps: %s\n", name, s.steps, s.why);
    if (json) return;
    printf("  %lld collisions, %lld parts; energy off by %.1e J, largest kinetic %.1e J; momentum by %.0e kg m/s, "
           "angular by %.0e kg m^2/s\n",
           (long long)s.collisions, (long long)s.parts, s.energy_change, s.kinetic, s.momentum_change, s.spin_change);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "prisms: charged hexagonal prisms under exact, 80 steps of two and 40 of seven; the "
                              "document's times are of another machine, and no peer in Debian does this");
    for (int r = 0; r < RUNS; r++)
        for (int j = 0; j < CAROM_JUMP_COUNT; j++) {
            print_run(json, &runs[r], (carom_energy_jump)j, document_step);
            print_run(json, &runs[r], (carom_energy_jump)j, 0.0);
        }
    return 0;
}
