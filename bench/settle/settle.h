// SPDX-License-Identifier: MIT
// Many bodies that come to rest under gravity: a heap of cubes, a wall of cubes, ellipsoids in a box. Every engine
// starts from the same state and is run and measured here, by the same code: cost of a step, overlap, what still moves.
#ifndef BENCH_SUPPORT_SETTLE_H
#define BENCH_SUPPORT_SETTLE_H

#include <stdbool.h>

#include "carom/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_SETTLE_STEP (1.0 / 240.0) // s
#define BENCH_SETTLE_GRAVITY 9.81       // m/s^2, along -z
#define BENCH_SETTLE_FRICTION 0.5       // of every pair; nothing bounces
enum { BENCH_SETTLE_BODIES = 1000, BENCH_SETTLE_MOST_STEPS = 2400 };

typedef struct bench_settle_body {
    bool is_box;        // or an ellipsoid
    carom_vec3 half;    // half edges or half axes, m
    double mass;        // kg
    carom_vec3 inertia; // about its own axes, kg m^2
    carom_pose start;   // at rest
} bench_settle_body;

// Over the floor z = 0.
typedef struct bench_settle_scene {
    const char *name;
    int steps;    // after which it is at rest, or nearly so
    double walls; // at |x| and |y| of this, m; 0: none
    int count;
    bench_settle_body bodies[BENCH_SETTLE_BODIES];
} bench_settle_scene;

// "pile", "wall" or "ellipsoids"; false for another name.
bool bench_settle_make(const char *name, bench_settle_scene *scene);

// ---- what an engine shows

typedef struct bench_settle_state {
    carom_pose pose;
    carom_vec3 velocity, spin; // world axes
} bench_settle_state;

// Largest overlap of two bodies, or of one with floor or walls, m: boxes by separating axes, ellipsoids by the
// direction in which they are the least apart, planes exactly. Attitudes need not have unit length.
double bench_settle_overlap(const bench_settle_scene *scene, const bench_settle_state *states);
double bench_settle_kinetic_energy(const bench_settle_scene *scene, const bench_settle_state *states);
// Farthest that a body is from its start, m.
double bench_settle_displacement(const bench_settle_scene *scene, const bench_settle_state *states);

// ---- runs

typedef struct bench_settle_engine {
    void *engine;
    bool (*step)(void *engine); // 1/240 s; false when the engine gives up
    void (*read)(void *engine, int body, bench_settle_state *out);
} bench_settle_engine;

typedef struct bench_settle_result {
    int steps;             // that were made: fewer than asked for when it gave up, blew up or met the limit
    double seconds;        // processor time of this thread, mean of a step
    double median_seconds; // median of a step
    double overlap;        // largest in every fifth of the last 100 steps, m; NaN when it did not get there
    double most_overlap;   // largest in every 50th step and the same, m
    double kinetic_energy; // at the end, J; NaN when it did not get there
    double displacement;   // at the end, m
} bench_settle_result;

// At most `steps` steps and, in them, `limit` seconds of processor time.
bench_settle_result bench_settle_run(const bench_settle_scene *scene, const bench_settle_engine *engine, int steps,
                                     double limit);

// The one line that a peer prints, and back.
void bench_settle_print(const bench_settle_result *result);
bench_settle_result bench_settle_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif
