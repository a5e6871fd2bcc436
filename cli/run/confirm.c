// SPDX-License-Identifier: MIT
#include "run/confirm.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "compare/difference.h"
#include "study/trial.h"
#include "verb/verb.h"

// Of way, size and energy: what two runs may differ by.
static const double allowed_share = 0.02;
// Of the weight over a body's size, in the scale of energy: what rests has no other.
static const double share_of_weight = 1e-3;

// The way of a body is measured along so many chords at most: a step of one body is quicker than looking at it.
enum { MOST_CHORDS = 10000 };

typedef struct confirmation {
    const job *job;
    const carom_model *model;
    int count;
    trial half;
    carom_body_state *whole_bodies, *half_bodies, *before; // (count)
    double *way;                                           // of the run at half the step, m (count)
    double *longest; // way of an island's bodies in that run, m, at its number (count)
} confirmation;

static double distance_over(double difference, double allowed) {
    return difference > 0.0 ? difference / allowed : isnan(difference) ? INFINITY : 0.0;
}

// Diameter of the ball about the shape, or twice the radius of gyration, m; 0 of what cannot move.
static double size_of(const carom_model *model, int body, double *mass) {
    carom_body_def def;
    if (carom_model_get_body(model, (carom_body){body}, &def, NULL) != CAROM_OK || def.kind == CAROM_BODY_FIXED)
        return 0.0;
    *mass = def.mass;
    if (def.shape.index >= 0) return 2.0 * carom_shape_bounding_radius(carom_model_get_shape(model, def.shape));
    double moment = fmax(def.inertia.x.x, fmax(def.inertia.y.y, def.inertia.z.z));
    return def.mass > 0.0 ? 2.0 * sqrt(moment / def.mass) : 0.0;
}

static int make_half_run(confirmation *c, bool show_progress) {
    int64_t end = carom_state_step_count(c->job->state);
    double step = carom_state_method(c->job->state)->step;
    int code = begin_trial(&c->half, c->job->scene, 0.5 * step, 2);
    if (code != EXIT_GOOD) return code;
    progress progress;
    progress_begin(&progress, show_progress, 0, end, carom_state_method(c->job->state), 1);
    read_bodies(c->half.state, c->count, c->before);
    int64_t stride = end / MOST_CHORDS + 1;
    for (int64_t made = 0; made < end && !c->half.stopped && !was_interrupted();) {
        made = made + stride < end ? made + stride : end;
        advance_trial(&c->half, made);
        read_bodies(c->half.state, c->count, c->half_bodies);
        for (int b = 0; b < c->count; b++) {
            c->way[b] += distance_between(c->half_bodies[b].position, c->before[b].position);
            c->before[b] = c->half_bodies[b];
        }
        progress_at(&progress, made);
    }
    progress_end(&progress);
    if (c->half.no_memory) {
        refuse("%s", c->half.why);
        return EXIT_INTERNAL;
    }
    return was_interrupted() ? EXIT_INTERRUPTED : EXIT_GOOD;
}

static carom_finding compare_ends(const confirmation *c) {
    carom_finding worst = {0.0, -1, -1, carom_state_step_count(c->job->state)};
    if (c->half.stopped) {
        worst.value = INFINITY;
        return worst;
    }
    double weight = 0.0, gravity = distance_between(carom_model_gravity(c->model), (carom_vec3){0});
    // What is far away, however fast, is no measure of what is here.
    for (int b = 0; b < c->count; b++) {
        double *longest = &c->longest[carom_state_island(c->half.state, (carom_body){b})];
        *longest = fmax(*longest, c->way[b]);
    }
    read_bodies(c->job->state, c->count, c->whole_bodies);
    for (int b = 0; b < c->count; b++) {
        double mass = 0.0, size = size_of(c->model, b, &mass);
        weight += share_of_weight * mass * gravity * size;
        double apart = distance_between(c->whole_bodies[b].position, c->half_bodies[b].position);
        double longest = c->longest[carom_state_island(c->half.state, (carom_body){b})];
        double share = distance_over(apart, allowed_share * (longest + size));
        if (share > worst.value) worst.value = share, worst.body = b;
    }
    carom_energy whole = carom_state_energy(c->job->state), half = c->half.sums.energy;
    double energy = fabs(whole.kinetic + whole.potential - half.kinetic - half.potential);
    double share = distance_over(energy, allowed_share * (carom_summary_energy_scale(&c->half.summary) + weight));
    if (share > worst.value) worst.value = share, worst.body = -1;
    return worst;
}

int confirm_run(const job *job, bool show_progress, carom_finding *out) {
    confirmation c = {.job = job, .model = carom_scene_model(job->scene)};
    c.count = carom_model_body_count(c.model);
    size_t room = (size_t)c.count + 1;
    c.whole_bodies = malloc(room * sizeof *c.whole_bodies);
    c.half_bodies = malloc(room * sizeof *c.half_bodies);
    c.before = malloc(room * sizeof *c.before);
    c.way = calloc(room, sizeof *c.way);
    c.longest = calloc(room, sizeof *c.longest);
    int code = EXIT_GOOD;
    if (c.whole_bodies == NULL || c.half_bodies == NULL || c.before == NULL || c.way == NULL || c.longest == NULL)
        code = refuse_memory("the run at half the step");
    if (code == EXIT_GOOD) {
        code = make_half_run(&c, show_progress);
        if (code == EXIT_GOOD) *out = compare_ends(&c);
        end_trial(&c.half);
    }
    free(c.whole_bodies);
    free(c.half_bodies);
    free(c.before);
    free(c.way);
    free(c.longest);
    return code;
}
