// SPDX-License-Identifier: MIT
// Support functions of hulls of random points on a sphere: the way that the library chooses, beside a plain scan. Each
// question waits for the answer to the one before, as in a distance computation. Cold: unrelated directions and no
// guess. Rotating: each direction is a small step from the last, whose answer is the guess.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "math/quat.h"
#include "shape/shape.h"
#include "shape/support/support.h"
#include "support/report.h"
#include "support/timing.h"

enum { DIRECTIONS = 1 << 12, ROUNDS = 9, MOST_VERTICES = 1000, VARIANTS = 3 };

static const int vertex_counts[] = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000};
// Radians from one direction to the next of a rotating body: about 1 rad/s at 200 steps a second.
static const double rotating_step = 0.005;

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// Every point of the sphere is a vertex.
static carom_shape *random_hull(int count) {
    static carom_vec3 points[MOST_VERTICES];
    crm_random random = {.seed = 5, .stream = (uint32_t)count};
    for (int i = 0; i < count; i++) points[i] = crm_random_direction(&random);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = count;
    def.polytope.vertices = points;
    carom_shape *shape;
    carom_error error;
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) stop(error.text);
    return shape;
}

static void fill_directions(bool rotating, carom_vec3 direction[DIRECTIONS]) {
    crm_random random = {.seed = 6};
    direction[0] = crm_random_direction(&random);
    carom_vec3 axis = crm_any_normal(direction[0]);
    for (int i = 1; i < DIRECTIONS; i++) {
        if (rotating) {
            // The axis wanders, so that the path covers the sphere.
            crm_normalise(crm_madd(axis, 0.05, crm_random_direction(&random)), &axis);
            carom_vec3 next = crm_madd(direction[i - 1], rotating_step, crm_cross(axis, direction[i - 1]));
            crm_normalise(next, &direction[i]);
        } else {
            direction[i] = crm_random_direction(&random);
        }
    }
}

// ---- the ways to ask

typedef int question(const crm_polytope *p, carom_vec3 d, int guess);

static int ask_library(const crm_polytope *p, carom_vec3 d, int guess) {
    return crm_support_vertex(p, d, guess);
}

static int ask_climb(const crm_polytope *p, carom_vec3 d, int guess) {
    return crm_support_climb(p, d, guess);
}

static int ask_scan(const crm_polytope *p, carom_vec3 d, int guess) {
    (void)guess;
    return p->kernels->scan(p->padded_count, p->x, p->y, p->z, d);
}

// Nanoseconds of one question, and the sum of all answers.
static double measure(const crm_polytope *p, question *ask, bool rotating, const carom_vec3 direction[DIRECTIONS],
                      long long *sum) {
    double seconds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        int found = 0;
        *sum = 0;
        double start = crm_clock_thread_seconds();
        for (int i = 0; i < DIRECTIONS; i++) {
            // Adds nothing, but the processor cannot know before it has the last answer.
            carom_vec3 d = direction[i + (found >> 24)];
            found = ask(p, d, rotating ? found : -1);
            *sum += found;
        }
        seconds[round] = crm_clock_thread_seconds() - start;
    }
    return 1e9 * bench_median(seconds, ROUNDS) / DIRECTIONS;
}

static void run_case(bool json, int vertices, bool rotating) {
    static carom_vec3 direction[DIRECTIONS];
    fill_directions(rotating, direction);
    carom_shape *shape = random_hull(vertices);
    crm_polytope polytope = shape->polytope;
    char name[64];
    snprintf(name, sizeof name, "%d vertices, %s", vertices, rotating ? "rotating" : "cold");
    bench_row row = bench_row_of("support_function", name, "ns");
    long long sums[VARIANTS + 2];
    double scan[VARIANTS] = {NAN, NAN, NAN};
    for (int k = 0; k < VARIANTS && crm_support_kernels_variant(k) != NULL; k++) {
        polytope.kernels = crm_support_kernels_variant(k);
        scan[k] = measure(&polytope, ask_scan, rotating, direction, &sums[k]);
        if (sums[k] != sums[0]) stop("two kernels disagree");
    }
    polytope.kernels = crm_support_kernels_best();
    double climb = measure(&polytope, ask_climb, rotating, direction, &sums[VARIANTS]);
    row.carom = measure(&polytope, ask_library, rotating, direction, &sums[VARIANTS + 1]);
    row.peer = "scalar scan";
    row.peer_value = scan[0];
    row.error = sums[VARIANTS] != sums[0] || sums[VARIANTS + 1] != sums[0]; // 0: the same vertices
    row.peer_error = 0.0;
    bench_print_row(json, &row);
    if (!json)
        printf("    scans: %s %.1f, portable %.1f, avx2 %.1f ns; climbing %.1f ns\n", "scalar", scan[0], scan[1],
               scan[2], climb);
    carom_shape_destroy(shape);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "support_function: one question, processor time; error 0 when all ways find the same");
    for (int rotating = 0; rotating < 2; rotating++)
        for (size_t i = 0; i < sizeof vertex_counts / sizeof vertex_counts[0]; i++)
            run_case(json, vertex_counts[i], rotating);
    return 0;
}
