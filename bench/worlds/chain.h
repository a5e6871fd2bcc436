// SPDX-License-Identifier: MIT
// A chain of 100 links in ball joints that hangs at one end, starts level at rest and falls for 10 s; its free end
// whips at 1.4 s and 4.4 s. Every engine is run and measured here, by the same code: cost of 1/240 s of motion, energy,
// and how far joints open.
#ifndef BENCH_SUPPORT_CHAIN_H
#define BENCH_SUPPORT_CHAIN_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_CHAIN_LINKS = 100, BENCH_CHAIN_STEPS = 2400 };
#define BENCH_CHAIN_STEP (1.0 / 240.0)
#define BENCH_CHAIN_GRAVITY 9.81

// A link is a box along its own x axis, joined at both ends. The first one's end is fixed at the world's origin, and
// all lie on the world's x axis. Gravity acts along -z.
#define BENCH_LINK_LENGTH 0.1
#define BENCH_LINK_MASS 0.1
extern const double bench_link_inertia[3]; // of a thickness of 0.02 m

typedef struct bench_link {
    double position[3];
    double attitude[4]; // scalar first, body to world
    double velocity[3];
    double spin[3]; // world axes
} bench_link;

typedef struct bench_chain_engine {
    void *engine;
    bool (*step)(void *engine); // 1/240 s; false when the engine gives up
    void (*read)(void *engine, int link, bench_link *out);
} bench_chain_engine;

typedef struct bench_chain {
    double seconds_per_step;  // processor time of this thread for 1/240 s
    double time;              // s that were reached: less than 10 when it gave up or the energy was off tenfold
    double energy_drift;      // change of the energy at that time, relative to the most that the fall can free
    double most_energy_drift; // the same, at most, of the samples: one every eight steps
    double joint_drift;       // farthest that a joint was open, m
} bench_chain;

bench_chain bench_chain_run(const bench_chain_engine *engine);

// The one line that a peer prints, and back.
void bench_chain_print(const bench_chain *result);
bench_chain bench_chain_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif
