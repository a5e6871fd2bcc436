// SPDX-License-Identifier: MIT
// A body with principal moments 1, 2, 3 kg m^2 that spins about its middle axis, nearly: w = (0.01, 5, 0.01) rad/s. It
// tumbles: in 100 s the spin about the middle axis changes its sign 20 times. Every engine is run and measured here, by
// the same code: cost of a step, drift of energy and angular momentum, and the angle to the exact attitude.
#ifndef BENCH_SUPPORT_TUMBLE_H
#define BENCH_SUPPORT_TUMBLE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_TUMBLE_FLIPS = 20 };
#define BENCH_TUMBLE_SECONDS 100.0
#define BENCH_TUMBLE_STEP 1e-3

// An engine with the body in it: mass 1 kg, attitude the identity, in world axes spinning as above, without gravity.
typedef struct bench_tumbler {
    void *engine;
    void (*step)(void *engine);
    // Attitude (scalar first, body to world) and angular velocity in world axes.
    void (*read)(void *engine, double attitude[4], double spin[3]);
} bench_tumbler;

typedef struct bench_tumble {
    double seconds_per_step; // processor time of this thread
    double energy_drift;     // largest |E/E0 - 1| of the samples, one every tenth of a second
    double momentum_drift;   // largest | |L|/|L0| - 1 |
    double momentum_angle;   // largest angle of L to where it was, rad
    double attitude_error;   // largest angle to the exact attitude, rad
    int flips;               // changes of sign of the spin about the middle axis
} bench_tumble;

bench_tumble bench_tumble_run(const bench_tumbler *tumbler, double step);

// The one line that a peer prints, and back.
void bench_tumble_print(const bench_tumble *result);
bench_tumble bench_tumble_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif
