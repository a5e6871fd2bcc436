// SPDX-License-Identifier: MIT
// The exact motion is found from its Taylor series in extended precision. In body axes, with l = I w,
//   l' = l x w,  q' = q (0, w) / 2
// are products, so that the coefficients follow one another by Cauchy's rule. Steps of 0.01 s and 24 terms leave errors
// of a few units of 1e-19 each; in 100 s they grow to less than 1e-13
// (halving the step changes the attitude by 2e-14).
#include "worlds/tumble.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "math/quat.h"
#include "support/peer.h"

enum { TERMS = 24, SAMPLES_PER_SECOND = 10, SUBSTEPS = 10 };

static const double moments[3] = {1.0, 2.0, 3.0};

typedef struct exact_state {
    long double q[4], l[3]; // body to world; body axes
} exact_state;

static void advance_exact(exact_state *state, long double h) {
    long double q[TERMS + 1][4], l[TERMS + 1][3], w[TERMS + 1][3];
    for (int i = 0; i < 4; i++) q[0][i] = state->q[i];
    for (int i = 0; i < 3; i++) l[0][i] = state->l[i];
    for (int n = 0; n <= TERMS; n++) {
        for (int i = 0; i < 3; i++) w[n][i] = l[n][i] / moments[i];
        if (n == TERMS) break;
        long double dl[3] = {0.0L, 0.0L, 0.0L}, dq[4] = {0.0L, 0.0L, 0.0L, 0.0L};
        for (int k = 0; k <= n; k++) {
            const long double *a = l[k], *b = w[n - k], *c = q[k];
            dl[0] += a[1] * b[2] - a[2] * b[1];
            dl[1] += a[2] * b[0] - a[0] * b[2];
            dl[2] += a[0] * b[1] - a[1] * b[0];
            dq[0] -= c[1] * b[0] + c[2] * b[1] + c[3] * b[2];
            dq[1] += c[0] * b[0] + c[2] * b[2] - c[3] * b[1];
            dq[2] += c[0] * b[1] + c[3] * b[0] - c[1] * b[2];
            dq[3] += c[0] * b[2] + c[1] * b[1] - c[2] * b[0];
        }
        for (int i = 0; i < 3; i++) l[n + 1][i] = dl[i] / (n + 1);
        for (int i = 0; i < 4; i++) q[n + 1][i] = dq[i] / (2 * (n + 1));
    }
    for (int i = 0; i < 4; i++) {
        long double sum = 0.0L;
        for (int n = TERMS; n >= 0; n--) sum = sum * h + q[n][i];
        state->q[i] = sum;
    }
    for (int i = 0; i < 3; i++) {
        long double sum = 0.0L;
        for (int n = TERMS; n >= 0; n--) sum = sum * h + l[n][i];
        state->l[i] = sum;
    }
}

typedef struct sample {
    carom_quat attitude;
    carom_vec3 momentum; // world axes
    double energy;
    double middle_spin; // about the body's middle axis
} sample;

static sample take_sample(const bench_tumbler *tumbler) {
    double q[4], w[3];
    tumbler->read(tumbler->engine, q, w);
    sample s = {.attitude = crm_quat_normalised((carom_quat){q[0], q[1], q[2], q[3]})};
    carom_vec3 spin = crm_quat_rotate_inverse(s.attitude, crm_vec3(w[0], w[1], w[2]));
    carom_vec3 l = crm_vec3(moments[0] * spin.x, moments[1] * spin.y, moments[2] * spin.z);
    s.momentum = crm_quat_rotate(s.attitude, l);
    s.energy = 0.5 * crm_dot(l, spin);
    s.middle_spin = spin.y;
    return s;
}

static void compare(bench_tumble *result, const sample *first, const sample *last, const sample *now,
                    const exact_state *exact) {
    double length = crm_length(now->momentum), first_length = crm_length(first->momentum);
    double sine = crm_length(crm_cross(now->momentum, first->momentum));
    carom_quat right = {(double)exact->q[0], (double)exact->q[1], (double)exact->q[2], (double)exact->q[3]};
    result->energy_drift = fmax(result->energy_drift, fabs(now->energy / first->energy - 1.0));
    result->momentum_drift = fmax(result->momentum_drift, fabs(length / first_length - 1.0));
    result->momentum_angle = fmax(result->momentum_angle, atan2(sine, crm_dot(now->momentum, first->momentum)));
    result->attitude_error = fmax(result->attitude_error, crm_quat_angle(now->attitude, right));
    if (now->middle_spin * last->middle_spin < 0.0) result->flips++;
}

bench_tumble bench_tumble_run(const bench_tumbler *tumbler, double step) {
    // The spin is given in doubles: 0.01 is not quite a hundredth.
    exact_state exact = {.q = {1.0L, 0.0L, 0.0L, 0.0L}, .l = {0.01, 10.0L, (long double)0.01 * 3.0L}};
    bench_tumble result = {0};
    double seconds = 0.0;
    int samples = (int)(BENCH_TUMBLE_SECONDS * SAMPLES_PER_SECOND);
    int steps = (int)lrint(1.0 / (step * SAMPLES_PER_SECOND));
    sample first = take_sample(tumbler), last = first;
    for (int i = 0; i < samples; i++) {
        double start = crm_clock_thread_seconds();
        for (int k = 0; k < steps; k++) tumbler->step(tumbler->engine);
        seconds += crm_clock_thread_seconds() - start;
        for (int k = 0; k < SUBSTEPS; k++) advance_exact(&exact, steps * (long double)step / SUBSTEPS);
        sample now = take_sample(tumbler);
        compare(&result, &first, &last, &now, &exact);
        last = now;
    }
    result.seconds_per_step = seconds / ((double)samples * steps);
    return result;
}

void bench_tumble_print(const bench_tumble *result) {
    printf("{\"seconds_per_step\":%.9g,\"energy_drift\":%.9g,\"momentum_drift\":%.9g,\"momentum_angle\":%.9g,"
           "\"attitude_error\":%.9g,\"flips\":%d}\n",
           result->seconds_per_step, result->energy_drift, result->momentum_drift, result->momentum_angle,
           result->attitude_error, result->flips);
}

bench_tumble bench_tumble_read(const char *line) {
    double flips = bench_peer_number(line, "flips");
    return (bench_tumble){.seconds_per_step = bench_peer_number(line, "seconds_per_step"),
                          .energy_drift = bench_peer_number(line, "energy_drift"),
                          .momentum_drift = bench_peer_number(line, "momentum_drift"),
                          .momentum_angle = bench_peer_number(line, "momentum_angle"),
                          .attitude_error = bench_peer_number(line, "attitude_error"),
                          .flips = isfinite(flips) ? (int)flips : -1};
}
